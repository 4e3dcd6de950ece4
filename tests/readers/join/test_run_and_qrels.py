"""Runs and judgments opened together: what they become, and what is wrong with those that cannot."""

import gzip
import io
import itertools
import re

import pandas as pd
import pytest

from evalcore.readers import ReadProblem, Workspace
from evalcore.readers.join.files_together import HalfMissing, files_of, read_files
from evalcore.retrieval import Judgments, Run, evaluate

QRELS = b"q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"
RUN = b"q1 Q0 a 1 3 x\nq1 Q0 z 2 2.5 x\nq3 Q0 d 1 1 x\n"
TABLE = b"query,document,score\nq1,a,3\nq1,z,2.5\nq3,d,1\n"
GRADES = b"query,document,grade\nq1,a,1\nq1,b,0\nq2,a,1\n"
BOTH = b"query,document,score,grade\nq1,a,3,1\nq1,z,2.5,0\n"


def texts(state: Run | Judgments) -> tuple[list[str], list[str]]:
    return [state.queries[code] for code in state.codes], state.documents.texts()


def test_a_run_and_its_judgments_are_one_table() -> None:
    data = read_files({"mine.run": RUN, "qrels.txt": QRELS})
    assert (data.kind, data.systems) == ("run + judgments", ("mine",))
    run, judged = data.run("mine"), data.judgments()
    assert sorted(zip(*texts(run), run.scores, strict=True)) == [("q1", "a", 3.0), ("q1", "z", 2.5), ("q3", "d", 1.0)]
    assert sorted(zip(*texts(judged), judged.grades, strict=True)) == [
        ("q1", "a", 1.0),
        ("q1", "b", 0.0),
        ("q2", "a", 1.0),
    ]


def test_several_runs_packed_or_not_are_systems_under_the_names_of_their_files() -> None:
    data = read_files({"qrels.txt.gz": gzip.compress(QRELS), "b.run.gz": gzip.compress(RUN), "a.run": RUN})
    assert data.systems == ("b", "a")
    assert files_of(data) == ("qrels.txt.gz", "b.run.gz", "a.run")


@pytest.mark.parametrize(
    ("run", "qrels"),
    [
        (RUN.decode().encode("utf-16"), QRELS.decode().encode("utf-16")),
        (b"\xef\xbb\xbf" + RUN, b"\xef\xbb\xbf# judged\n" + QRELS),
        (RUN.replace(b"\n", b"\r"), QRELS.replace(b"\n", b"\r\n")),
        (RUN.replace(b" ", b"\t").replace(b"Q0", b""), QRELS.replace(b" 0 a", b"\t\ta").replace(b" ", b"\t")),
    ],
    ids=["UTF-16", "mark", "CR", "tabs"],
)
def test_files_written_in_other_ways_are_the_same_lists(run: bytes, qrels: bytes) -> None:
    plain, other = (read_files({"a.txt": lists, "q.txt": judged}) for lists, judged in ((RUN, QRELS), (run, qrels)))
    assert other.frame.equals(plain.frame)


def test_one_table_stays_what_it_is() -> None:
    data = read_files({"table.csv": b"actual,score\n1,0.5\n0,0.2\n"})
    assert data.kind == "scores"
    assert files_of(data) is None


@pytest.mark.parametrize(
    ("files", "says", "half"),
    [
        ({"a.run": RUN}, '"a.run" is a run', True),
        ({"a.run": RUN, "b.run": RUN}, "Also open the judgments", True),
        ({"q.txt": QRELS}, '"q.txt" holds judgments. Also', True),
        ({"q.txt": QRELS, "r.txt": QRELS, "a.run": RUN}, "all hold judgments", False),
        ({"q.txt": QRELS, "t.csv": b"actual,score\n1,2\n"}, '"t.csv" is neither a run', False),
        ({"a.run": RUN, "a.txt": RUN, "q.qrels": QRELS}, 'Two runs are named "a"', False),
        ({"grade.run": RUN, "q.txt": QRELS}, 'cannot be named "grade"', False),
        ({"a.run": RUN + b"q1 Q0 a 9 0 x\n", "q.txt": QRELS}, 'lines 1 and 4 of "a.run"', False),
        ({"a.run.gz": b"\x1f\x8bbroken", "q.txt": QRELS}, '"a.run.gz" is a gzip', False),
        ({"a.run": b"", "q.txt": QRELS}, '"a.run" is empty', False),
        # Without its tag; under any name Q0 says that it would be a run.
        ({"a.txt": RUN.replace(b" x", b"")}, 'Line 1 of "a.txt" has 5 fields where a run has 6', False),
        ({"a.txt": RUN.replace(b" x", b""), "q.txt": QRELS}, 'Line 1 of "a.txt" has 5 fields', False),
        ({"a.run": RUN.replace(b"z", b"z\0"), "q.txt": QRELS}, 'Line 2 of "a.run" contains a zero byte', False),
        ({"a.run": b"# nothing\n\n", "q.txt": QRELS}, '"a.run" is empty', False),
        # A wrong line near the top is named too: the others say what the file is.
        ({"a.run": RUN + b"q3 Q0 e 2 high x\n", "q.txt": QRELS}, 'Line 4 of "a.run" has the score "high"', False),
        ({"a.run": b"q1 Q0 a 1 3\n" + RUN, "q.txt": QRELS}, 'Line 1 of "a.run" has 5 fields', False),
        ({"a.run": RUN, "q.txt": b"q1 0 a yes\n" + QRELS}, 'Line 1 of "q.txt" has the grade "yes"', False),
        ({"a.run": RUN + b"q3 Q0 e 2 high x\n"}, '"a.run" is a run', True),
        ({"run.csv": TABLE}, '"run.csv" is a run', True),
        ({"q.csv": GRADES}, '"q.csv" holds judgments', True),
        ({"run.csv": TABLE + b"q1,a,9\n", "q.csv": GRADES}, "line 2 and line 5", False),
        ({"run.csv": TABLE, "q.csv": GRADES + b"q1,a,0\n"}, 'line 2 and line 5 of "q.csv"', False),
        ({"run.csv": TABLE, "q.csv": GRADES, "all.csv": BOTH}, '"all.csv" already holds a', False),
    ],
)
def test_what_cannot_be_one_data_set_is_refused(files: dict[str, bytes], says: str, half: bool) -> None:
    with pytest.raises(ReadProblem) as caught:
        read_files(files)
    assert says in str(caught.value)
    assert isinstance(caught.value, HalfMissing) is half


