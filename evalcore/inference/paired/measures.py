"""Two systems on the same rows: the difference of every measure of counts, and of every measure of estimates.

A row with decisions has one of eight outcomes: its actual class and the predictions of A and B. A difference of two
measures depends on these eight counts only, so resampling the rows is drawing eight numbers.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, ndtr, stdtr

from evalcore.classification.binary.clusters import ClusterCounts, cluster_codes, few_heavy_sizes
from evalcore.classification.binary.counts import ConfusionCounts, Measure
from evalcore.classification.binary.labels import equals, label_array, positive_label, weight_array
from evalcore.estimation import Estimates
from evalcore.inference.base import Comparison, comparison, intervals, student_quantile, swap_test
from evalcore.inference.base.clustered import degrees_by_sizes, degrees_of, paired_factor, resampled_sums
from evalcore.inference.base.comparison import bootstrap_comparison, exact_comparison, few_pairs, undrawn_comparison
from evalcore.inference.base.resampling import RESAMPLES, SEED, drawing_order, resampled_cells
from evalcore.inference.intervals.estimates import influence, of_state, standard_error
from evalcore.numeric import Array, Indices, ratio
from evalcore.registry import METRICS, MetricDef

__all__ = ["PairedCounts", "compare_estimates", "diebold_mariano", "paired_differences"]

WEIGHTED_SCORE = "score interval of Tango and McNemar on effective rows"
CLUSTERED_SCORE = "score interval of Tango and McNemar on effective rows of clusters"
SCORE = "score interval of Tango, McNemar without correction"
LEAST = 4  # twice the resamples that contradict, up to which p from resampling may be too small to be true, and one
RATIO = "ratio, normal law of its logarithm"
_TRUTH = np.arange(8).reshape(2, 2, 2) >= 4  # the cells of the actual positives
_CELLS = (("tn", "fp"), ("fn", "tp"))  # [actual][predicted]


@dataclass(frozen=True, eq=False)
class PairedCounts:
    """Counts of the actual class and the predictions of two systems."""

    # Shape (..., 2, 2, 2): ``cells[actual, predicted by A, predicted by B]``, each 0 for negative and 1 for positive:
    # rows, or sums of weights. Leading axes are several tables, such as resamples.
    cells: Array
    clusters: ClusterCounts | None = None  # what each cluster counts in these eight cells, where rows belong together

    @classmethod
    def from_labels(
        cls, actual: npt.ArrayLike, a: npt.ArrayLike, b: npt.ArrayLike, positive: object = True,
        weights: npt.ArrayLike | None = None, clusters: npt.ArrayLike | None = None,
    ) -> "PairedCounts":  # fmt: skip
        """Count the rows, arrays of shape (n,); every label other than `positive` is negative."""
        columns = {"actual": label_array(actual, "actual"), "a": label_array(a, "a"), "b": label_array(b, "b")}
        n = len(columns["actual"])
        for name, values in columns.items():
            if len(values) != n:
                raise ValueError(f"actual has {n} rows and {name} {len(values)}; give both for all rows.")
        weight = None if weights is None else weight_array(weights, n)
        positive = positive_label(positive, *columns.values())
        truth, first, second = (equals(values, positive).astype(np.intp) for values in columns.values())
        cell = 4 * truth + 2 * first + second
        cells = np.bincount(cell, weights=weight, minlength=8)
        of_clusters = None if clusters is None else ClusterCounts.of(cell, cluster_codes(clusters, n), 8, weight)
        return cls(cells.astype(np.float64).reshape(2, 2, 2), of_clusters)

    @property
    def a(self) -> ConfusionCounts:
        """The four outcomes of A."""
        return _counts(self.cells.sum(axis=-1))

    @property
    def b(self) -> ConfusionCounts:
        """The four outcomes of B."""
        return _counts(self.cells.sum(axis=-2))

    @property
    def n(self) -> float:
        """All rows of one table."""
        return float(self.cells.sum())

    @property
    def ties(self) -> float:
        """Rows of one table on which both systems agree."""
        return float(self.cells[:, 0, 0].sum() + self.cells[:, 1, 1].sum())

    def right(self, actual: bool | None = None) -> tuple[float, float, float, float]:
        """Rows that both, only A, only B and neither gets right, of all or of one actual class."""
        return self.share(METRICS["accuracy" if actual is None else "recall" if actual else "specificity"])

    def share(self, measure: MetricDef) -> tuple[float, float, float, float]:
        """Rows that both, only A, only B and neither count in a share of the same rows (paired_test "share")."""
        both, only_a, only_b, neither = (float(self.cells[side].sum()) for side in _sides(measure))
        return both, only_a, only_b, neither

    def resampled(self, resamples: int = RESAMPLES, seed: int = SEED) -> "PairedCounts":
        """Tables of resamples of the rows, or of their clusters, cells of shape (resamples, 2, 2, 2)."""
        intervals.check_draws(resamples)
        if self.clusters is not None:
            return PairedCounts(resampled_sums(self.clusters, resamples, seed).reshape(resamples, 2, 2, 2))
        cells, drawn = self.cells.reshape(8), np.empty((resamples, 8))
        order = drawing_order(np.arange(8), np.arange(8).reshape(2, 2, 2).swapaxes(1, 2).reshape(8), cells)
        drawn[:, order] = resampled_cells(cells[order], resamples, seed)
        return PairedCounts(drawn.reshape(resamples, 2, 2, 2))


def paired_differences(
    measures: Iterable[Measure], paired: PairedCounts, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Comparison]:
    """Compare B with A by measures of counts, with their parameters set, on the same rows of one table.

    Shares of the same rows (paired_test "share") have Tango's interval with McNemar's test, chi-square without
    correction, so that the interval excludes 0 exactly when p is below 1 − level. Quotients ("logarithm") are compared
    by the ratio of B's value to A's (`null` 1), whose logarithm is taken as normal; bounds and p are nan where a cell
    is empty. All others have the bootstrap. Where the systems differ on fewer than 25 rows or clusters, or no resample
    contradicts, p comes from exchanges (`swap_test`). n of a share is the rows it is a share of. See T. Tango (1998),
    Statistics in Medicine 17, 891–908; J. A. Roldán Nofuentes, J. D. Luna del Castillo (2007), doi:10.1002/sim.2850.
    """
    intervals.check_level(level)
    sample: PairedCounts | None = None
    comparisons = []
    for measure in measures:
        definition = METRICS.get(measure.key if isinstance(measure, MetricDef) else getattr(measure, "__name__", ""))
        if definition is not None and definition.paired_test == "share":
            comparisons.append(_by_score(paired, definition, level))
        elif definition is not None and definition.paired_test == "logarithm":
            comparisons.append(_by_logarithm(paired, definition, level))
        else:
            sample = sample or paired.resampled(resamples, seed)
            comparisons.append(_by_bootstrap(measure, paired, sample, level))
        if (clusters := paired.clusters) is not None:
            share = definition is not None and definition.paired_test == "share"
            parts = [np.any(_sides(definition), axis=0)] if share and definition else [_TRUTH, ~_TRUTH]
            sizes = [clusters.sums(part.reshape(8).astype(np.float64)) for part in parts]
            comparisons[-1] = comparisons[-1].marked(not clusters.weighted and few_heavy_sizes(*sizes))
    return comparisons


def _by_score(paired: PairedCounts, measure: MetricDef, level: float) -> Comparison:
    share, method = paired.share(measure), SCORE
    rows = round(sum(share))
    if (clusters := paired.clusters) is not None:  # as effective numbers of independent rows, 0 where these are unknown
        method = WEIGHTED_SCORE if clusters.alone else CLUSTERED_SCORE
        sides = [side.reshape(8).astype(np.float64) for side in _sides(measure)]
        factor = float(np.nan_to_num(paired_factor(clusters, sides[1], sides[2], np.sum(sides, axis=0), level)))
        share = [factor * number for number in share]
    (_, only_a, only_b, _), n = share, sum(share)
    interval = intervals.paired_score_interval(only_a, only_b, n, level)
    if clusters is not None:
        interval = replace(interval, clusters=clusters.count, effective=n)
    if not n:  # of one cluster the difference is known, but not how it varies
        estimate = float(np.subtract(measure(paired.b), measure(paired.a))) if rows else math.nan
        interval = replace(interval, estimate=estimate)
        return Comparison(method, estimate, interval, math.nan, math.nan, rows)
    statistic = (only_b - only_a) ** 2 / (only_a + only_b) if only_a + only_b else 0.0
    p_value, at = float(chdtrc(1, statistic)), partial(intervals.paired_score_interval, only_a, only_b, n)
    compared = Comparison(method, float(interval.estimate), interval, statistic, p_value, rows, interval_at=at)
    return _with_few_clusters(compared, measure, paired, level)


def _sides(measure: MetricDef) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Cells, shape (2, 2, 2), that both systems, only A, only B and neither count in a share of the same rows."""
    above, below = np.isin(_CELLS, measure.numerator), np.isin(_CELLS, measure.denominator)
    rows = np.any(below, axis=1)[:, None, None]
    of_a, of_b = above[:, :, None], above[:, None, :]
    return rows & of_a & of_b, rows & of_a & ~of_b, rows & ~of_a & of_b, rows & ~of_a & ~of_b


