"""The curves of a threshold table: ROC with its hull and its inverse, precision–recall, and the two distributions."""

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.counts import ConfusionCounts, fall_out, recall
from evalcore.classification.binary.scores import ThresholdTable
from evalcore.numeric import Array, Indices, blocks, in_blocks, ratio, share_of

__all__ = ["KsCurve", "PrecisionRecallCurve", "RocCurve", "det_points", "drawn_points", "eleven_point_precision"]
__all__ += ["inverted", "inverted_roc_curve", "ks_curve", "line_points", "precision_recall_curve", "probit"]
__all__ += ["roc_curve", "roc_hull", "roc_points", "step_points"]

_FEW = 4_000  # rows that are visited one by one; of more, those below others are first removed in whole arrays


@dataclass(frozen=True, eq=False)
class RocCurve:
    """Points of the ROC curve, from (0, 0) to (1, 1), one per distinct threshold."""

    # Shape (t,): false positive rate and recall, both increasing; nan when the class is absent.
    fpr: Array
    tpr: Array
    thresholds: Array  # shape (t,): those of the table


@dataclass(frozen=True, eq=False)
class PrecisionRecallCurve:
    """Points of the precision–recall curve, one per finite threshold; none is invented at recall 0 with precision 1."""

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
    """The ROC curve of all thresholds."""
    fp, negatives = table.counts.fp, _totals(table)[1]
    return RocCurve(in_blocks(lambda rows: ratio(fp[rows], negatives), len(fp)), table.recall, table.thresholds)


def inverted(counts: ConfusionCounts) -> ConfusionCounts:
    """The outcomes when all decisions are swapped, positive for negative and negative for positive; of any shape.

    Both rates of the ROC curve become 1 minus themselves: below its diagonal that is the better choice.
    """
    return ConfusionCounts(tp=counts.fn, fp=counts.tn, fn=counts.tp, tn=counts.fp)


def inverted_roc_curve(table: ThresholdTable) -> RocCurve:
    """ROC curve of the inverted decision, which calls positive what each threshold called negative.

    It runs from (0, 0) to (1, 1) over the thresholds of the table from the last to the first; its area is 1 − AUC.
    """
    return roc_curve(ThresholdTable(table.thresholds[::-1], inverted(table.counts)[::-1]))


def precision_recall_curve(table: ThresholdTable) -> PrecisionRecallCurve:
    """The precision–recall curve of all finite thresholds."""
    tp, fp = table.counts.tp[1:], table.counts.fp[1:]
    precision = in_blocks(lambda rows: ratio(tp[rows], tp[rows] + fp[rows]), len(tp))
    return PrecisionRecallCurve(table.recall[1:], precision, table.thresholds[1:])


