"""Influence of each row on a measure of estimates, and the intervals that come of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification import ConfusionCounts
from evalcore.estimation import CONSTANT_LOSSES, ROW_LOSSES, Estimates, weighted_quantile
from evalcore.inference.base.clustered import degrees_of, error_of_mean, few_heavy_codes, student_quantile
from evalcore.inference.base.intervals import Interval, check_level, student_interval
from evalcore.inference.base.resampling import IntervalChoice, few_rows_note
from evalcore.numeric import Array, Flags, Indices, distinct, weighted_ranks
from evalcore.registry import METRICS, MetricDef

__all__ = ["ESTIMATE_INTERVALS", "LimitsOfAgreement", "estimate_interval", "influence", "limits_of_agreement"]
__all__ += ["mean_interval", "mean_of_rows", "share_of_rows", "standard_error"]


def influence(measure: MetricDef, state: Estimates) -> Array:
    """Influence of each row on a measure, shape (n,); the weighted mean over the rows is 0.

    nan where the measure is undefined; ValueError for measures of order (median, maximum) and of time. See F. Hampel
    (1974), doi:10.1080/01621459.1974.10482962.
    """
    if measure.paired_test != "influence":
        raise ValueError(f"{measure.name} has no influence of a row; use a measure that is a mean over the rows.")
    if measure.key in ROW_LOSSES:
        losses = ROW_LOSSES[measure.key](state, **measure.arguments)
        return losses - state.mean(losses)
    if measure.interval == "ratio":
        above, below = ratio_parts(measure, state)
        if not (whole := state.mean(below)) > 0:
            return np.full(len(state), np.nan)
        factor = 1.0
        if measure.key == "adjusted_r_squared":
            free = state.effective - float(measure.arguments.get("predictors", 1)) - 1
            factor = (state.effective - 1) / free if free > 0 else math.nan
        return -factor * (above - state.mean(above) / whole * below) / whole
    return _OTHERS[measure.key](state)


def ratio_parts(measure: MetricDef, state: Estimates) -> tuple[Array, Array]:
    """Loss of each row, and of the best constant: the measure is 1 minus their ratio, shapes (n,)."""
    if loss := _LOSSES.get(measure.key):
        return ROW_LOSSES[loss](state, **measure.arguments), CONSTANT_LOSSES[measure.key](state, **measure.arguments)
    error = state.error - state.mean(state.error) if measure.key == "explained_variance" else state.error
    return np.square(error), np.square(state.truth - state.moments.truth)


_LOSSES = {"d2_absolute_error": "mean_absolute_error", "d2_pinball": "mean_pinball_loss"}
_LOSSES |= {"d2_tweedie": "mean_tweedie_deviance"}


def _of_root(state: Estimates) -> Array:
    squares = np.square(state.error)
    mean = state.mean(squares)
    return (squares - mean) / (2 * math.sqrt(mean)) if mean > 0 else np.zeros(len(state))


def _of_pearson(state: Estimates) -> Array:
    m = state.moments
    if not m.truth_variance > 0 or not m.estimate_variance > 0:
        return np.full(len(state), np.nan)
    y = (state.truth - m.truth) / math.sqrt(m.truth_variance)
    p = (state.estimate - m.estimate) / math.sqrt(m.estimate_variance)
    r = m.covariance / math.sqrt(m.truth_variance) / math.sqrt(m.estimate_variance)
    return y * p - r * (y * y + p * p) / 2


def _of_concordance(state: Estimates) -> Array:
    m = state.moments
    gap = m.estimate - m.truth
    whole = m.truth_variance + m.estimate_variance + gap**2
    if not whole > 0:
        return np.full(len(state), np.nan)
    y, p = state.truth - m.truth, state.estimate - m.estimate
    above = 2 * (y * p - m.covariance)
    below = y * y - m.truth_variance + p * p - m.estimate_variance + 2 * gap * (p - y)
    return (above - 2 * m.covariance / whole * below) / whole


def _of_spearman(state: Estimates) -> Array:
    """Influence on Spearman's correlation: by the row's own ranks, and by the ranks of the rows above it."""
    if not state.total:
        return np.full(len(state), np.nan)
    y, p = (weighted_ranks(values, state.weights) / state.total - 0.5 for values in (state.truth, state.estimate))
    of_y, of_p = state.mean(y * y), state.mean(p * p)
    spread = math.sqrt(of_y * of_p)
    if not spread > 0:
        return np.full(len(state), np.nan)
    rho = state.mean(y * p) / spread
    moved = y * p / spread
    moved -= rho / 2 * (y * y / of_y + p * p / of_p)
    moved += _above(state, y, p / spread - rho / of_y * y)
    moved += _above(state, p, y / spread - rho / of_p * p)
    return moved - state.mean(moved)


def _above(state: Estimates, ranks: Array, values: Array) -> Array:
    """Mean over all rows of a value where its rank is higher, and half of it where it is equal, shape (n,)."""
    order: Indices = np.argsort(ranks, kind="stable")
    if state.weights is not None:
        values = values * state.weights
    ascending = ranks[order]
    starts = np.append(False, ascending[1:] != ascending[:-1])
    del ascending  # a million rows take eight megabytes each time
    groups = np.cumsum(starts, dtype=np.int32)
    sums = np.bincount(groups, values[order])
    higher = sums.sum() - np.cumsum(sums)
    higher += sums / 2
    higher /= state.total
    del sums
    result = np.empty(len(ranks))
    result[order] = higher[groups]
    return result


_OTHERS: dict[str, Callable[[Estimates], Array]] = {
    "root_mean_squared_error": _of_root,
    "sum_of_squared_errors": lambda state: state.total * (np.square(state.error) - state.mean(np.square(state.error))),
    "pearson_correlation": _of_pearson,
    "concordance_correlation": _of_concordance,
    "spearman_correlation": _of_spearman,
}


def standard_error(values: Array, state: Estimates, skewed: bool = False) -> tuple[float, float]:
    """Standard error of the mean of one value per row, whose mean is 0, and its degrees of freedom.

    The degrees are one fewer than the rows, or those of `empirical_degrees` for skewed values. Clusters are summed
    first. Of importance weights w the variance is Σw²v² / (Σw)², also where large weights go with large values.
    """
    if state.clusters is None:
        n = state.effective
        weighted = values if state.weights is None else state.weights * values
        squares = float(weighted @ (weighted if state.importance else values))
        scale = state.total**2 / n if state.importance else n
        if not n > 1:
            return math.nan, math.nan
        counts = None if state.importance else state.weights
        rows = len(values) if counts is None else state.total
        own = degrees_of(weighted if state.importance else values, rows, counts) if skewed else n - 1
        return math.sqrt(squares / (n - 1) / scale), min(own, n - 1)
    return error_of_mean(np.bincount(state.clusters, values * state.weight), np.bincount(state.clusters, state.weight))


ESTIMATE_INTERVALS = {
    "mean": "Student’s t on the logarithmic scale (of the mean error on its own)",
    "root": "root of the interval of the MSE",
    "sum": "n times the interval of the MSE",
    "ratio": "of the logarithm of the ratio of both losses, by linearisation",
    "fisher": "on Fisher’s z scale, standard error from the influence of each row",
    "order": "of the median, from the ranks (Woodruff)",
    "none": "none",
}
"""What the interval of a measure of estimates is made by."""


def estimate_interval(measure: MetricDef, state: Estimates, level: float = 0.95) -> Interval:
    """Interval of a measure of estimates.

    The standard error comes from the influence of each row, so that truth and errors may have any distribution. The
    mean error has Student's t; mean losses have the interval of their logarithm, RMSE and SSE that of the MSE in their
    unit; 1 minus a ratio of losses, as R², that of the logarithm of the ratio; correlations Fisher's z. Clusters are
    summed. A note says where few rows decide. Bounds are nan where the measure is undefined, has no interval, or all
    losses are equal. See R. Woodruff (1952), doi:10.1080/01621459.1952.10483443.
    """
    check_level(level)
    value = float(measure(state))
    if math.isnan(value) or measure.interval not in _WAYS:
        return Interval(value, math.nan, math.nan)
    low, high, degrees = _WAYS[measure.interval](measure, state, value, level)
    if not low < high:
        low, high, degrees = _NONE
    return Interval(value, max(low, measure.lowest), min(high, measure.highest), **of_state(state, degrees))


def of_state(state: Estimates, degrees: float = math.inf) -> dict[str, Any]:
    """Notes beside an interval: number of clusters, whether few of them hold most rows, or that few rows decide.

    The degrees of freedom are those of what each row adds to the value; a mean of errors, whose sizes are balanced by
    their signs, has none to give.
    """
    if state.clusters is None:
        return {"note": few_rows_note(degrees)}
    heavy = not state.importance and few_heavy_codes(state.clusters, state.weights)
    return {"clusters": len(distinct(state.clusters)), "few_heavy": heavy}


_Bounds = tuple[float, float, float]
"""Lower and upper bound, and the degrees of freedom of the variance that they rest on."""

_NONE: _Bounds = math.nan, math.nan, math.inf


def _reach(error: float, degrees: float, level: float) -> float:
    return float(student_quantile(level, degrees)) * error


def _by_mean(measure: MetricDef, state: Estimates, value: float, level: float) -> _Bounds:
    moved = influence(measure, state)
    if measure.lowest < 0 or not value > 0:
        reach = _reach(*standard_error(moved, state), level)
        return value - reach, value + reach, math.inf
    return _of_logarithm(value, moved, state, level)


def _of_logarithm(value: float, moved: Array, state: Estimates, level: float) -> _Bounds:
    error, degrees = standard_error(moved / value, state, skewed=True)
    reach = _reach(error, degrees, level)
    return value * math.exp(-reach), value * math.exp(min(reach, 700.0)), degrees


def mean_of_rows(values: Array, state: Estimates, level: float = 0.95) -> Interval:
    """Weighted mean of one value per row, none below 0, with Student's interval on the logarithmic scale."""
    value = state.mean(values)
    bounds = _of_logarithm(value, values - value, state, level) if value > 0 else _NONE
    low, high, degrees = bounds if bounds[0] < bounds[1] else _NONE
    return Interval(value, low, high, **of_state(state, degrees))


