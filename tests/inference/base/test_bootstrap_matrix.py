"""Intervals of the measures of a square table."""

import math
import tracemalloc

import numpy as np
import pytest

from evalcore.classification import (
    ConfusionMatrix,
    macro_recall,
    multiclass_kappa,
    multiclass_matthews,
    overall_accuracy,
)
from evalcore.inference import bootstrap_matrix, wilson
from evalcore.inference.base.resampling import values_of_tables
from tests.registry.families import each_of

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


@each_of("matrix", "measure")
def test_many_tables_at_once_are_measured_as_one_after_the_other(measure) -> None:
    random = np.random.default_rng(7)
    for k in (1, 2, 3, 12):
        tables = random.poisson(1.0, (200, k, k)).astype(float)  # some without rows, many with a class that has none
        tables[:50, :, 0] = tables[50:99, 0] = 0
        one_by_one = [measure(ConfusionMatrix(range(k), table)) for table in tables]
        assert measure.stacked
        assert values_of_tables([measure], tuple(range(k)), tables)[:, 0] == pytest.approx(
            one_by_one, rel=1e-12, abs=1e-15, nan_ok=True
        )
        slowly = values_of_tables([measure.function, measure.function], tuple(range(k)), tables)
        assert np.array_equal(slowly, np.transpose([one_by_one, one_by_one]), equal_nan=True)


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


def test_a_measure_that_few_rows_decide_has_a_wider_interval_and_a_note() -> None:
    """Of the 97 % right of 200 rows six are wrong: percentiles alone hold macro recall in 86 %."""
    random, shares, held = np.random.default_rng(4), np.array([0.4, 0.3, 0.2, 0.1]), []
    noted: list[bool] = []
    cells = 0.97 * np.diag(shares) + 0.03 * np.outer(shares, shares)
    true = float(np.mean(np.diag(cells) / cells.sum(axis=1)))
    for _ in range(200):
        matrix = ConfusionMatrix("abcd", random.multinomial(200, cells.ravel()).reshape(4, 4).astype(float))
        (interval,) = bootstrap_matrix([macro_recall], matrix, resamples=250)
        if not np.isnan(interval.low):
            held.append(interval.low <= true <= interval.high)
            noted.append(bool(interval.note))
    assert np.mean(held) > 0.91
    assert np.mean(noted) > 0.5
