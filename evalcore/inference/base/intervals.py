"""Confidence intervals in closed form: of likelihood ratios and of the area under the ROC curve."""

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtri

from evalcore.classification import ConfusionCounts, ScoredLabels, roc_auc
from evalcore.inference.base import clustered
from evalcore.numeric import Array, inner, over_blocks, ratio
from evalcore.registry import MetricDef

__all__ = ["Interval", "agresti_coull", "clopper_pearson", "delong", "jeffreys", "log_ratio_interval"]
__all__ += ["perfect_area_bound", "wilson"]

Number = TypeVar("Number")  # a float, or an Array of them

_NO_VARIANCE = 1e-28
"""What rounding leaves of a variance of 0; that of one tie among a million rows of each class is larger."""

FEW_HEAVY = "Few clusters hold most rows: the interval may miss the true value more often than stated."


@dataclass(frozen=True, eq=False)
class Interval(Generic[Number]):
    """An estimate between two bounds, floats or arrays of one shape; nan where it is undefined."""

    estimate: Number
    low: Number
    high: Number
    clusters: Any = field(default=None, repr=False)  # number of clusters, if the rows are clustered
    effective: Any = field(default=None, repr=False)  # number of independent rows of a share of clustered rows
    few_heavy: Any = field(default=None, repr=False)  # whether few of the clusters hold most rows; see `FEW_HEAVY`
    note: str = field(default="", repr=False, kw_only=True)  # what is to be known beside it, as a sentence; or empty

    @property
    def caution(self) -> str:
        """The note, or "few clusters hold most rows", as a sentence; for intervals of floats."""
        return self.note or (FEW_HEAVY if self.few_heavy is not None and bool(self.few_heavy) else "")

    @property
    def ends(self) -> tuple[Number, Number, Number]:
        """Estimate, low and high."""
        return self.estimate, self.low, self.high

    def scaled(self, factor: float) -> "Interval":
        """Multiply the estimate and both limits by a factor."""
        return replace(self, **{name: factor * getattr(self, name) for name in ("estimate", "low", "high")})

    def within(self, measure: MetricDef) -> "Interval":
        """Cut off both limits, which are floats, where the values of a measure end."""
        low, high = np.clip(np.array([self.low, self.high]), measure.lowest, measure.highest).tolist()
        return replace(self, low=low, high=high)


def log_ratio_interval(measure: MetricDef, counts: ConfusionCounts, level: float = 0.95) -> Interval:
    """Interval of a quotient of sums of cells, such as a likelihood ratio, by the normal law of its logarithm.

    The bounds are nan where a cell of the ratio is 0, or where an empty cell beside it leaves no variance. See D.
    Simel, G. Samsa, D. Matchar (1991), doi:10.1016/0895-4356(91)90128-V.
    """
    slopes = log_slopes(measure, counts)
    # With small sums of weights the bounds are 0 and ∞.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        if (moments := counts.moments) is None:
            variance = sum(getattr(counts, cell) * slope**2 for cell, slope in slopes.items())
            z, clusters = normal_quantile(level), None
        else:
            variance, degrees, clusters = clustered.linear_variance(moments, np.stack([*slopes.values()], axis=-1))
            z = clustered.student_quantile(level, degrees)
        estimate = np.asarray(measure(counts))
        factor = np.exp(z * np.sqrt(np.where(np.isfinite(variance) & (variance > 0), variance, np.nan)))
        heavy = moments and clustered.few_heavy_of(moments)
        return Interval(estimate, estimate / factor, estimate * factor, clusters, few_heavy=heavy)


def log_slopes(measure: MetricDef, counts: ConfusionCounts) -> dict[str, Array]:
    """Derivatives of the logarithm of a quotient of sums of cells with respect to each cell.

    By the delta method the variance of the logarithm is the sum over the cells of count times squared slope. Infinite
    where a sum is 0; ValueError when the measure has no `factors`.
    """
    if not measure.factors:
        raise ValueError(f"{measure.name} has no interval by logarithm; use one of LR+, LR−, DOR and lift.")
    slopes: dict[str, Array] = {cell: np.zeros(counts.tp.shape) for cell in vars(counts)}
    with np.errstate(divide="ignore", invalid="ignore"):
        for sign, sums in zip((1.0, -1.0), measure.factors, strict=True):
            for cells in map(str.split, sums):
                slope = sign / np.sum([getattr(counts, cell) for cell in cells], axis=0)
                for cell in cells:
                    slopes[cell] = slopes[cell] + slope
    return slopes


