"""What each bin adds to a distance of two distributions."""

import math
from collections.abc import Callable

import numpy as np

from evalcore.classification import losses as of_shares
from evalcore.estimation.distributions import DistributionPair
from evalcore.numeric import Array, log_ratio, ratio, relative_entropies

__all__ = ["terms_of"]


def terms_of(measure: str, pair: DistributionPair, base: float = math.e) -> Array:
    """What each bin adds to a measure, by its key, shape (..., k).

    The terms add up to the measure, of the Hellinger distance to its square; the Kolmogorov–Smirnov distance is the
    largest of them.

    >>> pair = DistributionPair.from_counts([3, 1], [1, 3])
    >>> terms_of("total_variation", pair).tolist()
    [0.25, 0.25]
    """
    return _TERMS[measure](pair, base)


def _entropy_terms(pair: DistributionPair, base: float) -> Array:
    return of_shares.cross_entropy(pair.shares_p[..., None], pair.shares_p[..., None], base)


def _cross_entropy_terms(pair: DistributionPair, base: float) -> Array:
    return of_shares.cross_entropy(pair.shares_p[..., None], pair.shares_q[..., None], base)


def _kl_terms(pair: DistributionPair, base: float) -> Array:
    return _surprise_ratio(pair.shares_p, pair.shares_q, pair.gaps, base)


def _reverse_kl_terms(pair: DistributionPair, base: float) -> Array:
    return _surprise_ratio(pair.shares_q, pair.shares_p, -pair.gaps, base)


def _jensen_shannon_terms(pair: DistributionPair, base: float) -> Array:
    p, q, half = pair.shares_p, pair.shares_q, pair.gaps / 2
    middle = (p + q) / 2
    return (relative_entropies(p, middle, half) + relative_entropies(q, middle, -half)) / (2 * math.log(base))


def _total_variation_terms(pair: DistributionPair, base: float) -> Array:
    return np.abs(pair.gaps) / 2


def _hellinger_terms(pair: DistributionPair, base: float) -> Array:
    # √p − √q by its conjugate, which subtracts no roots that are almost equal.
    roots = np.sqrt(pair.shares_p) + np.sqrt(pair.shares_q)
    return np.where(roots == 0, 0.0 * roots, ratio(pair.gaps, roots)) ** 2 / 2


def _chi_square_terms(pair: DistributionPair, base: float) -> Array:
    gaps = pair.gaps
    return np.where(gaps == 0, 0.0 * gaps, ratio(gaps**2, pair.shares_q))


def _chi_square_statistic_terms(pair: DistributionPair, base: float) -> Array:
    n_p, n_q = (counts.sum(axis=-1, keepdims=True) for counts in (pair.p, pair.q))
    both, gaps = pair.p + pair.q, pair.gaps
    return np.where(both == 0, 0.0 * gaps, ratio(n_p * n_q * gaps**2, both))


def _stability_terms(pair: DistributionPair, base: float) -> Array:
    gaps = pair.gaps
    return np.where(gaps == 0, 0.0 * gaps, gaps * log_ratio(pair.shares_p, pair.shares_q, gaps))


def _ks_terms(pair: DistributionPair, base: float) -> Array:
    return np.abs(pair.cumulative_gap) if pair.at is not None else np.full(pair.p.shape, math.nan)


def _wasserstein_terms(pair: DistributionPair, base: float) -> Array:
    if pair.at is None:
        return np.full(pair.p.shape, math.nan)
    return np.abs(pair.cumulative_gap) * np.append(np.diff(pair.at), 0.0)


def _surprise_ratio(p: Array, q: Array, gaps: Array, base: float) -> Array:
    """p ln(p/q), 0 where p is 0, ∞ where only q is."""
    with np.errstate(invalid="ignore"):
        return np.where(p == 0, 0.0, p * log_ratio(p, q, gaps) / math.log(base))


_TERMS: dict[str, Callable[[DistributionPair, float], Array]] = {
    "entropy": _entropy_terms,
    "cross_entropy": _cross_entropy_terms,
    "kl_divergence": _kl_terms,
    "reverse_kl_divergence": _reverse_kl_terms,
    "jensen_shannon_divergence": _jensen_shannon_terms,
    "total_variation": _total_variation_terms,
    "hellinger_distance": _hellinger_terms,
    "chi_square_divergence": _chi_square_terms,
    "chi_square_statistic": _chi_square_statistic_terms,
    "population_stability_index": _stability_terms,
    "ks_distance": _ks_terms,
    "wasserstein_distance": _wasserstein_terms,
}
