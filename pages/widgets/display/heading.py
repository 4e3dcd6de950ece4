"""The head of every page: its name, the question it answers, and what is open."""

import streamlit as st

from evalcore.analyses import Source
from evalcore.readers import text_of
from evalcore.wording import count_text, is_word, plain

from ..session.current_dataset import opened


def title(text: str, question: str) -> None:
    """The page's name over its question, and at the right the data set, the system and what counts as positive."""
    with st.container(key="heading", horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        with st.container(width="content", gap=None):
            st.title(text, anchor=False)
            st.caption(question)
        current = opened()
        if current is not None:
            st.caption(facts(current), width="content", text_alignment="right")


def facts(current: Source) -> str:
    """What is open in one line of Markdown: data set · system · positive = x · n rows, p positive."""
    parts = [plain(current.title)]
    if current.system is not None and len(current.systems) > 1:
        parts.append(plain(current.system))
    if current.positive is not None:
        parts.append(f"positive = {plain(text_of(current.positive))}")
    return " · ".join([*parts, counted(current)])


def counted(current: Source) -> str:
    """How many rows there are and how many of them are positive, in Markdown: "2 030 people, 30 ill".

    A label that is no word stands behind one: "400 rows, 221 positive (1)".
    """
    text = f"{count_text(current.rows)} {plain(current.unit)}"
    if current.positives is None:
        return text
    word = current.words[0] if current.words else "positive"
    called = plain(word, limit=30) if is_word(word) else f"positive ({plain(word, limit=30)})"
    return f"{text}, {count_text(current.positives)} {called}"
