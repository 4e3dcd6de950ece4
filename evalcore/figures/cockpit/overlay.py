"""What a goal lays over the cockpit: ranges that limits forbid, where the best threshold falls, bands, the optimum."""

import math
from collections.abc import Mapping

import numpy as np

from evalcore.analyses import ChoiceCertainty, Scores, ThresholdChoice
from evalcore.classification import Choice, ScoreAxis, fall_out, precision, recall
from evalcore.figures.cockpit.columns import codes
from evalcore.figures.cockpit.sheet import Sheet
from evalcore.numeric import Array

__all__ = ["overlay"]

_BARS = 160
"""Little bars in which the resamples are shown."""


def overlay(
    sheet: Sheet,
    chosen: ThresholdChoice,
    allowed: Array | None = None,
    certainty: ChoiceCertainty | None = None,
    bands: Mapping[str, tuple[Array, Array]] | None = None,
) -> dict:
    """What the goal adds to a sheet of the scores it was chosen for.

    Parameters
    ----------
    allowed : Array, shape (m, 2), optional
        Ranges of thresholds that limits allow; the rest is greyed.
    certainty : ChoiceCertainty, optional
        Where the best threshold falls in resamples.
    bands : mapping of str to (Array, Array), optional
        By key of a measure the ends of its band, at the rows of the sheet's grid.
    """
    way = -1 if chosen.scores.higher else 1
    return {
        "allowed": None if allowed is None else _allowed(sheet, chosen, allowed.reshape(-1, 2)),
        "spread": _spread(sheet.axis, certainty) if certainty is not None and certainty.is_defined else None,
        "bands": {key: [codes(end[::way]) for end in ends] for key, ends in (bands or {}).items()},
        "goal": None if chosen.choice is None else _goal(sheet.axis, chosen.scores, chosen.choice),
    }


def _allowed(sheet: Sheet, chosen: ThresholdChoice, ranges: Array) -> dict:
    thresholds, higher = sheet.thresholds, chosen.scores.higher
    low, high = ranges[:, 0], ranges[:, 1]
    # Counts hold from just beyond the next score on the negative side up to the score itself. Ranges rise and are
    # apart, so that the first one that does not end before a threshold is the only one it can lie in.
    place = high.searchsorted(thresholds, side="left" if higher else "right")
    start = np.append(low, np.inf)[place]
    inside = (thresholds > start) if higher else (thresholds >= start)
    # Nothing is positive beyond the last score: a range that holds there goes to the end of the axis.
    shades, end = [], 0.0
    for left, right in [*sheet.axis.places(ranges).tolist(), [1.0, 1.0]]:
        if left > end + 1e-9:
            shades.append([round(end, 5), round(left, 5)])
        end = max(end, right)
    words = f"not allowed: {chosen.forbidden}"
    return {"shades": shades, "inside": "".join("1" if yes else "0" for yes in inside.tolist()), "words": words}


def _spread(axis: ScoreAxis, certainty: ChoiceCertainty) -> dict:
    places, chosen = axis.places(certainty.thresholds), certainty.shares
    cells = np.minimum((places * _BARS).astype(int), _BARS - 1)
    shares = np.bincount(cells, chosen, _BARS)
    filled = np.flatnonzero(shares)
    # A bar stands where its thresholds do, not at the edge of its cell.
    middle = np.bincount(cells, places * chosen, _BARS)[filled] / shares[filled]
    return {
        "bars": [[round(x, 5), round(h, 4)] for x, h in zip(middle, shares[filled] / shares.max(), strict=True)],
        "ends": np.round(axis.places(certainty.ends), 5).tolist(),
        "plateau": np.round(axis.places(certainty.bootstrap.plateau), 5).tolist(),
        "title": certainty.title,
        "range": certainty.range_text,
    }


def _goal(axis: ScoreAxis, scores: Scores, choice: Choice) -> dict:
    values = [float(measure(choice.counts)) for measure in (fall_out, recall, precision)]
    return {
        "x": round(float(axis.places(choice.threshold)), 5),
        "text": scores.text(choice.threshold),
        "point": [None if math.isnan(value) else round(value, 5) for value in values],
    }