def delong(scored: ScoredLabels, level: float = 0.95, logit: bool = True) -> Interval:
    """Interval of the area under the ROC curve.

    The variance comes from the share of negatives below each positive and of positives above each negative, which the
    staircase of counts holds already: no second sort and no comparison of pairs. Where rows belong together it is that
    of the clusters, with a t distribution. On the `logit` scale the interval stays inside 0 … 1 and holds the true area
    as often as it says in small samples too; around the area itself, clipped to 0 … 1, it misses almost only on one
    side. Bounds are nan when a class has fewer than two rows, where all scores are equal, and for an area of 0 or 1,
    for which `perfect_area_bound` has an exact one. See E. DeLong, D. DeLong, D. Clarke-Pearson (1988), as
    `correlated_areas`; M. Pepe (2003), The Statistical Evaluation of Medical Tests for Classification and Prediction.
    Oxford University Press, section 5.2; N. Obuchowski (1997), doi:10.2307/2533958.

    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> interval = delong(scored)
    >>> round(float(interval.estimate), 4), round(float(interval.low), 4), round(float(interval.high), 4)
    (0.8889, 0.2614, 0.9945)
    """
    area = roc_auc(scored)
    if not scored.clusters:
        return area_interval(area, delong_variance(scored), level, logit)
    variance, degrees = clustered.cautious_area_variance(scored, area)
    interval = area_interval(area, variance, level, logit, degrees)
    count = clustered.clusters_of_classes(scored)[2]
    return replace(interval, clusters=count, few_heavy=clustered.few_heavy_classes(scored))


def area_interval(
    area: npt.ArrayLike, variance: npt.ArrayLike, level: float = 0.95, logit: bool = True,
    degrees: npt.ArrayLike | None = None,
) -> Interval:  # fmt: skip
    """Interval of areas between 0 and 1 from their variance: on the logit scale, or clipped.

    The distribution is normal, or that of t with some degrees of freedom. No variance, as of a perfect order or of
    equal scores, is no certainty: the bounds are then nan.
    """
    z = normal_quantile(level) if degrees is None else clustered.student_quantile(level, degrees)
    auc = np.asarray(area, dtype=np.float64)
    error = np.sqrt(np.where(np.asarray(variance) > _NO_VARIANCE, variance, np.nan))
    if logit:
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = np.log(ratio(auc, 1 - auc))
            half = ratio(z * error, auc * (1 - auc))
            return Interval(auc, 1 / (1 + np.exp(half - odds)), 1 / (1 + np.exp(-half - odds)))
    return Interval(auc, np.maximum(auc - z * error, 0.0), np.minimum(auc + z * error, 1.0))


def perfect_area_bound(scored: ScoredLabels, level: float = 0.95) -> float:
    """Exact bound on the distance of the true area from 1 if every pair is ordered correctly (or from 0 if none is).

    Pairing each row of the rarer class with another of the other class makes m independent pairs (no cluster is in
    two), all ordered alike. That still happens in 1 − level of the samples if the share of wrongly ordered pairs is 1 −
    (1 − level)^(1/m), about 3/m at 95 % (the rule of three). nan where the area is neither 0 nor 1. See J. Hanley, A.
    Lippman-Hand (1983), doi:10.1001/jama.1983.03330370053031.
    """
    check_level(level)
    if roc_auc(scored) not in (0.0, 1.0):
        return math.nan
    pairs = clustered.independent_pairs(scored)
    return 1 - (1 - level) ** (1 / pairs) if pairs else math.nan