def _by_squares(measure: MetricDef, state: Estimates, _value: float, level: float) -> _Bounds:
    """The bounds of the MSE, as a root or as a sum."""
    squares = METRICS["mean_squared_error"]
    low, high, degrees = _by_mean(squares, state, float(squares(state)), level)
    if measure.interval == "root":
        return math.sqrt(max(low, 0.0)), math.sqrt(high), degrees
    return state.total * max(low, 0.0), state.total * high, degrees


def _by_ratio(measure: MetricDef, state: Estimates, value: float, level: float) -> _Bounds:
    if value >= 1:
        return _NONE
    above, below = (column / state.mean(column) for column in ratio_parts(measure, state))
    error, degrees = standard_error(above - below, state, skewed=True)
    factor = math.exp(min(_reach(error, degrees, level), 700.0))
    return 1 - (1 - value) * factor, 1 - (1 - value) / factor, degrees


def _by_fisher(measure: MetricDef, state: Estimates, value: float, level: float) -> _Bounds:
    if not abs(value) < 1:
        return _NONE
    error, degrees = standard_error(influence(measure, state), state, skewed=True)
    centre, reach = math.atanh(value), _reach(error / (1 - value**2), degrees, level)
    return math.tanh(centre - reach), math.tanh(centre + reach), degrees


