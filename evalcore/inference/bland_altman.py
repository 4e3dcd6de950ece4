"""Limits of agreement: between which errors most single rows lie."""

import math
from dataclasses import dataclass, replace

import numpy as np

from evalcore.estimation import Estimates
from evalcore.inference.clustered import student_quantile
from evalcore.inference.estimate_intervals import of_state
from evalcore.inference.influence import standard_error
from evalcore.inference.intervals import Interval, check_level
from evalcore.numeric import Array

__all__ = ["LimitsOfAgreement", "limits_of_agreement"]

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


def limits_of_agreement(state: Estimates, level: float = 0.95, normal: bool = False) -> LimitsOfAgreement:
    """Bland–Altman limits of agreement: mean error ± 1.96 standard deviations of the errors.

    About 95 % of the errors lie within them if errors are normal and their size does not depend on the size of the
    numbers. The standard errors of the limits come from what each row adds to them, so that they hold for errors of any
    distribution; their intervals are those of the logarithm of their distance from the mean error. Where rows belong
    together, the standard errors are those of the clusters.

    Parameters
    ----------
    normal : bool
        Take Bland and Altman's standard errors of the limits, which hold for normal errors; not of clusters.

    Returns
    -------
    LimitsOfAgreement
        nan bounds with fewer than three rows.

    References
    ----------
    J. Bland, D. Altman (1986). Statistical methods for assessing agreement between two methods of clinical
    measurement. Lancet 327, 307–310. doi:10.1016/S0140-6736(86)90837-8

    J. Bland, D. Altman (1999). Measuring agreement in method comparison studies. Statistical Methods in Medical
    Research 8, 135–160. doi:10.1177/096228029900800204

    Examples
    --------
    >>> limits = limits_of_agreement(Estimates.from_arrays([0, 0, 0, 0], [1, 2, 3, 2]))
    >>> round(limits.lower.estimate, 3), limits.bias.estimate, round(limits.upper.estimate, 3)
    (0.4, 2.0, 3.6)
    """
    check_level(level)
    n, error = state.effective, state.error
    mean = state.mean(error)
    apart = error - mean
    variance = state.mean(apart**2) * n / (n - 1) if n > 1 else math.nan
    deviation = math.sqrt(variance)
    bias = replace(_around(mean, *standard_error(apart, state), level), **of_state(state))
    lower, upper = (_limit(apart, mean, side * _Z * deviation, state, level, normal) for side in (-1, 1))
    inside = (error >= lower.estimate) & (error <= upper.estimate)
    return LimitsOfAgreement(bias, lower, upper, deviation, state.mean(inside * 1.0), _slope(state, level))


def _limit(apart: Array, mean: float, distance: float, state: Estimates, level: float, normal: bool) -> Interval:
    """Interval of a limit at some distance from the mean error, on the logarithm of that distance."""
    value, n = mean + distance, state.effective
    if not n > 2 or not distance:
        return Interval(value, math.nan, math.nan)
    if normal and state.clusters is None:
        return _around(value, abs(distance) / _Z * math.sqrt(1 / n + _Z**2 / (2 * (n - 1))), n - 1, level)
    # What each row adds to the mean and to the deviation.
    spread = np.square(apart)
    moved = apart + (spread - state.mean(spread)) / 2 * _Z**2 / distance
    error, degrees = standard_error(moved, state, skewed=True)
    factor = math.exp(min(float(student_quantile(level, degrees)) * error / abs(distance), 700.0))
    ends = sorted((mean + distance / factor, mean + distance * factor))
    return Interval(value, *ends, **of_state(state, degrees))


def _around(value: float, error: float, degrees: float, level: float) -> Interval:
    reach = float(student_quantile(level, degrees)) * error
    return Interval(value, value - reach, value + reach)


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
    return _around(slope, error, max(degrees - 1, 1.0), level)
