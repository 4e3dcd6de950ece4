"""The list of stored uploads."""

import time

import streamlit as st

from . import address
from .escape import plain
from .opened import forget, open_data
from .workspace import MEGABYTE, workspace

_STEPS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def show_stored() -> None:
    """Every stored upload with its size and age, to be opened or deleted."""
    entries = workspace().list()
    if not entries:
        st.caption("Nothing is stored. A file you open is kept here until you delete it or the folder is full.")
        return
    for entry in entries:
        with st.container(horizontal=True, vertical_alignment="center", key=f"stored {entry.id}"):
            st.markdown(
                f"{plain(entry.name)} :gray[· {entry.bytes / MEGABYTE:.1f} MB · {_age(entry.saved)}]", width="stretch"
            )
            st.button("Open", key=f"open {entry.id}", on_click=open_data, args=(entry.id,))
            st.button("Delete", key=f"delete {entry.id}", on_click=_delete, args=(entry.id,), type="tertiary")
    total = sum(entry.bytes for entry in entries) / MEGABYTE
    st.caption(f"{total:.1f} of {workspace().limit_bytes / MEGABYTE:,.0f} MB in use. When it is full, the oldest go.")


def _delete(data: str) -> None:
    workspace().delete(data)
    forget(data)
    if address.text("data") == data:
        address.put("data", None)


def _age(saved: float) -> str:
    seconds = time.time() - saved
    for length, name in _STEPS:
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {name}{'s' if count > 1 else ''} ago"
    return "just now"
