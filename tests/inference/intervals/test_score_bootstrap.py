"""Measures of scores by resampling rows: against DeLong, against a plain loop, and with bins."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from evalcore import find
from evalcore.classification import ScoredLabels, average_precision, ks_statistic, partial_auc, roc_auc
from evalcore.inference import bootstrap_score_differences, bootstrap_scores, compare_auc, delong
from evalcore.inference.base import comparison
from evalcore.inference.intervals import scores as module
from tests.registry.families import each_of
from tests.words import sentence_with


def bootstrap_score_difference(measure, *rows, **options):
    return bootstrap_score_differences([measure], *rows, **options)[0]


def sample(n: int, seed: int = 1, decimals: int = 9) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    labels, shared = random.random(n) < 0.3, random.normal(size=n)
    return labels, (shared + labels).round(decimals), (shared + random.normal(size=n) + labels).round(decimals)


def test_the_area_as_delong() -> None:
    labels, a, b = sample(1500)
    closed, drawn = compare_auc(labels, a, b), bootstrap_score_difference(roc_auc, labels, a, b, resamples=1000)
    assert drawn.estimate == pytest.approx(closed.estimate, abs=1e-14)
    width = float(closed.interval.high - closed.interval.low)
    assert float(drawn.interval.low) == pytest.approx(float(closed.interval.low), abs=0.1 * width)
    assert float(drawn.interval.high) == pytest.approx(float(closed.interval.high), abs=0.1 * width)
    assert drawn.statistic == pytest.approx(closed.statistic, rel=0.1)


@pytest.mark.parametrize("decimals", [9, 0])
def test_every_resample_is_that_of_a_plain_loop(decimals: int) -> None:
    labels, a, b = sample(60, decimals=decimals)
    found = bootstrap_score_difference(average_precision, labels, a, b, weights=np.ones(60), resamples=50, seed=3)
    if decimals:
        # Rows without a twin are drawn by their numbers; with ties, alike rows are drawn together.
        kinds = np.lexsort((b.argsort().argsort(), a.argsort().argsort(), labels))
        random, differences = np.random.default_rng(3), []
        for _ in range(50):
            rows = kinds[random.integers(60, size=60)]
            each = [average_precision(ScoredLabels.from_arrays(labels[rows], s[rows])) for s in (a, b)]
            differences.append(each[1] - each[0])
        low, high = np.quantile(differences, [0.025, 0.975], method="inverted_cdf")
        assert (float(found.interval.low), float(found.interval.high)) == pytest.approx((low, high), abs=1e-12)
    assert found.interval.low < found.estimate < found.interval.high


@each_of("scores", "measure")
def test_every_measure_of_scores_has_a_difference(measure) -> None:
    labels, a, b = sample(300)
    found = bootstrap_score_difference(measure, labels, a, b, resamples=200)
    states = [ScoredLabels.from_arrays(labels, s) for s in (a, b)]
    assert found.estimate == measure(states[1]) - measure(states[0])
    assert found.interval.low < found.interval.high
    copy = bootstrap_score_difference(measure, labels, a, 3 * a + 1, resamples=20)
    assert (copy.estimate, copy.p_value) == (0, 1)
    again = bootstrap_score_difference(measure, labels, a, b, resamples=200)
    assert float(again.interval.low) == float(found.interval.low)


def test_bins_of_a_long_table_hardly_move_the_bounds(monkeypatch) -> None:
    labels, a, b = sample(4000)
    exact = bootstrap_score_difference(average_precision, labels, a, b, resamples=400)
    monkeypatch.setattr(module, "EXACT_UP_TO", 100)
    binned = bootstrap_score_difference(average_precision, labels, a, b, resamples=400)
    assert binned.estimate == exact.estimate
    width = float(exact.interval.high - exact.interval.low)
    assert float(binned.interval.low) == pytest.approx(float(exact.interval.low), abs=0.15 * width)
    assert float(binned.interval.high) == pytest.approx(float(exact.interval.high), abs=0.15 * width)


def test_weights_are_rows_and_directions_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "DRAWS", 100)
    labels, a, b = sample(50)
    weights = np.random.default_rng(5).integers(0, 4, 50)
    rows = np.repeat(np.arange(50), weights)
    weighted = bootstrap_score_difference(roc_auc, labels, a, b, weights=weights, resamples=500)
    repeated = bootstrap_score_difference(roc_auc, labels[rows], a[rows], b[rows], resamples=500)
    assert weighted.estimate == pytest.approx(repeated.estimate, abs=1e-13)
    assert float(weighted.interval.low) == pytest.approx(float(repeated.interval.low), abs=0.06)
    turned = bootstrap_score_difference(roc_auc, labels, -a, -b, higher_is_positive=False, resamples=500)
    straight = bootstrap_score_difference(roc_auc, labels, a, b, resamples=500)
    assert float(turned.interval.low) == float(straight.interval.low)


def test_one_class_has_no_difference_and_a_bad_level_is_refused() -> None:
    found = bootstrap_score_difference(roc_auc, [1, 1, 1], [1, 2, 3], [3, 2, 1], positive=1, resamples=20)
    assert math.isnan(found.estimate)
    assert math.isnan(found.p_value)
    assert math.isnan(bootstrap_score_difference(find("AP"), [], [], [], resamples=20).estimate)
    with pytest.raises(ValueError, match="confidence level"):
        bootstrap_score_difference(find("AP"), [1, 0], [1, 2], [1, 2], level=2)


def drawn(rows: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.random(rows) < 0.35
    return labels, rng.normal(labels, 1)


@pytest.mark.parametrize("rows", [300, 5_000])
def test_the_interval_of_the_area_is_near_that_of_delong(rows: int) -> None:
    scored = ScoredLabels.from_arrays(*drawn(rows))
    (found,), known = bootstrap_scores([roc_auc], scored), delong(scored)
    width = known.high - known.low
    assert found.estimate == known.estimate
    assert abs(found.low - known.low) < 0.12 * width
    assert abs(found.high - known.high) < 0.12 * width


def test_it_is_the_bias_corrected_bootstrap_of_the_rows() -> None:
    labels, scores = drawn(150)
    measures = [average_precision, ks_statistic, lambda s: partial_auc(s, 0, 0.3)]
    found = bootstrap_scores(measures, ScoredLabels.from_arrays(labels, scores))
    rng, values = np.random.default_rng(8), []
    for _ in range(800):
        rows = rng.integers(0, 150, 150)
        one = ScoredLabels.from_arrays(labels[rows], scores[rows])
        values.append([measure(one) for measure in measures])
    for interval, column in zip(found, np.array(values).T, strict=True):
        below = (np.mean(column < interval.estimate) + np.mean(column <= interval.estimate)) / 2
        low, high = np.quantile(column, norm.cdf(2 * norm.ppf(below) + np.array([-1.96, 1.96])))
        assert abs(interval.low - low) < 0.15 * (high - low)
        assert abs(interval.high - high) < 0.15 * (high - low)


def test_the_largest_gap_is_not_overestimated_in_nine_of_ten_samples() -> None:
    """Resamples have a larger gap than the sample, and it a larger one than the population: percentiles hold 75 %."""
    random, held = np.random.default_rng(6), []
    true = 2 * norm.cdf(0.5) - 1
    for _ in range(120):
        labels = np.arange(200) < 100
        scored = ScoredLabels.from_arrays(labels, labels + random.normal(size=200))
        (interval,) = bootstrap_scores([ks_statistic], scored, resamples=200)
        held.append(interval.low <= true <= interval.high)
        assert interval.note == ""
    assert np.mean(held) > 0.86


def test_a_note_says_where_a_class_has_few_rows() -> None:
    (found,) = bootstrap_scores([average_precision], ScoredLabels.from_arrays(*drawn(100)))
    assert sentence_with(found.note, "rarer class")


def test_the_same_seed_gives_the_same_bounds() -> None:
    scored = ScoredLabels.from_arrays(*drawn(200))
    (one,), (two,) = (bootstrap_scores([average_precision], scored, resamples=200) for _ in range(2))
    assert (one.low, one.high) == (two.low, two.high)


@pytest.mark.parametrize("labels", [[True, True], [False, False]])
def test_one_class_has_no_interval(labels: list[bool]) -> None:
    (found,) = bootstrap_scores([average_precision], ScoredLabels.from_arrays(labels, [1, 2]))
    assert np.isnan([found.low, found.high]).all()


def test_equal_scores_have_an_area_that_never_varies_and_no_interval() -> None:
    (found,) = bootstrap_scores([roc_auc], ScoredLabels.from_arrays([True, False] * 5, [1.0] * 10))
    assert found.estimate == 0.5
    assert np.isnan(found.low)
