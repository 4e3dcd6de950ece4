"""What a goal lays over the surface: ranges that limits forbid, where the best threshold falls, bands, the optimum."""

import math
from collections.abc import Mapping
from typing import Protocol

import numpy as np

from evalcore import Array
from evalcore.analyses import Scores
from evalcore.classification import ScoreAxis, fall_out, precision, recall

from .columns import codes

_CELLS = 160
"""Little bars in which the resamples are shown."""


class Spread(Protocol):
    """Where a rule's threshold falls when the rows are drawn again.

    Attributes
    ----------
    thresholds, shares : Array, shape (b,)
        Thresholds of the file, and the share of the resamples that chose each; the shares sum to 1.
    low, high : float
        Between them lie the middle two thirds.
    plateau : Array, shape (m, 2)
        Ranges of thresholds that are about as good.
    title : str
        What the bars are.
    words : str
        What they say: "two resamples in three choose 0.21 – 0.32".
    """

    thresholds: Array
    shares: Array
    low: float
    high: float
    plateau: Array
    title: str
    words: str


def overlay(
    scores: Scores,
    axis: ScoreAxis,
    thresholds: Array,
    allowed: Array | None,
    forbidden: str,
    spread: Spread | None,
    bands: Mapping[str, tuple[Array, Array]] | None,
    goal_at: float | None,
) -> dict:
    """All of it for the browser; `thresholds` are the stops, from left to right."""
    return {
        "allowed": None if allowed is None else _allowed(axis, thresholds, np.asarray(allowed), forbidden, scores),
        "spread": None if spread is None else _spread(scores, axis, spread),
        "bands": {
            key: [codes(np.asarray(bound)[:: -1 if scores.higher else 1]) for bound in bounds]
            for key, bounds in (bands or {}).items()
        },
        "goal": None if goal_at is None or math.isnan(goal_at) else _goal(scores, axis, goal_at),
    }


def _allowed(axis: ScoreAxis, thresholds: Array, ranges: Array, forbidden: str, scores: Scores) -> dict:
    ranges = ranges.reshape(-1, 2)
    low, high = ranges[:, 0], ranges[:, 1]
    # Counts hold from just beyond the next score on the negative side up to the score itself. Ranges rise and are
    # apart, so that the first one that does not end before a threshold is the only one it can lie in.
    place = high.searchsorted(thresholds, side="left" if scores.higher else "right")
    start = np.append(low, np.inf)[place]
    inside = (thresholds > start) if scores.higher else (thresholds >= start)
    places = axis.places(ranges)
    # Nothing is positive beyond the last score: a range that holds there goes to the end of the axis.
    shades, start = [], 0.0
    for left, right in places.tolist():
        if left > start + 1e-9:
            shades.append([round(start, 5), round(left, 5)])
        start = max(start, right)
    if start < 1 - 1e-9:
        shades.append([round(start, 5), 1.0])
    return {
        "shades": shades,
        "inside": "".join("1" if yes else "0" for yes in inside.tolist()),
        "words": f"not allowed: {forbidden}",
    }


def _spread(scores: Scores, axis: ScoreAxis, spread: Spread) -> dict:
    places = axis.places(spread.thresholds)
    cells = np.minimum((places * _CELLS).astype(int), _CELLS - 1)
    shares = np.bincount(cells, np.asarray(spread.shares, dtype=np.float64), _CELLS)
    filled = np.flatnonzero(shares)
    # A bar stands where its thresholds do, not at the edge of its cell.
    middle = np.bincount(cells, places * spread.shares, _CELLS)[filled] / shares[filled]
    ends = sorted((spread.low, spread.high))
    return {
        "bars": [[round(x, 5), round(h, 4)] for x, h in zip(middle, shares[filled] / shares.max(), strict=True)],
        "ends": [round(float(x), 5) for x in axis.places(ends)],
        "plateau": [[round(float(x), 5) for x in axis.places(part)] for part in np.reshape(spread.plateau, (-1, 2))],
        "title": spread.title,
        "range": spread.words,
    }


def _goal(scores: Scores, axis: ScoreAxis, threshold: float) -> dict:
    counts = scores.counts_at(threshold)
    values = [float(measure(counts)) for measure in (fall_out, recall, precision)]
    return {
        "x": round(float(axis.places(threshold)), 5),
        "text": scores.text(threshold),
        "point": [None if math.isnan(value) else round(value, 5) for value in values],
    }
