"""Which way a confusion matrix lies: one choice for all pages, in the address."""

import streamlit as st

from ..session import address
from ..session.current_dataset import opened
from .bound import bound

_SIDES = ("columns", "rows")
_OLD = {"actual": "rows", "predicted": "columns"}
"""What the table of classes called it in links: which classes stood in its rows."""


def choose_actual_in_rows() -> bool:
    """Ask whether the actual classes are the rows or the columns."""
    chosen = _SIDES[actual_in_rows()]
    return bound(st.segmented_control, "Actual class in", "actual", chosen, _SIDES, write=_put) == "rows"


def actual_in_rows() -> bool:
    """Whether the actual classes are the rows, at first as in the file."""
    current = opened()
    start = _SIDES[current is not None and current.actual_in_rows]
    start = _OLD.get(address.choice("side", tuple(_OLD)) or "", start)
    return address.choice("actual", _SIDES, start) == "rows"


def sides(actual_in_rows: bool) -> dict[str, str]:
    """What holds an actual class in the matrix, and what a predicted one, as a text names them."""
    return dict(zip(("actual", "predicted"), ("row", "column") if actual_in_rows else ("column", "row"), strict=True))


def _put(side: str | None) -> None:
    address.put("side", None)
    if side is not None:  # a click on what is chosen already clears it
        address.put("actual", side)
