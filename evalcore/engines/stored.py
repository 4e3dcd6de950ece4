"""Tables that lie in files or databases of DuckDB and are read there: Parquet, CSV, folders of them, tables."""

from __future__ import annotations

import glob
import math
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from pyarrow import types

from evalcore.engines.frames import ASKING, STOPPABLE, lazy, run_query
from evalcore.readers import DataSet, Finding, Roles, Unloaded
from evalcore.readers.base.problems import Lines, ReadProblem, listed, named
from evalcore.readers.base.values import Value, either_mark, may_be_thousands, positive_value, with_mark_as
from evalcore.readers.dataset.shape import followed
from evalcore.readers.files.frames import content_of
from evalcore.wording.numbers import count_text

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

__all__ = ["COUNTINGS", "FIRST_ROWS", "LARGE", "MEMORY", "Counting", "StoredTable", "end_unwanted", "first_rows"]
__all__ += ["is_database", "is_large", "open_stored", "roles_by_labels", "tables_in"]

MEMORY = "700MB"  # memory of DuckDB for one table; what needs more goes to a temporary folder
LARGE = 256_000_000  # bytes of an uploaded file from which it is not loaded

_PARQUET = (".parquet", ".pq")
_TEXT = tuple(f"{ending}{packed}" for ending in (".csv", ".tsv", ".txt") for packed in ("", ".gz", ".zst"))
_FORMATS = "a Parquet or CSV file, a folder of these, or a DuckDB database"
_MOST_FILES = 100_000
_REMOVE = "Remove it, or choose another folder."

# Without these it does not say how far it is; printed, it would go into the log.
_PROGRESS = {"enable_progress_bar": True, "enable_progress_bar_print": False}

# Whatever a file or a view asks for, the engine loads no code, reads no other file, and sees no variables of Python.
_NEVER = "autoinstall_known_extensions autoload_known_extensions allow_community_extensions allow_persistent_secrets"
_SETTINGS: dict[str, Any] = dict.fromkeys([*_NEVER.split(), "python_enable_replacements"], False)
_SETTINGS["allowed_configs"] = list(_PROGRESS)
_CLOSED = {"enable_external_access": False, "lock_configuration": True}


