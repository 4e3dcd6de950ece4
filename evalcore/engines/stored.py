"""Tables that lie in files or databases of DuckDB and are read there: Parquet, CSV, folders of them, tables."""

from __future__ import annotations

import glob
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.engines.frames import asked
from evalcore.readers.problems import ReadProblem, listed, named

if TYPE_CHECKING:
    import duckdb

__all__ = ["LARGE", "MEMORY", "StoredTable", "is_large", "open_stored", "tables_in"]

MEMORY = "700MB"
"""Memory of DuckDB for one table; what needs more goes to a temporary folder."""

LARGE = 256_000_000
"""Bytes of an uploaded file from which it is not loaded."""

_DATABASES = (".duckdb", ".ddb", ".db")
_PARQUET = (".parquet", ".pq")
_TEXT = tuple(f"{ending}{packed}" for ending in (".csv", ".tsv", ".txt") for packed in ("", ".gz", ".zst"))
_FORMATS = "a Parquet or CSV file, a folder of these, or a DuckDB database"

# The engine loads no code from the network, whatever a file asks for.
_SETTINGS: dict[str, Any] = {
    "memory_limit": MEMORY,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


# Without this it does not say how far it is; printed, it would go into the log.
_PROGRESS = "set enable_progress_bar = true; set enable_progress_bar_print = false"


@dataclass(frozen=True, eq=False)
class StoredTable:
    """A table that DuckDB reads where it lies; `frame` is what the states of this package take.

    >>> import duckdb, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = duckdb.connect().execute(f"copy (select 1 as y, 0.5 as score) to '{folder}/part.parquet'")
    ...     stored = open_stored(folder)
    ...     (stored.columns, len(stored))
    (('y', 'score'), 1)
    """

    frame: duckdb.DuckDBPyRelation
    connection: duckdb.DuckDBPyConnection = field(repr=False)
    name: str
    keeps_its_length: bool = False
    csv: str = ""
    """The pattern of the CSV files that it is read from; empty of other tables."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns. They come from a file: escape them."""
        return tuple(self.frame.columns)

    def __len__(self) -> int:
        return asked(lambda: self.frame.aggregate("count(*)").fetchall())[0][0]

    @property
    def known_rows(self) -> int:
        """Its rows where it is known without reading them, as Parquet files and databases keep it; else 0."""
        return len(self) if self.keeps_its_length else 0

    def head(self, rows: int) -> Any:
        """The first rows as a pandas DataFrame, such as `DataSet.of` takes, to see what the columns are."""
        return asked(lambda: self.frame.limit(rows).df())

    def texts(self) -> tuple[duckdb.DuckDBPyRelation, str] | None:
        """Of CSV files, the same rows as written, and the delimiter of the first file; None of other tables."""
        if not self.csv:
            return None
        file = glob.escape(next(glob.iglob(self.csv, recursive=True)))
        found = asked(lambda: self.connection.execute("select delimiter from sniff_csv(?)", [file]).fetchall())
        return asked(lambda: self.connection.read_csv(self.csv, all_varchar=True)), found[0][0]

    @property
    def progress(self) -> float:
        """The share of the running query that is done, 0 … 1, to be asked from another thread."""
        return min(max(self.connection.query_progress() / 100, 0.0), 1.0)

    def stop(self) -> None:
        """Stop the running query from another thread; the call that waits for it raises ReadProblem."""
        self.connection.interrupt()


def is_large(name: str, size: int) -> bool:
    """Whether an uploaded file is better left where it is, and can be.

    >>> is_large("log.parquet", 300_000_000), is_large("log.xlsx", 300_000_000), is_large("log.csv", 1000)
    (True, False, False)
    """
    return size >= LARGE and name.lower().endswith((*_PARQUET, *_TEXT))


def open_stored(path: str | Path, table: str | None = None, memory: str = MEMORY) -> StoredTable:
    """Open a table that is never loaded.

    Parameters
    ----------
    path : str or Path
        A Parquet or CSV file, a folder of these (also with partitions such as ``day=2024-05-01``), or a database.
    table : str, optional
        Which table of a database, as `tables_in` names it; by default its only one.
    memory : str
        What DuckDB may take, such as "700MB".

    Raises
    ------
    ReadProblem
        If there is no such table, or it cannot be read.
    """
    import duckdb

    path = Path(path)
    if not os.path.exists(path):  # false for a path that is too long, too
        raise ReadProblem(f"There is no file or folder {named(path)}. Check the path.")
    if path.name.endswith(_DATABASES):
        connection = _database(path, memory)
        chosen = _chosen(_tables(connection), table, path)
        source = ".".join(map(quoted, chosen))
        frame = asked(lambda: connection.sql(f"from {source}"))
        is_view = connection.execute("select 1 from duckdb_views() where (schema_name, view_name) = (?, ?)", chosen)
        return StoredTable(frame, connection, f"{path.name}: {chosen[1]}", not is_view.fetchall())
    if table is not None:
        raise ReadProblem(f"{named(path.name)} is no database and has no tables. Leave out {named(table)}.")
    connection = duckdb.connect(config=_settings(memory))
    connection.execute(_PROGRESS)
    pattern, is_parquet = _pattern(path)
    if is_parquet:
        frame = asked(lambda: connection.read_parquet(pattern, hive_partitioning=path.is_dir()))
    else:
        frame = asked(lambda: connection.read_csv(pattern, hive_partitioning=path.is_dir()))
    return StoredTable(frame, connection, path.name, is_parquet, "" if is_parquet else pattern)


def tables_in(path: str | Path) -> tuple[str, ...]:
    """The tables and views of a DuckDB database, those of other schemas with the schema before a point.

    Raises
    ------
    ReadProblem
        If the file is no such database.
    """
    with _database(Path(path), MEMORY) as database:
        return tuple(map(_text, _tables(database)))


def _settings(memory: str) -> dict[str, Any]:
    spill = Path(tempfile.gettempdir()) / "evalcore-duckdb"
    return {**_SETTINGS, "memory_limit": memory, "temp_directory": str(spill)}


def _database(path: Path, memory: str) -> duckdb.DuckDBPyConnection:
    """A connection to a database, always with the same settings: others are refused while one is open."""
    import duckdb

    connection = asked(lambda: duckdb.connect(str(path), read_only=True, config=_settings(memory)))
    # A view of the database must not read other files of the machine.
    connection.execute(f"{_PROGRESS}; set enable_external_access = false")
    return connection


def quoted(name: str) -> str:
    """A name as SQL takes it.

    >>> print(quoted('a "score" of risk'))
    "a ""score"" of risk"
    """
    return '"' + name.replace('"', '""') + '"'


def _tables(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str]]:
    rows = asked(
        lambda: connection.execute(
            "select table_schema, table_name from information_schema.tables "
            "where table_catalog = current_database() order by table_schema <> 'main', table_schema, table_name"
        ).fetchall()
    )
    return [(schema, name) for schema, name in rows]


