"""Taking the numbers of a page away: a table for a spreadsheet, and Python that finds the same numbers."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.readers import csv_of

Columns = Mapping[str, Sequence] | pd.DataFrame
Table = Columns | Callable[[], Columns]

PICTURES = "The pictures have a camera at their upper right, which saves them as SVG."


def show_downloads(
    name: str, table: Table, code: str, others: Mapping[str, Table] | None = None, note: str = PICTURES
) -> None:
    """A button for the CSV, and the code to read, copy or save.

    Parameters
    ----------
    name : str
        What the files are called, without an ending.
    table : columns by name, a DataFrame, or a function that makes either
        The numbers, unrounded. A function is called when the button is pressed, and not before.
    code : str
        Python that ends in the same numbers.
    others : mapping of str to table, optional
        More tables by what they are called on their button.
    note : str
        How the pictures are saved.
    """
    with st.expander("Take away", key="downloads"):
        st.caption(note)
        with st.container(horizontal=True):
            st.download_button(
                "Numbers as CSV",
                lambda: csv_of(table() if callable(table) else table),
                f"{name}.csv",
                "text/csv",
                key="download table",
                on_click="ignore",
            )
            for title, other in (others or {}).items():
                st.download_button(
                    f"{title} as CSV",
                    lambda other=other: csv_of(other() if callable(other) else other),
                    f"{name} {title.lower()}.csv",
                    "text/csv",
                    key=f"download {title}",
                    on_click="ignore",
                )
            st.download_button(
                "Python as a file", code, f"{name}.py", "text/x-python", key="download code", on_click="ignore"
            )
        st.code(code)


def show_rows_download(make: Callable[[], pd.DataFrame]) -> None:
    """A button for the CSV of the rows that are shown, made when it is pressed."""
    st.download_button(
        "These rows as CSV", lambda: csv_of(make()), "rows.csv", "text/csv", key="download rows", on_click="ignore"
    )
