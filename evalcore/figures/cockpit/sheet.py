"""The sheet of the cockpit: what stays while the threshold moves, up to 1,001 thresholds, and what a goal adds."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from evalcore.analyses import ChoiceCertainty, Scores, ThresholdChoice
from evalcore.classification import Choice, ScoreAxis, ThresholdTable, score_axis, threshold_grid
from evalcore.figures.cockpit.columns import RATES, codes, columns
from evalcore.figures.cockpit.densities import Drawing, densities
from evalcore.figures.colours import OUTCOMES
from evalcore.inference import IntervalChoice
from evalcore.numeric import Array
from evalcore.registry import METRICS
from evalcore.wording import count_text, level_text, number_text, one_line, outcome_word, rows_text, threshold_text

__all__ = ["NEIGHBOURS", "Sheet", "current_row", "drawn_name", "make_sheet", "overlay"]

NEIGHBOURS = 60
"""Distinct scores on each side of the threshold that go along, where the sheet cannot hold them all, for the keys."""

_BARS = 160
"""Little bars in which the resamples are shown."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """What stays while the threshold moves.

    Its text is JSON for the browser and its name the digest of that; the thresholds of the grid go from left to right.
    """

    name: str
    text: str
    axis: ScoreAxis
    grid: ThresholdTable
    thresholds: Array
    drawing: Drawing
    intervals: IntervalChoice


def make_sheet(scores: Scores, drawing: Drawing, intervals: IntervalChoice) -> Sheet:
    """Draw the sheet of some scores, with intervals of the rates."""
    grid = threshold_grid(scores.table)
    rising = _rising(scores)
    thresholds, axis = grid.thresholds[rising], score_axis(scores.scored, drawing.extent)
    names = one_line(scores.positive, 24), one_line(scores.negative, 24)
    ticks = axis.ticks()
    level, rows = level_text(intervals.level), "effective n" if scores.scored.clusters else "n"
    few = scores.current.few_clusters.replace("with t quantiles on", "t on")  # short, for a phone
    complete = len(grid) == len(scores.table)
    sheet = {
        "stops": columns(scores, axis.x(thresholds), thresholds, grid.counts[rising], drawing.lines, intervals),
        "length": len(thresholds),
        "complete": complete,
        "rows": [] if complete else scores.table.rows(thresholds).tolist(),
        "higher": scores.higher,
        "density": densities(scores.scored, axis, drawing, grid, names),
        "ticks": [[round(float(x), 5), t] for x, t in zip(axis.x(ticks), _tick_texts(ticks), strict=True)],
        "unit": f"{one_line(scores.system, 40)}{', logarithmic' if axis.log else ''}",
        "lines": [{"key": key, "word": drawn_name(key)} for key in drawing.lines],
        "names": names,
        "rates": [{"key": key, "name": METRICS[key].short, "reason": METRICS[key].undefined_when} for key in RATES],
        "words": {cell: [outcome_word(cell, count) for count in (1, 2)] for cell in OUTCOMES},
        "roc": f"ROC · AUC {number_text(METRICS['roc_auc'](scores.scored))}",
        "pr": f"Precision–recall · AP {number_text(METRICS['average_precision'](scores.scored))}",
        "prevalence": codes([scores.prevalence]),
        "reasons": _reasons(scores, names),
        "widest": max((count_text(float(n)) for n in (grid.counts.total[0], grid.counts.tp.max())), key=len),
        "with": f"With {level} intervals ({intervals.method_name}, {rows} in grey{few})",
    }
    text = json.dumps(sheet, ensure_ascii=False, separators=(",", ":"))
    return Sheet(blake2b(text.encode(), digest_size=8).hexdigest(), text, axis, grid, thresholds, drawing, intervals)


def current_row(scores: Scores, threshold: float, sheet: Sheet, neighbours: bool) -> dict:
    """The current threshold on a sheet, and its neighbours where keys move it and the sheet has not every score."""
    table, grid, axis, lines = scores.table, sheet.grid, sheet.axis, sheet.drawing.lines
    row, stop = table.index(threshold), grid.index(threshold)
    counts = scores.scored.counts_at([threshold])
    current = {
        "row": columns(scores, axis.x([threshold]), [threshold], counts, lines, sheet.intervals, resampled=True),
        # Between two scores, or beyond them all, it stands at none of the stops and has the counts of one.
        "exact": bool(table.thresholds[row] == threshold),
        "stop": len(grid) - 1 - stop if scores.higher else stop,
        "place": row,
        "last": len(table) - 1,
    }
    if neighbours and len(grid) < len(table):
        first, last = max(row - NEIGHBOURS, 0), min(row + NEIGHBOURS + 1, len(table))
        near = table.thresholds[first:last][_rising(scores)]
        counts = table.counts[first:last][_rising(scores)]
        current["near"] = columns(scores, axis.x(near), near, counts, lines, sheet.intervals)
        current |= {"first": first, "length": last - first}
    return current


def drawn_name(key: str) -> str:
    """What a measure is called beside its line, and in the address."""
    return METRICS[key].label if METRICS[key].params else METRICS[key].name.lower()


def _rising(scores: Scores) -> slice:
    return slice(None, None, -1) if scores.higher else slice(None)


def _reasons(scores: Scores, names: tuple[str, str]) -> dict[str, str]:
    """Why a curve is not there, by curve."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    if not positives:
        none = f"None of {rows_text(negatives)} is {names[0]}." if negatives else "No row has both a label and a score."
        return dict.fromkeys(("roc", "pr"), none)
    return {} if negatives else {"roc": f"All {count_text(positives)} rows are {names[0]}: no false alarm is possible."}


