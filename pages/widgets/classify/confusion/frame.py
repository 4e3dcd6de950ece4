"""The 2×2 table in the frame of the textbook: cells that can be typed into, ratios that explain themselves."""

import streamlit as st

from evalcore.analyses import NamedCounts, cells_after_typing
from evalcore.figures import frame_data
from evalcore.inference import IntervalChoice
from evalcore.wording import file_stem, one_line

from ...controls.current_counts import put_cells
from ...display.component import ELEMENT, ENTRY, PICTURE, WORDS, component
from ...export.copy_table import show_copied
from .rows import open_outcome, opened_outcome

_COMPONENT = component(
    "confusion_frame",
    __file__,
    ELEMENT,
    ENTRY,
    PICTURE,
    WORDS,
    "frame.js",
    css="frame.css",
    html='<div class="frame"></div>',
)


def show_frame(
    counted: NamedCounts,
    intervals: IntervalChoice,
    actual_in_rows: bool,
    key: str = "frame",
    fixed: bool = False,
    chosen: str = "precision",
) -> None:
    """Draw the table; a typed cell makes a what-if copy in the address, and where it is fixed nothing can be typed.

    A cell opens the rows behind it, where they are known. `chosen` is the ratio whose formula stands below at first.
    """
    opens = not fixed and counted.pairs is not None
    file = f"confusion matrix {file_stem(counted.positive)}" if fixed else "confusion matrix"
    _COMPONENT(
        key=key,
        data=frame_data(counted, intervals, actual_in_rows)
        | {
            "fixed": fixed,
            "file": file,
            "title": f"Confusion matrix: {one_line(counted.positive, 40)} and {one_line(counted.negative, 40)}",
            "chosen": chosen,
            "opens": opens,
            "opened": opened_outcome() if opens else None,
        },
        on_opened_change=lambda: open_outcome(st.session_state[key]["opened"]),
        on_typed_change=lambda: fixed or put_cells(cells_after_typing(counted.counts, st.session_state[key]["typed"])),
    )
    show_copied(*counted.cells_table(actual_in_rows))
