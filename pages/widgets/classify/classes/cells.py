"""The matrix of classes, what is picked in it, the rows behind a cell, and the 2×2 of a class against the rest."""

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore.analyses import ClassDifferences, ClassTable, LabelGrid
from evalcore.classification import top_confusions
from evalcore.figures import SHOWN, Look, difference_picture, matrix_description, matrix_picture
from evalcore.inference import IntervalChoice
from evalcore.readers import numbered_rows
from evalcore.wording import count_text, label_text, one_line, plain, share_text, short_names
from pages.widgets.classify.confusion.confusion import show_counts
from pages.widgets.controls.intervals import bound, choose_actual_in_rows, segmented
from pages.widgets.display.figure import ELEMENT, PICTURE, component, page_ink, show_numbered_rows
from pages.widgets.export.downloads import show_copy, show_download
from pages.widgets.session import address

_KEY = "cells"
_SCRIPTS = (ELEMENT, PICTURE, "cells_drawing.js", "cells.js")
_COMPONENT = component("class_cells", __file__, *_SCRIPTS, css="cells.css", html='<div class="cells"></div>')

MOST = 8
"""Confusions that are listed."""


def choose_look() -> Look:
    """Ask what the cells show, how they are shaded and which way the table lies; all of it stays in the address."""
    shown = segmented("Cells show", SHOWN, "show", width="content")
    with st.popover("Shades and sides", key="look", icon=":material/palette:"):
        scale = segmented("Shades", ("linear", "log"), "scale")
        fixed = st.toggle(
            "Shades from 0 to 100 %, whatever occurs", key="fixed", bind="query-params", disabled=shown == SHOWN[0],
            help="For shares: keeps the shades of two pictures comparable.",
        )  # fmt: skip
        actual_in_rows = choose_actual_in_rows()
    errors = st.toggle("Errors only", key="errors", bind="query-params")
    return Look(shown, scale == "log", errors, fixed, actual_in_rows)


def show_cells(table: ClassTable, look: Look, differences: ClassDifferences | None) -> None:
    """Draw the matrix, or the difference of two systems in the same classes; a click picks a cell or a class."""
    theme = page_ink().paper
    compared = "" if differences is None else f"{differences.b}\n{differences.level!r}"
    picture = _picture("\n".join((table.key, repr(look), theme, compared)), table, look, differences)
    cell, name, beside = picked_cell(table), picked_class(table), second_class(table)
    alt = matrix_description(len(table.classes), look, differences is not None)
    draw_cells(picture, table, cell if look.actual_in_rows or cell is None else cell[::-1], (name, beside), alt, _pick)
    if differences is None:
        show_copy(table.columns(look.actual_in_rows))


def draw_cells(
    picture: dict, table: ClassTable | LabelGrid, cell: Sequence[str] | None, marked: Sequence[str | None], alt: str,
    pick: Callable[[str | None, str | None], None],
) -> None:  # fmt: skip
    """Draw a picture of two classes or labels per cell, one cell and the marked names outlined; a click goes to pick.

    The cell is given as in the picture, line first; `pick` gets the actual or first name, then the other.
    """
    indices: dict[str | None, int] = {name: index for index, name in enumerate(table.classes)}
    now = {
        "names": [label_text(name, 80) for name in table.classes],
        # What stands at the sides: one where there is room for it, one where there is not.
        "sides": [list(short_names(table.classes, limit).values()) for limit in (24, 14)],
        "unit": one_line(table.current.unit, 30),
        "picked": None if cell is None else [indices[name] for name in cell],
        "chosen": indices.get(marked[0], -1), "beside": indices.get(marked[1], -1), "alt": alt,
    }  # fmt: skip
    in_rows = picture["axes"][0] != "predicted"
    _COMPONENT(
        key=_KEY,
        data=picture | now,
        on_pick_change=lambda: pick(*table.picked(st.session_state[_KEY].get("pick"), in_rows)),
    )


