"""Runs and judgments opened together: what they become, and what is wrong with those that cannot."""

import gzip

import pytest

from evalcore.readers import ReadProblem, Workspace
from evalcore.readers.judged_files import HalfMissing, files_of, read_files

QRELS = b"q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"
RUN = b"q1 Q0 a 1 3 x\nq1 Q0 z 2 2.5 x\nq3 Q0 d 1 1 x\n"


def test_a_run_and_its_judgments_are_one_table() -> None:
    data = read_files({"mine.run": RUN, "qrels.txt": QRELS})
    assert (data.kind, data.systems) == ("run + judgments", ("mine",))
    run, judged = data.run_arrays("mine"), data.judgment_arrays()
    assert sorted(zip(run.queries, run.documents, run.scores, strict=True)) == [
        ("q1", "a", 3.0),
        ("q1", "z", 2.5),
        ("q3", "d", 1.0),
    ]
    assert sorted(zip(judged.queries, judged.documents, judged.grades, strict=True)) == [
        ("q1", "a", 1.0),
        ("q1", "b", 0.0),
        ("q2", "a", 1.0),
    ]


def test_several_runs_packed_or_not_are_systems_under_the_names_of_their_files() -> None:
    data = read_files({"qrels.txt.gz": gzip.compress(QRELS), "b.run.gz": gzip.compress(RUN), "a.run": RUN})
    assert data.systems == ("b", "a")
    assert files_of(data) == ("qrels.txt.gz", "b.run.gz", "a.run")


def test_one_table_stays_what_it_is() -> None:
    data = read_files({"table.csv": b"actual,score\n1,0.5\n0,0.2\n"})
    assert data.kind == "scores"
    assert files_of(data) is None


@pytest.mark.parametrize(
    ("files", "says", "half"),
    [
        ({"a.run": RUN}, '"a.run" is a run. Open the judgments', True),
        ({"a.run": RUN, "b.run": RUN}, "are runs. Open the judgments", True),
        ({"q.txt": QRELS}, '"q.txt" holds judgments. Open a run', True),
        ({"q.txt": QRELS, "r.txt": QRELS, "a.run": RUN}, "are all judgments", False),
        ({"q.txt": QRELS, "t.csv": b"actual,score\n1,2\n"}, '"t.csv" is neither a run', False),
        ({"a.run": RUN, "a.txt": RUN, "q.qrels": QRELS}, 'Two runs are called "a"', False),
        ({"grade.run": RUN, "q.txt": QRELS}, 'No system can be called "grade"', False),
        ({"a.run": RUN + b"q1 Q0 a 9 0 x\n", "q.txt": QRELS}, 'lines 1 and 4 of "a.run"', False),
        ({"a.run.gz": b"\x1f\x8bbroken", "q.txt": QRELS}, "neither a run", False),
    ],
)
def test_what_cannot_be_one_data_set_is_refused(files: dict[str, bytes], says: str, half: bool) -> None:
    with pytest.raises(ReadProblem) as caught:
        read_files(files)
    assert says in str(caught.value)
    assert isinstance(caught.value, HalfMissing) is half


def test_it_is_stored_and_comes_back(tmp_path) -> None:
    data = read_files({"mine.run": RUN, "qrels.txt": QRELS})
    workspace = Workspace(tmp_path, 10**6)
    again = workspace.load(workspace.save(data))
    assert (again.kind, again.systems, files_of(again)) == (data.kind, data.systems, files_of(data))
    assert again.run_arrays().scores.tolist() == data.run_arrays().scores.tolist()
