"""Tables that are not loaded, as data sets: where they lie is kept, and Python reads them again."""

import contextlib
import math
import os
import socket
import weakref
from collections.abc import Iterator
from concurrent.futures import wait
from itertools import repeat
from pathlib import Path
from threading import Event
from time import monotonic
from types import SimpleNamespace

import duckdb
import pyarrow as pa
import pytest

from evalcore.analyses import NotProbabilities, ProbabilitySource, Source, offer_word
from evalcore.engines import (
    Counting,
    DuckDBTables,
    ScoreCounts,
    StoredTable,
    end_unwanted,
    first_rows,
    labels_in,
    open_stored,
    reopened,
    roles_by_labels,
    summary_dataset,
    tables_in,
)
from evalcore.engines import stored as counting
from evalcore.readers import ReadProblem, Unloaded, Workspace, allowed_path, reassigned
from tests.words import sentence_with

ROWS = "range % 3 = 0 as ill, range % 1000 / 1000 as score, [range] as more from range(30_000)"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "log.parquet"
    duckdb.connect().execute(f"copy (select {ROWS}) to '{path}'")
    return path


def test_first_rows_and_counts_are_stored_and_read_again_by_python(log: Path, tmp_path: Path) -> None:
    stored, unloaded = open_stored(log), Unloaded("path", str(log))
    first = first_rows(stored, unloaded)
    assert (len(first), list(first.frame.columns), first.findings[0].code) == (20_000, ["ill", "score"], "first rows")
    counted = summary_dataset(stored.frame, first.roles, "score", stored.name, first.unloaded)
    assert counted.unloaded == Unloaded("path", str(log), None, 30_000, first.roles.to_text(), "score")
    workspace = Workspace(tmp_path, 10**9)
    for data in (first, counted):
        again = workspace.load(workspace.save(data))
        assert again.unloaded == data.unloaded
        names: dict = {}
        exec(Source.of(again).code, names)  # noqa: S102
        assert names["data"].digest == data.digest
    source = Source.of(counted)
    assert source.class_names("score") == ("True", "False")
    assert "weighted" not in source.facts + source.rows_note


def test_python_counts_by_a_label_that_the_first_rows_lack(tmp_path: Path) -> None:
    path = tmp_path / "sorted.parquet"
    duckdb.connect().execute(
        f"copy (select range >= 25_000 as ill, range % 7 / 5 as p_ill from range(30_000)) to '{path}'"
    )
    first = first_rows(stored := open_stored(path), Unloaded("path", str(path)))
    labels = labels_in(stored.frame, "ill")
    assert (labels, first.labels, first.is_whole) == ({"False": 25_000, "True": 5_000}, [False], False)
    roles = roles_by_labels(first, labels)
    assert roles.get("positive") is True
    data = summary_dataset(stored.frame, roles, "p_ill", stored.name, first.unloaded)
    assert [(one.code, one.count) for one in data.findings] == [("not in 0 … 1", 4285), ("counted rows", 30_000)]
    with pytest.raises(NotProbabilities, match=r"1\.2; 4\u202f285 rows"):
        ProbabilitySource.of(Source.of(data))
    names: dict = {}
    exec(Source.of(data).code, names)  # noqa: S102
    assert names["data"].digest == data.digest
    # The chosen label survives other choices and a link, as the first rows may lack any.
    again = first.with_roles(roles.to_text())
    assert reassigned(again.roles, "group", "p_ill", again.frame).get("positive") is True
    assert Source.of(again).positives == 0


def test_a_group_is_counted_only_where_it_is_chosen(tmp_path: Path) -> None:
    columns = "range % 2 as actual, range % 7 / 7 as score, 'g' || range % 3 as site"
    for rows, group in ((10, "site"), (30_000, None)):
        path = tmp_path / f"{rows}.parquet"
        duckdb.connect().execute(f"copy (select {columns} from range({rows})) to '{path}'")
        first = first_rows(open_stored(path))
        assert first.roles.get("group") == group
    offer = next(one for one in first.findings if one.code == "unused group")
    assert (offer.column, offer.role, offer_word(offer)) == ("site", "group", "Count by site")
    workspace = Workspace(tmp_path / "stored", 10**9)
    assert offer in workspace.load(workspace.save(first)).findings


def test_a_column_of_identifiers_is_no_column_of_labels() -> None:
    table = pa.table({"id": [*range(10_000)], "score": [0.5] * 10_000})
    for ask in (lambda: labels_in(table, "id"), lambda: ScoreCounts.of(table, "id", "score", "7")):
        with pytest.raises(ReadProblem, match=r"1\u202f000 different labels"):
            ask()


