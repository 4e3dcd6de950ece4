"""Gains given by a table: grade 0 may be worth something, and the highest grade may not be worth the most."""

import numpy as np
import pytest

from evalcore import find
from evalcore.retrieval import Hits, Judgments, Run, evaluate, graded_table


def test_what_nobody_judged_gains_nothing_even_where_grade_0_does() -> None:
    hits = Hits.of_grades([None, 0, 2])
    table = graded_table(hits, gain="0:1")
    assert table.gain.tolist() == [0, 1, 2]
    assert table.dcg[-1] == find("DCG(gain=0:1)", family="retrieval")(hits)[0]


def test_the_best_gain_need_not_be_that_of_the_highest_grade() -> None:
    hits = Hits.of_grades([2, 1])
    name = "nCG(gain=1:9;2:1)"
    assert find(name, family="retrieval")(hits)[0] == (1 + 9) / 18
    assert np.array_equal(graded_table(hits, gain="1:9;2:1").normalised_cg, [1 / 9, 10 / 18])


def test_grades_whose_exponential_gain_no_float_holds_still_have_shares() -> None:
    queries, documents = ["a", "a", "a", "b", "b"], ["x", "y", "z", "x", "y"]
    judged = Judgments.from_arrays(queries, documents, [4000, 3999, 0, 2, 1])
    run = Run.from_arrays(queries, documents, [1, 2, 3, 1, 2])
    names = ["nDCG(gain=exp)", "nDCG(gain=exp)@2", "nCG(gain=exp)@3", "ERR", "DCG(gain=exp)"]
    found = evaluate(judged, run, names).values
    gained, ideal = 0.5 / np.log2(3) + 1 / 2, 1 + 0.5 / np.log2(3)
    assert found["nDCG(gain=exp)"] == pytest.approx([gained / ideal, (1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3))])
    assert found["nDCG(gain=exp)@2"][0] == pytest.approx(0.5 / np.log2(3) / ideal)
    assert found["nCG(gain=exp)@3"] == pytest.approx([0.5, 0])
    assert found["ERR"] == pytest.approx([0.5 / 2 + 0.5 * 1 / 3, 0])
    assert found["DCG(gain=exp)"][0] == np.inf
    table = graded_table(Hits.of(judged, run), gain="exp")
    assert table.ndcg == pytest.approx([0, 0.5 / np.log2(3) / ideal, gained / ideal])
    assert table.normalised_cg == pytest.approx([0, 0.25, 0.5])
