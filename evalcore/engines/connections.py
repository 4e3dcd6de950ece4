"""Connections to tables that an administrator has set up: `names()` lists them, `open(name)` opens one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw

from evalcore.engines.frames import run_query
from evalcore.engines.stored import StoredTable, open_stored, quoted, table_name, tables_in
from evalcore.readers import Unloaded, allowed_path
from evalcore.readers.base.problems import ReadProblem, listed, named

if TYPE_CHECKING:
    import sqlalchemy

__all__ = ["CONNECTION_TYPES", "Connection", "DuckDBTables", "PostgresTables", "SparkTables", "connected", "reopened"]

_TABLES = """
select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
  and n.nspname not like 'pg\\_%' and has_schema_privilege(n.oid, 'usage') and has_any_column_privilege(c.oid, 'select')
order by n.nspname <> 'public', n.nspname, c.relname
"""

# A domain is what it is made of.
_COLUMNS = """
select a.attname, coalesce(b.typname, t.typname), coalesce(b.typtype, t.typtype) = 'e'
from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid left join pg_type b on t.typtype = 'd' and b.oid = t.typbasetype
where n.nspname = %s and c.relname = %s and a.attnum > 0 and not a.attisdropped
  and has_column_privilege(c.oid, a.attnum, 'select')
order by a.attnum
"""

_TEXT = 'text collate "C"'

# The type of a column here, and the type it is cast to on the server. Texts are ordered by their bytes, as everywhere.
_TYPES = {
    **dict.fromkeys(("int2", "int4", "int8"), ("bigint", "bigint")),
    **dict.fromkeys(("float4", "float8", "numeric"), ("double", "double precision")),
    **dict.fromkeys(("text", "varchar", "bpchar", "name", "char", "citext", "uuid"), ("varchar", _TEXT)),
    **dict.fromkeys(("date", "time", "timetz"), ("date", "text")),
    **dict.fromkeys(("timestamp", "timestamptz"), ("timestamp", "text")),
    "bool": ("boolean", "boolean"),
}

_REASONS = {
    "42501": "does not let this user read the table. Grant the right to select from it",
    "42P01": "no longer has this table. Choose another one",
    "42703": "no longer has one of the columns. Open the table again",
    "22P02": "has a column of another type than before. Open the table again",
    "22003": "found a number too large for the computation. Leave out such rows, for example by a view",
    "25006": "was asked to write, which is never done. Choose a table that can be read without writing",
    "53": "has too little memory, disk or connections for this query. Try again later",
    "57014": "stopped the query. Ask again to run it",
}


@dataclass(frozen=True, eq=False)
class ConnectedTable:
    """A table of a server or a cluster; `frame` is the input of the states of this package."""

    frame: Any = field(repr=False)
    name: str
    columns: tuple[str, ...]
    """The names of the columns that can be read. They come from a table: escape them."""
    stop: Callable[[], None] = field(repr=False)
    """Stops the running query from another thread; the call that waits for it raises ReadProblem."""


class PostgresTables:
    """The tables of a database that its user may select from, in transactions that cannot write; messages name it."""

    def __init__(self, engine: sqlalchemy.Engine, name: str) -> None:
        import duckdb

        if engine.dialect.name != "postgresql":
            raise ReadProblem(f"Connection {named(name)} is to {engine.dialect.name}. Use one to PostgreSQL.")
        self._name, self._server = name, _Server(engine, name)
        self._schemas, views = duckdb.connect(), {}
        ask = staticmethod(lambda sql: self._server.rows(_translated(sql, views)))
        # One class, so that its tables can be joined.
        self._views, self._pushed = views, type("_PushedHere", (_Pushed,), {"ask": ask})

    def names(self) -> tuple[str, ...]:
        """The tables and views, those outside of the schema public with the schema before a point."""
        return tuple(self._listed())

    def open(self, table: str) -> ConnectedTable:
        """Open a table that is never loaded; ReadProblem if this user has none, or the server cannot be asked."""
        tables = self._listed()
        if table not in tables:
            step = f"Choose {listed(tables)}." if tables else "Grant the right to select from it."
            sentence = f"Connection {named(self._name)} has no table {named(table)} that its user may read. {step}"
            raise ReadProblem(sentence)
        described = self._server.rows(_COLUMNS, tables[table])
        kinds = ((name, "text" if is_enum else kind) for name, kind, is_enum in described)
        if not (columns := [(name, _TYPES[kind]) for name, kind in kinds if kind in _TYPES]):
            why = "has no column of numbers, texts, or true and false. Choose another."
            raise ReadProblem(f"Table {named(table)} {why}")
        view = f"table {len(self._views)}"
        parts = (f"{quoted(name)}::{kind} as {quoted(name)}" for name, (_, kind) in columns)
        self._views[view] = f"select {', '.join(parts)} from {'.'.join(map(quoted, tables[table]))}"
        # A query that is run here by mistake, and not on the server, fails instead of finding an empty table.
        parts = (f"error('not on the server')::{kind} as {quoted(name)}" for name, (kind, _) in columns)
        run_query(lambda: self._schemas.execute(f"create view {quoted(view)} as select {', '.join(parts)}"))
        frame = nw.from_native(self._schemas.view(view))
        frame.__class__ = self._pushed
        columns = tuple(frame.collect_schema().names())
        return ConnectedTable(frame, f"{self._name}: {table}", columns, self._server.stop)

    def _listed(self) -> dict[str, tuple[str, str]]:
        """The schema and the name of each table by what it is called here."""
        return {table_name(schema, name, "public"): (schema, name) for schema, name in self._server.rows(_TABLES)}


class _Pushed(nw.LazyFrame[Any]):
    """A lazy frame whose operations DuckDB translates to SQL and the server runs."""

    ask: Callable[[str], list[Any]]

    def collect(self, backend: Any = None, **_: Any) -> nw.DataFrame[Any]:
        """The rows that the server answers, as pyarrow."""
        rows = self.ask(self.to_native().sql_query())
        columns, types = {}, {}
        for at, (name, dtype) in enumerate(self.collect_schema().items()):
            columns[name], types[name] = [row[at] for row in rows], nw.Boolean if dtype == nw.Boolean else nw.String
            if dtype.is_numeric():  # sums arrive as decimals
                number, types[name] = (int, nw.Int64) if dtype.is_integer() else (float, nw.Float64)
                columns[name] = [None if value is None else number(value) for value in columns[name]]
        return nw.from_dict(columns, types, backend="pyarrow")


@dataclass(eq=False)
class _Server:
    """Connection that runs one query after the other, each in a read-only transaction of its own."""

    engine: sqlalchemy.Engine
    name: str
    running: Any = None

    def rows(self, sql: str, values: tuple[str, ...] | None = None) -> list[Any]:
        """Run a query and return its rows; repeated once if the connection was lost."""
        from sqlalchemy.exc import DBAPIError

        try:
            try:
                return self._rows(sql, values)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                return self._rows(sql, values)
        except MemoryError:
            raise
        except Exception as error:  # also where all connections are in use, or a driver meets a setting of a wrong type
            # What the driver says may hold the address, the user and the statement.
            raise ReadProblem(_reason(error, self.name)) from None

    def _rows(self, sql: str, values: tuple[str, ...] | None) -> list[Any]:
        with self.engine.connect() as connection:
            connection = connection.execution_options(postgresql_readonly=True, no_parameters=values is None)
            self.running = connection.connection.driver_connection
            try:
                # However the server is set up: a backslash in a text is one, and numbers have all their digits.
                settings = "set local standard_conforming_strings = on; set local extra_float_digits = 3"
                connection.exec_driver_sql(settings)
                return list(connection.exec_driver_sql(sql, values))
            finally:
                self.running = None

    def stop(self) -> None:
        with suppress(Exception):  # It may have ended meanwhile.
            self.running.cancel()


def _reason(error: Exception, name: str) -> str:
    from sqlalchemy.exc import SQLAlchemyError

    code = getattr(cause := getattr(error, "orig", error), "sqlstate", None) or getattr(cause, "pgcode", None)
    if isinstance(error, ImportError):
        return f"Connection {named(name)} needs {error.name}. Install what requirements-postgres.txt lists."
    if isinstance(error, (AttributeError, TypeError, ValueError)) and not isinstance(error, SQLAlchemyError):
        why = f"could not be opened ({type(error).__name__}). Check the types of its settings in secrets.toml."
        return f"Connection {named(name)} {why}"
    reasons = (reason for start, reason in _REASONS.items() if code is not None and code.startswith(start))
    if (reason := next(reasons, None)) is None:
        reason = f"could not answer (its code: {code}). Ask again, or see its log"
        if code is None or code.startswith(("08", "57P")):
            reason = "could not be reached. Check that it runs, then ask again"
        # Nothing but words tells why no connection was opened; those of a server that answers begin so.
        asleep = "shutting down", "starting up", "recovery", "not yet accepting", "terminating connection"
        is_awake = not any(words in str(cause) for words in asleep)
        if code is None and is_awake and any(word in str(cause) for word in ("FATAL", "password")):
            reason = "refused the connection. Check user, password and database in secrets.toml, or ask again later"
    return f"The server of connection {named(name)} {reason}."


def _translated(sql: str, views: dict[str, str]) -> str:
    """Translate a statement of DuckDB into PostgreSQL, with the server's tables in place of the views."""
    import sqlglot
    from sqlglot import expressions as exp

    operators = {"add": exp.Add, "subtract": exp.Sub}
    tree = sqlglot.parse_one(sql, read="duckdb")
    for node in reversed(list(tree.walk())):  # what is inside first
        if isinstance(node, exp.Count) and node.this is None:
            node.set("this", exp.Star())
        elif isinstance(node, exp.Anonymous) and node.name in operators:
            one, two = node.expressions
            node.replace(exp.paren(operators[node.name](this=one, expression=two), copy=False))
        elif isinstance(node, exp.Mod):  # only of whole numbers there
            quotient = exp.Div(this=node.this.copy(), expression=node.expression.copy())
            part = exp.Mul(this=node.expression, expression=exp.Anonymous(this="trunc", expressions=[quotient]))
            node.replace(exp.paren(exp.Sub(this=node.this, expression=part), copy=False))
        elif isinstance(node, exp.IsNan):  # NaN equals itself there
            node.replace(exp.EQ(this=node.this, expression=exp.cast(exp.Literal.string("NaN"), "double")))
        elif isinstance(node, exp.Group) and node.args.get("all"):  # of aggregates alone
            node.pop()
        elif isinstance(node, exp.Table) and node.name in views:
            alias = exp.TableAlias(this=exp.to_identifier(node.alias_or_name, quoted=True))
            node.replace(exp.Subquery(this=sqlglot.parse_one(views[node.name], read="postgres"), alias=alias))
    return tree.sql("postgres")