def test_small_tables_are_read_whole(tmp_path: Path) -> None:
    duckdb.connect().execute(f"copy (select 'a' as actual, 'b' as predicted from range(5)) to '{tmp_path / 'few.csv'}'")
    data = first_rows(open_stored(tmp_path / "few.csv"), Unloaded("path", ""))
    assert data.unloaded.rows == len(data) == 5
    assert not [one for one in data.findings if one.code == "first rows"]


def _marked(folder: Path, rows: int, form: str, mark: str = ".") -> Path:
    """A CSV file of numbers such as 1.013, every third below 1000 as `form` says."""
    cells = [[f"1.{i % 900 + 100}" if (i + j) % 3 else form.format(i % 900 + 90) for j in (0, 1)] for i in range(rows)]
    path = folder / f"{rows}.csv"
    path.write_text("".join(f"{a};{b}\n" for a, b in [("actual", "predicted"), *cells]).replace(".", mark))
    return path


@pytest.mark.parametrize("mark", [".", ","])
def test_marks_that_may_separate_thousands_are_asked_about_in_small_tables(tmp_path: Path, mark: str) -> None:
    for source in (_marked(tmp_path, 60, "{}", mark), tmp_path):
        data = first_rows(open_stored(source))
        (finding,) = [one for one in data.findings if one.code == "marks"]
        assert sentence_with(finding.sentence, "actual", "predicted", f"1{mark}101", "2")
        thousands, decimals = (data.shaped(steps).frame["actual"].tolist()[:3] for steps in finding.answers)
        assert (thousands, decimals) == ([90, 1101, 1102], [90, 1.101, 1.102])
    assert data.frame["actual"].dtype.kind == "i"


@pytest.mark.parametrize(("mark", "sentence"), [(".", "are counted with 1.101"), (",", "Write 1101 or 1.101")])
def test_marks_that_may_separate_thousands_are_told_as_large_tables_count(
    tmp_path: Path, mark: str, sentence: str
) -> None:
    data = first_rows(open_stored(_marked(tmp_path, 20_001, "{}", mark)))
    (finding,) = [one for one in data.findings if one.code == "marks"]
    assert (finding.level, finding.answers) == ("warning", ())
    assert sentence_with(finding.sentence, sentence)
    assert data.frame["actual"].tolist()[:3] == [90, 1.101, 1.102]


@pytest.mark.parametrize("form", ["0.{:03}", "{}.5", "1.{}0"])
def test_other_decimals_rule_thousands_out_where_a_table_lies(tmp_path: Path, form: str) -> None:
    data = first_rows(open_stored(_marked(tmp_path, 60, form)))
    assert not [one for one in data.findings if one.code == "marks"]
    assert data.frame["actual"][1] == 1.101


def test_decimals_of_commas_files_that_are_rounded_are_not_asked_about_where_they_lie(tmp_path: Path) -> None:
    for rows, levels in ((60, ["info"]), (20_001, [])):
        (path := tmp_path / "x.csv").write_text("actual,predicted\n" + "1.250,2.013\n" * rows)
        assert [one.level for one in first_rows(open_stored(path)).findings if one.code == "marks"] == levels


def test_only_allowed_folders_are_opened_wherever_links_lead(log: Path, tmp_path: Path) -> None:
    (tmp_path / "link.parquet").symlink_to(log)
    assert allowed_path(str(tmp_path / "link.parquet"), [log.parent]) == log
    for text, folders in ((tmp_path / "link.parquet", [tmp_path]), (f"{log.parent}/../x", [log.parent]), ("\0", ["/"])):
        with pytest.raises(ReadProblem):
            allowed_path(str(text), folders)
    for text in ("~nouser/x.csv", "/half \ud800.csv"):
        with pytest.raises(ReadProblem, match="cannot be followed"):
            allowed_path(text, ["/"])
    for way in ("path", "upload"):
        with pytest.raises(ReadProblem):
            reopened(Unloaded(way, str(log)), [])


def _secret(folder: Path) -> Path:
    """A file of the server's user outside of the folder that is open."""
    secret = folder / "secret"
    secret.write_text("y,s\n1,0.5\n")
    secret.chmod(0o600)
    secret.with_suffix(".csv").write_text(secret.read_text())
    (folder / "open" / "day=1").mkdir(parents=True)
    (folder / "open" / "day=1" / "part.csv").write_text(secret.read_text())
    return folder / "open"


