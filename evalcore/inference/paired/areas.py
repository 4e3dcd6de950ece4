"""Areas under the ROC curves of several systems on the same rows, with intervals and tests of their differences."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, fdtrc, ndtr, stdtr

from evalcore.classification.binary.clusters import cluster_codes, few_heavy_sizes, is_weighted
from evalcore.classification.binary.labels import equals, label_array, number_array, positive_label, weight_array
from evalcore.inference.base import Comparison, Interval, clustered, comparison, student_quantile
from evalcore.inference.base.intervals import area_interval, check_level, clipped_interval, normal_quantile
from evalcore.numeric import Array, at_rows, average_ranks, blocks, inner, over_parts, ratio, rows_behind, rows_counted

__all__ = ["ChiSquare", "CorrelatedAreas", "compare_auc", "correlated_areas"]


def area_exchange(is_positive: np.ndarray, a: Array, b: Array, clusters: np.ndarray) -> tuple[float, float] | None:
    """p-value that A and B have equal areas, with standard errors, if fewer than 25 clusters hold a class.

    If the systems were equally good, the ranks of the rows of a cluster could be exchanged. The difference is then a
    sum of one contribution per cluster with random signs: p is the mid-p of these sums, and their sum of squares the
    variance. None where more clusters hold each class, or fewer than two, and where none differs. Higher scores speak
    for the positive class. See A. Bandos, H. Rockette, D. Gur (2005), doi:10.1002/sim.2149.
    """
    fewest = 1 + min(np.nan_to_num(clustered.degrees_of_codes(clusters[side])) for side in (is_positive, ~is_positive))
    if fewest < 2 or not comparison.few_pairs(fewest):
        return None
    contributions = area_contributions(is_positive, average_ranks(a), average_ranks(b), clusters)
    differing = contributions[contributions != 0]
    if not len(differing):
        return None
    difference = float(differing.sum())
    signs = 1.0 - 2 * comparison.exchanges(len(differing), comparison.DRAWS, comparison.SEED)
    p_value = comparison.share_as_large(signs @ differing, difference, halved=True)
    return p_value, difference / float(differing @ differing) ** 0.5


def area_contributions(is_positive: np.ndarray, ranks_a: Array, ranks_b: Array, clusters: np.ndarray) -> Array:
    """Contribution of each cluster to the area of B minus that of A, (c,); exchanging the ranks flips its sign."""
    places = [np.rint(2 * ranks).astype(np.intp) for ranks in (ranks_b, ranks_a)]
    total = np.zeros(int(clusters.max()) + 1)
    for own, towards in ((is_positive, 1.0), (~is_positive, -1.0)):
        through = np.cumsum(sum(np.bincount(each[~own], minlength=2 * len(own) + 1) for each in places))
        beyond = [through[each[own]] + through[each[own] - 1] for each in places]
        others, rows = 2 * np.count_nonzero(~own), np.count_nonzero(own)
        total += towards * np.bincount(clusters[own], (beyond[0] - beyond[1]) / (2.0 * others * rows), len(total))
    return total


CLUSTERED = "Obuchowski, paired and clustered"  # the test of two areas where rows belong together
PROFILE = "profile interval of logits"
_LEAST_DIFFERENCE = 1e-9


@dataclass(frozen=True, eq=False)
class ClusteredAreas:
    """Areas of several systems with the sums of placements of each cluster."""

    estimates: Array  # shape (s,)
    covariance: Array  # shape (s, s)
    positives: Array  # shape (s, c): what the positives of each cluster place beyond the area
    negatives: Array  # shape (s, c)
    numbers: tuple[float, float, float]  # of clusters that hold each class, and of all
    sizes: tuple[Array, Array]  # positives and negatives of each cluster, or their weight, shape (c,)
    n: int  # rows
    weighted: bool
    alone: bool  # whether each row is in a cluster of its own
    exchange: Callable[[int, int], tuple[float, float] | None]  # `area_exchange` of two systems

    @classmethod
    def of(
        cls, outranked: list[tuple[Array, Array]], is_positive: np.ndarray, weights: Array | None, codes: np.ndarray,
        estimates: Array, n: int, exchange: Callable[[int, int], tuple[float, float] | None],
    ) -> "ClusteredAreas":  # fmt: skip
        """Sum, for each system and cluster, how far the placements of its rows (positives first) lie from the area."""
        sums, sizes, weighted = [], [], is_weighted(weights)
        weight = np.ones(len(codes)) if weights is None else weights
        parts = [(codes[rows], weight[rows]) for rows in (is_positive, ~is_positive)]
        for which, (code, own) in enumerate(parts):
            count, beyond = int(codes.max(initial=-1)) + 1, zip(outranked, estimates, strict=True)
            each = [np.bincount(code, own * (placed[which] - area), count) for placed, area in beyond]
            sums.append(ratio(each, own.sum()))
            sizes.append(np.bincount(code, own, count).astype(np.float64))
        codes_of, weights_of = zip(*parts, strict=True)
        numbers = clustered.numbers_of_clusters(codes_of, weights_of if weighted else None)
        first, second = sums
        covariance = clustered.clustered_covariance(first, second, numbers)
        alone = clustered.count_clusters(codes) == (len(codes) if weighted else n)
        return cls(estimates, covariance, first, second, numbers, (sizes[0], sizes[1]), n, weighted, alone, exchange)

    @property
    def degrees(self) -> Array:
        """Degrees of freedom of the variance of each area, shape (s,)."""
        return np.array([self._degrees(*sums) for sums in zip(self.positives, self.negatives, strict=True)])

    def degrees_apart(self, a: int, b: int) -> float:
        """Degrees of freedom of the difference of two areas: one less than the clusters that decide on it."""
        return self._degrees(*(each[b] - each[a] for each in (self.positives, self.negatives)))

    def _degrees(self, positives: Array, negatives: Array) -> float:
        return clustered.area_degrees(positives, negatives, self.numbers, self.sizes, self.alone or self.weighted)

    def compared(self, a: int, b: int, statistic: float, level: float) -> Comparison:
        """Compare system b with system a, from the distance of their areas in standard errors.

        p is that of `area_exchange` where few clusters hold a class, else that of Obuchowski's test with a t
        distribution. The interval is that of `area_difference_bounds` with the degrees of freedom of `area_degrees`. It
        is widened to 0, or cut next to it, where the test says otherwise. Where all clusters differ alike, so that
        their variance is 0, it is Miettinen's, which rests on p. See O. Miettinen (1976),
        doi:10.1093/oxfordjournals.aje.a112220.
        """
        own, other, every = self.numbers
        places, difference = [a, b], float(self.estimates[b] - self.estimates[a])
        degrees = self.degrees_apart(a, b)
        every_degrees = clustered.degrees_by_sizes(np.sum(self.sizes, axis=0), every - 1)
        p_value, test, varies = float(2 * stdtr(every_degrees, -abs(statistic))), CLUSTERED, not math.isnan(statistic)
        if (exchanged := self.exchange(a, b)) is not None:
            (p_value, statistic), test = exchanged, comparison.SWAPS_OF_CLUSTERS

        def at(level: float) -> Interval:
            check_level(level)
            quantile, observed = (float(student_quantile(share, degrees)) for share in (level, 1 - p_value))
            if varies:
                covariance, least = self.covariance[np.ix_(places, places)], 1 / (2 * own * other)
                low, high = clustered.area_difference_bounds(self.estimates[places], covariance, quantile, least)
            else:
                half = abs(difference) * quantile / max(observed, _LEAST_DIFFERENCE)
                low, high = clipped_interval(difference, half).ends[1:]
            return comparison.agreeing_interval(Interval(difference, low, high, every), p_value, level)

        compared = Comparison(f"{PROFILE}, {test}", difference, at(level), statistic, p_value, self.n, interval_at=at)
        return compared.marked(not self.weighted and few_heavy_sizes(*self.sizes))


METHOD = "DeLong, paired"  # the test of two areas on the same rows
_MANY = 8  # from this many systems on, one matrix product is faster than a pass over the rows per pair
_NOTHING = 1e-10  # an eigenvalue below this share of the largest is 0 up to rounding
_LEAST_VARIANCE = 1e-13  # a variance of a difference below this share of the two variances is 0 up to rounding


@dataclass(frozen=True)
class ChiSquare:
    """A test of several differences at once."""

    statistic: float
    degrees: int  # degrees of freedom: the number of independent differences
    p_value: float

    @classmethod
    def of(cls, statistic: float, degrees: int, without: float = math.nan) -> "ChiSquare":
        """Take p from the chi-square distribution; `without` a degree of freedom it is another number."""
        return cls(statistic, degrees, float(chdtrc(degrees, statistic)) if degrees else without)


def standardised(differences: Array, covariance: Array, least: float = 0.0) -> tuple[float, int, Array]:
    """Sum of squares of independent combinations of differences in standard errors, their number, and those fixed.

    Eigenvalues that are 0 up to rounding, relative to the largest or below `least`, belong to combinations that do not
    vary.
    """
    values, vectors = np.linalg.eigh(covariance)
    varies, along = values > max(_NOTHING * values.max(initial=0.0), least), vectors.T @ differences
    return float((along[varies] ** 2 / values[varies]).sum()), int(np.count_nonzero(varies)), along[~varies]


@dataclass(frozen=True, eq=False)
class CorrelatedAreas:
    """Areas under the ROC curves of several systems on the same rows, by DeLong."""

    estimates: Array  # shape (s,): the area of each system
    covariance: Array  # shape (s, s): of these estimates; nan when a class has fewer than two rows
    n: int  # rows, of which whole weights are counts; of others those with a weight above 0
    degrees: Array | None = None  # shape (s,): of freedom, where rows belong together
    clusters: float | None = None  # how many clusters they are
    of_clusters: ClusteredAreas | None = None  # where some of them have several rows

    def intervals(self, level: float = 0.95, logit: bool = True) -> Interval:
        """Interval of each area, of shape (s,), as `evalcore.inference.delong`."""
        interval = area_interval(self.estimates, np.diagonal(self.covariance), level, logit, self.degrees)
        return replace(interval, clusters=self.clusters)

    def compared(self, a: int, b: int, level: float = 0.95) -> Comparison:
        """Compare system b with system a, by their indices.

        Systems that rank all pairs alike differ by exactly 0 with p = 1. Where the areas differ but the variance is 0,
        as between a perfect and a reversed ranking, statistic, p and bounds are nan.
        """
        difference = float(self.estimates[b] - self.estimates[a])
        covariance = self.covariance
        both = float(covariance[a, a] + covariance[b, b])
        variance = both - 2 * float(covariance[a, b])
        error = 0.0 if variance <= _LEAST_VARIANCE * both else variance**0.5
        if error > 0:
            statistic = difference / error
        else:
            statistic = error = 0.0 if difference == error == 0 else float("nan")
        if self.of_clusters is not None and error != 0:
            return self.of_clusters.compared(a, b, statistic, level)
        if self.clusters is None:
            p_value, half = float(2 * ndtr(-abs(statistic))), normal_quantile(level) * error
        else:
            degrees = self.clusters - 1
            p_value = float(2 * stdtr(degrees, -abs(statistic)))
            half = float(student_quantile(level, degrees)) * error
        interval = clipped_interval(difference, half, self.clusters)
        compared = Comparison(METHOD, difference, interval, statistic, p_value, self.n)
        return replace(compared, interval_at=lambda other: self.compared(a, b, other).interval)

    def overall(self) -> ChiSquare:
        """Test that the areas of all systems are equal.

        Differences that are linear combinations of others, as between copies, add no degree of freedom. Where rows
        belong together, p is that of Hotelling's F distribution for so many clusters. See H. Hotelling (1931),
        doi:10.1214/aoms/1177732979.
        """
        contrasts = np.diff(np.eye(len(self.estimates)), axis=0)
        differences = contrasts @ self.estimates
        spread = contrasts @ self.covariance @ contrasts.T
        if not spread.size or np.isnan(spread).any():
            return ChiSquare.of(math.nan, 0)
        statistic, degrees, rest = standardised(differences, spread, _LEAST_VARIANCE * float(np.trace(self.covariance)))
        if (abs(rest) > 1e-9).any():
            return ChiSquare.of(math.nan, 0)
        if not degrees or self.of_clusters is None or self.clusters is None:
            return ChiSquare.of(statistic, degrees, 1.0)
        left = self.clusters - degrees
        scaled = statistic * left / (degrees * (self.clusters - 1))
        return ChiSquare(statistic, degrees, float(fdtrc(degrees, left, scaled)) if left > 0 else math.nan)


def correlated_areas(
    labels: npt.ArrayLike, scores: Sequence[npt.ArrayLike], positive: object = True,
    weights: npt.ArrayLike | None = None, higher_is_positive: bool = True, clusters: npt.ArrayLike | None = None,
) -> CorrelatedAreas:  # fmt: skip
    """Areas under the ROC curves of several systems with their covariance.

    Each system takes one sort and two passes; no pairs are compared. A weight of 2 counts a row twice; with weights
    that are no counts the variances hold only up to their scale. With clusters the variances are theirs. ValueError
    when lengths differ, a label is missing, a score is not finite, a weight is negative or no label is positive. See E.
    DeLong, D. DeLong, D. Clarke-Pearson (1988), doi:10.2307/2531595; X. Sun, W. Xu (2014),
    doi:10.1109/LSP.2014.2337313; N. Obuchowski (1997), Biometrics 53, 567–578.
    """
    truth = label_array(labels, "labels")
    is_positive = equals(truth, positive_label(positive, truth))
    weight = None if weights is None else weight_array(weights, len(truth))
    values = [number_array(of_one, f"scores of system {index}", len(truth)) for index, of_one in enumerate(scores, 1)]
    codes = None if clusters is None else cluster_codes(clusters, len(truth))
    if weight is not None:
        counts = weight > 0
        is_positive, values, codes = is_positive[counts], [v[counts] for v in values], at_rows(codes, counts)
        weight = weight[counts]
    n = rows_behind(weight, len(is_positive))
    if not higher_is_positive:
        values = [-v for v in values]
    outranked = over_parts(lambda each: _outranked(each, is_positive, weight), values, len(is_positive))
    of_class = [at_rows(weight, rows) for rows in (is_positive, ~is_positive)]
    estimates = np.array([_mean(of_positives, of_class[0]) for of_positives, _ in outranked])
    if codes is not None:
        each = slice(None) if weight is None or (weight == 1).all() else rows_counted(weight)

        def exchange(a: int, b: int) -> tuple[float, float] | None:
            if each is None:
                return None
            return area_exchange(is_positive[each], values[a][each], values[b][each], codes[each])

        whole = ClusteredAreas.of(outranked, is_positive, weight, codes, estimates, n, exchange)
        of_clusters = None if whole.alone else whole
        return CorrelatedAreas(estimates, whole.covariance, n, whole.degrees, whole.numbers[2], of_clusters)
    spread = np.zeros((len(values), len(values)))
    for placed, own in zip(zip(*outranked, strict=True), of_class, strict=True):
        size = float(len(placed[0]) if own is None else own.sum())
        if size <= 1:
            spread[:] = np.nan
            break
        spread += _products([one - _mean(one, own) for one in placed], own) / (size - 1) / size
    rows, columns = np.triu_indices(len(values))
    spread[columns, rows] = spread[rows, columns]
    return CorrelatedAreas(estimates, spread, n)


def compare_auc(
    labels: npt.ArrayLike, scores_a: npt.ArrayLike, scores_b: npt.ArrayLike, positive: object = True,
    weights: npt.ArrayLike | None = None, higher_is_positive: bool = True, level: float = 0.95,
    clusters: npt.ArrayLike | None = None,
) -> Comparison:  # fmt: skip
    """Compare the areas under the ROC curves of two systems on the same rows by DeLong.

    Parameters and errors as `correlated_areas`. The estimate is the area of B minus that of A, the statistic its number
    of standard errors.

    >>> compared = compare_auc([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], [1, 5, 4, 3, 2, 6], positive=1)
    >>> round(compared.estimate, 4), round(compared.p_value, 4)
    (-0.5556, 0.0771)
    """
    areas = correlated_areas(labels, [scores_a, scores_b], positive, weights, higher_is_positive, clusters)
    return areas.compared(0, 1, level)


def _outranked(values: Array, is_positive: np.ndarray, weight: Array | None) -> tuple[Array, Array]:
    """Shares of negatives below each positive, and of positives above each negative, ties half, by row."""
    order = np.argsort(values)
    ascending, positive = values[order], is_positive[order]
    if weight is None:
        hits = np.cumsum(positive, dtype=np.float64)
        # Each row knows its own rank, so the rows up to it that are not positive are negative.
        alarms = np.arange(1.0, len(order) + 1) - hits
    else:
        in_order = weight[order]
        hits = np.cumsum(np.where(positive, in_order, 0.0))
        alarms = np.cumsum(np.where(positive, 0.0, in_order))
    last = np.append(ascending[1:] != ascending[:-1], True)
    if last.all():
        below = np.where(positive, alarms, hits)
    else:
        ends = np.flatnonzero(last)
        sizes = np.diff(ends, prepend=-1)
        middles = [(c[ends] + np.concatenate([[0.0], c[ends[:-1]]])) / 2 for c in (alarms, hits)]
        below = np.where(positive, *(np.repeat(middle, sizes) for middle in middles))
    in_rows = np.empty(len(order))
    in_rows[order] = below
    total_hits, total_alarms = (float(c[-1]) if len(c) else 0.0 for c in (hits, alarms))
    return ratio(in_rows[is_positive], total_alarms), ratio(total_hits - in_rows[~is_positive], total_hits)


def _products(centred: list[Array], weight: Array | None) -> Array:
    """Sum of products of each system with itself and with each after it, shape (s, s)."""
    products = np.zeros((len(centred), len(centred)))
    if len(centred) < _MANY:
        for i, j in combinations_with_replacement(range(len(centred)), 2):
            products[i, j] = inner(centred[i] if weight is None else centred[i] * weight, centred[j])
        return products
    for rows in blocks(len(centred[0])):
        part = np.stack([of_one[rows] for of_one in centred])
        products += (part if weight is None else part * weight[rows]) @ part.T
    return products


def _mean(placed: Array, weight: Array | None) -> float:
    if weight is None:
        return float(ratio(placed.sum(), len(placed)))
    return float(ratio(inner(placed, weight), weight.sum()))
