"""How to read a page: a short text with the numbers on the screen, a question, and the finer points, folded away."""

import re
from pathlib import Path

import streamlit as st

from evalcore.figures import HUES
from evalcore.wording import THIN, linked_names, with_parameters

from ..session import address
from ..session.entry_links import open_family

_WIDGETS = Path(__file__).parents[1]


def show_reading(page: str, name: str = "reading", **numbers: str) -> None:
    """The text of a page, named by its folder: "classify/confusion", "retrieve/ranking"; `name` is another text of it.

    `numbers` fill its {placeholders}, as they stand on the screen. What follows a "## heading" unfolds under it: the
    answer under its question, and the finer points.
    """
    text = (_WIDGETS / page / f"{name}.md").read_text(encoding="utf-8").format(**HUES, **numbers)
    text = with_parameters(linked_names(re.sub(r"(?<=\d) %", f"{THIN}%", text), open_family()), address.parameters())
    body, *parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    with st.expander("How to read this", key="reading"):
        st.markdown(body)
        for heading, unfolded in zip(parts[::2], parts[1::2], strict=True):
            with st.expander(heading):
                st.markdown(unfolded)
