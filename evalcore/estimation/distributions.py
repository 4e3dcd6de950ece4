"""Two distributions over the same bins: the state from which every distance between them is read."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, ratio

__all__ = ["DistributionPair"]


@dataclass(frozen=True, eq=False)
class DistributionPair:
    """How often two distributions, P and Q, have each of the same values or bins.

    Attributes
    ----------
    p, q : Array of float >= 0, shape (..., k)
        Counts, or shares: each is divided by its sum where a measure reads it. The leading axes are those of resamples.
    at : Array, shape (k,), or None
        Where the bins lie, ascending; None for categories, between which there is no distance.
    """

    p: Array
    q: Array
    at: Array | None = None

    @classmethod
    def from_counts(cls, p: npt.ArrayLike, q: npt.ArrayLike, at: npt.ArrayLike | None = None) -> "DistributionPair":
        """Take the counts or the shares of the bins.

        Parameters
        ----------
        p, q : array_like of float >= 0, shape (k,)
        at : array_like of float, shape (k,), optional
            Where the bins lie, strictly ascending.

        Raises
        ------
        ValueError
            When the shapes differ, a count is negative or not a number, all are 0, or the places do not ascend.

        Examples
        --------
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

    @property
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
        """The same with a constant added to each bin of both, so that no share is 0.

        >>> DistributionPair.from_counts([3, 1], [4, 0]).smoothed(1).q.tolist()
        [5.0, 1.0]
        """
        return replace(self, p=self.p + constant, q=self.q + constant)


def _counts(values: npt.ArrayLike, name: str) -> Array:
    counts = np.asarray(values, dtype=np.float64)
    if counts.ndim != 1 or not len(counts):
        raise ValueError(f"{name} has the shape {counts.shape}; give one count or share for each bin, shape (k,).")
    if (wrong := ~((counts >= 0) & (counts < np.inf))).any():
        index = int(np.argmax(wrong))
        raise ValueError(f"{name} has {counts[index]:g} in bin {index + 1}; counts and shares are numbers from 0.")
    if not counts.sum():
        raise ValueError(f"All counts of {name} are 0, so it is no distribution.")
    return counts
