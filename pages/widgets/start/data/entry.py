"""The ways a table comes in: a file, pasted text, a sample, a stored upload, counts typed by hand."""

import streamlit as st

from evalcore.readers import KINDS, formats_text
from evalcore.wording import plain

from ...controls.upload import (
    RANKED,
    choose_addition,
    choose_keys,
    choose_pairs,
    choose_pasted,
    choose_upload,
    show_problem,
)
from ...session import address
from ...session.connections import connection_names
from ...session.current_dataset import open_data, opened, samples, samples_of
from ...session.loaded_scores import COUNTABLE
from ...session.unloaded_tables import has_path_door
from .connected import choose_connection
from .stored import offer_undo, show_stored
from .unloaded import choose_path


def choose_entry() -> None:
    """All the ways in beside each other, one open at a time."""
    show_problem()
    offer_undo()
    choose_keys()
    current = opened()
    others = {"On this machine": choose_path} if has_path_door() else {}
    others |= {"Connections": choose_connection} if connection_names() else {}
    tabs = ["Open a file", "Paste a table", "Samples", "Stored", *others]
    file, paste, sample, stored, *doors = st.tabs(tabs, key="open_by", on_change="rerun", bind="query-params")
    with file:
        choose_upload("data", f"{formats_text()}; several files together if they share ids")
        fitting = current is not None and (current.kind in RANKED or "actual" in current.roles.parts)
        # First rows and counts are joined to nothing.
        is_table = current is not None and current.dataset.is_whole and not current.dataset.is_counted
        if current is not None and fitting and is_table and current.id not in samples():
            choose_addition(current.id)
    with paste:
        choose_pasted("data")
        if current is not None and current.kind in RANKED:
            choose_pairs(current.dataset)
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
