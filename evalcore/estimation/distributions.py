"""Two distributions over the same bins: the state from which every distance between them is read."""

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, Indices, count_rows, ratio

__all__ = ["BIN_RULES", "MOST_BINS", "DistributionPair", "TwoSamples", "edges_by", "edges_from_text"]
__all__ += ["number_of_bins", "quantiles"]


@dataclass(frozen=True, eq=False)
class DistributionPair:
    """Counts of two distributions, P and Q, over the same values or bins."""

    # Shape (..., k): counts or shares, as each is divided by its sum where a measure reads it; the leading axes are
    # those of resamples.
    p: Array
    q: Array
    at: Array | None = None  # shape (k,): where the bins lie, ascending; None for categories, which have no distance

    @classmethod
    def from_counts(cls, p: npt.ArrayLike, q: npt.ArrayLike, at: npt.ArrayLike | None = None) -> "DistributionPair":
        """Take the counts or the shares of the bins, shape (k,), and where they lie, strictly ascending.

        Raises a ValueError when the shapes differ, a count is negative or no number, all are 0, or places do not
        ascend.

        >>> pair = DistributionPair.from_counts([1, 1, 2], [0, 2, 2])
        >>> pair.shares_p.tolist(), pair.shares_q.tolist()
        ([0.25, 0.25, 0.5], [0.0, 0.5, 0.5])
        """
        one, two = (_counts(values, name) for values, name in ((p, "P"), (q, "Q")))
        if one.shape != two.shape:
            raise ValueError(f"P has {len(one)} bins and Q {len(two)}; give both for the same bins.")
        places = None if at is None else np.asarray(at, dtype=np.float64)
        if places is not None and (places.shape != one.shape or not (np.diff(places) > 0).all()):
            raise ValueError("The places of the bins must ascend, one for each bin.")
        return cls(one, two, places)

    @property
    def shares_p(self) -> Array:
        """Shares of P, shape (..., k); nan where P is empty."""
        return ratio(self.p, self.p.sum(axis=-1, keepdims=True))

    @property
    def shares_q(self) -> Array:
        """Shares of Q, shape (..., k); nan where Q is empty."""
        return ratio(self.q, self.q.sum(axis=-1, keepdims=True))

    @cached_property
    def gaps(self) -> Array:
        """Shares of P less those of Q, shape (..., k), from the counts: shares that are almost equal are rounded."""
        n_p, n_q = (counts.sum(axis=-1, keepdims=True) for counts in (self.p, self.q))
        with np.errstate(invalid="ignore"):  # of a resample without rows all shares are undefined
            return ratio(self.p - self.q, n_p) - ratio(n_p - n_q, n_p) * self.shares_q

    @property
    def cumulative_gap(self) -> Array:
        """Share of P up to each bin less that of Q, shape (..., k); 0 at the last."""
        gap = np.cumsum(self.gaps, axis=-1)
        gap[..., -1] = 0.0 * gap[..., -1]  # both are 1 there, but for rounding
        return gap

    def smoothed(self, constant: float) -> "DistributionPair":
        """Add a constant to each bin of both, so that no share is 0."""
        return replace(self, p=self.p + constant, q=self.q + constant)


def _counts(values: npt.ArrayLike, name: str) -> Array:
    counts = np.asarray(values, dtype=np.float64)
    if counts.ndim != 1 or not len(counts):
        raise ValueError(f"{name} has the shape {counts.shape}; give one count or share for each bin, shape (k,).")
    if (wrong := ~((counts >= 0) & (counts < np.inf))).any():
        index = int(np.argmax(wrong))
        raise ValueError(f"{name} has {counts[index]:g} in bin {index + 1}; counts and shares are numbers from 0.")
    if not counts.sum():
        raise ValueError(f"All counts of {name} are 0, so there is no distribution.")
    return counts


MOST_BINS = 200
"""More bins are not drawn; a rule that asks for more gets so many."""

BIN_RULES = {
    "freedman": "Freedman–Diaconis",
    "sturges": "Sturges",
    "width": "Equal width",
    "quantiles": "Quantiles",
    "values": "Each value",
    "hand": "By hand",
}
"""The ways to bins, by the key in an address."""


def edges_by(rule: str, ordered: Array, bins: int = 10, weights: Array | None = None) -> Array:
    """Edges of the bins of ascending values, shape (k + 1,), by a rule of `BIN_RULES` but "hand".

    `bins` is how many, where the rule leaves it open (equal width, quantiles); quantiles that coincide are one.
    """
    low, high = float(ordered[0]), float(ordered[-1])
    if rule == "values":
        values = np.unique(ordered)
        if len(values) > MOST_BINS:
            return edges_by("quantiles", ordered, MOST_BINS, weights)
        inner = (values[:-1] + values[1:]) / 2
        first, last = (np.diff(values)[[0, -1]] / 2) if len(values) > 1 else (0.5, 0.5)
        return np.concatenate([[low - first], inner, [high + last]])
    if low == high:
        return np.array([low - 0.5, high + 0.5])
    if rule == "quantiles":
        return np.unique(quantiles(ordered, np.linspace(0, 1, min(bins, MOST_BINS) + 1), weights))
    return np.linspace(low, high, number_of_bins(rule, ordered, bins, weights) + 1)


