"""Two labels per cell: which are true together, and which one is predicted where another is missed."""

import streamlit as st

from evalcore.analyses import GRID, LabelGrid, LabelTable
from evalcore.figures import label_picture
from evalcore.wording import count_text, plain, share_text, short_names

from ...controls.bound import segmented
from ...display.figure import page_ink
from ...export.copy_table import show_copy
from ...session import address
from ..classes.cells import draw_cells, picked_cell

_MISSED, _TOGETHER = "missed and predicted instead", "true together"


def open_grid(table: LabelTable) -> LabelGrid:
    """The grid that is asked for; it stays in the address."""
    st.header("Two labels", anchor=False)
    return LabelGrid(table, segmented("Cells count rows with labels that are", (_MISSED, _TOGETHER), "grid") == _MISSED)


def show_grid(grid: LabelGrid) -> None:
    """Draw the grid; a click on a cell opens its rows, one on a label opens the label."""
    one, two = grid.axes
    alt = f"Rows with two labels, the {one} ones in the lines and the {two} ones in the columns, for "
    alt += f"{len(grid.classes)} labels. Walk with the arrow keys, open a cell with Enter."
    picture = _picture(f"{grid.key}\n{page_ink().paper}", grid)
    draw_cells(picture, grid, picked_cell(grid), (grid.current.system, None), alt, _pick)
    show_copy(grid.columns)
    diagonal = "rows whose label is found" if grid.missed else "rows with the label"
    more = (
        f" Only the {GRID} most frequent labels are drawn." if len(grid.classes) < len(grid.table.sets.classes) else ""
    )
    st.caption(f"On the diagonal: {diagonal}. A row counts in every cell that it fits.{more}")


def show_largest(grid: LabelGrid) -> None:
    """The largest cells off the diagonal."""
    st.markdown("**Most often missed and replaced**" if grid.missed else "**Most often together**")
    if not grid.largest:
        st.caption("No row misses a label and has a wrong one." if grid.missed else "No row has two labels.")
        return
    st.caption("Rows, and their share of the rows with the first label. Click to open.")
    short = short_names(grid.classes)
    with st.container(key="confusions", gap=None):
        for index, (one, two, rows, share) in enumerate(grid.largest):
            arrow = "→" if grid.missed else "and"
            st.button(
                f"**{plain(short[one])} {arrow} {plain(short[two])}** "
                f":small[:gray[{count_text(rows)} · {share_text(share)}]]",
                key=f"pair {index}", type="tertiary", wrap=True, on_click=_pick, args=(one, two),
            )  # fmt: skip


def _pick(one: str | None, two: str | None) -> None:
    if one is not None and two is not None:
        address.put_names("cell", [(one, two)])
    elif name := one or two:
        address.put("system", name)


@st.cache_resource(max_entries=32, show_spinner="Counting pairs of labels …")
def _picture(key: str, _grid: LabelGrid) -> dict:
    return label_picture(_grid.matrix.counts, _grid.shares, _grid.axes, _grid.missed, page_ink())
