"""McNemar's test of two systems on the same rows, and Newcombe's interval of the difference."""

from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, chdtrc

from evalcore.inference.comparison import Comparison
from evalcore.inference.intervals import Interval
from evalcore.inference.proportions import wilson
from evalcore.numeric import Array, ratio

__all__ = ["EXACT_BELOW", "MCNEMAR_TESTS", "mcnemar", "mcnemar_of_counts"]

EXACT_BELOW = 25
"""With fewer discordant pairs the exact binomial test is used instead of chi-square."""

MCNEMAR_TESTS = {
    "auto": f"exact below {EXACT_BELOW} such rows, else chi-square",
    "exact": "exact binomial",
    "mid_p": "mid-p",
    "chi_square": "chi-square with continuity correction",
}
"""Forms of McNemar's test with their names."""


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


def mcnemar_of_counts(
    both: float, only_a: float, only_b: float, neither: float, level: float = 0.95, test: str = "auto"
) -> Comparison:
    """The same test from the numbers of rows that both, only A, only B and neither gets right.

    Sums of weights are taken as rows; the tests round the two counts in which the systems differ.

    Parameters
    ----------
    test : str
        A key of `MCNEMAR_TESTS`. The mid-p test counts half of the probability of the observed table; it is hardly ever
        above its level and finds more than the exact one.

    References
    ----------
    M. Fagerland, S. Lydersen, P. Laake (2013). The McNemar test for binary matched-pairs data: mid-p and asymptotic are
    better than exact conditional. BMC Medical Research Methodology 13, 91. doi:10.1186/1471-2288-13-91

    Examples
    --------
    >>> round(mcnemar_of_counts(both=2, only_a=6, only_b=2, neither=0).p_value, 4)
    0.2891
    >>> round(mcnemar_of_counts(both=1, only_a=1, only_b=7, neither=12, test="mid_p").p_value, 4)
    0.0391
    """
    if test not in MCNEMAR_TESTS:
        raise ValueError(f"No form of McNemar's test is called {test!r}; use one of {', '.join(MCNEMAR_TESTS)}.")
    discordant = round(only_a) + round(only_b)
    n = both + only_a + only_b + neither
    if test == "auto":
        test = "exact" if discordant < EXACT_BELOW else "chi_square"
    if test != "chi_square" or not discordant:
        method, statistic = f"McNemar, {MCNEMAR_TESTS[test]}", float(min(round(only_a), round(only_b)))
        p_value = float(exact_mcnemar(only_a, only_b))
        if test == "mid_p":
            # The chance of fewer, and half of that of as many.
            p_value = float(
                bdtr(statistic, discordant, 0.5) + (bdtr(statistic - 1, discordant, 0.5) if statistic else 0)
            )
    else:
        method = f"McNemar, {MCNEMAR_TESTS[test]}"
        statistic = max(abs(round(only_a) - round(only_b)) - 1, 0) ** 2 / discordant
        p_value = float(chdtrc(1, statistic))
    at = partial(newcombe_paired, both, only_a, only_b, neither)
    interval = at(level)
    if not n:
        statistic = p_value = float("nan")
    return Comparison(method, float(interval.estimate), interval, statistic, p_value, round(n), interval_at=at)


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


def newcombe_paired(both: float, only_a: float, only_b: float, neither: float, level: float = 0.95) -> Interval:
    """Newcombe's interval of the difference of two shares of the same rows, B minus A, inside −1 … 1 (see `mcnemar`).

    >>> interval = newcombe_paired(20, 12, 2, 16)
    >>> round(float(interval.low), 4), round(float(interval.high), 4)
    (-0.3292, -0.0562)
    """
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
