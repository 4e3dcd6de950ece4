"""Two distributions over the same bins, and the distances between them."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from evalcore.classification.several import losses as of_shares
from evalcore.numeric import Array, Indices, count_rows, log_ratio, ratio, relative_entropies
from evalcore.registry import METRICS, Param, metric

__all__ = ["BIN_RULES", "MOST_BINS", "DistributionPair", "TransportPlan", "TwoSamples", "chi_square_divergence"]
__all__ += ["chi_square_statistic", "cross_entropy", "edges_by", "edges_from_text", "entropy", "hellinger_distance"]
__all__ += ["jensen_shannon_divergence", "kl_divergence", "ks_distance", "number_of_bins", "population_stability_index"]
__all__ += ["quantiles", "reverse_kl_divergence", "terms_of", "total_variation", "transport_plan"]
__all__ += ["wasserstein_distance"]


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


MOST_BINS = 200  # more bins are not drawn; a rule that asks for more gets so many

BIN_RULES = {"freedman": "Freedman–Diaconis", "sturges": "Sturges", "width": "Equal width", "quantiles": "Quantiles"}
BIN_RULES |= {"values": "Each value", "hand": "By hand"}
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
    return _within(math.ceil(math.log2(n)) + 1 if rule in ("freedman", "sturges") else bins)


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
        counts_p, counts_q = np.bincount(p, self.weights_p, k), np.bincount(q, self.weights_q, k)
        return DistributionPair(counts_p.astype(np.float64), counts_q.astype(np.float64), at)


def terms_of(measure: str, pair: DistributionPair, base: float = math.e) -> Array:
    """Contribution of each bin to a measure, by its key, shape (..., k).

    The terms add up to the measure, of the Hellinger distance to its square; the Kolmogorov–Smirnov distance is the
    largest of them.
    """
    return _TERMS[measure](pair) / (math.log(base) if "base" in METRICS[measure].takes else 1.0)


def _jensen_shannon_terms(pair: DistributionPair) -> Array:
    p, q, half = pair.shares_p, pair.shares_q, pair.gaps / 2
    middle = (p + q) / 2
    return (relative_entropies(p, middle, half) + relative_entropies(q, middle, -half)) / 2


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


def _surprise_ratio(p: Array, q: Array, gaps: Array) -> Array:
    """p ln(p/q), 0 where p is 0, ∞ where only q is."""
    with np.errstate(invalid="ignore"):
        return np.where(p == 0, 0.0, p * log_ratio(p, q, gaps))


def _stability_terms(pair: DistributionPair) -> Array:
    return _where_apart(pair.gaps, pair.gaps * log_ratio(pair.shares_p, pair.shares_q, pair.gaps))


_TERMS: dict[str, Callable[[DistributionPair], Array]] = {
    "entropy": lambda pair: of_shares.cross_entropy(pair.shares_p[..., None], pair.shares_p[..., None]),
    "cross_entropy": lambda pair: of_shares.cross_entropy(pair.shares_p[..., None], pair.shares_q[..., None]),
    "kl_divergence": lambda pair: _surprise_ratio(pair.shares_p, pair.shares_q, pair.gaps),
    "reverse_kl_divergence": lambda pair: _surprise_ratio(pair.shares_q, pair.shares_p, -pair.gaps),
    "jensen_shannon_divergence": _jensen_shannon_terms,
    "total_variation": lambda pair: np.abs(pair.gaps) / 2,
    "hellinger_distance": _hellinger_terms,
    "chi_square_divergence": lambda pair: _where_apart(pair.gaps, ratio(pair.gaps**2, pair.shares_q)),
    "chi_square_statistic": _chi_square_statistic_terms,
    "population_stability_index": _stability_terms,
    "ks_distance": lambda pair: _cumulated(pair, times_widths=False),
    "wasserstein_distance": lambda pair: _cumulated(pair, times_widths=True),
}

FAMILY = "distributions"
_BASE = Param("base", math.e, 2.0, 10.0, "Base of the logarithm: e gives nats, 2 gives bits.")
_EMPTY = "P or Q is empty"
_distance = partial(metric, family=FAMILY, undefined_when=_EMPTY, best=0)


@metric(name="Entropy of P", symbol="H(P)", family=FAMILY, formula=r"-\sum_i p_i \ln p_i", highest=math.inf,
        params=(_BASE,), undefined_when="P is empty", aliases=("Shannon entropy",),
        reference="shannon1948")  # fmt: skip
def entropy(pair: DistributionPair, base: float = math.e) -> Array:
    """How uncertain one draw from P is.

    How to read it: 0 when all mass lies in one bin, ln k when it is spread evenly over k bins. It depends on the bins:
    bins half as wide add about 1 bit.

    >>> float(entropy(DistributionPair.from_counts([1, 1], [1, 3]), base=2))
    1.0
    """
    return _sum("entropy", pair, base)


@metric(name="Cross-entropy of Q under P", symbol="H(P, Q)", family=FAMILY, formula=r"-\sum_i p_i \ln q_i",
        highest=math.inf, params=(_BASE,), undefined_when=_EMPTY, aliases=("cross-entropy",),
        reference="good1952")  # fmt: skip
def cross_entropy(pair: DistributionPair, base: float = math.e) -> Array:
    """Mean surprise of someone who believes in Q while P is true.

    How to read it: never below the entropy of P; the excess is the Kullback–Leibler divergence. It is ∞ when
    Q rules out a bin that P has.

    >>> float(cross_entropy(DistributionPair.from_counts([1, 0], [1, 3]), base=2))
    2.0
    """
    return _sum("cross_entropy", pair, base)


@_distance(name="Kullback–Leibler divergence of P from Q", symbol="KL(P‖Q)", formula=r"\sum_i p_i \ln \frac{p_i}{q_i}",
           highest=math.inf, params=(_BASE,),
           aliases=("relative entropy", "information gain", "Kullback-Leibler divergence"),
           reference="kullback1951")  # fmt: skip
def kl_divergence(pair: DistributionPair, base: float = math.e) -> Array:
    """What it costs on average to believe in Q while P is true.

    How to read it: 0 only when both are equal. It is not a distance: with P and Q exchanged it is another number, and
    one bin that P has and Q lacks makes it ∞.

    >>> float(kl_divergence(DistributionPair.from_counts([1, 0], [1, 3]), base=2))
    2.0
    """
    return relative_entropies(pair.shares_p, pair.shares_q, pair.gaps).sum(axis=-1) / math.log(base)


@_distance(name="Kullback–Leibler divergence of Q from P", symbol="KL(Q‖P)", formula=r"\sum_i q_i \ln \frac{q_i}{p_i}",
           highest=math.inf, params=(_BASE,), aliases=("reverse Kullback-Leibler divergence",),
           reference="kullback1951")  # fmt: skip
def reverse_kl_divergence(pair: DistributionPair, base: float = math.e) -> Array:
    """What it costs on average to believe in P while Q is true.

    How to read it: the divergence with P and Q exchanged; it is ∞ when Q has a bin that P lacks.

    >>> float(reverse_kl_divergence(DistributionPair.from_counts([1, 3], [1, 0]), base=2))
    2.0
    """
    return kl_divergence(DistributionPair(pair.q, pair.p), base)


@_distance(name="Jensen–Shannon divergence", symbol="JS",
           formula=r"\frac{1}{2} \sum_i \left[ p_i \ln \frac{2 p_i}{p_i + q_i} + "
           r"q_i \ln \frac{2 q_i}{p_i + q_i} \right]",
           params=(_BASE,), aliases=("JSD", "Jensen-Shannon divergence"), reference="lin1991")  # fmt: skip
def jensen_shannon_divergence(pair: DistributionPair, base: float = math.e) -> Array:
    """Mean Kullback–Leibler divergence of P and of Q from their mixture.

    How to read it: symmetric and never ∞: from 0 to 1 bit (0.693 nats), reached when the two share no bin.
    Its square root is a distance, which scipy calls Jensen–Shannon.

    >>> float(jensen_shannon_divergence(DistributionPair.from_counts([1, 0], [0, 1]), base=2))
    1.0
    """
    return _sum("jensen_shannon_divergence", pair, base)


@_distance(name="Total variation distance", symbol="TV", formula=r"\frac{1}{2} \sum_i |p_i - q_i|",
           aliases=("total variation", "statistical distance"), reference="gibbs2002")  # fmt: skip
def total_variation(pair: DistributionPair) -> Array:
    """Share of P that would have to change its bin to make Q.

    How to read it: the largest difference in probability that any event can have. 1 minus it is the overlap of both.
    How far apart the bins lie does not matter.

    >>> float(total_variation(DistributionPair.from_counts([3, 1], [1, 3])))
    0.5
    """
    return _sum("total_variation", pair)


@_distance(name="Hellinger distance", symbol="Hellinger",
           formula=r"\sqrt{\frac{1}{2} \sum_i \left( \sqrt{p_i} - \sqrt{q_i} \right)^2}",
           reference="gibbs2002")  # fmt: skip
def hellinger_distance(pair: DistributionPair) -> Array:
    """Euclidean distance of the square roots of both distributions, from 0 to 1.

    How to read it: 1 when they share no bin. Its square is at most the total variation, and that is at most √2 times
    the distance. Some texts leave out the ½ and go up to √2.

    >>> float(hellinger_distance(DistributionPair.from_counts([1, 0], [0, 1])))
    1.0
    """
    return np.sqrt(_sum("hellinger_distance", pair))


@_distance(name="Chi-square divergence of P from Q", symbol="χ²(P‖Q)", formula=r"\sum_i \frac{(p_i - q_i)^2}{q_i}",
           highest=math.inf, aliases=("chi-square divergence", "Pearson divergence"),
           reference="gibbs2002")  # fmt: skip
def chi_square_divergence(pair: DistributionPair) -> Array:
    """Squared difference of both shares, in units of that of Q.

    How to read it: it weighs bins that are rare under Q most, and is ∞ when P has a bin that Q lacks. Times the number
    of rows it is Pearson's statistic of P against a Q that is known exactly.

    >>> float(chi_square_divergence(DistributionPair.from_counts([3, 1], [1, 1])))
    0.25
    """
    return _sum("chi_square_divergence", pair)


@_distance(name="Chi-square statistic of two samples", symbol="χ²",
           formula=r"\sum_i \frac{\left( \sqrt{n_Q/n_P}\, P_i - \sqrt{n_P/n_Q}\, Q_i \right)^2}{P_i + Q_i}",
           highest=math.inf, aliases=("chi-square", "chi-squared statistic", "χ² test"),
           reference="cramer1946")  # fmt: skip
def chi_square_statistic(pair: DistributionPair) -> Array:
    """Pearson's statistic of the table of counts, P in one row and Q in the other.

    How to read it: about k − 1 for k bins where both are samples of one distribution. It grows with the number of rows,
    so it says how certain a difference is, not how large; and it needs counts, not shares.

    >>> float(chi_square_statistic(DistributionPair.from_counts([3, 1], [1, 3])))
    2.0
    """
    return _sum("chi_square_statistic", pair)


@_distance(name="Population stability index", symbol="PSI", formula=r"\sum_i (p_i - q_i) \ln \frac{p_i}{q_i}",
           highest=math.inf, aliases=("Jeffreys divergence", "J-divergence"), reference="yurdakul2020")  # fmt: skip
def population_stability_index(pair: DistributionPair) -> Array:
    """Sum of the Kullback–Leibler divergences both ways, in nats.

    How to read it: banks call 0.1 a slight and 0.25 a large shift of a score in ten bins. These limits ignore the
    number of rows: small samples of one distribution can exceed them by chance.

    >>> round(float(population_stability_index(DistributionPair.from_counts([3, 1], [1, 3]))), 4)
    1.0986
    """
    return _sum("population_stability_index", pair)


@_distance(name="Kolmogorov–Smirnov distance", symbol="KS distance", formula=r"\max_x |F_P(x) - F_Q(x)|",
           undefined_when="P or Q is empty, or the bins have no order",
           aliases=("two-sample Kolmogorov-Smirnov statistic",), reference="smirnov1948")  # fmt: skip
def ks_distance(pair: DistributionPair) -> Array:
    """Largest gap between both cumulative distributions.

    How to read it: at the value where the gap is largest, one distribution has that much more of its mass below it than
    the other. Needs no bins. It sees shifts in the middle better than differences in the tails.

    >>> float(ks_distance(DistributionPair.from_counts([3, 1], [1, 3], at=[0, 1])))
    0.5
    """
    return terms_of("ks_distance", pair).max(axis=-1)


@_distance(name="Wasserstein distance", symbol="W₁", formula=r"\int |F_P(x) - F_Q(x)| \, dx", highest=math.inf,
           undefined_when="P or Q is empty, or the bins have no order",
           aliases=("earth mover's distance", "Kantorovich distance"), reference="ramdas2017")  # fmt: skip
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

    As much as possible stays, which is the overlap of both. The rest goes in order, from the first bins with too much
    to the first with too little; between categories, which have no distance, any other way would do as well.
    """
    p, q = pair.shares_p, pair.shares_q
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
    mass = np.bincount(places, mass[some], len(codes)).astype(np.float64)
    return TransportPlan(codes // len(p), codes % len(p), mass)
