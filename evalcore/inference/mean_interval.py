"""The mean of one value per case, with Student's interval."""

import math

import numpy as np
import numpy.typing as npt

from evalcore.estimation import Estimates
from evalcore.inference.clustered import student_quantile
from evalcore.inference.estimate_intervals import mean_of_rows
from evalcore.inference.intervals import Interval, check_level

__all__ = ["mean_interval"]


def mean_interval(values: npt.ArrayLike, level: float = 0.95, skewed: bool = False) -> Interval:
    """Mean of independent values with the interval of the t distribution; undefined and infinite values are left out.

    Of skewed values, such as distances without an upper end, it is that of `mean_of_rows`, on the logarithmic scale.

    Examples
    --------
    >>> mean_interval([1, 2, 3, float("nan")])
    Interval(estimate=2.0, low=-0.4841377..., high=4.4841377...)
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
    half = float(student_quantile(level, len(known) - 1)) * float(known.std(ddof=1)) / math.sqrt(len(known))
    return Interval(mean, mean - half, mean + half)
