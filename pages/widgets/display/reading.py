"""How to read a page: the text beside its widgets, folded away until somebody asks."""

from pathlib import Path

import streamlit as st

from evalcore.figures import HUES

_WIDGETS = Path(__file__).parents[1]


def show_reading(page: str) -> None:
    """The text of a page, named by its folder: "classify/confusion", "retrieve/ranking"."""
    with st.expander("How to read this", key="reading"):
        text = (_WIDGETS / page / "reading.md").read_text(encoding="utf-8")
        for outcome, hue in HUES.items():
            text = text.replace(f"{{{outcome}}}", hue)
        st.markdown(text)
