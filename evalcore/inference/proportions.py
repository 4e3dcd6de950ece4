"""Confidence intervals of a proportion."""

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv

from evalcore.inference.intervals import Interval, check_level, normal_quantile
from evalcore.numeric import Array, ratio

__all__ = ["agresti_coull", "clopper_pearson", "jeffreys", "wilson"]


def wilson(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Wilson score interval of a proportion: all proportions that the score test does not reject.

    Parameters
    ----------
    successes, n : array_like of float, one shape
        0 <= successes <= n.
    level : float
        Confidence, between 0 and 1.

    Returns
    -------
    Interval
        Of the same shape, inside 0 … 1; nan where n is 0.

    Raises
    ------
    ValueError
        When a count is negative, successes exceed n, or the level is not between 0 and 1.

    References
    ----------
    E. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
    Statistical Association 22, 209–212. doi:10.1080/01621459.1927.10502953

    Examples
    --------
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

    Parameters, returned shape and errors as `wilson`.

    References
    ----------
    C. Clopper, E. Pearson (1934). The use of confidence or fiducial limits illustrated in the case of the binomial.
    Biometrika 26, 404–413. doi:10.1093/biomet/26.4.404

    Examples
    --------
    >>> interval = clopper_pearson(0, 10)
    >>> float(interval.low), round(float(interval.high), 4)
    (0.0, 0.3085)
    """
    x, size = _proportion(successes, n)
    check_level(level)
    tail = (1 - level) / 2
    share = ratio(x, size)
    with np.errstate(invalid="ignore"):
        low = np.where(x > 0, betaincinv(np.where(x > 0, x, 1), size - x + 1, tail), 0.0)
        high = np.where(x < size, betaincinv(x + 1, np.where(x < size, size - x, 1), 1 - tail), 1.0)
    defined = ~np.isnan(share)
    return Interval(share, np.where(defined, low, np.nan), np.where(defined, high, np.nan))


def agresti_coull(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Agresti–Coull interval of a proportion: Wald's after z²/2 successes and z²/2 failures are added.

    It has the centre of Wilson's interval and is never shorter. Parameters, returned shape and errors as `wilson`.

    References
    ----------
    A. Agresti, B. Coull (1998). Approximate is better than “exact” for interval estimation of binomial proportions. The
    American Statistician 52, 119–126. doi:10.1080/00031305.1998.10480550

    Examples
    --------
    >>> interval = agresti_coull(20, 200)
    >>> round(float(interval.low), 4), round(float(interval.high), 4)
    (0.065, 0.1501)
    """
    x, size = _proportion(successes, n)
    z = normal_quantile(level)
    rows = size + z * z
    middle = (x + z * z / 2) / rows
    half = z * np.sqrt(middle * (1 - middle) / rows)
    share = ratio(x, size)
    defined = ~np.isnan(share)
    low, high = np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
    return Interval(share, np.where(defined, low, np.nan), np.where(defined, high, np.nan))


def jeffreys(successes: npt.ArrayLike, n: npt.ArrayLike, level: float = 0.95) -> Interval:
    """Jeffreys interval of a proportion: the middle of its posterior under the prior Beta(½, ½).

    It starts at 0 where there are no successes and ends at 1 where there are no failures. Parameters, returned shape
    and errors as `wilson`.

    References
    ----------
    L. Brown, T. Cai, A. DasGupta (2001). Interval estimation for a binomial proportion. Statistical Science 16,
    101–133. doi:10.1214/ss/1009213286

    Examples
    --------
    >>> interval = jeffreys(20, 200)
    >>> round(float(interval.low), 4), round(float(interval.high), 4)
    (0.0642, 0.1473)
    """
    x, size = _proportion(successes, n)
    check_level(level)
    tail, share = (1 - level) / 2, ratio(x, size)
    low, high = (betaincinv(x + 0.5, size - x + 0.5, at) for at in (tail, 1 - tail))
    low, high = np.where(x == 0, share, low), np.where(x == size, share, high)
    defined = ~np.isnan(share)
    return Interval(share, np.where(defined, low, np.nan), np.where(defined, high, np.nan))


def _proportion(successes: npt.ArrayLike, n: npt.ArrayLike) -> tuple[Array, Array]:
    x, size = np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    if (x < 0).any() or (x > size).any():
        raise ValueError("A proportion needs 0 <= successes <= n.")
    return x, size
