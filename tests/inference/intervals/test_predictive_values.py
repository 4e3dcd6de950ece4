"""Predictive values at a stated prevalence, and R's binom.test of the accuracy against the no-information rate."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri
from scipy.stats import binom, binomtest

from evalcore.classification import ConfusionMatrix
from evalcore.inference import accuracy_above_no_information, wilson
from evalcore.inference.intervals.predictive_values import predictive_value_at, ratio_interval
from tests.classification.small_inputs import thorough


@pytest.mark.parametrize(("recall", "alarms", "share"), [(0.9, 0.2, 0.3), (0.7, 0.05, 0.1), (0.95, 0.4, 0.01)])
@pytest.mark.parametrize(("positives", "negatives"), [(30, 60), (100, 100)])
def test_the_interval_covers_the_truth_in_95_of_100_samples(recall, alarms, share, positives, negatives) -> None:
    # Every sample there can be, weighted by its chance: no simulation.
    hits, false = np.meshgrid(np.arange(positives + 1), np.arange(negatives + 1), indexing="ij")
    chance = binom.pmf(hits, positives, recall) * binom.pmf(false, negatives, alarms)
    found = predictive_value_at(share, wilson(hits, positives), wilson(false, negatives))
    truth = share * recall / (share * recall + (1 - share) * alarms)
    held = (found.low <= truth) & (truth <= found.high) | np.isnan(found.estimate)
    assert 0.93 < float(chance[held].sum()) < 0.98


def test_with_many_rows_it_is_the_interval_of_the_logit() -> None:
    # Mercaldo, Lau and Zhou (2007): the delta method on the log-odds of the predictive value.
    hits, positives, false, negatives, share = 1600, 2000, 900, 6000, 0.05
    found = predictive_value_at(share, wilson(hits, positives), wilson(false, negatives))
    recall, alarms = hits / positives, false / negatives
    log_odds = np.log(share * recall / ((1 - share) * alarms))
    error = np.sqrt((1 - recall) / hits + (1 - alarms) / false)
    ends = 1 / (1 + np.exp(-(log_odds + np.array([-1, 1]) * ndtri(0.975) * error)))
    assert [float(found.low), float(found.high)] == pytest.approx(ends, abs=0.001)


def test_empty_cells_leave_bounds() -> None:
    none_wrong = predictive_value_at(0.25, wilson(30, 30), wilson(0, 20))
    assert (float(none_wrong.estimate), float(none_wrong.high)) == (1, 1)
    assert 0.6 < float(none_wrong.low) < 0.8
    none_right = predictive_value_at(0.25, wilson(0, 30), wilson(2, 20))
    assert (float(none_right.low), float(none_right.estimate)) == (0, 0)
    assert 0.3 < float(none_right.high) < 0.4
    no_result = predictive_value_at(0.25, wilson(0, 30), wilson(0, 20))
    assert np.isnan([no_result.low, no_result.estimate, no_result.high]).all()
    assert float(ratio_interval(wilson(3, 5), wilson(0, 5)).high) == np.inf


@thorough
@given(cells=st.lists(st.integers(0, 40), min_size=9, max_size=9))
def test_it_is_the_exact_binomial_test(cells: list[int]) -> None:
    counts = np.array(cells, dtype=float).reshape(3, 3)
    n = int(counts.sum())
    found = accuracy_above_no_information(ConfusionMatrix("abc", counts))
    if not n:
        assert math.isnan(found)
        return
    share = counts.sum(axis=1).max() / n
    assert found == pytest.approx(binomtest(int(counts.trace()), n, share, alternative="greater").pvalue, rel=1e-9)
