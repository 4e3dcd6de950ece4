"""Points to plot: the few of a long curve that a picture needs."""

import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from evalcore.classification.detection import probit
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, blocks

__all__ = ["det_points", "drawn_points", "line_points", "roc_points", "step_points"]

FINER = 4
"""How much finer than the picture points are told apart at first: that moves a line by at most √2/12 of a pixel."""

FEW = 300
"""Up to so many corners are all kept."""

TOLERANCE = 0.36
"""Pixels by which a line through fewer points may then leave the others; with the first step less than half a pixel."""


def drawn_points(x: Array, y: Array, pixels: int = 800) -> npt.NDArray[np.intp]:
    """Which points of a curve a picture needs, so that none that is left out moves it by half a pixel.

    The picture is divided into cells of a third of a pixel, and of each run of points inside one cell, or of all in a
    column of that width and height, the first is kept. Every point lies within √2/3 of a pixel of a kept one, and so
    does each piece of the line between two points, straight or stepped. A curve of any length comes down to a few
    points a pixel of its own length: one that rises or falls throughout to six a pixel of the side at most.

    Parameters
    ----------
    x, y : Array, shape (t,)
        On axes of which the picture shows a stretch of 1; points may lie outside of it.
    pixels : int
        Side of the square picture.

    Returns
    -------
    Array of int, ascending
        Rows to draw; the first and the last are always among them.
    """
    if len(x) <= 2 * pixels:
        return np.arange(len(x))
    begins, keep = np.ones(len(x), dtype=bool), np.ones(len(x), dtype=bool)
    for part in blocks(len(x) - 1):
        # Each block with the point before it, so that what is computed of it stays in the cache.
        reach = slice(part.start, part.stop + 1)
        columns, rows = (np.floor(np.nan_to_num(along[reach]) * (3 * pixels)) for along in (x, y))
        begins[1:][part], keep[1:][part] = columns[1:] != columns[:-1], rows[1:] != rows[:-1]
    # Where a column stays within a third of a pixel its first point stands for it, however often it wavers between two
    # cells; elsewhere each cell has its own.
    starts = np.flatnonzero(begins)
    heights = np.nan_to_num(y)
    steep = np.maximum.reduceat(heights, starts) - np.minimum.reduceat(heights, starts) > 1 / (3 * pixels)
    keep &= np.repeat(steep, np.diff(starts, append=len(x)))
    keep[starts] = True
    keep[-1] = True
    return np.flatnonzero(keep)


def line_points(x: Array, y: Array, pixels: int = 800, spacing: float = 2.0) -> npt.NDArray[np.intp]:
    """Which corners of a line a picture needs, so that no part of it moves by half a pixel.

    Where the line is smooth few would do; some more are kept so that there is one to point at nearly everywhere.

    Parameters
    ----------
    x, y : Array, shape (t,)
        Corners of a line with straight pieces, on axes of which the picture shows a stretch of 1; points may lie
        outside of it.
    pixels : int
        Side of the square picture.
    spacing : float
        Pixels of the line, about, from one point to the next where it needs none.

    Returns
    -------
    Array of int, ascending
        Places to draw, all of them where there are at most `FEW`; the first and the last are always among them.

    Examples
    --------
    >>> line = np.linspace(0, 1, 100_000)
    >>> len(line_points(line, line, pixels=500, spacing=100)), len(line_points(line, line**9, 500, 100))
    (9, 26)
    """
    if len(x) <= FEW:
        return np.arange(len(x))
    places = drawn_points(x, y, FINER * pixels)
    return places[_kept(x[places] * pixels, y[places] * pixels, spacing)]


def roc_points(table: ThresholdTable, pixels: int = 800, spacing: float = 2.0) -> npt.NDArray[np.intp]:
    """Rows of a threshold table that the picture of its ROC curve needs, as `line_points`.

    Both counts only grow, so that the first row in each cell of the picture is found by search: a table of ten million
    rows costs no more than a short one.
    """
    tp, fp = table.counts.tp, table.counts.fp
    if len(tp) <= FEW:
        return np.arange(len(tp))
    if not tp[-1] or not fp[-1]:
        return np.array([0, len(tp) - 1])
    # With the row that first reaches all of a class: from there the curve runs along the edge of the picture.
    edges = np.arange(1, 3 * FINER * pixels + 1) / (3 * FINER * pixels)
    rows = np.unique(np.concatenate([[0, len(tp) - 1], *(hits.searchsorted(edges * hits[-1]) for hits in (tp, fp))]))
    return rows[_kept(fp[rows] * (pixels / fp[-1]), tp[rows] * (pixels / tp[-1]), spacing)]