@dataclass(frozen=True, eq=False)
class Connection:
    """A connection to the tables of one place. It may be shared; each visitor calls `tables()` anew."""

    name: str
    tables: Callable[[], DuckDBTables | PostgresTables | SparkTables] = field(repr=False)


def connected(settings: Mapping[str, Any], name: str) -> Connection:
    """Set up a connection from a section ``[connections.name]`` of Streamlit's secrets.toml.

    ``type`` is "duckdb" (with ``path``), "spark" (``master`` or ``remote``, and ``config``) or "sql" for PostgreSQL
    (``url``, or ``dialect``, ``host``, ``port``, ``database``, ``username`` and ``password``). Messages never hold a
    setting. Raises ReadProblem if a setting is missing or wrong, or a package is not installed.

    >>> connected({"type": "duckdb"}, "lab")
    Traceback (most recent call last):
    evalcore.readers.base.problems.ReadProblem: Connection "lab" could not be set up (KeyError)...
    """
    kind = settings.get("type", "sql")
    if not isinstance(kind, str) or kind not in CONNECTION_TYPES:
        raise ReadProblem(f"Connection {named(name)} has no type that can be read. Use {listed(CONNECTION_TYPES)}.")
    try:
        return Connection(name, CONNECTION_TYPES[kind](settings, name))
    except ReadProblem:
        raise
    except ImportError:
        needed = "requirements-spark.txt" if kind == "spark" else "requirements-postgres.txt"
        raise ReadProblem(f"Connection {named(name)} needs more packages. Install what {needed} lists.") from None
    except Exception as error:  # whatever a driver raises; it may say an address or a password
        sentence = f"Connection {named(name)} could not be set up ({type(error).__name__}). Check [connections.{name}] "
        raise ReadProblem(f"{sentence}in secrets.toml: docs/connections.md has an example of each type.") from None