def parquet(table: bytes) -> bytes:
    packed = io.BytesIO()
    pd.read_csv(io.BytesIO(table)).to_parquet(packed)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "run"),
    [("mine.run", RUN), ("mine.csv", TABLE), ("mine.parquet", parquet(TABLE)), ("mine.csv.gz", gzip.compress(TABLE))],
    ids=itertools.count(),  # a packed file holds the time, and names of tests must not
)
@pytest.mark.parametrize("judged", [QRELS, GRADES, parquet(GRADES)], ids=["qrels", "csv", "parquet"])
def test_either_half_may_be_a_table(name: str, run: bytes, judged: bytes) -> None:
    data, expected = read_files({name: run, "q": judged}), read_files({"mine.run": RUN, "q.txt": QRELS})
    assert data.systems == ("mine",)
    assert texts(data.run()) == texts(expected.run())
    assert data.run().scores.tolist() == expected.run().scores.tolist()
    assert data.judgments().grades.tolist() == expected.judgments().grades.tolist()
    assert files_of(data) == ("q", name)


def test_ranks_distances_and_systems_in_a_table_without_grades() -> None:
    ranked = read_files({"q.txt": QRELS, "r.csv": b"query,document,rank\nq1,a,2\nq1,z,1\n"})
    assert ranked.run("r").scores.tolist() == [-2, -1]
    near = read_files({"q.txt": QRELS, "n.csv": b"query,document,distance\nq1,a,0.5\nq1,z,0.25\n"})
    assert near.run("n").scores.tolist() == [-0.5, -0.25]
    both = read_files({"q.txt": QRELS, "s.csv": b"query,document,system,score\nq1,a,A,2\nq1,a,B,1\nq2,a,B,1\n"})
    assert both.systems == ("A", "B")
    assert len(both.run("B").scores) == 2
    assert files_of(both) == ("q.txt", "s.csv")


def test_a_table_that_begins_with_names_is_no_run() -> None:
    table = b"a\tb\tc\td\n" + b"q1\t0\tx\t1\n" * 3
    assert read_files({"table.txt": table}).frame.columns.tolist() == ["a", "b", "c", "d"]


def test_it_is_stored_and_comes_back(tmp_path) -> None:
    data = read_files({"mine.run": RUN, "qrels.txt": QRELS})
    workspace = Workspace(tmp_path, 10**6)
    again = workspace.load(workspace.save(data))
    assert (again.kind, again.systems, files_of(again)) == (data.kind, data.systems, files_of(data))
    assert again.run().scores.tolist() == data.run().scores.tolist()


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.run", b"q1  Q0 d1 0.9 t\nq1  Q0 d2 0.8 t\n", 'Line 1 of "a.run" has 5 fields where a run has 6'),
        ("a.qrels.txt", b"q1 d1 1\nq1 d2 0\n", 'Line 1 of "a.qrels.txt" has 3 fields where judgments have 4'),
        ("a.txt", b"q1 d1 1\nq1 d2 0\n", "has only one column"),
    ],
)
def test_a_file_that_is_called_a_run_has_the_problem_of_a_run(name: str, data: bytes, why: str) -> None:
    with pytest.raises(ReadProblem, match=why):
        read_files({name: data})
    with pytest.raises(ReadProblem, match=why):
        read_files({name: data, "other": b"q1 0 d1 1\n"})


