"""The threshold with a wanted value of a measure, beside a look at every row."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS
from evalcore.classification import NoThreshold, ScoredLabels
from evalcore.classification.going import threshold_with
from tests.classification.small_inputs import thorough

ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=12)
MEASURES = st.sampled_from(["recall", "precision", "specificity", "f_beta", "accuracy", "negative_predictive_value"])


@thorough
@given(ROWS, MEASURES, st.integers(0, 20).map(lambda k: k / 20), st.sampled_from(["nearest", "at least", "at most"]))
def test_no_row_on_that_side_is_nearer(rows, key, value, side) -> None:
    table = ScoredLabels.from_arrays([label for label, _ in rows], [float(score) for _, score in rows]).table()
    values = METRICS[key](table.counts)
    allowed = {"nearest": values == values, "at least": values >= value - 1e-9, "at most": values <= value + 1e-9}[side]
    if not allowed.any():
        with pytest.raises(NoThreshold):
            threshold_with(table, METRICS[key], value, side)
        return
    threshold, reached = threshold_with(table, METRICS[key], value, side)
    row = table.index(threshold)
    assert table.thresholds[row] == threshold
    assert values[row] == reached
    assert allowed[row]
    assert abs(reached - value) == pytest.approx(np.abs(values[allowed] - value).min())
    equally = allowed & (np.abs(np.abs(values - value) - abs(reached - value)) < 1e-12)
    errors = table.counts.fn + table.counts.fp
    assert errors[row] == errors[equally].min()


def test_what_is_met_but_for_rounding_is_met() -> None:
    table = ScoredLabels.from_arrays([True] * 10, np.arange(10.0)).table()
    assert threshold_with(table, METRICS["recall"], 0.1 * 3, "at least")[1] == pytest.approx(0.3)


def test_a_measure_that_is_undefined_everywhere_is_said_so() -> None:
    table = ScoredLabels.from_arrays([False, False], [1.0, 2.0]).table()
    with pytest.raises(NoThreshold, match="recall is undefined at every threshold"):
        threshold_with(table, METRICS["recall"], 0.5)


def test_nothing_called_positive_is_a_threshold_too() -> None:
    table = ScoredLabels.from_arrays([True, False], [2.0, 1.0]).table()
    assert threshold_with(table, METRICS["recall"], 0.0) == (math.inf, 0.0)
