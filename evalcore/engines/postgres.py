"""Tables of PostgreSQL: the server groups the rows, and only the summaries are transferred.

The states are written once, on narwhals. Here they are built on a view of DuckDB that has the columns of the table and
no rows; the query that they make is translated into PostgreSQL's dialect and asked of the server.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import narwhals as nw

from evalcore.engines.frames import run_query
from evalcore.engines.stored import quoted
from evalcore.readers.base.problems import ReadProblem, listed, named

if TYPE_CHECKING:
    import sqlalchemy

__all__ = ["PostgresTable", "PostgresTables"]

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
# What a column is to the states, and what it is cast to on the server. Texts are ordered by their bytes, as everywhere.
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
_NOT_AWAKE = "shutting down", "starting up", "recovery", "not yet accepting", "terminating connection"
_REFUSED = "refused the connection. Check user, password and database in secrets.toml, or ask again later"


@dataclass(frozen=True, eq=False)
class PostgresTable:
    """A table on a server; `frame` is the input of the states of this package, like that of a `StoredTable`."""

    frame: nw.LazyFrame[Any] = field(repr=False)
    name: str
    server: _Server = field(repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that can be read and hold numbers, texts, times, or true and false."""
        return tuple(self.frame.collect_schema().names())

    def __len__(self) -> int:
        return int(self.frame.select(nw.len()).collect().item())

    def head(self, rows: int) -> Any:
        """Some rows as a pandas DataFrame."""
        return self.frame.head(rows).collect().to_pandas()

    @property
    def progress(self) -> None:
        """Unknown: PostgreSQL does not tell how much of a query is done."""
        return None

    def stop(self) -> None:
        """Stop the running query from another thread; the call that waits for it raises ReadProblem."""
        self.server.stop()


class PostgresTables:
    """The tables of a database that its user may read: the right to select is enough.

    Queries run in transactions that cannot write.

    Parameters
    ----------
    engine : sqlalchemy.Engine
        Such as ``st.connection("name").engine``.
    name : str
        What messages call the connection.
    """

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
        return tuple(map(_text, self._listed()))

    def open(self, table: str) -> PostgresTable:
        """Open a table that is never loaded.

        Raises
        ------
        ReadProblem
            If there is no such table for this user, or the server cannot be asked.
        """
        tables = {_text(one): one for one in self._listed()}
        if table not in tables:
            raise ReadProblem(
                f"Connection {named(self._name)} has no table {named(table)} that its user may read. "
                + (f"Choose {listed(tables)}." if tables else "Grant the right to select from it.")
            )
        described = self._server.rows(_COLUMNS, tables[table])
        columns = [
            (name, _TYPES["text" if is_enum else kind])
            for name, kind, is_enum in described
            if is_enum or kind in _TYPES
        ]
        if not columns:
            raise ReadProblem(
                f"Table {named(table)} has no column of numbers, texts, or true and false. Choose another."
            )
        view = f"table {len(self._views)}"
        parts = (f"{quoted(name)}::{kind} as {quoted(name)}" for name, (_, kind) in columns)
        self._views[view] = f"select {', '.join(parts)} from {'.'.join(map(quoted, tables[table]))}"
        # A query that is run here by mistake, and not on the server, fails instead of finding an empty table.
        parts = (f"error('not on the server')::{kind} as {quoted(name)}" for name, (kind, _) in columns)
        run_query(lambda: self._schemas.execute(f"create view {quoted(view)} as select {', '.join(parts)}"))
        frame = nw.from_native(self._schemas.view(view))
        frame.__class__ = self._pushed
        return PostgresTable(frame, f"{self._name}: {table}", self._server)

    def _listed(self) -> list[tuple[str, str]]:
        return [(schema, name) for schema, name in self._server.rows(_TABLES)]


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
                connection.exec_driver_sql(
                    "set local standard_conforming_strings = on; set local extra_float_digits = 3"
                )
                return list(connection.exec_driver_sql(sql, values))
            finally:
                self.running = None

    def stop(self) -> None:
        # It may have ended meanwhile.
        with suppress(Exception):
            self.running.cancel()


def _reason(error: Exception, name: str) -> str:
    from sqlalchemy.exc import SQLAlchemyError

    code = getattr(cause := getattr(error, "orig", error), "sqlstate", None) or getattr(cause, "pgcode", None)
    if isinstance(error, ImportError):
        return f"Connection {named(name)} needs {error.name}. Install what requirements-postgres.txt lists."
    if isinstance(error, (AttributeError, TypeError, ValueError)) and not isinstance(error, SQLAlchemyError):
        return (
            f"Connection {named(name)} could not be opened ({type(error).__name__}). Check the types of its settings "
            "in secrets.toml."
        )
    for start, reason in _REASONS.items():
        if code is not None and code.startswith(start):
            return f"The server of connection {named(name)} {reason}."
    # Nothing but words tells why no connection was opened; those of a server that answers begin so.
    is_awake = not any(words in str(cause) for words in _NOT_AWAKE)
    if code is None and is_awake and any(word in str(cause) for word in ("FATAL", "password")):
        return f"The server of connection {named(name)} {_REFUSED}."
    if code is None or code.startswith(("08", "57P")):
        return f"The server of connection {named(name)} could not be reached. Check that it runs, then ask again."
    return f"The server of connection {named(name)} could not answer (its code: {code}). Ask again, or see its log."


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
            whole = exp.Anonymous(
                this="trunc", expressions=[exp.Div(this=node.this.copy(), expression=node.expression.copy())]
            )
            part = exp.Mul(this=node.expression, expression=whole)
            node.replace(exp.paren(exp.Sub(this=node.this, expression=part), copy=False))
        elif isinstance(node, exp.IsNan):  # NaN equals itself there
            node.replace(exp.EQ(this=node.this, expression=exp.cast(exp.Literal.string("NaN"), "double")))
        elif isinstance(node, exp.Group) and node.args.get("all"):  # of aggregates alone
            node.pop()
        elif isinstance(node, exp.Table) and node.name in views:
            alias = exp.TableAlias(this=exp.to_identifier(node.alias_or_name, quoted=True))
            node.replace(exp.Subquery(this=sqlglot.parse_one(views[node.name], read="postgres"), alias=alias))
    return tree.sql("postgres")


def _text(table: tuple[str, str]) -> str:
    return table[1] if table[0] == "public" else ".".join(table)