def test_the_ending_that_counts_is_that_of_the_file_a_link_leads_to(tmp_path: Path) -> None:
    folder = _secret(tmp_path)
    (link := folder / "x.csv").symlink_to(tmp_path / "secret")
    with pytest.raises(ReadProblem, match='"secret" cannot be read'):
        reopened(Unloaded("path", str(link)), ["/"])
    with pytest.raises(ReadProblem, match=r'"x\.csv".*"secret"'):
        reopened(Unloaded("path", str(folder)), ["/"])


@pytest.mark.parametrize(
    ("link", "target"), [("x.csv", "secret"), ("x.csv", "secret.csv"), ("day=2", "."), ("day=1/x.csv", "secret.csv")]
)
def test_no_link_in_a_folder_leads_out_of_those_that_are_open(link: str, target: str, tmp_path: Path) -> None:
    folder = _secret(tmp_path)
    (folder / link).symlink_to(tmp_path / target)
    with pytest.raises(ReadProblem, match=f'"{Path(link).name}".*leads out'):
        reopened(Unloaded("path", str(folder)), [folder])


def test_links_inside_the_open_folders_are_followed_once(tmp_path: Path) -> None:
    folder = _secret(tmp_path)
    (folder / "again").symlink_to(folder)
    (tmp_path / "store" / "day=2").mkdir(parents=True)
    (tmp_path / "store" / "day=2" / "part.csv").write_text("y,s\n0,0.1\n")
    (folder / "day=2").symlink_to(tmp_path / "store" / "day=2")
    (folder / "day=1" / "loop").symlink_to(folder / "day=1" / "loop")
    stored = reopened(Unloaded("path", str(folder)), [folder, tmp_path / "store"])
    assert sorted(stored.frame.project("day, y").fetchall()) == [(1, 1), (2, 0)]
    (folder / "day=1" / "loop.csv").symlink_to(folder / "day=1" / "loop")
    with pytest.raises(ReadProblem, match=r'"loop\.csv"'):
        reopened(Unloaded("path", str(folder)), [folder, tmp_path / "store"])


def test_a_folder_that_cannot_be_read_is_said_and_not_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: str) -> Iterator[os.DirEntry[str]]:
        if path.endswith("day=1"):
            raise PermissionError(13, "Permission denied", path)
        return listing(path)

    folder, listing = _secret(tmp_path), os.scandir
    (folder / "part.csv").write_text("y,s\n1,0.5\n")
    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(ReadProblem, match=r'"day=1" cannot be read\. Ask for the right to read it'):
        open_stored(folder)


