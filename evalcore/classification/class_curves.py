"""One curve for several classes: each class against the rest, macro-averaged or pooled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evalcore.classification.curves import height_at, precision_recall_curve, roc_curve
from evalcore.classification.scores import ScoredLabels, pooled
from evalcore.classification.threshold_table import ThresholdTable, threshold_grid
from evalcore.numeric import Array

__all__ = ["AveragedCurves"]

EXACT_UP_TO = 200_000
"""Corners of all classes together up to which a mean curve keeps every corner of every class."""


@dataclass(frozen=True, eq=False)
class AveragedCurves:
    """The two ways to make one curve of several classes.

    >>> one = ScoredLabels.from_arrays([1, 1, 0, 0], [4, 3, 2, 1], positive=1)
    >>> two = ScoredLabels.from_arrays([1, 0, 1, 0], [4, 3, 2, 1], positive=1)
    >>> [points.tolist() for points in AveragedCurves.of([one, two]).macro_roc]
    [[0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.75, 0.75, 1.0, 1.0]]
    """

    micro: ThresholdTable  # of all classes as one question
    # Shape (m,): x and y of the mean curve, x ascending to 1; empty when it is undefined for every class. Beyond
    # `EXACT_UP_TO` corners each class contributes those of its `threshold_grid`.
    macro_roc: tuple[Array, Array]
    macro_precision_recall: tuple[Array, Array]

    @classmethod
    def of(cls, states: Sequence[ScoredLabels]) -> "AveragedCurves":
        """Average the curves of classes, each one against the rest."""
        tables = [state.table() for state in states]
        return cls(pooled(states).table(), macro_roc_curve(tables), macro_precision_recall_curve(tables))


def macro_roc_curve(tables: Sequence[ThresholdTable]) -> tuple[Array, Array]:
    """Mean recall of the classes at every false positive rate where one of their ROC curves has a corner.

    Where a curve is vertical, both ends are averaged. The area under the mean curve is the mean of the areas (Fawcett
    2006, section 9). Classes without positives or without negatives are left out.
    """
    curves = [roc_curve(table) for table in _sparse(tables)]
    curves = [(curve.fpr, curve.tpr) for curve in curves if not (np.isnan(curve.fpr[-1]) or np.isnan(curve.tpr[-1]))]
    if not curves:
        return np.empty(0), np.empty(0)
    x = np.unique(np.concatenate([fpr for fpr, _ in curves]))
    low, high = (np.mean([height_at(*curve, x, side) for curve in curves], axis=0) for side in ("left", "right"))
    return _both_ends(x, low, high)


def macro_precision_recall_curve(tables: Sequence[ThresholdTable]) -> tuple[Array, Array]:
    """Mean precision of the classes with positives at every recall that one of them reaches.

    Between two of its thresholds each class has the precision of the laxer one; the area under the steps is the mean of
    the average precisions.
    """
    steps = []
    for table in _sparse(tables):
        curve = precision_recall_curve(table)
        if len(curve.recall) and not np.isnan(curve.recall[-1]):
            gained = np.diff(curve.recall, prepend=0.0) > 0
            steps.append((curve.recall[gained], curve.precision[gained]))
    if not steps:
        return np.empty(0), np.empty(0)
    x = np.unique(np.concatenate([recall for recall, _ in steps]))
    heights = [precision[recall.searchsorted(x)] for recall, precision in steps]
    return x, np.mean(heights, axis=0)


def _sparse(tables: Sequence[ThresholdTable]) -> list[ThresholdTable]:
    if sum(map(len, tables)) <= EXACT_UP_TO:
        return list(tables)
    return [threshold_grid(table) for table in tables]


def _both_ends(x: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """One line through the lower and the upper end at each place; one point where they are equal."""
    xs, ys = np.repeat(x, 2), np.column_stack([low, high]).ravel()
    keep = np.ones(len(xs), dtype=bool)
    keep[1::2] = high > low
    return xs[keep], ys[keep]
