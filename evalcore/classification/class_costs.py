"""Costs of several classes: what each decision costs for each actual class, and the cheapest decision of each row."""

import numpy as np
import numpy.typing as npt

from evalcore.classification.matrix import ConfusionMatrix
from evalcore.classification.probabilities import ProbabilityTable
from evalcore.numeric import Array, over_blocks, ratio

__all__ = ["cheapest_decisions", "mean_cost"]


def cheapest_decisions(table: ProbabilityTable, costs: npt.ArrayLike) -> npt.NDArray[np.intp]:
    """The decision of lowest expected cost for each row, shape (n,): a place in the classes, the first of equal ones.

    It is right on average only if the probabilities are calibrated. Where all errors cost the same it is the most
    probable class.

    Parameters
    ----------
    costs : array_like of float, shape (k, k)
        ``costs[actual, decision]``; negative if it is a gain.

    Raises
    ------
    ValueError
        When the costs are not one finite number per actual class and decision.

    References
    ----------
    C. Elkan (2001). The foundations of cost-sensitive learning. IJCAI, 973–978.

    Examples
    --------
    >>> table = ProbabilityTable.from_arrays(["well", "ill"], [[0.9, 0.1], [0.4, 0.6]], ("well", "ill"))
    >>> cheapest_decisions(table, [[0, 1], [20, 0]]).tolist(), cheapest_decisions(table, [[0, 1], [1, 0]]).tolist()
    ([1, 1], [0, 1])
    """
    matrix = _cost_matrix(costs, len(table.classes))
    parts = over_blocks(lambda rows: (table.probabilities[rows] @ matrix).argmin(axis=1), len(table.actual))
    return np.concatenate([np.zeros(0, dtype=np.intp), *parts]).astype(np.intp)


def mean_cost(matrix: ConfusionMatrix, costs: npt.ArrayLike) -> float:
    """Mean cost per row of the decisions of a square table; nan without rows. Costs as `cheapest_decisions`.

    >>> mean_cost(ConfusionMatrix("ab", [[3, 1], [2, 4]]), [[0, 1], [5, 0]])
    1.1
    """
    return float(ratio((matrix.counts * _cost_matrix(costs, len(matrix.classes))).sum(), matrix.counts.sum()))


def _cost_matrix(costs: npt.ArrayLike, k: int) -> Array:
    matrix = np.asarray(costs, dtype=np.float64)
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise ValueError(f"{k} classes need {k} × {k} finite costs: a row per actual class, a column per decision.")
    return matrix
