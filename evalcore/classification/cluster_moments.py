"""Moments of what each cluster counts in TP, FP, FN and TN, also at many thresholds at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from evalcore.classification.cluster_sizes import (
    LEAST_DEGREES,
    LEAST_PREDICTED,
    LEAST_VARIATION,
    is_few_heavy,
    is_weighted,
    size_degrees,
    squared_variation,
)
from evalcore.numeric import Array, ratio

__all__ = ["ClusterMoments"]

Factors = tuple[tuple[int, int], ...]
"""Some sums of cells with the powers to which they are raised, 1 to 5 or −1; TP counts 1, FP 2, FN 4, TN 8."""


class ClusterProducts:
    """Sums over the clusters of products of sums of cells, each worked out when it is asked for first."""

    def __init__(self, make: Callable[[Factors], Array]) -> None:
        self._make, self._known = make, dict[Factors, Array]()

    def of(self, factors: Factors) -> Array:
        """The sums of one product, in the shape of the moments."""
        if factors not in self._known:
            self._known[factors] = np.asarray(self._make(factors))
        return self._known[factors]


@dataclass(frozen=True, eq=False)
class ClusterMoments:
    """What the variance of a sum over the four cells of a 2×2 table needs of its clusters.

    Attributes
    ----------
    products : Array, shape (..., 4, 4)
        Sums over the clusters of the products of two cells.
    held : Array, shape (..., 16)
        Number of clusters by the cells that they have rows in: TP counts 1, FP 2, FN 4, TN 8.
    others : ClusterProducts
        Sums over the clusters of products of powers of sums of cells.
    weighted : bool
        Whether the cells are sums of weights that do not count rows.
    """

    products: Array
    held: Array
    others: ClusterProducts
    weighted: bool = False

    def at(self, places: list[int]) -> ClusterMoments:
        """Those at some places of the first axis."""
        others = ClusterProducts(lambda factors: self.others.of(factors)[places])
        return ClusterMoments(self.products[places], self.held[places], others, self.weighted)

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
                fourth = self.others.of(tuple((mask, power) for (_, mask), power in used))
                total = total + times * fourth * prod(column**power for (column, _), power in used)
        return np.maximum(total, 0.0)

    def powers(self, cells: npt.ArrayLike, power: int) -> Array:
        """Sum over the clusters of a power of how many rows they have in some cells, flags of shape (4,)."""
        return self.others.of(((_mask(cells), power),))

    def size_degrees(self, cells: npt.ArrayLike) -> Array:
        """Degrees of freedom that the numbers of rows of the clusters in some cells leave; see `cluster_sizes`."""
        return size_degrees([self.powers(cells, power) for power in range(1, 6)])

    def few_heavy(self, cells: npt.ArrayLike, least: float = LEAST_DEGREES) -> npt.NDArray[np.bool_]:
        """Whether a few heavy clusters hold most rows of some cells; see `is_few_heavy`.

        Never of sums of weights, whose intervals take Kish's number and hold.
        """
        variation = squared_variation(self.clusters_in(cells), self.powers(cells, 1), self.powers(cells, 2))
        unequal = LEAST_VARIATION if _whole_classes(_mask(cells)) else LEAST_PREDICTED
        return np.asarray(not self.weighted) & is_few_heavy(self.size_degrees(cells), variation, least, unequal)

    def mean_share(self, above: npt.ArrayLike, below: npt.ArrayLike) -> Array:
        """A share of the rows of each cluster, as a mean over the clusters that have any; flags of shape (4,)."""
        shares = self.others.of(((_mask(above), 1), (_mask(below), -1)))
        return ratio(shares, self.clusters_in(below))

    def clusters_in(self, cells: npt.ArrayLike) -> Array:
        """Number of clusters that have a row in any of some cells, flags of shape (4,)."""
        return self.held[..., (np.arange(16) & _mask(cells)) > 0].sum(axis=-1)


def _mask(cells: npt.ArrayLike) -> int:
    return int(np.asarray(cells, dtype=bool) @ (1 << np.arange(4)))


def _whole_classes(mask: int) -> bool:
    """Whether TP and FN, and FP and TN, only stand together in some cells."""
    return all(mask & both in (0, both) for both in (5, 10))


def joined(each: Sequence[ClusterMoments]) -> ClusterMoments:
    """Several moments as one, along a new first axis."""
    others = ClusterProducts(lambda factors: np.stack([one.others.of(factors) for one in each]))
    products, held = (np.stack([getattr(one, name) for one in each]) for name in ("products", "held"))
    return ClusterMoments(products, held, others, each[0].weighted)


def cluster_products(cells: Array) -> ClusterProducts:
    """Those of clusters from their cells, shape (c, 4)."""
    return ClusterProducts(lambda factors: np.asarray(_product(cells.T, factors).sum()))


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
        raised.append(
            prod([square] * (power // 2), start=values)
            if power % 2
            else prod([square] * (power // 2 - 1), start=square)
        )
    return np.asarray(prod(raised[1:], start=raised[0]))


def moments_at(
    thresholds: Array,
    scores: tuple[Array, Array],
    clusters: list[npt.NDArray[np.intp]],
    weights: list[Array] | None,
    higher_is_positive: bool,
) -> ClusterMoments:
    """The moments at thresholds of shape (t,); the rest as in `split_counts`."""
    order = np.argsort(-thresholds if higher_is_positive else thresholds, kind="stable")
    every = np.concatenate(scores)
    if higher_is_positive:
        bins = len(order) - thresholds[order][::-1].searchsorted(every, "right")
    else:
        bins = thresholds[order].searchsorted(every)
    positive = np.arange(len(every)) < len(scores[0])
    weight = None if weights is None else np.concatenate(weights)
    moments = _moments_of_bins(bins, positive, np.concatenate(clusters), weight, len(order))
    back = np.argsort(order)
    return moments.at(back.tolist())


def _moments_of_bins(
    bins: npt.NDArray[np.integer],
    is_positive: npt.NDArray[np.bool_],
    clusters: npt.NDArray[np.intp],
    weights: Array | None,
    thresholds: int,
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
    def moving(classes: int) -> tuple[npt.NDArray[np.integer], list[Array], list[Array]]:
        """The thresholds at which rows of some classes move, and the cells of their clusters before and after it."""
        rows = slice(None) if classes == 3 else np.flatnonzero(positive == (classes == 1))
        before = [tp_before, fp_before, p - tp_before, n - fp_before]
        moved = [values[rows] for values in (tp, fp, -tp, -fp)]
        before = [values[rows] for values in before]
        return at[rows], before, [held + change for held, change in zip(before, moved, strict=True)]

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

    def mask(after: bool) -> npt.NDArray[np.intp]:
        """The cells that the cluster of each row has rows in, before or after it is called positive."""
        here = [
            before + (which if after else 0) for (before, _), which in zip(counted, (positive, ~positive), strict=True)
        ]
        left = [np.repeat(total, sizes) - now for (_, total), now in zip(counted, here, strict=True)]
        return sum(((held > 0).astype(np.intp) << bit) for bit, held in enumerate((*here, *left)))  # type: ignore

    some = [total > 0 for _, total in counted]
    first = np.bincount(4 * some[0] + 8 * some[1], minlength=16)
    wide = 16 * (thresholds + 1)
    moves = np.bincount(16 * at + mask(True), minlength=wide) - np.bincount(16 * at + mask(False), minlength=wide)
    held = first + moves.reshape(-1, 16)[:thresholds].cumsum(axis=0)
    weighted = is_weighted(weights)
    return ClusterMoments(products, held.astype(np.float64), ClusterProducts(summed_product), weighted)
