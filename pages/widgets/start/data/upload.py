"""The ways a table comes in: a file, pasted text, a sample, a stored upload, counts typed by hand."""

import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import KINDS, ReadProblem, formats_text, read_table
from evalcore.wording import one_line, plain
from pages.widgets.controls import upload
from pages.widgets.session import address
from pages.widgets.session.current_dataset import forget, open_data, opened, samples, samples_of, store
from pages.widgets.session.loaded import COUNTABLE
from pages.widgets.session.unloaded_tables import connection_names, has_path_door
from pages.widgets.session.visitor import owner, workspace
from pages.widgets.start.data.unloaded import choose_connection, choose_path, offer_undo, show_stored


def choose_entry() -> None:
    """All the ways in beside each other, one open at a time."""
    upload.show_problem()
    offer_undo()
    upload.choose_keys()
    current = opened()
    others = {"On this machine": choose_path} if has_path_door() else {}
    others |= {"Connections": choose_connection} if connection_names() else {}
    tabs = ["Open a file", "Paste a table", "Samples", "Stored", *others]
    file, paste, sample, stored, *doors = st.tabs(tabs, key="open_by", on_change="rerun", bind="query-params")
    with file:
        upload.choose_upload("data", f"{formats_text()}; several files together if they share ids")
        fitting = current is not None and (current.kind in upload.RANKED or "actual" in current.roles.parts)
        # First rows and counts are joined to nothing.
        is_table = current is not None and current.dataset.is_whole and not current.dataset.is_counted
        if current is not None and fitting and is_table and current.id not in samples():
            upload.choose_addition(current.id)
    with paste:
        upload.choose_pasted("data")
        if current is not None and current.kind in upload.RANKED:
            upload.choose_pairs(current.dataset)
    with sample:
        show_samples()
    with stored:
        show_stored()
    for door, tab in zip(others.values(), doors, strict=True):
        if tab.open:  # no server is asked before
            with tab:
                door()
    typed = "Only four counts? Type them into the matrix"
    own = {} if current is not None and current.kind in COUNTABLE else {"cells": "0,0,0,0"}
    st.page_link("pages/classify/confusion.py", label=typed, query_params=address.parameters() | own)


def show_samples() -> None:
    """Every sample with its kind, to be opened with one click."""
    for sample in samples_of(KINDS):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(plain(sample.title), key=f"sample {sample.id}", on_click=open_data, args=(sample.id,))
            st.caption(KINDS[sample.kind].title)


_ROUND = "origin round"
_GONE = "The file of this data set is no longer stored. Open it again."


def has_choice(current: Source, usual: bool) -> bool:
    """Whether the file can be read in another way, of a usual file or of one where a choice lies near."""
    origin = current.dataset.unshaped.lines.origin
    return origin is not None and origin.is_usual is usual and workspace().file(current.id) is not None


def choose_origin(current: Source) -> None:
    """The sheet, and the line or row of the header. A change reads the stored file again, in place of what is open."""
    lines = current.dataset.unshaped.lines
    origin = lines.origin
    assert origin is not None
    tries = st.session_state.get(_ROUND, 0)
    with st.container(horizontal=True, key="origin"):
        if len(origin.sheets) > 1:
            key = f"sheet {current.id} {tries}"
            st.selectbox(
                "Sheet", origin.sheets, origin.sheets.index(origin.sheet or ""), key=key, format_func=one_line,
                on_change=_read_again, args=(current, key, "sheet"), width=320,
            )  # fmt: skip
        key = f"header {current.id} {tries}"
        st.number_input(
            f"Header in {lines.word}", 0, None, origin.header, key=key, width=200, help="0 if no row names the columns",
            on_change=_read_again, args=(current, key, "header"),
        )  # fmt: skip


def _read_again(current: Source, key: str, option: str) -> None:
    """Read the file with another sheet (and the header that looks right there) or another header."""
    file = current.dataset.unshaped
    origin = file.lines.origin
    assert origin is not None
    options = ({"sheet": origin.sheet} if len(origin.sheets) > 1 else {}) | {option: st.session_state[key]}
    try:
        if (path := workspace().file(current.id)) is None:
            raise FileNotFoundError
        data = path.read_bytes()
        store(read_table(data, file.name, **options), data)
    except (OSError, ReadProblem) as problem:
        upload.put_problem(problem if isinstance(problem, ReadProblem) else ReadProblem(_GONE))
        st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1  # a new key shows what is open
        return
    if any(entry.id == current.id and entry.owner == owner() for entry in workspace().list()):
        workspace().delete(current.id)
        forget(current.id)