@dataclass(frozen=True, eq=False)
class StoredTable:
    """A table that DuckDB reads where it lies; `frame` is the input of the states of this package.

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
        return run_query(lambda: self.frame.aggregate("count(*)").fetchall())[0][0]

    def texts(self) -> tuple[duckdb.DuckDBPyRelation, str] | None:
        """Return the rows of CSV files as texts, and the delimiter of the first file; None for other tables."""
        if not self.csv:
            return None
        sniff, read = "select delimiter from sniff_csv(?)", cast(Any, self.connection.read_csv)
        found = run_query(lambda: self.connection.execute(sniff, [self.csv[0]]).fetchall())
        return run_query(lambda: read(list(self.csv), all_varchar=True)), found[0][0]

    @property
    def progress(self) -> float:
        """The share of the running query that is done, 0 … 1, to be asked from another thread."""
        return min(max(self.connection.query_progress() / 100, 0.0), 1.0)

    def stop(self) -> None:
        """Stop the running query from another thread; the call that waits for it raises ReadProblem."""
        self.connection.interrupt()


def is_large(name: str, size: int) -> bool:
    """Whether an uploaded file is so large that it should be counted where it is, and can be.

    >>> is_large("log.parquet", 300_000_000), is_large("log.xlsx", 300_000_000), is_large("log.csv", 1000)
    (True, False, False)
    """
    return size >= LARGE and name.lower().endswith((*_PARQUET, *_TEXT))


def is_database(path: Path) -> bool:
    """Whether a path leads to a file named like a DuckDB database."""
    return path.name.endswith((".duckdb", ".ddb", ".db")) and os.path.isfile(path)


def open_stored(path: str | Path, table: str | None = None, folders: Sequence[str | Path] = ()) -> StoredTable:
    """Open a table that is never loaded.

    The path is that of a Parquet or CSV file, a folder of these (also with partitions such as ``day=2024-05-01``), or a
    database, of which `table` is one that `tables_in` names; by default its only one. If `folders` are given, each file
    of a folder must lie in one of these, wherever its links lead. Raises ReadProblem if there is no such table, or it
    cannot be read.
    """
    path = _existing_path(path)
    if is_database(path):
        connection = _database(path)
        ASKING.get()("list of tables")
        chosen = _choose_table(_tables(connection), table, path)
        source = ".".join(map(quoted, chosen))
        frame = run_query(lambda: connection.sql(f"from {source}"))
        is_view = connection.execute("select 1 from duckdb_views() where (schema_name, view_name) = (?, ?)", chosen)
        return StoredTable(frame, connection, f"{path.name}: {chosen[1]}", not is_view.fetchall())
    if table is not None:
        raise ReadProblem(f"{named(path.name)} is not a database and has no tables. Leave out {named(table)}.")
    if not (is_folder := path.is_dir()) and not path.name.endswith((*_PARQUET, *_TEXT)):
        raise ReadProblem(f"{named(path.name)} cannot be read where it lies. Choose {_FORMATS}.")
    files = _files(path, folders) if is_folder else [path]
    is_parquet = files[0].name.endswith(_PARQUET)
    patterns = [glob.escape(str(file)) for file in files]  # Brackets and stars of a name as they are.
    allowed = ", ".join("'" + text.replace("'", "''") + "'" for text in {*map(str, files), *patterns})
    connection = _connection(":memory:")
    run_query(lambda: _configure(connection, {"allowed_paths": f"[{allowed}]", **_CLOSED}))
    ASKING.get()("columns of the table")
    read: Any = connection.read_parquet if is_parquet else connection.read_csv
    frame = run_query(lambda: read(patterns, hive_partitioning=is_folder))
    return StoredTable(frame, connection, path.name, is_parquet, () if is_parquet else tuple(patterns))


def tables_in(path: str | Path) -> tuple[str, ...]:
    """The tables and views of a DuckDB database, of other schemas as "schema.name"; ReadProblem if it is none."""
    with _database(_existing_path(path)) as database:
        return tuple(_tables(database))


@cache
def _spill_folder() -> tempfile.TemporaryDirectory[str]:
    """Folder of this process for data larger than the memory, private to its account."""
    return tempfile.TemporaryDirectory(prefix="evalcore-duckdb-")


def _connection(path: str, **settings: Any) -> duckdb.DuckDBPyConnection:
    import duckdb

    settings = {**_SETTINGS, "memory_limit": MEMORY, "temp_directory": _spill_folder().name, **settings}
    connection = run_query(lambda: duckdb.connect(path, read_only=path != ":memory:", config=settings))
    STOPPABLE.get()(connection.interrupt)
    _configure(connection, _PROGRESS)
    return connection


def _configure(connection: duckdb.DuckDBPyConnection, settings: dict[str, Any]) -> None:
    connection.execute("; ".join(f"set {name} = {value}" for name, value in settings.items()))


def _database(path: Path) -> duckdb.DuckDBPyConnection:
    """Connect to a database, always with the same settings: others are refused while one is open."""
    with run_query(lambda: path.open("rb")) as file:
        head = run_query(lambda: file.read(16))
    if head.startswith(b"SQLite format 3"):  # DuckDB would look for an extension that reads a database of another kind.
        raise ReadProblem(f"{named(path.name)} is a SQLite database. Export its table as CSV, then open the CSV file.")
    if head[8:12] != b"DUCK":
        raise ReadProblem(f"{named(path.name)} is not a DuckDB database, or is damaged. Choose another file.")
    return _connection(str(path), **_CLOSED)


def _existing_path(path: str | Path) -> Path:
    """Resolve the path of a file or folder, so that its name never looks like an address such as ``md:`` or ``s3:``."""
    path = Path(path).absolute()
    if not os.path.exists(path):  # false for a path that is too long, too
        raise ReadProblem(f"There is no file or folder {named(path)}. Check the path.")
    if not os.path.isfile(path) and not os.path.isdir(path):  # to open a pipe would wait until somebody writes into it
        raise ReadProblem(f"{named(path.name)} is a device, a pipe or a socket. Choose {_FORMATS}.")
    return path


def quoted(name: str) -> str:
    """Quote a name for SQL.

    >>> print(quoted('a "score" of risk'))
    "a ""score"" of risk"
    """
    return '"' + name.replace('"', '""') + '"'


_TABLES = """
select table_schema, table_name from information_schema.tables where table_catalog = current_database()
order by table_schema <> 'main', table_schema, table_name
"""


def _tables(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, str]]:
    """The schema and the name of each table by what it is called here."""
    rows = run_query(lambda: connection.execute(_TABLES).fetchall())
    return {table_name(schema, name, "main"): (schema, name) for schema, name in rows}


def table_name(schema: str, name: str, usual: str) -> str:
    """The name of a table, after that of its schema unless this is the usual one."""
    return name if schema == usual else f"{schema}.{name}"


def _choose_table(tables: dict[str, tuple[str, str]], table: str | None, path: Path) -> tuple[str, str]:
    if not tables:
        raise ReadProblem(f"The database {named(path.name)} has no tables. Choose another one.")
    if table is None and len(tables) > 1:
        raise ReadProblem(f"The database {named(path.name)} has {len(tables)} tables. Choose {listed(tables)}.")
    if table is not None and table not in tables:
        raise ReadProblem(f"The database {named(path.name)} has no table {named(table)}. Choose {listed(tables)}.")
    return next(iter(tables.values())) if table is None else tables[table]


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
            sentence = f"The folder {named(folder.name)} has more than {count_text(_MOST_FILES)} Parquet and CSV "
            raise ReadProblem(f"{sentence}files. Choose a folder below it.")
    if not (files := next(filter(None, found.values()), [])):
        raise ReadProblem(f"The folder {named(folder.name)} has no Parquet or CSV files. Choose {_FORMATS}.")
    return sorted(files)


def _part(path: Path, ending: str, folders: Sequence[str | Path]) -> Path:
    """A file of a folder, or the target of a link if only some folders are open."""
    file = _inside(path, folders) if folders and path.is_symlink() else path
    if not os.path.isfile(file):
        raise ReadProblem(f"{named(path.name)} in this folder is a pipe, a device or a broken link. {_REMOVE}")
    if not file.name.endswith(ending):
        sentence = f"{named(path.name)} in this folder leads to {named(file.name)}, not to a {ending} file. {_REMOVE}"
        raise ReadProblem(sentence)
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
    sentence = f"The folder {named(Path(error.filename).name)} cannot be read. Ask for the right to read it, or choose "
    raise ReadProblem(f"{sentence}another folder.") from error


FIRST_ROWS = 20_000  # rows that are read to see what the columns are; a table that has no more is read whole
_MOST_COLUMNS = 5_000


def first_rows(stored: StoredTable, unloaded: Unloaded | None = None) -> DataSet:
    """Build the data set of the first rows, with their roles; of all rows if they are few.

    Columns of lists and records are left out, and of many columns fewer rows are read. Of a larger table a group is
    only offered, as counting by it takes several times as long. Raises ReadProblem if it cannot be read, or has no
    rows.

    >>> import duckdb, tempfile
    >>> from evalcore.engines import open_stored
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rows = "select 'ab'[1 + range % 2] as actual, range % 7 / 10 as score from range(60)"
    ...     _ = duckdb.connect().execute(f"copy ({rows}) to '{folder}/part.parquet'")
    ...     data = first_rows(open_stored(folder))
    >>> len(data), data.roles.to_text()
    (60, 'actual~actual~~score~score~~positive~b')
    """
    frame = lazy(stored.frame)
    plain = [name for name, dtype in run_query(frame.collect_schema).items() if not dtype.is_nested()]
    if len(plain) > _MOST_COLUMNS:
        sentence = f"The table {stored.name} has {count_text(len(plain))} columns, and {count_text(_MOST_COLUMNS)} can "
        raise ReadProblem(f"{sentence}be opened at most. Choose a table with fewer columns.")
    most = min(FIRST_ROWS, 4_000_000 // max(len(plain), 1))  # cells
    ASKING.get()("first rows")
    table = run_query(lambda: frame.select(*plain).head(most + 1).collect().to_arrow()) if plain else None
    if table is None or not len(table):
        raise ReadProblem(f"The table {stored.name} has no rows of labels or numbers. Choose another one.")
    is_whole = len(table) <= most
    written, decimal, delimiter = _with_texts(table.slice(0, most), stored)
    counted = None if is_whole else [field.name for field in table.schema if not types.is_string(field.type)]
    content = content_of(written, list(table.column_names), Lines(1, "row"), [], decimal, delimiter, counted)
    rows_frame, lines, findings = content
    sentence = f"These are the first {count_text(most)} rows of a larger table. Count all rows on the Data page."
    first = () if is_whole else (Finding("warning", sentence, most, code="first rows"),)
    data = DataSet.of(rows_frame, stored.name, lines=lines, read_findings=(*first, *findings))
    if not is_whole and (group := data.roles.get("group")) is not None:
        sentence = f"Column {named(group)} may hold groups. Counting by it takes about three times as long; choose it "
        sentence += "as the group if you want to compare them."
        offer = Finding("info", sentence, len(data), group, code="unused group", role="group")
        findings = (*(one for one in data.findings if one.code != "no group"), offer)
        data = replace(data, roles=replace(data.roles, group=None), findings=findings)
    # without reading them the number of rows is known of Parquet files and databases
    rows = len(table) if is_whole else len(stored) if getattr(stored, "keeps_its_length", False) else 0
    return replace(data, unloaded=replace(unloaded or Unloaded("", stored.name), rows=rows))


def _with_texts(table: pa.Table, stored: StoredTable) -> tuple[pa.Table, str | None, str]:
    """First rows with texts where thousands marks are possible, the decimal mark if known, and the delimiter."""
    fractions = [field.name for field in table.schema if types.is_floating(field.type)]
    doubtful = [name for name in fractions if may_be_thousands(table[name])]
    texts = getattr(stored, "texts", lambda: None)() if doubtful else None
    if texts is None or not {*doubtful} <= {*texts[0].columns}:
        return table, None, ""
    columns = run_query(lambda: texts[0].limit(len(table)).project(", ".join(map(quoted, doubtful))).to_arrow_table())
    for name in doubtful:
        column = columns[name].to_pandas()
        read = with_mark_as(column, "decimals") if either_mark(column) is not None else None
        if read is not None and read.equals(table[name].to_pandas()):
            table = table.set_column(table.column_names.index(name), name, columns[name])
    return table, "." if any(types.is_floating(table[name].type) for name in fractions) else None, texts[1]


def roles_by_labels(data: DataSet, labels: Mapping[str, int]) -> Roles:
    """Give the roles of the first rows the positive label that is most likely of all rows, from `labels_in`.

    >>> import pandas as pd
    >>> rows = DataSet.of(pd.DataFrame({"actual": [0, 0, 0], "score": [0.1, 0.2, 0.3]}))
    >>> rows = replace(rows, unloaded=Unloaded("", "log"))
    >>> roles_by_labels(rows, {"0": 5, "1": 2}).get("positive")
    1
    """
    positive, _ = positive_value(cast(dict[Value, int], {**labels}))
    return data.with_roles(replace(data.roles, positive=positive).to_text()).roles


Made = TypeVar("Made")

# Each may take the memory of an engine. What has little time does not wait for counts of an hour.
_WORKERS, _QUICK_WORKERS = ThreadPoolExecutor(2, "counting"), ThreadPoolExecutor(2, "opening")
_STOPPED = "Counting was stopped. Start it again to count all rows.", "Opening was stopped. Open it again to go on."
_LATE = "This took more than {} s and was stopped. Choose a smaller file or folder, or save the view as a table first."


class Counting(Generic[Made]):
    """A task in the background on tables that are not loaded, mostly the building of a data set.

    `reach` opens the table, which may raise ReadProblem, and `count` makes the result of it, in at most `patience`
    seconds. `wanted_by` are the visits that wait for it, `wanted` when somebody was last seen to.

    >>> import pyarrow as pa
    >>> from evalcore.engines import summary_dataset
    >>> from evalcore.readers import roles_of
    >>> roles = roles_of(actual="y", predicted=("p",))
    >>> table = pa.table({"y": [1, 0, 1], "p": [1, 0, 0]})
    >>> counting = Counting(lambda: table, lambda table: summary_dataset(table, roles))
    >>> len(counting.result(timeout=60)), counting.is_done, counting.status.partition(",")[0]
    (3, True, 'Waiting for the table of counts by label')
    """

    def __init__(self, reach: Callable[[], Any], count: Callable[[Any], Made], patience: float = math.inf) -> None:
        self._stored: Any = None
        self._stops: list[Callable[[], None]] = []
        self._why_stopped = ""
        self._patience, self._end = patience, math.inf
        self.wanted_by: set[str] = set()
        self._begun = self.wanted = monotonic()
        self._asking = "other tables to be counted"
        self._made = (_QUICK_WORKERS if self.is_quick else _WORKERS).submit(self._make, reach, count)
        if self.is_quick:
            Thread(target=self._watch, daemon=True).start()

    @property
    def is_quick(self) -> bool:
        """Whether the task has a short time limit."""
        return self._patience < math.inf

    def _make(self, reach: Callable[[], Any], count: Callable[[Any], Made]) -> Made:
        self._end = monotonic() + self._patience
        hears, stops = ASKING.set(self._hear), STOPPABLE.set(self._stops.append)
        try:
            self._hear("connection")
            self._stored = reach()
            self._go_on()
            made = count(self._stored)
            self._go_on()
            return made
        finally:
            self._stored, self._stops = None, []  # a database that nobody asks any more is closed
            ASKING.reset(hears)
            STOPPABLE.reset(stops)

    def _hear(self, asking: str) -> None:
        self._go_on()
        self._asking = f"the {asking}"

    def _go_on(self) -> None:
        if self._why_stopped:
            raise ReadProblem(self._why_stopped)

    @property
    def progress(self) -> float | None:
        """The share of the running query that is done, 0 … 1; None before the engine has begun or if it cannot say."""
        return getattr(self._stored, "progress", None)

    @property
    def status(self) -> str:
        """Return the current question to the engine, and the seconds since the start."""
        return f"Waiting for {self._asking}, {count_text(int(monotonic() - self._begun))} s"

    @property
    def is_done(self) -> bool:
        """Whether there is a result, or the task was stopped."""
        return self._made.done() or bool(self._why_stopped)

    def stop(self) -> None:
        """Stop the running query and those after it; the result is then a ReadProblem."""
        if not self.is_done:
            self._why_stopped = _STOPPED[self.is_quick]
            if not self._made.cancel() and not self.is_quick:
                Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        # A query that goes on is stopped again: one may have begun just after the first time.
        while wait([self._made], 0.2).not_done:
            if monotonic() > self._end and not self._why_stopped:
                self._why_stopped = _LATE.format(count_text(round(self._patience)))
            if self._why_stopped:
                for stop in [*self._stops, getattr(self._stored, "stop", lambda: None)]:
                    with suppress(Exception):  # a connection that is closed meanwhile has nothing to stop
                        stop()

    def wait(self, seconds: float) -> None:
        """Wait up to some time for a task that may finish at once."""
        wait([self._made], seconds)

    def result(self, timeout: float | None = None) -> Made:
        """The result, after up to `timeout` seconds. ReadProblem if it was stopped, or could not be counted."""
        self._go_on()
        return self._made.result(timeout)


COUNTINGS: dict[str, Counting[Any]] = {}
"""The tasks that run, or whose results nobody has fetched, by a key that tells them apart."""


def end_unwanted(is_here: Callable[[str], bool]) -> None:
    """Stop tasks of visits that are not here (see `Counting.wanted_by`) any more, and drop results not fetched."""
    for key, counting in list(COUNTINGS.items()):
        if any(map(is_here, counting.wanted_by)):
            counting.wanted = monotonic()
        elif monotonic() - counting.wanted > (5 if counting.is_quick else 120):
            counting.stop()
            COUNTINGS.pop(key, None)
