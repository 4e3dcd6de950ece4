"""Intervals of measures of estimates, each by the form that fits it."""

import math
from typing import Any

import numpy as np
from scipy.special import ndtri

from evalcore.estimation import Estimates, absolute_errors, weighted_quantile
from evalcore.inference.bootstrap import few_rows_note
from evalcore.inference.clustered import few_heavy_codes, student_quantile
from evalcore.inference.influence import influence, ratio_parts, standard_error
from evalcore.inference.intervals import Interval, check_level
from evalcore.numeric import Array
from evalcore.registry import METRICS, MetricDef

__all__ = ["ESTIMATE_INTERVALS", "estimate_interval", "mean_of_rows"]

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


def estimate_interval(measure: MetricDef, state: Estimates, level: float = 0.95, normal: bool = False) -> Interval:
    """Interval of a measure of estimates.

    The standard error comes from the influence of each row, so that the truth and the errors may have any distribution
    and the errors may grow with the truth. The mean error has Student's t. Mean losses have the interval of their
    logarithm, with fewer degrees of freedom where few rows cost most; RMSE and SSE that of the MSE in their unit. What
    is 1 minus a ratio of two losses, as R², has it on the logarithm of the ratio, so that it never passes 1.
    Correlations have it on Fisher's z scale. Where rows belong together all rest on the sums of the clusters, with
    their degrees of freedom. A note says where few rows decide on the value.

    Parameters
    ----------
    normal : bool
        Take the classical intervals, for comparison with other programs: Student's t of mean losses, Pearson's
        correlation with variance 1/(n − 3), Spearman's by Bonett and Wright, the concordance by Lin. They hold for
        normal truth and normal errors of one size; not of clusters.

    Returns
    -------
    Interval
        Of floats; nan bounds where the measure is undefined, has no interval, or all losses are equal.

    References
    ----------
    D. Bonett, T. Wright (2000). Sample size requirements for estimating Pearson, Kendall and Spearman correlations.
    Psychometrika 65, 23–28. doi:10.1007/BF02294183

    L. Lin (2000). A note on the concordance correlation coefficient. Biometrics 56, 324–325.

    R. Woodruff (1952). Confidence intervals for medians and other position measures. Journal of the American
    Statistical Association 47, 635–646. doi:10.1080/01621459.1952.10483443

    Examples
    --------
    >>> from evalcore import find
    >>> interval = estimate_interval(find("bias"), Estimates.from_arrays([0, 0, 0, 0], [1, 2, 3, 2]))
    >>> round(interval.low, 3), interval.estimate, round(interval.high, 3)
    (0.701, 2.0, 3.299)
    """
    check_level(level)
    value = float(measure(state))
    if math.isnan(value) or measure.interval not in _WAYS:
        return Interval(value, math.nan, math.nan)
    low, high, degrees = _WAYS[measure.interval](measure, state, value, level, normal and state.clusters is None)
    if not low < high:
        low, high, degrees = _NONE
    return Interval(value, max(low, measure.lowest), min(high, measure.highest), **of_state(state, degrees))


def of_state(state: Estimates, degrees: float = math.inf) -> dict[str, Any]:
    """What stands beside an interval: the clusters and whether few of them hold most rows, or that few rows decide.

    The degrees of freedom are those of what each row adds to the value; a mean of errors, whose sizes are balanced by
    their signs, has none to give.
    """
    if state.clusters is None:
        return {"note": few_rows_note(degrees)}
    heavy = not state.importance and few_heavy_codes(state.clusters, state.weights)
    return {"clusters": len(np.unique(state.clusters)), "few_heavy": heavy}


_Bounds = tuple[float, float, float]
"""Lower and upper bound, and the degrees of freedom of the variance that they rest on."""
_NONE: _Bounds = math.nan, math.nan, math.inf


def _reach(error: float, degrees: float, level: float) -> float:
    return float(student_quantile(level, degrees)) * error


def _by_mean(measure: MetricDef, state: Estimates, value: float, level: float, normal: bool) -> _Bounds:
    moved = influence(measure, state)
    if normal or measure.lowest < 0 or not value > 0:
        reach = _reach(*standard_error(moved, state), level)
        return value - reach, value + reach, math.inf
    return _of_logarithm(value, moved, state, level)


def _of_logarithm(value: float, moved: Array, state: Estimates, level: float) -> _Bounds:
    error, degrees = standard_error(moved / value, state, skewed=True)
    reach = _reach(error, degrees, level)
    return value * math.exp(-reach), value * math.exp(min(reach, 700.0)), degrees


