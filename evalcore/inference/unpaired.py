"""Shares of two independent samples: intervals and tests of their differences."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, ndtr

from evalcore.inference.intervals import Interval, wilson
from evalcore.numeric import Array, ratio

__all__ = ["ShareDifferences", "compare_shares"]

LARGE = 5
"""With fewer expected rows in some cell the exact test is used."""


@dataclass(frozen=True, eq=False)
class ShareDifferences:
    """Differences of shares of two independent samples."""

    interval: Interval  # of the first share minus the second
    p_values: Array  # two-sided; nan where a share is undefined


def compare_shares(
    first: npt.ArrayLike, n_first: npt.ArrayLike, second: npt.ArrayLike, n_second: npt.ArrayLike, level: float = 0.95
) -> ShareDifferences:
    """Compare shares of two independent samples, elementwise.

    The interval is Newcombe's, from the two Wilson intervals; it stays inside −1 … 1. The test is the z test, or
    Fisher's exact test where fewer than 5 rows are expected in some cell.

    Parameters
    ----------
    first, n_first, second, n_second : array_like of float, one shape
        0 <= first <= n_first, 0 <= second <= n_second; the exact test rounds sums of weights.

    Raises
    ------
    ValueError
        When a count is negative or exceeds its n.

    References
    ----------
    R. Newcombe (1998). Interval estimation for the difference between independent proportions: comparison of eleven
    methods. Statistics in Medicine 17, 873–890, method 10.

    Examples
    --------
    >>> interval = compare_shares(56, 70, 48, 80).interval
    >>> round(float(interval.estimate), 2), round(float(interval.low), 4), round(float(interval.high), 4)
    (0.2, 0.0524, 0.3339)
    """
    x, n, y, m = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (first, n_first, second, n_second)))
    a, b = wilson(x, n, level), wilson(y, m, level)
    estimate = a.estimate - b.estimate
    low = estimate - np.hypot(a.estimate - a.low, b.high - b.estimate)
    high = estimate + np.hypot(a.high - a.estimate, b.estimate - b.low)
    return ShareDifferences(Interval(estimate, np.clip(low, -1, 1), np.clip(high, -1, 1)), _p_values(x, n, y, m))


def _p_values(x: Array, n: Array, y: Array, m: Array) -> Array:
    pooled = ratio(x + y, n + m)
    fewest = np.minimum(n, m) * np.minimum(pooled, 1 - pooled)
    error = np.sqrt(pooled * (1 - pooled) * (ratio(1, n) + ratio(1, m)))
    p_values = np.asarray(2 * ndtr(-np.abs(ratio(ratio(x, n) - ratio(y, m), error))))
    exact = (n > 0) & (m > 0) & (fewest < LARGE)
    for index in zip(*np.nonzero(np.atleast_1d(exact)), strict=True):
        index = index if p_values.shape else ()
        cells = (int(np.rint(a[index])) for a in (x, n - x, y, m - y))
        p_values[index] = _fisher(*cells)
    return np.where((n > 0) & (m > 0), p_values, np.nan)


def _fisher(x: int, other_x: int, y: int, other_y: int) -> float:
    """Two-sided p: all tables with the same margins that are no more likely than this one."""
    n, m, hits = x + other_x, y + other_y, x + y
    k = np.arange(max(0, hits - m), min(n, hits) + 1)
    chance = gammaln([n + 1, m + 1]).sum() - (
        gammaln(k + 1) + gammaln(n - k + 1) + gammaln(hits - k + 1) + gammaln(m - hits + k + 1)
    )
    chance = np.exp(chance - chance.max())
    # Equally likely up to rounding counts as equally likely.
    as_rare = chance <= chance[x - k[0]] * (1 + 1e-7)
    return float(min(chance[as_rare].sum() / chance.sum(), 1.0))