def _by_logarithm(paired: PairedCounts, measure: MetricDef, level: float) -> Comparison:
    n, value_a, value_b = round(paired.n), float(measure(paired.a)), float(measure(paired.b))
    if paired.ties == paired.n:
        same = math.nan if math.isnan(value_a) else 1.0  # the ratio, and p
        return Comparison(RATIO, same, intervals.Interval(same, math.nan, math.nan), math.nan, same, n, null=1.0)
    of_a, of_b = (intervals.log_slopes(measure, counts) for counts in (paired.a, paired.b))
    with np.errstate(invalid="ignore", divide="ignore"):
        estimate = float(np.divide(value_b, value_a))
        # Each of the eight outcomes is one cell for A and one for B.
        slopes = np.array([of_b[_CELLS[actual][b]] - of_a[_CELLS[actual][a]] for actual, a, b in np.ndindex(2, 2, 2)])
        variance, degrees = float(paired.cells.reshape(8) @ slopes**2), math.inf
        if (clusters := paired.clusters) is not None:
            contributions = clusters.sums(slopes)
            variance = float(np.square(contributions).sum()) * float(ratio(clusters.worth, clusters.worth - 1))
            own = min(degrees_of(contributions, clusters.count), max(clusters.worth - 1, 1.0))
            degrees = degrees_by_sizes(clusters.cells.sum(axis=1), own)
    error = math.sqrt(variance) if 0 < variance < math.inf and 0 < estimate < math.inf else math.nan
    statistic = math.log(estimate) / error if error > 0 else math.nan

    def at(level: float) -> intervals.Interval:
        quantile = intervals.normal_quantile(level) if clusters is None else float(student_quantile(level, degrees))
        factor = math.exp(quantile * error)
        return intervals.Interval(estimate, estimate / factor, estimate * factor, clusters and clusters.worth)

    p_value = float(2 * (ndtr(-abs(statistic)) if clusters is None else stdtr(degrees, -abs(statistic))))
    tested = None if math.isnan(error) else at
    compared = Comparison(RATIO, estimate, at(level), statistic, p_value, n, null=1.0, interval_at=tested)
    with np.errstate(divide="ignore"):
        if clusters is not None:
            return _with_few_clusters(compared, lambda counts: np.log(measure(counts)), paired, level)
        if not few_pairs(paired.n - paired.ties):
            return compared
        exact = swap_test(lambda counts: np.log(measure(counts)), paired.cells)
    return exact_comparison(compared, exact, level)