def delong_variance(scored: ScoredLabels) -> float:
    """Variance of the area under the ROC curve by DeLong, nan when a class has fewer than two rows (or clusters)."""
    if scored.clusters:
        return clustered.clustered_area_variance(scored, roc_auc(scored))[0]
    positives, negatives, auc = scored.positives, scored.negatives, roc_auc(scored)
    if positives <= 1 or negatives <= 1:
        return float("nan")
    tp, fp = scored.steps.tp, scored.steps.fp

    def squares(rows: slice) -> tuple[float, float]:
        tp_after, fp_after, tp_before, fp_before = tp[1:][rows], fp[1:][rows], tp[rows], fp[rows]
        # A positive of this step outranks the negatives below it, and half of those with the same score.
        outranked = 1 - (fp_after + fp_before) / (2 * negatives) - auc
        outranking = (tp_after + tp_before) / (2 * positives) - auc
        return inner(tp_after - tp_before, outranked**2), inner(fp_after - fp_before, outranking**2)

    of_positives, of_negatives = np.sum(over_blocks(squares, len(tp) - 1), axis=0)
    return float(of_positives / (positives - 1) / positives + of_negatives / (negatives - 1) / negatives)


def check_level(level: float) -> None:
    """Refuse a confidence level that is not between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"The confidence level is {level:g}; it must lie between 0 and 1, such as 0.95.")


def check_draws(draws: int) -> None:
    """Refuse a number of resamples below 1."""
    if draws < 1:
        raise ValueError(f"{draws} resamples show nothing; draw at least one.")


@lru_cache(maxsize=64)
def normal_quantile(level: float) -> float:
    """Half width, in standard deviations, of the middle share `level` of a normal distribution."""
    check_level(level)
    return float(ndtri((1 + level) / 2))


def wilson(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Wilson score interval of a proportion: all proportions that the score test does not reject.

    Successes and n are numbers or arrays of one shape, and so is the interval, inside 0 … 1; nan where n is 0.
    ValueError when a count is negative, successes exceed n, or the level is not between 0 and 1. See E. Wilson (1927),
    doi:10.1080/01621459.1927.10502953.

    >>> interval = wilson(20, 200)
    >>> round(float(interval.low), 4), round(float(interval.high), 4)
    (0.0657, 0.1494)
    """
    x, size = _proportion(successes, n)
    z = normal_quantile(level)
    share = ratio(x, size)
    # Centre and half width over n + z², written so that the bounds are exactly 0 and 1 at the ends.
    half = z * np.sqrt(x * (1 - share) + z * z / 4)
    low = ratio(x + z * z / 2 - half, size + z * z)
    high = ratio(x + z * z / 2 + half, size + z * z)
    low, high = np.where(x == 0, share, low), np.where(x == size, share, high)
    return Interval(share, np.clip(low, 0, 1), np.clip(high, 0, 1))


def clopper_pearson(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Clopper–Pearson exact interval of a proportion from the tails of the binomial; it covers at least the level.

    Parameters, returned shape and errors as `wilson`. See C. Clopper, E. Pearson (1934), doi:10.1093/biomet/26.4.404.

    >>> interval = clopper_pearson(0, 10)
    >>> float(interval.low), round(float(interval.high), 4)
    (0.0, 0.3085)
    """
    x, size = _proportion(successes, n)
    check_level(level)
    tail = (1 - level) / 2
    with np.errstate(invalid="ignore"):
        low = np.where(x > 0, betaincinv(np.where(x > 0, x, 1), size - x + 1, tail), 0.0)
        high = np.where(x < size, betaincinv(x + 1, np.where(x < size, size - x, 1), 1 - tail), 1.0)
    return where_defined(ratio(x, size), low, high)


def agresti_coull(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Agresti–Coull interval of a proportion: Wald's after z²/2 successes and z²/2 failures are added.

    It has the centre of Wilson's interval and is never shorter. Parameters, returned shape and errors as `wilson`. See
    A. Agresti, B. Coull (1998), doi:10.1080/00031305.1998.10480550.
    """
    x, size = _proportion(successes, n)
    z = normal_quantile(level)
    rows = size + z * z
    middle = (x + z * z / 2) / rows
    half = z * np.sqrt(middle * (1 - middle) / rows)
    return where_defined(ratio(x, size), np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1))


