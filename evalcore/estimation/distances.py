"""Distances between two distributions, each with the contributions of the single bins."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evalcore.classification.several import losses as of_shares
from evalcore.estimation.distributions import DistributionPair
from evalcore.numeric import Array, Indices, log_ratio, ratio, relative_entropies
from evalcore.registry import Param, metric

__all__ = ["TransportPlan", "chi_square_divergence", "chi_square_statistic", "cross_entropy", "entropy"]
__all__ += ["hellinger_distance", "jensen_shannon_divergence", "kl_divergence", "ks_distance"]
__all__ += ["population_stability_index", "reverse_kl_divergence", "terms_of", "total_variation", "transport_plan"]
__all__ += ["wasserstein_distance"]


def terms_of(measure: str, pair: DistributionPair, base: float = math.e) -> Array:
    """Contribution of each bin to a measure, by its key, shape (..., k).

    The terms add up to the measure, of the Hellinger distance to its square; the Kolmogorov–Smirnov distance is the
    largest of them.
    """
    return _TERMS[measure](pair, base)


def _jensen_shannon_terms(pair: DistributionPair, base: float) -> Array:
    p, q, half = pair.shares_p, pair.shares_q, pair.gaps / 2
    middle = (p + q) / 2
    return (relative_entropies(p, middle, half) + relative_entropies(q, middle, -half)) / (2 * math.log(base))


def _hellinger_terms(pair: DistributionPair) -> Array:
    # √p − √q by its conjugate, which subtracts no roots that are almost equal.
    roots = np.sqrt(pair.shares_p) + np.sqrt(pair.shares_q)
    return np.where(roots == 0, 0.0 * roots, ratio(pair.gaps, roots)) ** 2 / 2


def _chi_square_statistic_terms(pair: DistributionPair) -> Array:
    n_p, n_q = (counts.sum(axis=-1, keepdims=True) for counts in (pair.p, pair.q))
    both, gaps = pair.p + pair.q, pair.gaps
    return np.where(both == 0, 0.0 * gaps, ratio(n_p * n_q * gaps**2, both))


def _where_apart(gaps: Array, terms: Array) -> Array:
    """Terms where the shares differ, 0 where they are equal, nan where they are undefined."""
    return np.where(gaps == 0, 0.0 * gaps, terms)


def _cumulated(pair: DistributionPair, times_widths: bool) -> Array:
    """Gaps between the cumulative distributions, or their areas; nan for categories, which have no order."""
    if pair.at is None:
        return np.full(pair.p.shape, math.nan)
    return np.abs(pair.cumulative_gap) * (np.append(np.diff(pair.at), 0.0) if times_widths else 1.0)


def _surprise_ratio(p: Array, q: Array, gaps: Array, base: float) -> Array:
    """p ln(p/q), 0 where p is 0, ∞ where only q is."""
    with np.errstate(invalid="ignore"):
        return np.where(p == 0, 0.0, p * log_ratio(p, q, gaps) / math.log(base))


_TERMS: dict[str, Callable[[DistributionPair, float], Array]] = {
    "entropy": lambda pair, base: of_shares.cross_entropy(pair.shares_p[..., None], pair.shares_p[..., None], base),
    "cross_entropy": lambda pair, base: of_shares.cross_entropy(
        pair.shares_p[..., None], pair.shares_q[..., None], base
    ),
    "kl_divergence": lambda pair, base: _surprise_ratio(pair.shares_p, pair.shares_q, pair.gaps, base),
    "reverse_kl_divergence": lambda pair, base: _surprise_ratio(pair.shares_q, pair.shares_p, -pair.gaps, base),
    "jensen_shannon_divergence": _jensen_shannon_terms,
    "total_variation": lambda pair, _: np.abs(pair.gaps) / 2,
    "hellinger_distance": lambda pair, _: _hellinger_terms(pair),
    "chi_square_divergence": lambda pair, _: _where_apart(pair.gaps, ratio(pair.gaps**2, pair.shares_q)),
    "chi_square_statistic": lambda pair, _: _chi_square_statistic_terms(pair),
    "population_stability_index": lambda pair, _: _where_apart(
        pair.gaps, pair.gaps * log_ratio(pair.shares_p, pair.shares_q, pair.gaps)
    ),
    "ks_distance": lambda pair, _: _cumulated(pair, times_widths=False),
    "wasserstein_distance": lambda pair, _: _cumulated(pair, times_widths=True),
}

FAMILY = "distributions"
_BASE = Param("base", math.e, 2.0, 10.0, "Base of the logarithm: e gives nats, 2 gives bits.")
_EMPTY = "P or Q is empty"


@metric(
    name="Entropy of P", symbol="H(P)", family=FAMILY, formula=r"-\sum_i p_i \ln p_i", highest=math.inf,
    params=(_BASE,), undefined_when="P is empty", aliases=("Shannon entropy",), reference="shannon1948",
)  # fmt: skip
def entropy(pair: DistributionPair, base: float = math.e) -> Array:
    """How uncertain one draw from P is.

    How to read it: 0 when all mass lies in one bin, ln k when it is spread evenly over k bins. It depends on the bins:
    bins half as wide add about 1 bit.

    >>> float(entropy(DistributionPair.from_counts([1, 1], [1, 3]), base=2))
    1.0
    """
    return _sum("entropy", pair, base)


@metric(
    name="Cross-entropy of Q under P", symbol="H(P, Q)", family=FAMILY, formula=r"-\sum_i p_i \ln q_i",
    highest=math.inf, params=(_BASE,), undefined_when=_EMPTY, aliases=("cross-entropy",), reference="good1952",
)  # fmt: skip
def cross_entropy(pair: DistributionPair, base: float = math.e) -> Array:
    """Mean surprise of someone who believes in Q while P is true.

    How to read it: never below the entropy of P; the excess is the Kullback–Leibler divergence. It is ∞ when
    Q rules out a bin that P has.

    >>> float(cross_entropy(DistributionPair.from_counts([1, 0], [1, 3]), base=2))
    2.0
    """
    return _sum("cross_entropy", pair, base)


@metric(
    name="Kullback–Leibler divergence of P from Q", symbol="KL(P‖Q)", family=FAMILY,
    formula=r"\sum_i p_i \ln \frac{p_i}{q_i}", highest=math.inf, best=0, params=(_BASE,), undefined_when=_EMPTY,
    aliases=("relative entropy", "information gain", "Kullback-Leibler divergence"), reference="kullback1951",
)  # fmt: skip
def kl_divergence(pair: DistributionPair, base: float = math.e) -> Array:
    """What it costs on average to believe in Q while P is true.

    How to read it: 0 only when both are equal. It is not a distance: with P and Q exchanged it is another number, and
    one bin that P has and Q lacks makes it ∞.

    >>> float(kl_divergence(DistributionPair.from_counts([1, 0], [1, 3]), base=2))
    2.0
    """
    return relative_entropies(pair.shares_p, pair.shares_q, pair.gaps).sum(axis=-1) / math.log(base)


@metric(
    name="Kullback–Leibler divergence of Q from P", symbol="KL(Q‖P)", family=FAMILY,
    formula=r"\sum_i q_i \ln \frac{q_i}{p_i}", highest=math.inf, best=0, params=(_BASE,), undefined_when=_EMPTY,
    aliases=("reverse Kullback-Leibler divergence",), reference="kullback1951",
)  # fmt: skip
def reverse_kl_divergence(pair: DistributionPair, base: float = math.e) -> Array:
    """What it costs on average to believe in P while Q is true.

    How to read it: the divergence with P and Q exchanged; it is ∞ when Q has a bin that P lacks.

    >>> float(reverse_kl_divergence(DistributionPair.from_counts([1, 3], [1, 0]), base=2))
    2.0
    """
    return kl_divergence(DistributionPair(pair.q, pair.p), base)


@metric(
    name="Jensen–Shannon divergence", symbol="JS", family=FAMILY,
    formula=r"\frac{1}{2} \sum_i \left[ p_i \ln \frac{2 p_i}{p_i + q_i} + q_i \ln \frac{2 q_i}{p_i + q_i} \right]",
    best=0, params=(_BASE,), undefined_when=_EMPTY, aliases=("JSD", "Jensen-Shannon divergence"), reference="lin1991",
)  # fmt: skip
def jensen_shannon_divergence(pair: DistributionPair, base: float = math.e) -> Array:
    """Mean Kullback–Leibler divergence of P and of Q from their mixture.

    How to read it: symmetric and never ∞: from 0 to 1 bit (0.693 nats), reached when the two share no bin.
    Its square root is a distance, which scipy calls Jensen–Shannon.

    >>> float(jensen_shannon_divergence(DistributionPair.from_counts([1, 0], [0, 1]), base=2))
    1.0
    """
    return _sum("jensen_shannon_divergence", pair, base)


@metric(
    name="Total variation distance", symbol="TV", family=FAMILY, formula=r"\frac{1}{2} \sum_i |p_i - q_i|", best=0,
    undefined_when=_EMPTY, aliases=("total variation", "statistical distance"), reference="gibbs2002",
)  # fmt: skip
def total_variation(pair: DistributionPair) -> Array:
    """Share of P that would have to change its bin to make Q.

    How to read it: the largest difference in probability that any event can have. 1 minus it is the overlap of both.
    How far apart the bins lie does not matter.

    >>> float(total_variation(DistributionPair.from_counts([3, 1], [1, 3])))
    0.5
    """
    return _sum("total_variation", pair)


@metric(
    name="Hellinger distance", symbol="Hellinger", family=FAMILY,
    formula=r"\sqrt{\frac{1}{2} \sum_i \left( \sqrt{p_i} - \sqrt{q_i} \right)^2}", best=0, undefined_when=_EMPTY,
    reference="gibbs2002",
)  # fmt: skip
def hellinger_distance(pair: DistributionPair) -> Array:
    """Euclidean distance of the square roots of both distributions, from 0 to 1.

    How to read it: 1 when they share no bin. Its square is at most the total variation, and that is at most √2 times
    the distance. Some texts leave out the ½ and go up to √2.

    >>> float(hellinger_distance(DistributionPair.from_counts([1, 0], [0, 1])))
    1.0
    """
    return np.sqrt(_sum("hellinger_distance", pair))


@metric(
    name="Chi-square divergence of P from Q", symbol="χ²(P‖Q)", family=FAMILY,
    formula=r"\sum_i \frac{(p_i - q_i)^2}{q_i}", highest=math.inf, best=0, undefined_when=_EMPTY,
    aliases=("chi-square divergence", "Pearson divergence"), reference="gibbs2002",
)  # fmt: skip
def chi_square_divergence(pair: DistributionPair) -> Array:
    """Squared difference of both shares, in units of that of Q.

    How to read it: it weighs bins that are rare under Q most, and is ∞ when P has a bin that Q lacks. Times the number
    of rows it is Pearson's statistic of P against a Q that is known exactly.

    >>> float(chi_square_divergence(DistributionPair.from_counts([3, 1], [1, 1])))
    0.25
    """
    return _sum("chi_square_divergence", pair)


@metric(
    name="Chi-square statistic of two samples", symbol="χ²", family=FAMILY,
    formula=r"\sum_i \frac{\left( \sqrt{n_Q/n_P}\, P_i - \sqrt{n_P/n_Q}\, Q_i \right)^2}{P_i + Q_i}", highest=math.inf,
    best=0, undefined_when=_EMPTY, aliases=("chi-square", "chi-squared statistic", "χ² test"), reference="cramer1946",
)  # fmt: skip
def chi_square_statistic(pair: DistributionPair) -> Array:
    """Pearson's statistic of the table of counts, P in one row and Q in the other.

    How to read it: about k − 1 for k bins where both are samples of one distribution. It grows with the number of rows,
    so it says how certain a difference is, not how large; and it needs counts, not shares.

    >>> float(chi_square_statistic(DistributionPair.from_counts([3, 1], [1, 3])))
    2.0
    """
    return _sum("chi_square_statistic", pair)


@metric(
    name="Population stability index", symbol="PSI", family=FAMILY, formula=r"\sum_i (p_i - q_i) \ln \frac{p_i}{q_i}",
    highest=math.inf, best=0, undefined_when=_EMPTY, aliases=("Jeffreys divergence", "J-divergence"),
    reference="yurdakul2020",
)  # fmt: skip
def population_stability_index(pair: DistributionPair) -> Array:
    """Sum of the Kullback–Leibler divergences both ways, in nats.

    How to read it: banks call 0.1 a slight and 0.25 a large shift of a score in ten bins. These limits ignore the
    number of rows: small samples of one distribution can exceed them by chance.

    >>> round(float(population_stability_index(DistributionPair.from_counts([3, 1], [1, 3]))), 4)
    1.0986
    """
    return _sum("population_stability_index", pair)


@metric(
    name="Kolmogorov–Smirnov distance", symbol="KS distance", family=FAMILY, formula=r"\max_x |F_P(x) - F_Q(x)|",
    best=0, undefined_when="P or Q is empty, or the bins have no order",
    aliases=("two-sample Kolmogorov-Smirnov statistic",), reference="smirnov1948",
)  # fmt: skip
def ks_distance(pair: DistributionPair) -> Array:
    """Largest gap between both cumulative distributions.

    How to read it: at the value where the gap is largest, one distribution has that much more of its mass below it than
    the other. Needs no bins. It sees shifts in the middle better than differences in the tails.

    >>> float(ks_distance(DistributionPair.from_counts([3, 1], [1, 3], at=[0, 1])))
    0.5
    """
    return terms_of("ks_distance", pair).max(axis=-1)


@metric(
    name="Wasserstein distance", symbol="W₁", family=FAMILY, formula=r"\int |F_P(x) - F_Q(x)| \, dx", highest=math.inf,
    best=0, undefined_when="P or Q is empty, or the bins have no order",
    aliases=("earth mover's distance", "Kantorovich distance"), reference="ramdas2017",
)  # fmt: skip
def wasserstein_distance(pair: DistributionPair) -> Array:
    """How far the mass of P has to be carried on average to make Q, in the units of the values.

    How to read it: if Q is P moved by 3, it is 3. Needs no bins. A few far values weigh as much as many near ones.

    >>> float(wasserstein_distance(DistributionPair.from_counts([3, 1], [1, 3], at=[0, 10])))
    5.0
    """
    return _sum("wasserstein_distance", pair)


def _sum(measure: str, pair: DistributionPair, base: float = math.e) -> Array:
    return terms_of(measure, pair, base).sum(axis=-1)


_TINY = 1e-12  # mass below this is rounding


@dataclass(frozen=True, eq=False)
class TransportPlan:
    """Parcels of mass: from which bin of P, to which bin of Q, and how much. All of shape (m,); masses add up to 1."""

    origin: Indices
    target: Indices
    mass: Array

    @property
    def staying(self) -> float:
        """Share of the mass that stays in its bin."""
        return float(self.mass[self.origin == self.target].sum())


def transport_plan(pair: DistributionPair) -> TransportPlan:
    """The plan that carries the mass of P to Q in the least sum of mass times distance.

    On a line it never crosses: the lowest mass of P goes to the lowest place of Q. Between categories, which have no
    distance, as much as possible stays, and the rest goes from the first bins with too much to the first with too
    little.
    """
    p, q = pair.shares_p, pair.shares_q
    if pair.at is not None:
        return _in_order(p, q)
    stays = np.minimum(p, q)
    moved = _in_order(p - stays, q - stays)
    own = np.flatnonzero(stays > _TINY)
    origin, target = np.append(moved.origin, own), np.append(moved.target, own)
    mass = np.append(moved.mass, stays[own])
    order = np.lexsort((target, origin))
    return TransportPlan(origin[order], target[order], mass[order])


def _in_order(p: Array, q: Array) -> TransportPlan:
    """Match masses in order of their place: cut the cumulated mass wherever either distribution does."""
    ends_p, ends_q = np.cumsum(p), np.cumsum(q)
    cuts = np.unique(np.concatenate([[0.0], ends_p, ends_q]))
    mass = np.diff(cuts)
    middles = cuts[:-1] + mass / 2
    last = len(p) - 1
    origin, target = (np.minimum(np.searchsorted(ends, middles), last) for ends in (ends_p, ends_q))
    some = mass > _TINY
    codes, places = np.unique(origin[some] * len(p) + target[some], return_inverse=True)
    return TransportPlan(
        codes // len(p), codes % len(p), np.bincount(places, mass[some], len(codes)).astype(np.float64)
    )
