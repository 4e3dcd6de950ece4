"""Does a difference vary between groups?"""

import numpy as np
from scipy.special import chdtrc

from evalcore.inference.auc import ChiSquare
from evalcore.inference.intervals import Interval, check_level, normal_quantile

__all__ = ["cochran_q"]


def cochran_q(estimates: Interval, level: float = 0.95) -> ChiSquare:
    """Cochran's Q: could the estimates of independent groups all be of one value?

    That a difference is significant in one group and not in another says nothing about this question. The test is
    approximate, as it reads the standard errors off the intervals, and rejects too seldom where groups have few rows.

    Parameters
    ----------
    estimates : Interval
        Of shape (g,), one per group. Groups whose bounds are undefined, or have no width, take no part.

    Returns
    -------
    ChiSquare
        Of one degree of freedom fewer than groups that take part; p is nan with fewer than two.

    References
    ----------
    W. G. Cochran (1954). The combination of estimates from different experiments. Biometrics 10, 101–129.
    doi:10.2307/3001666

    Examples
    --------
    >>> low, high = np.array([0.0, 0.2, np.nan]), np.array([0.2, 0.4, np.nan])
    >>> test = cochran_q(Interval((low + high) / 2, low, high))
    >>> round(test.statistic, 3), test.degrees, round(test.p_value, 4)
    (7.683, 1, 0.0056)
    """
    check_level(level)
    spread = np.asarray(estimates.high - estimates.low) / (2 * normal_quantile(level))
    known = np.isfinite(spread) & (spread > 0)
    values, weights = np.asarray(estimates.estimate)[known], 1 / spread[known] ** 2
    degrees = len(values) - 1
    if degrees < 1:
        return ChiSquare(float("nan"), 0, float("nan"))
    mean = float((weights * values).sum() / weights.sum())
    statistic = float((weights * (values - mean) ** 2).sum())
    return ChiSquare(statistic, degrees, float(chdtrc(degrees, statistic)))
