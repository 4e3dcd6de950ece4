"""Tables that are not loaded, as data sets: where they lie is kept, and Python reads them again."""

from pathlib import Path

import duckdb
import pytest

from evalcore.analyses import Source
from evalcore.engines import Counting, first_rows, open_stored, reopened, summary_dataset
from evalcore.readers import ReadProblem, Unloaded, Workspace, allowed_path

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


def test_small_tables_are_read_whole(tmp_path: Path) -> None:
    duckdb.connect().execute(f"copy (select 'a' as actual, 'b' as predicted from range(5)) to '{tmp_path / 'few.csv'}'")
    data = first_rows(open_stored(tmp_path / "few.csv"), Unloaded("path", ""))
    assert data.unloaded.rows == len(data) == 5
    assert not [one for one in data.findings if one.code == "first rows"]


def test_only_allowed_folders_are_opened_wherever_links_lead(log: Path, tmp_path: Path) -> None:
    (tmp_path / "link.parquet").symlink_to(log)
    assert allowed_path(str(tmp_path / "link.parquet"), [log.parent]).name == "link.parquet"
    for text, folders in ((tmp_path / "link.parquet", [tmp_path]), (f"{log.parent}/../x", [log.parent]), ("\0", ["/"])):
        with pytest.raises(ReadProblem):
            allowed_path(str(text), folders)
    for way in ("path", "upload"):
        with pytest.raises(ReadProblem):
            reopened(Unloaded(way, str(log)), [])


def test_a_stopped_count_says_so_and_one_that_fails_says_why(log: Path) -> None:
    stopped = Counting(lambda: open_stored(log), lambda table: (stopped.stop(), first_rows(table))[1])
    with pytest.raises(ReadProblem, match="stopped"):
        stopped.result(timeout=30)
    failed = Counting(lambda: open_stored("absent"), first_rows)
    with pytest.raises(ReadProblem, match="no file or folder"):
        failed.result(timeout=30)
    assert failed.progress is None
