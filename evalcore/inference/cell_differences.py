"""The cells of two square tables compared: which confusions became rarer."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from evalcore.classification.matrix import ConfusionMatrix
from evalcore.inference.comparison import holm
from evalcore.inference.mcnemar import exact_mcnemar
from evalcore.inference.swaps import exchanges, few_pairs, share_as_large
from evalcore.numeric import Array, ratio

__all__ = ["CellDifferences", "compare_cells"]

_DRAWS, _SEED = 2000, 20


@dataclass(frozen=True, eq=False)
class CellDifferences:
    """Confusion matrices of two systems on the same rows, compared cell by cell."""

    # Of the two systems, over the same rows.
    a: ConfusionMatrix
    b: ConfusionMatrix
    # Shape (k, k): rows of the actual class that only this system predicted as the predicted class.
    only_a: Array
    only_b: Array
    # Shape (k, k): McNemar's exact test of the two counts; nan where the systems predict that class for the same rows.
    p_values: Array
    corrected: Array  # shape (k, k): corrected by Holm, over the tested cells

    @property
    def counts(self) -> Array:
        """Rows of B minus rows of A in each cell, shape (k, k)."""
        return self.b.counts - self.a.counts


def compare_cells(
    actual: npt.NDArray[np.integer],
    predicted_a: npt.NDArray[np.integer],
    predicted_b: npt.NDArray[np.integer],
    classes: tuple,
    weights: npt.ArrayLike | None = None,
    clusters: npt.NDArray[np.integer] | None = None,
) -> CellDifferences:
    """Compare the confusions of two systems on the same rows.

    Cells in which the systems never differ are not tested; as this depends on whether they differ, not by how much, the
    correction stays valid.

    Parameters
    ----------
    actual, predicted_a, predicted_b : arrays of int, shape (n,)
        Places in `classes`.
    classes : tuple, length k
    weights : array_like of float >= 0, shape (n,), optional
        What each row counts; the tests round the sums.
    clusters : array of int, shape (n,), optional
        What each row belongs to. The sum of the differences of whole clusters is then set against its spread; of fewer
        than 25 that differ, against all signs that the clusters might have had (mid-p, or as rows where each has one).

    References
    ----------
    V. Durkalski, Y. Palesch, S. Lipsitz, P. Rust (2003). Analysis of clustered matched-pair data. Statistics in
    Medicine 22, 2417–2428. doi:10.1002/sim.1438

    Examples
    --------
    >>> actual = np.array([0] * 8)
    >>> a, b = np.array([1] * 8), np.array([1] + [0] * 7)
    >>> result = compare_cells(actual, a, b, ("cat", "dog"))
    >>> result.counts.tolist(), result.p_values[0].tolist(), result.corrected[0].tolist()
    ([[7.0, -7.0], [0.0, 0.0]], [0.015625, 0.015625], [0.03125, 0.03125])
    """
    k = len(classes)

    def counted(predicted: npt.NDArray[np.integer], rows: slice | npt.NDArray[np.bool_] = slice(None)) -> Array:
        cells = actual[rows].astype(np.intp) * k + predicted[rows]
        weight = None if weights is None else np.asarray(weights, dtype=np.float64)[rows]
        return np.bincount(cells, weights=weight, minlength=k * k).reshape(k, k).astype(np.float64)

    alike = predicted_a == predicted_b
    # The rows on which they differ are counted separately: a difference of sums would be off by rounding.
    only_a, only_b = counted(predicted_a, ~alike), counted(predicted_b, ~alike)
    p_values = np.full((k, k), np.nan)
    tested = only_a + only_b > 0
    if clusters is None:
        p_values[tested] = exact_mcnemar(only_a[tested], only_b[tested])
    else:
        # One difference for each cluster and cell, with the sign of the system that has the row there.
        rows = np.flatnonzero(~alike)
        cell = np.concatenate([actual[rows].astype(np.intp) * k + of[rows] for of in (predicted_a, predicted_b)])
        weight = np.ones(len(rows)) if weights is None else np.asarray(weights, dtype=np.float64)[rows]
        pairs, which, sizes = np.unique(
            np.tile(clusters[rows], 2) * (k * k) + cell, return_inverse=True, return_counts=True
        )
        apart = np.bincount(which, np.concatenate([-weight, weight]), len(pairs)).astype(np.float64)
        spread = np.bincount(pairs % (k * k), weights=apart**2, minlength=k * k).reshape(k, k)
        p_values[tested] = 2 * ndtr(-np.abs(ratio((only_b - only_a)[tested], np.sqrt(spread[tested]))))
        p_values[tested & (spread == 0)] = 1.0
        order = np.argsort(pairs % (k * k), kind="stable")
        cells, starts = np.unique(pairs[order] % (k * k), return_index=True)
        for place, of_cell in zip(cells.tolist(), np.split(order, starts[1:]), strict=True):
            if few_pairs(differing := int(np.count_nonzero(apart[of_cell]))) and differing:
                alone = bool((sizes[of_cell] == 1).all())
                p_values.flat[place] = _exchanged(apart[of_cell], alone)
    a, b = (ConfusionMatrix(classes, counted(predicted)) for predicted in (predicted_a, predicted_b))
    return CellDifferences(a, b, only_a, only_b, p_values, holm(p_values))


def _exchanged(apart: Array, alone: bool) -> float:
    """p of a sum of differences of few clusters by exchanging the systems in each; exact where each has one row."""
    apart = apart[apart != 0]
    if alone and (np.abs(apart) == 1).all():
        only_a = float((apart < 0).sum())
        return float(exact_mcnemar(only_a, len(apart) - only_a))
    sums = _signs(len(apart)) @ apart
    return share_as_large(sums, float(sums[0]), halved=not alone)


@lru_cache(maxsize=32)
def _signs(clusters: int) -> Array:
    """The signs that so many clusters may have, or random ones of many: the first row is that of the sample."""
    return 1.0 - 2.0 * exchanges(clusters, _DRAWS, _SEED)
