"""The list of stored uploads.

On a server for this machine only, everything stored is the user's own. Any other lists to each visitor what was opened
in this session, by an upload or an address: who has the id of a data set may open it, and only they may delete it.
"""

import time

import streamlit as st

from evalcore.wording import age_text, count_text, plain

from ...session import address
from ...session.current_dataset import forget, open_data, opened_here
from ...session.workspace import MEGABYTE, workspace

_THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def show_stored() -> None:
    """The stored uploads that are the visitor's to see, with size and age, to be opened or deleted."""
    entries = workspace().list()
    if st.get_option("server.address") not in _THIS_MACHINE:
        entries = [entry for entry in entries if entry.id in opened_here()]
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
            st.button("Delete", key=f"delete {entry.id}", on_click=_delete, args=(entry.id,), type="tertiary")
    total = sum(entry.bytes for entry in entries) / MEGABYTE
    limit = count_text(round(workspace().limit_bytes / MEGABYTE))
    st.caption(f"{total:.1f} of {limit} MB in use. When full, the oldest uploads are deleted.")


def _delete(data: str) -> None:
    workspace().delete(data)
    forget(data)
    if address.text("data") == data:
        address.put("data", None)
