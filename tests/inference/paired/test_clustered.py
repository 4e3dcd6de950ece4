"""Intervals and tests of rows that belong together: copies of rows tell nothing new, and slow oracles agree."""

import math

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from evalcore import METRICS
from evalcore.classification import (
    ClusterCounts,
    ConfusionCounts,
    ConfusionMatrix,
    ScoredLabels,
    average_precision,
    roc_auc,
)
from evalcore.inference import (
    IntervalChoice,
    PairedClasses,
    PairedCounts,
    bootstrap_matrix,
    bootstrap_score_differences,
    bootstrap_scores,
    compare_auc,
    compare_cells,
    correlated_areas,
    delong,
    effective_shares,
    forecast,
    paired_differences,
    precision_recall_band,
    roc_band,
)
from evalcore.inference.base import comparison
from evalcore.inference.base.clustered import clustered_area_variance
from evalcore.inference.base.intervals import delong_variance
from evalcore.inference.paired.classes import paired_matrix_differences

SHARES = ("recall", "specificity", "precision", "accuracy", "jaccard")


def bell_mccaffrey(sizes: list[float]) -> float:
    """Degrees of Σ (x − p n)² over clusters whose means vary equally, from the whole matrix of their covariances."""
    n = sum(sizes)
    less = np.eye(len(sizes)) - np.outer(sizes, np.ones(len(sizes))) / n
    covariance = less @ np.diag(np.square(sizes)) @ less.T
    return float(np.trace(covariance) ** 2 / np.trace(covariance @ covariance))


def rows(seed: int = 1, n: int = 80):
    random = np.random.default_rng(seed)
    labels = random.random(n) < 0.4
    return labels, (random.normal(size=n) + labels).round(1), (random.normal(size=n) + 1.5 * labels).round(1)


def copies(*columns, times: int = 3):
    """Each row several times, with the row it is a copy of."""
    return *(np.repeat(column, times) for column in columns), np.repeat(np.arange(len(columns[0])), times)


def test_copies_of_rows_leave_the_interval_of_the_area_as_it_was() -> None:
    labels, scores, _ = rows()
    single = ScoredLabels.from_arrays(labels, scores)
    many, values, clusters = copies(labels, scores)
    # Welch's degrees: those of the squares of all 80 clusters are more.
    placed = [np.mean([x > y, x >= y], axis=(0, 2)) for x, y in ((scores[labels, None], scores[~labels]),
                                                                  (scores[~labels, None], scores[labels]))]  # fmt: skip
    variances = [side.var(ddof=1) / len(side) for side in placed]
    known = sum(variances) ** 2 / sum(v**2 / (len(side) - 1) for v, side in zip(variances, placed, strict=True))
    for weights in (None, np.full(len(many), 0.5)):
        scored = ScoredLabels.from_arrays(many, values, clusters=clusters, weights=weights)
        variance, degrees = clustered_area_variance(scored, roc_auc(scored))
        assert variance == pytest.approx(delong_variance(single), rel=1e-12)
        assert degrees == (min(single.positives, single.negatives) - 1 if weights is not None else pytest.approx(known))
        assert delong(scored).clusters == len(labels)
    assert delong(ScoredLabels.from_arrays(many, values)).low > delong(scored).low


def test_degrees_of_a_share_are_those_of_the_squares_of_its_clusters() -> None:
    """Satterthwaite's with the empirical variance of the squares, one cluster after another."""
    counts = ClusterCounts(np.random.default_rng(2).integers(0, 9, (12, 4)).astype(float))
    counts.cells[3, 0] += 40
    tp, fn = counts.cells[:, 0], counts.cells[:, 2]
    recall, n = tp.sum() / (tp + fn).sum(), float((tp + fn).sum())
    squares = [float(hit - recall * (hit + miss)) ** 2 for hit, miss in zip(tp, fn, strict=True)]
    mean = sum(squares) / 12
    own = 2 * sum(squares) ** 2 / sum((one - mean) ** 2 for one in squares)
    assert own < 11
    sizes = (tp + fn).tolist()
    unequal = min((12 * math.fsum(size**2 for size in sizes) / n**2 - 1) / 2, 1)
    degrees = 1 / ((1 - unequal) / own + unequal / min(own, bell_mccaffrey(sizes)))
    expected = (
        recall * (1 - recall) * n**2 / (sum(squares) * 12 / 11) * (norm.ppf(0.975) / student.ppf(0.975, degrees)) ** 2
    )
    effective = effective_shares(counts.moments, [1, 0, 0, 0], [1, 0, 1, 0], tp.sum(), np.array(n))
    assert float(effective[1]) == pytest.approx(expected)


