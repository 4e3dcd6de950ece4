"""Gains given by a table: grade 0 may be worth something, and the highest grade may not be worth the most."""

import numpy as np

from evalcore import find
from evalcore.retrieval import Hits, graded_table


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