def step_points(table: ThresholdTable, pixels: int = 800) -> npt.NDArray[np.intp]:
    """Rows at which a picture of the counts against the threshold may step, one in each cell of the picture at most.

    Between two of them neither a count nor the threshold moves by more than a cell, a twelfth of a pixel, but at once.
    The infinite threshold is left out.
    """
    edges = np.arange(1, 3 * FINER * pixels + 1) / (3 * FINER * pixels)
    tp, fp = table.counts.tp, table.counts.fp
    if len(tp) <= FEW + 1:
        return np.arange(1, len(tp))
    # In two parts, because the range of the largest scores would overflow.
    scores = table.thresholds[-1] * (1 - edges) + table.thresholds[1] * edges
    found = [hits.searchsorted(edges * hits[-1]) for hits in (tp, fp) if hits[-1]]
    found.append(table.rows(scores))
    rows = np.concatenate([[1, len(tp) - 1], *found])
    return np.unique(np.clip(rows, 1, len(tp) - 1))


def det_points(
    table: ThresholdTable, low: float, high: float, pixels: int = 800, spacing: float = 2.0
) -> npt.NDArray[np.intp]:
    """Rows that the picture of the detection error trade-off needs, as `roc_points`.

    Parameters
    ----------
    table : ThresholdTable
    low, high : float
        Ends of both axes in normal deviates. What lies outside counts as lying on the edge.
    pixels, spacing
        As `line_points`.
    """
    tp, fp = table.counts.tp, table.counts.fp
    if not tp[-1] or not fp[-1]:
        return np.array([0, len(tp) - 1])
    rows = np.arange(len(tp))
    if len(tp) > FEW:
        deviates = np.linspace(low, high, 3 * FINER * pixels + 1)
        edges = np.array([math.erfc(-z / math.sqrt(2)) / 2 for z in deviates.tolist()])
        starts = fp.searchsorted(edges * fp[-1]), tp.searchsorted((1 - edges) * tp[-1])
        rows = np.unique(np.concatenate([[0, len(tp) - 1], *(np.minimum(s, len(tp) - 1) for s in starts)]))
    x, y = (
        (np.clip(probit(rates), low, high) - low) * (pixels / (high - low))
        for rates in (fp[rows] / fp[-1], 1 - tp[rows] / tp[-1])
    )
    return rows if len(tp) <= FEW else rows[_kept(x, y, spacing)]


def _kept(x: Array, y: Array, spacing: float) -> npt.NDArray[np.intp]:
    """Places of a line, in pixels, that hold it within the tolerance, and one in each stretch of the spacing."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    kept = np.diff(np.floor(along / spacing), prepend=-1.0) > 0
    kept[-1] = True
    ends = np.flatnonzero(kept)
    parts = [(start, end) for start, end in pairwise(ends.tolist()) if end - start > 1]
    # Each piece is split where the line leaves its chord the furthest, until it nowhere does (Douglas and Peucker).
    while parts:
        start, end = parts.pop()
        away = _from_chord(x[start : end + 1], y[start : end + 1])
        furthest = int(away.argmax())
        if away[furthest] > TOLERANCE:
            middle = start + furthest
            kept[middle] = True
            parts += [(a, b) for a, b in ((start, middle), (middle, end)) if b - a > 1]
    return np.flatnonzero(kept)


def _from_chord(x: Array, y: Array) -> Array:
    """How far each place of a line lies from the piece between its two ends."""
    right, up = x - x[0], y - y[0]
    length = float(np.hypot(right[-1], up[-1]))
    if not length:
        return np.hypot(right, up)
    ahead = (right * right[-1] + up * up[-1]) / length
    beyond = np.maximum(np.maximum(-ahead, ahead - length), 0.0)
    return np.hypot((up * right[-1] - right * up[-1]) / length, beyond)
