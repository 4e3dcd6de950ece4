"""Intervals of measures of estimates: printed limits, scipy, the jackknife, clusters, weights and coverage."""

import math

import numpy as np
import pytest
import scipy.stats

from evalcore import METRICS, MetricDef, find
from evalcore.estimation import Estimates
from evalcore.inference import estimate_interval, influence, limits_of_agreement, standard_error
from tests.families import of_family

SMOOTH = [measure for measure in of_family("estimates") if measure.paired_test == "influence"]
each_smooth = pytest.mark.parametrize("measure", SMOOTH, ids=lambda measure: measure.key)
RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.gamma(4, 5, 120)
ESTIMATE = TRUTH * RANDOM.lognormal(0.05, 0.3, 120)
STATE = Estimates.from_arrays(TRUTH, ESTIMATE)


@each_smooth
def test_the_influence_is_what_leaving_a_row_out_changes(measure: MetricDef) -> None:
    """The jackknife: (n − 1) · (value of all − value without a row), up to terms of 1/n."""
    keep = ~np.eye(len(STATE), dtype=bool)
    values = np.array([float(measure(STATE[rows])) for rows in keep])
    scale = 1 if measure.key != "sum_of_squared_errors" else 0
    jackknife = (len(STATE) - 1) * (values.mean() - values) if scale else None
    own = influence(measure, STATE)
    assert own.mean() == pytest.approx(0, abs=1e-9 * np.abs(own).max())
    if jackknife is not None:
        assert np.corrcoef(own, jackknife)[0, 1] > 0.99
        assert own.std() == pytest.approx(jackknife.std(), rel=0.12)


@each_smooth
def test_a_row_of_weight_2_is_the_row_twice(measure: MetricDef) -> None:
    counts = np.arange(len(STATE)) % 3
    twice = Estimates.from_arrays(np.repeat(TRUTH, counts), np.repeat(ESTIMATE, counts))
    weighted = Estimates.from_arrays(TRUTH, ESTIMATE, weights=counts)
    assert estimate_interval(measure, weighted).ends == pytest.approx(estimate_interval(measure, twice).ends, rel=1e-9)


@each_smooth
def test_copies_of_rows_in_clusters_tell_nothing_new(measure: MetricDef) -> None:
    codes = np.repeat(np.arange(len(STATE)), 2)
    copies = Estimates.from_arrays(np.repeat(TRUTH, 2), np.repeat(ESTIMATE, 2), clusters=codes)
    alone = Estimates.from_arrays(TRUTH, ESTIMATE, clusters=np.arange(len(STATE)))
    together, single = estimate_interval(measure, copies), estimate_interval(measure, alone)
    if measure.key not in ("sum_of_squared_errors", "adjusted_r_squared"):
        assert together.ends == pytest.approx(single.ends, rel=1e-6)
    assert together.clusters == len(STATE)


def test_means_have_the_interval_of_student() -> None:
    for key, losses in (("mean_absolute_error", np.abs(ESTIMATE - TRUTH)), ("mean_error", ESTIMATE - TRUTH)):
        interval = estimate_interval(METRICS[key], STATE, 0.9)
        own = scipy.stats.ttest_1samp(losses, 0).confidence_interval(0.9)
        assert (interval.low, interval.high) == pytest.approx((own.low, own.high), rel=1e-12)


def test_the_correlation_has_the_interval_of_scipy() -> None:
    own = scipy.stats.pearsonr(TRUTH, ESTIMATE).confidence_interval(0.95)
    interval = estimate_interval(find("Pearson's r"), STATE)
    assert (interval.low, interval.high) == pytest.approx((own.low, own.high), rel=1e-12)


def test_the_root_and_the_sum_are_the_mean_in_their_unit() -> None:
    mean, root, total = (estimate_interval(find(name), STATE) for name in ("MSE", "RMSE", "SSE"))
    assert (root.low**2, root.high**2) == pytest.approx((mean.low, mean.high), rel=1e-12)
    assert total.high == pytest.approx(len(STATE) * mean.high, rel=1e-12)


@pytest.mark.parametrize("name", ["MAE", "RMSE", "R2", "CCC", "rho", "median absolute error", "D² absolute error"])
def test_intervals_hold_the_true_value_as_often_as_they_say(name: str) -> None:
    name = {"rho": "Spearman correlation"}.get(name, name)
    random, measure, held, samples = np.random.default_rng(11), find(name), 0, 300

    def drawn(n: int) -> Estimates:
        truth = random.normal(10, 3, n)
        return Estimates.from_arrays(truth, truth + random.normal(0.2, 1.5, n))

    true = float(measure(drawn(400_000)))
    for _ in range(samples):
        interval = estimate_interval(measure, drawn(80))
        held += interval.low <= true <= interval.high
    assert 0.91 < held / samples < 0.985


def test_limits_of_agreement_are_those_that_bland_and_altman_print() -> None:
    """1999, systolic blood pressure of 85 people: mean −16.29, standard deviation 19.61."""
    z = np.random.default_rng(2).normal(size=85)
    errors = (z - z.mean()) / z.std(ddof=1) * 19.61 - 16.29
    limits = limits_of_agreement(Estimates.from_arrays(np.zeros(85), errors))
    assert [round(limits.lower.estimate, 1), round(limits.upper.estimate, 1)] == [-54.7, 22.1]
    # Printed with a standard error of 1.71 s/√n.
    assert (limits.lower.low, limits.lower.high) == pytest.approx((-61.9, -47.5), abs=0.15)
    assert (limits.upper.low, limits.upper.high) == pytest.approx((14.9, 29.3), abs=0.15)


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_few_rows_have_no_interval_and_no_error(rows: int) -> None:
    state = Estimates.from_arrays(TRUTH[:rows], ESTIMATE[:rows])
    for measure in of_family("estimates"):
        interval = estimate_interval(measure, state)
        assert rows == 2 or (math.isnan(interval.low) and math.isnan(interval.high))
    assert rows > 2 or math.isnan(limits_of_agreement(state).lower.low)


def test_one_cluster_has_no_standard_error() -> None:
    assert math.isnan(standard_error(np.array([1.0, -1.0]), Estimates(*np.zeros((2, 2)), clusters=np.zeros(2, int)))[0])
    with pytest.raises(ValueError, match="Maximum error has no influence"):
        influence(find("max_error"), STATE)
