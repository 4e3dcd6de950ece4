"""Prediction intervals: measures against their definitions, the door, and quantiles that are right by construction."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import MetricDef, find
from evalcore.estimation import Estimates, PredictionIntervals, interval_score, mean_pinball_loss
from evalcore.inference import share_of_rows
from tests.estimation.definitions import OF_INTERVALS
from tests.registry.families import each_of

numbers = st.integers(-4, 8).map(lambda k: k / 2)
tables = st.lists(st.tuples(numbers, numbers, numbers, st.integers(0, 2)), max_size=8)


@each_of("prediction intervals")
@settings(max_examples=40, deadline=None)
@given(rows=tables)
def test_the_definition_row_by_row(definition: MetricDef, rows: list[tuple[float, float, float, int]]) -> None:
    repeated = [(y, low, high) for y, low, high, weight in rows for _ in range(weight)]
    columns = [np.array(column, dtype=float) for column in (zip(*rows, strict=True) if rows else [()] * 4)]
    state = PredictionIntervals.from_arrays(*columns[:3], level=0.8, weights=columns[3])
    expected = OF_INTERVALS[definition.key](repeated, 0.8)
    assert definition(state) == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)


def test_the_interval_score_is_the_pinball_loss_of_both_ends() -> None:
    """Gneiting and Raftery (2007): the score is 2/α times the sum of the two losses."""
    random = np.random.default_rng(0)
    truth, low = random.normal(size=(2, 50))
    high = low + random.gamma(2, 1, 50)
    lower, upper = (Estimates.from_arrays(truth, end) for end in (low, high))
    both = mean_pinball_loss(lower, 0.05) + mean_pinball_loss(upper, 0.95)
    assert interval_score(PredictionIntervals.from_arrays(truth, low, high, 0.9)) == pytest.approx(20 * both, rel=1e-12)


def test_ends_that_are_crossed_cover_nothing_and_a_level_is_a_share() -> None:
    rows = PredictionIntervals.from_arrays([1.0, 2.0], [2.0, 0.0], [0.0, 4.0])
    assert find("PICP")(rows) == 0.5
    with pytest.raises(ValueError, match="level is 95"):
        PredictionIntervals.from_arrays([1.0], [0.0], [2.0], 95)
    with pytest.raises(ValueError, match=r"low is nan.*row 0"):
        PredictionIntervals.from_arrays([1.0], [math.nan], [2.0])


def test_a_share_of_rows_has_wilsons_interval_and_clusters_widen_it() -> None:
    chosen = np.array([True, False] * 20)
    alone, state = share_of_rows(chosen, Estimates(*np.zeros((2, 40)))), Estimates(*np.zeros((2, 40)))
    together = share_of_rows(np.repeat(chosen[:8], 5), Estimates(state.truth, state.estimate, None, np.arange(40) // 5))
    assert alone.estimate == together.estimate == 0.5
    assert together.high - together.low > 1.5 * (alone.high - alone.low)
