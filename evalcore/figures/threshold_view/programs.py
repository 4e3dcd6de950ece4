"""The program of the threshold view in the browser, and its data where there is no server."""

import json
from collections.abc import Sequence
from pathlib import Path

from evalcore.analyses import Pinned, Scores, ThresholdChoice
from evalcore.figures.theme import OUTCOMES, Ink, ink
from evalcore.figures.threshold_view.overlays import overlay, pin_changes
from evalcore.figures.threshold_view.shaking import Shaking
from evalcore.figures.threshold_view.view import ThresholdView, current_row
from evalcore.wording import count_text

__all__ = ["CAMERA", "ELEMENT", "PICTURE", "THRESHOLD", "THRESHOLD_STYLE", "WORDS"]
__all__ += ["alone_program", "hands_note", "script_of", "text_of_files", "view_alone", "view_ink", "view_program"]

_FOLDER = Path(__file__).with_name("program")

ELEMENT, PICTURE, CAMERA, WORDS = (
    str(_FOLDER / name) for name in ("element.js", "picture.js", "shared.css", "words.js")
)
"""Files of several programs: elements and hands on them, saved pictures, rules of style, numbers as text."""

THRESHOLD = tuple(str(_FOLDER / f"{part}.js") for part in ("drawing", "drag"))

THRESHOLD_STYLE = str(_FOLDER / "view.css")
"""Scores of both classes with a line that cuts them and the curves it runs on, as several components draw them."""

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
