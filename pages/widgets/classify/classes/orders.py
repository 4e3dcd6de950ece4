"""The order in which the classes stand: as in the file, by name, size or error, clustered, or by hand."""

import numpy as np
import streamlit as st

from evalcore.classification import order_by_error, order_by_name, order_by_size
from evalcore.inference import clustered_order

from ...session import address
from .class_matrix import ClassTable, word

ORDERS = ("as given", "by name", "by size", "by error", "clustered", "by hand")
"""What can be chosen; each is its own word in the address."""

_FIRST = "classes that come first"


def choose_order() -> str:
    """Ask for the order; it stays in the address."""
    return st.selectbox(
        "Order",
        ORDERS,
        key="order",
        bind="query-params",
        width=140,
        help="Clustered lays classes beside each other that are taken for one another, so that they form blocks. "
        "By size: those with most rows first. By error: those found least often first.",
    )


def ordered(table: ClassTable, order: str) -> ClassTable:
    """The table with its classes in the order; by hand, ask which come first."""
    if order == "by hand":
        return table.ordered(_by_hand(table))
    return table.ordered(_places(f"{table.key}\n{order}", order, _table=table))


def _by_hand(table: ClassTable) -> np.ndarray:
    classes = table.classes
    written = [name for part in address.names("first")[:1] for name in part if name in classes]
    if not written:
        address.refuse("first")
    st.session_state[_FIRST] = list(dict.fromkeys(written))
    st.multiselect(
        "First, in this order",
        classes,
        key=_FIRST,
        format_func=lambda name: word(name, 60),
        select_all=False,
        on_change=lambda: address.put_names("first", [st.session_state[_FIRST]] if st.session_state[_FIRST] else []),
        width=320,
    )
    first = [classes.index(name) for name in st.session_state[_FIRST]]
    return np.array([*first, *(place for place in range(len(classes)) if place not in set(first))], dtype=np.intp)


@st.cache_data(max_entries=64, show_spinner="Ordering the classes …")
def _places(key: str, order: str, _table: ClassTable) -> np.ndarray:
    ways = {
        "by name": order_by_name,
        "by size": order_by_size,
        "by error": order_by_error,
        "clustered": clustered_order,
    }
    return ways[order](_table.matrix) if order in ways else np.arange(len(_table.classes))
