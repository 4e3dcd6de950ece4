"""The list of stored uploads: the visitor's own, and those opened in this session by a link.

Who has a link may look; only the owner, or who has the key of the workspace, may delete.
"""

import time

import streamlit as st

from evalcore.readers import ReadProblem
from evalcore.wording import age_text, count_text, plain

from ...controls.upload import put_problem
from ...session import address
from ...session.current_dataset import forget, open_data, opened_here
from ...session.visitor import has_key, owner
from ...session.workspace import MEGABYTE, workspace

_WHOSE = (
    "Uploads from this browser, or yours if you signed in, and what you opened in this visit. To list everything, "
    "open the link that the server prints when it starts."
)


def show_stored() -> None:
    """The stored uploads that are the visitor's to see, with size and age, to be opened or deleted."""
    everything, visitor, entries = has_key(), owner(), workspace().list()
    own = {entry.id for entry in entries if everything or entry.owner == visitor}
    entries = [entry for entry in entries if entry.id in own | opened_here()]
    if not everything:
        st.caption(_WHOSE)
    if not entries:
        st.caption("No stored uploads. A file you open is kept here until you delete it or the folder is full.")
        return
    for entry in entries:
        with st.container(horizontal=True, vertical_alignment="center", key=f"stored {entry.id}"):
            st.markdown(
                f"{plain(entry.name)} :gray[· {entry.bytes / MEGABYTE:.1f} MB · {age_text(time.time() - entry.saved)}]",
                width="stretch",
            )
            st.button("Open", key=f"open {entry.id}", on_click=open_data, args=(entry.id,))
            if entry.id in own:
                st.button("Delete", key=f"delete {entry.id}", on_click=_delete, args=(entry.id,), type="tertiary")
    total = sum(entry.bytes for entry in entries) / MEGABYTE
    limit = count_text(round(workspace().limit_bytes / MEGABYTE))
    st.caption(f"These take {total:.1f} MB. All uploads share {limit} MB; when that is full, the oldest are deleted.")


def _delete(data: str) -> None:
    try:
        workspace().delete(data)
    except ReadProblem as problem:
        put_problem(problem)
        return
    forget(data)
    if address.text("data") == data:
        address.put("data", None)
