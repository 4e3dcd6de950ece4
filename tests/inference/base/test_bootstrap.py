"""Resamples of four counts and the intervals read off them."""

import math

import numpy as np
import pytest

from evalcore.classification import ConfusionCounts, matthews_correlation, precision, recall
from evalcore.inference import bootstrap, wilson
from evalcore.inference.base.resampling import resampled_counts
from tests.registry.families import each_of

CANCER = ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)


def test_a_resample_has_as_many_rows() -> None:
    drawn = resampled_counts(CANCER, 500)
    assert drawn.tp.shape == (500,)
    assert np.all(drawn.total == 2030)


def test_resamples_scatter_as_rows_drawn_with_replacement_do() -> None:
    rows = np.repeat([0, 1, 2, 3], [20, 180, 10, 1820])
    draws = np.random.default_rng(1).choice(rows, size=(4000, len(rows)))
    drawn = resampled_counts(CANCER, 4000)
    for cell, code in (("tp", 0), ("fp", 1), ("fn", 2), ("tn", 3)):
        by_rows, by_counts = (draws == code).sum(axis=1), getattr(drawn, cell)
        assert by_counts.mean() == pytest.approx(by_rows.mean(), abs=4 * by_rows.std() / math.sqrt(2000))
        assert by_counts.std() == pytest.approx(by_rows.std(), rel=0.08)


def test_the_same_seed_gives_the_same_interval_and_another_seed_another() -> None:
    first, again, other = (bootstrap(matthews_correlation, CANCER, seed=seed) for seed in (3, 3, 4))
    assert (first.low, first.high) == (again.low, again.high)
    assert (first.low, first.high) != (other.low, other.high)


def test_a_share_of_many_rows_has_nearly_the_interval_of_wilson() -> None:
    many = ConfusionCounts(tp=4000, fp=1000, fn=500, tn=9000)
    found, closed = bootstrap(precision, many), wilson(4000, 5000)
    assert (found.low, found.high) == pytest.approx((float(closed.low), float(closed.high)), abs=0.002)


def test_a_higher_level_is_a_wider_interval() -> None:
    narrow, wide = (bootstrap(matthews_correlation, CANCER, level) for level in (0.8, 0.99))
    assert wide.low < narrow.low < narrow.estimate < narrow.high < wide.high


@each_of("counts", "measure")
def test_every_interval_stays_in_the_range_of_its_measure(measure) -> None:
    interval = bootstrap(measure, CANCER)
    assert measure.lowest <= interval.low <= interval.high <= measure.highest


def test_what_is_undefined_in_most_resamples_has_no_interval() -> None:
    nobody_called = ConfusionCounts(tp=0, fp=0, fn=10, tn=90)
    assert math.isnan(bootstrap(precision, nobody_called).low)
    assert math.isnan(bootstrap(recall, ConfusionCounts(0, 0, 0, 0)).high)


@pytest.mark.parametrize("level", [0, 1, -1, math.nan])
def test_a_level_that_is_no_share_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        bootstrap(precision, CANCER, level)


@pytest.mark.parametrize("unit", [1e19, 1e30])
def test_weights_beyond_the_whole_numbers_of_the_machine_are_certain(unit: float) -> None:
    found = bootstrap(precision, ConfusionCounts(*(cell * unit for cell in (20, 180, 10, 1820))))
    assert found.low < found.estimate < found.high
    assert (found.low, found.high) == pytest.approx((0.1, 0.1), rel=1e-6)
