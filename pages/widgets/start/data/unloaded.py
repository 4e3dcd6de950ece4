"""Tables that are not loaded: the door by a path, and what is done with one that is open."""

from dataclasses import replace

import streamlit as st

from evalcore.analyses import Source
from evalcore.engines import COUNTINGS, Counting, first_rows, open_stored, summary_dataset, tables_in
from evalcore.readers import ReadProblem, Unloaded, allowed_path, keep_upload, upload_of
from evalcore.wording import count_text, one_line, plain

from ...session import address
from ...session.current_dataset import store
from ...session.unloaded_tables import path_folders, reach
from ...session.workspace import workspace

_DATABASES = (".duckdb", ".ddb", ".db")
_PATH = "path to open"
_PROBLEM = "why counting failed"
_ABOUT = (
    "A Parquet or CSV file, a folder of these (with partitions such as day=2024-05-01), or a DuckDB database. It is "
    "not loaded: DuckDB counts its rows where they lie, so it may be larger than memory."
)
_TOGETHER = 4
"""Columns of scores that are counted together unless somebody says otherwise."""
_COUNTABLE = ("labels", "scores", "estimates")


def choose_path() -> None:
    """A field for a path, the tables if it leads to a database, and a button to open one."""
    text = st.text_input("File, folder or database", key=_PATH, help=_ABOUT, placeholder="/data/predictions.parquet")
    if not text.strip():
        return
    try:
        path, table = allowed_path(text, path_folders()), None
        if path.name.endswith(_DATABASES):
            table = st.selectbox("Table", tables_in(path), key=f"table of {text}", format_func=one_line)
        if st.button("Open this table", key="open path", type="primary"):
            # Other doors do the same with a table of theirs.
            store(first_rows(open_stored(path, table), Unloaded("path", str(path), table)))
            st.rerun()
    except ReadProblem as problem:
        st.error(plain(problem, limit=600), icon=":material/error:")
        st.button("Try again", key="path again")


def show_unloaded(current: Source) -> None:
    """Where the open table lies, and counting all its rows; nothing of tables that were loaded."""
    unloaded = current.dataset.unloaded
    if unloaded is None or unloaded.rows == len(current.dataset):
        return
    with st.container(border=True, key="unloaded"):
        where = plain(unloaded.address, 200) + (f" · {plain(unloaded.table)}" if unloaded.table else "")
        if unloaded.is_counted:
            st.markdown(f"**{count_text(unloaded.rows)} rows, counted where they lie:** {where}")
            if st.button("Count by other columns", key="other columns"):
                try:
                    again = replace(unloaded, roles="", system=None, ends={}, bits=None)
                    store(first_rows(reach(current.id, unloaded)(), again))
                    if (upload := upload_of(workspace().path(current.id))) is not None:
                        keep_upload(workspace().path(str(address.text("data"))), upload)
                except ReadProblem as problem:
                    st.error(plain(problem, limit=600), icon=":material/error:")
                else:
                    st.rerun()
            return
        st.markdown(f"**The first {count_text(len(current.dataset))} rows of** {where}")
        if (problem := st.session_state.pop(_PROBLEM, None)) is not None:
            st.error(plain(problem, limit=600), icon=":material/error:")
        if current.kind not in _COUNTABLE:
            st.caption("Choose columns of labels, of scores or of estimates below; then all rows can be counted.")
        elif current.key in COUNTINGS:
            _show_counting(current)
        else:
            st.caption("Check below which columns are used, then count all rows by them. The table is not loaded.")
            several = len(current.systems) if current.kind == "scores" else 1
            together = several > 1 and st.checkbox(
                f"All {several} columns of scores, to compare them", several <= _TOGETHER, key="count together",
                help="The rows that have all of them are counted. Otherwise only the system that is open is counted.",
            )  # fmt: skip
            if st.button("Count all rows", key="count all", type="primary"):
                data, system = current.dataset, {"system": None if together else current.system}
                try:
                    COUNTINGS[current.key] = Counting(
                        reach(current.id, unloaded),
                        lambda table: summary_dataset(
                            table.frame, data.roles, **system, name=data.name, unloaded=unloaded
                        ),
                    )
                except ReadProblem as problem:
                    st.session_state[_PROBLEM] = str(problem)
                st.rerun()


@st.fragment(run_every=0.5)
def _show_counting(current: Source) -> None:
    if (counting := COUNTINGS.get(current.key)) is None:
        st.rerun()
    if not counting.is_done:
        st.progress(counting.progress or 0.0, "Counting the rows …")
        st.button("Stop", key="stop counting", on_click=counting.stop)
        return
    COUNTINGS.pop(current.key, None)
    try:
        store(counting.result())
        if (upload := upload_of(workspace().path(current.id))) is not None:
            keep_upload(workspace().path(str(address.text("data"))), upload)
    except ReadProblem as problem:
        st.session_state[_PROBLEM] = str(problem)
    st.rerun()
