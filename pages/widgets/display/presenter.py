"""Presenter mode, ``present=1`` in the link: large type, no side bar, steps by the keys of a clicker."""

from pathlib import Path

import streamlit as st

from ..session import address
from ..session.inline_scripts import run_scripts

_ENLARGED = 1.3
_RULES = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")


def presenting() -> bool:
    """Whether the page is shown to a room from a projector."""
    return address.choice("present", ("1",)) is not None


def enlargement() -> float:
    """How many times as large as on a desk a picture of fixed size is drawn."""
    return _ENLARGED if presenting() else 1


def show_presenter() -> None:
    """In presenter mode, its rules of style, its keys, and the way out of it."""
    if presenting():
        st.html(f"<style>\n{_RULES}</style>")
        with st.container(key="presenter"):
            st.button("Leave presenter mode (Esc)", key="leave-presenter", on_click=address.put, args=("present", None))
            run_scripts("presenter")


def choose_presenter() -> None:
    """A button that starts it."""
    if not presenting():
        st.button("Present", icon=":material/slideshow:", on_click=address.put, args=("present", 1), help=_HELP)


_HELP = "Large type without the side bar. Arrow keys or Page Up and Page Down go through the steps; Esc leaves."
