"""Taking the numbers of a page away: a table for a spreadsheet, and Python that finds the same numbers."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from .escape import spreadsheet_cell


def show_downloads(name: str, table: pd.DataFrame | Callable[[], pd.DataFrame], code: str) -> None:
    """A button for the CSV, and the code to read, copy or save.

    Parameters
    ----------
    name : str
        What the files are called, without an ending.
    table : DataFrame, or a function that makes it
        The numbers, unrounded. A function is called when the button is pressed, and not before.
    code : str
        Python that ends in the same numbers.
    """
    with st.expander("Take away", key="downloads"):
        st.caption("The pictures have a camera at their upper right, which saves them as SVG.")
        with st.container(horizontal=True):
            st.download_button(
                "Numbers as CSV",
                lambda: _csv(table() if callable(table) else table),
                f"{name}.csv",
                "text/csv",
                key="download table",
                on_click="ignore",
            )
            st.download_button(
                "Python as a file", code, f"{name}.py", "text/x-python", key="download code", on_click="ignore"
            )
        st.code(code)


def _csv(table: pd.DataFrame) -> bytes:
    words = table.select_dtypes(exclude="number")
    safe = table.assign(**words.map(spreadsheet_cell)).rename(columns=spreadsheet_cell)
    return safe.to_csv(index=False).encode("utf-8-sig")
