"""Two samples with rows of the same clusters: how far the values of a measure in both vary together."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels, roc_auc
from evalcore.inference.cluster_resamples import MOST_BAGS, bag_of_clusters
from evalcore.inference.clustered_areas import placement_sums
from evalcore.inference.clustered_contrasts import share_correlation
from evalcore.numeric import Array, ratio
from evalcore.registry import MetricDef

__all__ = ["correlation_of_counts", "correlation_of_matrices", "correlation_of_scores"]

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
