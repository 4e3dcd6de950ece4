"""Tables that are not loaded: opened by a path, counted in the background, then a data set like any other."""

import os
from html import unescape
from pathlib import Path

import duckdb
import pytest
from streamlit.testing.v1 import AppTest

from evalcore.analyses import Source
from evalcore.engines import COUNTINGS, stored
from evalcore.engines import scores as score_keys
from evalcore.readers import ReadProblem
from pages.widgets.session import unloaded_tables
from pages.widgets.session.visitor import workspace

ROOT = Path(__file__).parents[3]
SCORES = "range % 1000 / 1000 as score, range % 77 / 77 as score_b"
ROWS = f"if(range % 3 = 0, 'ill', 'well') as actual, {SCORES} from range(30_000)"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.parquet"
    duckdb.connect().execute(f"copy (select {ROWS}) to '{path}'")
    return path


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """These visitors have opened the address that the server printed; `test_visitor.py` has those who have not."""
    monkeypatch.setattr(unloaded_tables, "has_key", lambda: True)


def machine(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    test.query_params.update({"open_by": "On this machine", **parameters})
    return test.switch_page("pages/start/data.py").run()


def press(test: AppTest, key: str) -> AppTest:
    wait(test.button(key=key).click().run())
    return test


def wait(test: AppTest) -> None:
    """Until what was begun, and what follows from it, is read or counted and shown."""
    while COUNTINGS:
        for counting in list(COUNTINGS.values()):
            counting._made.exception(timeout=30)
        test.run()


@pytest.mark.parametrize("path", ["/" + "x" * 5_000, "~nouser/x.csv", f"/{'x' * 300}.db"])
def test_a_path_that_leads_nowhere_gets_a_sentence(path: str) -> None:
    test = machine()
    test.text_input(key="path to open").set_value(path).run()
    if any(button.key == "open path" for button in test.button):
        press(test, "open path")
    assert not test.exception
    assert len(test.error) == 1


def test_a_path_is_opened_and_all_its_rows_are_counted(log: Path) -> None:
    test = machine()
    press(test.text_input(key="path to open").set_value(str(log)).run(), "open path")
    assert "20\u202f000 rows" in " ".join(caption.value for caption in test.caption)
    assert any("first 20\u202f000 of 30\u202f000 rows" in each.value for each in test.markdown)
    press(test, "count all")
    assert not test.exception
    assert not test.error
    assert "30\u202f000 rows, 10\u202f000 ill" in " ".join(caption.value for caption in test.caption)
    compared = test.switch_page("pages/classify/compare.py").run()
    assert not compared.exception
    assert any("On 30\u202f000 rows" in each.value for each in compared.caption)
    reloaded = machine(data=test.query_params["data"])
    assert any("30\u202f000 rows, counted" in each.value for each in reloaded.markdown)
    press(reloaded, "other columns")
    assert reloaded.button(key="count all")


def test_a_mark_that_may_separate_thousands_is_told_before_and_after_rows_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text("actual;predicted\n" + "992;1.013\n1.250;875\n" * 10_001)
    test = machine()
    press(test.text_input(key="path to open").set_value(str(path)).run(), "open path")

    def is_told(shown: AppTest) -> bool:
        return any("are counted with 1.25" in unescape(each.value) for each in shown.markdown)

    assert is_told(test)
    press(test, "count all")
    wait(test)
    assert not test.exception
    assert any("20\u202f002 rows, counted" in each.value for each in test.markdown)
    assert is_told(test)
    assert is_told(machine(data=test.query_params["data"]))


def test_labels_that_come_after_the_first_rows_can_be_chosen(tmp_path: Path) -> None:
    rows = "if(range < 25_000, 'well', 'ill') as actual, 2 * random() as probability from range(30_000)"
    duckdb.connect().execute(f"copy (select {rows}) to '{tmp_path / 'sorted.parquet'}'")
    test = machine()
    press(test.text_input(key="path to open").set_value(str(tmp_path / "sorted.parquet")).run(), "open path")
    positive = next(each for each in test.get("button_group") if each.key == "roles positive")
    assert (positive.options, positive.value) == (["well", "ill"], "ill")
    assert "positive~ill" in test.query_params["roles"]
    press(test, "count all")
    assert not test.exception
    assert not test.error
    assert "30\u202f000 rows, 5\u202f000 ill" in " ".join(caption.value for caption in test.caption)
    assert any("lie outside 0 … 1" in each.value for each in test.markdown)


@pytest.mark.parametrize("page", ["confusion", "threshold"])
def test_a_bin_is_counted_exactly_beside_the_page(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_keys, "_FEW_SCORES", 0)
    rows = "if(range % 3 = 0, 'ill', 'well') as actual, hash(range) / 2.0 ** 64 as score from range(30_000)"
    duckdb.connect().execute(f"copy (select {rows}) to '{tmp_path / 'log.parquet'}'")
    test = machine()
    for key in ("open path", "count all"):
        press(test.text_input(key="path to open").set_value(str(tmp_path / "log.parquet")).run(), key)
    test.query_params["t"] = "0.50003"
    test.switch_page(f"pages/classify/{page}.py").run()
    press(test, "refine")
    assert not test.exception
    assert any("are exact" in each.value for each in test.caption)
    assert "shape" in test.query_params


def test_runs_and_judgments_by_path_are_ranked_and_compared(tmp_path: Path) -> None:
    runs = "'s' || s.range as run, q.range as qid, (r.range * 7 + q.range * s.range) % 60 as docno, r.range as rank"
    runs = f"select {runs} from range(3) s, range(8) q, range(30) r"
    qrels = "select q.range as topic, d.range as docno, d.range % 3 as rel from range(8) q, range(0, 60, 2) d"
    for name, rows in {"runs": runs, "qrels": qrels}.items():
        duckdb.connect().execute(f"copy ({rows}) to '{tmp_path / name}.parquet'")
    test = machine()
    test.text_input(key="path to open").set_value(str(tmp_path / "runs.parquet")).run()
    test.toggle(key="runs by path").set_value(True).run()
    test.text_input(key="path of judgments").set_value(str(tmp_path / "qrels.parquet")).run()
    chosen = [each.value for each in test.selectbox if each.label.startswith(("Runs", "Judgments"))]
    assert chosen == ["run", "qid", "docno", "rank", "topic", "docno", "rel"]
    press(test, "rank lists")
    assert not test.exception
    assert not test.error
    assert any("720 rows, ranked" in each.value for each in test.markdown)
    data = test.query_params["data"]
    assert "lowest_first=True" in Source.of(workspace().load(data)).code
    pages = AppTest.from_file(ROOT / "app.py", default_timeout=30)
    pages.query_params["data"] = data
    pages.switch_page("pages/retrieve/compare.py").run()
    assert not pages.exception
    assert not pages.error


def test_what_goes_wrong_is_a_sentence_and_leaves_the_first_rows_open(log: Path) -> None:
    test = machine()
    press(test.text_input(key="path to open").set_value(str(log)).run(), "open path")
    log.unlink()
    press(test, "count all")
    assert "no file or folder" in test.error[0].value
    assert any(button.label == "Count all rows" for button in test.button)
    changed = machine(data=test.query_params["data"], shape="only~actual~ill")
    assert any("Undo them below" in caption.value for caption in changed.caption)
    assert not any(button.label == "Count all rows" for button in changed.button)


def test_a_server_may_open_no_paths(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVALCORE_PATHS", "off")
    test = machine()
    assert not any(field.key == "path to open" for field in test.text_input)
    monkeypatch.setattr(unloaded_tables, "is_shared", lambda: True)
    for setting in ("", ":", " ", "off"):
        monkeypatch.setenv("EVALCORE_PATHS", setting)
        assert unloaded_tables.path_folders() == []


def test_without_the_key_only_named_folders_are_open(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = machine()
    press(mine.text_input(key="path to open").set_value(str(log)).run(), "open path")
    monkeypatch.setattr(unloaded_tables, "has_key", lambda: False)
    for setting in ("", ":", " "):
        monkeypatch.setenv("EVALCORE_PATHS", setting)
        other = machine()
        assert not any(field.key == "path to open" for field in other.text_input)
        assert "it ends in /unlock/ and the key" in other.info[-1].value
        # Who has the link of a data set sees its rows, and may not have the file read again.
        linked = press(machine(data=mine.query_params["data"]), "count all")
        assert "key of this server" in linked.error[0].value
    monkeypatch.setenv("EVALCORE_PATHS", str(log.parent))
    other = machine()
    press(other.text_input(key="path to open").set_value(str(log)).run(), "open path")
    assert not other.error
    assert any("first 20\u202f000 of 30\u202f000 rows" in each.value for each in other.markdown)


def test_the_tables_of_a_database_are_listed_and_opened_or_it_is_said_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with duckdb.connect(str(path := tmp_path / "log.duckdb")) as database:
        database.execute(f"create table other as select 1 as x; create table rows as select {ROWS}")
    test = machine()
    wait(test.text_input(key="path to open").set_value(str(path)).run())
    table = test.selectbox(key=f"Table of {path}")
    assert table.options == ["other", "rows"]
    press(table.set_value("rows").run(), "open path")
    assert any("first 20\u202f000 of 30\u202f000 rows" in each.value for each in test.markdown)
    with duckdb.connect(str(path)) as database:
        database.execute("create table third as select 1 as x")
    wait(test.run())
    assert test.selectbox(key=f"Table of {path}").options == ["other", "rows", "third"]
    path.write_bytes(b"damaged")
    wait(test.run())
    assert "is not a DuckDB database" in test.error[0].value
    with duckdb.connect(str(tmp_path / "new.duckdb")) as database:
        database.execute("create table mended as select 1 as x")
    os.utime(tmp_path / "new.duckdb", ns=(0, path.stat().st_mtime_ns))
    (tmp_path / "new.duckdb").rename(path)
    press(test, "path again")
    assert test.selectbox(key=f"Table of {path}").options == ["mended"]


def test_a_table_that_takes_too_long_can_be_stopped_and_another_opened(log: Path, tmp_path: Path) -> None:
    with duckdb.connect(str(path := tmp_path / "log.duckdb")) as database:
        database.execute("create view endless as select range as y from range(1_000_000_000_000_000_000) order by -y")
    test = machine()
    wait(test.text_input(key="path to open").set_value(str(path)).run())
    for stop in (True, False):
        test.button(key="open path").click().run()
        [counting] = COUNTINGS.values()
        assert not counting.is_done
        if stop:
            press(test, next(button.key for button in test.button if button.label == "Stop"))
            assert "was stopped" in test.error[0].value
    press(test.text_input(key="path to open").set_value(str(log)).run(), "open path")
    assert any("first 20\u202f000 of 30\u202f000 rows" in each.value for each in test.markdown)
    assert isinstance(counting._made.exception(30), ReadProblem)  # of two openings of a visit the first ends


def test_a_large_upload_is_kept_as_a_file_and_counted_there(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "LARGE", 1000)
    test = machine(open_by="Open a file")
    test.file_uploader[0].set_value(("mine.parquet", log.read_bytes(), "application/octet-stream")).run()
    assert "20\u202f000 rows" in " ".join(caption.value for caption in test.caption)
    press(test, "count all")
    assert not test.exception
    assert not test.error
    assert "30\u202f000 rows, 10\u202f000 ill" in " ".join(caption.value for caption in test.caption)
    assert "mine.parquet" in test.sidebar.selectbox[0].options[0]
