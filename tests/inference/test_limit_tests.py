"""p-values of limits: against scipy's binomial, MAPIE, slow sums, and where rows belong together."""

import math

import numpy as np
import pytest
from scipy.stats import binom

from evalcore import METRICS, find
from evalcore.classification import ConfusionCounts, Limit, ScoredLabels, cost_goal, flag_goal
from evalcore.inference import binomial_p_value, hoeffding_bentkus, holm, losses_of
from evalcore.inference.promise import fallback
from evalcore.readers import read_sample

COUNTS = ConfusionCounts(tp=[0, 3, 29, 40], fp=[0, 0, 2, 30], fn=[40, 37, 11, 0], tn=[60, 60, 58, 30])

# MAPIE 1.6.0 (BSD-3), BinaryClassificationController(..., confidence_level=0.95) on the scores of the logistic
# regression in the sample breast_cancer, list_predict_params=np.linspace(0, 0.99, 100): p-values at five thresholds,
# and the valid thresholds, in hundredths from the first to the last, by "bonferroni_holm" and by "fixed_sequence".
AT = (0.05, 0.2, 0.5, 0.8, 0.95)
MAPIE = [
    ("recall", 0.95, (1.89411e-05, 0.0176167, 0.999991, 1.0, 1.0), (0, 6), (0, 25)),
    ("precision", 0.9, (1.0, 1.0, 1.56343e-07, 5.38547e-07, 0.000242749), (39, 96), (34, 99)),
    ("accuracy", 0.93, (1.0, 0.999577, 0.0173124, 1.0, 1.0), (33, 46), None),
    ("fall_out", 0.05, (1.0, 1.0, 2.20679e-07, 1.11513e-08, 1.11513e-08), (43, 99), (37, 99)),
    ("flagged", 0.4, (1.0, 0.99965, 0.000261329, 8.14819e-16, 1.62375e-42), (47, 99), (41, 99)),
]


def limit(name: str, value: float) -> Limit:
    measure = find(name)
    return Limit(measure, at_least=value) if measure.better == "higher" else Limit(measure, at_most=value)


def limit_p_values(wanted: Limit, counts: ConfusionCounts) -> np.ndarray:
    """The largest p-value of the mean losses that a limit is about."""
    losses = losses_of(wanted, float(np.max(counts.total)))
    return np.maximum.reduce([one.p_values(counts) for one in losses])


def as_mapie(wanted: Limit, counts: ConfusionCounts) -> np.ndarray:
    """Our p-values with failures counted as MAPIE does: n · (1 − share) rounded up, by which some become one more.

    Hoeffding's bound, which is never below the exact tail, may then be.
    """
    loss = losses_of(wanted, float(counts.total[0]))[0]
    failures, n, most = loss.scaled(counts)
    risk = 1 - (n - failures) / n if wanted.at_least is not None else failures / n
    kept = np.clip(risk, 1e-300, most)
    hoeffding = np.exp(-n * (kept * np.log(kept / most) + (1 - kept) * np.log((1 - kept) / (1 - most))))
    rounded = np.minimum(binomial_p_value(np.ceil(n * risk), n, most), hoeffding)
    ours = limit_p_values(wanted, counts)
    assert (ours <= rounded * (1 + 1e-9)).all()
    assert np.isclose(ours, rounded, rtol=1e-9).mean() > 0.6
    return rounded


@pytest.mark.parametrize(("key", "value", "printed", "by_holm", "in_sequence"), MAPIE, ids=[row[0] for row in MAPIE])
def test_the_numbers_of_mapie_on_its_own_grid(key, value, printed, by_holm, in_sequence) -> None:
    scored, grid = read_sample("breast_cancer").scored("logistic_regression"), np.linspace(0, 0.99, 100)
    wanted = flag_goal(share=value).limits[0] if key == "flagged" else limit(key, value)
    p_values = as_mapie(wanted, scored.counts_at(grid))
    np.testing.assert_allclose(p_values[[round(100 * at) for at in AT]], printed, rtol=5e-6)
    assert ends(holm(p_values) <= 0.05) == by_holm
    backwards = key != "recall"
    sequence = fallback(p_values[::-1] if backwards else p_values, [0], 0.05)
    assert ends(sequence[::-1] if backwards else sequence) == in_sequence


def test_several_limits_have_the_largest_p_value_as_in_mapie() -> None:
    counts = read_sample("breast_cancer").scored("logistic_regression").counts_at(np.linspace(0, 0.99, 100))
    p_values = np.maximum(*(as_mapie(limit(name, least), counts) for name, least in (("recall", 0.9), ("PPV", 0.85))))
    np.testing.assert_allclose(p_values[[20, 50]], [0.998709, 0.885298], rtol=5e-6)
    assert ends(holm(p_values) <= 0.05) == (33, 33)


def ends(held: np.ndarray) -> tuple[int, int] | None:
    """The first and the last that are held, with none left out between them."""
    places = np.flatnonzero(held)
    assert not len(places) or len(places) == places[-1] - places[0] + 1
    return (int(places[0]), int(places[-1])) if len(places) else None