def interpolated_precision(table: ThresholdTable, levels: npt.ArrayLike) -> Array:
    """Highest precision at any recall of at least each level, of the shape of the levels; nan without positives.

    Levels are the decimals they are written as: 0.7 of 10 positives are 7, whatever floating point makes of it.
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
    exact = [share_of(level, positives) for level in wanted.ravel().tolist()]
    needed = [float(math.ceil(share) if whole else share) for share in exact]
    return curve.interpolated[hits.searchsorted(np.minimum(needed, positives))].reshape(wanted.shape)


def eleven_point_precision(table: ThresholdTable) -> Array:
    """Interpolated precision at recall 0, 0.1, …, 1, shape (11,)."""
    return interpolated_precision(table, np.round(np.arange(11) / 10, 1))


def ks_curve(table: ThresholdTable) -> KsCurve:
    """Cumulative distributions of the scores of both classes at every threshold."""
    counts = table.counts
    positives, negatives = _totals(table)
    # The widest row is found in whole counts, where equal gaps are equal.
    gap = counts.tp * negatives - counts.fp * positives
    widest = int(np.argmax(np.abs(gap)))
    return KsCurve(ratio(counts.fn, positives), ratio(counts.tn, negatives), recall(counts) - fall_out(counts), widest)


def roc_hull(table: ThresholdTable) -> Indices:
    """Rows of a threshold table that are corners of the upper convex hull of its ROC curve, ascending.

    The first and the last row (nothing and everything is called positive) are always among them; a row on a straight
    segment is not. Computed from counts, which are whole numbers and compare exactly.
    """
    x, y = table.counts.fp, table.counts.tp
    rows = np.arange(len(table))
    if len(rows) > _FEW:
        rows = _above_chords(_hull_of(x, y, np.unique(np.linspace(0, len(rows) - 1, 1000).astype(np.intp))), x, y)
    while len(rows) > _FEW:
        # A row on or below the straight line between its two neighbours is no corner.
        dx, dy = np.diff(x[rows]), np.diff(y[rows])
        left = rows[np.concatenate([[True], dx[:-1] * dy[1:] < dy[:-1] * dx[1:], [True]])]
        if len(left) > 0.9 * len(rows):
            break
        rows = left
    return _hull_of(x, y, rows)


def _totals(table: ThresholdTable) -> tuple[float, float]:
    """P and N, the same in every row of the table."""
    end = table.counts[-1]
    return float(end.actual_positives), float(end.actual_negatives)


def height_at(x: Array, y: Array, positions: Array | float, side: str) -> Array:
    """Height of a curve at some places; where it is vertical, its lower ("left") or upper end."""
    is_upper, last = side == "right", len(x) - 1
    at = np.minimum(x.searchsorted(positions, "right" if is_upper else "left") - is_upper, last)
    before, after = (at, np.minimum(at + 1, last)) if is_upper else (np.maximum(at - 1, 0), at)
    exact = x[at] == positions
    width = np.where(exact, 1.0, x[after] - x[before])
    return np.where(exact, y[at], y[before] + (positions - x[before]) / width * (y[after] - y[before]))


def _above_chords(corners: Indices, x: Array, y: Array) -> Indices:
    """The corners and the rows that lie above the straight pieces between them."""
    above = [corners]
    for start, end in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
        inside = slice(start + 1, end)
        turn = (x[inside] - x[start]) * (y[end] - y[start]) - (y[inside] - y[start]) * (x[end] - x[start])
        above.append(np.flatnonzero(turn < 0) + start + 1)
    return np.sort(np.concatenate(above))


def _hull_of(x: Array, y: Array, rows: Indices) -> Indices:
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


# Points are first thinned on a grid this much finer than the pixels: a line moves by at most √2/12 of a pixel.
FINER = 4
FEW = 300  # lines with up to this many corners keep them all
TOLERANCE = 0.36  # pixels by which the thinned line may then miss a point; with the first step less than half a pixel
_NORMAL = NormalDist()


def drawn_points(x: Array, y: Array, pixels: int = 800) -> Indices:
    """Thin the points of a curve so that a plot changes by less than half a pixel; returns the rows to draw.

    The plot is a square of `pixels`, its axes of length 1. It is divided into cells of a third of a pixel, and of each
    run of points inside one cell, or of all in a column of that width and height, the first is kept. Every point lies
    within √2/3 of a pixel of a kept one, and so does each segment of the line between two points, straight or stepped.
    A curve of any size comes down to a few points per pixel of its length: a monotone one to at most six per pixel of
    the side. The first and the last are kept.
    """
    if len(x) <= 2 * pixels:
        return np.arange(len(x))
    begins, keep = np.ones(len(x), dtype=bool), np.ones(len(x), dtype=bool)
    for part in blocks(len(x) - 1):
        # Each block with the point before it, so that the intermediate results stay in the cache.
        reach = slice(part.start, part.stop + 1)
        columns, rows = (np.floor(np.nan_to_num(along[reach]) * (3 * pixels)) for along in (x, y))
        begins[1:][part], keep[1:][part] = columns[1:] != columns[:-1], rows[1:] != rows[:-1]
    # A column no higher than a third of a pixel needs its first point only, however often it changes between two cells;
    # elsewhere each cell has its own.
    starts = np.flatnonzero(begins)
    heights = np.nan_to_num(y)
    steep = np.maximum.reduceat(heights, starts) - np.minimum.reduceat(heights, starts) > 1 / (3 * pixels)
    keep &= np.repeat(steep, np.diff(starts, append=len(x)))
    keep[starts] = True
    keep[-1] = True
    return np.flatnonzero(keep)


def line_points(x: Array, y: Array, pixels: int = 800, spacing: float = 2.0) -> Indices:
    """Thin the corners of a line, as `drawn_points`, so that no part of it moves by half a pixel.

    A smooth line needs few; more are kept, one per `spacing` pixels to hover over. All up to `FEW` stay.
    """
    if len(x) <= FEW:
        return np.arange(len(x))
    points = drawn_points(x, y, FINER * pixels)
    return points[_within_tolerance(x[points] * pixels, y[points] * pixels, spacing)]


def roc_points(table: ThresholdTable, pixels: int = 800, spacing: float = 2.0) -> Indices:
    """Rows of a threshold table that the plot of its ROC curve needs, as `line_points`.

    Both counts only grow, so the first row in each cell of the plot is found by binary search, however long the table.
    """
    tp, fp = table.counts.tp, table.counts.fp
    if len(tp) <= FEW:
        return np.arange(len(tp))
    if not tp[-1] or not fp[-1]:
        return np.array([0, len(tp) - 1])
    # With the row that first reaches all of a class: from there the curve runs along the edge of the plot.
    edges = np.arange(1, 3 * FINER * pixels + 1) / (3 * FINER * pixels)
    rows = np.unique(np.concatenate([[0, len(tp) - 1], *(hits.searchsorted(edges * hits[-1]) for hits in (tp, fp))]))
    return rows[_within_tolerance(fp[rows] * (pixels / fp[-1]), tp[rows] * (pixels / tp[-1]), spacing)]


def step_points(table: ThresholdTable, pixels: int = 800) -> Indices:
    """Rows at which a plot of the counts against the threshold may step, at most one per cell of the plot.

    Between two of them neither a count nor the threshold changes by more than a cell, a twelfth of a pixel, except in
    one step. The infinite threshold is left out.
    """
    edges = np.arange(1, 3 * FINER * pixels + 1) / (3 * FINER * pixels)
    tp, fp = table.counts.tp, table.counts.fp
    if len(tp) <= FEW + 1:
        return np.arange(1, len(tp))
    # In two parts, because the range of the largest scores would overflow.
    scores = table.thresholds[-1] * (1 - edges) + table.thresholds[1] * edges
    steps = [hits.searchsorted(edges * hits[-1]) for hits in (tp, fp) if hits[-1]]
    steps.append(table.rows(scores))
    return np.unique(np.clip(np.concatenate([[1, len(tp) - 1], *steps]), 1, len(tp) - 1))


def det_points(table: ThresholdTable, low: float, high: float, pixels: int = 800, spacing: float = 2.0) -> Indices:
    """Rows that the plot of the detection error trade-off needs, as `roc_points`; low and high are normal deviates."""
    tp, fp = table.counts.tp, table.counts.fp
    if not tp[-1] or not fp[-1]:
        return np.array([0, len(tp) - 1])
    if len(tp) <= FEW:
        return np.arange(len(tp))
    deviates = np.linspace(low, high, 3 * FINER * pixels + 1)
    edges = np.array([math.erfc(-z / math.sqrt(2)) / 2 for z in deviates.tolist()])
    starts = fp.searchsorted(edges * fp[-1]), tp.searchsorted((1 - edges) * tp[-1])
    rows = np.unique(np.concatenate([[0, len(tp) - 1], *(np.minimum(s, len(tp) - 1) for s in starts)]))
    errors = np.array([fp[rows] / fp[-1], 1 - tp[rows] / tp[-1]])
    x, y = (np.clip(probit(errors), low, high) - low) * (pixels / (high - low))
    return rows[_within_tolerance(x, y, spacing)]


def probit(shares: npt.ArrayLike) -> Array:
    """Quantiles of the standard normal distribution, right to 15 digits; nan outside 0 … 1."""
    p = np.asarray(shares, dtype=np.float64)
    deviates = np.asarray(np.select([p == 0, p == 1], [-np.inf, np.inf], np.nan))
    inside = (p > 0) & (p < 1)
    deviates[inside] = [_NORMAL.inv_cdf(share) for share in p[inside].tolist()]
    return deviates


def _within_tolerance(x: Array, y: Array, spacing: float) -> Indices:
    """Points of a line, in pixels, that keep it within the tolerance, and one per spacing."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    chosen = np.diff(np.floor(along / spacing), prepend=-1.0) > 0
    chosen[-1] = True
    ends = np.flatnonzero(chosen)
    parts = [(start, end) for start, end in pairwise(ends.tolist()) if end - start > 1]
    # Each segment is split where the line is farthest from its chord, until none is too far (Douglas and Peucker).
    while parts:
        start, end = parts.pop()
        away = _from_chord(x[start : end + 1], y[start : end + 1])
        furthest = int(away.argmax())
        if away[furthest] > TOLERANCE:
            middle = start + furthest
            chosen[middle] = True
            parts += [(a, b) for a, b in ((start, middle), (middle, end)) if b - a > 1]
    return np.flatnonzero(chosen)


def _from_chord(x: Array, y: Array) -> Array:
    """Distance of each point of a line from the segment between its two ends."""
    right, up = x - x[0], y - y[0]
    length = float(np.hypot(right[-1], up[-1]))
    if not length:
        return np.hypot(right, up)
    ahead = (right * right[-1] + up * up[-1]) / length
    beyond = np.maximum(np.maximum(-ahead, ahead - length), 0.0)
    return np.hypot((up * right[-1] - right * up[-1]) / length, beyond)
