"""Files, folders and databases that are read where they lie."""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest

from evalcore.engines import LabelCounts, ScoreCounts, open_stored, tables_in
from evalcore.engines.frames import sentence_of
from evalcore.readers import ReadProblem
from tests.words import facts

ROWS = "select range % 3 = 0 as ill, range % 10 / 10.0 as score, range % 2 as day from range(1000)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One table in every form, in a folder whose name has the characters of patterns."""
    folder = tmp_path_factory.mktemp("logs [1] *")
    with duckdb.connect() as connection:
        for target in ("one.parquet", "one.csv", "one.csv.gz"):
            connection.execute(f"copy ({ROWS}) to '{folder / target}'")
        connection.execute(f"copy ({ROWS}) to '{folder / 'days'}' (format parquet, partition_by (day))")
    with duckdb.connect(str(folder / "log.duckdb")) as database:
        database.execute(f'create table "the ""log""" as {ROWS}; create schema other; create table other.log as {ROWS}')
        database.execute(f"create view spy as from read_csv('{folder / 'one.csv'}')")
    return folder


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("one.parquet", None),
        ("one.csv", None),
        ("one.csv.gz", None),
        ("days", None),
        ("log.duckdb", 'the "log"'),
        ("log.duckdb", "other.log"),
    ],
)
def test_a_table_gives_its_states(folder: Path, name: str, table: str | None) -> None:
    stored = open_stored(folder / name, table)
    assert (set(stored.columns), len(stored)) == ({"ill", "score", "day"}, 1000)
    assert stored.keeps_its_length == (".csv" not in name)
    counts = ScoreCounts.of(stored.frame, "ill", "score", True, group="day")
    assert (counts.scored().positives, counts.is_exact, counts.groups) == (334.0, True, ("0", "1"))


def test_a_database_lists_its_tables_and_its_views_read_no_files(folder: Path) -> None:
    assert tables_in(folder / "log.duckdb") == ("spy", 'the "log"', "other.log")
    with pytest.raises(ReadProblem, match="outside its database"):
        LabelCounts.of(open_stored(folder / "log.duckdb", "spy").frame, "ill", "day")