@pytest.mark.parametrize(
    ("name", "value", "failures", "n", "most"),
    [
        ("recall", 0.9, COUNTS.fn, COUNTS.actual_positives, 0.1),
        ("miss rate", 0.1, COUNTS.fn, COUNTS.actual_positives, 0.1),
        ("specificity", 0.9, COUNTS.fp, COUNTS.actual_negatives, 0.1),
        ("FPR", 0.1, COUNTS.fp, COUNTS.actual_negatives, 0.1),
        ("precision", 0.75, COUNTS.fp, COUNTS.predicted_positives, 0.25),
        ("FDR", 0.25, COUNTS.fp, COUNTS.predicted_positives, 0.25),
        ("NPV", 0.75, COUNTS.fn, COUNTS.fn + COUNTS.tn, 0.25),
        ("accuracy", 0.75, COUNTS.fp + COUNTS.fn, COUNTS.total, 0.25),
        ("error rate", 0.25, COUNTS.fp + COUNTS.fn, COUNTS.total, 0.25),
        ("Jaccard", 0.75, COUNTS.fp + COUNTS.fn, COUNTS.total - COUNTS.tn, 0.25),
        ("cost", 0.25, COUNTS.fp + COUNTS.fn, COUNTS.total, 0.25),
        # F1 ≥ 0.75 where the Jaccard index is at least 0.75 / 1.25.
        ("F1", 0.75, COUNTS.fp + COUNTS.fn, COUNTS.total - COUNTS.tn, 0.4),
        ("E1", 0.25, COUNTS.fp + COUNTS.fn, COUNTS.total - COUNTS.tn, 0.4),
    ],
)
def test_shares_have_the_exact_tail_of_the_binomial(name, value, failures, n, most) -> None:
    expected = np.where(n > 0, binom.cdf(failures, n, most), 1.0)
    np.testing.assert_allclose(limit_p_values(limit(name, value), COUNTS), expected, rtol=1e-9)


def test_a_binomial_tail_is_the_sum_of_its_terms_and_goes_on_between_whole_numbers() -> None:
    by_hand = sum(math.comb(12, k) * 0.2**k * 0.8 ** (12 - k) for k in range(3))
    assert float(binomial_p_value(2, 12, 0.2)) == pytest.approx(by_hand, rel=1e-12)
    assert float(binomial_p_value(2, 12, 0.2)) < float(binomial_p_value(2.5, 12, 0.2)) < binomial_p_value(3, 12, 0.2)


@pytest.mark.parametrize(("value", "expected"), [(1.0, 1.0), (0.0, 0.0), (-0.1, 0.0), (1.1, 1.0)])
def test_limits_that_always_or_never_hold(value: float, expected: float) -> None:
    counts = ConfusionCounts(tp=40, fp=0, fn=0, tn=40)
    assert float(limit_p_values(limit("recall", value), counts)) == expected


def test_costs_have_the_bound_of_hoeffding_and_bentkus() -> None:
    counts = ConfusionCounts(tp=50, fp=8, fn=2, tn=140)
    # A miss costs 4, a false alarm 1: losses in quarters of 4, at most 0.3 per row.
    total, n, most = (8 * 1 + 2 * 4) / 4, 200, 0.3 / 4
    mean = total / n
    hoeffding = math.exp(-n * (mean * math.log(mean / most) + (1 - mean) * math.log((1 - mean) / (1 - most))))
    expected = min(hoeffding, math.e * binom.cdf(math.ceil(total), n, most))
    cost = Limit(METRICS["cost"].with_params(fn_cost=4.0), at_most=0.3)
    assert float(limit_p_values(cost, counts)) == pytest.approx(expected, rel=1e-12)
    assert float(hoeffding_bentkus(total, n, most)) == pytest.approx(expected, rel=1e-12)
    assert float(hoeffding_bentkus(200, 200, 0.1)) == 1
    assert float(hoeffding_bentkus(0, 0, 0.1)) == 1
    net = Limit(METRICS["net_benefit"].with_params(probability=0.2), at_least=0.1)
    assert 0 < float(limit_p_values(net, counts)) < 0.05  # 0.24 here
    assert 0 < float(limit_p_values(limit("F2", 0.8), counts)) < 0.05  # 0.94 here


@pytest.mark.parametrize("name", ["MCC", "kappa", "LR+", "balanced accuracy", "lift"])
def test_measures_that_are_no_mean_are_refused(name: str) -> None:
    assert not losses_of(limit(name, 0.5))
    assert not losses_of(Limit(cost_goal().measure, at_most=0.2))


def test_which_end_is_safe() -> None:
    ends = {name: losses_of(limit(name, 0.8))[0].safe_end for name in ("recall", "FPR", "precision", "NPV", "accuracy")}
    assert ends == {"recall": "lax", "FPR": "strict", "precision": "", "NPV": "", "accuracy": ""}
    assert losses_of(flag_goal(rows=3).limits[0], 30)[0].most == 0.1
    assert losses_of(Limit(METRICS["cost"].with_params(fp_cost=0.0), at_most=0.2))[0].safe_end == "lax"
    assert losses_of(limit("F1", 0.8))[0].safe_end == ""


def test_rows_in_clusters_tell_less_and_alone_as_much() -> None:
    random = np.random.default_rng(3)
    labels = random.random(400) < 0.5
    scores = labels + random.normal(size=400)
    at = np.quantile(scores, [0.05, 0.1, 0.3])
    for name, value in (("recall", 0.8), ("precision", 0.45), ("accuracy", 0.5)):
        plain, alone, together = (
            limit_p_values(limit(name, value), ScoredLabels.from_arrays(labels, scores, clusters=codes).counts_at(at))
            for codes in (None, np.arange(400), np.arange(400) // 8)
        )
        np.testing.assert_array_equal(plain, alone)
        assert (together > plain).all()
