"""Clusters of rows: counts of each patient, user or document in some cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress, product
from math import factorial, prod
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.labels import first_missing
from evalcore.numeric import Array, Flags, Indices, count_rows, effective_rows, ratio

__all__ = ["ClusterCounts", "ClusterMoments", "cluster_codes"]

# With fewer degrees of freedom a 95 % interval may hold in less than 93 % of samples: of a share; of all others, such
# as areas, ratios and differences; and of resampled measures of scores, such as average precision.
LEAST_DEGREES, LEAST_OF_OTHERS, LEAST_OF_RESAMPLED = 13.0, 24.0, 34.0
LEAST_VARIATION, LEAST_PREDICTED = 0.5, 1.0
"""Squared coefficient of variation from which on sizes count as very unequal: of rows or of those of a class, and of
rows by what was predicted, which vary more where clusters are of one size."""


def is_weighted(weights: Array | None) -> bool:
    """Test whether weights are other than row counts; whole numbers count equal rows."""
    return weights is not None and not count_rows(weights)


def size_degrees(sums: Sequence[npt.ArrayLike]) -> Array:
    """Degrees of freedom that the sizes of clusters leave to a variance by linearisation, at least 1.

    From the sums over the clusters of the first five powers of their sizes. Bell and McCaffrey's (2002, Survey
    Methodology 28, 169–181), where the rows of a cluster are alike: Satterthwaite's degrees of Σ (x − p n)² if the mean
    of each cluster varies equally. Of c clusters of one size they are c − 1. Of very unequal ones they are far fewer,
    as the largest decide.

    >>> equal, unequal = np.full(20, 10.0), np.array([1.0] * 18 + [60, 100])
    >>> [round(float(size_degrees([(sizes**k).sum() for k in range(1, 6)])), 2) for sizes in (equal, unequal)]
    [19.0, 1.03]
    """
    n = np.asarray(sums[0], dtype=np.float64)
    second, third, fourth, fifth = (ratio(one, n**k) for k, one in enumerate(sums[1:], 2))
    mean = second - 2 * third + second**2
    spread = fourth * (1 + 4 * second) - 4 * fifth + 2 * third**2 - 4 * second**2 * third + second**4
    return np.maximum(np.where(spread > 0, ratio(mean**2, spread), 1.0), 1.0)


def degrees_of_sizes(sizes: Array) -> float:
    """Degrees of freedom from the rows, or sums of weights, of the clusters, shape (c,); nan with fewer than two."""
    shares = sizes[sizes > 0] / max(float(sizes.max(initial=0)), 1e-300)
    if len(shares) < 2:
        return float("nan")
    return min(float(size_degrees([(shares**k).sum() for k in range(1, 6)])), len(shares) - 1.0)


def inequality(clusters: npt.ArrayLike, n: npt.ArrayLike, squares: Array | float) -> Array:
    """Half the squared coefficient of variation of the sizes of clusters, at most 1, from their sum and squares."""
    return np.nan_to_num(np.clip(squared_variation(clusters, n, squares) / 2, 0.0, 1.0))


def squared_variation(clusters: npt.ArrayLike, n: npt.ArrayLike, squares: npt.ArrayLike) -> Array:
    """Squared coefficient of variation of the sizes of clusters, from their sum n and their squares."""
    return np.asarray(ratio(np.asarray(clusters, dtype=np.float64) * np.asarray(squares), np.square(n)) - 1)


def few_heavy_sizes(*sizes: Array, least: float = LEAST_OF_OTHERS) -> bool:
    """Test whether the rows of clusters, (c,), or of a class leave few degrees of freedom and vary much in number."""
    varied = [squared_variation(np.count_nonzero(one), one.sum(), one @ one) >= LEAST_VARIATION for one in sizes]
    return any(degrees_of_sizes(one) < least for one in compress(sizes, varied))


Codes = npt.NDArray[np.integer]  # whole numbers from 0, one per row: its cluster, cell or bin

Factors = tuple[tuple[int, int], ...]
"""Some sums of cells with the powers to which they are raised, 1 to 5 or −1; TP counts 1, FP 2, FN 4, TN 8."""


@dataclass(frozen=True, eq=False)
class ClusterMoments:
    """Moments over clusters that the variance of a sum over the four cells of a 2×2 table needs."""

    products: Array  # shape (..., 4, 4): sums over the clusters of the products of two cells
    occupancy: Array  # shape (..., 16): clusters by the cells that they have rows in: TP counts 1, FP 2, FN 4, TN 8
    others: Callable[[Factors], Array]  # sums over the clusters of a product of powers of sums of cells
    weighted: bool = False  # whether the cells are sums of weights that do not count rows

    @classmethod
    def stacked(cls, each: Sequence[ClusterMoments], shape: tuple[int, ...]) -> ClusterMoments:
        """Join moments of single tables along new axes of a shape."""

        def others(factors: Factors) -> Array:
            return np.array([one.others(factors) for one in each]).reshape(shape)

        products, occupancy = np.array([one.products for one in each]), np.array([one.occupancy for one in each])
        weighted = any(one.weighted for one in each)
        return cls(products.reshape(*shape, 4, 4), occupancy.reshape(*shape, 16), cache(others), weighted)

    def at(self, places: list[int]) -> ClusterMoments:
        """Select the moments at some indices of the first axis."""
        others = cache(lambda factors: self.others(factors)[places])
        return ClusterMoments(self.products[places], self.occupancy[places], others, self.weighted)

    def squares(self, coefficients: Array) -> Array:
        """Sum over the clusters of the square of a sum of cells; coefficients of shape (..., 4)."""
        return np.maximum(np.einsum("...i,...ij,...j->...", coefficients, self.products, coefficients), 0.0)

    def fourth_powers(self, coefficients: Array) -> Array:
        """Sum over the clusters of the fourth power of a sum of cells; coefficients of shape (..., 4)."""
        of_cells = np.moveaxis(np.asarray(coefficients, dtype=np.float64), -1, 0)
        # Cells with the same coefficient are one sum, of which there are two in a share.
        sums: list[tuple[Array, int]] = []
        for bit, column in enumerate(of_cells):
            alike = [k for k, (other, _) in enumerate(sums) if np.array_equal(other, column, equal_nan=True)]
            if alike:
                sums[alike[0]] = column, sums[alike[0]][1] + (1 << bit)
            elif np.any(column != 0):
                sums.append((column, 1 << bit))
        total = np.zeros(of_cells.shape[1:])
        for powers in product(range(5), repeat=len(sums)):
            if sum(powers) == 4:
                used = [(each, power) for each, power in zip(sums, powers, strict=True) if power]
                times = factorial(4) / prod(factorial(power) for power in powers)
                fourth = self.others(tuple((mask, power) for (_, mask), power in used))
                total = total + times * fourth * prod(column**power for (column, _), power in used)
        return np.maximum(total, 0.0)

    def powers(self, cells: npt.ArrayLike, power: int) -> Array:
        """Sum over the clusters of a power of how many rows they have in some cells, flags of shape (4,)."""
        return self.others(((_mask(cells), power),))

    def size_degrees(self, cells: npt.ArrayLike) -> Array:
        """Degrees of freedom that the numbers of rows of the clusters in some cells leave; see `size_degrees`."""
        return size_degrees([self.powers(cells, power) for power in range(1, 6)])

    def few_heavy(self, cells: npt.ArrayLike, least: float = LEAST_DEGREES) -> Flags:
        """Test whether a few heavy clusters hold most rows of some cells, as `few_heavy_sizes`.

        Never of sums of weights, whose intervals take Kish's number and hold.
        """
        variation = squared_variation(self.clusters_in(cells), self.powers(cells, 1), self.powers(cells, 2))
        # Whether TP and FN, and FP and TN, are only together among the cells.
        whole_classes = all(_mask(cells) & both in (0, both) for both in (5, 10))
        unequal = LEAST_VARIATION if whole_classes else LEAST_PREDICTED
        return np.asarray(not self.weighted) & (self.size_degrees(cells) < least) & (variation >= unequal)

    def mean_share(self, above: npt.ArrayLike, below: npt.ArrayLike) -> Array:
        """A share of the rows of each cluster, as a mean over the clusters that have any; flags of shape (4,)."""
        return ratio(self.others(((_mask(above), 1), (_mask(below), -1))), self.clusters_in(below))

    def clusters_in(self, cells: npt.ArrayLike) -> Array:
        """Number of clusters that have a row in any of some cells, flags of shape (4,)."""
        return self.occupancy[..., (np.arange(16) & _mask(cells)) > 0].sum(axis=-1)


def _mask(cells: npt.ArrayLike) -> int:
    return int(np.asarray(cells, dtype=bool) @ (1 << np.arange(4)))


def _product(cells: Sequence[Array] | Array, factors: Factors) -> Array:
    """A product of powers of sums of four cells, each an array of the same shape."""
    raised = []
    for mask, power in factors:
        first, *others = (cells[bit] for bit in range(4) if mask >> bit & 1)
        values = sum(others, first)
        if power < 0:
            # A cluster without such rows adds nothing.
            raised.append(np.divide(1, values, out=np.zeros(np.shape(values)), where=values > 0))
            continue
        square = values * values if power > 1 else values
        # Products, as powers in floating point take many times as long.
        raised.append(prod([square] * ((power - 1) // 2), start=values if power % 2 else square))
    return np.asarray(prod(raised[1:], start=raised[0]))


def _moments_of_bins(
    bins: Codes, is_positive: Flags, clusters: Codes, weights: Array | None, thresholds: int
) -> ClusterMoments:
    """The moments at several thresholds at once, from the strictest to the laxest.

    The bin of a row is the first threshold that calls it positive, or the number of thresholds where none does. Each
    row changes the sums of its cluster once, by what the cluster held before, so all thresholds take one sort.
    """
    order = np.lexsort((bins, clusters))
    code, at, positive = clusters[order], bins[order], is_positive[order]
    weight = np.ones(len(order)) if weights is None else weights[order]
    starts = np.flatnonzero(np.diff(code, prepend=-1))
    sizes = np.diff(np.append(starts, len(code)))

    def summed(values: Array) -> tuple[Array, Array]:
        """Sums within the cluster of each row, before it, and in all."""
        whole = np.concatenate([[0.0], np.cumsum(values)])
        totals = whole[np.append(starts[1:], len(values))] - whole[starts]
        return whole[:-1] - np.repeat(whole[starts], sizes), totals

    def along(changes: Array) -> Array:
        return np.bincount(at, weights=changes, minlength=thresholds + 1)[:thresholds].cumsum()

    tp, fp = np.where(positive, weight, 0.0), np.where(positive, 0.0, weight)
    (tp_before, all_p), (fp_before, all_n) = summed(tp), summed(fp)
    p, n = np.repeat(all_p, sizes), np.repeat(all_n, sizes)
    tp_tp, fp_fp = along(tp * (2 * tp_before + tp)), along(fp * (2 * fp_before + fp))
    tp_fp = along(tp * fp_before + fp * tp_before)
    tp_p, tp_n, fp_p, fp_n = along(tp * p), along(tp * n), along(fp * p), along(fp * n)
    rows = {
        (0, 0): tp_tp, (0, 1): tp_fp, (0, 2): tp_p - tp_tp, (0, 3): tp_n - tp_fp,
        (1, 1): fp_fp, (1, 2): fp_p - tp_fp, (1, 3): fp_n - fp_fp,
        (2, 2): all_p @ all_p - 2 * tp_p + tp_tp, (2, 3): all_p @ all_n - tp_n - fp_p + tp_fp,
        (3, 3): all_n @ all_n - 2 * fp_n + fp_fp,
    }  # fmt: skip
    products = np.empty((thresholds, 4, 4))
    for (i, j), values in rows.items():
        products[:, i, j] = products[:, j, i] = values

    @cache
    def moving(classes: int) -> tuple[Codes, list[Array], list[Array]]:
        """The thresholds at which rows of some classes move, and the cells of their clusters before and after it."""
        rows = slice(None) if classes == 3 else np.flatnonzero(positive == (classes == 1))
        before = [tp_before, fp_before, p - tp_before, n - fp_before]
        before, moved = ([values[rows] for values in each] for each in (before, (tp, fp, -tp, -fp)))
        return at[rows], before, [cell + change for cell, change in zip(before, moved, strict=True)]

    def summed_product(factors: Factors) -> Array:
        none = np.zeros(len(all_p))
        start = float(_product((none, none, all_p, all_n), factors).sum())
        # The rows of a class change nothing where TP and FN, or FP and TN, only stand together.
        changing = [any(mask & both not in (0, both) for mask, _ in factors) for both in (5, 10)]
        if not any(changing):
            return np.full(thresholds, start)
        places, before, after = moving(changing[0] + 2 * changing[1])
        changes = _product(after, factors) - _product(before, factors)
        return start + np.bincount(places, weights=changes, minlength=thresholds + 1)[:thresholds].cumsum()

    counted = [summed(which.astype(np.float64)) for which in (positive, ~positive)]

    def mask(after: bool) -> Indices:
        """The cells that the cluster of each row has rows in, before or after it is called positive."""
        here = [b + (which if after else 0) for (b, _), which in zip(counted, (positive, ~positive), strict=True)]
        left = [np.repeat(total, sizes) - now for (_, total), now in zip(counted, here, strict=True)]
        return sum(((cell > 0).astype(np.intp) << bit) for bit, cell in enumerate((*here, *left)))  # type: ignore

    some = [total > 0 for _, total in counted]
    first = np.bincount(4 * some[0] + 8 * some[1], minlength=16)
    wide = 16 * (thresholds + 1)
    moves = np.bincount(16 * at + mask(True), minlength=wide) - np.bincount(16 * at + mask(False), minlength=wide)
    occupancy = first + moves.reshape(-1, 16)[:thresholds].cumsum(axis=0)
    return ClusterMoments(products, occupancy.astype(np.float64), cache(summed_product), is_weighted(weights))


_MOST_CODES = 1 << 20  # codes without gaps are not asked for below this: the table of their counts takes 32 MB

_FEW_THRESHOLDS = 4
"""Up to so many, clusters are counted at each, which takes a small part of what sorting their rows does."""


@dataclass(frozen=True, eq=False)
class ClusterCounts:
    """Counts of the rows of each cluster."""

    cells: Array  # shape (c, m): rows, or sums of weights, of each of c clusters in each of m cells
    weighted: bool = False  # whether these are sums of weights, which say nothing of the number of rows
    alone: bool = False  # whether each row is a cluster of its own, so that weights are all that is special about it

    @classmethod
    def of(
        cls, cell: Codes, clusters: Codes, cells: int, weights: Array | None = None, count: int | None = None
    ) -> ClusterCounts:
        """Count rows by their cell and their cluster, both of shape (n,) and counted from 0."""
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
        """Effective number of clusters: of weighted ones, as many of equal weight (at least 2); else `count`."""
        return max(effective_rows(self.cells.sum(axis=1)), 2.0) if self.weighted and self.count > 1 else self.count

    @cached_property
    def moments(self) -> ClusterMoments:
        """Moments of the four cells of a 2×2 table over the clusters."""
        occupancy = np.bincount((self.cells > 0) @ (1 << np.arange(4)), minlength=16)
        others = cache(lambda factors: np.asarray(_product(self.cells.T, factors).sum()))
        return ClusterMoments(self.cells.T @ self.cells, occupancy.astype(np.float64), others, self.weighted)

    def without(self, some: ClusterCounts) -> ClusterCounts:
        """Subtract some of the rows, whose clusters have the same codes."""
        cells = self.cells.copy()
        cells[: len(some.cells)] -= some.cells
        # Differences of sums of weights may be off by rounding.
        return ClusterCounts(np.where(cells > 1e-9 * self.cells, cells, 0.0), self.weighted)

    def sums(self, coefficients: npt.ArrayLike) -> Array:
        """A sum of cells of each cluster, shape (c,); the coefficients have shape (m,)."""
        return self.cells @ np.asarray(coefficients, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class SortedRows:
    """Rows of two classes, each sorted by score, and their clusters: the row-level part of `ScoredLabels`."""

    # Ascending.
    positive_scores: Array
    negative_scores: Array
    # Cumulated weights, one longer than the scores, so that what is called positive is read and not subtracted: entry
    # i is the weight of score i and of all after it, or where lower scores are positive, of the first i scores. None:
    # each row counts 1.
    positive_weights: Array | None = None
    negative_weights: Array | None = None
    higher_is_positive: bool = True
    # What each of these rows belongs to, as a code from 0. None: each row is on its own.
    positive_clusters: Indices | None = None
    negative_clusters: Indices | None = None

    @property
    def clusters(self) -> int:
        """Number of clusters; 0 where each row is on its own."""
        if self.positive_clusters is None or self.negative_clusters is None:
            return 0
        return 1 + max(int(codes.max(initial=-1)) for codes in (self.positive_clusters, self.negative_clusters))

    @property
    def codes(self) -> tuple[Indices, Indices]:
        """Cluster of each positive and of each negative."""
        if self.positive_clusters is None or self.negative_clusters is None:
            raise ValueError("These scores do not say what their rows belong to.")
        return self.positive_clusters, self.negative_clusters

    @cached_property
    def is_weighted(self) -> bool:
        """Test whether rows have weights that do not count them."""
        return self.positive_weights is not None and any(is_weighted(self.rows_of(side)[1]) for side in (True, False))

    def rows_of(self, positive: bool) -> tuple[Array, Array]:
        """Scores of one class, ascending, and their weights."""
        scores = self.positive_scores if positive else self.negative_scores
        weights = self.positive_weights if positive else self.negative_weights
        return scores, np.ones(len(scores)) if weights is None else np.abs(np.diff(weights))

    @property
    def all_rows(self) -> dict[str, Any]:
        """All rows, positives first: labels, scores, weights and clusters as `ScoredLabels.from_arrays` takes them."""
        (positives, own), (negatives, others) = self.rows_of(True), self.rows_of(False)
        return {
            "labels": np.arange(len(positives) + len(negatives)) < len(positives),
            "scores": np.concatenate([positives, negatives]),
            "weights": None if self.positive_weights is None else np.concatenate([own, others]),
            "clusters": None if self.positive_clusters is None else np.concatenate(self.codes),
        }

    def _cluster_counts(self, i: Indices | int, j: Indices | int) -> ClusterCounts:
        """Counts of each cluster in the four cells, from the number of rows of each class below the threshold."""
        classes = []
        for side, codes, low in zip((True, False), self.codes, (i, j), strict=True):
            weight = None if self.positive_weights is None else self.rows_of(side)[1]
            flagged = (np.arange(len(codes)) >= low) == self.higher_is_positive
            classes.append(ClusterCounts.of(np.where(flagged, 0, 1), codes, 2, weight, self.clusters).cells.T)
        (tp, fn), (fp, tn) = classes
        return ClusterCounts(np.column_stack([tp, fp, fn, tn]), self.is_weighted)

    def _moments_at(self, thresholds: Array, below: tuple[np.ndarray, np.ndarray]) -> ClusterMoments:
        """Moments of the clusters at thresholds of shape (t,), from the number of rows of each class below them."""
        if 0 < len(thresholds) <= _FEW_THRESHOLDS:
            each = [self._cluster_counts(i, j).moments for i, j in zip(*below, strict=True)]
            return ClusterMoments.stacked(each, thresholds.shape)
        rows, order = self.all_rows, np.argsort(-thresholds if self.higher_is_positive else thresholds, kind="stable")
        if self.higher_is_positive:
            bins = len(order) - thresholds[order][::-1].searchsorted(rows["scores"], "right")
        else:
            bins = thresholds[order].searchsorted(rows["scores"])
        moments = _moments_of_bins(bins, rows["labels"], rows["clusters"], rows["weights"], len(order))
        return moments.at(np.argsort(order).tolist())


def cluster_codes(clusters: npt.ArrayLike, rows: int) -> Indices:
    """Codes from 0 of the cluster of each row, small whole numbers as they are; a ValueError if one is missing."""
    values = np.asarray(clusters)
    if values.shape != (rows,):
        raise ValueError(f"clusters has {values.size} entries for {rows} rows; give one for each row.")
    if (row := first_missing(values)) is not None:
        raise ValueError(f"The cluster of row {row} is missing; leave the row out or name one.")
    if values.dtype.kind in "iu" and rows and values.min() >= 0 and values.max() < _MOST_CODES:
        return values.astype(np.intp)
    try:
        return np.unique(values, return_inverse=True)[1].astype(np.intp)
    except TypeError:
        raise ValueError("clusters mix numbers and texts; write all of them in one way.") from None
