"""Square tables of two answers for the same rows: are they symmetric, and have they the same margins?"""

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, fdtrc

from evalcore.inference.base.clustered import degrees_of_codes
from evalcore.inference.paired.areas import ChiSquare
from evalcore.inference.paired.classes import PairedClasses

__all__ = ["bowker", "clustered_symmetry", "stuart_maxwell"]


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


def clustered_symmetry(paired: PairedClasses) -> tuple[ChiSquare, ChiSquare]:
    """Bowker's and the Stuart–Maxwell test of two systems where rows belong together.

    Each statistic is divided by its mean design effect: by how much more the differences of whole clusters scatter than
    those of independent rows would. Its p is that of an F distribution, which takes few clusters into account.

    References
    ----------
    J. Rao, A. Scott (1981). The analysis of categorical data from complex sample surveys: chi-squared tests for
    goodness of fit and independence in two-way tables. Journal of the American Statistical Association 76, 221–230.
    doi:10.1080/01621459.1981.10477633

    D. Thomas, J. Rao (1987). Small-sample comparisons of level and power for simple goodness-of-fit statistics under
    cluster sampling. Journal of the American Statistical Association 82, 630–636.

    Examples
    --------
    >>> a, b = np.array([0, 0, 1, 1, 2, 0] * 5), np.array([0, 1, 1, 2, 2, 1] * 5)
    >>> alone, copied = (
    ...     clustered_symmetry(PairedClasses.from_codes(0 * x, x, y, (0, 1, 2), clusters=np.arange(len(x)) % 30))[1]
    ...     for x, y in ((a, b), (np.tile(a, 4), np.tile(b, 4)))
    ... )
    >>> round(alone.statistic, 3), round(copied.statistic, 3)
    (15.0, 15.0)
    """
    answers, clusters = paired.answers(), paired.clustered()
    cells, margins = bowker(answers), stuart_maxwell(answers)
    if clusters is None or paired.rows is None or not cells.degrees:
        return cells, margins
    k = len(paired.classes)
    differing = np.flatnonzero(paired.a != paired.b)
    a, b = paired.a[differing], paired.b[differing]
    pairs, place = np.unique(np.minimum(a, b) * k + np.maximum(a, b), return_inverse=True)
    traded, totals = np.zeros((len(clusters.cells), len(pairs))), np.zeros((len(clusters.cells), k))
    for column, pair, x, y in zip(differing.tolist(), place.tolist(), a.tolist(), b.tolist(), strict=True):
        rows = clusters.cells[:, column]
        traded[:, pair] += rows if x < y else -rows
        totals[:, x] += rows
        totals[:, y] -= rows
    i, j = pairs // k, pairs % k
    of_cells = float((np.square(traded).sum(axis=0) / (answers[i, j] + answers[j, i])).mean())
    exchanged = answers + answers.T
    np.fill_diagonal(exchanged, 0.0)
    spread = np.diag(exchanged.sum(axis=1)) - exchanged
    of_margins = float(np.trace(np.linalg.pinv(spread, hermitian=True) @ (totals.T @ totals))) / margins.degrees
    count = 1 + np.nan_to_num(degrees_of_codes(paired.rows[1], paired.rows[2]))
    return _corrected(cells, of_cells, count), _corrected(margins, of_margins, count)


def _corrected(test: ChiSquare, effect: float, clusters: float) -> ChiSquare:
    if clusters < 2 or not effect > 0:
        return ChiSquare(float("nan"), test.degrees, float("nan"))
    statistic, degrees = test.statistic / effect, test.degrees
    return ChiSquare(statistic, degrees, float(fdtrc(degrees, degrees * (clusters - 1), statistic / degrees)))
