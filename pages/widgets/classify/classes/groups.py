"""The rates of each group of rows."""

import streamlit as st

from evalcore.analyses import ClassGroups, ClassTable
from evalcore.inference import IntervalChoice

from ...display.table import show_table
from ...session.entry_links import with_links


def show_groups(table: ClassTable, name: str, intervals: IntervalChoice) -> ClassGroups | None:
    """How often the prediction is right in each group, and the rates of one class; nothing without groups."""
    if not ClassGroups.offered(table):
        return None
    groups = ClassGroups(table, name, intervals)
    st.header("Groups", anchor=False)
    show_table(groups.heads, groups.rows)
    st.caption(with_links(groups.note))
    return groups
