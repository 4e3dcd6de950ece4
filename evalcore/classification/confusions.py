"""Reading a square table: shares instead of counts, the largest confusions, and orders of its classes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.matrix import ConfusionMatrix
from evalcore.classification.rates import recall
from evalcore.numeric import Array, ratio

__all__ = ["Confusion", "order_by_error", "order_by_name", "order_by_size", "shares", "top_confusions"]


@dataclass(frozen=True)
class Confusion:
    """One kind of error.

    Attributes
    ----------
    actual, predicted : object
        Two different classes.
    count : float
        Rows of the one that were called the other.
    share : float
        Their share of the rows of the actual class.
    """

    actual: object
    predicted: object
    count: float
    share: float


def shares(matrix: ConfusionMatrix, of: str) -> Array:
    """The cells as shares, shape (k, k); nan where a row or column is empty.

    Parameters
    ----------
    of : {"actual", "predicted", "all"}
        What the cells of one row, of one column, or of the whole table add up to 1 over.

    Raises
    ------
    ValueError
        For any other word.

    Examples
    --------
    >>> shares(ConfusionMatrix("ab", [[3, 1], [1, 3]]), "actual").tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    axes = {"actual": 1, "predicted": 0, "all": None}
    if of not in axes:
        raise ValueError(f"Shares are taken of 'actual', 'predicted' or 'all', not of {of!r}.")
    return ratio(matrix.counts, matrix.counts.sum(axis=axes[of], keepdims=True))


def top_confusions(matrix: ConfusionMatrix, most: int = 10) -> list[Confusion]:
    """The most frequent errors, the largest first; equal ones in the order of the table.

    >>> worst = top_confusions(ConfusionMatrix(("cat", "fish"), [[4, 1], [6, 2]]), most=1)[0]
    >>> worst.actual, worst.predicted, worst.count, worst.share
    ('fish', 'cat', 6.0, 0.75)
    """
    errors = matrix.counts * (1 - np.eye(len(matrix.classes)))
    order = np.argsort(-errors, axis=None, kind="stable")[:most]
    actual, predicted = np.unravel_index(order, errors.shape)
    of_actual = shares(matrix, "actual")
    return [
        Confusion(matrix.classes[i], matrix.classes[j], float(errors[i, j]), float(of_actual[i, j]))
        for i, j in zip(actual.tolist(), predicted.tolist(), strict=True)
        if errors[i, j] > 0
    ]


def order_by_size(matrix: ConfusionMatrix) -> npt.NDArray[np.intp]:
    """Places of the classes, those with most actual rows first."""
    return np.argsort(-matrix.counts.sum(axis=1), kind="stable")


def order_by_error(matrix: ConfusionMatrix) -> npt.NDArray[np.intp]:
    """Places of the classes, those of lowest recall first; those without an actual row last."""
    recalls = recall(matrix.one_vs_rest())
    return np.argsort(np.where(np.isnan(recalls), np.inf, recalls), kind="stable")


def order_by_name(matrix: ConfusionMatrix) -> npt.NDArray[np.intp]:
    """Places of the classes by name, numbers by size where all are numbers."""
    try:
        keys = [(float(label), str(label)) for label in matrix.classes]
    except (TypeError, ValueError):
        keys = [str(label) for label in matrix.classes]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)