def number_of_bins(rule: str, ordered: Array, bins: int = 10, weights: Array | None = None) -> int:
    """Number of bins of equal width by a rule, from 1 to `MOST_BINS`.

    D. Freedman, P. Diaconis (1981). On the histogram as a density estimator: L2 theory. Zeitschrift für
    Wahrscheinlichkeitstheorie 57, 453–476. H. Sturges (1926). The choice of a class interval. Journal of the American
    Statistical Association 21, 65–66.
    """
    n = len(ordered) if weights is None or not count_rows(weights) else float(weights.sum())
    if rule == "freedman":
        low, high = quantiles(ordered, np.array([0.25, 0.75]), weights)
        width = 2 * (high - low) / n ** (1 / 3)
        if width > 0:
            return _within(math.ceil(min((ordered[-1] - ordered[0]) / width, MOST_BINS)))
    if rule in ("freedman", "sturges"):
        return _within(math.ceil(math.log2(n)) + 1)
    return _within(bins)


def quantiles(ordered: Array, shares: Array, weights: Array | None = None) -> Array:
    """Quantiles of ascending values by straight lines between them: the k-th of n has the share (k − 1)/(n − 1).

    With weights that are counts they are those of the rows; with others, a value has the share of the weight before it.
    """
    if weights is not None and not count_rows(weights):
        before = np.append(0.0, np.cumsum(weights[:-1]))
        return np.interp(shares, before / max(before[-1], 1e-300), ordered)
    ends = np.arange(1.0, len(ordered) + 1) if weights is None else np.cumsum(weights)
    place = np.asarray(shares) * (ends[-1] - 1)
    low = np.floor(place)
    one, two = (ordered[ends.searchsorted(np.minimum(at, ends[-1] - 1), "right")] for at in (low, low + 1))
    return one + (two - one) * (place - low)


def edges_from_text(text: str) -> Array:
    """Edges that were typed: numbers with blanks or semicolons between them; a ValueError says what to type."""
    parts = [part for part in re.split(r"[\s;]+|,(?=\s)", text.strip()) if part]
    try:
        edges = np.array([float(part) for part in parts])
    except ValueError:
        raise ValueError("The edges of the bins must be numbers with blanks between them, such as 0 10 20.") from None
    if len(edges) < 3 or not np.isfinite(edges).all() or not (np.diff(edges) > 0).all():
        raise ValueError("Type at least three edges in ascending order, such as 0 10 20.")
    if len(edges) > MOST_BINS + 1:
        raise ValueError(f"Type at most {MOST_BINS + 1} edges.")
    return edges


def _within(bins: int) -> int:
    return min(max(int(bins), 1), MOST_BINS)


@dataclass(frozen=True, eq=False)
class TwoSamples:
    """Values of two samples, with the weight and cluster of each row."""

    # Shape (n,) and (m,): finite numbers, or codes from 0 of the categories.
    p: Array
    q: Array
    categories: tuple[str, ...] | None = None  # in their order; None for numbers
    # What each row counts; None: each counts 1.
    weights_p: Array | None = None
    weights_q: Array | None = None
    # What each row belongs to, as codes from 0 in both: rows of a unit are resampled together. None: each is alone.
    units_p: Indices | None = None
    units_q: Indices | None = None

    @cached_property
    def pooled(self) -> tuple[Array, Array | None]:
        """All values with a weight in ascending order, and their weights; None if each is 1."""
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
        """Count both at each distinct value."""
        values = np.unique(self.pooled[0])
        p, q = (np.minimum(values.searchsorted(side), max(len(values) - 1, 0)) for side in (self.p, self.q))
        return self._pair_of_counts(p, q, None if self.categories else values, len(values))

    def binned(self, edges: npt.ArrayLike) -> DistributionPair:
        """Count both between edges; the first and the last bin also take the values beyond them.

        A bin holds its lower edge, the last one both; it lies at the mean of its pooled values, or in its middle if
        empty.
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
        return self._pair_of_counts(place_p, place_q, None if self.categories else at, k)

    @staticmethod
    def bins_of(values: Array, edges: Array) -> Indices:
        """Bin of each value, shape (n,)."""
        return np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)

    def _pair_of_counts(self, p: npt.NDArray, q: npt.NDArray, at: Array | None, k: int) -> DistributionPair:
        counts = (np.bincount(codes, weights, k) for codes, weights in ((p, self.weights_p), (q, self.weights_q)))
        one, two = (values.astype(np.float64) for values in counts)
        return DistributionPair(one, two, at)