@pytest.mark.parametrize("name", ["pipe.csv", "pipe.parquet", "pipe.duckdb", "socket.csv", "/dev/null", "/dev/zero"])
def test_pipes_devices_and_sockets_are_refused_and_never_waited_for(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name.startswith("pipe"):
        os.mkfifo(path)
    elif name.startswith("socket"):
        with socket.socket(socket.AF_UNIX) as server, contextlib.chdir(tmp_path):
            server.bind(name)
    for ask in (lambda: reopened(Unloaded("path", str(path)), ["/"]), lambda: tables_in(path)):
        with pytest.raises(ReadProblem, match=f'"{path.name}".*socket'):
            ask()
    if path.parent == tmp_path and path.suffix != ".duckdb":
        with pytest.raises(ReadProblem, match=f'"{name}".*broken link'):
            open_stored(tmp_path)


@pytest.mark.parametrize("ending", ["", ".csv", ".duckdb"])
def test_a_path_that_is_too_long_leads_nowhere(ending: str) -> None:
    path = f"/{'x' * 5_000}{ending}"
    with pytest.raises(ReadProblem, match="no file or folder"):
        open_stored(allowed_path(path, ["/"]))
    with pytest.raises(ReadProblem):
        tables_in(path)
    with pytest.raises(ReadProblem, match="leads to no file"):
        DuckDBTables(path, "lab").names()


def test_a_stopped_count_says_so_and_one_that_fails_says_why(log: Path) -> None:
    stopped = Counting(lambda: open_stored(log), lambda table: (stopped.stop(), first_rows(table))[1])
    with pytest.raises(ReadProblem, match="stopped"):
        stopped.result(timeout=30)
    failed = Counting(lambda: open_stored("absent"), first_rows)
    with pytest.raises(ReadProblem, match="no file or folder"):
        failed.result(timeout=30)
    assert failed.progress is None


def test_who_waits_hears_what_is_asked_and_a_stop_between_two_queries_holds(log: Path) -> None:
    ready, asked = Event(), []

    def count(table: StoredTable) -> None:
        ready.wait(30)
        labels_in(table.frame, "ill")
        asked.append(counting.status.partition(",")[0])
        counting.stop()
        labels_in(table.frame, "ill")
        asked.append("once more")

    counting = Counting(lambda: open_stored(log), count)
    ready.set()
    assert isinstance(counting._made.exception(30), ReadProblem)
    assert asked == ["Waiting for the list of labels"]


ENDLESS = {
    "rows in order": "select range % 2 as actual, range as score from range(1_000_000_000_000_000_000) order by 2 desc",
    "counts": "select range % 2 as actual, count(*) as score from range(1_000_000_000_000_000_000) group by 1",
    "no rows": "select range % 2 as actual, range as score from range(1_000_000_000_000_000_000) where range < 0",
}


@pytest.mark.parametrize("view", ENDLESS.values(), ids=ENDLESS)
def test_what_takes_longer_than_it_may_is_stopped_and_leaves_its_thread(view: str, tmp_path: Path) -> None:
    with duckdb.connect(str(path := tmp_path / "log.duckdb")) as database:
        database.execute(f"create view endless as {view}")
    counting = Counting(lambda: open_stored(path), first_rows, patience=0.2)
    assert isinstance(counting._made.exception(30), ReadProblem)
    with pytest.raises(ReadProblem, match="more than 0 s"):
        counting.result()


@pytest.mark.parametrize("ends", ["by itself", "by the visitor"])
def test_a_folder_without_end_is_listed_until_it_is_stopped(
    ends: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "walk", lambda *_, **__: repeat((str(tmp_path), [], [])))
    counting = Counting(lambda: open_stored(tmp_path), first_rows, 0.2 if ends == "by itself" else 60)
    if ends == "by the visitor":
        counting.stop()
        with pytest.raises(ReadProblem, match="Opening was stopped"):
            counting.result()
    wait([counting._made], 30)
    assert counting._made.done()


def test_a_count_that_has_ended_lets_go_of_its_table(log: Path) -> None:
    opened = []

    def reach() -> StoredTable:
        opened.append(weakref.ref(stored := open_stored(log)))
        return stored

    ended = Counting(reach, len)
    assert ended.result(30) == 30_000
    assert opened[0]() is None
    assert ended.progress is None


def test_opening_a_table_does_not_wait_for_long_counts(log: Path) -> None:
    ready = Event()
    counts = [Counting(lambda: ready.wait(30), lambda table: table) for _ in range(4)]
    try:
        assert len(Counting(lambda: open_stored(log), first_rows, patience=60).result(30)) == 20_000
        assert not any(counting.is_done for counting in counts)
    finally:
        ready.set()
    assert [counting.result(30) for counting in counts] == [True] * 4


def test_what_nobody_waits_for_any_more_is_stopped_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    ready, here, now = Event(), {"stays", "comes back"}, monotonic()
    monkeypatch.setattr(counting, "COUNTINGS", countings := {})
    for name, patience in {"stays": 60, "left": 60, "left a count": math.inf, "comes back": 60}.items():
        countings[name] = Counting(lambda: ready.wait(30), lambda table: table, patience)
        countings[name].wanted_by.add(name)
    started = dict(countings)
    try:
        for seconds, left in ((4, [*started]), (6, ["stays", "left a count", "comes back"]), (119, ["left a count"])):
            if seconds == 119:
                here.clear()
            monkeypatch.setattr(counting, "monotonic", lambda seconds=seconds: now + seconds + 1)
            end_unwanted(here.__contains__)
            assert [*countings] == left
        monkeypatch.setattr(counting, "monotonic", lambda: now + 130)
        end_unwanted(here.__contains__)
        assert not countings
        assert all(one.is_done for one in started.values())
    finally:
        ready.set()


def test_of_many_columns_fewer_rows_are_read_and_of_too_many_none(tmp_path: Path) -> None:
    for columns, rows in ((200, 20_000), (400, 10_000)):
        wide = ", ".join(f"range as c{place}" for place in range(columns))
        with duckdb.connect(str(path := tmp_path / f"{columns}.duckdb")) as database:
            database.execute(f"create view wide as select {wide} from range(1_000_000_000_000_000_000)")
        first = first_rows(open_stored(path))
        assert (len(first), first.findings[0].code, first.findings[0].count) == (rows, "first rows", rows)
    with pytest.raises(ReadProblem, match=r"5\u202f001 columns.* 5\u202f000"):
        first_rows(SimpleNamespace(frame=pa.table({f"c{place}": [1] for place in range(5_001)}), name="wide"))


@pytest.mark.parametrize(("ends", "read"), [(None, {}), ("end", {"score": "end"}), ({"a": "b"}, {"a": "b"})])
def test_data_sets_that_were_stored_before_several_systems_are_read(ends: object, read: dict[str, str]) -> None:
    assert Unloaded("path", "/log", system="score", ends=ends).ends == read
