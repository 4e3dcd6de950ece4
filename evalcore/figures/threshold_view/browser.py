"""Threshold view in the browser: its program, the overlay of goals and pins, and the view in a file alone."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalcore.analyses import ChoiceCertainty, Pinned, Scores, ThresholdChoice
from evalcore.classification import Choice, ScoreAxis
from evalcore.figures.theme import OUTCOMES, Ink, ink
from evalcore.figures.threshold_view.view import Shaking, ThresholdView, changes, codes, current_row
from evalcore.numeric import Array
from evalcore.registry import METRICS
from evalcore.wording import count_text

__all__ = ["CAMERA", "ELEMENT", "GRID", "PICTURE", "THRESHOLD", "THRESHOLD_STYLE", "WORDS", "alone_program"]
__all__ += ["hands_note", "overlay", "pin_changes", "script_of", "text_of_files", "view_alone", "view_ink"]
__all__ += ["view_program"]

_BARS = 160  # little bars in which the resamples are shown


def overlay(
    view: ThresholdView, chosen: ThresholdChoice, allowed: Array | None = None,
    certainty: ChoiceCertainty | None = None,
    bands: Mapping[str, tuple[Array, Array]] | None = None, pins: Sequence[Pinned] = (),
) -> dict:  # fmt: skip
    """Overlay of a goal: best threshold, forbidden thresholds, spread over resamples, bands and limits on new rows.

    ``allowed`` holds ranges of thresholds, shape (m, 2); the rest is greyed. ``bands`` maps the key of a measure to
    the lower and upper ends at the rows of the view's grid. The first of the pins is the one that numbers are compared
    with.
    """
    way, promise, promised = -1 if chosen.scores.higher else 1, chosen.promise, None
    if promise is not None and promise.ranges is not None:
        promised = {"ranges": _places(view.axis, promise.ranges), "words": promise.label}
    return {
        "allowed": None if allowed is None else _allowed(view, chosen, allowed.reshape(-1, 2)),
        "spread": _spread(view.axis, certainty) if certainty is not None and certainty.is_defined else None,
        "bands": {key: [codes(end[::way]) for end in ends] for key, ends in (bands or {}).items()},
        "goal": None if chosen.choice is None else _goal(view.axis, chosen.scores, chosen.choice),
        "promise": promised,
        "cost": _cost(view.axis, chosen),
    } | ({"pins": [_ghost(view.axis, one) for one in pins]} if pins else {})


def pin_changes(view: ThresholdView, pin: Pinned) -> dict:
    """Differences to a pin at every threshold of a view: they are sent once, beside the view."""
    counts = view.grid.counts[:: -1 if view.axis.higher else 1]
    return changes(counts, pin.counts, view.drawing.lines)


def _ghost(axis: ScoreAxis, pin: Pinned) -> dict:
    """Name of a pin, its place on the axis of its own scores, and its points on the curves."""
    return {
        "name": pin.label,
        "t": pin.scores.text(pin.pin.threshold) if pin.is_here else None,
        "x": _places(axis, pin.pin.threshold) if pin.is_shown else None,
        "at": {key: _known(float(METRICS[key](pin.counts))) for key in ("fall_out", "recall", "precision")},
    }


def _known(value: float) -> float | None:
    """A value in five decimals; None for nan, which a browser refuses."""
    return None if math.isnan(value) else round(value, 5)


def _places(axis: ScoreAxis, thresholds: npt.ArrayLike) -> list:
    return np.round(axis.x(thresholds), 5).tolist()


def _cost(axis: ScoreAxis, chosen: ThresholdChoice) -> dict | None:
    """Costs of a goal of lowest cost, the thresholds that are nearly as cheap, and the least cost in words."""
    if (cost := chosen.least_cost) is None:
        return None
    return {
        "each": cost.each, "price": cost.price, "amounts": cost.goal.priced is not None,
        "near": _places(axis, cost.near), "words": cost.words, "risk": cost.risk_text,
    }  # fmt: skip


def _allowed(view: ThresholdView, chosen: ThresholdChoice, ranges: Array) -> dict:
    thresholds, higher = view.thresholds, chosen.scores.higher
    low, high = ranges[:, 0], ranges[:, 1]
    # Counts hold from just beyond the next score on the negative side up to the score itself. Ranges rise and are
    # apart, so that the first one that does not end before a threshold is the only one it can lie in.
    index = high.searchsorted(thresholds, side="left" if higher else "right")
    start = np.append(low, np.inf)[index]
    inside = (thresholds > start) if higher else (thresholds >= start)
    # Nothing is positive beyond the last score: a range that holds there goes to the end of the axis.
    shades, end = [], 0.0
    for left, right in [*view.axis.x(ranges).tolist(), [1.0, 1.0]]:
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
        "ends": _places(axis, certainty.ends),
        "plateau": _places(axis, certainty.bootstrap.plateau), "title": certainty.title, "range": certainty.range_text,
    }  # fmt: skip


def _goal(axis: ScoreAxis, scores: Scores, choice: Choice) -> dict:
    point = [_known(float(METRICS[key](choice.counts))) for key in ("fall_out", "recall", "precision")]
    return {"x": _places(axis, choice.threshold), "text": scores.text(choice.threshold), "point": point}


_FOLDER = Path(__file__).with_name("program")

# Files of several programs: elements and hands on them, tables, saved pictures, rules of style, numbers as text.
ELEMENT, GRID, PICTURE, CAMERA, WORDS = (
    str(_FOLDER / name) for name in ("element.js", "grid.js", "picture.js", "shared.css", "words.js")
)
THRESHOLD = tuple(str(_FOLDER / f"{part}.js") for part in ("drawing", "drag"))

# Scores of both classes with a line that cuts them and the curves it runs on, as several components draw them.
THRESHOLD_STYLE = str(_FOLDER / "view.css")
_PARTS = tuple(str(_FOLDER / f"{part}.js") for part in ("layout", "numbers", "shake", "costs", "main"))


def text_of_files(*files: str) -> str:
    """Concatenate the text of files."""
    return "".join(Path(file).read_text(encoding="utf-8") for file in files)


def view_program() -> tuple[str, str]:
    """JavaScript module of the threshold view, which exports the function of its component, and its style sheet."""
    style = text_of_files(THRESHOLD_STYLE)
    # One program of many files; the rules of style go along, so that a saved picture looks the same.
    program = text_of_files(ELEMENT, PICTURE, *THRESHOLD, WORDS, *_PARTS)
    return f"{program}\nconst STYLE = {json.dumps(style)}\n", style + text_of_files(CAMERA)


def script_of(program: str) -> str:
    """A component's module as the beginning of a plain script, in which its function is called `drawView`."""
    return program.replace("export default function", "const drawView = function")


