"""Two samples with rows of the same clusters: how far the values of a measure in both vary together."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels, roc_auc
from evalcore.inference.base.clustered import MOST_BAGS, bag_of_clusters
from evalcore.inference.base.clustered_areas import placement_sums
from evalcore.inference.base.intervals import Interval, check_level, normal_quantile
from evalcore.inference.independent.unpaired import share_correlation
from evalcore.inference.paired.areas import ChiSquare
from evalcore.numeric import Array, ratio
from evalcore.registry import MetricDef

__all__ = ["cochran_q", "correlation_of_counts", "correlation_of_matrices", "correlation_of_scores"]


_ROWS, _FEWEST_BAGS = 2_000_000, 20
"""Rows that are read with clusters left out, and bags of clusters that are left out at least."""

_CELLS = ("tp", "fp", "fn", "tn")


def correlation_of_counts(measure: MetricDef, a: ConfusionCounts, b: ConfusionCounts) -> float:
    """Correlation of the values of a measure in two samples whose clusters have the same codes; ratios by logarithms.

    From how the clusters move either value: of a share by linearisation, else by the jackknife. 0 where no cluster has
    rows in both.

    References
    ----------
    B. Efron, C. Stein (1981). The jackknife estimate of variance. Annals of Statistics 9, 586–596.
    doi:10.1214/aos/1176345462

    Examples
    --------
    >>> from evalcore import find
    >>> patients = np.repeat(np.arange(6), 4)
    >>> calls = np.random.default_rng(1).random(24) < np.repeat([0.2, 0.9], 12)
    >>> one = ConfusionCounts.from_labels([True] * 24, calls, True, clusters=patients)
    >>> [round(correlation_of_counts(find(name), one, one), 6) for name in ("recall", "F1")]
    [1.0, 1.0]
    """
    if a.clusters is None or b.clusters is None:
        return 0.0
    if measure.interval == "share":
        cells = ([float(cell in some) for cell in _CELLS] for some in (measure.numerator, measure.denominator))
        return share_correlation(a.clusters, b.clusters, *cells)

    def without(counts: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.asarray(measure(ConfusionCounts(*counts.T)), dtype=np.float64)
            return np.log(values) if measure.interval == "logarithm" else values

    return _alike(*(without(one.clusters.cells.sum(axis=0) - one.clusters.cells) for one in (a, b) if one.clusters))


def correlation_of_matrices(measure: MetricDef, a: ConfusionMatrix, b: ConfusionMatrix) -> float:
    """The same of a measure of square tables of the same classes."""
    if a.rows is None or b.rows is None:
        return 0.0
    bags = _bags(a.rows.clusters, b.rows.clusters)
    values, k = [], len(a.classes)
    for matrix, rows in ((a, a.rows), (b, b.rows)):
        weights = np.ones(len(rows.actual)) if rows.weights is None else rows.weights

        def without(bag: npt.NDArray[np.bool_], matrix=matrix, rows=rows, weights=weights) -> float:
            places = rows.actual[bag] * k + rows.predicted[bag]
            gone = np.bincount(places, weights[bag], k * k).reshape(k, k)
            return float(measure(ConfusionMatrix(matrix.classes, matrix.counts - gone)))

        values.append(_left_out(without, bags, rows.clusters))
    return _alike(*values)


def correlation_of_scores(measure: MetricDef, a: ScoredLabels, b: ScoredLabels) -> float:
    """The same of a measure of scores."""
    if not a.clusters or not b.clusters:
        return 0.0
    if measure.paired_test == "delong":
        return _alike(*(np.sum(placement_sums(one, roc_auc(one)), axis=0) for one in (a, b)))
    columns = [_columns(one) for one in (a, b)]
    rows = sum(len(one["clusters"]) for one in columns)
    bags = _bags(*(one["clusters"] for one in columns), most=max(_ROWS // rows, _FEWEST_BAGS))
    values = []
    for state, one in zip((a, b), columns, strict=True):

        def without(bag: npt.NDArray[np.bool_], state=state, one=one) -> float:
            kept: dict[str, Any] = {name: None if column is None else column[~bag] for name, column in one.items()}
            some = ScoredLabels.from_arrays(**kept, higher_is_positive=state.higher_is_positive)
            return float(measure(some)) if some.positives and some.negatives else np.nan

        values.append(_left_out(without, bags, one["clusters"]))
    return _alike(*values)


def _columns(scored: ScoredLabels) -> dict[str, Any]:
    """The rows of scores: labels, scores, weights (or None) and clusters."""
    (positives, own), (negatives, others) = scored.rows_of(True), scored.rows_of(False)
    codes = [codes for codes in (scored.positive_clusters, scored.negative_clusters) if codes is not None]
    return {
        "labels": np.arange(len(positives) + len(negatives)) < len(positives),
        "scores": np.concatenate([positives, negatives]),
        "weights": None if scored.positive_weights is None else np.concatenate([own, others]),
        "clusters": np.concatenate(codes),
    }


def _bags(a: np.ndarray, b: np.ndarray, most: int = MOST_BAGS) -> npt.NDArray[np.intp]:
    """The bag of each code of both samples: many clusters are left out some at a time, the same in both."""
    return bag_of_clusters(1 + int(max(a.max(initial=-1), b.max(initial=-1))), most)


def _left_out(
    without: Callable[[npt.NDArray[np.bool_]], float], bags: npt.NDArray[np.intp], codes: npt.NDArray[np.intp]
) -> Array:
    """The value without the rows of each bag, shape (bags,); nan where it has none."""
    of_rows = bags[codes]
    values = np.full(int(bags.max(initial=-1)) + 1, np.nan)
    for bag in np.unique(of_rows).tolist():
        values[bag] = without(of_rows == bag)
    return values


def _alike(own: Array, other: Array) -> float:
    """Correlation of what clusters move; those that are not in a sample, or leave a value undefined, move nothing."""
    moves = np.zeros((2, max(len(own), len(other))))
    for row, values in zip(moves, (own, other), strict=True):
        known = np.isfinite(values)
        row[: len(values)][known] = values[known] - values[known].mean() if known.any() else 0.0
    sizes = np.sqrt(np.square(moves).sum(axis=1))
    return float(np.nan_to_num(ratio(moves[0] @ moves[1], sizes[0] * sizes[1])))


def narrowed(values: tuple[Array, Array], correlation: float) -> float:
    """By how much the resampled difference of two samples spreads less than one of independent samples.

    >>> round(narrowed((np.arange(9.0), np.arange(9.0)), 0.75), 3)
    0.5
    """
    spreads = [float(np.std(one[np.isfinite(one)])) if np.isfinite(one).any() else 0.0 for one in values]
    both = spreads[0] ** 2 + spreads[1] ** 2
    return float(np.sqrt(max(1 - 2 * correlation * spreads[0] * spreads[1] / both, 0.0))) if both else 1.0


_NOTHING = 1e-9
"""A share of the variance below which a combination of the estimates does not vary."""


def cochran_q(
    estimates: Interval, level: float = 0.95, contributions: Sequence[npt.ArrayLike] | None = None
) -> ChiSquare:
    """Cochran's Q: could the estimates of groups all be of one value?

    That a difference is significant in one group and not in another says nothing about this question. The test is
    approximate, as it reads the standard errors off the intervals, and rejects too seldom where groups have few rows.

    Parameters
    ----------
    estimates : Interval
        Of shape (g,), one per group. Groups whose bounds are undefined, or have no width, take no part.
    contributions : sequence of array_like, optional
        What each cluster adds to the estimate of each group, by its code, in any unit, where clusters have rows in
        several groups: estimates then vary together, and Q is that of generalised least squares.

    Returns
    -------
    ChiSquare
        Of one degree of freedom fewer than groups that take part; p is nan with fewer than two.

    References
    ----------
    W. G. Cochran (1954). The combination of estimates from different experiments. Biometrics 10, 101–129.
    doi:10.2307/3001666

    A. Agresti (2013). Categorical Data Analysis, 3rd edition. Wiley, section 11.2 (weighted least squares of correlated
    estimates).

    Examples
    --------
    >>> low, high = np.array([0.0, 0.2, np.nan]), np.array([0.2, 0.4, np.nan])
    >>> test = cochran_q(Interval((low + high) / 2, low, high))
    >>> round(test.statistic, 3), test.degrees, round(test.p_value, 4)
    (7.683, 1, 0.0056)
    """
    check_level(level)
    spread = np.asarray(estimates.high - estimates.low) / (2 * normal_quantile(level))
    known = np.isfinite(spread) & (spread > 0)
    values, weights = np.asarray(estimates.estimate)[known], 1 / spread[known] ** 2
    degrees = len(values) - 1
    if degrees < 1:
        return ChiSquare(float("nan"), 0, float("nan"))
    if contributions is not None:
        alike = _correlations([np.asarray(one) for one, counts in zip(contributions, known, strict=True) if counts])
        if alike.any():
            return _of_correlated(values, spread[known], alike)
    mean = float((weights * values).sum() / weights.sum())
    statistic = float((weights * (values - mean) ** 2).sum())
    return ChiSquare(statistic, degrees, float(chdtrc(degrees, statistic)))


def _correlations(contributions: list[Array]) -> Array:
    """Of the sums of what the clusters add, shape (g, g); 0 on the diagonal and where no cluster is in both groups."""
    added = np.zeros((len(contributions), max(map(len, contributions), default=0)))
    for row, one in zip(added, contributions, strict=True):
        row[: len(one)] = one
    sizes = np.sqrt(np.square(added).sum(axis=1))
    alike = ratio(added @ added.T, np.outer(sizes, sizes))
    np.fill_diagonal(alike, 0.0)
    return np.nan_to_num(alike)


def _of_correlated(values: Array, spread: Array, alike: Array) -> ChiSquare:
    """The test of equal values from their standard errors and correlations: that of all differences at once."""
    covariance = np.outer(spread, spread) * (alike + np.eye(len(values)))
    contrasts = np.diff(np.eye(len(values)), axis=0)
    apart = contrasts @ covariance @ contrasts.T
    # Where groups are the same clusters over and over, some differences are known from the others.
    rank = int(np.linalg.matrix_rank(apart, hermitian=True, tol=_NOTHING * float(np.trace(apart))))
    differences = contrasts @ values
    statistic = float(differences @ np.linalg.pinv(apart, rcond=_NOTHING, hermitian=True) @ differences)
    return ChiSquare(statistic, rank, float(chdtrc(rank, statistic)) if rank else float("nan"))
