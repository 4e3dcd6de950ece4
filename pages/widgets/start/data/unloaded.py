"""Tables that are not loaded: the door by a path, and what is done with one that is open."""

import math
import os
import time
from dataclasses import replace
from functools import partial

import streamlit as st

from evalcore import engines
from evalcore.analyses import Source
from evalcore.engines import FIRST_ROWS
from evalcore.readers import UNDO_SECONDS, DataSet, Entry, ReadProblem, Unloaded, allowed_path, upload_of
from evalcore.wording import age_text, count_text, one_line, plain, short_names
from pages.widgets.controls.fields import beside
from pages.widgets.controls.roles import put_roles
from pages.widgets.controls.upload import put_problem
from pages.widgets.session import address
from pages.widgets.session import unloaded_tables as tables
from pages.widgets.session.current_dataset import forget, open_data, opened_here, store, visible_uploads
from pages.widgets.session.internals import visit
from pages.widgets.session.visitor import MEGABYTE, has_key, owner, workspace

ASKED = "These are runs, with judgments in another table"
_RANKED_FIRST = {False: "the highest score", True: "the lowest score or rank"}

_ABOUT_RUNS = (
    "Each list is ranked and joined to the judgments where the tables lie; only the ranks of judged documents and the "
    "length of each list come back."
)

_RUN = {"system": "system (if several)", "query": "query", "document": "document", "score": "score or rank"}
_JUDGED = {"judged_query": "query", "judged_document": "document", "grade": "grade"}


def choose_runs(place: Unloaded, judged: str, table: str | None) -> None:
    """Which columns hold what, of runs and of the judgments at an address, and a button that ranks the lists."""
    place = replace(place, judged={"address": judged} | ({} if table is None else {"table": table}))
    key = "\n".join(["runs", owner(), place.way, place.address, place.table or "", judged, table or ""])
    if tables.is_counting(key, store):
        return
    read = lambda both: (both.run.columns, both.judged.columns)  # noqa: E731
    if (names := tables.names_in(f"columns\n{key}", lambda: tables.reach_runs(place), read)) is None:
        return
    guessed, chosen = engines.guessed_columns(*names), {}
    for title, parts, columns in zip(("Runs", "Judgments"), (_RUN, _JUDGED), map(list, names), strict=True):
        words = short_names(columns, 30)
        with beside():
            for part, label in parts.items():
                # As a value and not as an index, so that the field can be cleared.
                st.session_state.setdefault(field := f"{part} of {key}", guessed[part])
                look = {"key": field, "placeholder": "none", "format_func": words.get}
                chosen[part] = st.selectbox(f"{title}: {label}", columns, None, **look)
    lowest = st.segmented_control(
        "Ranked first", list(_RANKED_FIRST), default=engines.is_lowest_first(chosen["score"] or ""), required=True,
        key=f"first of {key} {chosen['score']}", format_func=_RANKED_FIRST.get,
    )  # fmt: skip
    lacks = None in [column for part, column in chosen.items() if part != "system"]
    if st.button("Rank the lists", key="rank lists", type="primary", disabled=lacks):
        arguments = {part: column for part, column in chosen.items() if column is not None}
        arguments |= {"lowest_first": True} if lowest else {}
        where = replace(place, judged={**place.judged, **arguments})
        name = place.table or place.address.rstrip("/").rpartition("/")[2]
        tables.start_counting(
            key, lambda: tables.reach_runs(where),
            lambda tables: engines.ranked_dataset(tables.run, tables.judged, **arguments, name=name, unloaded=where),
        )  # fmt: skip
    st.caption(_ABOUT_RUNS)


_ABOUT = (
    "A Parquet or CSV file, a folder of these (with partitions such as day=2024-05-01), or a DuckDB database. It is "
    "not loaded: DuckDB counts its rows where they lie, so it may be larger than memory."
)

_TOGETHER = 4  # columns of scores that are counted together unless somebody says otherwise
_COUNTABLE = ("labels", "scores", "estimates")


def choose_path() -> None:
    """A field for a path, the tables if it leads to a database, and a button to open one."""
    try:
        tables.path_folders()
    except ReadProblem as problem:
        st.info(str(problem), icon=":material/key:")
        return
    look = {"key": "path to open", "help": _ABOUT, "placeholder": "/data/predictions.parquet"}
    if not (text := st.text_input("File, folder or database", **look)).strip():
        return
    try:
        if (place := _place(text, "Table")) is None:
            return
        if st.toggle(ASKED, key="runs by path"):
            judged = st.text_input("Judgments: file, folder or database", key="path of judgments", help=_ABOUT).strip()
            if judged and (judged_place := _place(judged, "Table of judgments")) is not None:
                choose_runs(place, judged_place.address, judged_place.table)
        else:
            _offer_opening(place, visit(), tables.PATIENCE)
    except ReadProblem as problem:
        st.error(plain(problem, limit=600), icon=":material/error:")
        tables.offer_again("path again")