def _text(table: tuple[str, str]) -> str:
    return table[1] if table[0] == "main" else ".".join(table)


def _chosen(tables: list[tuple[str, str]], table: str | None, path: Path) -> tuple[str, str]:
    names = [_text(one) for one in tables]
    if not names:
        raise ReadProblem(f"The database {named(path.name)} has no tables. Choose another one.")
    if table is None and len(names) > 1:
        raise ReadProblem(f"The database {named(path.name)} has {len(names)} tables. Choose {listed(names)}.")
    if table is not None and table not in names:
        raise ReadProblem(f"The database {named(path.name)} has no table {named(table)}. Choose {listed(names)}.")
    return tables[0 if table is None else names.index(table)]


def _pattern(path: Path) -> tuple[str, bool]:
    """What DuckDB is to read, with brackets and stars of the name as they are; and whether it is Parquet."""
    safe = glob.escape(str(path))
    if path.is_dir():
        for endings, is_parquet in ((_PARQUET, True), (_TEXT, False)):
            for ending in endings:
                if next(path.rglob(f"*{ending}"), None):
                    return f"{safe}/**/*{ending}", is_parquet
        raise ReadProblem(f"The folder {named(path.name)} has no Parquet or CSV files. Choose {_FORMATS}.")
    if not path.name.endswith((*_PARQUET, *_TEXT)):
        raise ReadProblem(f"{named(path.name)} cannot be read where it lies. Choose {_FORMATS}.")
    return safe, path.name.endswith(_PARQUET)
