"""The parts of the page of challenges, of which the open one alone is drawn."""

from collections.abc import Callable, Mapping

import streamlit as st


def show_parts(parts: Mapping[str, Callable[[], None]]) -> None:
    """Draw the open one of some parts under tabs; which one it is stays in the address."""
    tabs = st.tabs(list(parts), key="challenges_part", on_change="rerun", bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show()