def _sql(settings: Mapping[str, Any], name: str) -> Callable[[], PostgresTables]:
    import sqlalchemy

    parts = {part: settings[part] for part in ("username", "password", "host", "port", "database") if part in settings}
    if "url" in settings:
        url = sqlalchemy.make_url(settings["url"])
    else:
        driver = f"+{settings['driver']}" if "driver" in settings else ""
        url = sqlalchemy.URL.create(settings["dialect"] + driver, **parts, query=dict(settings.get("query", {})))
    more = dict(settings.get("create_engine_kwargs", {}))
    # Seconds after which a server that does not answer is reported.
    more["connect_args"] = {"connect_timeout": 10, **more.get("connect_args", {})}
    engine = sqlalchemy.create_engine(url, **more)
    return lambda: PostgresTables(engine, name)


def _spark(settings: Mapping[str, Any], name: str) -> Callable[[], SparkTables]:
    where = {f"spark.{part}": settings[part] for part in ("master", "remote") if part in settings}
    builder = import_module("pyspark.sql").SparkSession.builder.appName("Evalcore")
    for setting, value in {**settings.get("config", {}), **where}.items():
        builder = builder.config(setting, value)
    session = builder.getOrCreate()
    if "spark.master" in where and session.sparkContext.master != where["spark.master"]:
        raise ReadProblem("Another Spark cluster is in use here already. Connect to this one by Spark Connect.")
    return lambda: SparkTables(session, name)


