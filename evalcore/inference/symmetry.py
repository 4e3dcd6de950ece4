"""Square tables of two answers for the same rows: are they symmetric, and have they the same margins?"""

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from evalcore.inference.auc import ChiSquare

__all__ = ["bowker", "stuart_maxwell"]

_NOTHING = 1e-10
"""An eigenvalue below this share of the largest is 0 up to rounding."""


def bowker(answers: npt.ArrayLike) -> ChiSquare:
    """Bowker's test of symmetry: does A predict x where B predicts y as often as the other way round?

    It generalises McNemar's test to several classes, without correction. It shows that the systems predict differently,
    not which of them is right.

    Parameters
    ----------
    answers : array_like of float, shape (k, k)
        ``answers[predicted by A, predicted by B]``: rows, or sums of weights.

    Returns
    -------
    ChiSquare
        One degree of freedom per pair of classes with any disagreement; p = 1 without one.

    References
    ----------
    A. Bowker (1948). A test for symmetry in contingency tables. Journal of the American Statistical Association 43,
    572–574. doi:10.1080/01621459.1948.10483284

    Examples
    --------
    >>> result = bowker([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 3), result.degrees, round(result.p_value, 4)
    (13.769, 3, 0.0032)
    """
    table = np.asarray(answers, dtype=np.float64)
    above = np.triu_indices(len(table), 1)
    there, back = table[above], table.T[above]
    traded = there + back > 0
    degrees = int(np.count_nonzero(traded))
    if not degrees:
        return ChiSquare(0.0, 0, 1.0 if table.sum() else float("nan"))
    statistic = float(((there - back)[traded] ** 2 / (there + back)[traded]).sum())
    return ChiSquare(statistic, degrees, float(chdtrc(degrees, statistic)))


def stuart_maxwell(answers: npt.ArrayLike) -> ChiSquare:
    """Stuart–Maxwell test of marginal homogeneity: is each class named as often by A as by B?

    It generalises McNemar's test to several classes by the totals of the table, where Bowker's goes by its cells.

    Parameters
    ----------
    answers : array_like of float, shape (k, k)
        ``answers[predicted by A, predicted by B]``, or actual and predicted: rows, or sums of weights.

    Returns
    -------
    ChiSquare
        One degree of freedom fewer than classes with any disagreement, within each group of classes that are exchanged
        with each other; p = 1 without disagreement.

    References
    ----------
    A. Stuart (1955). A test for homogeneity of the marginal distributions in a two-way classification. Biometrika 42,
    412–416. doi:10.1093/biomet/42.3-4.412

    A. Maxwell (1970). Comparing the classification of subjects by two independent judges. British Journal of Psychiatry
    116, 651–655. doi:10.1192/bjp.116.535.651

    Examples
    --------
    >>> result = stuart_maxwell([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 3), result.degrees, round(result.p_value, 4)
    (13.765, 2, 0.001)
    """
    table = np.asarray(answers, dtype=np.float64)
    exchanged = table + table.T
    np.fill_diagonal(exchanged, 0.0)
    differences = table.sum(axis=1) - table.sum(axis=0)
    # The covariance of the differences when the margins are equal; its rows add up to 0.
    spread = np.diag(exchanged.sum(axis=1)) - exchanged
    values, vectors = np.linalg.eigh(spread)
    tells = values > _NOTHING * values.max(initial=0.0)
    degrees = int(np.count_nonzero(tells))
    if not degrees:
        return ChiSquare(0.0, 0, 1.0 if table.sum() else float("nan"))
    along = vectors.T @ differences
    statistic = float((along[tells] ** 2 / values[tells]).sum())
    return ChiSquare(statistic, degrees, float(chdtrc(degrees, statistic)))
