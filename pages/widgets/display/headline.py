"""The most important numbers of a page beside each other."""

from collections.abc import Iterable

import streamlit as st


def show_headline(numbers: Iterable[tuple[str, str, str]]) -> None:
    """Name, value and explanation of each number."""
    with st.container(key="headline", horizontal=True, gap="small"):
        for title, value, about in numbers:
            st.metric(title, value, width="content", help=about)
