"""The matrix of classes on the page: how it is shown, and the cell or class that is picked in it."""

from pathlib import Path

import streamlit as st

from evalcore.analyses import ClassDifferences, ClassTable
from evalcore.figures import SHOWN, Look, difference_picture, matrix_description, matrix_picture
from evalcore.wording import label_text, one_line

from ...controls.bound import segmented
from ...display.figure import page_ink
from ...display.style import ELEMENT
from ...session import address

_FOLDER = Path(__file__).parent
_KEY = "cells"
_COMPONENT = st.components.v2.component(
    "class_cells",
    html='<div class="cells"></div>\n',
    css=(_FOLDER / "cells.css").read_text(encoding="utf-8"),
    js="".join((_FOLDER / name).read_text(encoding="utf-8") for name in (ELEMENT, "cells_drawing.js", "cells.js")),
)


def choose_look() -> Look:
    """Ask what the cells show, how they are shaded and which way the table lies; all of it stays in the address."""
    shown = segmented("Cells show", SHOWN, "show", width="content")
    with st.popover("Shades and sides", key="look", icon=":material/palette:"):
        scale = segmented("Shades", ("linear", "log"), "scale")
        fixed = st.toggle(
            "Shades from 0 to 100 %, whatever occurs", key="fixed", bind="query-params", disabled=shown == SHOWN[0],
            help="For shares: keeps the shades of two pictures comparable.",
        )  # fmt: skip
        side = segmented("In the rows", ("actual", "predicted"), "side")
    errors = st.toggle("Errors only", key="errors", bind="query-params")
    return Look(shown, scale == "log", errors, fixed, side == "actual")


def show_cells(table: ClassTable, look: Look, differences: ClassDifferences | None) -> None:
    """Draw the matrix, or the difference of two systems in the same classes; a click picks a cell or a class."""
    theme = page_ink().paper
    compared = "" if differences is None else f"{differences.b}\n{differences.level!r}"
    picture = _picture("\n".join((table.key, repr(look), theme, compared)), table, look, differences)
    cell, name, beside = picked_cell(table), picked_class(table), second_class(table)
    places = {name: place for place, name in enumerate(table.classes)}
    picked = None if cell is None else [places[cell[0]], places[cell[1]]]
    now = {
        "names": [label_text(name, 80) for name in table.classes], "unit": one_line(table.current.unit, 30),
        "picked": picked if picked is None or look.actual_in_rows else picked[::-1],
        "chosen": places.get(name, -1), "beside": places.get(beside, -1),
        "alt": matrix_description(len(table.classes), look, differences is not None),
    }  # fmt: skip
    _COMPONENT(
        key=_KEY,
        data=picture | now,
        on_pick_change=lambda: _pick(*table.picked(st.session_state[_KEY].get("pick"), look.actual_in_rows)),
    )


def picked_cell(table: ClassTable) -> tuple[str, str] | None:
    """The actual and the predicted class of the cell that is open, if the address names one of this table."""
    lists = address.names("cell")
    if len(lists) == 1 and len(lists[0]) == 2 and set(lists[0]) <= set(table.classes):
        return lists[0]
    address.refuse("cell")
    return None


def picked_class(table: ClassTable) -> str | None:
    """The class that is set against the rest, if one was picked."""
    return address.choice("class", table.classes)


def second_class(table: ClassTable) -> str | None:
    """The class beside it, if there is one."""
    return address.choice("beside", table.classes)


def pick_cell(actual: str, predicted: str) -> None:
    """Open a cell, and with it the collapse of its classes; good as a callback."""
    address.put_names("cell", [(actual, predicted)])
    address.put("class", actual)
    address.put("beside", predicted if predicted != actual else None)


def pick_class(name: str) -> None:
    """Open the collapse of a class; good as a callback."""
    address.put("cell", None)
    address.put("class", name)
    if address.text("beside") == name:
        address.put("beside", None)


def _pick(actual: str | None, predicted: str | None) -> None:
    if actual is not None and predicted is not None:
        pick_cell(actual, predicted)
    elif name := actual or predicted:
        pick_class(name)


# A picture of 500 classes is two megabytes, and only read, so all sessions share it.
@st.cache_resource(max_entries=32, show_spinner=False)
def _picture(key: str, _table: ClassTable, _look: Look, _differences: ClassDifferences | None) -> dict:
    if _differences is not None:
        return difference_picture(_differences.cells, _look, _differences.level, page_ink()) | {
            "note": "A dot marks a difference beyond chance."
        }
    picture = matrix_picture(_table.matrix, _look, page_ink())
    return picture | {"scale": [end | {"words": end["palette"]} for end in picture["scale"]]}