def _with_few_clusters(compared: Comparison, measure: Measure, paired: PairedCounts, level: float) -> Comparison:
    """Take the p-value from exchanged clusters if the systems differ in few of them."""
    if (clusters := paired.clusters) is None or clusters.alone or clusters.count < 2:
        return compared
    # Clusters in which both systems give as many wrong answers of either kind cannot tell them apart.
    differing = int(np.count_nonzero((clusters.cells[:, [1, 5]] != clusters.cells[:, [2, 6]]).any(axis=1)))
    if not few_pairs(min(differing, 1 + degrees_by_sizes(clusters.cells.sum(axis=1)))) or not differing:
        return compared
    p_value = comparison.swap_test_of_clusters(measure, clusters.cells)
    return exact_comparison(compared, p_value, level, comparison.SWAPS_OF_CLUSTERS)


def _by_bootstrap(measure: Measure, paired: PairedCounts, sample: PairedCounts, level: float) -> Comparison:
    # ∞ − ∞ is undefined as 0/0 is: two likelihood ratios without a false alarm cannot be told apart.
    with np.errstate(invalid="ignore"):
        estimate = float(np.subtract(measure(paired.b), measure(paired.a)))
        differences = np.subtract(measure(sample.b), measure(sample.a))
    if paired.ties == paired.n:
        return undrawn_comparison(estimate if paired.n else math.nan, round(paired.n))
    if (clusters := paired.clusters) is not None:
        worth, n = clusters.worth, round(paired.n)
        degrees = degrees_by_sizes(clusters.cells.sum(axis=1), worth - 1)
        compared = comparison.clustered_comparison(estimate, differences, level, n, worth, degrees, clusters.alone)
        return _with_few_clusters(compared, measure, paired, level)
    compared = bootstrap_comparison(estimate, differences, level, round(paired.n))
    few = few_pairs(paired.n - paired.ties)
    # Where no resample contradicts, the sample may just be too small to.
    if not few and not compared.p_value <= LEAST / len(differences):
        return compared
    exact = swap_test(measure, paired.cells)
    return exact_comparison(compared, exact, level) if few or exact > compared.p_value else compared


def _counts(table: Array) -> ConfusionCounts:
    """Counts of ``table[..., actual, predicted]``."""
    return ConfusionCounts(table[..., 1, 1], table[..., 0, 1], table[..., 1, 0], table[..., 0, 0])


