"""One class against the rest as a 2×2 table, beside that of a second class."""

import streamlit as st

from evalcore.analyses import ClassTable
from evalcore.inference import IntervalChoice
from evalcore.wording import label_text

from ...controls.bound import bound
from ..confusion.frame import show_frame
from .cells import pick_class, picked_class, second_class


def choose_class(table: ClassTable) -> str:
    """Ask for the class, and for a second one beside it; both stay in the address."""
    first, second = picked_class(table) or table.default_class, second_class(table)
    others = [name for name in table.classes if name != first]
    look = {"format_func": lambda name: label_text(name, 60), "width": 190}
    bound(
        st.selectbox, "Class", "class", first, table.classes,
        write=pick_class, key="class on this page", **look,
    )  # fmt: skip
    bound(
        st.selectbox, "Beside", "beside", second if second in others else None, others,
        index=None, placeholder="no second class", key="second class on this page", **look,
    )  # fmt: skip
    return first


def show_one_vs_rest(table: ClassTable, first: str, intervals: IntervalChoice, actual_in_rows: bool) -> None:
    """The 2×2 of the class, and of the second class where there is one."""
    second = second_class(table)
    if second is None or second == first:
        show_frame(table.one_vs_rest(first), intervals, actual_in_rows, key="frame of a class", fixed=True)
        return
    keys = ("frame of a class", "frame of the second class")
    for column, name, key in zip(st.columns(2, gap="medium"), (first, second), keys, strict=True):
        with column:
            st.markdown(table.one_vs_rest(name).origin)
            show_frame(table.one_vs_rest(name), intervals, actual_in_rows, key=key, fixed=True)
