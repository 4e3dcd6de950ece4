"""The threshold with a wanted value of a measure, beside a look at every row."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS
from evalcore.classification import NoThreshold, ScoredLabels, threshold_for_value
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
            threshold_for_value(table, METRICS[key], value, side)
        return
    choice = threshold_for_value(table, METRICS[key], value, side)
    row, reached = table.index(choice.threshold), choice.value
    assert table.thresholds[row] == choice.threshold
    assert values[row] == reached
    assert allowed[row]
    assert abs(reached - value) == pytest.approx(np.abs(values[allowed] - value).min())
    equally = allowed & (np.abs(np.abs(values - value) - abs(reached - value)) < 1e-12)
    errors = table.counts.fn + table.counts.fp
    assert errors[row] == errors[equally].min()


def test_what_is_met_but_for_rounding_is_met() -> None:
    table = ScoredLabels.from_arrays([True] * 10, np.arange(10.0)).table()
    assert threshold_for_value(table, METRICS["recall"], 0.1 * 3, "at least").value == pytest.approx(0.3)


def test_a_measure_that_is_undefined_everywhere_is_said_so() -> None:
    table = ScoredLabels.from_arrays([False, False], [1.0, 2.0]).table()
    with pytest.raises(NoThreshold, match="undefined at every threshold"):
        threshold_for_value(table, METRICS["recall"], 0.5)


def test_nothing_called_positive_is_a_threshold_too() -> None:
    table = ScoredLabels.from_arrays([True, False], [2.0, 1.0]).table()
    choice = threshold_for_value(table, METRICS["recall"], 0.0)
    assert (choice.threshold, choice.value) == (math.inf, 0.0)


def test_an_infinite_value_is_reached_where_the_measure_is_infinite() -> None:
    table = ScoredLabels.from_arrays([True, False, True], [3.0, 2.0, 1.0]).table()
    choice = threshold_for_value(table, METRICS["positive_likelihood_ratio"], math.inf, "at least")
    assert (choice.threshold, choice.value) == (3.0, math.inf)
