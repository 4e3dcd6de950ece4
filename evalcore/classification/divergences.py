"""How much one distribution says about another: entropy, cross-entropy and the Kullback–Leibler divergence."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array

__all__ = ["Divergences", "cross_entropy", "cross_entropy_terms", "divergences", "entropy", "kl_divergence", "kl_terms"]


def entropy(p: npt.ArrayLike, base: float = math.e) -> Array:
    """Mean surprise of who knows the distribution: −Σ p ln p, with 0 ln 0 = 0.

    Parameters
    ----------
    p : array_like of float, shape (..., k)
        Distributions along the last axis.
    base : float
        e gives nats, 2 gives bits.

    Examples
    --------
    >>> float(entropy([0.5, 0.25, 0.25], base=2))
    1.5
    """
    return cross_entropy(p, p, base)


def cross_entropy(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e) -> Array:
    """Mean surprise of who believes q where p is true: −Σ p ln q; ∞ where q is 0 and p is not.

    Parameters
    ----------
    p, q : array_like of float, shapes that broadcast to (..., k)
    base : float

    Examples
    --------
    >>> float(cross_entropy([0.5, 0.5], [0.25, 0.75], base=2)), float(cross_entropy([0.5, 0.5], [1, 0]))
    (1.207518749639422, inf)
    """
    return cross_entropy_terms(p, q, base).sum(axis=-1)


def kl_divergence(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e) -> Array:
    """What believing q costs over knowing p: Σ p ln(p/q), cross-entropy less entropy; ∞ where q is 0 and p is not.

    It is no distance: the other way round it is another number, which may be infinite.

    Parameters
    ----------
    p, q : array_like of float, shapes that broadcast to (..., k)
    base : float

    References
    ----------
    S. Kullback, R. Leibler (1951). On information and sufficiency. Annals of Mathematical Statistics 22, 79–86.
    doi:10.1214/aoms/1177729694

    Examples
    --------
    >>> float(kl_divergence([0.5, 0.5], [0.5, 0.5])), float(kl_divergence([1, 0], [0.5, 0.5], base=2))
    (0.0, 1.0)
    """
    return np.maximum(kl_terms(p, q, base).sum(axis=-1), 0.0)


def cross_entropy_terms(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e) -> Array:
    """The terms −p ln q, shape (..., k): where the sum comes from."""
    true, believed = np.broadcast_arrays(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(true == 0, 0.0, 0.0 - true * np.log(believed) / math.log(base))


def kl_terms(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e) -> Array:
    """The terms p ln(p/q), shape (..., k); some may be negative, their sum never is."""
    true, believed = np.broadcast_arrays(np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(true == 0, 0.0, true * (np.log(true) - np.log(believed)) / math.log(base))


@dataclass(frozen=True)
class Divergences:
    """Two distributions both ways.

    Attributes
    ----------
    entropy_p, entropy_q : float
    cross_pq, cross_qp : float
        Mean surprise of who believes the second where the first is true.
    kl_pq, kl_qp : float
        Of the first from the second, and back.
    """

    entropy_p: float
    entropy_q: float
    cross_pq: float
    cross_qp: float
    kl_pq: float
    kl_qp: float


def divergences(p: npt.ArrayLike, q: npt.ArrayLike, base: float = math.e, normalised: bool = False) -> Divergences:
    """Entropies, cross-entropies and divergences of two distributions, both ways.

    Parameters
    ----------
    p, q : array_like of float >= 0, shape (k,)
    base : float
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
    return Divergences(
        float(entropy(one, base)),
        float(entropy(two, base)),
        float(cross_entropy(one, two, base)),
        float(cross_entropy(two, one, base)),
        float(kl_divergence(one, two, base)),
        float(kl_divergence(two, one, base)),
    )


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
