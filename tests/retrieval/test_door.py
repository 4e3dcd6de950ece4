"""What is let in: ids that are texts, numbers that are numbers, each document of a query once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.retrieval import Duplicate, Hits, Judgments, Run
from evalcore.retrieval.id_table import IdTable, coded, natural
from tests.retrieval.small_runs import Case, cases, thorough

BOTH = (Judgments, Run)
each_type = pytest.mark.parametrize("type_", BOTH, ids=lambda t: t.__name__)


@each_type
def test_ids_are_texts(type_) -> None:
    assert type_.from_arrays([1, 1], ["01", "1"], [1, 2]).documents.texts() == ["01", "1"]
    assert type_.from_arrays(np.array([1, 1]), np.array([7, 8]), [1, 2]).documents.texts() == ["7", "8"]
    assert type_.from_arrays([b"q"], [b"\xff"], [1]).documents.texts() == ["\\xff"]
    with pytest.raises(ValueError, match=r"document of row 2.*2\.0"):
        type_.from_arrays(["q", "q"], ["a", 2.0], [1, 1])
    with pytest.raises(ValueError, match=r"query of row 1.*nan"):
        type_.from_arrays([float("nan")], ["a"], [1])
    with pytest.raises(ValueError, match=r"document of row 2.*empty"):
        type_.from_arrays(["q", "q"], ["a", ""], [1, 1])
    with pytest.raises(ValueError, match=r"document of row 2.*'\\ud800'"):
        type_.from_arrays(["q", "q"], ["a", "\ud800"], [1, 1])


@each_type
def test_every_row_has_a_number(type_) -> None:
    with pytest.raises(ValueError, match="of row 2 is nan"):
        type_.from_arrays(["q", "q"], ["a", "b"], [1, float("nan")])
    with pytest.raises(ValueError, match=r"of row 2.*'2,5'"):
        type_.from_arrays(["q", "q"], ["a", "b"], ["1", "2,5"])
    for odd in ([1, 10**400], [1.0, 2j], np.array(["2020-01-01", "2021-01-01"], dtype="datetime64[D]")):
        with pytest.raises(ValueError, match=r"of row \d"):
            type_.from_arrays(["q", "q"], ["a", "b"], odd)
    with pytest.raises(ValueError, match="the 2 rows"):
        type_.from_arrays(["q", "q"], ["a", "b"], [1])
    with pytest.raises(ValueError, match="2 queries, 1 documents"):
        type_.from_arrays(["q", "q"], ["a"], [1, 2])


def test_a_score_may_be_infinite_and_a_grade_may_not() -> None:
    run = Run.from_arrays(["q"] * 3, ["a", "b", "c"], [-np.inf, 0, np.inf])
    assert run.ranked("q") == ["c", "b", "a"]
    with pytest.raises(ValueError, match="grade of row 1 is inf"):
        Judgments.from_arrays(["q"], ["a"], [np.inf])


@each_type
@pytest.mark.parametrize("rows", [10, 70_000, 220_000])
@pytest.mark.parametrize("shuffled", [False, True])
def test_a_document_stands_with_a_query_once(type_, rows: int, shuffled: bool) -> None:
    random = np.random.default_rng(rows)
    queries = np.arange(rows) // 1000
    documents = np.arange(rows) % 1000
    order = random.permutation(rows) if shuffled else np.arange(rows)
    queries, documents = queries[order], documents[order]
    type_.from_arrays(queries, documents, np.ones(rows))
    documents[rows - 1] = documents[(queries == queries[rows - 1]).argmax()]
    if (queries == queries[rows - 1]).sum() > 1:
        with pytest.raises(Duplicate) as caught:
            type_.from_arrays(queries, documents, np.ones(rows))
        assert caught.value.rows == (int((queries == queries[rows - 1]).argmax()), rows - 1)


@thorough
@given(case=cases(), query=st.sampled_from(["1", "2", "3", "10"]))
def test_a_list_is_sorted_by_score_and_then_by_document(case: Case, query: str) -> None:
    scores = case.scores.get(query, {})
    expected = sorted(scores, key=lambda name: (scores[name], name.encode()), reverse=True)
    assert case.run.ranked(query) == expected


def test_close_scores_are_not_rounded_to_one() -> None:
    run = Run.from_arrays(["q", "q"], ["b", "a"], [0.1, 0.1 + 1e-12])
    assert run.ranked("q") == ["a", "b"]
    assert run.tied == 0


@thorough
@given(texts=st.lists(st.text(min_size=1).map(lambda t: t.replace("\0", "0")), min_size=1, max_size=8))
def test_names_are_compared_by_their_bytes(texts: list[str]) -> None:
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    names = IdTable.of(texts)
    rows = np.arange(len(texts))
    order = names.falling(rows, np.zeros(len(texts)))
    assert [texts[row] for row in order] == sorted(texts, key=str.encode, reverse=True)
    for row, text in enumerate(texts):
        same = names.equal(np.full(len(texts), row), names, rows)
        assert same.tolist() == [other == text for other in texts]
        assert names.hashes[row] == IdTable.of([text]).hashes[0]
    distinct, codes = coded(names)
    assert [distinct[code] for code in codes] == texts
    assert distinct == tuple(dict.fromkeys(texts))


def test_queries_come_in_the_order_people_expect() -> None:
    assert Judgments.from_arrays(["10", "9"], ["a", "a"], [1, 1]).queries == ("9", "10")
    assert natural(["b", "a", "10", "9"]) == ["10", "9", "a", "b"]


def test_the_same_judgments_serve_every_run() -> None:
    judged = Judgments.from_arrays(["q", "q"], ["a", "b"], [1, 0])
    pool = judged.pool
    for documents in (["a"], ["b", "z"]):
        Hits.of(judged, Run.from_arrays(["q"] * len(documents), documents, range(len(documents))))
    assert judged.pool is pool
