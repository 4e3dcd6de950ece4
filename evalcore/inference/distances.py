"""Intervals of the distance of two samples, and the distance that chance alone puts between equal distributions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.estimation import DistributionPair, TwoSamples
from evalcore.inference.base.clustered import bag_of_clusters, degrees_of_codes, expanded_level, times_drawn
from evalcore.inference.base.intervals import Interval, check_draws, check_level
from evalcore.inference.base.resampling import percentile_bounds
from evalcore.numeric import Array, Indices, whole_rows
from evalcore.registry import MetricDef

__all__ = ["DistanceDraws", "DistanceEstimate", "distance_draws", "pair_draws"]

_ROUNDING = 1e-12
_LARGE = 1e300
_SHARES = (0.0, 0.2, 0.45, 0.7, 1.0)
"""How much of the observed difference the distributions of the path have; half as many draws do for those between."""


@dataclass(frozen=True)
class DistanceEstimate:
    """A distance of two samples with its interval, and the distance that chance alone produces."""

    interval: Interval  # nan where the distance is undefined or ∞
    # Mean and upper bound of the distance of two samples of these sizes from one distribution.
    chance: float
    chance_high: float
    p_value: float  # of the hypothesis that there is one distribution; nan where the distance is undefined


@dataclass(frozen=True)
class MixedPair:
    """Mixtures of the two observed distributions with their common one, and samples of them."""

    truth: DistributionPair  # shape (k,)
    drawn: DistributionPair  # shape (b, k)


@dataclass(frozen=True, eq=False)
class DistanceDraws:
    """Resamples of two samples in bins."""

    # From one common distribution, whose rows are dealt to P and Q at random, to the observed ones, from which rows or
    # whole units are drawn with replacement.
    path: tuple[MixedPair, ...]
    units: float  # rows of the smaller side, or the effective number of its units
    clustered: bool  # whether whole units are drawn

    @property
    def observed(self) -> DistributionPair:
        """The two samples, shape (k,)."""
        return self.path[-1].truth

    @property
    def resampled(self) -> DistributionPair:
        """Rows or units drawn with replacement, shape (b, k)."""
        return self.path[-1].drawn

    @property
    def exchanged(self) -> DistributionPair:
        """All rows dealt to P and Q at random, shape (b, k)."""
        return self.path[0].drawn

    def smoothed(self, constant: float) -> "DistanceDraws":
        """Add a constant to each bin of the data and the resamples."""
        if not constant:
            return self
        path = tuple(MixedPair(one.truth.smoothed(constant), one.drawn.smoothed(constant)) for one in self.path)
        return replace(self, path=path)

    def estimate(
        self, measure: MetricDef, level: float = 0.95, exact: DistributionPair | None = None
    ) -> DistanceEstimate:
        """Distance with its interval, and the distance by chance alone.

        A distance of samples lies above that of their distributions, the more so the closer these are. So the lower
        bound is found by inversion: the distance at which samples of P and Q, both mixed with their common
        distribution, are as far apart in (1 − level) / 2 of the draws; 0 where chance alone does that. The upper bound
        is as far above the distance as the draws spread. Entropies lie below those of their distributions and have no
        such path; they get back what resampling takes off, and reach as far to both sides. `exact` is where the
        distance itself is read if the bins of the resamples are coarser.
        """
        check_level(level)
        coarse, values, by_chance = float(measure(self.observed)), measure(self.resampled), measure(self.exchanged)
        value = coarse if exact is None else float(measure(exact))
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
        least, most = (float(bound) for bound in percentile_bounds(values, own))
        middle = float(np.median(finite))
        if measure.best is None:
            centre, reach = 2 * coarse - float(finite.mean()), max(middle - least, most - middle)
            bounds = centre - reach, centre + reach
        else:
            # The distance on the path at which the upper percentile of the draws is the observed distance.
            upper = [float(percentile_bounds(measure(one.drawn), own)[1]) for one in self.path]
            true = [measure.best or 0.0, *(float(measure(one.truth)) for one in self.path[1:])]
            lower = float(np.interp(coarse, np.minimum(np.maximum.accumulate(upper), _LARGE), true))
            bounds = lower, coarse + max(coarse - least, most - middle)
        # A bound of 0 is what chance alone allows, however much of the distance the bins lose.
        moved = (bound and bound + value - coarse for bound in bounds)
        low, top = (max(min(bound, measure.highest), measure.lowest) for bound in moved)
        return DistanceEstimate(Interval(value, min(low, value), max(top, value)), chance, high, p_value)


def distance_draws(samples: TwoSamples, edges: npt.ArrayLike, resamples: int = 1000, seed: int = 20) -> DistanceDraws:
    """Resample two samples in bins.

    Independent rows are drawn in either sample, and all rows dealt anew to P and Q. Units with rows in both, as in a
    table with two columns, are drawn with both, and dealt by exchanging P and Q within each. More than 2,000 units are
    drawn in bags.
    """
    check_draws(resamples)
    observed = samples.binned(edges)
    borders = np.asarray(edges, dtype=np.float64)
    if samples.units_p is None or samples.units_q is None:
        return pair_draws(observed, resamples, seed)
    codes = [samples.bins_of(side, borders) for side in (samples.p, samples.q)]
    return _of_units(samples, observed, codes, resamples, np.random.default_rng(seed))


def pair_draws(observed: DistributionPair, resamples: int = 1000, seed: int = 20) -> DistanceDraws:
    """Resample counts in bins, whose rows are independent, for the interval and the test of a distance."""
    random = np.random.default_rng(seed)
    sides = (observed.p, observed.q)
    sizes = [whole_rows(float(side.sum())) for side in sides]
    both = observed.p + observed.q

    def mixed(share: float) -> MixedPair:
        draws = _draws(resamples, share)
        own = [share * side / side.sum() + (1 - share) * both / both.sum() for side in sides]
        drawn = [random.multinomial(n, side / side.sum(), draws) for n, side in zip(sizes, own, strict=True)]
        truth = [side * shares.sum() for side, shares in zip(own, sides, strict=True)]
        return MixedPair(_pair(truth, observed.at), _pair(drawn, observed.at))

    common, *others = (mixed(share) for share in _SHARES)
    if np.array_equal(both, np.rint(both)) and both.sum() < 1e9:
        first = random.multivariate_hypergeometric(both.astype(np.int64), sizes[0], resamples, method="marginals")
        common = replace(common, drawn=_pair([first, both - first], observed.at))
    return DistanceDraws((common, *others[:-1], replace(others[-1], truth=observed)), min(sizes), False)


def _of_units(
    samples: TwoSamples, observed: DistributionPair, codes: list[Indices], resamples: int, random: np.random.Generator
) -> DistanceDraws:
    in_p, in_q = (samples.units_p, samples.weights_p), (samples.units_q, samples.weights_q)
    sides = (_counted(bins, *side) for bins, side in zip(codes, (in_p, in_q), strict=True))
    bins_of, units, weights = zip(*sides, strict=True)
    present, places = np.unique(np.concatenate(units), return_inverse=True)
    parts = np.split(places, [len(units[0])])
    in_p, in_q = (np.bincount(part, minlength=len(present)) > 0 for part in parts)
    shared = bool((in_p & in_q).any())
    # Units of one sample only are put into bags with others of that sample, of the same size in both.
    kinds = [np.arange(len(present))] if shared else [np.flatnonzero(in_p), np.flatnonzero(in_q)]
    bags, counts = np.empty(len(present), np.intp), []
    most = max(-(-len(present) // 2000), 1)
    for kind in kinds:
        bags[kind] = sum(counts) + bag_of_clusters(len(kind), max(-(-len(kind) // most), 1))
        counts.append(int(bags[kind].max(initial=-1)) + 1 - sum(counts))
    k, total = observed.p.shape[-1], sum(counts)
    cells = []
    for part, bins, weight in zip(parts, bins_of, weights, strict=True):
        cells.append(np.bincount(bags[part] * k + bins, weight, total * k).reshape(total, k))

    def exchanged(times: Array, back: Array) -> DistributionPair:
        """Count the drawn bags, with P and Q exchanged in `back` of them."""
        moved = back @ (cells[1] - cells[0])
        return _pair([times @ cells[0] + moved, times @ cells[1] - moved], observed.at)

    def mixed(share: float, dealt: DistributionPair | None = None) -> MixedPair:
        """Mix each of P and Q, which keeps this share, with the pooled distribution."""
        draws = _draws(resamples, share)
        if shared:
            once = np.ones(total)
            truth = exchanged(once, once * (1 - share) / 2)
            if dealt is not None:
                return MixedPair(truth, dealt)
            times = times_drawn(total, draws, int(random.integers(0, 2**31)))
            back = random.binomial(times.astype(np.int64), (1 - share) / 2).astype(np.float64)
            return MixedPair(truth, exchanged(times, back))
        truth, drawn, rows = [], [], cells[0] + cells[1]
        for own, count in zip((np.arange(total) < counts[0], np.arange(total) >= counts[0]), counts, strict=True):
            chances = share * own / count + (1 - share) / total
            truth.append(count * chances @ rows)
            if dealt is None:
                drawn.append(random.multinomial(count, chances / chances.sum(), draws) @ rows)
        return MixedPair(_pair(truth, observed.at), dealt or _pair(drawn, observed.at))

    coins = random.random((resamples, total))
    away = coins < 0.5 if shared else (np.argsort(coins, axis=1) < counts[0]) != (np.arange(total) < counts[0])
    dealt = exchanged(np.ones((resamples, total)), away.astype(np.float64))
    common, *others = (mixed(share, None if share else dealt) for share in _SHARES)
    together: Any = [(places, np.concatenate(weights))] if shared else zip(parts, weights, strict=True)
    worth = 1 + float(np.nan_to_num(min(degrees_of_codes(*one) for one in together)))
    return DistanceDraws((common, *others[:-1], replace(others[-1], truth=observed)), worth, True)


def _counted(bins: Indices, units: Any, weights: Array | None) -> tuple[npt.NDArray[Any], ...]:
    """Bin, unit and weight of each row of a sample with a weight above 0."""
    weight = np.ones(len(bins)) if weights is None else weights
    used = weight > 0
    return bins[used], np.asarray(units)[used], weight[used]


def _draws(resamples: int, share: float) -> int:
    """Number of draws at a step of the path."""
    return resamples if share in (0.0, 1.0) else -(-resamples // 2)


def _pair(sides: Sequence[npt.NDArray[Any]], at: Array | None) -> DistributionPair:
    one, two = (np.asarray(side, dtype=np.float64) for side in sides)
    return DistributionPair(one, two, at)
