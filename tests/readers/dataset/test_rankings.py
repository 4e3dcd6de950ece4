"""Tables of judged lists: seen by their names, taken apart into judgments and runs."""

import numpy as np
import pandas as pd
import pytest

from evalcore.readers import DataSet, ReadProblem, Workspace, read_table, roles_of
from evalcore.readers.dataset.assignment import read_roles
from evalcore.retrieval import Judgments, Run
from tests.words import facts, sentence_with

WIDE = b"qid,docno,bm25,lm,grade\n1,a,0.9,,1\n1,b,0.5,2,0\n2,a,,1,\n2,c,,,2\n"
LONG = b"topic,document,system,score,relevance\n1,a,x,0.9,1\n1,a,y,0.1,1\n1,b,x,0.2,\n2,c,,,1\n"


def triples(state: Run | Judgments) -> list[tuple]:
    numbers = state.scores if isinstance(state, Run) else state.grades
    return list(
        zip((state.queries[code] for code in state.codes), state.documents.texts(), numbers.tolist(), strict=True)
    )


def test_a_column_of_scores_a_system() -> None:
    dataset = read_table(WIDE)
    assert (dataset.kind, dataset.systems) == ("run + judgments", ("bm25", "lm"))
    assert triples(dataset.judgments()) == [("1", "a", 1), ("1", "b", 0), ("2", "c", 2)]
    assert triples(dataset.run()) == [("1", "a", 0.9), ("1", "b", 0.5)]
    assert triples(dataset.run("lm")) == [("1", "b", 2), ("2", "a", 1)]
    assert facts([finding.sentence for finding in dataset.findings]) == "bm25 1 2 2 0"


def test_a_row_a_system() -> None:
    dataset = read_table(LONG)
    assert (dataset.kind, dataset.systems) == ("run + judgments", ("x", "y"))
    assert triples(dataset.judgments()) == [("1", "a", 1), ("2", "c", 1)]
    assert triples(dataset.run("x")) == [("1", "a", 0.9), ("1", "b", 0.2)]
    assert triples(dataset.run("y")) == [("1", "a", 0.1)]
    with pytest.raises(ReadProblem, match=r'"z".*"x", "y"'):
        dataset.run("z")


def test_ranks_and_distances_are_turned() -> None:
    dataset = read_table(b"query,document,rank,grade\nq,a,1,1\nq,b,2,0\n")
    assert dataset.roles.rank == "rank"
    assert dataset.run().scores.tolist() == [-1, -2]
    dataset = read_table(b"query,document,distance,grade\nq,a,1,1\nq,b,2,0\n")
    assert not dataset.roles.higher_is_positive
    assert dataset.run().scores.tolist() == [-1, -2]


def test_ids_of_numbers_with_gaps_stay_whole() -> None:
    dataset = read_table(b"query,document,score,grade\n7,12,1,1\n7,,2,1\n,13,2,1\n")
    assert triples(dataset.run()) == [("7", "12", 1)]
    assert len(dataset.findings) == 2


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (WIDE + b"1,a,0.4,,1\n", "line 2 and line 6"),
        (LONG.replace(b"y,0.1,1", b"y,0.1,0"), "line 2 and line 3"),
        (WIDE.replace(b",2\n", b",0\n").replace(b",1\n", b",0\n"), "No grade is above 0"),
    ],
)
def test_what_would_be_wrong_is_found(data: bytes, sentence: str) -> None:
    dataset = read_table(data)
    assert "error" in {finding.level for finding in dataset.findings}
    assert sentence in dataset.findings[0].sentence


def test_queries_that_do_not_meet_are_found() -> None:
    dataset = read_table(b"query,document,score,grade\n1,a,,1\nq1,a,1,\n")
    assert sentence_with(dataset.findings[0].sentence, "score", "judgments")
    assert sentence_with(dataset.findings[0].sentence, "1", "called")


def test_documents_that_do_not_meet_are_found() -> None:
    dataset = read_table(b"query,document,score,grade\n1,a,,1\n1,doc-a,1,\n")
    assert "error" not in {finding.level for finding in dataset.findings}
    assert sentence_with(dataset.findings[0].sentence, "score", "judgments")
    assert sentence_with(dataset.findings[0].sentence, "doc-a")


def test_infinite_grades_are_left_out_and_said() -> None:
    dataset = read_table(b"query,document,score,grade\nq,a,1,1\nq,b,0.5,inf\nq,c,0.4,0\n")
    sentence = dataset.findings[0].sentence
    assert facts(sentence) == "grade 1 3"
    assert triples(dataset.judgments()) == [("q", "a", 1), ("q", "c", 0)]


def test_lists_of_one_query_without_judgments_are_one_query() -> None:
    dataset = read_table(b"query,document,score,grade\nq,a,1,1\nr,b,0.5,\n")
    assert sentence_with(dataset.findings[0].sentence, "1", "r")


def test_grades_may_be_truth_values() -> None:
    dataset = read_table(b"query,document,score,relevant\nq,a,1,true\nq,b,2,false\n")
    assert dataset.kind == "run + judgments"
    assert triples(dataset.judgments()) == [("q", "a", 1), ("q", "b", 0)]


def test_a_number_that_is_none_is_named_with_its_line() -> None:
    dataset = read_table(b"query,document,score,grade\nq,a,1,1\nq,b,oops,0\n", "x.csv")
    roles = roles_of(query="query", document="document", score=("score",), grade="grade")
    with pytest.raises(ReadProblem, match=r'"score".*"oops".*line 3'):
        dataset.with_roles(roles)


def test_other_tables_are_not_taken_for_lists() -> None:
    for header in ("document,label,score", "query,label,score", "query,document,label"):
        dataset = read_table(f"{header}\n1,1,0.5\n2,0,0.25\n1,0,0.125\n".encode())
        assert dataset.kind != "run + judgments"
    with pytest.raises(ReadProblem, match=r"needs other columns"):
        dataset.judgments()


def test_roles_survive_the_address_and_the_workspace(tmp_path) -> None:
    dataset = read_table(LONG)
    assert read_roles(dataset.roles.to_text(), dataset.frame) == dataset.roles
    workspace = Workspace(tmp_path, 10_000_000)
    loaded = workspace.load(workspace.save(dataset))
    assert (loaded.kind, loaded.roles) == (dataset.kind, dataset.roles)
    with pytest.raises(ReadProblem, match="holds text"):
        dataset.with_roles(roles_of(query="topic", document="document", score=("score",), grade="system"))
    with pytest.raises(ReadProblem, match="has two roles"):
        dataset.with_roles(roles_of(query="topic", document="topic", score=("score",), grade="relevance"))


def test_parquet_too(tmp_path) -> None:
    frame = pd.DataFrame({"query": ["q", "q"], "document": ["a", "b"], "score": [1.0, np.nan], "grade": [0, 1]})
    frame.to_parquet(tmp_path / "lists.parquet")
    assert triples(read_table(tmp_path / "lists.parquet").run()) == [("q", "a", 1)]
    assert DataSet.of(frame).kind == "run + judgments"
