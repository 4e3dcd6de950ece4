"""The collapse: one class against the rest as a 2×2 table, beside that of a second class."""

import streamlit as st

from evalcore.analyses import NamedCounts
from evalcore.classification import order_by_error
from evalcore.inference import IntervalChoice
from evalcore.readers import text_of

from ...session import address
from ..confusion.frame import show_frame
from .cells import pick_class, picked_class, second_class
from .class_matrix import ClassTable, word

_FIRST, _SECOND = "class on this page", "second class on this page"


def choose_class(table: ClassTable) -> NamedCounts:
    """Ask for the class to collapse to, and for a second one beside it; both stay in the address."""
    first, second = open_class(table), second_class(table)
    st.session_state[_FIRST] = first
    st.selectbox(
        "Class",
        table.classes,
        key=_FIRST,
        format_func=lambda name: word(name, 60),
        on_change=lambda: pick_class(st.session_state[_FIRST]),
        width=190,
    )
    others = [name for name in table.classes if name != first]
    st.session_state[_SECOND] = second if second in others else None
    st.selectbox(
        "Beside",
        others,
        index=None,
        placeholder="no second class",
        key=_SECOND,
        format_func=lambda name: word(name, 60),
        on_change=lambda: address.put("beside", st.session_state[_SECOND]),
        width=190,
    )
    return table.collapsed(first)


def open_class(table: ClassTable) -> str:
    """The class that was picked; else the positive one, else the one that is found least often."""
    positive = text_of(table.current.positive)
    if positive in table.classes:
        return picked_class(table) or positive
    return picked_class(table) or table.classes[order_by_error(table.matrix)[0]]


def show_collapse(table: ClassTable, counted: NamedCounts, intervals: IntervalChoice, turned: bool) -> None:
    """The 2×2 of the class, and of the second class where there is one."""
    second = second_class(table)
    if second is None or second == open_class(table):
        show_frame(counted, intervals, turned, key="frame of a class", fixed=True)
        return
    left, right = st.columns(2, gap="medium")
    for column, shown, key in (
        (left, counted, "frame of a class"),
        (right, table.collapsed(second), "frame of the second class"),
    ):
        with column:
            st.markdown(shown.origin)
            show_frame(shown, intervals, turned, key=key, fixed=True)
