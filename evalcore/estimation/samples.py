"""Two samples of one quantity: rows of numbers or categories, counted in bins or at each of their values."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.estimation.bins import edges_by
from evalcore.estimation.distributions import DistributionPair
from evalcore.numeric import Array

__all__ = ["TwoSamples"]


@dataclass(frozen=True, eq=False)
class TwoSamples:
    """Values of two samples, with what each row counts and belongs to.

    Attributes
    ----------
    p, q : Array, shapes (n,) and (m,)
        Finite numbers, or codes from 0 of the categories.
    categories : tuple of str, or None
        The categories in their order; None for numbers.
    weights_p, weights_q : Array or None
        What each row counts; None: each counts 1.
    units_p, units_q : array of int, or None
        What each row belongs to, as codes from 0 in both: rows of a unit are resampled together. None: each row is on
        its own.
    """

    p: Array
    q: Array
    categories: tuple[str, ...] | None = None
    weights_p: Array | None = None
    weights_q: Array | None = None
    units_p: npt.NDArray[np.intp] | None = None
    units_q: npt.NDArray[np.intp] | None = None

    @property
    def sizes(self) -> tuple[float, float]:
        """Rows of P and Q, or the sums of their weights."""
        pairs = ((self.p, self.weights_p), (self.q, self.weights_q))
        one, two = (float(len(values) if weights is None else weights.sum()) for values, weights in pairs)
        return one, two

    @cached_property
    def pooled(self) -> tuple[Array, Array | None]:
        """All values that count in ascending order, and what each counts; None: each counts 1."""
        values = np.concatenate([self.p, self.q])
        if self.weights_p is None and self.weights_q is None:
            return np.sort(values), None
        weights = np.concatenate([*map(self._weights, (self.p, self.q), (self.weights_p, self.weights_q))])
        order = np.argsort(values, kind="stable")
        order = order[weights[order] > 0]
        return values[order], weights[order]

    @staticmethod
    def _weights(values: Array, weights: Array | None) -> Array:
        return np.ones(len(values)) if weights is None else weights

    def edges(self, rule: str, bins: int = 10) -> Array:
        """Edges of bins by a rule, as `edges_by`; a value that counts twice is two values."""
        values, weights = self.pooled
        return edges_by(rule, values, bins, weights)

    @cached_property
    def exact(self) -> DistributionPair:
        """Both counted at each distinct value.

        >>> TwoSamples(np.array([1.0, 2.0]), np.array([2.0, 4.0])).exact.p.tolist()
        [1.0, 1.0, 0.0]
        """
        values = np.unique(self.pooled[0])
        p, q = (np.minimum(values.searchsorted(side), max(len(values) - 1, 0)) for side in (self.p, self.q))
        return self._counted(p, q, None if self.categories else values, len(values))

    def binned(self, edges: npt.ArrayLike) -> DistributionPair:
        """Both counted between edges: the first and the last bin also take what lies beyond them.

        A bin holds its lower edge, the last one both. It lies where the weighted mean of its pooled values does, or in
        its middle where it is empty.

        >>> samples = TwoSamples(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0]))
        >>> pair = samples.binned([1, 2, 4])
        >>> pair.p.tolist(), pair.q.tolist(), pair.at.tolist()
        ([1.0, 2.0], [0.0, 2.0], [1.0, 2.75])
        """
        borders = np.asarray(edges, dtype=np.float64)
        k = len(borders) - 1
        place_p, place_q = (self.bins_of(values, borders) for values in (self.p, self.q))
        values, weights = self.pooled
        places, weight = self.bins_of(values, borders), self._weights(values, weights)
        rows, sums = (np.bincount(places, each, minlength=k) for each in (weight, weight * values))
        middles = (borders[:-1] + borders[1:]) / 2
        at = np.divide(sums, rows, out=middles.copy(), where=rows > 0)
        if not (np.diff(at) > 0).all():
            at = middles
        return self._counted(place_p, place_q, None if self.categories else at, k)

    @staticmethod
    def bins_of(values: Array, edges: Array) -> npt.NDArray[np.intp]:
        """Which bin each value lies in, shape (n,)."""
        return np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)

    def _counted(self, p: npt.NDArray, q: npt.NDArray, at: Array | None, k: int) -> DistributionPair:
        counts = (np.bincount(codes, weights, k) for codes, weights in ((p, self.weights_p), (q, self.weights_q)))
        one, two = (values.astype(np.float64) for values in counts)
        return DistributionPair(one, two, at)
