"""Two systems on independent rows, such as two hospitals or two quarters: the difference of every measure.

Nothing links a row of one sample to a row of the other, so variances add up and each sample is resampled by itself;
clusters with rows in both make the values of both vary together, which is taken off.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, ndtr, stdtr, stdtrit

from evalcore.classification import ClusterCounts, ConfusionCounts, ConfusionMatrix, ScoredLabels, roc_auc
from evalcore.classification.several.matrix import ClusteredPairs
from evalcore.inference.base import Comparison, clustered, intervals, one_sided_p, resampling
from evalcore.inference.base.clustered import clustered_area_variance, few_heavy_classes, placement_sums
from evalcore.inference.base.comparison import (
    MOST_ROWS,
    bootstrap_comparison,
    clustered_comparison,
    few_pairs,
    share_as_large,
)
from evalcore.inference.base.intervals import Interval, check_draws, check_level, log_ratio_interval, unless_rejected
from evalcore.inference.base.resampling import RESAMPLES, SEED, cells_in
from evalcore.inference.intervals.scores import resampled_score_values
from evalcore.inference.paired.areas import ChiSquare
from evalcore.inference.paired.measures import LEAST
from evalcore.numeric import Array, Flags, Indices, at_rows, average_ranks, ratio
from evalcore.registry import MetricDef

__all__ = ["ShareDifferences", "cochran_q", "compare_independent_auc", "compare_shares", "correlation_of_counts"]
__all__ += ["correlation_of_matrices", "correlation_of_scores", "independent_differences"]
__all__ += ["independent_matrix_differences", "independent_score_differences", "share_correlation"]

EXCHANGE = "exchange of rows between the samples"
DRAWS, DRAWS_OF_SCORES = 2000, 500  # random exchanges; fewer where each draws two curves


def exchanged_counts(measures: Sequence[MetricDef], a: ConfusionCounts, b: ConfusionCounts) -> list[float]:
    """p of a difference in each measure of counts of shape (); ratios by logarithms."""
    cells = np.rint([[float(getattr(one, cell)) for cell in ("tp", "fp", "fn", "tn")] for one in (a, b)])
    drawn = _redistributed(cells, DRAWS)
    of_a, of_b = (ConfusionCounts(*part.T) for part in (drawn, cells.sum(axis=0) - drawn))
    p_values = []
    for measure in measures:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = [np.asarray(measure(one), dtype=np.float64) for one in (of_b, of_a)]
            logs = measure.interval == "logarithm"
            differences = np.log(values[0]) - np.log(values[1]) if logs else values[0] - values[1]
        p_values.append(share_as_large(differences, float(differences[0])))
    return p_values


def _redistributed(cells: Array, draws: int) -> Array:
    """Cells of A, shape (1 + draws, m): in the sample, then with all rows dealt to A and B at random."""
    total = cells.sum(axis=0).astype(np.int64)
    random = np.random.default_rng(SEED)
    drawn = random.multivariate_hypergeometric(total, int(cells[0].sum()), size=draws, method="marginals")
    return np.vstack([cells[:1], drawn]).astype(np.float64)


def exchanged_scores(measures: Sequence[MetricDef], a: ScoredLabels, b: ScoredLabels) -> list[float]:
    """Test differences of measures of scores by dealing the rows to A and B at random, with relative rank and class."""
    ranks, labels = [], []
    for one in (a, b):
        rows = one.all_rows
        labels.append(rows["labels"])
        ranks.append(average_ranks(rows["scores"] * (1 if one.higher_is_positive else -1)) / len(rows["scores"]))
    rank, label, size = np.concatenate(ranks), np.concatenate(labels), len(ranks[0])
    random, order = np.random.default_rng(SEED), np.arange(len(label))
    values = []
    for draw in range(DRAWS_OF_SCORES + 1):
        if draw:  # the first one is the sample; every exchange keeps how many of each class a sample has
            order[label], order[~label] = (random.permutation(np.flatnonzero(one)) for one in (label, ~label))
        of_a, of_b = (ScoredLabels.from_arrays(label[part], rank[part]) for part in (order[:size], order[size:]))
        values.append([float(measure(of_b)) - float(measure(of_a)) for measure in measures])
    return [share_as_large(of_one, float(of_one[0])) for of_one in np.transpose(values)]


def agreeing(compared: Comparison, level: float) -> Comparison:
    """Make the p-value and the interval of a comparison agree: the one that claims more gives way."""
    interval, null = compared.interval, compared.null
    includes = float(interval.low) <= null <= float(interval.high)
    if compared.p_value > 1 - level + 1e-12:
        return replace(compared, interval=unless_rejected(interval, compared.p_value, level, null))
    if includes and compared.interval_at is not None:
        return replace(compared, p_value=min(2 * one_sided_p(compared, null, above=compared.estimate > null), 1.0))
    return compared


def with_exchange(compared: Comparison, p_value: float, level: float) -> Comparison:
    """Return the comparison with the larger of its p-value and that of the exchanges."""
    if math.isnan(p_value) or math.isnan(compared.estimate) or p_value <= compared.p_value:
        return compared
    return agreeing(replace(compared, p_value=p_value, method=f"{compared.method}, {EXCHANGE}"), level)


NEWCOMBE = "Newcombe, z test or Fisher's exact test"
LOGARITHMS = "ratio, normal law of the logarithms"
BOOTSTRAPS = "two bootstraps"


def independent_differences(
    measures: Sequence[MetricDef], a: ConfusionCounts, b: ConfusionCounts, level: float = 0.95,
    resamples: int = RESAMPLES, alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:  # fmt: skip
    """Compare B with A by measures of counts of shape () of two independent samples.

    Shares have Newcombe's interval with the z test, or Fisher's exact test where few rows are expected in a cell;
    quotients the ratio of B's value to A's (`null` 1), whose logarithm is taken as normal; all others a bootstrap of
    either sample. Where a class has fewer than 25 rows in a sample, or no resample contradicts, p of the last two comes
    from random exchanges of rows between the samples. Clusters are taken whole; `alike` gives the correlation of a
    measure's values in both samples through shared ones. See R. Newcombe (1998), as `compare_shares`; G. Zou, A. Donner
    (2008), doi:10.1002/sim.3095.
    """
    check_level(level)
    check_draws(resamples)
    n, samples = round(float(a.total + b.total)), None
    comparisons = []
    for measure in measures:
        if measure.interval == "share":
            compared = _by_shares(measure, a, b, level, alike(measure))
        elif measure.interval == "logarithm":
            compared = _by_logarithm(measure, a, b, level, alike(measure))
        else:
            samples = samples or [resampling.resampled_counts(one, resamples, SEED + k) for k, one in enumerate((a, b))]
            with np.errstate(invalid="ignore"):
                estimate = float(np.subtract(measure(b), measure(a)))
                values = (np.asarray(measure(samples[0])), np.asarray(measure(samples[1])))
            degrees = _fewest(*(one.clusters and _degrees(one.clusters) for one in (a, b)))
            compared = _by_bootstraps(estimate, values, level, n, degrees, alike(measure))
        comparisons.append(compared)
    if a.clusters is None and b.clusters is None:
        smallest = min(float(rows) for one in (a, b) for rows in (one.actual_positives, one.actual_negatives))
        _exchange_doubtful(comparisons, smallest, resamples, lambda: exchanged_counts(measures, a, b), level)
        return comparisons
    heavy = any(bool(clustered.few_heavy_of(one.moments)) for one in (a, b) if one.moments is not None)
    return [one.marked(heavy) for one in comparisons]


def independent_matrix_differences(
    measures: Sequence[MetricDef], a: ConfusionMatrix, b: ConfusionMatrix, level: float = 0.95, resamples: int = 1000,
    alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:  # fmt: skip
    """Compare measures of confusion matrices of two independent samples with the same classes."""
    check_level(level)
    n = round(float(a.counts.sum() + b.counts.sum()))
    values = [resampling.resampled_matrix_values(measures, one, resamples, SEED + k) for k, one in enumerate((a, b))]
    degrees = _fewest(*(one.rows and clustered.degrees_of_codes(one.rows.clusters, one.rows.weights) for one in (a, b)))
    comparisons = []
    for place, measure in enumerate(measures):
        if measure.paired_test == "share" and degrees is None:
            right = [(float(np.trace(one.counts)), float(one.counts.sum())) for one in (b, a)]
            compared = _shares(*right[0], *right[1], level, n, alike(measure))
        else:
            estimate = float(measure(b)) - float(measure(a))
            both = (values[0][:, place], values[1][:, place])
            compared = _by_bootstraps(estimate, both, level, n, degrees, alike(measure))
        comparisons.append(compared)
    if degrees is None:

        def exchanged() -> list[float]:
            cells = np.rint([one.counts.reshape(-1) for one in (a, b)])
            of_a, total = _redistributed(cells, resamples), cells.sum(axis=0)
            values = [resampling.values_of_tables(measures, a.classes, tables) for tables in (of_a, total - of_a)]
            return [share_as_large(of_one, float(of_one[0])) for of_one in (values[1] - values[0]).T]

        of_classes = [rows for one in (a, b) for rows in one.counts.sum(axis=1).tolist() if rows]
        _exchange_doubtful(comparisons, min(of_classes, default=math.inf), resamples, exchanged, level)
    return comparisons


def independent_score_differences(
    measures: Sequence[MetricDef], a: ScoredLabels, b: ScoredLabels, level: float = 0.95, resamples: int = 1000,
    alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:  # fmt: skip
    """Compare measures of scores of two independent samples, whose scales and directions may differ.

    Areas under ROC curves are compared by `compare_independent_auc`, all else by a bootstrap of either sample. With
    fewer than 25 rows of a class p comes from exchanges of rows with their relative rank in their own sample.
    """
    check_level(level)
    n = round(a.positives + a.negatives + b.positives + b.negatives)
    comparisons: dict[str, Comparison] = {}
    for measure in measures:
        if measure.paired_test == "delong":
            scale = measure.highest - measure.lowest
            comparisons[measure.key] = compare_independent_auc(a, b, level, correlation=alike(measure)).scaled(scale)
    degrees = _fewest(*(clustered.degrees_of_rows(one) if one.clusters else None for one in (a, b)))
    if others := [measure for measure in measures if measure.key not in comparisons]:
        (of_a, in_a), (of_b, in_b) = (
            resampled_score_values(others, one, resamples, SEED + k) for k, one in enumerate((a, b))
        )
        for place, measure in enumerate(others):
            estimate, values = float(of_b[place] - of_a[place]), (in_a[:, place], in_b[:, place])
            comparisons[measure.key] = _by_bootstraps(estimate, values, level, n, degrees, alike(measure))
    smallest = min(a.positives, a.negatives, b.positives, b.negatives)
    weighted = a.positive_weights is not None or b.positive_weights is not None
    if degrees is None and not weighted and few_pairs(smallest) and 0 < n <= MOST_ROWS:
        p_values = exchanged_scores(measures, a, b)
        for measure, p_value in zip(measures, p_values, strict=True):
            comparisons[measure.key] = with_exchange(comparisons[measure.key], p_value, level)
    heavy = any(map(clustered.few_heavy_classes, (a, b)))
    return [comparisons[measure.key].marked(heavy) for measure in measures]


def _by_shares(measure: MetricDef, a: ConfusionCounts, b: ConfusionCounts, level: float, alike: float) -> Comparison:
    rows = sum(float(resampling.share_counts(measure, one)[1]) for one in (a, b))
    (x, n), (y, m) = (resampling.effective_share_counts(measure, one, level) for one in (b, a))
    compared = _shares(float(x), float(n), float(y), float(m), level, round(rows), alike)
    # Effective rows leave the value what it is, up to rounding.
    return replace(compared, estimate=float(measure(b)) - float(measure(a)))


def _shares(x: float, n: float, y: float, m: float, level: float, rows: int, alike: float = 0.0) -> Comparison:
    def at(level: float) -> Interval:
        return Interval(*map(float, compare_shares(x, n, y, m, level, alike).interval.ends))

    interval, p_value = at(level), float(compare_shares(x, n, y, m, level, alike).p_values)
    tested = None if math.isnan(p_value) else at
    compared = Comparison(NEWCOMBE, interval.estimate, interval, math.nan, p_value, rows, interval_at=tested)
    return agreeing(compared, level)


def _by_logarithm(measure: MetricDef, a: ConfusionCounts, b: ConfusionCounts, level: float, alike: float) -> Comparison:
    def at(level: float) -> Interval:
        of_a, of_b = (log_ratio_interval(measure, one, level) for one in (a, b))
        with np.errstate(divide="ignore", invalid="ignore"):
            estimate = float(np.divide(of_b.estimate, of_a.estimate))
            own, other = (float(np.log(one.high / one.estimate)) for one in (of_a, of_b))
            reach = math.hypot(own, other)
            if alike:
                reach = math.sqrt(max(own**2 + other**2 - 2 * alike * own * other, 0.0))
            factor = math.exp(reach) if reach < 700 else math.inf
        return Interval(estimate, estimate / factor, estimate * factor)

    interval, n = at(level), round(float(a.total + b.total))
    tested = None if math.isnan(interval.low) else at
    compared = Comparison(LOGARITHMS, interval.estimate, interval, math.nan, math.nan, n, null=1.0, interval_at=tested)
    if tested is None or not 0 < compared.estimate < math.inf:
        return compared
    return replace(compared, p_value=min(2 * one_sided_p(compared, 1.0, above=compared.estimate > 1), 1.0))


def _by_bootstraps(
    estimate: float, values: tuple[Array, Array], level: float, n: int, degrees: float | None, alike: float = 0.0
) -> Comparison:
    with np.errstate(invalid="ignore"):
        differences = np.subtract(values[1], values[0])
        if alike and math.isfinite(estimate):
            differences = estimate + correlation_factor(values, alike) * (differences - estimate)
        if degrees is None:
            compared = bootstrap_comparison(estimate, differences, level, n)
        else:
            compared = clustered_comparison(estimate, differences, level, n, degrees + 1, degrees)
    return replace(compared, method=BOOTSTRAPS)


def _exchange_doubtful(
    comparisons: list[Comparison], smallest: float, resamples: int, exchanged: Callable[[], list[float]], level: float
) -> None:
    """Replace a p-value by that of exchanges if it rests on few rows, or is as small as resamples can make it.

    Shares have exact tests of their own. `smallest` is the rows of the rarest class of a sample.
    """
    doubtful = [
        place
        for place, one in enumerate(comparisons)
        if one.method != NEWCOMBE and (few_pairs(smallest) or (one.null == 0 and one.p_value <= LEAST / resamples))
    ]
    p_values = exchanged() if doubtful else []
    for place in doubtful:
        comparisons[place] = with_exchange(comparisons[place], p_values[place], level)


def _degrees(clusters: ClusterCounts) -> float:
    return clustered.degrees_by_sizes(clusters.cells.sum(axis=1), max(clusters.worth - 1, 1.0))


def _fewest(*degrees: float | None) -> float | None:
    """Smallest of the known degrees of freedom; None if all rows are independent."""
    known = [one for one in degrees if one is not None]
    return min(known) if known else None


LARGE = 5  # with fewer expected rows in some cell the exact test is used
_MOST_TABLES = 1_000_000


@dataclass(frozen=True, eq=False)
class ShareDifferences:
    """Differences of shares of two independent samples."""

    interval: intervals.Interval  # of the first share minus the second
    p_values: Array  # two-sided; nan where a share is undefined


def compare_shares(
    first: npt.ArrayLike, n_first: npt.ArrayLike, second: npt.ArrayLike, n_second: npt.ArrayLike, level: float = 0.95,
    correlation: npt.ArrayLike = 0.0,
) -> ShareDifferences:  # fmt: skip
    """Compare shares of two independent samples, elementwise.

    The interval is Newcombe's, from the two Wilson intervals; it stays inside −1 … 1. The test is the z test, or
    Fisher's exact test where fewer than 5 rows are expected in some cell. A `correlation` of the two shares, from
    clusters with rows of both, gives the interval of Zou and Donner. The exact test rounds sums of weights. See R.
    Newcombe (1998), Statistics in Medicine 17, 873–890, method 10; G. Zou, A. Donner (2008), doi:10.1002/sim.3095.
    """
    x, n, y, m = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (first, n_first, second, n_second)))
    a, b = intervals.wilson(x, n, level), intervals.wilson(y, m, level)
    estimate, alike = a.estimate - b.estimate, np.asarray(correlation, dtype=np.float64)
    low = estimate - _joined(a.estimate - a.low, b.high - b.estimate, alike)
    high = estimate + _joined(a.high - a.estimate, b.estimate - b.low, alike)
    p_values = _p_values(x, n, y, m, np.broadcast_to(alike, x.shape))
    return ShareDifferences(intervals.Interval(estimate, np.clip(low, -1, 1), np.clip(high, -1, 1)), p_values)


def _joined(first: Array, second: Array, correlation: Array) -> Array:
    """Distance of a bound of a difference from it, from the distances of two correlated estimates."""
    apart = np.hypot(first, second)
    return np.where(correlation == 0, apart, np.sqrt(np.maximum(apart**2 - 2 * correlation * first * second, 0.0)))


def compare_independent_auc(
    first: ScoredLabels, second: ScoredLabels, level: float = 0.95, shared: bool = False, correlation: float = 0.0
) -> Comparison:
    """Compare the areas under the ROC curves of two independent samples, such as two groups or data sets, by DeLong.

    The variances of the two areas add up; their sum has Satterthwaite's degrees of freedom, as in pROC. Where rows
    belong together the variances, and their covariance over the clusters that both samples share, are Obuchowski's.
    `shared` says that one code is the same cluster in both samples; `correlation` is that of the two areas where it is
    known otherwise. All but the difference is nan where a sample has fewer than two rows of a class, or neither area
    varies. See E. DeLong, D. DeLong, D. Clarke-Pearson (1988), as `correlated_areas`; X. Robin and others (2011),
    doi:10.1186/1471-2105-12-77.
    """
    intervals.check_level(level)
    difference = roc_auc(second) - roc_auc(first)
    variances = np.array([intervals.delong_variance(first), intervals.delong_variance(second)])
    sizes = np.array([state.positives + state.negatives for state in (first, second)])
    freedom, method, total = (sizes - 1).astype(np.float64), "DeLong, unpaired", float(variances.sum())
    for place, state in enumerate((first, second)):
        if state.clusters:
            freedom[place] = clustered_area_variance(state, roc_auc(state))[1]
            method = "Obuchowski, unpaired and clustered"
    if shared and first.clusters and second.clusters:
        # The covariance of the areas by the clusters that have rows in both.
        sums = (np.sum(placement_sums(state, roc_auc(state)), axis=0) for state in (first, second))
        own, other = (each[: min(first.clusters, second.clusters)] for each in sums)
        count = clustered.count_clusters(np.concatenate([*first.codes, *second.codes]))
        total -= 2 * float(own @ other) * count / (count - 1)
    total -= 2 * correlation * math.sqrt(float(variances.prod())) if correlation else 0.0
    error = math.sqrt(max(total, 0.0)) or math.nan
    degrees = float(ratio(variances.sum() ** 2, ratio(variances**2, freedom).sum()))
    statistic = difference / error
    p_value, n = float(2 * stdtr(degrees, -abs(statistic))), round(sizes.sum())

    def at(level: float) -> intervals.Interval:
        return intervals.clipped_interval(difference, float(stdtrit(degrees, (1 + level) / 2)) * error)

    compared = Comparison(method, difference, at(level), statistic, p_value, n, interval_at=at)
    return compared.marked(any(map(few_heavy_classes, (first, second))))


def _p_values(x: Array, n: Array, y: Array, m: Array, correlation: Array) -> Array:
    pooled = ratio(x + y, n + m)
    fewest = np.minimum(n, m) * np.minimum(pooled, 1 - pooled)
    with np.errstate(invalid="ignore"):  # of a sample without rows
        both = ratio(1, n) + ratio(1, m) - 2 * correlation * np.sqrt(np.where(n * m > 0, ratio(1, n * m), 0.0))
        error = np.sqrt(pooled * (1 - pooled) * both)
        p_values = np.asarray(2 * ndtr(-np.abs(ratio(ratio(x, n) - ratio(y, m), error))))
    exact = (n > 0) & (m > 0) & (fewest < LARGE)
    for index in zip(*np.nonzero(np.atleast_1d(exact)), strict=True):
        index = index if p_values.shape else ()
        cells = (int(np.rint(a[index])) for a in (x, n - x, y, m - y))
        p_values[index] = max(_fisher(*cells), p_values[index] if correlation[index] else 0.0)
    return np.where((n > 0) & (m > 0), p_values, np.nan)


def fisher_greater(x: float, other_x: float, y: float, other_y: float) -> float:
    """One-sided p-value of Fisher's exact test that x of x + other_x is greater than y of y + other_y, each rounded.

    Of more than a million tables with the same margins, the normal law stands for the hypergeometric one.
    """
    cells = tuple(int(np.rint(value)) for value in (x, other_x, y, other_y))
    n, hits, total = cells[0] + cells[1], cells[0] + cells[2], sum(cells)
    if min(n, hits) > _MOST_TABLES:
        mean = n * (hits / total)
        error = np.sqrt(mean * (1 - hits / total) * ((total - n) / (total - 1)))
        return float(ndtr(float(ratio(mean - cells[0] + 0.5, error))))
    first, chance = _chances(*cells)
    return float(min(chance[cells[0] - first :].sum() / chance.sum(), 1.0))


def _fisher(x: int, other_x: int, y: int, other_y: int) -> float:
    """Two-sided p of Fisher's exact test: all tables with these margins that are no more likely than this one."""
    first, chance = _chances(x, other_x, y, other_y)
    # Equally likely up to rounding counts as equally likely.
    as_rare = chance <= chance[x - first] * (1 + 1e-7)
    return float(min(chance[as_rare].sum() / chance.sum(), 1.0))