@pytest.mark.parametrize("higher", [True, False])
def test_variance_of_the_area_is_that_of_obuchowski_written_with_loops(higher: bool) -> None:
    random = np.random.default_rng(5)
    labels, scores, clusters = random.random(60) < 0.5, random.integers(0, 8, 60) / 4, random.integers(0, 12, 60)
    scored = ScoredLabels.from_arrays(labels, scores, higher_is_positive=higher, clusters=clusters)
    area = roc_auc(scored)

    def beats(x: float, y: float) -> float:
        return 0.5 if x == y else float((x > y) == higher)

    positives, negatives = np.flatnonzero(labels), np.flatnonzero(~labels)
    m, n = len(positives), len(negatives)
    above = {i: sum(beats(scores[i], scores[j]) for j in negatives) / n for i in positives}
    below = {j: sum(beats(scores[i], scores[j]) for i in positives) / m for j in negatives}
    of_p, of_n, mixed, with_p, with_n, every = 0.0, 0.0, 0.0, 0, 0, 0
    for cluster in set(clusters.tolist()):
        own = [i for i in positives if clusters[i] == cluster]
        others = [j for j in negatives if clusters[j] == cluster]
        first, second = sum(above[i] - area for i in own), sum(below[j] - area for j in others)
        of_p, of_n, mixed = of_p + first**2, of_n + second**2, mixed + first * second
        with_p, with_n, every = with_p + bool(own), with_n + bool(others), every + 1
    expected = of_p * with_p / (with_p - 1) / m**2 + of_n * with_n / (with_n - 1) / n**2
    expected += 2 * mixed * every / (every - 1) / (m * n)
    assert clustered_area_variance(scored, area)[0] == pytest.approx(expected, rel=1e-12)
    areas = correlated_areas(labels, [scores, scores], higher_is_positive=higher, clusters=clusters)
    np.testing.assert_allclose(areas.covariance, expected, rtol=1e-12)


def test_degrees_of_an_area_are_few_where_one_cluster_makes_most_of_its_variance() -> None:
    labels, clusters = np.repeat([True, False], 60), np.arange(120) // 3
    scores = np.random.default_rng(9).normal(size=120) + 2.0 * labels
    even = clustered_area_variance(
        scored := ScoredLabels.from_arrays(labels, scores, clusters=clusters), roc_auc(scored)
    )
    scores[:3] -= 9
    one = clustered_area_variance(
        scored := ScoredLabels.from_arrays(labels, scores, clusters=clusters), roc_auc(scored)
    )
    assert one[1] < 5 < 15 < even[1]
    # Rows that are each on their own keep the degrees that they had.
    alone = ScoredLabels.from_arrays(labels, scores, clusters=np.arange(120))
    assert clustered_area_variance(alone, roc_auc(alone))[1] == 59


@pytest.mark.parametrize("key", SHARES)
def test_copies_of_rows_tell_about_a_share_what_the_rows_do(key: str) -> None:
    labels, scores, _ = rows()
    many, values, clusters = copies(labels, scores)
    counts = ScoredLabels.from_arrays(many, values, clusters=clusters).counts_at(0.5)
    single = ScoredLabels.from_arrays(labels, scores).counts_at(0.5)
    interval, n = IntervalChoice().of(METRICS[key], counts)
    alone, rows_alone = IntervalChoice().of(METRICS[key], single)
    assert n == 3 * rows_alone
    assert interval.clusters == rows_alone
    assert float(interval.estimate) == pytest.approx(float(alone.estimate), rel=1e-12)
    narrower = (1.959964 / student.ppf(0.975, rows_alone - 1)) ** 2 * (rows_alone - 1) / rows_alone
    assert interval.effective == pytest.approx(rows_alone * narrower, rel=1e-6)
    assert interval.low < alone.low < alone.high < interval.high


def test_intervals_at_many_thresholds_are_those_at_each() -> None:
    labels, scores, _ = rows(3)
    clusters = np.random.default_rng(3).integers(0, 20, len(labels))
    scored = ScoredLabels.from_arrays(labels, scores, clusters=clusters)
    thresholds = np.array([-1.0, 0.0, 0.4, 0.5, 1.5, 9.0])
    for key in SHARES:
        together, _ = IntervalChoice().of_shares(METRICS[key], scored.counts_at(thresholds))
        for index, threshold in enumerate(thresholds.tolist()):
            alone = IntervalChoice().of(METRICS[key], scored.counts_at(threshold))
            low, high = (float(alone[0].low), float(alone[0].high)) if alone else (math.nan, math.nan)
            np.testing.assert_allclose([together.low[index], together.high[index]], [low, high], rtol=1e-9)


