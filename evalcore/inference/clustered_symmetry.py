"""Symmetry and equal margins of the answers of two systems to rows that belong together."""

import numpy as np
from scipy.special import fdtrc

from evalcore.inference.auc import ChiSquare
from evalcore.inference.clustered import degrees_of_codes
from evalcore.inference.paired_classes import PairedClasses
from evalcore.inference.symmetry import bowker, stuart_maxwell

__all__ = ["clustered_symmetry"]


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
