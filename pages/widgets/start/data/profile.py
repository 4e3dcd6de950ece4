"""What the columns in use look like: one line each, and the first rows as they are."""

import pandas as pd
import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import DataSet, counted_note, marked_frame, named_pictures, profile_of
from evalcore.wording import count_text

from ...export.copy_table import show_copy

FIRST_ROWS = 200
LONGEST_CELL = 500


def show_profile(current: Source) -> None:
    """One line per column that has a role: distinct values, missing cells, range and a small distribution.

    Counts are few enough to be shown as they are.
    """
    if current.kind == "counts":
        st.dataframe(marked_frame(current.frame), key="counts", alt="The counts as they were read")
        show_copy(current.frame)
        return
    table = _profile(current.key_of(None), current.dataset)
    if table.empty:
        st.caption("No column has a role yet.")
        return
    st.dataframe(
        table,
        hide_index=True,
        key="profile",
        alt="Each column in use with its distinct values, missing cells, range and distribution",
        column_config={
            "distinct": st.column_config.NumberColumn(format="localized"),
            "missing": st.column_config.NumberColumn(format="localized"),
            "distribution": st.column_config.BarChartColumn(y_min=0, help="24 equal bins, or the most common values"),
        },
    )
    show_copy(table.drop(columns="distribution"))
    if current.dataset.is_counted:
        st.caption(counted_note(current.dataset))


def show_first_rows(current: Source) -> None:
    """The first rows of the table, with what was changed since it was read."""
    first = current.frame.head(FIRST_ROWS)
    texts = {
        str(name): named_pictures(cells).str.slice(0, LONGEST_CELL)
        for name, cells in first.items()
        if cells.dtype == "str"
    }
    st.dataframe(
        marked_frame(first.assign(**texts)),  # an image in a cell may have hundreds of thousands of letters
        hide_index=True,  # it counts from 0, where the findings name the lines of the file
        height=280,
        key="first rows",
        alt="The first rows of the open table",
    )
    show_copy(first.assign(**texts))
    rows = len(current.frame)
    what = "rows of counts" if current.dataset.is_counted else "rows"
    shown = f"The first {count_text(FIRST_ROWS)} of {count_text(rows)} {what}" if rows > FIRST_ROWS else f"All {what}"
    st.caption(f"{shown}, {'with your changes' if current.dataset.shape.steps else 'as they were read'}.")


@st.cache_data(max_entries=32, show_spinner=False)
def _profile(key: str, _dataset: DataSet) -> pd.DataFrame:
    return profile_of(_dataset)