def picked_cell(table: ClassTable | LabelGrid) -> tuple[str, str] | None:
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


def show_rows(table: ClassTable | LabelGrid) -> None:
    """The rows of the cell that is picked, with a file of them; nothing where no cell is."""
    cell = picked_cell(table)
    if cell is None:
        return
    actual, predicted = cell
    with st.container(border=True, key="rows-behind"):
        count = float(table.matrix.counts[table.classes.index(actual), table.classes.index(predicted)])
        if table.pairs is None:
            st.markdown(
                f"{table.cell_text(actual, predicted, count_text(count))} "
                "The table came in as counts, so the rows behind it are not known."
            )
            _show_close()
            return
        numbers = table.rows_of(actual, predicted)
        data = table.current.dataset
        are_rows = table.pairs.weights is None or data.roles.get("weights_are") == "counts"
        written = count_text(count if are_rows else len(numbers))
        weighted = "" if are_rows else f" ({count_text(count)} by weight)"
        with st.container(horizontal=True, vertical_alignment="center"):
            words = table.cell_text(actual, predicted, written + weighted) + table.current.lines_note
            st.markdown(words, width="stretch")
            if len(numbers):
                rows = lambda: numbered_rows(table.current.frame, numbers)  # noqa: E731
                show_download("These rows as CSV", rows, "rows.csv", "download rows")
            _show_close()
        if len(numbers):
            show_numbered_rows(table.current.frame, numbers, "rows of the cell", "The rows behind the cell", 8, 300)


def _show_close() -> None:
    st.button("Close", key="close the cell", on_click=address.put, args=("cell", None), type="tertiary")


def show_top_confusions(table: ClassTable) -> None:
    """The most frequent errors, the largest first."""
    st.markdown("**Largest confusions**")
    confusions = top_confusions(table.matrix, MOST)
    if not confusions:
        st.caption("Nothing is taken for anything else.")
        return
    st.caption("Actual → predicted, how many, and their share of the actual class. Click to open.")
    with st.container(key="confusions", gap=None):
        short = short_names(table.classes)
        for index, confusion in enumerate(confusions):
            actual, predicted = plain(short[confusion.actual]), plain(short[confusion.predicted])
            st.button(
                f"**{actual} → {predicted}** "
                f":small[:gray[{count_text(confusion.count)} · {share_text(confusion.share)}]]",
                key=f"confusion {index}", type="tertiary", wrap=True,
                on_click=pick_cell, args=(confusion.actual, confusion.predicted),
            )  # fmt: skip


def choose_class(table: ClassTable) -> str:
    """Ask for the class, and for a second one beside it; both stay in the address."""
    first, second = picked_class(table) or table.default_class, second_class(table)
    others = [name for name in table.classes if name != first]
    look = {"format_func": short_names(table.classes).get, "width": 190}
    bound(
        st.selectbox, "Class", "class", first, table.classes,
        write=pick_class, key="class on this page", **look,
    )  # fmt: skip
    bound(
        st.selectbox, "Beside", "beside", second if second in others else None, others,
        index=None, placeholder="no second class", key="second class on this page", **look,
    )  # fmt: skip
    return first


def show_one_vs_rest(table: ClassTable, first: str, intervals: IntervalChoice, actual_in_rows: bool) -> None:
    """The 2×2 of the class, and of the second class where there is one."""
    second = second_class(table)
    if second is None or second == first:
        show_counts(table.one_vs_rest(first), intervals, actual_in_rows, key="frame of a class", fixed=True)
        return
    keys = ("frame of a class", "frame of the second class")
    for column, name, key in zip(st.columns(2, gap="medium"), (first, second), keys, strict=True):
        with column:
            st.markdown(table.one_vs_rest(name).origin)
            show_counts(table.one_vs_rest(name), intervals, actual_in_rows, key=key, fixed=True)
