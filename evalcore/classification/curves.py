"""The curves of a threshold table: ROC with its hull and its inverse, precision–recall, and the two distributions."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.rates import fall_out, recall
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, at_once, in_blocks, ratio, share_of

__all__ = ["KsCurve", "PrecisionRecallCurve", "RocCurve", "eleven_point_precision", "inverted", "inverted_roc_curve"]
__all__ += ["ks_curve", "precision_recall_curve", "roc_curve", "roc_hull"]

_FEW = 4_000
"""Rows that are visited one by one; of more, those below others are first removed in whole arrays."""


@dataclass(frozen=True, eq=False)
class RocCurve:
    """Points of the ROC curve, from (0, 0) to (1, 1), one per distinct threshold."""

    # Shape (t,): false positive rate and recall, both increasing; nan when the class is absent.
    fpr: Array
    tpr: Array
    thresholds: Array  # shape (t,): those of the table


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Points of the precision–recall curve, one per distinct threshold at which something is called positive.

    There is no invented point at recall 0 with precision 1.
    """

    # Shape (t,): recall increasing; precision as counted.
    recall: Array
    precision: Array
    thresholds: Array  # shape (t,): those of the table without the infinite one

    @property
    def interpolated(self) -> Array:
        """Highest precision at this or any higher recall, shape (t,): the interpolated precision."""
        highest = np.fmax.accumulate(self.precision[::-1])[::-1]
        # Of the points with one recall, which differ in false positives only, the first is the highest.
        starts = np.flatnonzero(np.append(True, self.recall[1:] != self.recall[:-1])[: len(highest)])
        return highest[starts].repeat(np.diff(starts, append=len(highest)))


@dataclass(frozen=True, eq=False)
class KsCurve:
    """The distributions of the scores of the two classes, and where they are furthest apart."""

    # Shape (t,): share of each class with a score < the threshold: cumulative distributions that stand on the left of
    # each step.
    positives_below: Array
    negatives_below: Array
    gap: Array  # shape (t,): negatives below less positives below: TPR − FPR
    # Row of the largest absolute gap, the Kolmogorov–Smirnov statistic; the strictest threshold of those that tie.
    widest: int


def roc_curve(table: ThresholdTable) -> RocCurve:
    """The ROC curve of all thresholds.

    >>> from evalcore.classification import ScoredLabels
    >>> curve = roc_curve(ScoredLabels.from_arrays([1, 0], [0.8, 0.3], positive=1).table())
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0])
    """
    positives, negatives = _totals(table)
    tp, fp = table.counts.tp, table.counts.fp
    fpr, tpr = at_once(lambda: ratio(fp, negatives), lambda: ratio(tp, positives), len(tp))
    return RocCurve(fpr, tpr, table.thresholds)


def inverted(counts: ConfusionCounts) -> ConfusionCounts:
    """The outcomes when all decisions are swapped, positive for negative and negative for positive; of any shape.

    Both rates of the ROC curve become 1 minus themselves: below its diagonal that is the better choice.

    >>> turned = inverted(ConfusionCounts(tp=1, fp=3, fn=4, tn=2))
    >>> float(turned.tp), float(turned.fp), float(turned.fn), float(turned.tn)
    (4.0, 2.0, 1.0, 3.0)
    """
    return ConfusionCounts(tp=counts.fn, fp=counts.tn, fn=counts.tp, tn=counts.fp)


def inverted_roc_curve(table: ThresholdTable) -> RocCurve:
    """The ROC curve of the opposite decision, which calls positive what each threshold called negative.

    It runs from (0, 0) to (1, 1) over the thresholds of the table from the last to the first; its area is 1 − AUC.

    >>> from evalcore.classification import ScoredLabels
    >>> curve = inverted_roc_curve(ScoredLabels.from_arrays([1, 0], [0.3, 0.8], positive=1).table())
    >>> curve.fpr.tolist(), curve.tpr.tolist(), curve.thresholds.tolist()
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.3, 0.8, inf])
    """
    return roc_curve(ThresholdTable(table.thresholds[::-1], inverted(table.counts)[::-1]))


def precision_recall_curve(table: ThresholdTable) -> PrecisionRecallCurve:
    """The precision–recall curve of all finite thresholds.

    >>> from evalcore.classification import ScoredLabels
    >>> curve = precision_recall_curve(ScoredLabels.from_arrays([1, 0], [0.8, 0.3], positive=1).table())
    >>> curve.recall.tolist(), curve.precision.tolist()
    ([1.0, 1.0], [1.0, 0.5])
    """
    tp, fp = table.counts.tp[1:], table.counts.fp[1:]
    precision, recalls = at_once(
        lambda: in_blocks(lambda rows: ratio(tp[rows], tp[rows] + fp[rows]), len(tp)),
        lambda: ratio(tp, _totals(table)[0]),
        len(tp),
    )
    return PrecisionRecallCurve(recalls, precision, table.thresholds[1:])


