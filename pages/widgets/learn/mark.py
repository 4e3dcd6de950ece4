"""A mark that is put on a square plane by click, touch or keyboard; two fields beside it hold its coordinates."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from evalcore.learning import Mark

from ..display.component import ELEMENT, component
from ..display.figure import page_ink

_COMPONENT = component("answer_mark", __file__, ELEMENT, "mark.js", css="mark.css")


def choose_mark(answer: Mark, key: str, fields: Sequence[str]) -> None:
    """Draw the plane of an answer with the mark that the fields of these keys hold; where it moves, they follow."""
    name = f"mark-{key}"
    try:
        current = answer.read([st.session_state.get(field, "") for field in fields])
    except ValueError:
        current = None

    def put() -> None:
        moved: Any = st.session_state[name].get("mark")
        try:
            values = answer.read(moved)
        except (TypeError, ValueError):
            return
        for field, value in zip(fields, values, strict=True):
            st.session_state[field] = f"{value:.2f}"

    ink = page_ink()
    colours = {"text": ink.text, "grey": ink.grey, "grid": ink.grid, "accent": ink.accent, "paper": ink.paper}
    _COMPONENT(
        key=name,
        data={"axes": answer.axes, "mark": current, "colours": colours, "points": [*map(list, answer.points)]},
        on_mark_change=put,
    )