def mean_of_rows(values: Array, state: Estimates, level: float = 0.95) -> Interval:
    """Weighted mean of one value per row, none below 0, with Student's interval on the logarithmic scale.

    >>> interval = mean_of_rows(np.array([1.0, 2, 3, 2]), Estimates.from_arrays([0] * 4, [0] * 4))
    >>> interval.estimate, round(interval.low, 3), round(interval.high, 3)
    (2.0, 1.044, 3.83)
    """
    value = state.mean(values)
    bounds = _of_logarithm(value, values - value, state, level) if value > 0 else _NONE
    low, high, degrees = bounds if bounds[0] < bounds[1] else _NONE
    return Interval(value, low, high, **of_state(state, degrees))


def _by_root(_measure: MetricDef, state: Estimates, _value: float, level: float, normal: bool) -> _Bounds:
    low, high, degrees = _of_squares(state, level, normal)
    return math.sqrt(low), math.sqrt(high), degrees


def _by_sum(_measure: MetricDef, state: Estimates, _value: float, level: float, normal: bool) -> _Bounds:
    low, high, degrees = _of_squares(state, level, normal)
    return state.total * low, state.total * high, degrees


def _of_squares(state: Estimates, level: float, normal: bool) -> _Bounds:
    measure = METRICS["mean_squared_error"]
    low, high, degrees = _by_mean(measure, state, float(measure(state)), level, normal)
    return max(low, 0.0), high, degrees


def _by_ratio(measure: MetricDef, state: Estimates, value: float, level: float, normal: bool) -> _Bounds:
    if value >= 1:
        return _NONE
    above, below = (column / state.mean(column) for column in ratio_parts(measure, state))
    error, degrees = standard_error(above - below, state, skewed=not normal)
    factor = math.exp(min(_reach(error, degrees, level), 700.0))
    return 1 - (1 - value) * factor, 1 - (1 - value) / factor, degrees


def _by_fisher(measure: MetricDef, state: Estimates, value: float, level: float, normal: bool) -> _Bounds:
    if not abs(value) < 1:
        return _NONE
    degrees = math.inf
    if normal:
        variance = _VARIANCES[measure.key](state, value)
        reach = float(ndtri((1 + level) / 2)) * math.sqrt(variance) if variance > 0 else math.nan
    else:
        error, degrees = standard_error(influence(measure, state), state, skewed=True)
        reach = _reach(error / (1 - value**2), degrees, level)
    centre = math.atanh(value)
    return math.tanh(centre - reach), math.tanh(centre + reach), degrees


def _of_pearson(state: Estimates, _value: float) -> float:
    return 1 / (state.effective - 3) if state.effective > 3 else math.nan


def _of_spearman(state: Estimates, value: float) -> float:
    return (1 + value**2 / 2) / (state.effective - 3) if state.effective > 3 else math.nan


def _of_concordance(state: Estimates, value: float) -> float:
    m, n = state.moments, state.effective
    product = m.truth_variance * m.estimate_variance
    r = m.covariance / math.sqrt(product) if product > 0 else 0.0
    if n <= 2 or not r:
        return math.nan
    shift, rest = (m.truth - m.estimate) ** 2 / math.sqrt(product), 1 - value**2
    first = (1 - r**2) * value**2 / (rest * r**2)
    second = 2 * value**3 * (1 - value) * shift / (r * rest**2)
    return (first + second - value**4 * shift**2 / (2 * r**2 * rest**2)) / (n - 2)


_VARIANCES = {
    "pearson_correlation": _of_pearson,
    "spearman_correlation": _of_spearman,
    "concordance_correlation": _of_concordance,
}


def _by_order(_measure: MetricDef, state: Estimates, value: float, level: float, _normal: bool) -> _Bounds:
    """The errors at the bounds of the share of rows that lie below the median."""
    errors = absolute_errors(state)
    below = np.where(errors < value, 0.5, np.where(errors > value, -0.5, 0.0))
    error, degrees = standard_error(below, state)
    # Never less than of as many rows on both sides, also where many errors are equal.
    reach = _reach(max(error, 0.5 / math.sqrt(max(state.effective, 1.0))), degrees, level)
    if not reach < 0.5:
        return _NONE
    low, high = (weighted_quantile(errors, 0.5 + side * reach, state.weights) for side in (-1, 1))
    return low, high, math.inf  # ranks have no large values


_WAYS = {
    "mean": _by_mean,
    "root": _by_root,
    "sum": _by_sum,
    "ratio": _by_ratio,
    "fisher": _by_fisher,
    "order": _by_order,
}
