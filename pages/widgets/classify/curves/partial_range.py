"""The ranges that partial areas are taken over, of false positive rates and of recall: dragged or typed."""

import streamlit as st

from evalcore.analyses import CurveRanges

from ...controls.bound import bound
from ...session import address

_AXES = {"fpr": "Partial area: FPR from", "tpr": "recall from"}


def ranges_of() -> CurveRanges:
    """The ranges in the address."""
    return CurveRanges(*(_in_address(axis) for axis in _AXES))


def put_range(axis: str, low: float, high: float) -> None:
    """Write a range into the address; good as a callback."""
    address.put(f"{axis}_from", float(low) if low > 0 else None)
    address.put(f"{axis}_to", float(high) if high < 1 else None)


def choose_ranges() -> None:
    """Ask for the ranges in numbers; dragging along the axes of the curve says the same."""
    ranges = ranges_of()
    with st.container(key="partial", horizontal=True, vertical_alignment="bottom"):
        for axis, label in _AXES.items():
            for end, value in zip(("from", "to"), getattr(ranges, axis), strict=True):
                bound(
                    st.number_input, label if end == "from" else "to", f"{axis}_{end}", value, 0.0, 1.0, step=0.05,
                    format="%.3f", key=f"{axis} range {end}", write=lambda _, axis=axis: _typed(axis),
                    width=165 if (axis, end) == ("fpr", "from") else 120,
                )  # fmt: skip
        if ranges.chosen:
            st.button("Whole curve", key="whole curve", on_click=_put_whole, type="tertiary")
        st.caption("Or drag along the axes of the ROC curve.", width="content")


def _in_address(axis: str) -> tuple[float, float]:
    low, high = (address.number(f"{axis}_{end}", start, 0.0, 1.0) for end, start in (("from", 0.0), ("to", 1.0)))
    if low >= high:
        address.refuse(f"{axis}_from", f"{axis}_to")
    return (low, high) if low < high else (0.0, 1.0)


def _put_whole() -> None:
    for axis in _AXES:
        put_range(axis, 0.0, 1.0)


def _typed(axis: str) -> None:
    low, high = (st.session_state[f"{axis} range {end}"] for end in ("from", "to"))
    if low is not None and high is not None and 0 <= low < high <= 1:
        put_range(axis, low, high)