def alone_program() -> str:
    """JavaScript of the threshold view without a server: `showThresholdView(place, data, tell)`."""
    program, style = view_program()
    return f"{script_of(program)}\nconst VIEW_STYLE = {json.dumps(style)}\n{text_of_files(str(_FOLDER / 'alone.js'))}"


def view_alone(
    scores: Scores, threshold: float, view: ThresholdView, chosen: ThresholdChoice, pins: Sequence[Pinned] = (),
    shaking: Shaking | None = None,
) -> dict:  # fmt: skip
    """Data of a threshold view without a server: keys step through its thresholds, and only numbers can be typed."""
    drawn = json.loads(view.text)
    if pins:
        drawn["stops"]["changes"] = pin_changes(view, pins[0])
    drawn.pop("amounts", None)  # another column needs a server
    typed = "Type a number: the line goes to the nearest threshold of this view"
    drawn |= {"complete": True, "rows": [], "typed": typed}
    lines, turned = len(view.drawing.lines), scores.current.actual_in_rows
    return {
        "view": drawn,
        "over": overlay(view, chosen, chosen.allowed, pins=pins),
        "now": current_row(scores, threshold, view, neighbours=False, pin=pins[0].counts if pins else None),
        "inks": [view_ink(ink(dark), lines, turned) for dark in (False, True)],
        "shake": shaking and vars(shaking),
    }


def hands_note(view: ThresholdView, scores: Scores, what: str = "view") -> tuple[str, str]:
    """Sentences below a view without a server: how its line is moved, and how many of the thresholds it holds."""
    stops, all_of = len(view.grid), len(scores.table)
    held = f"all {count_text(stops)} thresholds"
    if stops < all_of:
        held = f"{count_text(stops)} of {count_text(all_of)} thresholds, with exact counts at each"
    hands = "Drag the line, a ring or a cell of the table; arrow keys move it by one step."
    return hands, f"The {what} holds {held}."


def view_ink(colours: Ink, lines: int, turned: bool) -> dict:
    """Colours of the threshold view with ``lines`` measures; if ``turned``, actual classes are in the rows."""
    named = {name: getattr(colours, name) for name in ("text", "grey", "grid", "accent", "paper")}
    named |= OUTCOMES | {f"{cell}-word": colour for cell, colour in colours.words.items()}
    return {"colours": named, "lines": [colours.system(index) for index in range(lines)], "turned": turned}
