"""Intervals of measures of estimates: printed limits, scipy, the jackknife, clusters, weights and coverage."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from evalcore import METRICS, MetricDef, find
from evalcore.estimation import Estimates
from evalcore.inference import (
    Interval,
    estimate_interval,
    influence,
    limits_of_agreement,
    mean_interval,
    share_of_rows,
    standard_error,
)
from evalcore.inference.intervals.estimates import mean_of_rows
from tests.registry.families import of_family

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


def test_the_mean_error_has_the_interval_of_student() -> None:
    interval = estimate_interval(find("bias"), STATE, 0.9)
    own = scipy.stats.ttest_1samp(ESTIMATE - TRUTH, 0).confidence_interval(0.9)
    assert (interval.low, interval.high) == pytest.approx((own.low, own.high), rel=1e-12)


def test_a_mean_loss_has_the_interval_of_its_logarithm() -> None:
    losses = np.abs(ESTIMATE - TRUTH)
    n, mean = len(losses), losses.mean()
    degrees = min(2 * n / (scipy.stats.kurtosis(losses, fisher=False) - 1), n - 1)
    reach = scipy.stats.t(degrees).ppf(0.975) * losses.std(ddof=1) / math.sqrt(n) / mean
    interval = estimate_interval(METRICS["mean_absolute_error"], STATE)
    assert (interval.low, interval.high) == pytest.approx((mean * math.exp(-reach), mean * math.exp(reach)))


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


def coverage_of_skewed(intervals, rows: int, samples: int) -> dict[str, float]:
    """How often intervals of exponential truth with Laplace errors hold the values of a large sample."""
    random, held = np.random.default_rng(3), []

    def drawn(n: int) -> Estimates:
        truth = random.exponential(size=n)
        return Estimates.from_arrays(truth, truth + random.laplace(0, 0.3, n))

    true = {key: interval.estimate for key, interval in intervals(drawn(1_000_000)).items()}
    for _ in range(samples):
        held.append({key: one.low <= true[key] <= one.high for key, one in intervals(drawn(rows)).items()})
    return {key: float(np.mean([one[key] for one in held])) for key in true}


def test_correlations_and_limits_of_agreement_need_no_normal_distribution() -> None:

    def intervals(state: Estimates) -> dict[str, Interval]:
        limits = limits_of_agreement(state)
        keys = ("pearson_correlation", "concordance_correlation", "root_mean_squared_error")
        found = {key: estimate_interval(METRICS[key], state) for key in keys}
        return found | {"lower": limits.lower, "upper": limits.upper}

    for key, share in coverage_of_skewed(intervals, 300, 400).items():
        assert 0.92 < share < 0.98, key


def test_ties_do_not_widen_the_interval_of_spearmans_correlation() -> None:
    random, measure = np.random.default_rng(5), find("Spearman correlation")
    truth = random.poisson(1.5, (300, 150)).astype(float)
    states = [Estimates.from_arrays(row, row + random.integers(-1, 2, 150)) for row in truth]
    values = [float(measure(state)) for state in states]
    errors = [standard_error(influence(measure, state), state)[0] for state in states]
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.12)


@pytest.mark.parametrize("errors_with", [1, -1], ids=["weights with errors", "weights against errors"])
def test_importance_weights_may_go_with_the_errors(errors_with: int) -> None:
    """The variance is Σw²v²; Kish's factor takes weights and errors for unrelated."""
    random, samples, rows = np.random.default_rng(8), 400, 300
    held, errors, values = 0, [], []

    def drawn(n: int) -> Estimates:
        noise = random.normal(size=n)
        weights = random.lognormal(0, 0.3, n) * (0.3 + np.abs(noise)) ** errors_with
        return replace(Estimates.from_arrays(np.zeros(n), noise, weights), importance=True)

    true = METRICS["mean_error"](drawn(2_000_000))
    for _ in range(samples):
        interval = estimate_interval(METRICS["mean_error"], state := drawn(rows))
        held += interval.low <= true <= interval.high
        errors.append(standard_error(influence(METRICS["mean_error"], state), state)[0])
        values.append(interval.estimate)
    assert 0.925 < held / samples < 0.975
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.1)


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_few_rows_have_no_interval_and_no_error(rows: int) -> None:
    state = Estimates.from_arrays(TRUTH[:rows], ESTIMATE[:rows])
    for measure in of_family("estimates"):
        interval = estimate_interval(measure, state)
        assert rows == 2 or (math.isnan(interval.low) and math.isnan(interval.high))
    assert rows > 2 or math.isnan(limits_of_agreement(state).lower.low)


