"""Two areas under the ROC curves of the same rows, which belong together: their test and the interval around it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from evalcore.classification.cluster_sizes import LEAST_OF_OTHERS, few_heavy_sizes, is_weighted
from evalcore.inference.area_difference import area_difference_bounds
from evalcore.inference.clustered import degrees_by_sizes, number_of, student_quantile
from evalcore.inference.clustered_areas import area_degrees, clustered_covariance, numbers_of_clusters
from evalcore.inference.comparison import Comparison
from evalcore.inference.intervals import Interval, check_level
from evalcore.inference.swaps import SWAPS_OF_CLUSTERS, agreeing_interval
from evalcore.numeric import Array, ratio

__all__: list[str] = []

CLUSTERED = "Obuchowski, paired and clustered"
"""The test of two areas where rows belong together."""

PROFILE = "profile interval of logits"

_NOTHING = 1e-9


@dataclass(frozen=True, eq=False)
class ClusteredAreas:
    """What whole clusters tell about the areas of several systems."""

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
        cls,
        outranked: list[tuple[Array, Array]],
        classes: tuple[np.ndarray, np.ndarray],
        weights: list[Array | None],
        codes: np.ndarray,
        estimates: Array,
        n: int,
        exchange: Callable[[int, int], tuple[float, float] | None],
    ) -> "ClusteredAreas":
        """From the share of the other class that each row of a class outranks in each system; positives first."""
        count, sums = int(codes.max(initial=-1)) + 1, []
        for which, rows in enumerate(classes):
            given = weights[which]
            weight = np.ones(int(np.count_nonzero(rows))) if given is None else given
            beyond = [weight * (placed[which] - area) for placed, area in zip(outranked, estimates, strict=True)]
            sums.append([ratio(np.bincount(codes[rows], one, count), weight.sum()) for one in beyond])
        given = None if weights[0] is None or weights[1] is None else (weights[0], weights[1])
        weighted = given is not None and any(map(is_weighted, given))
        numbers = numbers_of_clusters([codes[rows] for rows in classes], given if weighted else None)
        of_p, of_n = (
            np.bincount(codes[rows], given, count).astype(np.float64)
            for rows, given in zip(classes, weights, strict=True)
        )
        covariance, alone = (
            clustered_covariance(sums[0], sums[1], numbers),
            number_of(codes) == (len(codes) if weighted else n),
        )
        positives, negatives = np.array(sums[0]), np.array(sums[1])
        beside = n, weighted, alone, exchange
        return cls(estimates, covariance, positives, negatives, numbers, (of_p, of_n), *beside)

    @property
    def degrees(self) -> Array:
        """Of freedom of the variance of each area, shape (s,)."""
        plain, sums = self.alone or self.weighted, zip(self.positives, self.negatives, strict=True)
        return np.array([area_degrees(p, n, self.numbers, self.sizes, plain) for p, n in sums])

    def degrees_apart(self, a: int, b: int) -> float:
        """The same of the difference of two areas; one less than the clusters that decide on it."""
        positives, negatives = (each[b] - each[a] for each in (self.positives, self.negatives))
        return area_degrees(positives, negatives, self.numbers, self.sizes, self.alone or self.weighted)

    def compared(self, a: int, b: int, statistic: float, level: float) -> Comparison:
        """System b against system a, whose areas lie so many standard errors apart.

        p is that of `area_exchange` where few clusters hold a class, else that of Obuchowski's test with a t
        distribution. The interval is that of `area_difference_bounds` with the degrees of freedom of `area_degrees`.
        It is widened to 0, or cut next to it, where the test says otherwise. Where all clusters differ alike, so that
        their variance is 0, it is Miettinen's, which rests on p.

        References
        ----------
        O. Miettinen (1976). Estimability and estimation in case-referent studies. American Journal of Epidemiology 103,
        226–235. doi:10.1093/oxfordjournals.aje.a112220
        """
        own, other, every = self.numbers
        places, difference = [a, b], float(self.estimates[b] - self.estimates[a])
        degrees = self.degrees_apart(a, b)
        every_degrees = degrees_by_sizes(np.sum(self.sizes, axis=0), every - 1)
        p_value, test, varies = float(2 * stdtr(every_degrees, -abs(statistic))), CLUSTERED, not math.isnan(statistic)
        if (exchanged := self.exchange(a, b)) is not None:
            (p_value, statistic), test = exchanged, SWAPS_OF_CLUSTERS

        def at(level: float) -> Interval:
            check_level(level)
            quantile, observed = (float(student_quantile(share, degrees)) for share in (level, 1 - p_value))
            if varies:
                covariance, least = self.covariance[np.ix_(places, places)], 1 / (2 * own * other)
                low, high = area_difference_bounds(self.estimates[places], covariance, quantile, least)
            else:
                half = abs(difference) * quantile / max(observed, _NOTHING)
                low, high = np.clip([difference - half, difference + half], -1, 1).tolist()
            return agreeing_interval(Interval(difference, low, high, every), p_value, level)

        compared = Comparison(f"{PROFILE}, {test}", difference, at(level), statistic, p_value, self.n, interval_at=at)
        return compared.marked(not self.weighted and few_heavy_sizes(*self.sizes, least=LEAST_OF_OTHERS))