def interpolated_precision(table: ThresholdTable, levels: npt.ArrayLike) -> Array:
    """Highest precision at any recall of at least each level, of the shape of the levels; nan without positives.

    Levels are the decimals they are written as: 0.7 of 10 positives are 7, whatever floating point makes of it.

    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 0, 1], [0.9, 0.7, 0.5], positive=1).table()
    >>> interpolated_precision(table, [0, 0.5, 0.6]).tolist()
    [1.0, 1.0, 0.6666666666666666]
    """
    wanted = np.asarray(levels, dtype=np.float64)
    if wanted.size and not (wanted.min() >= 0 and wanted.max() <= 1):
        raise ValueError("Recall levels must lie between 0 and 1.")
    positives = _totals(table)[0]
    curve = precision_recall_curve(table)
    if not positives or not len(curve.recall):
        return np.full(wanted.shape, np.nan)
    hits = table.counts.tp[1:]
    whole = bool((hits == np.floor(hits)).all())
    needed = [float(_needed(level, positives, whole)) for level in wanted.ravel().tolist()]
    reached = hits.searchsorted(np.minimum(needed, positives))
    return curve.interpolated[reached].reshape(wanted.shape)


def eleven_point_precision(table: ThresholdTable) -> Array:
    """Interpolated precision at recall 0, 0.1, …, 1, shape (11,)."""
    return interpolated_precision(table, np.round(np.arange(11) / 10, 1))


def ks_curve(table: ThresholdTable) -> KsCurve:
    """Both distributions of the scores at every threshold.

    >>> from evalcore.classification import ScoredLabels
    >>> curve = ks_curve(ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1).table())
    >>> curve.gap.tolist(), curve.widest
    ([0.0, 0.5, 0.0, 0.5, 0.0], 1)
    """
    counts = table.counts
    positives, negatives = _totals(table)
    # The widest row is found in whole counts, where equal gaps are equal.
    gap = counts.tp * negatives - counts.fp * positives
    widest = int(np.argmax(np.abs(gap)))
    return KsCurve(ratio(counts.fn, positives), ratio(counts.tn, negatives), recall(counts) - fall_out(counts), widest)


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
        rows = _above_chords(_hull_of(x, y, np.unique(np.linspace(0, len(rows) - 1, 1000).astype(np.intp))), x, y)
    while len(rows) > _FEW:
        left = _above_neighbours(rows, x, y)
        if len(left) > 0.9 * len(rows):
            break
        rows = left
    return _hull_of(x, y, rows)


def _totals(table: ThresholdTable) -> tuple[float, float]:
    """P and N, the same in every row of the table."""
    end = table.counts[-1]
    return float(end.actual_positives), float(end.actual_negatives)


def _needed(level: float, positives: float, whole: bool) -> Fraction:
    """True positives needed for a recall level, as an exact number; whole where all counts are."""
    exact = share_of(level, positives)
    return Fraction(-(-exact.numerator // exact.denominator)) if whole else exact


def height_at(x: Array, y: Array, positions: Array | float, side: str) -> Array:
    """Height of a curve at some places; where it is vertical, its lower ("left") or upper end."""
    if side == "left":
        after = np.minimum(x.searchsorted(positions, side="left"), len(x) - 1)
        before = np.maximum(after - 1, 0)
        exact, at = x[after] == positions, after
    else:
        before = x.searchsorted(positions, side="right") - 1
        after = np.minimum(before + 1, len(x) - 1)
        exact, at = x[before] == positions, before
    width = np.where(exact, 1.0, x[after] - x[before])
    return np.where(exact, y[at], y[before] + (positions - x[before]) / width * (y[after] - y[before]))


def _above_chords(corners: npt.NDArray[np.intp], x: Array, y: Array) -> npt.NDArray[np.intp]:
    """The corners and the rows that lie above the straight pieces between them."""
    above = [corners]
    for start, end in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
        inside = slice(start + 1, end)
        turn = (x[inside] - x[start]) * (y[end] - y[start]) - (y[inside] - y[start]) * (x[end] - x[start])
        above.append(np.flatnonzero(turn < 0) + start + 1)
    return np.sort(np.concatenate(above))


def _above_neighbours(rows: npt.NDArray[np.intp], x: Array, y: Array) -> npt.NDArray[np.intp]:
    """The rows that lie above the straight line between their two neighbours: no other can be a corner."""
    dx, dy = np.diff(x[rows]), np.diff(y[rows])
    return rows[np.concatenate([[True], dx[:-1] * dy[1:] < dy[:-1] * dx[1:], [True]])]


def _hull_of(x: Array, y: Array, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
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
