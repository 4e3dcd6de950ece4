"""Two systems class by class: on which rows only one of them is right."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.labels import weight_array
from evalcore.inference.comparison import Comparison, mcnemar_of_counts
from evalcore.inference.corrections import adjusted
from evalcore.numeric import Array

__all__ = ["Disagreements", "disagreements"]


@dataclass(frozen=True, eq=False)
class Disagreements:
    """The 2×2 tables of McNemar: one for each actual class, and one for all rows.

    Attributes
    ----------
    classes : tuple, length k
    both, only_a, only_b, neither : Array, shape (k,)
        Rows of each actual class that both, one or none of the systems names rightly.
    tests : tuple of Comparison, length k
        McNemar among the rows of each class: B's recall of the class minus A's.
    corrected : Array, shape (k,)
        Their p-values, corrected for the number of classes.
    overall : Comparison
        McNemar over all rows: B's accuracy minus A's.
    ties : float
        Rows on which both systems say the same.
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
        Two for a yes/no question: its tests are those of specificity and recall.
    weights : array_like of float >= 0, shape (n,), optional
        What each row counts; the tests take the sums as rows, rounded.
    level : float
    correction : str
        As `evalcore.inference.adjusted`; a class without rows stays untested and does not count.

    Examples
    --------
    >>> actual = np.array([0] * 8 + [1] * 4)
    >>> a, b = np.array([0] * 2 + [1] * 6 + [1] * 4), np.array([0] * 8 + [1] * 4)
    >>> found = disagreements(actual, a, b, ("no", "yes"))
    >>> found.only_b.tolist(), [test.p_value for test in found.tests], found.ties
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
