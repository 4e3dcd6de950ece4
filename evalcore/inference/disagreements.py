"""Two systems class by class and cell by cell: where they differ by more than chance."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.labels import weight_array
from evalcore.classification.matrix import ConfusionMatrix
from evalcore.inference.comparison import Comparison, exact_mcnemar, mcnemar_of_counts
from evalcore.inference.corrections import adjusted, holm
from evalcore.numeric import Array

__all__ = ["CellDifferences", "Disagreements", "compare_cells", "disagreements"]


@dataclass(frozen=True, eq=False)
class Disagreements:
    """The 2×2 tables of McNemar: one for each actual class, and one for all rows.

    Attributes
    ----------
    classes : tuple, length k
    both, only_a, only_b, neither : Array, shape (k,)
        Rows of each actual class that both, one or none of the systems get right.
    tests : tuple of Comparison, length k
        McNemar among the rows of each class: B's recall of the class minus A's.
    corrected : Array, shape (k,)
        Their p-values, corrected for the number of classes.
    overall : Comparison
        McNemar over all rows: B's accuracy minus A's.
    ties : float
        Rows on which both systems agree.
    """

    classes: tuple
    both: Array
    only_a: Array
    only_b: Array
    neither: Array
    tests: tuple[Comparison, ...]
    corrected: Array
    overall: Comparison
    ties: float


def disagreements(
    actual: npt.NDArray[np.integer],
    predicted_a: npt.NDArray[np.integer],
    predicted_b: npt.NDArray[np.integer],
    classes: tuple,
    weights: npt.ArrayLike | None = None,
    level: float = 0.95,
    correction: str = "holm",
) -> Disagreements:
    """McNemar's test for every actual class and for all rows.

    Parameters
    ----------
    actual, predicted_a, predicted_b : arrays of int, shape (n,)
        Places in `classes`.
    classes : tuple, length k
        Of two classes the tests are those of specificity and recall.
    weights : array_like of float >= 0, shape (n,), optional
        What each row counts; the tests take the sums as rows, rounded.
    level : float
    correction : str
        As `evalcore.inference.adjusted`; classes without rows are untested and not counted.

    Examples
    --------
    >>> actual = np.array([0] * 8 + [1] * 4)
    >>> a, b = np.array([0] * 2 + [1] * 6 + [1] * 4), np.array([0] * 8 + [1] * 4)
    >>> result = disagreements(actual, a, b, ("no", "yes"))
    >>> result.only_b.tolist(), [test.p_value for test in result.tests], result.ties
    ([6.0, 0.0], [0.03125, 1.0], 6.0)
    """
    k = len(classes)
    weight = None if weights is None else weight_array(weights, len(actual))
    right_a, right_b = predicted_a == actual, predicted_b == actual
    outcome = 4 * actual.astype(np.intp) + 2 * right_a + right_b
    neither, only_b, only_a, both = np.bincount(outcome, weights=weight, minlength=4 * k).reshape(k, 4).T.astype(float)
    tests = tuple(
        mcnemar_of_counts(*counts, level=level) for counts in np.column_stack([both, only_a, only_b, neither]).tolist()
    )
    overall = mcnemar_of_counts(*(float(c.sum()) for c in (both, only_a, only_b, neither)), level=level)
    alike = predicted_a == predicted_b
    ties = float(np.count_nonzero(alike) if weight is None else weight[alike].sum())
    corrected = adjusted([test.p_value for test in tests], correction)
    return Disagreements(tuple(classes), both, only_a, only_b, neither, tests, corrected, overall, ties)


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
