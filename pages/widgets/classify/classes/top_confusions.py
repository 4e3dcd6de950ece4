"""The largest confusions in words; each opens its cell."""

import streamlit as st

from evalcore.analyses import ClassTable
from evalcore.classification import top_confusions
from evalcore.wording import count_text, label_markdown, share_text

from .cells import pick_cell

MOST = 8
"""Confusions that are listed."""


def show_top_confusions(table: ClassTable) -> None:
    """The most frequent errors, the largest first."""
    st.markdown("**Largest confusions**")
    found = top_confusions(table.matrix, MOST)
    if not found:
        st.caption("Nothing is taken for anything else.")
        return
    st.caption("Actual → predicted, how many, and their share of the actual class. Click to open.")
    with st.container(key="confusions", gap=None):
        for place, confusion in enumerate(found):
            actual, predicted = label_markdown(confusion.actual, 24), label_markdown(confusion.predicted, 24)
            st.button(
                f"**{actual} → {predicted}** "
                f":small[:gray[{count_text(confusion.count)} · {share_text(confusion.share)}]]",
                key=f"confusion {place}",
                on_click=pick_cell,
                args=(confusion.actual, confusion.predicted),
                type="tertiary",
                wrap=True,
            )