def _place(text: str, label: str) -> Unloaded | None:
    """Where the path leads that somebody typed, and to which table of a database; None until its tables are known."""
    path = allowed_path(text, tables.path_folders())
    if not engines.is_database(path):
        return Unloaded("path", str(path))
    # A database that was written to since is asked again.
    key = f"tables\n{visit()}\n{path}\n{os.stat(path).st_mtime_ns}"
    if (names := tables.names_in(key, lambda: partial(engines.tables_in, path), tuple)) is None:
        return None
    return Unloaded("path", str(path), st.selectbox(label, names, key=f"{label} of {text}", format_func=one_line))


def _offer_opening(place: Unloaded, whose: str, patience: float = math.inf, disabled: bool = False) -> None:
    """A button that opens the first rows of a table, which a slow server may take long for."""
    key = "\n".join(["first rows", place.way, whose, place.address, place.table or ""])
    if tables.is_counting(key, store):
        return
    if st.button("Open this table", key=f"open {place.way}", type="primary", disabled=disabled):
        read = lambda stored: engines.first_rows(stored, place)  # noqa: E731
        tables.start_counting(key, lambda: tables.reach("", place), read, patience)


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
            key, take = f"first rows\n{visit()}\n{current.key}", partial(_take_stored, current)
            if not tables.is_counting(key, take) and st.button("Count by other columns", key="other columns"):
                again = replace(unloaded, roles="", system=None, ends={}, bits=None)
                read = lambda stored: engines.first_rows(stored, again)  # noqa: E731
                tables.start_counting(key, lambda: tables.reach(current.id, unloaded), read, tables.PATIENCE)
            return
        of = f"of {count_text(unloaded.rows)} rows" if unloaded.rows else "rows"
        st.markdown(f"**The first {count_text(len(current.dataset))} {of} of** {where}")
        tables.show_count_problem(current.key)
        if current.kind not in _COUNTABLE:
            st.caption("Choose columns of labels, of scores or of estimates below; then all rows can be counted.")
            return
        if current.dataset.shape.steps:
            st.caption("The table is counted without your changes. Undo them below, count, then change the counts.")
            return
        if (searching := _labels_key(current)) in engines.COUNTINGS:
            st.caption(f"All rows are searched for the labels in {plain(current.roles.get('actual'))}.")
        if not (
            tables.is_counting(searching, partial(_take_labels, current))
            or tables.is_counting(current.key, partial(_take_stored, current))
        ):
            _offer_counting(current)


def _where(address: str, table: str | None) -> str:
    """Where a table lies, in Markdown."""
    return plain(address, 200) + (f" · {plain(table)}" if table else "")


def _offer_counting(current: Source) -> None:
    """Buttons that count all rows, and search them for labels; where the first rows hold one label, that starts."""
    data, unloaded = current.dataset, current.dataset.unloaded
    is_labelled, known = current.kind == "scores", tables.known_labels(current)
    if is_labelled and known is None and len(current.labels) < 2:
        tables.put_labels(current, ())  # once
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
            tables.start_counting(
                current.key, lambda: tables.reach(current.id, unloaded),
                lambda table: engines.summary_dataset(table.frame, data.roles, system, data.name, unloaded),
            )  # fmt: skip
        about = "The labels below are those of the first rows. This asks for those of all rows."
        if is_labelled and not known and st.button("Find all labels", key="find labels", help=about):
            _search_labels(current)


def _search_labels(current: Source) -> None:
    """Ask the engine which labels the column of true labels has."""
    column, opening = current.roles.get("actual"), lambda: tables.reach(current.id, current.dataset.unloaded)
    tables.start_counting(_labels_key(current), opening, lambda table: engines.labels_in(table.frame, column))


def _labels_key(current: Source) -> str:
    return f"{current.id}\n{current.roles.get('actual')}"


def _take_labels(current: Source, labels: dict[str, int]) -> None:
    tables.put_labels(current, tuple(labels))
    if labels and current.roles == (current.detected_roles or current.roles):
        put_roles(current, engines.roles_by_labels(current.dataset, labels))


def _take_stored(current: Source, data: DataSet) -> None:
    """Keep what was read of the open table, and its file beside it where that was uploaded."""
    # how its numbers may be meant was seen in the first rows only
    marks = tuple(one for one in current.dataset.findings if one.code == "marks" and data.is_counted)
    store(replace(data, findings=(*marks, *data.findings), read_findings=(*marks, *data.read_findings)))
    workspace().keep_upload(str(address.text("data")), upload_of(workspace().path(current.id)))


_DELETED = "deleted uploads"
_FEW = 5  # up to so many uploads are found without a search

_WHOSE = (
    "Uploads from this browser, or yours if you signed in, and what you opened in this visit. To list everything, "
    "open the address that the server printed when it started (it ends in /unlock/ and the key)."
)


