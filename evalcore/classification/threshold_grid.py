"""A grid of thresholds: fewer than there are scores, close enough for plots and resampling."""

import numpy as np

from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import in_blocks

__all__ = ["GRID", "threshold_grid"]

GRID = 1000
"""Thresholds of a grid; tables of up to this many distinct scores keep them all."""


def threshold_grid(table: ThresholdTable, most: int = GRID) -> ThresholdTable:
    """Rows of a threshold table that represent all of them.

    Up to `most` distinct scores all rows are kept; of more, those at equal steps of TPR + FPR. From one row to the next
    neither rate changes by more than 2 / `most` plus the weight of one score.

    Parameters
    ----------
    table : ThresholdTable
    most : int
        Distinct scores to keep, at least 2, besides the infinite threshold.

    Returns
    -------
    ThresholdTable
        The first and the last row are always among them.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([0, 1] * 5000, range(10000), positive=1).table()
    >>> len(threshold_grid(table)), threshold_grid(table, 4).thresholds.tolist()
    (1001, [inf, 9999.0, 6666.0, 3333.0, 0.0])
    """
    if len(table) <= most + 1:
        return table
    end = table.counts[-1]
    # If a class is absent, the other one alone tells how far along the curve a row lies.
    positives, negatives = (float(total) or 1.0 for total in (end.actual_positives, end.actual_negatives))
    along = in_blocks(lambda rows: table.counts.tp[rows] / positives + table.counts.fp[rows] / negatives, len(table))
    rows = along[1:].searchsorted(np.linspace(along[1], along[-1], most)) + 1
    rows = np.unique(np.concatenate([[0, 1], np.minimum(rows, len(table) - 1), [len(table) - 1]]))
    return ThresholdTable(table.thresholds[rows], table.counts[rows])
