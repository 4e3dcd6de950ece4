"""How sure the distance of two samples is, and how far apart chance alone puts two samples of one distribution."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.estimation import DistributionPair, TwoSamples
from evalcore.inference.bootstrap import percentile_bounds
from evalcore.inference.cluster_resamples import bag_of_clusters, expanded_level, times_drawn
from evalcore.inference.intervals import Interval, check_draws, check_level
from evalcore.numeric import Array, whole_rows
from evalcore.registry import MetricDef

__all__ = ["DistanceDraws", "DistanceEstimate", "distance_draws", "pair_draws"]

_ROUNDING = 1e-12


@dataclass(frozen=True)
class DistanceEstimate:
    """A distance of two samples with its interval, and the same distance where nothing but chance is behind it."""

    interval: Interval  # nan where the distance is undefined or ∞
    # Mean and upper bound of the distance of two samples of these sizes from one distribution.
    chance: float
    chance_high: float
    p_value: float  # of the hypothesis that there is one distribution; nan where the distance is undefined


@dataclass(frozen=True, eq=False)
class DistanceDraws:
    """Resamples of two samples in bins.

    Attributes
    ----------
    observed : DistributionPair, shape (k,)
    resampled : DistributionPair, shape (b, k)
        Rows, or whole units, drawn with replacement.
    exchanged : DistributionPair, shape (b, k)
        The same rows, dealt to P and Q at random.
    units : int
        Rows or units of the smaller side.
    clustered : bool
        Whether whole units are drawn.
    """

    observed: DistributionPair
    resampled: DistributionPair
    exchanged: DistributionPair
    units: int
    clustered: bool

    def smoothed(self, constant: float) -> "DistanceDraws":
        """The same with a constant added to each bin of all."""
        if not constant:
            return self
        observed, resampled, exchanged = (
            pair.smoothed(constant) for pair in (self.observed, self.resampled, self.exchanged)
        )
        return DistanceDraws(observed, resampled, exchanged, self.units, self.clustered)

    def estimate(
        self, measure: MetricDef, level: float = 0.95, exact: DistributionPair | None = None
    ) -> DistanceEstimate:
        """The distance with its interval, and what chance alone gives.

        A distance of samples lies above that of their distributions, and one of resamples lies as far above it again.
        So the interval is that of the percentiles, moved back by twice what the resamples lie above the sample, within
        the range of the measure and around the distance itself.

        Parameters
        ----------
        measure : MetricDef
            Of the family "distributions".
        exact : DistributionPair, optional
            Where the distance itself is read, if the bins of the resamples are coarser.
        """
        check_level(level)
        coarse, values = float(measure(self.observed)), measure(self.resampled)
        value = coarse if exact is None else float(measure(exact))
        by_chance = measure(self.exchanged)
        if math.isnan(value):
            return DistanceEstimate(Interval(value, math.nan, math.nan), math.nan, math.nan, math.nan)
        high = float(percentile_bounds(by_chance, 2 * level - 1)[1]) if level > 0.5 else math.nan
        known = by_chance[~np.isnan(by_chance)]
        reached = int(np.count_nonzero(known >= coarse - _ROUNDING * max(abs(coarse), 1.0))) if coarse < math.inf else 0
        p_value = (1 + reached) / (1 + len(known)) if coarse < math.inf else math.nan
        chance = float(np.median(known)) if len(known) else math.nan
        if measure.best is None:  # entropies are not zero where nothing differs, so there is nothing to test
            chance = high = p_value = math.nan
        if not math.isfinite(value):
            return DistanceEstimate(Interval(value, math.nan, math.nan), chance, high, math.nan)
        own = expanded_level(level, self.units) if self.clustered else level
        finite = values[np.isfinite(values)]
        if 2 * len(finite) < len(values):
            return DistanceEstimate(Interval(value, math.nan, math.nan), chance, high, p_value)
        back = value - coarse - 2 * (float(finite.mean()) - coarse)
        bounds = (float(bound) + back for bound in percentile_bounds(values, own))
        low, top = (max(min(bound, measure.highest), measure.lowest) for bound in bounds)
        return DistanceEstimate(Interval(value, min(low, value), max(top, value)), chance, high, p_value)


def distance_draws(samples: TwoSamples, edges: npt.ArrayLike, resamples: int = 1000, seed: int = 20) -> DistanceDraws:
    """Resample two samples in bins.

    Rows on their own are drawn in either sample; what is dealt anew is which of all rows are in P. Units that have rows
    in both, such as the rows of a table with two columns, are drawn with both, and dealt anew by exchanging P and Q
    within each unit. More than 2,000 units are drawn in bags.

    Parameters
    ----------
    edges : array_like, shape (k + 1,)
        As `TwoSamples.binned`.

    Examples
    --------
    >>> from evalcore import find
    >>> samples = TwoSamples(np.arange(100.0), np.arange(50.0, 150.0))
    >>> draws = distance_draws(samples, np.arange(0, 151, 10.0))
    >>> found = draws.estimate(find("total variation"))
    >>> round(found.interval.estimate, 3), found.interval.low < 0.5, found.p_value < 0.01
    (0.5, True, True)
    """
    check_draws(resamples)
    observed = samples.binned(edges)
    borders = np.asarray(edges, dtype=np.float64)
    if samples.units_p is None or samples.units_q is None:
        return pair_draws(observed, resamples, seed)
    codes = samples.bins_of(samples.p, borders), samples.bins_of(samples.q, borders)
    return _of_units(samples, observed, codes, resamples, np.random.default_rng(seed))


def pair_draws(observed: DistributionPair, resamples: int = 1000, seed: int = 20) -> DistanceDraws:
    """The same of counts in bins, whose rows are independent."""
    random = np.random.default_rng(seed)
    sides = (observed.p, observed.q)
    sizes = [whole_rows(float(side.sum())) for side in sides]
    drawn = [random.multinomial(n, side / side.sum(), resamples) for n, side in zip(sizes, sides, strict=True)]
    both = observed.p + observed.q
    if np.array_equal(both, np.rint(both)) and both.sum() < 1e9:
        first = random.multivariate_hypergeometric(both.astype(np.int64), sizes[0], resamples, method="marginals")
        dealt = [first, both - first]
    else:
        dealt = [random.multinomial(n, both / both.sum(), resamples) for n in sizes]
    return DistanceDraws(observed, _pair(drawn, observed.at), _pair(dealt, observed.at), min(sizes), False)


def _of_units(
    samples: TwoSamples,
    observed: DistributionPair,
    codes: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]],
    resamples: int,
    random: np.random.Generator,
) -> DistanceDraws:
    units_p, units_q = np.asarray(samples.units_p), np.asarray(samples.units_q)
    held, places = np.unique(np.concatenate([units_p, units_q]), return_inverse=True)
    in_p, in_q = (np.bincount(part, minlength=len(held)) > 0 for part in np.split(places, [len(units_p)]))
    shared = bool((in_p & in_q).any())
    # Units of one sample only are put into bags with others of that sample, of the same size in both.
    kinds = [np.arange(len(held))] if shared else [np.flatnonzero(in_p), np.flatnonzero(in_q)]
    bags, counts = np.empty(len(held), np.intp), []
    most = max(-(-len(held) // 2000), 1)
    for kind in kinds:
        bags[kind] = sum(counts) + bag_of_clusters(len(kind), max(-(-len(kind) // most), 1))
        counts.append(int(bags[kind].max(initial=-1)) + 1 - sum(counts))
    k, total = observed.p.shape[-1], sum(counts)
    cells = []
    for part, bins, weights in zip(
        np.split(places, [len(units_p)]), codes, (samples.weights_p, samples.weights_q), strict=True
    ):
        cells.append(np.bincount(bags[part] * k + bins, weights, total * k).reshape(total, k).astype(np.float64))
    seeds = [int(seed) for seed in random.integers(0, 2**31, 2)]
    times = np.concatenate([times_drawn(n, resamples, seed) for n, seed in zip(counts, seeds, strict=False)], axis=1)
    if shared:
        exchanged = random.random((resamples, total)) < 0.5
    else:
        ranks = np.argsort(random.random((resamples, total)), axis=1)
        exchanged = (ranks < counts[0]) != (np.arange(total) < counts[0])
    dealt = [np.where(exchanged, 0.0, 1.0) @ own + np.where(exchanged, 1.0, 0.0) @ other for own, other in
             (cells, cells[::-1])]  # fmt: skip
    drawn = [times @ own for own in cells]
    units = len(held) if shared else min(int(in_p.sum()), int(in_q.sum()))
    return DistanceDraws(observed, _pair(drawn, observed.at), _pair(dealt, observed.at), units, True)


def _pair(sides: Sequence[npt.NDArray[Any]], at: Array | None) -> DistributionPair:
    one, two = (np.asarray(side, dtype=np.float64) for side in sides)
    return DistributionPair(one, two, at)
