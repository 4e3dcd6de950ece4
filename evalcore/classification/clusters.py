"""Rows that belong together: what the rows of each patient, user or document count in some cells."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.classification.cluster_moments import ClusterMoments, cluster_products, joined, moments_at
from evalcore.classification.cluster_sizes import is_weighted
from evalcore.numeric import Array, effective_rows

_MOST_CODES = 1 << 20
"""Codes without gaps are not asked for below this: the table of their counts takes 32 MB."""

_FEW_THRESHOLDS = 4
"""Up to so many, clusters are counted at each, which takes a small part of what sorting their rows does."""

__all__ = ["ClusterCounts", "cluster_codes"]


@dataclass(frozen=True, eq=False)
class ClusterCounts:
    """Counts of the rows of each cluster.

    Attributes
    ----------
    cells : Array, shape (c, m)
        Rows, or sums of weights, of each of c clusters in each of m cells.
    weighted : bool
        Whether these are sums of weights, which say nothing of the number of rows; see `is_weighted`.
    alone : bool
        Whether each row is a cluster of its own, so that weights are all that is special about it.
    """

    cells: Array
    weighted: bool = False
    alone: bool = False

    @classmethod
    def of(
        cls,
        cell: npt.NDArray[np.integer],
        clusters: npt.NDArray[np.integer],
        cells: int,
        weights: Array | None = None,
        count: int | None = None,
    ) -> ClusterCounts:
        """Count rows by their cell and their cluster, both of shape (n,) and counted from 0.

        >>> ClusterCounts.of(np.array([0, 1, 1]), np.array([0, 0, 1]), cells=2).cells.tolist()
        [[1.0, 1.0], [0.0, 1.0]]
        """
        count = int(clusters.max(initial=-1)) + 1 if count is None else count
        flat = np.bincount(clusters * cells + cell, weights=weights, minlength=count * cells)
        alone = len(clusters) <= count and bool(np.bincount(clusters).max(initial=0) <= 1)
        return cls(flat.reshape(count, cells).astype(np.float64), is_weighted(weights), alone)

    @cached_property
    def count(self) -> int:
        """Number of clusters that have a row."""
        return int(np.count_nonzero(self.cells.any(axis=1)))

    @cached_property
    def worth(self) -> float:
        """Of sums of weights, how many clusters of equal weight tell as much, at least 2 of several; else `count`."""
        return max(effective_rows(self.cells.sum(axis=1)), 2.0) if self.weighted and self.count > 1 else self.count

    @cached_property
    def moments(self) -> ClusterMoments:
        """Of the four cells of a 2×2 table."""
        held = np.bincount((self.cells > 0) @ (1 << np.arange(4)), minlength=16)
        others = cluster_products(self.cells)
        return ClusterMoments(self.cells.T @ self.cells, held.astype(np.float64), others, self.weighted)

    def without(self, some: ClusterCounts) -> ClusterCounts:
        """What each cluster has outside some of its rows, whose clusters have the same codes."""
        cells = self.cells.copy()
        cells[: len(some.cells)] -= some.cells
        # Differences of sums of weights may be off by rounding.
        return ClusterCounts(np.where(cells > 1e-9 * self.cells, cells, 0.0), self.weighted)

    def sums(self, coefficients: npt.ArrayLike) -> Array:
        """A sum of cells of each cluster, shape (c,); the coefficients have shape (m,)."""
        return self.cells @ np.asarray(coefficients, dtype=np.float64)


class SortedRows:
    """Rows of two classes, each sorted by score, and what they belong to: the part of `ScoredLabels` about its rows."""

    positive_scores: Array
    negative_scores: Array
    positive_weights: Array | None
    negative_weights: Array | None
    higher_is_positive: bool
    positive_clusters: npt.NDArray[np.intp] | None
    negative_clusters: npt.NDArray[np.intp] | None

    @property
    def clusters(self) -> int:
        """Number of clusters; 0 where each row is on its own."""
        if self.positive_clusters is None or self.negative_clusters is None:
            return 0
        return 1 + max(int(codes.max(initial=-1)) for codes in (self.positive_clusters, self.negative_clusters))

    @cached_property
    def is_weighted(self) -> bool:
        """Whether rows have weights that do not count them."""
        return self.positive_weights is not None and any(is_weighted(self.rows_of(side)[1]) for side in (True, False))

    def rows_of(self, positive: bool) -> tuple[Array, Array]:
        """Scores of one class, ascending, and what each of them counts."""
        scores = self.positive_scores if positive else self.negative_scores
        weights = self.positive_weights if positive else self.negative_weights
        return scores, np.ones(len(scores)) if weights is None else np.abs(np.diff(weights))

    def _cluster_counts(self, i: int, j: int) -> ClusterCounts:
        """What each cluster counts in the four cells, with so many rows of each class below the threshold."""
        return split_counts((i, j), *self._cluster_columns(), self.clusters, self.higher_is_positive)

    def _cluster_columns(self) -> tuple[list[np.ndarray], list[Array] | None]:
        """Clusters and weights of the rows of each class, positives first."""
        codes = [codes for codes in (self.positive_clusters, self.negative_clusters) if codes is not None]
        return codes, None if self.positive_weights is None else [self.rows_of(side)[1] for side in (True, False)]

    def _moments_at(self, thresholds: Array, below: tuple[np.ndarray, np.ndarray]) -> ClusterMoments:
        """The moments of the clusters at thresholds of shape (t,), with so many rows of each class below them."""
        if 0 < len(thresholds) <= _FEW_THRESHOLDS:
            return joined([self._cluster_counts(int(i), int(j)).moments for i, j in zip(*below, strict=True)])
        codes, weights = self._cluster_columns()
        scores = self.positive_scores, self.negative_scores
        return moments_at(thresholds, scores, codes, weights, self.higher_is_positive)


def cluster_codes(clusters: npt.ArrayLike, rows: int) -> npt.NDArray[np.intp]:
    """Codes from 0 of the cluster that each row belongs to; small whole numbers are codes already.

    Raises
    ------
    ValueError
        When there is not one for each row, or one is missing.

    Examples
    --------
    >>> cluster_codes(["b", "a", "b"], 3).tolist()
    [1, 0, 1]
    """
    values = np.asarray(clusters)
    if values.shape != (rows,):
        raise ValueError(f"clusters has {values.size} entries for {rows} rows; give one for each row.")
    if values.dtype.kind == "O":
        missing = np.array([value is None or value != value for value in values.tolist()])
    else:
        missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(rows, dtype=bool)
    if missing.any():
        raise ValueError(f"The cluster of row {int(missing.argmax())} is missing; leave the row out or name one.")
    if values.dtype.kind in "iu" and rows and values.min() >= 0 and values.max() < _MOST_CODES:
        return values.astype(np.intp)
    return np.unique(values, return_inverse=True)[1].astype(np.intp)


def clustered_sides(
    values: Array, is_positive: npt.NDArray[np.bool_], codes: npt.NDArray[np.intp], weights: Array | None
) -> tuple[list[Array], list[Array] | None, list[npt.NDArray[np.intp]]]:
    """Scores, weights and clusters of the rows of each class that count, by rising score; positives first."""
    sides = [np.flatnonzero(side if weights is None else side & (weights > 0)) for side in (is_positive, ~is_positive)]
    sides = [rows[np.argsort(values[rows], kind="stable")] for rows in sides]
    held = None if weights is None else [weights[rows] for rows in sides]
    return [values[rows] for rows in sides], held, [codes[rows] for rows in sides]


def split_counts(
    below: tuple[int, int],
    clusters: list[npt.NDArray[np.intp]],
    weights: list[Array] | None,
    count: int,
    higher_is_positive: bool,
) -> ClusterCounts:
    """TP, FP, FN and TN of each cluster at a threshold, below which so many rows of each class lie.

    Clusters and weights are those of `clustered_sides`.
    """
    classes = []
    for side, (codes, low) in enumerate(zip(clusters, below, strict=True)):
        flagged = (np.arange(len(codes)) >= low) == higher_is_positive
        weight = None if weights is None else weights[side]
        classes.append(ClusterCounts.of(np.where(flagged, 0, 1), codes, 2, weight, count).cells.T)
    (tp, fn), (fp, tn) = classes
    return ClusterCounts(np.column_stack([tp, fp, fn, tn]), weights is not None and any(map(is_weighted, weights)))
