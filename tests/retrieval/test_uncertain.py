"""Ranges under ties beside all orders tried, bounds for the unjudged, condensed lists."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import find
from evalcore.retrieval import Hits, Judgments, Run, evaluate, tie_ranges, unjudged_ranges

NAMES = (
    "P@2",
    "R@3",
    "AP",
    "RR",
    "nDCG",
    "nDCG@2",
    "AP(rel=2)",
    "success@2",
    "ERR",
    "RBP",
    "bpref",
    "Rprec",
    "IPrec@0.5",
    "judged@2",
    "RBPres",
    "nDCG(gain=1:5;2:1)@3",
    "DCG(gain=1:4;2:0)",
)
tied = st.lists(st.tuples(st.sampled_from([None, 0, 1, 2]), st.integers(1, 3)), min_size=1, max_size=5)


@settings(max_examples=30, deadline=None)
@given(rows=tied)
def test_no_order_of_ties_leaves_the_range_and_its_ends_are_reached(rows) -> None:
    documents = [f"d{place}" for place in range(len(rows))]
    judged = [(name, grade) for name, (grade, _) in zip(documents, rows, strict=True) if grade is not None] + [("x", 1)]
    judgments = Judgments.from_arrays(["q"] * len(judged), *zip(*judged, strict=True))
    run = Run.from_arrays(["q"] * len(rows), documents, [score for _, score in rows])
    found = tie_ranges(Hits.of(judgments, run), NAMES)
    orders = {tuple(sorted(order, key=lambda row: -rows[row][1])) for order in itertools.permutations(range(len(rows)))}
    lists = [Hits.of_grades([rows[row][0] for row in order], unretrieved=[1]) for order in orders]
    every = {name: [find(name, family="retrieval")(hits)[0] for hits in lists] for name in NAMES}
    for name in NAMES:
        assert found[name].low[0] == pytest.approx(min(every[name]), abs=1e-12), name
        assert found[name].high[0] == pytest.approx(max(every[name]), abs=1e-12), name
        assert found[name].low[0] - 1e-12 <= found[name].value[0] <= found[name].high[0] + 1e-12


def test_without_ties_the_range_is_the_value() -> None:
    judged = Judgments.from_arrays(["1", "1", "2"], ["a", "b", "a"], [2, 0, 1])
    run = Run.from_arrays(["1", "1", "2", "2"], ["b", "a", "c", "a"], [4, 3, 2, 1])
    for found in tie_ranges(Hits.of(judged, run), NAMES).values():
        assert found.low.tolist() == found.value.tolist() == found.high.tolist()
    assert run.tied == 0


def test_all_unjudged_relevant_and_all_irrelevant() -> None:
    judged = Judgments.from_arrays(["q"] * 3, ["a", "b", "p"], [1, 0, -1])
    run = Run.from_arrays(["q"] * 4, ["a", "u", "b", "p"], [4, 3, 2, 1])
    found = unjudged_ranges(Hits.of(judged, run), ["P@4", "AP", "RR", "judged@4"])
    assert (found["P@4"].low[0], found["P@4"].high[0]) == (1 / 4, 3 / 4)
    assert found["AP"].value[0] == found["AP"].high[0] == 1
    assert found["AP"].low[0] == (1 + 1 + 3 / 4) / 3
    assert found["judged@4"].high[0] == 1


def test_what_nobody_judged_is_taken_out_of_a_condensed_list() -> None:
    judged = Judgments.from_arrays(["1", "1", "2"], ["a", "b", "a"], [0, 1, 1])
    run = Run.from_arrays(["1", "1", "1", "2", "2"], ["u", "a", "b", "u", "a"], [5, 4, 3, 2, 1])
    whole, condensed = Hits.of(judged, run), Hits.of(judged, run).condensed()
    assert whole.rank.tolist() == [2, 3, 2]
    assert condensed.rank.tolist() == [1, 2, 1]
    assert condensed.retrieved.tolist() == [2, 1]
    only_judged = Run.from_arrays(["1", "1", "2"], ["a", "b", "a"], [4, 3, 1])
    for name in ("AP", "RR", "P@2", "nDCG", "bpref", "set_P"):
        expected = evaluate(judged, only_judged, [name]).values[name]
        assert np.array_equal(find(name, family="retrieval")(condensed), expected), name


def test_where_pooled_documents_are_tied_the_range_of_inferred_precision_holds_its_value() -> None:
    judged = Judgments.from_arrays(["q"] * 3, ["d0", "d1", "x"], [-1, 2, -1])
    run = Run.from_arrays(["q"] * 4, ["d0", "d1", "d2", "d3"], [1, 1, 1, 2])
    found = tie_ranges(Hits.of(judged, run), ["infAP"])["infAP"]
    assert found.low[0] <= found.value[0] <= found.high[0]
    assert found.low[0] == pytest.approx(1 / 3)