def _by_order(_measure: MetricDef, state: Estimates, value: float, level: float) -> _Bounds:
    """Errors at the bounds of the share of rows below the median."""
    errors = np.abs(state.error)
    below = np.where(errors < value, 0.5, np.where(errors > value, -0.5, 0.0))
    error, degrees = standard_error(below, state)
    # Never less than of as many rows on both sides, also where many errors are equal.
    reach = _reach(max(error, 0.5 / math.sqrt(max(state.effective, 1.0))), degrees, level)
    if not reach < 0.5:
        return _NONE
    low, high = (weighted_quantile(errors, 0.5 + side * reach, state.weights) for side in (-1, 1))
    return low, high, math.inf  # ranks have no large values


_WAYS = {"mean": _by_mean, "root": _by_squares, "sum": _by_squares, "ratio": _by_ratio, "fisher": _by_fisher}
_WAYS |= {"order": _by_order}


def mean_interval(values: npt.ArrayLike, level: float = 0.95, skewed: bool = False) -> Interval:
    """Mean of independent values with the interval of the t distribution; undefined and infinite values are left out.

    Of skewed values, such as distances without an upper end, it is that of `mean_of_rows`, on the logarithmic scale.
    """
    check_level(level)
    known = np.asarray(values, dtype=np.float64)
    known = known[np.isfinite(known)]
    if not len(known):
        return Interval(math.nan, math.nan, math.nan)
    mean = float(known.mean())
    if len(known) < 2:
        return Interval(mean, math.nan, math.nan)
    if skewed:
        return mean_of_rows(known, Estimates(known, known), level)
    half = _reach(float(known.std(ddof=1)), len(known) - 1, level) / math.sqrt(len(known))
    return Interval(mean, mean - half, mean + half)


