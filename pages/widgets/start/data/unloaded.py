"""Tables that are not loaded: the door by a path, and what is done with one that is open."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from evalcore.analyses import Source
from evalcore.engines import COUNTINGS, first_rows, labels_in, open_stored, roles_by_labels, summary_dataset, tables_in
from evalcore.readers import DataSet, ReadProblem, Unloaded, allowed_path, upload_of
from evalcore.wording import count_text, one_line, plain

from ...controls.roles import put_roles
from ...session import address
from ...session.current_dataset import store
from ...session.unloaded_tables import known_labels, path_folders, put_labels, reach
from ...session.workspace import workspace
from .counting import show_count_problem, show_counting, start_counting
from .runs import ASKED, choose_runs

_DATABASES = (".duckdb", ".ddb", ".db")
_PATH = "path to open"
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
        path, table = _path_and_table(text, "Table")
        if st.toggle(ASKED, key="runs by path"):
            judged = st.text_input("Judgments: file, folder or database", key="path of judgments", help=_ABOUT).strip()
            if judged:
                judged_path, judged_table = _path_and_table(judged, "Table of judgments")
                choose_runs(Unloaded("path", str(path), table), str(judged_path), judged_table)
        elif st.button("Open this table", key="open path", type="primary"):
            # Other doors do the same with a table of theirs.
            store(first_rows(open_stored(path, table), Unloaded("path", str(path), table)))
            st.rerun()
    except ReadProblem as problem:
        st.error(plain(problem, limit=600), icon=":material/error:")
        st.button("Try again", key="path again")


def _path_and_table(text: str, label: str) -> tuple[Path, str | None]:
    """The path that somebody typed, and which table if it leads to a database."""
    path = allowed_path(text, path_folders())
    if not path.name.endswith(_DATABASES):
        return path, None
    return path, st.selectbox(label, tables_in(path), key=f"{label} of {text}", format_func=one_line)


def show_unloaded(current: Source) -> None:
    """Where the open table lies, and counting all its rows; nothing of tables that were loaded."""
    unloaded = current.dataset.unloaded
    if unloaded is None or (current.dataset.is_whole and not current.dataset.is_counted):
        return
    with st.container(border=True, key="unloaded"):
        where = _where(unloaded.address, unloaded.table)
        if unloaded.is_counted:
            if unloaded.judged:
                judged = _where(unloaded.judged["address"], unloaded.judged.get("table"))
                st.markdown(f"**{count_text(unloaded.rows)} rows, ranked where they lie:** {where}, judged by {judged}")
                return
            st.markdown(f"**{count_text(unloaded.rows)} rows, counted where they lie:** {where}")
            if st.button("Count by other columns", key="other columns"):
                try:
                    again = replace(unloaded, roles="", system=None, ends={}, bits=None)
                    store(first_rows(reach(current.id, unloaded)(), again))
                    workspace().keep_upload(str(address.text("data")), upload_of(workspace().path(current.id)))
                except ReadProblem as problem:
                    st.error(plain(problem, limit=600), icon=":material/error:")
                else:
                    st.rerun()
            return
        of = f"of {count_text(unloaded.rows)} rows" if unloaded.rows else "rows"
        st.markdown(f"**The first {count_text(len(current.dataset))} {of} of** {where}")
        show_count_problem(current.key)
        if current.kind not in _COUNTABLE:
            st.caption("Choose columns of labels, of scores or of estimates below; then all rows can be counted.")
            return
        if current.dataset.shape.steps:
            st.caption(
                "Rows are counted as the table has them. Undo your changes below, count, then change the counts."
            )
            return
        show_count_problem(searching := _labels_key(current))
        if searching in COUNTINGS:
            st.caption(f"All rows are searched for the labels in {plain(current.roles.get('actual'))}.")
            show_counting(searching, partial(_take_labels, current))
        elif current.key in COUNTINGS:
            show_counting(current.key, partial(_take_counted, current))
        else:
            _offer_counting(current)


def _where(address: str, table: str | None) -> str:
    """Where a table lies, in Markdown."""
    return plain(address, 200) + (f" · {plain(table)}" if table else "")


def _offer_counting(current: Source) -> None:
    """Buttons that count all rows, and search them for labels; where the first rows hold one label, that starts."""
    data, unloaded = current.dataset, current.dataset.unloaded
    is_labelled, known = current.kind == "scores", known_labels(current)
    if is_labelled and known is None and len(current.labels) < 2:
        put_labels(current, ())  # once
        _search_labels(current)
    st.caption("Check below which columns are used, then count all rows by them. The table is not loaded.")
    several = len(current.systems) if current.kind == "scores" else 1
    together = several > 1 and st.checkbox(
        f"{'Both' if several == 2 else f'All {several}'} columns of scores, to compare them",
        several <= _TOGETHER, key="count together",
        help="The rows that have all of them are counted. Otherwise only the system that is open is counted.",
    )  # fmt: skip
    system = None if together else current.system
    with st.container(horizontal=True):
        if st.button("Count all rows", key="count all", type="primary"):
            start_counting(
                current.key, lambda: reach(current.id, unloaded),
                lambda table: summary_dataset(table.frame, data.roles, system, data.name, unloaded),
            )  # fmt: skip
        about = "The labels below are those of the first rows. This asks for those of all rows."
        if is_labelled and not known and st.button("Find all labels", key="find labels", help=about):
            _search_labels(current)


def _search_labels(current: Source) -> None:
    """Ask the engine which labels the column of true labels has."""
    column, unloaded = current.roles.get("actual"), current.dataset.unloaded
    start_counting(
        _labels_key(current), lambda: reach(current.id, unloaded), lambda table: labels_in(table.frame, column)
    )


def _labels_key(current: Source) -> str:
    return f"{current.id}\n{current.roles.get('actual')}"


def _take_labels(current: Source, labels: dict[str, int]) -> None:
    put_labels(current, tuple(labels))
    if labels and current.roles == (current.detected_roles or current.roles):
        put_roles(current, roles_by_labels(current.dataset, labels))


def _take_counted(current: Source, counted: DataSet) -> None:
    # how its numbers may be meant was seen in the first rows only
    marks = tuple(one for one in current.dataset.findings if one.code == "marks")
    findings = {"findings": (*marks, *counted.findings), "read_findings": (*marks, *counted.read_findings)}
    store(replace(counted, **findings))
    workspace().keep_upload(str(address.text("data")), upload_of(workspace().path(current.id)))
