"""Tables that are not loaded: the door by a path, and what is done with one that is open."""

import os
from dataclasses import replace
from functools import partial

import streamlit as st

from evalcore.analyses import Source
from evalcore.engines import COUNTINGS, first_rows, is_database, labels_in, roles_by_labels, summary_dataset, tables_in
from evalcore.readers import DataSet, ReadProblem, Unloaded, allowed_path, upload_of
from evalcore.wording import count_text, one_line, plain

from ...controls.counting import PATIENCE, names_in, offer_again, show_count_problem, show_counting, start_counting
from ...controls.roles import put_roles
from ...session import address
from ...session.current_dataset import store
from ...session.internals import visit
from ...session.unloaded_tables import known_labels, path_folders, put_labels, reach
from ...session.workspace import workspace
from .runs import ASKED, choose_runs

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
    try:
        path_folders()
    except ReadProblem as problem:
        st.info(str(problem), icon=":material/key:")
        return
    text = st.text_input("File, folder or database", key=_PATH, help=_ABOUT, placeholder="/data/predictions.parquet")
    if not text.strip():
        return
    try:
        if (place := _place(text, "Table")) is None:
            return
        if st.toggle(ASKED, key="runs by path"):
            judged = st.text_input("Judgments: file, folder or database", key="path of judgments", help=_ABOUT).strip()
            if judged and (judged_place := _place(judged, "Table of judgments")) is not None:
                choose_runs(place, judged_place.address, judged_place.table)
        else:
            _offer_opening(place)
    except ReadProblem as problem:
        st.error(plain(problem, limit=600), icon=":material/error:")
        offer_again("path again")


def _place(text: str, label: str) -> Unloaded | None:
    """Where the path leads that somebody typed, and to which table of a database; None until its tables are known."""
    path = allowed_path(text, path_folders())
    if not is_database(path):
        return Unloaded("path", str(path))
    # A database that was written to since is asked again.
    key = f"tables\n{visit()}\n{path}\n{os.stat(path).st_mtime_ns}"
    names = names_in(key, lambda: partial(tables_in, path), tuple)
    if names is None:
        return None
    table = st.selectbox(label, names, key=f"{label} of {text}", format_func=one_line)
    return Unloaded("path", str(path), table)


def _offer_opening(place: Unloaded) -> None:
    key = "\n".join(["path", visit(), place.address, place.table or ""])
    show_count_problem(key)
    if key in COUNTINGS:
        show_counting(key, store)
    elif st.button("Open this table", key="open path", type="primary"):
        start_counting(key, lambda: reach("", place), lambda stored: first_rows(stored, place), PATIENCE)


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
            show_count_problem(key := f"first rows\n{visit()}\n{current.key}")
            if key in COUNTINGS:
                show_counting(key, partial(_take_stored, current))
            elif st.button("Count by other columns", key="other columns"):
                again = replace(unloaded, roles="", system=None, ends={}, bits=None)
                start_counting(
                    key, lambda: reach(current.id, unloaded), lambda stored: first_rows(stored, again), PATIENCE
                )
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
            show_counting(current.key, partial(_take_stored, current))
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


def _take_stored(current: Source, data: DataSet) -> None:
    """Keep what was read of the open table, and its file beside it where that was uploaded."""
    # how its numbers may be meant was seen in the first rows only
    marks = tuple(one for one in current.dataset.findings if one.code == "marks" and data.is_counted)
    findings = {"findings": (*marks, *data.findings), "read_findings": (*marks, *data.read_findings)}
    store(replace(data, **findings))
    workspace().keep_upload(str(address.text("data")), upload_of(workspace().path(current.id)))