def jeffreys(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Jeffreys interval of a proportion: the middle of its posterior under the prior Beta(½, ½).

    It starts at 0 where there are no successes and ends at 1 where there are no failures. Parameters, returned shape
    and errors as `wilson`. See L. Brown, T. Cai, A. DasGupta (2001), doi:10.1214/ss/1009213286.
    """
    x, size = _proportion(successes, n)
    check_level(level)
    tail, share = (1 - level) / 2, ratio(x, size)
    low, high = (betaincinv(x + 0.5, size - x + 0.5, at) for at in (tail, 1 - tail))
    return where_defined(share, np.where(x == 0, share, low), np.where(x == size, share, high))


def unless_rejected(interval: Interval, p_value: float, level: float, null: float = 0.0) -> Interval:
    """Widen an interval of floats to include the value of equal systems, unless the test rejects it; nan stays."""
    if not p_value > 1 - level + 1e-12:
        return interval
    return replace(interval, low=min(interval.low, null), high=max(interval.high, null))


def where_defined(estimate: Array, low: Array, high: Array) -> Interval:
    """Interval with nan bounds where the estimate is undefined."""
    defined = ~np.isnan(estimate)
    return Interval(estimate, np.where(defined, low, np.nan), np.where(defined, high, np.nan))


def student_interval(estimate: float, error: float, degrees: float, level: float = 0.95, **beside: Any) -> Interval:
    """Interval of the t distribution around an estimate with a standard error; nan below one degree of freedom."""
    reach = float(clustered.student_quantile(level, degrees)) * error
    return Interval(estimate, estimate - reach, estimate + reach, **beside)


def clipped_interval(difference: float, reach: float, clusters: float | None = None) -> Interval:
    """Interval of a difference of areas or shares, cut off at −1 and 1."""
    low, high = np.clip([difference - reach, difference + reach], -1, 1).tolist()
    return Interval(difference, low, high, clusters)


def _proportion(successes: npt.ArrayLike, n: npt.ArrayLike) -> tuple[Array, Array]:
    x, size = np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if (x < 0).any() or (x > size).any():
        raise ValueError("A proportion needs 0 <= successes <= n.")
    return x, size


def paired_score_interval(only_a: float, only_b: float, n: float, level: float = 0.95) -> Interval:
    """All differences, B minus A, of two shares of n rows that a score test would not reject (Tango); nan without rows.

    `only_a` and `only_b` rows count for one share only. At the difference 0 the test is McNemar's chi-square without
    correction, so the two never disagree.
    """
    z = normal_quantile(level)
    if not n:
        return Interval(math.nan, math.nan, math.nan)
    estimate = (only_b - only_a) / n

    def edge(outside: float) -> float:
        """Find, from the estimate towards one end, where the test begins to reject; the score only grows on the way."""
        inside, middle = estimate, outside
        for _ in range(61):
            if abs(_standard_errors(only_a, only_b, n, middle)) <= z:
                inside = middle
            else:
                outside = middle
            middle = (inside + outside) / 2
        return inside

    return Interval(estimate, edge(-1.0), edge(1.0))


def _standard_errors(only_a: float, only_b: float, n: float, difference: float) -> float:
    """Distance of the observed difference from a hypothetical one, in standard errors."""
    # The share of rows with A only that is most likely under the supposed difference: a root of a quadratic.
    b = -only_a - only_b + (2 * n - only_b + only_a) * difference
    c = -only_a * difference * (1 - difference)
    a_only = (math.sqrt(max(b * b - 8 * n * c, 0.0)) - b) / (4 * n)
    variance = n * (2 * a_only + difference * (1 - difference))
    gap = only_b - only_a - n * difference
    if variance <= 0:
        return 0.0 if abs(gap) < 1e-12 * n else math.copysign(math.inf, gap)
    return gap / math.sqrt(variance)
