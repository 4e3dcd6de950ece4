"""Tables that lie in files or databases of DuckDB and are read there: Parquet, CSV, folders of them, tables."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.engines.frames import ASKING, STOPPABLE, asked
from evalcore.readers.problems import ReadProblem, listed, named
from evalcore.readers.unloaded import followed
from evalcore.wording.numbers import count_text

if TYPE_CHECKING:
    import duckdb

__all__ = ["LARGE", "MEMORY", "StoredTable", "is_database", "is_large", "open_stored", "tables_in"]

MEMORY = "700MB"
"""Memory of DuckDB for one table; what needs more goes to a temporary folder."""

LARGE = 256_000_000
"""Bytes of an uploaded file from which it is not loaded."""

_DATABASES = (".duckdb", ".ddb", ".db")
_PARQUET = (".parquet", ".pq")
_TEXT = tuple(f"{ending}{packed}" for ending in (".csv", ".tsv", ".txt") for packed in ("", ".gz", ".zst"))
_FORMATS = "a Parquet or CSV file, a folder of these, or a DuckDB database"
_MOST_FILES = 100_000
_REMOVE = "Remove it, or choose another folder."

# Without these it does not say how far it is; printed, it would go into the log.
_PROGRESS = {"enable_progress_bar": True, "enable_progress_bar_print": False}

# Whatever a file or a view asks for, the engine loads no code, reads no other file, and sees no variables of Python.
_SETTINGS: dict[str, Any] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
    "allowed_configs": list(_PROGRESS),
}
_CLOSED = {"enable_external_access": False, "lock_configuration": True}


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
    csv: tuple[str, ...] = ()
    """The CSV files that it is read from, as patterns; empty for other tables."""

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
        found = asked(lambda: self.connection.execute("select delimiter from sniff_csv(?)", [self.csv[0]]).fetchall())
        read: Any = self.connection.read_csv
        return asked(lambda: read(list(self.csv), all_varchar=True)), found[0][0]

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


def is_database(path: Path) -> bool:
    """Whether a path leads to a file that is called a DuckDB database."""
    return path.name.endswith(_DATABASES) and os.path.isfile(path)


def open_stored(
    path: str | Path, table: str | None = None, memory: str = MEMORY, folders: Sequence[str | Path] = ()
) -> StoredTable:
    """Open a table that is never loaded.

    Parameters
    ----------
    path : str or Path
        A Parquet or CSV file, a folder of these (also with partitions such as ``day=2024-05-01``), or a database.
    table : str, optional
        Which table of a database, as `tables_in` names it; by default its only one.
    memory : str
        What DuckDB may take, such as "700MB".
    folders : sequence of str or Path
        If given, each file of a folder must lie in one of these, wherever its links lead.

    Raises
    ------
    ReadProblem
        If there is no such table, or it cannot be read.
    """
    path = _found(path)
    if is_database(path):
        connection = _database(path, memory)
        ASKING.get()("list of tables")
        chosen = _chosen(_tables(connection), table, path)
        source = ".".join(map(quoted, chosen))
        frame = asked(lambda: connection.sql(f"from {source}"))
        is_view = connection.execute("select 1 from duckdb_views() where (schema_name, view_name) = (?, ?)", chosen)
        return StoredTable(frame, connection, f"{path.name}: {chosen[1]}", not is_view.fetchall())
    if table is not None:
        raise ReadProblem(f"{named(path.name)} is no database and has no tables. Leave out {named(table)}.")
    if not (is_folder := path.is_dir()) and not path.name.endswith((*_PARQUET, *_TEXT)):
        raise ReadProblem(f"{named(path.name)} cannot be read where it lies. Choose {_FORMATS}.")
    files = _files(path, folders) if is_folder else [path]
    is_parquet = files[0].name.endswith(_PARQUET)
    # Brackets and stars of a name as they are.
    patterns = [glob.escape(str(file)) for file in files]
    allowed = ", ".join("'" + text.replace("'", "''") + "'" for text in {*map(str, files), *patterns})
    connection = _connection(":memory:", memory)
    asked(lambda: _put(connection, {"allowed_paths": f"[{allowed}]", **_CLOSED}))
    ASKING.get()("columns of the table")
    read: Any = connection.read_parquet if is_parquet else connection.read_csv
    frame = asked(lambda: read(patterns, hive_partitioning=is_folder))
    return StoredTable(frame, connection, path.name, is_parquet, () if is_parquet else tuple(patterns))


def tables_in(path: str | Path) -> tuple[str, ...]:
    """The tables and views of a DuckDB database, those of other schemas with the schema before a point.

    Raises
    ------
    ReadProblem
        If the file is no such database.
    """
    with _database(_found(path), MEMORY) as database:
        return tuple(map(_text, _tables(database)))


@cache
def _spill() -> tempfile.TemporaryDirectory[str]:
    """A folder of this process for what is too large for the memory, which no other account can read."""
    return tempfile.TemporaryDirectory(prefix="evalcore-duckdb-")


def _connection(path: str, memory: str, **settings: Any) -> duckdb.DuckDBPyConnection:
    import duckdb

    settings = {**_SETTINGS, "memory_limit": memory, "temp_directory": _spill().name, **settings}
    connection = asked(lambda: duckdb.connect(path, read_only=path != ":memory:", config=settings))
    STOPPABLE.get()(connection.interrupt)
    _put(connection, _PROGRESS)
    return connection


def _put(connection: duckdb.DuckDBPyConnection, settings: dict[str, Any]) -> None:
    connection.execute("; ".join(f"set {name} = {value}" for name, value in settings.items()))


def _database(path: Path, memory: str) -> duckdb.DuckDBPyConnection:
    """A connection to a database, always with the same settings: others are refused while one is open."""
    head = asked(lambda: _head(path))
    # DuckDB would look for an extension that reads a database of another kind.
    if head.startswith(b"SQLite format 3"):
        raise ReadProblem(f"{named(path.name)} is a SQLite database. Export its table as CSV, then open the CSV file.")
    if head[8:12] != b"DUCK":
        raise ReadProblem(f"{named(path.name)} is no DuckDB database, or a damaged one. Choose another file.")
    return _connection(str(path), memory, **_CLOSED)


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)


def _found(path: str | Path) -> Path:
    """The whole path of a file or folder, whose name then never looks like an address such as ``md:`` or ``s3:``."""
    path = Path(path).absolute()
    if not os.path.exists(path):  # false for a path that is too long, too
        raise ReadProblem(f"There is no file or folder {named(path)}. Check the path.")
    # Opening a pipe waits for whoever writes into it.
    if not os.path.isfile(path) and not os.path.isdir(path):
        raise ReadProblem(f"{named(path.name)} is a device, a pipe or a socket. Choose {_FORMATS}.")
    return path


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


def _files(folder: Path, folders: Sequence[str | Path]) -> list[Path]:
    """The Parquet files of a folder and those below it, or else its CSV files, of the first ending that any has."""
    found: dict[str, list[Path]] = {ending: [] for ending in (*_PARQUET, *_TEXT)}
    been: set[Path] = set()
    for place, below, names in os.walk(folder, onerror=_refuse, followlinks=True):
        ASKING.get()("list of files")
        if (real := _inside(Path(place), folders)) in been:  # a link back
            below.clear()
            continue
        been.add(real)
        for name in names:
            for ending in (each for each in found if name.endswith(each)):
                found[ending].append(_part(real / name, ending, folders))
        if sum(map(len, found.values())) > _MOST_FILES:
            raise ReadProblem(
                f"The folder {named(folder.name)} has more than {count_text(_MOST_FILES)} Parquet and CSV files. "
                "Choose a folder below it."
            )
    if not (files := next(filter(None, found.values()), [])):
        raise ReadProblem(f"The folder {named(folder.name)} has no Parquet or CSV files. Choose {_FORMATS}.")
    return sorted(files)


def _part(path: Path, ending: str, folders: Sequence[str | Path]) -> Path:
    """A file of a folder, or what a link leads to where only some folders are open."""
    file = _inside(path, folders) if folders and path.is_symlink() else path
    if not os.path.isfile(file):
        raise ReadProblem(f"{named(path.name)} in this folder is a pipe, a device or a broken link. {_REMOVE}")
    if not file.name.endswith(ending):
        raise ReadProblem(
            f"{named(path.name)} in this folder leads to {named(file.name)}, not to a {ending} file. {_REMOVE}"
        )
    return file


def _inside(path: Path, folders: Sequence[str | Path]) -> Path:
    try:
        real = followed(path, folders or [path.anchor])
    except (OSError, RuntimeError) as error:  # a ring of links
        raise ReadProblem(f"{named(path.name)} in this folder is a broken link. {_REMOVE}") from error
    if real is None:
        raise ReadProblem(f"{named(path.name)} in this folder leads out of the folders that are open here. {_REMOVE}")
    return real


def _refuse(error: OSError) -> None:
    raise ReadProblem(
        f"The folder {named(Path(error.filename).name)} cannot be read. Ask for the right to read it, "
        "or choose another folder."
    ) from error