@pytest.mark.parametrize(
    ("name", "table", "sentence"),
    [
        ("absent.parquet", None, "no file or folder"),
        ("log.duckdb", None, "has 3 tables. Choose"),
        ("log.duckdb", "absent", 'has no table "absent"'),
        ("one.csv", "absent", "is not a database"),
        ("", None, "cannot be read"),
        ("nothing", None, "Parquet or CSV"),
        ("wrong.parquet", None, 'file "wrong.parquet" is damaged'),
        ("wrong.duckdb", None, "not a DuckDB database"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, folder: Path, name: str, table: str | None, sentence: str) -> None:
    (tmp_path / "nothing").mkdir()
    for wrong in ("wrong.parquet", "wrong.duckdb", "table.xlsx"):
        (tmp_path / wrong).write_bytes(b"not a table" * 100)
    path = tmp_path / (name or "table.xlsx")
    with pytest.raises(ReadProblem, match=sentence):
        open_stored(path if path.exists() else folder / name, table)


NAMES = ("md:log", "motherduck:log", "sqlite:log", "postgres:log", "mysql:log", "ducklake:log", "file:log", "s3:log")


@pytest.mark.parametrize("name", NAMES)
def test_no_name_reaches_the_loader_of_extensions(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    duckdb.connect("plain").execute("create table log as select 1 as y").close()
    duckdb.connect().execute("copy (select 1 as y) to 'plain.parquet'")
    Path("plain").rename(f"{name}.duckdb")
    Path("plain.parquet").rename(f"{name}.parquet")
    assert tables_in(f"{name}.duckdb") == ("log",)  # a file of this name is a file
    assert len(open_stored(f"{name}.duckdb")) == len(open_stored(f"{name}.parquet")) == 1
    for absent in (name, f"{name}.db", f"{name.replace(':log', '://localhost:1/log')}.duckdb", f"{name}/x.csv"):
        with pytest.raises(ReadProblem, match="no file or folder"):
            open_stored(absent)
        with pytest.raises(ReadProblem, match="no file or folder"):
            tables_in(absent)


def test_a_database_of_another_kind_is_refused_before_an_extension_is_looked_for(tmp_path: Path) -> None:
    with contextlib.closing(sqlite3.connect(tmp_path / "log.db")) as database:
        database.execute("create table log (y)")
    for ask in (open_stored, tables_in):
        with pytest.raises(ReadProblem, match=r'"log\.db".*SQLite'):
            ask(tmp_path / "log.db")


ASKED = (
    "install httpfs", "load httpfs", "load sqlite", "attach 'md:log'", "attach 'sqlite:log.db'", "attach '{beside}'",
    "from 'http://localhost:1/x.csv'", "from read_csv('s3://x/y.csv')", "from glob('/etc/*')", "from '{beside}'",
    "from read_text('/etc/hosts')", "copy (select 1) to '{beside}'", "from outside", "set memory_limit = '90GB'",
    "set enable_external_access = true", "set allowed_directories = ['/']", "reset autoload_known_extensions",
)  # fmt: skip


@pytest.mark.parametrize("name", ["one.parquet", "one.csv", "days", "log.duckdb"])
def test_the_engine_of_a_table_reads_nothing_else_and_its_settings_are_locked(folder: Path, name: str) -> None:
    outside = open_stored(folder / "one.csv").frame.df()  # a variable that DuckDB finds by its name otherwise
    assert len(outside) == 1000
    stored = open_stored(folder / name, 'the "log"' if name == "log.duckdb" else None)
    beside = folder / "one.csv.gz"
    for query in ASKED:
        with pytest.raises(duckdb.Error, match=r"disabled|locked|cannot be|Cannot|not exist|Can not"):
            stored.connection.execute(query.format(beside=beside))
    assert len(stored) == 1000
    [(spill,)] = stored.connection.execute("select current_setting('temp_directory')").fetchall()
    assert stat.S_IMODE(os.stat(spill).st_mode) == 0o700  # what does not fit into the memory


def test_a_table_that_changes_meanwhile_is_said(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"copy ({ROWS}) to '{path}'")
        stored = open_stored(path)
        connection.execute(f"copy (select 1 as other) to '{path}'")
    with pytest.raises(ReadProblem, match="the chosen columns"):
        LabelCounts.of(stored.frame, "ill", "day")
    path.unlink()
    with pytest.raises(ReadProblem, match=r'"log\.parquet"'):
        LabelCounts.of(stored.frame, "ill", "day")


def _csv(folder: Path) -> Path:
    rows = [f"{place % 2},0.5" for place in range(30_000)]
    (folder / "log.csv").write_text("\n".join(["y,s", *rows[:-1], "1,half"]))
    return folder / "log.csv"


def _cut(folder: Path) -> Path:
    (folder / "log.parquet").write_bytes((folder / "a.parquet").read_bytes()[:200])
    return folder / "log.parquet"


def _mixed(folder: Path) -> Path:
    for name, rows in {"a": "1 as y, 0.5 as s", "b": "1 as y, 'half' as s"}.items():
        duckdb.connect().execute(f"copy (select {rows}) to '{folder / name}.parquet'")
    return folder


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (_csv, '"half" in column "s"'),
        (_mixed, 'file "b.parquet" holds another'),
        (lambda folder: _cut(_mixed(folder)), 'The file "log.parquet" is damaged'),
    ],
)
def test_a_file_that_cannot_be_read_to_its_end_is_said(make: Callable, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(ReadProblem) as problem:
        LabelCounts.of(open_stored(make(tmp_path)).frame, "y", "s")
    assert sentence in str(problem.value)
    assert str(tmp_path) not in str(problem.value)


def test_a_database_is_listed_while_a_table_of_it_is_open_and_not_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "log.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("create table log as select 1 as y")
    stored = open_stored(path)
    assert tables_in(path) == ("log",)
    stored.connection.close()
    message = f'IO Error: Could not set lock on file "{path}": Conflicting lock is held'
    assert facts(sentence_of(message)) == "log.duckdb"


def test_a_query_can_be_stopped(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "log.duckdb")) as database:
        database.execute("create view endless as select range % 2 as a, range % 3 as b from range(1_000_000_000_000)")
    stored = open_stored(tmp_path / "log.duckdb")
    assert not stored.keeps_its_length  # of a view all rows would be read
    with ThreadPoolExecutor(1) as other:
        counts = other.submit(LabelCounts.of, stored.frame, "a", "b")
        while not counts.done():
            assert 0 <= stored.progress <= 1
            stored.stop()
        with pytest.raises(ReadProblem, match="The query was stopped"):
            counts.result()