def _tick_texts(ticks: Array) -> list[str]:
    """The ticks in six digits; with as many decimals each, or all their digits, where those would look alike."""
    labels = [threshold_text(float(tick)) for tick in ticks]
    if len(set(labels)) == len(labels):
        finite = np.isfinite(ticks).all() and not any("e" in text for text in labels)
        decimals = max((len(text.partition(".")[2]) for text in labels), default=0) if finite else 0
        return [f"{tick:.{decimals}f}".replace("-", "−") for tick in ticks] if decimals else labels
    return [repr(float(tick)).replace("-", "−") for tick in ticks]


def overlay(
    sheet: Sheet,
    chosen: ThresholdChoice,
    allowed: Array | None = None,
    certainty: ChoiceCertainty | None = None,
    bands: Mapping[str, tuple[Array, Array]] | None = None,
) -> dict:
    """What the goal adds to a sheet of the scores it was chosen for.

    Allowed are ranges of thresholds, shape (m, 2); the rest is greyed. The certainty says where the best threshold
    falls in resamples. Bands are by the key of a measure, their two ends at the rows of the sheet's grid.
    """
    way = -1 if chosen.scores.higher else 1
    return {
        "allowed": None if allowed is None else _allowed(sheet, chosen, allowed.reshape(-1, 2)),
        "spread": _spread(sheet.axis, certainty) if certainty is not None and certainty.is_defined else None,
        "bands": {key: [codes(end[::way]) for end in ends] for key, ends in (bands or {}).items()},
        "goal": None if chosen.choice is None else _goal(sheet.axis, chosen.scores, chosen.choice),
        "promise": _promised(sheet.axis, chosen),
    }


def _promised(axis: ScoreAxis, chosen: ThresholdChoice) -> dict | None:
    """The ranges in which the limits hold on new rows, with what stands beside them."""
    promise = chosen.promise
    if promise is None or promise.ranges is None:
        return None
    return {"ranges": np.round(axis.x(promise.ranges), 5).tolist(), "words": promise.label}


def _allowed(sheet: Sheet, chosen: ThresholdChoice, ranges: Array) -> dict:
    thresholds, higher = sheet.thresholds, chosen.scores.higher
    low, high = ranges[:, 0], ranges[:, 1]
    # Counts hold from just beyond the next score on the negative side up to the score itself. Ranges rise and are
    # apart, so that the first one that does not end before a threshold is the only one it can lie in.
    index = high.searchsorted(thresholds, side="left" if higher else "right")
    start = np.append(low, np.inf)[index]
    inside = (thresholds > start) if higher else (thresholds >= start)
    # Nothing is positive beyond the last score: a range that holds there goes to the end of the axis.
    shades, end = [], 0.0
    for left, right in [*sheet.axis.x(ranges).tolist(), [1.0, 1.0]]:
        if left > end + 1e-9:
            shades.append([round(end, 5), round(left, 5)])
        end = max(end, right)
    words = f"not allowed: {chosen.forbidden}"
    return {"shades": shades, "inside": "".join("1" if yes else "0" for yes in inside.tolist()), "words": words}


def _spread(axis: ScoreAxis, certainty: ChoiceCertainty) -> dict:
    positions, chosen = axis.x(certainty.thresholds), certainty.shares
    cells = np.minimum((positions * _BARS).astype(int), _BARS - 1)
    shares = np.bincount(cells, chosen, _BARS)
    filled = np.flatnonzero(shares)
    # A bar stands where its thresholds do, not at the edge of its cell.
    middle = np.bincount(cells, positions * chosen, _BARS)[filled] / shares[filled]
    return {
        "bars": [[round(x, 5), round(h, 4)] for x, h in zip(middle, shares[filled] / shares.max(), strict=True)],
        "ends": np.round(axis.x(certainty.ends), 5).tolist(),
        "plateau": np.round(axis.x(certainty.bootstrap.plateau), 5).tolist(),
        "title": certainty.title,
        "range": certainty.range_text,
    }


def _goal(axis: ScoreAxis, scores: Scores, choice: Choice) -> dict:
    values = [float(METRICS[key](choice.counts)) for key in ("fall_out", "recall", "precision")]
    return {
        "x": round(float(axis.x(choice.threshold)), 5),
        "text": scores.text(choice.threshold),
        "point": [None if math.isnan(value) else round(value, 5) for value in values],
    }
