"""Shares, and areas under ROC curves, of two independent samples: intervals and tests of their differences."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, ndtr, stdtr, stdtrit

from evalcore.classification import ClusterCounts, ConfusionCounts, ConfusionMatrix, ScoredLabels, roc_auc
from evalcore.classification.several.matrix import ClusteredPairs
from evalcore.inference.base import Comparison, clustered, intervals
from evalcore.inference.base.clustered import clustered_area_variance, few_heavy_classes, placement_sums
from evalcore.inference.base.resampling import cells_in
from evalcore.inference.paired.areas import ChiSquare
from evalcore.numeric import Array, Flags, Indices, at_rows, ratio
from evalcore.registry import MetricDef

__all__ = ["ShareDifferences", "cochran_q", "compare_independent_auc", "compare_shares", "correlation_of_counts"]
__all__ += ["correlation_of_matrices", "correlation_of_scores", "share_correlation"]

LARGE = 5  # with fewer expected rows in some cell the exact test is used
_MOST_TABLES = 1_000_000


@dataclass(frozen=True, eq=False)
class ShareDifferences:
    """Differences of shares of two independent samples."""

    interval: intervals.Interval  # of the first share minus the second
    p_values: Array  # two-sided; nan where a share is undefined


def compare_shares(
    first: npt.ArrayLike,
    n_first: npt.ArrayLike,
    second: npt.ArrayLike,
    n_second: npt.ArrayLike,
    level: float = 0.95,
    correlation: npt.ArrayLike = 0.0,
) -> ShareDifferences:
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
    above, below = (np.asarray(cells, dtype=np.float64) for cells in (above, below))
    sums = [(part.sums(above), part.sums(below)) for part in (first, second)]
    own, other = (hits - float(ratio(hits.sum(), rows.sum())) * rows for hits, rows in sums)
    shared = min(len(own), len(other))
    return float(np.nan_to_num(ratio(own[:shared] @ other[:shared], np.sqrt((own @ own) * (other @ other)))))


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


def _correlation(own: Array, other: Array) -> float:
    """Correlation of the changes from leaving out clusters; absent clusters and undefined values change nothing."""
    moves = np.zeros((2, max(len(own), len(other))))
    for row, values in zip(moves, (own, other), strict=True):
        known = np.isfinite(values)
        row[: len(values)][known] = values[known] - values[known].mean() if known.any() else 0.0
    sizes = np.sqrt(np.square(moves).sum(axis=1))
    return float(np.nan_to_num(ratio(moves[0] @ moves[1], sizes[0] * sizes[1])))


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
