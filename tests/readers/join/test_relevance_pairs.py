"""Relevance typed as pairs: the judgments that follow, whatever the table of the rankings looks like."""

import pytest

from evalcore.readers import ReadProblem, Workspace, judged_by_pairs, read_sample, read_table
from evalcore.readers.join.files_together import read_files
from evalcore.retrieval import evaluate
from tests.words import facts

LONG = "query,document,system,score,grade\na,7,one,2,1\na,8,one,1,0\na,7,two,1,1\nb,8,two,3,0\n"
FILES = {"qrels.txt": b"q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n", "one.run": b"q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq2 Q0 z 1 2 x\n"}


def judgments(data) -> dict[tuple[str, str], float]:
    judged = data.judgments()
    pairs = zip((judged.queries[code] for code in judged.codes.tolist()), judged.documents.texts(), strict=True)
    return dict(zip(pairs, judged.grades.tolist(), strict=True))


@pytest.mark.parametrize("text", ["q1 b\nq1 zz", "q1,b\nq1, zz", "query;document\nq1;b\nq1;zz\n", "q1\tb\n\nq1\tzz"])
def test_pairs_are_read_however_they_are_typed(text: str) -> None:
    data = judged_by_pairs(read_files(FILES), text)
    assert judgments(data) == {("q1", "b"): 1, ("q1", "zz"): 1}
    assert evaluate(data.judgments(), data.run("one"), ["AP"]).mean("AP") == pytest.approx(0.25)
    said = next(finding.sentence for finding in data.findings if finding.code == "typed pairs")
    assert facts(said) == "2 1"


def test_grades_and_lines_of_qrels() -> None:
    assert judgments(judged_by_pairs(read_files(FILES), "q1 0 a 2\nq2 0 z 0")) == {("q1", "a"): 2, ("q2", "z"): 0}
    assert judgments(judged_by_pairs(read_files(FILES), "q1, a, 3")) == {("q1", "a"): 3}


def test_a_table_with_a_line_per_system_and_ids_that_are_numbers(tmp_path) -> None:
    data = judged_by_pairs(read_table(LONG.encode(), "long.csv"), "a 8\na 9\nb 8")
    assert judgments(data) == {("a", "8"): 1, ("a", "9"): 1, ("b", "8"): 1}
    assert data.systems == ("one", "two")
    assert len(data.run("two")) == 2
    workspace = Workspace(tmp_path, 10**7)
    assert judgments(workspace.load(workspace.save(data, "me"))) == judgments(data)


def test_titles_stay_and_edits_of_the_judgments_go() -> None:
    data = read_sample("image_retrieval")
    pairs = "q000, i0010\nq001, i0010"
    judged = judged_by_pairs(data, pairs)
    assert len(judged.judgments()) == 2
    assert judged.document_faces().among(["i0010"]) == data.document_faces().among(["i0010"])
    assert judged.digest != judged_by_pairs(data, pairs + ", 2").digest


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Type one pair per"), ("q1", "Line 1 is not a pair"), ("q1 a\nq9 b", 'Line 2 names the query "q9"'),
        ("q1 a\nq1 a 2", 'Line 2 repeats "a"'), ("q1 a x", "not a number"), ("q1,a,nan", "not a number"),
        ("q1,,1", "Line 1 is not a pair"),
    ],
)  # fmt: skip
def test_what_is_no_pair_is_refused_by_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(ReadProblem, match=problem):
        judged_by_pairs(read_files(FILES), text)
    with pytest.raises(ReadProblem, match="holds no rankings"):
        judged_by_pairs(read_sample("roc_20"), text)
