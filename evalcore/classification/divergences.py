"""Two distributions compared: entropy, cross-entropy and the Kullback–Leibler divergence."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array

__all__ = ["Divergences", "divergences"]


def entropy(p: npt.ArrayLike, base: float = math.e) -> Array:
    """Entropy of distributions along the last axis: −Σ p ln p, with 0 ln 0 = 0."""
    return cross_entropy(p, p, base)


def cross_entropy(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e) -> Array:
    """Cross-entropy of q under p: −Σ p ln q; ∞ where q is 0 and p is not."""
    true, believed = np.broadcast_arrays(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(true == 0, 0.0, 0.0 - true * np.log(believed) / math.log(base)).sum(axis=-1)


def kl_divergence(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e) -> Array:
    """Kullback–Leibler divergence: Σ p ln(p/q), cross-entropy less entropy; ∞ where q is 0 and p is not."""
    true, believed = np.broadcast_arrays(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(true == 0, 0.0, true * (np.log(true) - np.log(believed)) / math.log(base))
    return np.maximum(terms.sum(axis=-1), 0.0)


@dataclass(frozen=True)
class Divergences:
    """Entropy of p, cross-entropy of q under p, and the divergences of p from q and of q from p."""

    entropy_p: float
    cross_pq: float
    kl_pq: float
    kl_qp: float


def divergences(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e, normalised: bool = False) -> Divergences:
    """Entropy, cross-entropy and divergences of two distributions.

    The Kullback–Leibler divergence is no distance: with p and q exchanged it is another number.

    Parameters
    ----------
    p, q : array_like of float >= 0, shape (k,)
    base : float
        Of the logarithm: e gives nats, 2 gives bits.
    normalised : bool
        True divides each by its sum first, as for counts.

    Raises
    ------
    ValueError
        When the lengths differ, a share is negative or not a number, or one does not add up to 1.

    Examples
    --------
    >>> both = divergences([1, 1], [2, 0], base=2, normalised=True)
    >>> both.entropy_p, both.kl_pq, both.kl_qp
    (1.0, inf, 1.0)
    """
    one, two = (_distribution(values, name, normalised) for values, name in ((p, "p"), (q, "q")))
    if one.shape != two.shape:
        raise ValueError(f"p has {len(one)} values and q {len(two)}; give both for the same outcomes.")
    values = (
        entropy(one, base),
        cross_entropy(one, two, base),
        kl_divergence(one, two, base),
        kl_divergence(two, one, base),
    )
    return Divergences(*map(float, values))


def _distribution(values: npt.ArrayLike, name: str, normalised: bool) -> Array:
    shares = np.asarray(values, dtype=np.float64)
    if shares.ndim != 1 or not len(shares):
        raise ValueError(f"{name} has the shape {shares.shape}; give one share an outcome, shape (k,).")
    if not (shares >= 0).all() or np.isinf(shares).any():
        place = int(np.argmax(~(shares >= 0) | np.isinf(shares)))
        raise ValueError(f"{name} is {shares[place]:g} at place {place}; a share is a number from 0 to 1.")
    total = float(shares.sum())
    if normalised and total > 0:
        return shares / total
    if abs(total - 1) > 1e-6:
        raise ValueError(f"{name} adds up to {total:.7g} and not to 1; correct it, or have it divided by its sum.")
    return shares
