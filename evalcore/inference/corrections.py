"""Corrections of p-values when more than one test is made."""

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array

__all__ = ["METHODS", "adjusted", "benjamini_hochberg", "bonferroni", "holm"]

METHODS = {
    "holm": "Holm",
    "benjamini_hochberg": "Benjamini–Hochberg",
    "bonferroni": "Bonferroni",
    "none": "no correction",
}
"""Methods of `adjusted` with their names."""


def adjusted(p_values: npt.ArrayLike, method: str = "holm") -> Array:
    """Correct p-values by a named method.

    Parameters
    ----------
    p_values : array_like of float in 0 … 1, any shape
        nan where no test was made: it stays nan and does not count.
    method : {"holm", "benjamini_hochberg", "bonferroni", "none"}
        Holm and Bonferroni control the family-wise error rate, Holm with smaller p-values; Benjamini–Hochberg controls
        the false discovery rate.

    Returns
    -------
    Array
        Of the same shape and order of size, never smaller than the given values, at most 1.

    Raises
    ------
    ValueError
        When a value is no probability or the method is unknown.

    Examples
    --------
    >>> adjusted([0.01, 0.04, 0.03], "bonferroni").tolist(), adjusted([0.01, 0.04, 0.03], "holm").tolist()
    ([0.03, 0.12, 0.09], [0.03, 0.06, 0.06])
    """
    corrections = {"holm": holm, "benjamini_hochberg": benjamini_hochberg, "bonferroni": bonferroni, "none": _checked}
    if method not in corrections:
        raise ValueError(f"No correction is called {method!r}; use one of {', '.join(corrections)}.")
    return corrections[method](p_values)


def holm(p_values: npt.ArrayLike) -> Array:
    """Holm's correction: control the family-wise error rate of several tests.

    Parameters
    ----------
    p_values : array_like of float in 0 … 1, any shape
        nan where no test was made: it stays nan and does not count.

    Returns
    -------
    Array
        Of the same shape and order of size, never smaller than the given values, at most 1.

    Raises
    ------
    ValueError
        When a value is no probability.

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6,
    65–70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, float("nan")]).tolist()
    [0.03, 0.06, 0.06, nan]
    """
    return _by_rank(p_values, lambda ascending, m: np.maximum.accumulate(ascending * np.arange(m, 0, -1)))


def benjamini_hochberg(p_values: npt.ArrayLike) -> Array:
    """Benjamini–Hochberg correction: control the false discovery rate.

    Parameters, returned shape and errors as `holm`. It holds for independent tests and for positively dependent ones,
    such as tests of several systems against one.

    References
    ----------
    Y. Benjamini, Y. Hochberg (1995). Controlling the false discovery rate: a practical and powerful approach to
    multiple testing. Journal of the Royal Statistical Society B 57, 289–300. doi:10.1111/j.2517-6161.1995.tb02031.x

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.02, float("nan")]).round(4).tolist()
    [0.03, 0.04, 0.03, nan]
    """

    def steps(ascending: Array, m: int) -> Array:
        return np.minimum.accumulate((ascending * (m / np.arange(1, m + 1)))[::-1])[::-1]

    return _by_rank(p_values, steps)


def bonferroni(p_values: npt.ArrayLike) -> Array:
    """Multiply each p-value by the number of tests.

    Parameters, returned shape and errors as `holm`, which gives the same control with smaller p-values.

    References
    ----------
    O. J. Dunn (1961). Multiple comparisons among means. Journal of the American Statistical Association 56, 52–64.
    doi:10.1080/01621459.1961.10482090

    Examples
    --------
    >>> bonferroni([0.01, 0.6, float("nan")]).tolist()
    [0.02, 1.0, nan]
    """
    given = _checked(p_values)
    return np.minimum(given * np.count_nonzero(~np.isnan(given)), 1.0)


def _checked(p_values: npt.ArrayLike) -> Array:
    given = np.asarray(p_values, dtype=np.float64)
    if ((given < 0) | (given > 1)).any():
        raise ValueError("A p-value lies between 0 and 1; correct the p-values before others are made of them.")
    return given


def _by_rank(p_values: npt.ArrayLike, steps) -> Array:
    """Apply a rule for ascending p-values and restore the order."""
    given = _checked(p_values)
    corrected = np.full(given.shape, np.nan)
    tested = ~np.isnan(given)
    values = given[tested]
    if not len(values):
        return corrected
    order = np.argsort(values, kind="stable")
    in_order = np.empty(len(values))
    in_order[order] = np.minimum(steps(values[order], len(values)), 1.0)
    corrected[tested] = in_order
    return corrected
