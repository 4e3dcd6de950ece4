"""The list of stored uploads: the visitor's own, and those opened in this session by a link.

Who has a link may look; only the owner, or who has the key of the workspace, may delete.
"""

import time

import streamlit as st

from evalcore.readers import UNDO_SECONDS, Entry, ReadProblem
from evalcore.wording import age_text, count_text, plain

from ...controls.upload import put_problem
from ...session import address
from ...session.current_dataset import forget, open_data, opened_here, visible_uploads
from ...session.visitor import has_key, owner
from ...session.workspace import MEGABYTE, workspace

_DELETED = "deleted uploads"
_FEW = 5
"""Up to so many uploads are found without a search."""
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
            about = f"Possible for {UNDO_SECONDS // 60} minutes"
            st.button("Undo", key="undo delete", on_click=_undo, help=about)


def _undo() -> None:
    for entry in st.session_state.pop(_DELETED, []):
        if workspace().restore(entry.id):
            opened_here().add(entry.id)
        else:
            put_problem(ReadProblem("It is too late to undo this. Open the file again."))