def test_one_cluster_has_no_standard_error() -> None:
    assert math.isnan(standard_error(np.array([1.0, -1.0]), Estimates(*np.zeros((2, 2)), clusters=np.zeros(2, int)))[0])
    with pytest.raises(ValueError, match="Maximum error"):
        influence(find("max_error"), STATE)


def test_a_share_of_rows_with_importance_weights_varies_as_its_interval_says() -> None:
    """Small weights where the errors are large: Kish's number makes the interval half as wide again as it need be."""
    random, held, widths, values = np.random.default_rng(9), 0, [], []

    def drawn(n: int) -> Estimates:
        noise = random.normal(size=n)
        weights = random.lognormal(0, 0.3, n) / (0.3 + np.abs(noise))
        return replace(Estimates.from_arrays(np.zeros(n), noise, weights), importance=True)

    large = drawn(1_000_000)
    true = large.mean((np.abs(large.error) < 1) * 1.0)
    for _ in range(300):
        state = drawn(300)
        interval = share_of_rows(np.abs(state.error) < 1, state)
        held += interval.low <= true <= interval.high
        widths.append(interval.high - interval.low)
        values.append(interval.estimate)
    assert 0.91 < held / 300 < 0.98
    assert np.mean(widths) == pytest.approx(2 * 1.96 * np.std(values), rel=0.15)


def test_a_mean_of_distances_over_images_never_reaches_below_0() -> None:
    distances = [0.0, 0.1, 0.1, 0.2, 9.0]
    assert mean_interval(distances).low < 0 < mean_interval(distances, skewed=True).low
    assert mean_interval(distances, skewed=True).high > mean_interval(distances).high


@pytest.mark.parametrize("law", ["normal", "errors that grow", "shares of small numbers"])
def test_a_note_says_where_few_of_many_rows_decide_on_a_value(law: str) -> None:
    """Of 200 rows RMSE holds in 88 % of samples with such errors, limits of agreement in 90 %, MAPE in 81 %."""
    warned: dict[str, list[bool]] = {name: [] for name in ("RMSE", "MAPE", "mean absolute error", "lower", "upper")}
    for seed in range(200):
        random = np.random.default_rng([21, seed])
        noise = random.normal(size=200)
        truth = {"normal": random.normal(10, 1, 200), "errors that grow": random.lognormal(size=200)}
        given = truth.get(law, random.gamma(1.5, size=200))
        state = Estimates.from_arrays(given, given + (0.3 * given if law == "errors that grow" else 0.5) * noise)
        limits = limits_of_agreement(state)
        each = {name: estimate_interval(find(name), state) for name in list(warned)[:3]}
        for name, interval in (each | {"lower": limits.lower, "upper": limits.upper}).items():
            warned[name].append("Few rows" in interval.caution)
    shares = {name: float(np.mean(each)) for name, each in warned.items()}
    match law:
        case "normal":
            assert max(shares.values()) <= 0.05
        case "errors that grow":
            assert min(shares["RMSE"], shares["lower"], shares["upper"]) > 0.8
        case _:
            assert shares["MAPE"] > 0.7


def test_rows_that_all_cost_the_same_have_no_note_beside_no_interval() -> None:
    state = Estimates.from_arrays([1, 2, 3], [2, 3, 4])
    each = [estimate_interval(find(name), state) for name in ("MAE", "RMSE", "R²", "bias")]
    assert [one.caution for one in each[:2] + each[3:]] == [""] * 3
    assert all(math.isnan(one.low) == (not one.caution) for one in each[:3])
    assert mean_of_rows(np.ones(3), state).caution == ""
