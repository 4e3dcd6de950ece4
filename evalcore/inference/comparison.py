"""Two systems on the same rows: the result of a comparison, McNemar's test, and corrections where several are made."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, chdtrc

from evalcore.inference.bootstrap import percentile_interval
from evalcore.inference.intervals import Interval
from evalcore.inference.proportions import wilson
from evalcore.numeric import Array, ratio

__all__ = ["EXACT_BELOW", "METHODS", "Comparison", "adjusted", "holm", "mcnemar", "mcnemar_of_counts"]


BOOTSTRAP = "paired bootstrap"
EXACT_BELOW = 25
"""With fewer discordant pairs the exact binomial test is used instead of chi-square."""

METHODS = {
    "holm": "Holm",
    "benjamini_hochberg": "Benjamini–Hochberg",
    "bonferroni": "Bonferroni",
    "none": "no correction",
}
"""Methods of `adjusted` with their names."""


@dataclass(frozen=True)
class Comparison:
    """The difference of two systems with its test.

    Attributes
    ----------
    method : str
        The test in words, with its correction.
    estimate : float
        The second system minus the first.
    interval : Interval
        Of that difference.
    statistic : float
        Of the test; nan if there is none.
    p_value : float
        Two-sided p-value.
    n : int
        Rows, or queries, of both systems.
    """

    method: str
    estimate: float
    interval: Interval
    statistic: float
    p_value: float
    n: int

    def scaled(self, factor: float) -> "Comparison":
        """The same comparison in another unit, such as of Gini coefficients, which differ by twice the areas."""
        return replace(self, estimate=factor * self.estimate, interval=self.interval.scaled(factor))


def mcnemar(right_a: npt.ArrayLike, right_b: npt.ArrayLike, level: float = 0.95) -> Comparison:
    """McNemar's test: compare the accuracy of two systems by the rows where exactly one of them is right.

    Below 25 such rows the test is the exact binomial; its statistic is the smaller of the two counts. Else it is
    chi-square with one degree of freedom and the continuity correction of Edwards. The interval is Newcombe's for
    paired proportions, which stays inside −1 … 1.

    Parameters
    ----------
    right_a, right_b : array_like of bool, shape (n,)
        Whether each system is right, in the same row order.

    Returns
    -------
    Comparison
        The estimate is the accuracy of B minus that of A; nan without rows. Systems that are right on the same rows
        have p = 1.

    Raises
    ------
    ValueError
        When the two have not one shape (n,), hold anything but true and false, or the level is not between 0 and 1.

    References
    ----------
    Q. McNemar (1947). Note on the sampling error of the difference between correlated proportions or percentages.
    Psychometrika 12, 153–157. doi:10.1007/BF02295996

    R. Newcombe (1998). Improved confidence intervals for the difference between binomial proportions based on paired
    data. Statistics in Medicine 17, 2635–2650, method 10.

    Examples
    --------
    >>> a = [True] * 8 + [False] * 2
    >>> b = [True] * 2 + [False] * 6 + [True] * 2
    >>> compared = mcnemar(a, b)
    >>> compared.method, compared.estimate, compared.statistic, round(compared.p_value, 4)
    ('McNemar, exact binomial', -0.4, 2.0, 0.2891)
    """
    first, second = _outcomes(right_a, "right_a"), _outcomes(right_b, "right_b")
    if first.shape != second.shape:
        raise ValueError(f"right_a has {len(first)} rows and right_b {len(second)}; give both for the same rows.")
    both = int(np.count_nonzero(first & second))
    only_a, only_b = int(np.count_nonzero(first)) - both, int(np.count_nonzero(second)) - both
    return mcnemar_of_counts(both, only_a, only_b, len(first) - both - only_a - only_b, level)


def mcnemar_of_counts(both: float, only_a: float, only_b: float, neither: float, level: float = 0.95) -> Comparison:
    """The same test from the numbers of rows that both, only A, only B and neither gets right.

    Sums of weights are taken as rows; the tests round the two counts in which the systems differ.

    >>> round(mcnemar_of_counts(both=2, only_a=6, only_b=2, neither=0).p_value, 4)
    0.2891
    """
    discordant = round(only_a) + round(only_b)
    n = both + only_a + only_b + neither
    if discordant < EXACT_BELOW:
        method, statistic = "McNemar, exact binomial", float(min(round(only_a), round(only_b)))
        p_value = float(exact_mcnemar(only_a, only_b))
    else:
        method = "McNemar, chi-square with continuity correction"
        statistic = max(abs(round(only_a) - round(only_b)) - 1, 0) ** 2 / discordant
        p_value = float(chdtrc(1, statistic))
    interval = _paired_difference(both, only_a, only_b, neither, level)
    if not n:
        statistic = p_value = float("nan")
    return Comparison(method, float(interval.estimate), interval, statistic, p_value, round(n))


def bootstrap_comparison(estimate: float, differences: Array, level: float, n: int) -> Comparison:
    """The paired bootstrap from the difference of two systems in the sample of n rows and in each resample, shape (b,).

    The statistic is the estimate over the standard deviation of the resampled differences; p is twice the smaller
    share of resamples on one side of 0.

    >>> compared = bootstrap_comparison(0.5, np.arange(1.0, 100) / 100, 0.9, n=20)
    >>> compared.interval.low, compared.interval.high, compared.p_value
    (0.05, 0.95, 0.02)
    """
    interval = percentile_interval(estimate, differences, level)
    defined = differences[~np.isnan(differences)]
    if 2 * len(defined) <= len(differences) or math.isnan(estimate):
        return Comparison(BOOTSTRAP, estimate, interval, math.nan, math.nan, n)
    beyond = int(min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0)))
    p_value = min(2 * (1 + beyond) / (1 + len(defined)), 1.0)
    finite = np.isfinite(defined).all()
    spread = float(defined.std(ddof=1)) if finite and len(defined) > 1 else math.nan
    statistic = float(ratio(estimate, spread)) if spread else (0.0 if estimate == 0 else math.nan)
    return Comparison(BOOTSTRAP, estimate, interval, statistic, p_value, n)


def undrawn_comparison(estimate: float, n: int) -> Comparison:
    """The same where no resample is needed: the systems agree on every row, or the measure is undefined."""
    statistic, p_value = (math.nan, math.nan) if math.isnan(estimate) else (0.0, 1.0)
    return Comparison(BOOTSTRAP, estimate, Interval(estimate, math.nan, math.nan), statistic, p_value, n)


def exact_mcnemar(only_a: npt.ArrayLike, only_b: npt.ArrayLike) -> Array:
    """Two-sided p of the exact binomial for pairs of discordant counts, of one shape; 1 where there are none.

    >>> exact_mcnemar([0, 0, 3], [0, 6, 3]).tolist()
    [1.0, 0.03125, 1.0]
    """
    fewer = np.rint(np.minimum(only_a, only_b))
    return np.minimum(2 * bdtr(fewer, np.rint(np.add(only_a, only_b)).astype(np.int64), 0.5), 1.0)


def _outcomes(right: npt.ArrayLike, name: str) -> npt.NDArray[np.bool_]:
    given = np.asarray(right)
    if given.ndim != 1:
        raise ValueError(f"{name} has the shape {given.shape}; give one outcome a row, shape (n,).")
    if given.dtype == bool or not given.size:
        return given.astype(bool)
    raise ValueError(f"{name} holds {given.dtype}; give true where the system is right and false where it is not.")


def _paired_difference(both: float, only_a: float, only_b: float, neither: float, level: float) -> Interval:
    n = both + only_a + only_b + neither
    a, b = wilson(both + only_a, n, level), wilson(both + only_b, n, level)
    margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither)
    agreement = both * neither - only_a * only_b
    agreement = max(agreement - n / 2, 0) if agreement > 0 else agreement
    correlation = agreement / float(margins) ** 0.5 if margins else 0.0
    estimate = ratio(only_b - only_a, n)

    def reach(up: Array | float, down: Array | float) -> Array:
        return np.sqrt(np.maximum(up * up - 2 * correlation * up * down + down * down, 0.0))

    low = estimate - reach(b.estimate - b.low, a.high - a.estimate)
    high = estimate + reach(b.high - b.estimate, a.estimate - a.low)
    return Interval(estimate, np.clip(low, -1, 1), np.clip(high, -1, 1))


def adjusted(p_values: npt.ArrayLike, method: str = "holm") -> Array:
    """Correct p-values by a named method.

    Parameters
    ----------
    p_values : array_like of float in 0 … 1, any shape
        nan where no test was made: it stays nan and does not count.
    method : {"holm", "benjamini_hochberg", "bonferroni", "none"}
        Holm and Bonferroni control the family-wise error rate, Holm with smaller p-values; Benjamini–Hochberg controls
        the false discovery rate of tests that are independent or positively dependent, such as of several systems
        against one.

    Returns
    -------
    Array
        Of the same shape and order of size, never smaller than the given values, at most 1.

    Raises
    ------
    ValueError
        When a value is no probability or the method is unknown.

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65–70.

    Y. Benjamini, Y. Hochberg (1995). Controlling the false discovery rate: a practical and powerful approach to
    multiple testing. Journal of the Royal Statistical Society B 57, 289–300. doi:10.1111/j.2517-6161.1995.tb02031.x

    O. J. Dunn (1961). Multiple comparisons among means. Journal of the American Statistical Association 56, 52–64.
    doi:10.1080/01621459.1961.10482090

    Examples
    --------
    >>> adjusted([0.01, 0.04, 0.03, float("nan")], "bonferroni").tolist()
    [0.03, 0.12, 0.09, nan]
    >>> adjusted([0.01, 0.04, 0.02], "benjamini_hochberg").round(4).tolist()
    [0.03, 0.04, 0.03]
    """
    if method not in METHODS:
        raise ValueError(f"No correction is called {method!r}; use one of {', '.join(METHODS)}.")
    given = np.asarray(p_values, dtype=np.float64)
    if ((given < 0) | (given > 1)).any():
        raise ValueError("A p-value lies between 0 and 1; correct the p-values before others are made of them.")
    tested = ~np.isnan(given)
    values = given[tested]
    m, order = len(values), np.argsort(values, kind="stable")
    ascending = values[order]
    if method == "holm":
        ascending = np.maximum.accumulate(ascending * np.arange(m, 0, -1))
    elif method == "benjamini_hochberg":
        ascending = np.minimum.accumulate((ascending * (m / np.arange(1, m + 1)))[::-1])[::-1]
    elif method == "bonferroni":
        ascending = ascending * m
    values[order] = np.minimum(ascending, 1.0)
    corrected = np.full(given.shape, np.nan)
    corrected[tested] = values
    return corrected


def holm(p_values: npt.ArrayLike) -> Array:
    """Holm's correction, which controls the family-wise error rate; values, shape and errors as `adjusted`.

    >>> holm([0.01, 0.04, 0.03, float("nan")]).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    return adjusted(p_values, "holm")
