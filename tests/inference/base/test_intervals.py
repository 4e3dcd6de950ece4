"""Intervals: Wilson as the roots of its equation, Clopper–Pearson as tails, DeLong by all pairs, odds by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evalcore import find
from evalcore.classification import ConfusionCounts, ProbabilityTable, ScoredLabels, reliability_bins, roc_auc
from evalcore.inference import (
    PairedCounts,
    agresti_coull,
    bootstrap,
    bootstrap_losses,
    bootstrap_score_differences,
    calibration_error_by_chance,
    clopper_pearson,
    compare_losses,
    delong,
    jeffreys,
    log_ratio_interval,
    paired_differences,
    perfect_area_bound,
    randomization,
    wilson,
)
from tests.classification.definitions import delong_variance
from tests.classification.small_inputs import state, thorough, two_classes, whole

PROPORTIONS = [wilson, clopper_pearson, agresti_coull, jeffreys]
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
proportions = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda ab: (ab[0], sum(ab))).filter(lambda p: p[1])


@thorough
@given(found=proportions, level=st.sampled_from(LEVELS))
def test_wilson_holds_the_proportions_that_a_score_test_does_not_reject(found, level: float) -> None:
    """The bounds solve (x/n − p)² = z² p (1 − p)/n."""
    x, n = found
    share, z = x / n, stats.norm.ppf((1 + level) / 2)
    roots = np.roots([1 + z * z / n, -(2 * share + z * z / n), share * share])
    interval = wilson(x, n, level)
    assert float(interval.low) == pytest.approx(min(roots.real), abs=1e-9)
    assert float(interval.high) == pytest.approx(max(roots.real), abs=1e-9)
    assert 0 <= interval.low <= share <= interval.high <= 1


@thorough
@given(found=proportions, level=st.sampled_from(LEVELS))
def test_clopper_pearson_stops_where_a_tail_of_the_binomial_is_half_of_what_is_left(found, level: float) -> None:
    x, n = found
    interval, tail = clopper_pearson(x, n, level), (1 - level) / 2
    if x:
        assert stats.binom.sf(x - 1, n, float(interval.low)) == pytest.approx(tail, rel=1e-8)
    else:
        assert interval.low == 0
    if x < n:
        assert stats.binom.cdf(x, n, float(interval.high)) == pytest.approx(tail, rel=1e-8)
    else:
        assert interval.high == 1
    assert interval.low <= x / n <= interval.high


@thorough
@given(found=proportions, level=st.sampled_from(LEVELS))
def test_agresti_coull_is_wald_after_pseudo_counts(found, level: float) -> None:
    x, n = found
    z = stats.norm.ppf((1 + level) / 2)
    share = (x + z * z / 2) / (n + z * z)
    half = z * math.sqrt(share * (1 - share) / (n + z * z))
    interval, scored = agresti_coull(x, n, level), wilson(x, n, level)
    assert float(interval.low) == pytest.approx(max(share - half, 0), abs=1e-12)
    assert float(interval.high) == pytest.approx(min(share + half, 1), abs=1e-12)
    assert interval.low <= scored.low + 1e-12
    assert interval.high >= scored.high - 1e-12


@thorough
@given(found=proportions, level=st.sampled_from(LEVELS))
def test_jeffreys_leaves_half_of_the_rest_of_a_beta_law_on_either_side(found, level: float) -> None:
    x, n = found
    interval, posterior = jeffreys(x, n, level), stats.beta(x + 0.5, n - x + 0.5)
    if x:
        assert posterior.cdf(float(interval.low)) == pytest.approx((1 - level) / 2, rel=1e-7)
    if x < n:
        assert posterior.sf(float(interval.high)) == pytest.approx((1 - level) / 2, rel=1e-7)


@pytest.mark.parametrize("method", PROPORTIONS)
def test_intervals_of_proportions_at_the_edges(method) -> None:
    assert (float(method(0, 10).low), float(method(10, 10).high)) == (0.0, 1.0)
    nothing = method(0, 0)
    assert all(math.isnan(x) for x in (nothing.estimate, nothing.low, nothing.high))
    many = method([[0, 1, 2], [3, 4, 0]], [[5, 5, 5], [5, 5, 0]])
    assert many.low.shape == many.high.shape == (2, 3)
    assert np.isnan(many.low[1, 2])
    for i, j in np.ndindex(1, 3):
        one = method(j, 5)
        assert (float(one.low), float(one.high)) == (many.low[i, j], many.high[i, j])


@pytest.mark.parametrize("method", PROPORTIONS)
def test_the_other_outcome_has_the_mirrored_interval(method) -> None:
    for x in range(12):
        there, back = method(x, 11), method(11 - x, 11)
        assert float(there.low) == pytest.approx(1 - float(back.high), abs=1e-14)


@pytest.mark.parametrize("method", PROPORTIONS)
@pytest.mark.parametrize(("x", "n"), [(-1, 5), (6, 5), ([1, 7], [5, 5])])
def test_no_proportion(method, x, n) -> None:
    with pytest.raises(ValueError, match="0 <= successes <= n"):
        method(x, n)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan])
def test_a_level_that_is_none(level: float) -> None:
    scored = ScoredLabels.from_arrays([True, False] * 2, [4, 3, 2, 1])
    for question in (
        lambda: wilson(1, 2, level),
        lambda: clopper_pearson(1, 2, level),
        lambda: delong(scored, level),
        lambda: log_ratio_interval(find("DOR"), ConfusionCounts(1, 2, 3, 4), level),
    ):
        with pytest.raises(ValueError, match="between 0 and 1"):
            question()


@thorough
@given(found=two_classes(), level=st.sampled_from(LEVELS))
def test_delong_is_the_variance_over_all_pairs(found, level: float) -> None:
    scored = state(found, weighted=False)
    interval, z = delong(scored, level, logit=False), stats.norm.ppf((1 + level) / 2)
    auc, error = roc_auc(scored), math.sqrt(delong_variance(found))
    assert float(interval.estimate) == auc
    logit = delong(scored, level)
    if error < 1e-12:
        assert np.isnan([interval.low, interval.high, logit.low, logit.high]).all()
    else:
        assert float(interval.low) == pytest.approx(max(auc - z * error, 0), abs=1e-12)
        assert float(interval.high) == pytest.approx(min(auc + z * error, 1), abs=1e-12)
        half = z * error / (auc * (1 - auc))
        for bound, sign in ((logit.low, -1), (logit.high, 1)):
            odds = math.log(auc / (1 - auc)) + sign * half
            assert math.log(float(bound)) - math.log1p(-float(bound)) == pytest.approx(odds, rel=1e-9, abs=1e-9)


@thorough
@given(found=two_classes(whole))
def test_delong_takes_a_weight_of_two_as_two_rows(found) -> None:
    repeated = [row for row in found for _ in range(int(row[2]))]
    a, b = delong(state(found)), delong(state(repeated, weighted=False))
    assert (float(a.low), float(a.high)) == pytest.approx((float(b.low), float(b.high)), abs=1e-12, nan_ok=True)


def test_delong_needs_two_rows_of_each_class() -> None:
    for labels in ([True, False], [True, True, False], [True, False, False], [True, True], []):
        interval = delong(ScoredLabels.from_arrays(labels, range(len(labels))))
        assert math.isnan(interval.low)
        assert math.isnan(interval.high)


@pytest.mark.parametrize(("scores", "area"), [([4, 3, 2, 1], 1), ([1, 2, 3, 4], 0), ([1, 1, 1, 1], 0.5)])
@pytest.mark.parametrize("logit", [True, False])
def test_an_order_without_variance_has_no_interval(scores: list[int], area: float, logit: bool) -> None:
    """A point would claim certainty."""
    interval = delong(ScoredLabels.from_arrays([True, True, False, False], scores), logit=logit)
    assert float(interval.estimate) == area
    assert np.isnan([interval.low, interval.high]).all()


def test_the_bound_of_a_perfect_order_is_the_rule_of_three() -> None:
    """If 5 % of the pairs of different rows were ordered wrongly, 0.95^m of the samples would show none."""
    for m in (3, 20, 1000):
        perfect = ScoredLabels.from_arrays([True] * m + [False] * 2 * m, range(3 * m, 0, -1))
        wrong = perfect_area_bound(perfect)
        assert (1 - wrong) ** m == pytest.approx(0.05)
        assert wrong == pytest.approx(float(clopper_pearson(0, m, level=0.9).high))
    assert wrong == pytest.approx(3 / 1000, rel=4e-3)
    assert math.isnan(perfect_area_bound(ScoredLabels.from_arrays([True, False] * 2, [4, 3, 2, 1])))


def test_the_bound_of_a_perfect_order_takes_each_cluster_once() -> None:
    labels, scores = [True] * 30 + [False] * 60, range(90, 0, -1)

    def bound(clusters: list[int]) -> float:
        return perfect_area_bound(ScoredLabels.from_arrays(labels, scores, clusters=clusters))

    assert bound(list(range(90))) == perfect_area_bound(ScoredLabels.from_arrays(labels, scores))
    assert (1 - bound([row // 10 for row in range(90)])) ** 3 == pytest.approx(0.05)  # three of nine are positive
    assert (1 - bound([row % 10 for row in range(90)])) ** 5 == pytest.approx(0.05)  # ten with rows of both classes
    assert math.isnan(bound([1] * 90))


def test_delong_of_a_long_table_agrees_with_the_placements_of_scipy_ranks() -> None:
    random = np.random.default_rng(12)
    labels = random.random(300_000) < 0.3
    scores = np.round(random.normal(size=len(labels)) + labels, 3)
    together, positives, negatives = (stats.rankdata(x) for x in (scores, scores[labels], scores[~labels]))
    m, n = len(positives), len(negatives)
    of_positives = (together[labels] - positives) / n
    of_negatives = 1 - (together[~labels] - negatives) / m
    error = math.sqrt(of_positives.var(ddof=1) / m + of_negatives.var(ddof=1) / n)
    interval = delong(ScoredLabels.from_arrays(labels, scores))
    assert float(interval.estimate) == pytest.approx(of_positives.mean(), rel=1e-12)
    plain = delong(ScoredLabels.from_arrays(labels, scores), logit=False)
    assert float(plain.high - plain.low) == pytest.approx(2 * stats.norm.ppf(0.975) * error, rel=1e-10)


@pytest.mark.parametrize(
    ("symbol", "variance"),
    [
        ("LR+", 1 / 20 - 1 / 30 + 1 / 180 - 1 / 2000),
        ("LR−", 1 / 10 - 1 / 30 + 1 / 1820 - 1 / 2000),
        ("DOR", 1 / 20 + 1 / 180 + 1 / 10 + 1 / 1820),
        # Precision over prevalence: 20 of 200 flagged rows, 30 of 2030 rows.
        ("lift", 1 / 20 - 1 / 200 - 1 / 30 - 1 / 2030 + 2 * 20 / (200 * 30)),
    ],
)
def test_the_logarithm_of_a_ratio_is_normal(symbol: str, variance: float) -> None:
    counts = ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)
    interval = log_ratio_interval(find(symbol), counts, level=0.9)
    middle, half = math.log(find(symbol)(counts)), stats.norm.ppf(0.95) * math.sqrt(variance)
    assert float(interval.low) == pytest.approx(math.exp(middle - half), rel=1e-13)
    assert float(interval.high) == pytest.approx(math.exp(middle + half), rel=1e-13)


def test_ratios_without_an_interval_say_so() -> None:
    empty_cells = ConfusionCounts(tp=[0, 5, 5, 5, 0], fp=[1, 0, 1, 1, 0], fn=[1, 1, 0, 1, 0], tn=[1, 1, 1, 0, 0])
    for symbol in ("LR+", "LR−", "DOR", "lift"):
        interval = log_ratio_interval(find(symbol), empty_cells)
        defined = np.isfinite(interval.low)
        assert (np.isfinite(interval.high) == defined).all()
        assert not defined[4]
        assert (interval.low[defined] <= interval.high[defined]).all()
    assert not np.isfinite(log_ratio_interval(find("DOR"), empty_cells).low).any()
    with pytest.raises(ValueError, match=r"logarithm.*LR"):
        log_ratio_interval(find("F1"), empty_cells)


def test_what_is_not_a_number_has_no_interval() -> None:
    for interval in (method(math.nan, 3) for method in PROPORTIONS):
        assert all(math.isnan(part) for part in (interval.estimate, interval.low, interval.high))


_SAID = [0.25, 0.5, 0.75, 0.5]
_STATED = ProbabilityTable.from_event([0, 1, 1, 0], _SAID, positive=1)


@pytest.mark.parametrize("draws", [0, -1])
@pytest.mark.parametrize(
    "drawing",
    [
        lambda b: bootstrap(find("F1"), ConfusionCounts(2.0, 1.0, 1.0, 3.0), resamples=b),
        lambda b: paired_differences([find("F1")], PairedCounts(np.ones((2, 2, 2))), resamples=b),
        lambda b: bootstrap_score_differences([roc_auc], [0, 1, 1, 0], _SAID, _SAID[::-1], positive=1, resamples=b),
        lambda b: bootstrap_losses(_STATED, resamples=b),
        lambda b: compare_losses(_STATED, _STATED, resamples=b),
        lambda b: calibration_error_by_chance(reliability_bins(_STATED.event(1)), trials=b),
        lambda b: randomization([0.1, 0.2], [0.3, 0.1], draws=b),
    ],
)
def test_what_is_drawn_is_drawn_once_at_least(drawing, draws: int) -> None:
    with pytest.raises(ValueError, match=f"^{draws} resamples"):
        drawing(draws)
