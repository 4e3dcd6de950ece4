"""Limits of agreement: between which errors most single rows lie."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.estimation import Estimates
from evalcore.inference.clustered import student_quantile
from evalcore.inference.influence import standard_error
from evalcore.inference.intervals import Interval, check_level

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


def limits_of_agreement(state: Estimates, level: float = 0.95) -> LimitsOfAgreement:
    """Bland–Altman limits of agreement: mean error ± 1.96 standard deviations of the errors.

    About 95 % of the errors lie within them if errors are normal and their size does not depend on the size of the
    numbers. Where rows belong together, the standard errors are those of the clusters.

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
    spread, degrees = standard_error(apart, state)
    errors = [spread, spread, spread]
    if state.clusters is None:
        errors[1] = errors[2] = deviation * math.sqrt(1 / n + _Z**2 / (2 * (n - 1))) if n > 2 else math.nan
    elif deviation > 0:
        rows = (apart**2 - variance) / (2 * deviation)
        errors[1:] = [standard_error(apart + side * _Z * rows, state)[0] for side in (-1, 1)]
    reach = float(student_quantile(level, degrees))
    values = mean, mean - _Z * deviation, mean + _Z * deviation
    bias, lower, upper = (
        Interval(value, value - reach * each, value + reach * each) for value, each in zip(values, errors, strict=True)
    )
    inside = (error >= values[1]) & (error <= values[2])
    return LimitsOfAgreement(bias, lower, upper, deviation, state.mean(inside * 1.0), _slope(state, level))


def _slope(state: Estimates, level: float) -> Interval:
    size = (state.truth + state.estimate) / 2
    x, y = size - state.mean(size), state.error - state.mean(state.error)
    spread = state.mean(x * x) if state.total else math.nan
    if not spread > 0:
        return Interval(math.nan, math.nan, math.nan)
    slope = state.mean(x * y) / spread
    error, degrees = standard_error(np.asarray(x * (y - slope * x) / spread), state)
    reach = float(student_quantile(level, degrees - 1)) * error
    return Interval(slope, slope - reach, slope + reach)
