"""What each patient, or whatever rows belong to, adds to the difference of two systems in each group of rows.

Where clusters have rows in several groups, these differences vary together.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evalcore.analyses.paired_rows import PairedRows
from evalcore.classification import ClusterCounts, ScoredLabels, roc_auc
from evalcore.inference import PairedClasses, PairedCounts
from evalcore.inference.cluster_resamples import bag_of_clusters
from evalcore.inference.clustered_areas import placement_sums
from evalcore.numeric import Array
from evalcore.registry import MetricDef

__all__: list[str] = []

_MOST_TABLES = 5000
"""Square tables that are made with a cluster left out; of more clusters, each time a bag of them is left out."""


def groups_share_clusters(codes: Sequence[np.ndarray]) -> bool:
    """Whether a cluster has rows in several groups, from the codes of the rows of each.

    >>> groups_share_clusters([np.array([0, 0, 1]), np.array([2, 3])])
    False
    """
    each = np.concatenate([np.unique(one) for one in codes])
    return bool((np.bincount(each) > 1).any())


def of_counts(measure: MetricDef, rows: PairedRows, target: str | None, clusters: int) -> Array:
    """By how much leaving out each cluster lowers B minus A in a group, or the logarithm of B over A, shape (c,).

    So many clusters have rows in any group. Measures of the square table leave out one bag of very many at a time, the
    same in every group.
    """
    paired = rows.class_counts() if target is None or measure.family == "matrix" else rows.counts(target)
    if isinstance(paired, PairedClasses):
        differences = _of_classes(measure, paired, bag_of_clusters(clusters, _MOST_TABLES))
    else:
        differences = _of_pairs(measure, paired)
    change = differences[0] - differences[1:]
    return np.where(np.isfinite(change), change, 0.0)


def _of_pairs(measure: MetricDef, paired: PairedCounts) -> Array:
    cells = np.zeros((0, 8)) if paired.clusters is None else paired.clusters.cells
    left_out = PairedCounts((cells.sum(axis=0) - np.vstack([np.zeros(8), cells])).reshape(-1, 2, 2, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        values: list[Any] = [np.asarray(measure(one), dtype=np.float64) for one in (left_out.a, left_out.b)]
        if measure.paired_test == "logarithm":
            values = [np.log(one) for one in values]
        return values[1] - values[0]


def _of_classes(measure: MetricDef, paired: PairedClasses, bags: np.ndarray) -> Array:
    cells = np.zeros((0, len(paired.counts)))
    if paired.rows is not None:
        which, codes, weights = paired.rows
        cells = ClusterCounts.of(which, bags[codes], len(paired.counts), weights).cells
    differences = np.full(1 + len(cells), _apart(measure, paired, paired.counts))
    for code in np.flatnonzero(cells.any(axis=1)).tolist():
        differences[1 + code] = _apart(measure, paired, paired.counts - cells[code])
    return differences


def _apart(measure: MetricDef, paired: PairedClasses, counts: Array) -> float:
    a, b = paired.matrices(counts)
    return float(measure(b)) - float(measure(a))


def of_areas(
    labels: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    codes: np.ndarray,
    weights: np.ndarray | None = None,
    higher: bool = True,
) -> Array:
    """What each cluster adds to the area under the ROC curve of B minus that of A, shape (c,).

    >>> labels, codes = np.array([1, 1, 0, 1, 0, 0], dtype=bool), np.array([0, 1, 0, 1, 1, 2])
    >>> of_areas(labels, np.array([6, 5, 4, 3, 2, 1]), np.array([1, 5, 4, 3, 2, 6]), codes).round(2).tolist()
    [-0.07, 0.22, -0.15]
    """
    sums = []
    for values in (a, b):
        state = ScoredLabels.from_arrays(labels, values, weights=weights, clusters=codes, higher_is_positive=higher)
        sums.append(np.sum(placement_sums(state, roc_auc(state)), axis=0))
    return sums[1] - sums[0]