def _chances(x: int, other_x: int, y: int, other_y: int) -> tuple[int, Array]:
    """Lowest x of all tables with these margins, and the likelihood of each relative to the most likely one."""
    n, m, hits = x + other_x, y + other_y, x + y
    k = np.arange(max(0, hits - m), min(n, hits) + 1)
    chance = gammaln([n + 1, m + 1]).sum() - gammaln([k + 1, n - k + 1, hits - k + 1, m - hits + k + 1]).sum(axis=0)
    return int(k[0]), np.exp(chance - chance.max())


_OF_FIRST, _OF_SECOND = ([1, 0, 0, 0], [1, 1, 0, 0]), ([0, 0, 1, 0], [0, 0, 1, 1])
"""Cells above and below the line of either share, where TP, FP are the hits and misses of the first part."""


def share_correlation(first: ClusterCounts, second: ClusterCounts, above: npt.ArrayLike, below: npt.ArrayLike) -> float:
    """Correlation of a share of two parts of the rows through shared clusters, by linearisation; 0 without any."""
    sums = [(part.sums(above), part.sums(below)) for part in (first, second)]
    return float(_correlations([hits - float(ratio(hits.sum(), rows.sum())) * rows for hits, rows in sums])[0, 1])


def clustered_greater(parts: ClusterCounts, level: float = 0.95) -> float:
    """One-sided p-value that the share in a first part of the rows is greater than in a second; 1 with few clusters.

    A t test of the difference of the two ratio estimators over the whole clusters, with at most the degrees of freedom
    that the clusters of either part leave (see `degrees_by_sizes`). It is never below Fisher's test on the effective
    numbers of rows, which holds where few rows are hits. The four cells are hits and misses of the first part, then of
    the second. See W. Cochran (1977), Sampling Techniques, 3rd edition. Wiley, section 6.17 (difference of two ratios);
    J. Rao, A. Scott (1992), Biometrics 48, 577–585.
    """
    x, other_x, y, other_y = parts.cells.sum(axis=0)
    moments, n, m = parts.moments, x + other_x, y + other_y
    if min(float(moments.clusters_in(below)) for _, below in (_OF_FIRST, _OF_SECOND)) < 2:
        return 1.0
    degrees = min(clustered.degrees_by_sizes(parts.sums(below)) for _, below in (_OF_FIRST, _OF_SECOND))
    a, b = x / n, y / m
    contributions = parts.sums(np.array([(1 - a) / n, -a / n, -(1 - b) / m, b / m]))
    error = np.sqrt(float(contributions @ contributions) * parts.count / (parts.count - 1))
    degrees = min(degrees, clustered.degrees_of(contributions, parts.count))
    p_value = float(stdtr(degrees, -(a - b) / error)) if error > 0 else float(a <= b)
    of_parts = (*_OF_FIRST, x, n), (*_OF_SECOND, y, m)
    effective = (clustered.effective_shares(moments, *part, level)[:2] for part in of_parts)
    (hits, rows), (other_hits, others) = (map(float, pair) for pair in effective)
    return max(p_value, fisher_greater(hits, rows - hits, other_hits, others - other_hits))