def test_one_cluster_gives_no_interval() -> None:
    labels, scores, other = rows()
    clusters = np.zeros(len(labels), dtype=int)
    scored = ScoredLabels.from_arrays(labels, scores, clusters=clusters)
    assert math.isnan(float(delong(scored).low))
    assert math.isnan(float(IntervalChoice().of(METRICS["recall"], scored.counts_at(0.5))[0].low))
    assert IntervalChoice().of(METRICS["matthews_correlation"], scored.counts_at(0.5)) is None
    assert math.isnan(compare_auc(labels, scores, other, clusters=clusters).p_value)
    paired = PairedCounts.from_labels(labels, scores > 0.5, other > 0.5, clusters=clusters)
    for compared in paired_differences([METRICS["recall"], METRICS["precision"]], paired):
        assert math.isnan(compared.interval.low)


def test_where_every_row_counts_a_cluster_tells_as_much_as_one_row() -> None:
    counts = ConfusionCounts.from_labels([1] * 40, [1] * 40, 1, clusters=np.repeat(np.arange(8), 5))
    interval, n = IntervalChoice().of(METRICS["recall"], counts)
    assert n == 40
    assert interval.effective == pytest.approx(8 * (1.959964 / student.ppf(0.975, 7)) ** 2, rel=1e-6)


@pytest.mark.parametrize("key", ["recall", "accuracy", "precision", "matthews_correlation"])
def test_copies_of_rows_do_not_sharpen_a_comparison(key: str) -> None:
    labels, a, b = rows(2)
    many, of_a, of_b, clusters = copies(labels, a > 0.5, b > 0.5)
    single = paired_differences([METRICS[key]], PairedCounts.from_labels(labels, a > 0.5, b > 0.5))[0]
    paired = PairedCounts.from_labels(many, of_a, of_b, clusters=clusters)
    clustered = paired_differences([METRICS[key]], paired)[0]
    naive = paired_differences([METRICS[key]], PairedCounts.from_labels(many, of_a, of_b))[0]
    width = clustered.interval.high - clustered.interval.low
    assert clustered.estimate == pytest.approx(single.estimate, abs=1e-12)
    assert width == pytest.approx(single.interval.high - single.interval.low, rel=0.1)
    assert naive.interval.high - naive.interval.low < 0.7 * width
    assert clustered.interval.clusters == len(labels)
    assert naive.p_value < clustered.p_value
    assert clustered.p_value == pytest.approx(single.p_value, abs=0.1)


def test_copies_of_rows_do_not_sharpen_areas_bootstraps_bands_and_cells() -> None:
    labels, a, b = rows(4)
    many, of_a, of_b, clusters = copies(labels, a, b)
    single, clustered = compare_auc(labels, a, b), compare_auc(many, of_a, of_b, clusters=clusters)
    assert clustered.statistic == pytest.approx(single.statistic, rel=1e-9)
    assert clustered.p_value > single.p_value
    alone = ScoredLabels.from_arrays(labels, a)
    scored = ScoredLabels.from_arrays(many, of_a, clusters=clusters)
    (one,), (of_clusters,) = bootstrap_scores([average_precision], alone), bootstrap_scores([average_precision], scored)
    assert of_clusters.high - of_clusters.low == pytest.approx(one.high - one.low, rel=0.15)
    options = {"resamples": 400}
    (one,) = bootstrap_score_differences([average_precision], labels, a, b, **options)
    (of_clusters,) = bootstrap_score_differences([average_precision], many, of_a, of_b, clusters=clusters, **options)
    assert of_clusters.interval.high - of_clusters.interval.low == pytest.approx(
        one.interval.high - one.interval.low, rel=0.25
    )
    for band in (roc_band, precision_recall_band):
        narrow, wide = band(scored.table()), band(scored.table(), scored=scored)
        expected = band(alone.table())
        middle = slice(20, 80)
        assert np.mean((wide.high - wide.low)[middle]) == pytest.approx(
            np.mean((expected.high - expected.low)[middle]), rel=0.2
        )
        assert np.mean((narrow.high - narrow.low)[middle]) < 0.75 * np.mean((wide.high - wide.low)[middle])
    codes = labels.astype(int), (a > 0.5).astype(int), (b > 0.5).astype(int)
    repeated = [np.repeat(column, 3) for column in codes]
    cells = compare_cells(*repeated, ("no", "yes"), clusters=clusters)
    naive = compare_cells(*repeated, ("no", "yes"))
    tested = naive.p_values < 0.9  # the mid-p of no difference is below 1
    assert (cells.p_values[tested] >= naive.p_values[tested]).all()


