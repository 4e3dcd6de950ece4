"""Connections to tables that an administrator has set up: list them, and open one.

`PostgresTables` is the third of this kind. Each has `names()` and `open(name)`, which gives what a `StoredTable` has.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from evalcore.engines.frames import run_query
from evalcore.engines.postgres import PostgresTables
from evalcore.engines.stored import StoredTable, open_stored, tables_in
from evalcore.readers import Unloaded, allowed_path
from evalcore.readers.base.problems import ReadProblem, listed, named

__all__ = ["CONNECTION_TYPES", "Connection", "DuckDBTables", "SparkTable", "SparkTables", "connected", "reopened"]


_PATIENCE = 10
"""Seconds after which a server that does not answer is told."""


@dataclass(frozen=True, eq=False)
class Connection:
    """Connection to the tables of one place. It may be shared; each visitor calls `tables()` anew."""

    name: str
    tables: Callable[[], DuckDBTables | PostgresTables | SparkTables] = field(repr=False)


def connected(settings: Mapping[str, Any], name: str) -> Connection:
    """Set up a connection from a section ``[connections.name]`` of Streamlit's secrets.toml.

    Parameters
    ----------
    settings : mapping of str to values
        ``type`` is "duckdb" (with ``path``), "spark" (with ``master`` or ``remote``, and ``config``) or "sql" for
        PostgreSQL: with ``url``, or with ``dialect``, ``host``, ``port``, ``database``, ``username`` and
        ``password``.
    name : str
        What messages call it; they never hold a setting.

    Raises
    ------
    ReadProblem
        If a setting is missing or wrong, or a package is not installed.

    Examples
    --------
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
        raise ReadProblem(
            f"Connection {named(name)} could not be set up ({type(error).__name__}). Check [connections.{name}] in "
            "secrets.toml: docs/connections.md has an example of each type."
        ) from None


def _duckdb(settings: Mapping[str, Any], name: str) -> Callable[[], DuckDBTables]:
    path = Path(settings["path"])
    return lambda: DuckDBTables(path, name)


def _sql(settings: Mapping[str, Any], name: str) -> Callable[[], PostgresTables]:
    import sqlalchemy

    parts = {part: settings[part] for part in ("username", "password", "host", "port", "database") if part in settings}
    if "url" in settings:
        url = sqlalchemy.make_url(settings["url"])
    else:
        driver = f"+{settings['driver']}" if "driver" in settings else ""
        url = sqlalchemy.URL.create(settings["dialect"] + driver, **parts, query=dict(settings.get("query", {})))
    more = dict(settings.get("create_engine_kwargs", {}))
    more["connect_args"] = {"connect_timeout": _PATIENCE, **more.get("connect_args", {})}
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


CONNECTION_TYPES: dict[str, Callable[[Mapping[str, Any], str], Callable[[], Any]]] = {
    "duckdb": _duckdb,
    "sql": _sql,
    "spark": _spark,
}
"""By the type of a connection, what sets it up."""


class DuckDBTables:
    """The tables of a DuckDB database, which is opened for reading only.

    Parameters
    ----------
    path : str or Path
    name : str
        What messages call the connection; they leave out where the file lies.

    Examples
    --------
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


@dataclass(frozen=True, eq=False)
class SparkTable:
    """A table of Spark; `frame` is the input of the states of this package, like that of a `StoredTable`."""

    frame: Any = field(repr=False)
    name: str

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns. They come from a table: escape them."""
        return tuple(self.frame.columns)

    def __len__(self) -> int:
        return run_query(self.frame.count)

    def head(self, rows: int) -> Any:
        """Some rows as a pandas DataFrame."""
        return run_query(self.frame.limit(rows).toPandas)

    @property
    def progress(self) -> None:
        """Unknown: a session does not tell how much of a query is done."""
        return None

    def stop(self) -> None:
        """Stop the running query from another thread; the call that waits for it raises ReadProblem."""
        self.frame.sparkSession.interruptAll()


class SparkTables:
    """The tables of Spark's catalogue, of each database that the session sees.

    Parameters
    ----------
    session : pyspark.sql.SparkSession
        Of a cluster or of Spark Connect. Queries run in a new session beside it, so that stopping them stops no others.
    name : str
        What messages call the connection.
    """

    def __init__(self, session: Any, name: str) -> None:
        self._session, self._name = run_query(session.newSession), name

    def names(self) -> tuple[str, ...]:
        """The tables and views, those outside of the current database with the database before a point."""

        def listed_in(catalogue: Any) -> tuple[str, ...]:
            current = catalogue.currentDatabase()
            databases = sorted(
                (one.name for one in catalogue.listDatabases()), key=lambda name: (name != current, name)
            )
            return tuple(
                table if database == current else f"{database}.{table}"
                for database in databases
                for table in sorted(one.name for one in catalogue.listTables(database))
            )

        return run_query(lambda: listed_in(self._session.catalog))

    def open(self, table: str) -> SparkTable:
        """Open a table. Raises ReadProblem where there is none of this name, or Spark cannot be asked."""
        if table not in (names := self.names()):
            raise ReadProblem(f"Connection {named(self._name)} has no table {named(table)}. Choose {listed(names)}.")
        database, _, name = table.rpartition(".")
        quoted = ".".join("`" + part.replace("`", "``") + "`" for part in (database, name) if part)
        return SparkTable(run_query(lambda: self._session.table(quoted)), f"{self._name}: {table}")


def reopened(unloaded: Unloaded, folders: Sequence[str | Path], upload: Path | None = None) -> StoredTable:
    """Open the table in a file, a folder or a database from which a data set was made.

    Parameters
    ----------
    unloaded : Unloaded
    folders : sequence of str or Path
        Those whose files may be opened.
    upload : Path, optional
        The stored file, where it was uploaded.

    Raises
    ------
    ReadProblem
        If it may not be opened, is not there any more, or cannot be read.

    Examples
    --------
    >>> reopened(Unloaded("path", "/absent.parquet"), ["/"])
    Traceback (most recent call last):
    evalcore.readers.base.problems.ReadProblem: There is no file or folder "/absent.parquet". Check the path.
    """
    if unloaded.way == "path":
        return open_stored(allowed_path(unloaded.address, folders), unloaded.table, folders=folders)
    if upload is None:
        raise ReadProblem("The file of this data set is no longer stored. Open it again.")
    return open_stored(upload)
