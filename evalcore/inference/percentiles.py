"""Percentile intervals of resamples: one rule for every bootstrap."""

import math

import numpy as np

from evalcore.inference.intervals import Interval
from evalcore.numeric import Array

__all__ = ["percentile_bounds", "percentile_interval"]


def percentile_bounds(values: Array, level: float) -> tuple[Array, Array]:
    """The middle share of resampled values: as many are left out below as above.

    Parameters
    ----------
    values : Array, shape (..., b)
        A value per resample along the last axis; nan where it is undefined.
    level : float
        Confidence, between 0 and 1.

    Returns
    -------
    low, high : Array, shape (...)
        Values of resamples, never means of two, so that infinite ones stay infinite. Undefined values are left out; nan
        where half of them or more are undefined.

    Examples
    --------
    >>> low, high = percentile_bounds(np.arange(2000.0), 0.95)
    >>> float(low), float(high)
    (50.0, 1949.0)
    """
    ordered = np.sort(values, axis=-1)  # undefined values go to the end
    defined = (~np.isnan(ordered)).sum(axis=-1)
    # Rounded first: 0.025 of 2,000 are 50, which floating point misses by a hair.
    outside = np.floor(np.round(defined * ((1 - level) / 2), 6)).astype(np.intp)
    known = 2 * defined > ordered.shape[-1]
    low, high = (
        np.where(known, np.take_along_axis(ordered, np.where(known, place, 0)[..., None], axis=-1)[..., 0], np.nan)
        for place in (outside, defined - 1 - outside)
    )
    return low, high


def percentile_interval(estimate: Array | float, values: Array, level: float) -> Interval:
    """Percentile interval of one estimate from its resampled values, shape (b,).

    The bounds are nan where the estimate is undefined, where half of the resamples or more are, and where the resamples
    agree: that shows an empty cell, not certainty.

    Examples
    --------
    >>> percentile_interval(50, np.arange(101.0), 0.9)
    Interval(estimate=50, low=5.0, high=95.0)
    """
    low, high = (float(bound) for bound in percentile_bounds(values, level))
    # Resamples that agree may differ by rounding.
    if math.isnan(estimate) or not low < high or math.isclose(low, high, rel_tol=1e-12):
        low = high = math.nan
    return Interval(estimate, low, high)
