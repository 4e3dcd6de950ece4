"""The order in which the classes stand: as in the file, by name, size or error, clustered, or by hand."""

import numpy as np
import streamlit as st

from evalcore.analyses import ClassTable
from evalcore.classification import order_by_error, order_by_name, order_by_size
from evalcore.inference import clustered_order
from evalcore.wording import label_text

from ...controls.bound import bound
from ...session import address

_WAYS = {
    "by name": order_by_name, "by size": order_by_size, "by error": order_by_error, "clustered": clustered_order,
}  # fmt: skip
ORDERS = ("as given", *_WAYS, "by hand")
"""What can be chosen; each is its own word in the address."""


def choose_order() -> str:
    """Ask for the order; it stays in the address."""
    return st.selectbox(
        "Order", ORDERS, key="order", bind="query-params", width=140,
        help="Clustered lays classes beside each other that are taken for one another, so that they form blocks. "
        "By size: those with most rows first. By error: those found least often first.",
    )  # fmt: skip


def ordered(table: ClassTable, order: str) -> ClassTable:
    """The table with its classes in the order; by hand, ask which come first."""
    if order == "by hand":
        return table.led_by(_choose_first(table))
    return table.ordered(_places(f"{table.key}\n{order}", order, _table=table)) if order in _WAYS else table


def _choose_first(table: ClassTable) -> list[str]:
    names = list(dict.fromkeys(name for part in address.names("first")[:1] for name in part if name in table.classes))
    if not names:
        address.refuse("first")
    return bound(
        st.multiselect, "First, in this order", "first", names, table.classes, key="classes that come first",
        write=lambda chosen: address.put_names("first", [chosen] if chosen else []),
        format_func=lambda name: label_text(name, 60), select_all=False, width=320,
    )  # fmt: skip


@st.cache_data(max_entries=64, show_spinner="Ordering the classes …")
def _places(key: str, order: str, _table: ClassTable) -> np.ndarray:
    return _WAYS[order](_table.matrix)