def test_a_grade_that_is_no_number_is_named() -> None:
    with pytest.raises(ReadProblem, match=r'"grade".*"high".*line 2'):
        read_files({"a.run": b"1 Q0 7 1 .5 t\n", "q.csv": b"query,document,grade\n1,7,high\n1,8,0\n"})


@pytest.mark.parametrize(("column", "other"), [("score", {"q.txt": QRELS}), ("grade", {"mine.run": RUN})])
def test_a_cell_that_is_no_number_is_named_with_its_line(column: str, other: dict[str, bytes]) -> None:
    table = b"query,document,%b\nq1,a,3\nq1,b,x2\nq2,a,1\n" % column.encode()
    with pytest.raises(ReadProblem, match=rf'Column "{column}" .*: "x2" \(first: line 3\)'):
        read_files({"table.csv": table} | other)


MARCO_RUN = b"".join(b"%d\t%d\t%d\n" % (query, 7 * query + rank, rank) for query in (11, 12, 13) for rank in (1, 2, 3))
MARCO_JUDGED = {
    "four columns": b"11\t0\t79\t1\n12\t0\t85\t1\n13\t0\t99\t1\n",
    "grades": b"11\t79\t1\n12\t85\t1\n13\t99\t2\n",
    "pairs": b"11\t79\n12\t85\n13\t99\n",
    "pairs and blanks": b"11 79\r\n12 85\r\n13 99\r\n",
}


@pytest.mark.parametrize("judged", MARCO_JUDGED)
@pytest.mark.parametrize("letter", [b"", b"q"])
def test_runs_and_judgments_of_ms_marco_have_no_names_and_no_scores(judged: str, letter: bytes) -> None:
    """The relevant documents have the ranks 2 and 1 and none."""
    run, qrels = (re.sub(rb"(?m)^", letter, text).rstrip(letter) for text in (MARCO_RUN, MARCO_JUDGED[judged]))
    data = read_files({"run.dev.tsv": run, "qrels.dev.tsv": qrels})
    assert (data.kind, data.systems) == ("run + judgments", ("run.dev",))
    assert evaluate(data.judgments(), data.run("run.dev"), "RR").means() == {"RR": (1 / 2 + 1 + 0) / 3}


@pytest.mark.parametrize("judged", ["grades", "pairs"])
def test_ids_of_documents_without_names_may_have_points(judged: str) -> None:
    run = re.sub(rb"\t(\d+)\t", rb"\ta\1.txt\t", MARCO_RUN)
    qrels = re.sub(rb"(?m)^(\d+)\t(\d+)", rb"\1\ta\2.txt", MARCO_JUDGED[judged])
    data = read_files({"run.tsv": run, "qrels.tsv": qrels})
    assert evaluate(data.judgments(), data.run("run"), "RR").means() == {"RR": (1 / 2 + 1 + 0) / 3}


def test_a_run_of_ms_marco_waits_for_its_judgments() -> None:
    with pytest.raises(HalfMissing, match="is a run"):
        read_files({"run.tsv": MARCO_RUN})


def test_runs_of_both_forms_and_bare_judgments() -> None:
    trec = b"11 Q0 79 1 0.5 x\n11 Q0 80 2 0.25 x\n"
    data = read_files({"b.run": trec, "a.tsv": MARCO_RUN, "qrels.tsv": MARCO_JUDGED["grades"]})
    assert data.systems == ("b", "a")
    assert read_files({"b.run": trec, "qrels.tsv": MARCO_JUDGED["pairs"]}).kind == "run + judgments"


@pytest.mark.parametrize("other", [b"1\t0\n2\t1\n3\t1\n", b"79\thttp://x\n80\thttp://y\n"], ids=["labels", "addresses"])
def test_a_file_of_pairs_that_shares_no_query_is_no_judgments(other: bytes) -> None:
    with pytest.raises(ReadProblem):
        assert read_files({"run.tsv": MARCO_RUN, "x.tsv": other}).kind != "run + judgments"
    with pytest.raises(HalfMissing):
        read_files({"b.run": b"11 Q0 79 1 0.5 x\n", "x.tsv": other})


def test_lines_of_three_numbers_that_count_no_ranks_are_a_table() -> None:
    trials = b"".join(b"%d\t%d\t%d\n" % (who, trial % 2, trial) for who in (1, 2) for trial in (1, 2, 3))
    assert read_files({"trials.tsv": trials}).kind != "run + judgments"


def test_a_wrong_line_of_a_run_without_scores_is_named() -> None:
    long = b"".join(b"%d\t%d\t%d\n" % (query, 90 + rank, rank) for query in range(500) for rank in (1, 2, 3, 4))
    with pytest.raises(ReadProblem, match=r'Line 2\u202f001.*"run.tsv".*rank "x"'):
        read_files({"run.tsv": long + b"7\t5\tx\n", "q.qrels": MARCO_JUDGED["four columns"]})