_NEAR = 1e-12


def compare_estimates(measure: MetricDef, a: Estimates, b: Estimates, level: float = 0.95) -> Comparison:
    """Difference of a measure of two systems on the same rows, B minus A.

    Student's paired t-test of the losses, or of what each row adds to measures that are no mean, such as RMSE and R²;
    clusters are summed. p = 1 where the systems do not differ on any row; nan where the measure is undefined.
    ValueError when the true numbers differ, or the measure has no influence: the median, the maximum and MASE.
    """
    intervals.check_level(level)
    if len(a) != len(b) or not np.array_equal(a.truth, b.truth):
        raise ValueError("The two systems have different true numbers; give both the same rows in the same order.")
    moved = influence(measure, b) - influence(measure, a)
    estimate = float(measure(b)) - float(measure(a))
    error, degrees = standard_error(moved, a)
    if error <= _NEAR * abs(estimate):  # equal differences vary by rounding alone
        error = 0.0
    method = "paired t of the losses" if measure.interval == "mean" else "paired t of the rows’ contributions"
    if a.clusters is not None:
        method += ", by clusters"
    compared = _of_error(method, estimate, error, degrees, level, round(a.total))
    return compared.marked(of_state(a).get("few_heavy", False))


def diebold_mariano(
    losses_a: npt.ArrayLike, losses_b: npt.ArrayLike, horizon: int = 1, level: float = 0.95,
    weights: npt.ArrayLike | None = None, series: npt.ArrayLike | None = None,
) -> Comparison:  # fmt: skip
    """Diebold–Mariano test: do two forecasts cost the same, where losses of neighbouring rows are alike?

    The variance of the mean difference counts the covariances of rows up to `horizon` − 1 apart, with the correction of
    Harvey, Leybourne and Newbold for short series, and Bartlett's weights where it is not positive. A weighted row
    counts in the variance with its weight. Series are independent of each other. nan with no more rows than steps. See
    F. Diebold, R. Mariano (1995), doi:10.1080/07350015.1995.10524599; D. Harvey, S. Leybourne, P. Newbold (1997),
    doi:10.1016/S0169-2070(96)00719-4.
    """
    intervals.check_level(level)
    difference = np.asarray(losses_b, dtype=np.float64) - np.asarray(losses_a, dtype=np.float64)
    weight = np.ones(len(difference)) if weights is None else np.asarray(weights, dtype=np.float64)
    codes = np.zeros(len(difference), np.intp) if series is None else np.unique(series, return_inverse=True)[1]
    rows = np.argsort(codes, kind="stable")
    rows = rows[weight[rows] > 0]
    difference, weight, codes = difference[rows], weight[rows], codes[rows]
    n, mean = len(rows), float(np.average(difference, weights=weight)) if len(rows) else math.nan
    if n <= max(horizon, 1):
        return Comparison("Diebold–Mariano", mean, intervals.Interval(mean, math.nan, math.nan), math.nan, math.nan, n)
    apart = weight / weight.mean() * (difference - mean)
    variance = _long_run(apart, codes, horizon, bartlett=False)
    if not variance > 0:
        variance = _long_run(apart, codes, horizon, bartlett=True)
    short = (n + 1 - 2 * horizon + horizon * (horizon - 1) / n) / n
    error = math.sqrt(max(variance, 0.0) / n / short) if short > 0 else math.nan
    return _of_error(f"Diebold–Mariano, horizon {horizon}", mean, error, n - 1.0, level, n)


def _long_run(apart: Array, codes: Indices, horizon: int, bartlett: bool) -> float:
    """Long-run variance of a row: with twice the covariances of rows fewer steps apart than the horizon."""
    n = len(apart)
    total = float(apart @ apart) / n
    for lag in range(1, horizon):
        weight = 1 - lag / horizon if bartlett else 1.0
        alike = codes[lag:] == codes[:-lag]
        total += 2 * weight * float(apart[lag:][alike] @ apart[:-lag][alike]) / n
    return total


def _of_error(method: str, estimate: float, error: float, degrees: float, level: float, n: int) -> Comparison:
    if math.isnan(error) or math.isnan(estimate):
        return Comparison(method, estimate, intervals.Interval(estimate, math.nan, math.nan), math.nan, math.nan, n)
    with np.errstate(divide="ignore"):
        statistic = float(np.divide(estimate, error)) if estimate else 0.0
    p_value = float(2 * stdtr(degrees, -abs(statistic)))
    at = partial(intervals.student_interval, estimate, error, degrees)
    return Comparison(method, estimate, at(level), statistic, p_value, n, interval_at=at)
