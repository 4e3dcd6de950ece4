"""The largest confusions in words, and the rows behind a cell: which cases are these?"""

import streamlit as st

from evalcore.analyses import ClassTable
from evalcore.classification import top_confusions
from evalcore.readers import numbered_rows
from evalcore.wording import count_text, label_markdown, share_text

from ...display.table import show_numbered_rows
from ...export.downloads import show_download
from ...session import address
from .cells import pick_cell, picked_cell

MOST = 8
"""Confusions that are listed."""


def show_rows(table: ClassTable) -> None:
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
        written = count_text(len(numbers))
        weighted = f" ({count_text(count)} by weight)" if table.pairs.weights is not None else ""
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(table.cell_text(actual, predicted, written + weighted), width="stretch")
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
    found = top_confusions(table.matrix, MOST)
    if not found:
        st.caption("Nothing is taken for anything else.")
        return
    st.caption("Actual → predicted, how many, and their share of the actual class. Click to open.")
    with st.container(key="confusions", gap=None):
        for place, confusion in enumerate(found):
            actual, predicted = label_markdown(confusion.actual, 24), label_markdown(confusion.predicted, 24)
            st.button(
                f"**{actual} → {predicted}** "
                f":small[:gray[{count_text(confusion.count)} · {share_text(confusion.share)}]]",
                key=f"confusion {place}", type="tertiary", wrap=True,
                on_click=pick_cell, args=(confusion.actual, confusion.predicted),
            )  # fmt: skip
