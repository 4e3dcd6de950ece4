"""Does a difference vary between groups?"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from evalcore.inference.auc import ChiSquare
from evalcore.inference.intervals import Interval, check_level, normal_quantile
from evalcore.numeric import Array, ratio

__all__ = ["cochran_q"]

_NOTHING = 1e-9
"""A share of the variance below which a combination of the estimates does not vary."""


def cochran_q(
    estimates: Interval, level: float = 0.95, contributions: Sequence[npt.ArrayLike] | None = None
) -> ChiSquare:
    """Cochran's Q: could the estimates of groups all be of one value?

    That a difference is significant in one group and not in another says nothing about this question. The test is
    approximate, as it reads the standard errors off the intervals, and rejects too seldom where groups have few rows.

    Parameters
    ----------
    estimates : Interval
        Of shape (g,), one per group. Groups whose bounds are undefined, or have no width, take no part.
    contributions : sequence of array_like, optional
        What each cluster adds to the estimate of each group, by its code, in any unit, where clusters have rows in
        several groups: estimates then vary together, and Q is that of generalised least squares.

    Returns
    -------
    ChiSquare
        Of one degree of freedom fewer than groups that take part; p is nan with fewer than two.

    References
    ----------
    W. G. Cochran (1954). The combination of estimates from different experiments. Biometrics 10, 101–129.
    doi:10.2307/3001666

    A. Agresti (2013). Categorical Data Analysis, 3rd edition. Wiley, section 11.2 (weighted least squares of correlated
    estimates).

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
    if contributions is not None:
        alike = _correlations([np.asarray(one) for one, counts in zip(contributions, known, strict=True) if counts])
        if alike.any():
            return _of_correlated(values, spread[known], alike)
    mean = float((weights * values).sum() / weights.sum())
    statistic = float((weights * (values - mean) ** 2).sum())
    return ChiSquare(statistic, degrees, float(chdtrc(degrees, statistic)))


def _correlations(contributions: list[Array]) -> Array:
    """Of the sums of what the clusters add, shape (g, g); 0 on the diagonal and where no cluster is in both groups."""
    added = np.zeros((len(contributions), max(map(len, contributions), default=0)))
    for row, one in zip(added, contributions, strict=True):
        row[: len(one)] = one
    sizes = np.sqrt(np.square(added).sum(axis=1))
    alike = ratio(added @ added.T, np.outer(sizes, sizes))
    np.fill_diagonal(alike, 0.0)
    return np.nan_to_num(alike)


def _of_correlated(values: Array, spread: Array, alike: Array) -> ChiSquare:
    """The test of equal values from their standard errors and correlations: that of all differences at once."""
    covariance = np.outer(spread, spread) * (alike + np.eye(len(values)))
    contrasts = np.diff(np.eye(len(values)), axis=0)
    apart = contrasts @ covariance @ contrasts.T
    # Where groups are the same clusters over and over, some differences are known from the others.
    rank = int(np.linalg.matrix_rank(apart, hermitian=True, tol=_NOTHING * float(np.trace(apart))))
    differences = contrasts @ values
    statistic = float(differences @ np.linalg.pinv(apart, rcond=_NOTHING, hermitian=True) @ differences)
    return ChiSquare(statistic, rank, float(chdtrc(rank, statistic)) if rank else float("nan"))