_SetUp = Callable[[Mapping[str, Any], str], Callable[[], Any]]
CONNECTION_TYPES: dict[str, _SetUp] = {
    "duckdb": lambda settings, name: partial(DuckDBTables, Path(settings["path"]), name), "sql": _sql, "spark": _spark
}  # fmt: skip
"""The function that sets up each type of connection."""


class DuckDBTables:
    """The tables of a DuckDB database, which is opened for reading only; messages leave out where it lies.

    >>> import duckdb, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with duckdb.connect(f"{folder}/log.duckdb") as database:
    ...         _ = database.execute("create table predictions as select 1 as y, 0.5 as score")
    ...     tables = DuckDBTables(f"{folder}/log.duckdb", "lab")
    ...     tables.names(), len(tables.open("predictions"))
    (('predictions',), 1)
    """

    def __init__(self, path: str | Path, name: str) -> None:
        self._path, self._name = Path(path), name

    def names(self) -> tuple[str, ...]:
        """The tables and views, those outside of the schema main with the schema before a point."""
        return self._ask(lambda: tables_in(self._path))

    def open(self, table: str) -> StoredTable:
        """Open a table. Raises ReadProblem where there is none of this name, or the database cannot be opened."""
        return self._ask(lambda: open_stored(self._path, table))

    def _ask(self, ask: Callable[[], Any]) -> Any:
        if not os.path.exists(self._path):  # false for a path that is too long, too
            raise ReadProblem(f"Connection {named(self._name)} leads to no file. Correct its path in secrets.toml.")
        try:
            return ask()
        except ReadProblem as problem:
            raise ReadProblem(str(problem).replace(str(self._path), self._path.name)) from None


class SparkTables:
    """The tables of each database that Spark sees, in a session of their own: to stop it stops no other query."""

    def __init__(self, session: Any, name: str) -> None:
        self._session, self._name = run_query(session.newSession), name

    def names(self) -> tuple[str, ...]:
        """The tables and views, those outside of the current database with the database before a point."""

        def listed_in(catalogue: Any) -> tuple[str, ...]:
            current = catalogue.currentDatabase()
            names = [one.name for one in catalogue.listDatabases()]
            databases = sorted(names, key=lambda name: (name != current, name))
            return tuple(
                table if database == current else f"{database}.{table}"
                for database in databases
                for table in sorted(one.name for one in catalogue.listTables(database))
            )

        return run_query(lambda: listed_in(self._session.catalog))

    def open(self, table: str) -> ConnectedTable:
        """Open a table. Raises ReadProblem where there is none of this name, or Spark cannot be asked."""
        if table not in (names := self.names()):
            raise ReadProblem(f"Connection {named(self._name)} has no table {named(table)}. Choose {listed(names)}.")
        database, _, name = table.rpartition(".")
        quoted = ".".join("`" + part.replace("`", "``") + "`" for part in (database, name) if part)
        frame = run_query(lambda: self._session.table(quoted))
        columns = run_query(lambda: tuple(frame.columns))
        return ConnectedTable(frame, f"{self._name}: {table}", columns, frame.sparkSession.interruptAll)


def reopened(unloaded: Unloaded, folders: Sequence[str | Path], upload: Path | None = None) -> StoredTable:
    """Open the table in a file, a folder or a database from which a data set was made, or its stored upload.

    Raises ReadProblem if it lies in none of the folders, is not there any more, or cannot be read.

    >>> reopened(Unloaded("path", "/absent.parquet"), ["/"])
    Traceback (most recent call last):
    evalcore.readers.base.problems.ReadProblem: There is no file or folder "/absent.parquet". Check the path.
    """
    if unloaded.way == "path":
        return open_stored(allowed_path(unloaded.address, folders), unloaded.table, folders=folders)
    if upload is None:
        raise ReadProblem("The file of this data set is no longer stored. Open it again.")
    return open_stored(upload)