_ROWS, _FEWEST_BAGS = 2_000_000, 20
"""Rows that are read with clusters left out, and bags of clusters that are left out at least."""


def correlation_of_counts(measure: MetricDef, a: ConfusionCounts, b: ConfusionCounts) -> float:
    """Correlation of the values of a measure in two samples whose clusters have the same codes; ratios by logarithms.

    From how the clusters move either value: of a share by linearisation, else by the jackknife. 0 where no cluster has
    rows in both. See B. Efron, C. Stein (1981), doi:10.1214/aos/1176345462.
    """
    if a.clusters is None or b.clusters is None:
        return 0.0
    if measure.interval == "share":
        return share_correlation(a.clusters, b.clusters, *map(cells_in, (measure.numerator, measure.denominator)))

    def without(counts: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.asarray(measure(ConfusionCounts(*counts.T)), dtype=np.float64)
            return np.log(values) if measure.interval == "logarithm" else values

    return _correlation(*(without(part.cells.sum(axis=0) - part.cells) for part in (a.clusters, b.clusters)))


def correlation_of_matrices(measure: MetricDef, a: ConfusionMatrix, b: ConfusionMatrix) -> float:
    """Correlation between two samples of a measure of confusion matrices, due to shared clusters."""
    if a.rows is None or b.rows is None:
        return 0.0
    bags = _bags(a.rows.clusters, b.rows.clusters)

    def without(bag: Flags, matrix: ConfusionMatrix, rows: ClusteredPairs) -> float:
        k, weights = len(matrix.classes), at_rows(rows.weights, bag)
        gone = np.bincount(rows.actual[bag] * k + rows.predicted[bag], weights, k * k).reshape(k, k)
        return float(measure(ConfusionMatrix(matrix.classes, matrix.counts - gone)))

    both = (a, a.rows), (b, b.rows)
    return _correlation(*(_left_out(without, bags, rows.clusters, one, rows) for one, rows in both))


def correlation_of_scores(measure: MetricDef, a: ScoredLabels, b: ScoredLabels) -> float:
    """Correlation between two samples of a measure of scores, due to shared clusters."""
    if not a.clusters or not b.clusters:
        return 0.0
    if measure.paired_test == "delong":
        return _correlation(*(np.sum(placement_sums(one, roc_auc(one)), axis=0) for one in (a, b)))
    columns = [one.all_rows for one in (a, b)]
    rows = sum(len(one["clusters"]) for one in columns)
    bags = _bags(*(one["clusters"] for one in columns), most=max(_ROWS // rows, _FEWEST_BAGS))

    def without(bag: Flags, state: ScoredLabels, columns: dict[str, Any]) -> float:
        kept = {name: at_rows(column, ~bag) for name, column in columns.items()}
        some = ScoredLabels.from_arrays(**kept, higher_is_positive=state.higher_is_positive)
        return float(measure(some)) if some.positives and some.negatives else np.nan

    both = zip((a, b), columns, strict=True)
    return _correlation(*(_left_out(without, bags, one["clusters"], state, one) for state, one in both))


def _bags(a: np.ndarray, b: np.ndarray, most: int = clustered.MOST_BAGS) -> Indices:
    """Bag of each code of both samples: many clusters are left out together, the same in both."""
    return clustered.bag_of_clusters(1 + int(max(a.max(initial=-1), b.max(initial=-1))), most)


def _left_out(without: Callable[..., float], bags: Indices, codes: Indices, *of: Any) -> Array:
    """Value without the rows of each bag, shape (bags,); nan if it is undefined."""
    of_rows = bags[codes]
    values = np.full(int(bags.max(initial=-1)) + 1, np.nan)
    for bag in np.unique(of_rows).tolist():
        values[bag] = without(of_rows == bag, *of)
    return values


def _correlation(*values: Array) -> float:
    """Correlation of the changes from leaving out clusters; absent clusters and undefined values change nothing."""
    known = [one[np.isfinite(one)] for one in values]
    moves = [
        np.where(np.isfinite(one), one - some.sum() / max(len(some), 1), 0.0)
        for one, some in zip(values, known, strict=True)
    ]
    return float(_correlations(moves)[0, 1])


def correlation_factor(values: tuple[Array, Array], correlation: float) -> float:
    """Standard deviation of a difference of correlated samples, as a fraction of that of independent samples."""
    spreads = [float(np.std(one[np.isfinite(one)])) if np.isfinite(one).any() else 0.0 for one in values]
    both = spreads[0] ** 2 + spreads[1] ** 2
    return float(np.sqrt(max(1 - 2 * correlation * spreads[0] * spreads[1] / both, 0.0))) if both else 1.0


_NOTHING = 1e-9  # a share of the variance below which a combination of the estimates does not vary


def cochran_q(
    estimates: intervals.Interval, level: float = 0.95, contributions: Sequence[npt.ArrayLike] | None = None
) -> ChiSquare:
    """Cochran's Q test that the estimates of groups are all equal.

    That a difference is significant in one group and not in another says nothing about this question. The test is
    approximate, as it reads the standard errors off the intervals, and rejects too seldom where groups have few rows.
    Groups without defined bounds, or of no width, take no part; p is nan with fewer than two. `contributions` are what
    each cluster adds to the estimate of each group: estimates that share clusters vary together, and Q is that of
    generalised least squares. See W. G. Cochran (1954), doi:10.2307/3001666; A. Agresti (2013), Categorical Data
    Analysis, 3rd edition. Wiley, section 11.2 (weighted least squares of correlated estimates).
    """
    intervals.check_level(level)
    spread = np.asarray(estimates.high - estimates.low) / (2 * intervals.normal_quantile(level))
    known = np.isfinite(spread) & (spread > 0)
    values, weights = np.asarray(estimates.estimate)[known], 1 / spread[known] ** 2
    degrees = len(values) - 1
    if degrees < 1:
        return ChiSquare.of(math.nan, 0)
    if contributions is not None:
        alike = _correlations([np.asarray(one) for one, counts in zip(contributions, known, strict=True) if counts])
        if alike.any():
            return _of_correlated(values, spread[known], alike)
    mean = float((weights * values).sum() / weights.sum())
    return ChiSquare.of(float((weights * (values - mean) ** 2).sum()), degrees)


def _correlations(contributions: list[Array]) -> Array:
    """Correlations of the groups' sums of contributions, shape (g, g); 0 on the diagonal and for disjoint groups."""
    added = np.zeros((len(contributions), max(map(len, contributions), default=0)))
    for row, one in zip(added, contributions, strict=True):
        row[: len(one)] = one
    sizes = np.sqrt(np.square(added).sum(axis=1))
    alike = ratio(added @ added.T, np.outer(sizes, sizes))
    np.fill_diagonal(alike, 0.0)
    return np.nan_to_num(alike)


def _of_correlated(values: Array, spread: Array, alike: Array) -> ChiSquare:
    """Test that correlated values are equal, from their standard errors and correlations: all differences at once."""
    covariance = np.outer(spread, spread) * (alike + np.eye(len(values)))
    contrasts = np.diff(np.eye(len(values)), axis=0)
    apart = contrasts @ covariance @ contrasts.T
    # Where groups are the same clusters over and over, some differences are known from the others.
    rank = int(np.linalg.matrix_rank(apart, hermitian=True, tol=_NOTHING * float(np.trace(apart))))
    differences = contrasts @ values
    statistic = float(differences @ np.linalg.pinv(apart, rcond=_NOTHING, hermitian=True) @ differences)
    return ChiSquare.of(statistic, rank)
