"""What the cockpit runs in the browser: scripts and rules of style, read by the pages and by a report."""

import json
from pathlib import Path

__all__ = [
    "CAMERA",
    "ELEMENT",
    "ENTRY",
    "PICTURE",
    "THRESHOLD",
    "THRESHOLD_STYLE",
    "WIDTHS",
    "cockpit_program",
    "text_of_files",
]

_FOLDER = Path(__file__).with_name("program")
ELEMENT, ENTRY, PICTURE, WIDTHS, CAMERA = (
    str(_FOLDER / name) for name in ("element.js", "entry_link.js", "picture.js", "picture_widths.js", "camera.css")
)
"""What several components share: elements, names of measures as links, a saved picture, widths of words, its button."""

THRESHOLD = (
    ENTRY,
    *(str(_FOLDER / "threshold" / f"{part}.js") for part in "ink axis densities curves drag picture".split()),
)
THRESHOLD_STYLE = str(_FOLDER / "threshold" / "picture.css")
"""Scores of both classes with a line that cuts them and the curves it runs on, as several components draw them."""

_PARTS = tuple(
    str(_FOLDER / f"{part}.js") for part in "columns layout limits spread sweep numbers rows messages keys main".split()
)


def text_of_files(*files: str) -> str:
    """The text of some files as one."""
    return "".join(Path(file).read_text(encoding="utf-8") for file in files)


def cockpit_program() -> tuple[str, str]:
    """The script of the cockpit, a module that exports a function of the component, and its rules of style.

    >>> program, style = cockpit_program()
    >>> program.count("export default"), ".cockpit" in style
    (1, True)
    """
    style = text_of_files(THRESHOLD_STYLE)
    # One program of many files; the rules of style go along, so that a saved picture looks the same.
    program = text_of_files(ELEMENT, PICTURE, WIDTHS, *THRESHOLD, *_PARTS)
    return f"{program}\nconst STYLE = {json.dumps(style)}\n", style + text_of_files(CAMERA)
