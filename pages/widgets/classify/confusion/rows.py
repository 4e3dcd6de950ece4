"""The rows behind the 2×2 table: all of a small file with their outcomes, or those of the cell that is open."""

from typing import Any

import numpy as np
import streamlit as st

from evalcore.analyses import CELLS, NamedCounts
from evalcore.readers import numbered_rows
from evalcore.wording import count_text, plain

from ...display.table import show_frame, show_numbered_rows
from ...export.downloads import show_download
from ...session import address
from ...session.current_dataset import opened

_MOST_LISTED = 30
"""Rows up to which a file is listed without being asked for."""


def opened_outcome() -> str | None:
    """The cell whose rows are open."""
    return address.choice("outcome", list(CELLS))


def open_outcome(sent: Any) -> None:
    """Open the rows of a cell, or close them; what comes from a browser may be anything."""
    cell = sent.get("cell") if isinstance(sent, dict) else None
    address.put("outcome", cell if cell in CELLS else None)


def show_outcome_rows(counted: NamedCounts) -> None:
    """The rows of the open cell; where none is open, all rows of a small file, each with its outcome."""
    current = opened()
    cell = opened_outcome() if counted.pairs else None
    few = counted.pairs is not None and float(counted.counts.total) <= _MOST_LISTED
    if current is None or not (cell or few):
        return
    behind = counted.rows_by_outcome()
    if cell:
        _show_cell(counted, cell, behind[cell])
    elif sum(map(len, behind.values())) <= _MOST_LISTED:
        st.markdown("**Each row and how it is counted**")
        numbers = np.concatenate(list(behind.values()))
        order = np.argsort(numbers)
        outcomes = np.repeat([name.upper() for name in behind], [len(rows) for rows in behind.values()])
        frame = numbered_rows(current.frame, numbers[order], **{"counted as": outcomes[order]})
        show_frame(frame, "outcomes", "Each row with its outcome", {}, missing=None)


def _show_cell(counted: NamedCounts, cell: str, numbers: np.ndarray) -> None:
    current = opened()
    frame, count = current.frame, current.dataset.rows_behind(numbers)
    with st.container(border=True, key="rows-behind"):
        with st.container(horizontal=True, vertical_alignment="center"):
            side = counted.positive if cell in ("tp", "fn") else counted.negative
            words = f"**{count_text(count)}** {CELLS[cell]} ({cell.upper()}): actually {plain(side)}."
            st.markdown(words + current.lines_note, width="stretch")
            if len(numbers):
                show_download("These rows as CSV", lambda: numbered_rows(frame, numbers), "rows.csv", "download rows")
            st.button("Close", key="close the cell", on_click=open_outcome, args=(None,), type="tertiary")
        if len(numbers):
            show_numbered_rows(frame, numbers, "rows of the cell", "The rows behind the cell", 8, 300)