def share_of_rows(chosen: Flags, state: Estimates, level: float = 0.95) -> Interval:
    """Share of the rows of a state that are chosen, with Wilson's interval; by clusters on their effective number."""
    every = np.ones(len(chosen), dtype=bool)
    clusters = np.arange(len(chosen)) if state.importance and state.clusters is None else state.clusters
    counts = ConfusionCounts.from_labels(every, chosen, True, weights=state.weights, clusters=clusters)
    found, estimate = IntervalChoice(level=level).of(METRICS["recall"], counts), float(METRICS["recall"](counts))
    if found is None:
        return Interval(estimate, math.nan, math.nan)
    return replace(found[0], estimate=estimate, low=float(found[0].low), high=float(found[0].high))


_Z = 1.96


@dataclass(frozen=True)
class LimitsOfAgreement:
    """Mean difference and limits, each with its interval, and the standard deviation of the differences."""

    bias: Interval
    lower: Interval
    upper: Interval
    deviation: float
    within: float  # share of the rows inside the limits
    slope: Interval  # by how much the difference grows per unit of the mean of both


def limits_of_agreement(state: Estimates, level: float = 0.95) -> LimitsOfAgreement:
    """Bland–Altman limits of agreement: mean error ± 1.96 standard deviations of the errors.

    About 95 % of normal errors of constant size lie within them. The standard errors of the limits come from what each
    row, or cluster, adds to them, for errors of any distribution; their intervals are those of the logarithm of their
    distance from the mean error. Bounds are nan with fewer than three rows. See J. Bland, D. Altman (1999),
    doi:10.1177/096228029900800204.
    """
    check_level(level)
    n, error = state.effective, state.error
    mean = state.mean(error)
    apart = error - mean
    deviation = math.sqrt(state.mean(apart**2) * n / (n - 1) if n > 1 else math.nan)
    bias = student_interval(mean, *standard_error(apart, state), level, **of_state(state))
    lower, upper = (_limit(apart, mean, side * _Z * deviation, state, level) for side in (-1, 1))
    within = state.mean(((error >= lower.estimate) & (error <= upper.estimate)) * 1.0)
    return LimitsOfAgreement(bias, lower, upper, deviation, within, _slope(state, level))


def _limit(apart: Array, mean: float, distance: float, state: Estimates, level: float) -> Interval:
    """Interval of a limit at some distance from the mean error, on the logarithm of that distance."""
    value = mean + distance
    if not state.effective > 2 or not distance:
        return Interval(value, math.nan, math.nan)
    # What each row adds to the mean and to the deviation.
    spread = np.square(apart)
    moved = apart + (spread - state.mean(spread)) / 2 * _Z**2 / distance
    error, degrees = standard_error(moved, state, skewed=True)
    factor = math.exp(min(_reach(error, degrees, level) / abs(distance), 700.0))
    return Interval(value, *sorted((mean + distance / factor, mean + distance * factor)), **of_state(state, degrees))


def _slope(state: Estimates, level: float) -> Interval:
    size = (state.truth + state.estimate) / 2
    x, y = size - state.mean(size), state.error - state.mean(state.error)
    spread = state.mean(x * x) if state.total else math.nan
    if not spread > 0:
        return Interval(math.nan, math.nan, math.nan)
    slope = state.mean(x * y) / spread
    # A row pulls the line towards itself, so its residual is too small by its leverage.
    leverage = np.minimum((1 + x * x / spread) / state.effective, 0.99)
    moved = x * (y - slope * x) / spread / (1 - leverage)
    error, degrees = standard_error(moved - state.mean(moved), state, skewed=True)
    return student_interval(slope, error, max(degrees - 1, 1.0), level)
