"""Taking the numbers of a page away: a table for a spreadsheet, and Python that finds the same numbers."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import streamlit as st

from evalcore.readers import csv_of
from evalcore.wording import file_stem

from ..session.current_dataset import opened

Columns = Mapping[str, Sequence] | pd.DataFrame
Table = Columns | Callable[[], Columns]

_MIMES = {"csv": "text/csv", "json": "application/json", "py": "text/x-python", "txt": "text/plain"}

_PICTURE = "picture format"


def show_downloads(name: str, table: Table, code: str, others: Mapping[str, Table] | None = None) -> None:
    """A button for the CSV of a table (unrounded; a function makes it when the button is pressed), and for the code.

    Others are more tables, by what they are called on their button.
    """
    with st.expander("Take away", key="downloads"):
        choose_picture_format()
        with st.container(horizontal=True):
            show_download("Numbers as CSV", table, f"{name}.csv", "download table")
            for title, other in (others or {}).items():
                show_download(f"{title} as CSV", other, f"{name} {title.lower()}.csv", f"download {title}")
            show_download("Python as a file", code, f"{name}.py", "download code")
        st.code(code)


def choose_picture_format() -> None:
    """Say how pictures are saved, and ask as what."""
    st.caption("Every picture has a camera at its upper right, which saves it.")
    st.segmented_control(
        "The cameras save", ("SVG", "PNG"), default="SVG", key=_PICTURE, required=True, persist_state="session"
    )


def picture_format() -> str:
    """What the cameras of pictures save, as the ending of a file."""
    return st.session_state.get(_PICTURE, "SVG").lower()


def show_download(label: str, content: str | Table | Callable[[], str], file: str, key: str) -> None:
    """A button for a file: a text, or a table as CSV; a function is called when the button is pressed.

    The name of the open data set stands before that of the file.
    """

    def made() -> str | bytes:
        value = content() if callable(content) else content
        return value if isinstance(value, str) else csv_of(value)

    if (current := opened()) is not None:
        file = f"{file_stem(current.title)} {file}"
    mime = _MIMES[file.rpartition(".")[2]]
    st.download_button(label, content if isinstance(content, str) else made, file, mime, key=key, on_click="ignore")
