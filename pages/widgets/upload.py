"""Taking a table in: a file, or text that was pasted. What fails leaves open what was open."""

import pyarrow
import streamlit as st

from evalcore.readers import ReadProblem, read_table

from .escape import plain
from .opened import store

_PROBLEM, _ROUND = "upload problem", "upload round"


def choose_upload(key: str, label: str = "Open a file") -> None:
    """A place to drop a file. The table is stored and opened; the browser's copy is let go of at once."""
    # A new key empties the widget, and only an emptied widget frees the bytes it holds.
    file = st.file_uploader(label, key=f"upload {key} {_round()}", help=_HELP)
    if file is not None:
        _take(file.getvalue(), file.name)
    show_problem()


def choose_pasted(key: str) -> None:
    """A field to paste a table into, from a spreadsheet or a text."""
    with st.form(f"paste {key}", border=False):
        text = st.text_area(
            "Paste a table with a line of names",
            key=f"pasted {key} {_round()}",
            height=140,
            placeholder="actual\tscore\nill\t0.91\nwell\t0.20",
        )
        pressed = st.form_submit_button("Open this table")
    if pressed:
        _take(text.encode(), "pasted table.csv")
    show_problem()


def show_problem() -> None:
    """Say once why the last table could not be opened."""
    problem = st.session_state.pop(_PROBLEM, None)
    if problem is not None:
        st.error(plain(problem, limit=600), icon=":material/error:")


_HELP = (
    "CSV, TSV, Excel or Parquet, also .gz and .zip. A row a case: the true label beside a predicted label, a score or "
    "the probability of each class. Or counts: TP, FP, FN, TN, or a square matrix."
)


def _take(content: bytes, name: str) -> None:
    try:
        with st.spinner("Reading the table …"):
            store(read_table(content, name))
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
    st.session_state[_ROUND] = _round() + 1
    # Parsing took several times the size of the file, and Arrow would keep that for the next file.
    pyarrow.default_memory_pool().release_unused()
    st.rerun()


def _round() -> int:
    return st.session_state.get(_ROUND, 0)
