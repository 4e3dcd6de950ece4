"""Corrections of p-values when more than one test is made."""

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array

__all__ = ["METHODS", "adjusted", "holm"]

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
