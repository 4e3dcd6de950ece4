"""Large files are read in a child process: the same data set or problem comes back, and its limits hold."""

import gzip
import subprocess
import sys
from typing import IO

import pandas as pd
import pytest

from evalcore.readers import HalfMissing, ReadProblem, read_files, read_table
from evalcore.readers.child import tasks as child_tasks
from evalcore.readers.files import columnar as large_files
from evalcore.readers.table.table import STATES
from tests.readers.mutants import TOGETHER, real_files, written

FILES = real_files()


@pytest.fixture
def large(monkeypatch) -> list[str]:
    """Every file counts as large; the tasks of the children that were started."""
    tasks = []
    run = subprocess.run

    def noted(arguments: list[str], **options: object) -> object:
        tasks.append(arguments[3])
        return run(arguments, **options)

    monkeypatch.setattr(large_files, "SMALL", 1)
    monkeypatch.setattr(subprocess, "run", noted)
    return tasks


def perform_here(monkeypatch: pytest.MonkeyPatch, tasks: list[str]) -> None:
    """Do in this process what a child would do, which takes far longer to start."""

    def run(arguments: list[str], stdin: IO[bytes], stdout: IO[bytes], **_: object) -> subprocess.CompletedProcess:
        tasks.append(arguments[3])
        limits = map(int, arguments[4:6])
        return subprocess.CompletedProcess(arguments, child_tasks.perform(arguments[3], stdin, stdout, *limits))

    monkeypatch.setattr(subprocess, "run", run)
    # A child changes both for good.
    monkeypatch.setattr(large_files, "is_child", False)
    monkeypatch.setattr(STATES, "most_rows", STATES.most_rows)


@pytest.mark.parametrize("name", ["utf16.csv", "x.csv.gz", "x.zip", "x.xlsx", "nested.parquet", "x.run"])
def test_a_large_file_is_read_like_a_small_one(name: str, large: list[str], monkeypatch) -> None:
    if name != "x.xlsx":  # one by a real child is enough here
        perform_here(monkeypatch, large)
    files = {each: FILES[each] for each in (name, TOGETHER.get(name)) if each is not None}
    dataset = read_files(files)
    assert large == ["dataset"]
    monkeypatch.undo()
    small = read_files(files)
    pd.testing.assert_frame_equal(dataset.frame, small.frame)
    for field in ("roles", "findings", "name", "digest", "lines", "read_findings"):
        assert getattr(dataset, field) == getattr(small, field)


def test_small_files_start_no_process(monkeypatch) -> None:
    monkeypatch.setattr(large_files, "run_child", None)
    assert len(read_table(b"actual,score\n" + b"1,0.5\n0,0.25\n" * 1_000, "x.csv")) == 2_000


def test_what_unpacks_to_much_is_large(large: list[str], monkeypatch) -> None:
    monkeypatch.setattr(large_files, "SMALL", 8 * len(FILES["x.csv.gz"]))
    assert len(read_table(FILES["x.csv.gz"], "x.csv.gz")) == 12
    assert large == []
    repeated = gzip.compress(FILES["x.csv"] + FILES["x.csv"].partition(b"\n")[2] * 100)
    monkeypatch.setattr(large_files, "SMALL", 8 * len(repeated))
    assert len(read_table(repeated, "x.csv.gz")) == 1_212
    assert large == ["dataset"]


def test_parquet_that_expands_is_large(large: list[str], monkeypatch) -> None:
    file = written(pd.DataFrame({"actual": [1, 0] * 1_000_000, "score": 0.5}).to_parquet)
    monkeypatch.setattr(large_files, "SMALL", len(file))
    assert len(read_table(file, "x.parquet")) == 2_000_000
    assert large == ["parquet", "dataset"]


def test_a_problem_comes_back_as_it_was_stated(large: list[str]) -> None:
    with pytest.raises(ReadProblem, match=r'Line 3 of "é\.csv" has only 1 field'):
        read_files({"é.csv": b"actual,score\n1,0.5\n0\n"})
    with pytest.raises(HalfMissing, match="is a run"):
        read_files({"x.run": FILES["x.run"]})
    assert large == ["dataset"] * 2


def test_a_large_file_that_takes_too_long_is_refused(large: list[str], monkeypatch) -> None:
    monkeypatch.setattr(large_files, "SECONDS", 0.05)
    with pytest.raises(ReadProblem, match="takes longer than"):
        read_files({"x.csv": FILES["x.csv"]})


@pytest.mark.skipif(sys.platform != "linux", reason="no such limit")
def test_a_large_file_that_takes_too_much_memory_is_refused(large: list[str], monkeypatch) -> None:
    monkeypatch.setattr(large_files, "_BASE_BYTES", 1 << 24)
    with pytest.raises(ReadProblem, match="more memory"):
        read_table(FILES["x.csv"], "x.csv", max_bytes=len(FILES["x.csv"]))


def test_several_files_are_named_by_the_first_and_their_number() -> None:
    files = dict.fromkeys(("a.png", "b.png", "c.png"), b"xx")
    with pytest.raises(ReadProblem, match=r'^"a\.png and 2 more".*at most 5 bytes'):
        large_files.read_apart(read_files, files, 10, 5)
