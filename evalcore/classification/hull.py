"""The upper convex hull of the ROC curve: the thresholds that are the cheapest for some costs."""

import numpy as np
import numpy.typing as npt

from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array

__all__ = ["roc_hull"]

_FEW = 4_000
"""Rows that are visited one by one; of more, those below others are first removed in whole arrays."""


def roc_hull(table: ThresholdTable) -> npt.NDArray[np.intp]:
    """Rows of a threshold table that are corners of the upper convex hull of its ROC curve.

    Computed from counts, which are whole numbers and compare exactly; a hull is the same on any scale of its axes.

    Returns
    -------
    Array of int, ascending
        The first and the last row (nothing and everything is called positive) are always among them. A row on a
        straight segment between two corners is not.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1], positive=1).table()
    >>> table.thresholds[roc_hull(table)].tolist()
    [inf, 0.9, 0.6, 0.1]
    """
    x, y = table.counts.fp, table.counts.tp
    rows = np.arange(len(table))
    if len(rows) > _FEW:
        rows = _above(_chain(x, y, np.unique(np.linspace(0, len(rows) - 1, 1000).astype(np.intp))), x, y)
    while len(rows) > _FEW:
        left = _bulging(rows, x, y)
        if len(left) > 0.9 * len(rows):
            break
        rows = left
    return _chain(x, y, rows)


def _above(corners: npt.NDArray[np.intp], x: Array, y: Array) -> npt.NDArray[np.intp]:
    """The corners and the rows that lie above the straight pieces between them."""
    above = [corners]
    for start, end in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
        inside = slice(start + 1, end)
        turn = (x[inside] - x[start]) * (y[end] - y[start]) - (y[inside] - y[start]) * (x[end] - x[start])
        above.append(np.flatnonzero(turn < 0) + start + 1)
    return np.sort(np.concatenate(above))


def _bulging(rows: npt.NDArray[np.intp], x: Array, y: Array) -> npt.NDArray[np.intp]:
    """The rows that lie above the straight line between their two neighbours: no other can be a corner."""
    dx, dy = np.diff(x[rows]), np.diff(y[rows])
    return rows[np.concatenate([[True], dx[:-1] * dy[1:] < dy[:-1] * dx[1:], [True]])]


def _chain(x: Array, y: Array, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Corners of the hull of some rows, from left to right."""
    corners: list[tuple[float, float, int]] = []
    for point in zip(x[rows].tolist(), y[rows].tolist(), rows.tolist(), strict=True):
        while len(corners) > 1:
            (x0, y0, _), (x1, y1, _) = corners[-2:]
            if (x1 - x0) * (point[1] - y0) < (y1 - y0) * (point[0] - x0):
                break
            corners.pop()
        corners.append(point)
    return np.array([row for _, _, row in corners], dtype=np.intp)