def show_stored() -> None:
    """The stored uploads that are the visitor's to see, with size and age, to be opened or deleted."""
    everything, visitor, entries = has_key(), owner(), visible_uploads()
    own = {entry.id for entry in entries if everything or entry.owner == visitor}
    if not everything:
        st.caption(_WHOSE)
    if not entries:
        st.caption("No stored uploads. A file you open is kept here until you delete it or the folder is full.")
        return
    shown = _search(entries)
    for entry in shown:
        with st.container(horizontal=True, vertical_alignment="center", key=f"stored {entry.id}"):
            st.markdown(
                f"{plain(entry.name)} :gray[· {entry.bytes / MEGABYTE:.1f} MB · {age_text(time.time() - entry.saved)}]",
                width="stretch",
            )
            st.button("Open", key=f"open {entry.id}", on_click=open_data, args=(entry.id,))
            if entry.id in own:
                _ask_to_delete("Delete", f"delete {entry.id}", [entry])
    if len(shown := [entry for entry in shown if entry.id in own]) > 1:
        many = count_text(len(shown))
        _ask_to_delete(f"Delete all {many}" if shown == entries else f"Delete these {many}", "empty stored", shown)
    total = sum(entry.bytes for entry in entries) / MEGABYTE
    limit = count_text(round(workspace().limit_bytes / MEGABYTE))
    st.caption(f"These take {total:.1f} MB. All uploads share {limit} MB; when that is full, the oldest are deleted.")


def _search(entries: list[Entry]) -> list[Entry]:
    """Those whose name holds what is typed; asked where there are many."""
    if len(entries) <= _FEW:
        return entries
    typed = st.text_input("Search", key="search stored", placeholder="Search by name", label_visibility="collapsed")
    shown = [entry for entry in entries if typed.strip().casefold() in entry.name.casefold()]
    if not shown:
        st.caption("No stored upload has that name.")
    return shown


def _ask_to_delete(label: str, key: str, entries: list[Entry]) -> None:
    what = plain(entries[0].name) if len(entries) == 1 else f"{count_text(len(entries))} uploads"
    with st.popover(label, key=f"ask to {key}", type="tertiary"):
        st.markdown(f"Delete {what}?")
        st.button("Yes, delete", key=key, on_click=_delete, args=(entries,))


def _delete(entries: list[Entry]) -> None:
    deleted = st.session_state[_DELETED] = []
    for entry in entries:
        try:
            workspace().delete(entry.id, undo=True)
        except ReadProblem as problem:
            put_problem(problem)
            return
        forget(entry.id)
        deleted.append(entry)
        if address.text("data") == entry.id:
            address.put("data", None)


def offer_undo() -> None:
    """Say what was deleted last, with the way back."""
    if deleted := st.session_state.get(_DELETED):
        what = f"{plain(deleted[0].name)} is" if len(deleted) == 1 else f"{count_text(len(deleted))} uploads are"
        with st.container(horizontal=True, vertical_alignment="center", key="deleted"):
            st.markdown(f"{what} deleted.", width="content")
            st.button("Undo", key="undo delete", on_click=_undo, help=f"Possible for {UNDO_SECONDS // 60} minutes")


def _undo() -> None:
    for entry in st.session_state.pop(_DELETED, []):
        if workspace().restore(entry.id):
            opened_here().add(entry.id)
        else:
            put_problem(ReadProblem("It is too late to undo this. Open the file again."))


_RIGHTS = (
    f"Nothing is ever written: the right to select is enough. The first {count_text(FIRST_ROWS)} rows are fetched to "
    "see what the columns are. Then the server counts all rows, and only the counts leave it."
)


def choose_connection() -> None:
    """A connection by its name, a table of its catalogue, and a button to open this."""
    name = st.selectbox("Connection", tables.connection_names(), key="connection", format_func=one_line)
    try:
        names = _catalogue(name)
        if not names:
            advice = "Grant the right to select from one, then try again."
            st.info(f"The user of this connection may read no table. {advice}")
        table = st.selectbox("Table", names, key=f"table of connection {name}", format_func=one_line)
        if table is not None and st.toggle(ASKED, key="runs by connection"):
            judged = st.selectbox("Judgments", names, None, key=f"judgments of connection {name}", format_func=one_line)
            if judged is not None:
                choose_runs(Unloaded("connection", name, table), name, judged)
        else:
            _offer_opening(Unloaded("connection", name, table), owner(), disabled=table is None)
        st.caption(_RIGHTS)
    except ReadProblem as problem:
        st.error(plain(problem, limit=600), icon=":material/error:")
        tables.offer_again("connection again")


@st.cache_data(ttl=60, max_entries=50, show_spinner="Reading the names of the tables …")
def _catalogue(name: str) -> tuple[str, ...]:
    return tables.tables_of(name).names()
