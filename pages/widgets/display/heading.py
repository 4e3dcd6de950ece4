"""The head of a page: its name, the question it answers, what is open, and its most important numbers."""

from collections.abc import Iterable

import streamlit as st

from ..session.current_dataset import opened


def title(text: str, question: str) -> None:
    """The page's name over its question, and at the right the data set, the system and what counts as positive."""
    with st.container(key="heading", horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        with st.container(width="content", gap=None):
            st.title(text, anchor=False)
            st.caption(question)
        current = opened()
        if current is not None:
            st.caption(current.facts, width="content", text_alignment="right")


def show_headline(numbers: Iterable[tuple[str, str, str]]) -> None:
    """Name, value and explanation of each of the most important numbers, beside each other."""
    with st.container(key="headline", horizontal=True, gap="small"):
        for title, value, about in numbers:
            st.metric(title, value, width="content", help=about)
