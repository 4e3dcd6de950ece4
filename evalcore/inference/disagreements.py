"""Two systems cell by cell: which of their confusions differ by more than chance."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.matrix import ConfusionMatrix
from evalcore.inference.comparison import exact_mcnemar
from evalcore.inference.corrections import holm
from evalcore.numeric import Array

__all__ = ["CellDifferences", "compare_cells"]


@dataclass(frozen=True, eq=False)
class CellDifferences:
    """Confusion matrices of two systems on the same rows, compared cell by cell.

    Attributes
    ----------
    a, b : ConfusionMatrix
        Of the two systems, over the same rows.
    only_a, only_b : Array, shape (k, k)
        Rows of the actual class that only this system predicted as the predicted class.
    p_values : Array, shape (k, k)
        McNemar's exact test of the two counts; nan where the systems predict that class for the same rows.
    corrected : Array, shape (k, k)
        Corrected by Holm, over the tested cells.
    """

    a: ConfusionMatrix
    b: ConfusionMatrix
    only_a: Array
    only_b: Array
    p_values: Array
    corrected: Array

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
        What each row counts; the tests take the sums as rows, rounded.

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

    of_a, of_b = counted(predicted_a), counted(predicted_b)
    alike = predicted_a == predicted_b
    # The rows on which they differ are counted separately: a difference of sums would be off by rounding.
    only_a, only_b = counted(predicted_a, ~alike), counted(predicted_b, ~alike)
    p_values = np.full((k, k), np.nan)
    tested = only_a + only_b > 0
    p_values[tested] = exact_mcnemar(only_a[tested], only_b[tested])
    return CellDifferences(
        ConfusionMatrix(classes, of_a), ConfusionMatrix(classes, of_b), only_a, only_b, p_values, holm(p_values)
    )