def test_tables_of_classes_take_whole_clusters() -> None:
    random = np.random.default_rng(6)
    actual, a, b = (random.integers(0, 3, 90) for _ in range(3))
    many_actual, many_a, many_b, clusters = copies(actual, a, b)
    accuracy = METRICS["overall_accuracy"]
    single = bootstrap_matrix([accuracy], ConfusionMatrix.from_labels(actual, a))[0]
    matrix = ConfusionMatrix.from_labels(many_actual, many_a, clusters=clusters)
    for of in (matrix, matrix.ordered([2, 0, 1]), matrix.merged({0: 0, 1: 1, 2: 2})):
        clustered = bootstrap_matrix([accuracy], of)[0]
        assert clustered.high - clustered.low == pytest.approx(single.high - single.low, rel=0.15)
    assert matrix.ordered([2, 0, 1]).one_vs_rest()[0].clusters.cells.sum(axis=0).tolist() == [
        float(getattr(matrix.one_vs_rest()[2], cell)) for cell in ("tp", "fp", "fn", "tn")
    ]
    kappa = METRICS["multiclass_kappa"]
    alone = paired_matrix_differences([kappa], PairedClasses.from_codes(actual, a, b, (0, 1, 2)))[0]
    paired = PairedClasses.from_codes(many_actual, many_a, many_b, (0, 1, 2), clusters=clusters)
    together = paired_matrix_differences([kappa], paired)[0]
    width = together.interval.high - together.interval.low
    assert width == pytest.approx(alone.interval.high - alone.interval.low, rel=0.2)
    np.testing.assert_array_equal(paired.right().clusters.cells.sum(axis=0), paired.right().cells.reshape(8))


def test_effective_rows_are_never_more_than_the_rows_and_weights_lower_them() -> None:
    labels, scores, _ = rows(8)
    random = np.random.default_rng(8)
    weights = random.exponential(size=len(labels))
    for clusters in (np.arange(len(labels)), random.permutation(np.repeat(np.arange(40), 2))):
        counts = ScoredLabels.from_arrays(labels, scores, clusters=clusters).counts_at(0.5)
        _, n, _ = effective_shares(counts.moments, [1, 0, 0, 0], [1, 0, 1, 0], counts.tp, counts.actual_positives)
        assert n <= counts.actual_positives
    counts = ScoredLabels.from_arrays(labels, scores, clusters=np.arange(len(labels)), weights=weights).counts_at(0.5)
    interval, _ = IntervalChoice().of(METRICS["accuracy"], counts)
    assert interval.effective < weights.sum() ** 2 / (weights**2).sum() * 1.3


def test_a_forecast_from_clusters_is_as_unsure_as_from_their_effective_rows() -> None:
    labels, scores, _ = rows(11, 200)
    many, values, clusters = copies(labels, scores, times=4)
    single = forecast(ScoredLabels.from_arrays(labels, scores).counts_at(0.5), 1000, 0.3)
    copied = forecast(ScoredLabels.from_arrays(many, values, clusters=clusters).counts_at(0.5), 1000, 0.3)
    naive = forecast(ScoredLabels.from_arrays(many, values).counts_at(0.5), 1000, 0.3)

    def width(of) -> float:
        return float(of.with_rates["tp"].high - of.with_rates["tp"].low)

    assert float(copied.expected.tp) == pytest.approx(float(single.expected.tp))
    assert width(copied) == pytest.approx(width(single), rel=0.1)
    assert width(naive) < 0.8 * width(copied)


def test_gaps_in_the_codes_of_clusters_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "DRAWS", 200)
    random = np.random.default_rng(12)
    actual, a, b = (random.integers(0, 3, 90) for _ in range(3))
    clusters = random.permutation(np.repeat(np.arange(30), 3))
    intervals = []
    for codes in (clusters, 7 * clusters + 3):
        matrix = ConfusionMatrix.from_labels(actual, a, clusters=codes)
        paired = PairedClasses.from_codes(actual, a, b, (0, 1, 2), clusters=codes)
        scored = bootstrap_score_differences([average_precision], actual == 1, a, b, clusters=codes, resamples=200)
        alone = bootstrap_matrix([METRICS["overall_accuracy"]], matrix)[0]
        tested = paired_matrix_differences([METRICS["multiclass_kappa"]], paired)[0].interval
        intervals.append([(float(one.low), float(one.high)) for one in (alone, tested, scored[0].interval)])
    assert intervals[0] == intervals[1]
