"""What a goal lays over the surface: ranges that limits forbid, where the best threshold falls, bands, the optimum."""

import math
from collections.abc import Mapping

import numpy as np

from evalcore import Array
from evalcore.analyses import ChoiceCertainty, Scores
from evalcore.classification import ScoreAxis, fall_out, precision, recall

from .columns import codes

_CELLS = 160
"""Little bars in which the resamples are shown."""


def overlay(
    scores: Scores,
    axis: ScoreAxis,
    thresholds: Array,
    allowed: Array | None,
    forbidden: str,
    certainty: ChoiceCertainty | None,
    bands: Mapping[str, tuple[Array, Array]] | None,
    goal_at: float | None,
) -> dict:
    """All of it for the browser; `thresholds` are the stops, from left to right."""
    return {
        "allowed": None if allowed is None else _allowed(axis, thresholds, np.asarray(allowed), forbidden, scores),
        "spread": _spread(axis, certainty) if certainty is not None and certainty.is_defined else None,
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


def _spread(axis: ScoreAxis, certainty: ChoiceCertainty) -> dict:
    places, chosen = axis.places(certainty.thresholds), certainty.shares
    cells = np.minimum((places * _CELLS).astype(int), _CELLS - 1)
    shares = np.bincount(cells, chosen, _CELLS)
    filled = np.flatnonzero(shares)
    # A bar stands where its thresholds do, not at the edge of its cell.
    middle = np.bincount(cells, places * chosen, _CELLS)[filled] / shares[filled]
    return {
        "bars": [[round(x, 5), round(h, 4)] for x, h in zip(middle, shares[filled] / shares.max(), strict=True)],
        "ends": np.round(axis.places(certainty.ends), 5).tolist(),
        "plateau": np.round(axis.places(certainty.bootstrap.plateau), 5).tolist(),
        "title": certainty.title,
        "range": certainty.range_text,
    }


def _goal(scores: Scores, axis: ScoreAxis, threshold: float) -> dict:
    counts = scores.counts_at(threshold)
    values = [float(measure(counts)) for measure in (fall_out, recall, precision)]
    return {
        "x": round(float(axis.places(threshold)), 5),
        "text": scores.text(threshold),
        "point": [None if math.isnan(value) else round(value, 5) for value in values],
    }
