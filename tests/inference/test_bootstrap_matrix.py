"""Intervals of the measures of a square table."""

import math
import tracemalloc

import numpy as np
import pytest

from evalcore.classification import ConfusionMatrix, multiclass_kappa, multiclass_matthews, overall_accuracy
from evalcore.inference import bootstrap_matrix, wilson

TABLE = ConfusionMatrix("abc", [[300, 40, 10], [20, 400, 30], [5, 25, 170]])


def test_a_share_of_many_rows_has_nearly_the_interval_of_wilson() -> None:
    found, closed = bootstrap_matrix([overall_accuracy], TABLE)[0], wilson(870, 1000)
    assert found.estimate == 0.87
    assert (found.low, found.high) == pytest.approx((float(closed.low), float(closed.high)), abs=0.004)


def test_measures_share_their_resamples_and_a_seed_makes_them() -> None:
    together = bootstrap_matrix([overall_accuracy, multiclass_kappa], TABLE, resamples=200)
    alone = bootstrap_matrix([multiclass_kappa], TABLE, resamples=200)[0]
    assert (together[1].low, together[1].high) == (alone.low, alone.high)
    assert together[0].low < 0.87 < together[0].high


def test_what_is_undefined_has_no_bounds() -> None:
    for counts in (np.zeros((2, 2)), [[5, 0], [3, 0]]):
        found = bootstrap_matrix([multiclass_matthews], ConfusionMatrix("ab", counts), resamples=50)[0]
        assert all(math.isnan(x) for x in (found.estimate, found.low, found.high))


def test_many_classes_do_not_fill_the_memory() -> None:
    table = ConfusionMatrix(tuple(range(500)), np.eye(500) * 4 + np.eye(500, k=1))
    tracemalloc.start()
    found = bootstrap_matrix([overall_accuracy], table, resamples=20)[0]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.low < found.estimate < found.high
    assert peak < 8 * 8 * table.counts.size


def test_weights_beyond_the_whole_numbers_of_the_machine_are_certain() -> None:
    found = bootstrap_matrix([overall_accuracy], ConfusionMatrix("ab", [[3e25, 1e25], [1e25, 5e25]]), resamples=50)[0]
    assert (found.low, found.high) == pytest.approx((0.8, 0.8), rel=1e-6)
