"""The range of false positive rates that partial areas are taken over: dragged on the curve or typed."""

import streamlit as st

from . import address

_FROM, _TO = "range from", "range to"


def range_of() -> tuple[float, float]:
    """The range in the address; from 0 to 1 where there is none."""
    low = address.number("fpr_from", 0.0, 0.0, 1.0)
    high = address.number("fpr_to", 1.0, 0.0, 1.0)
    return (low, high) if low < high else (0.0, 1.0)


def is_partial(ends: tuple[float, float]) -> bool:
    """Whether it leaves anything out."""
    return ends != (0.0, 1.0)


def put_range(low: float, high: float) -> None:
    """Write a range into the address; good as a callback."""
    address.put("fpr_from", float(low) if low > 0 else None)
    address.put("fpr_to", float(high) if high < 1 else None)


def choose_range() -> tuple[float, float]:
    """Ask for the range in numbers; dragging on the curve says the same."""
    low, high = range_of()
    st.session_state[_FROM], st.session_state[_TO] = low, high
    with st.container(key="partial", horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Partial area: FPR from", 0.0, 1.0, step=0.05, format="%.3f", key=_FROM, on_change=_typed, width=170
        )
        st.number_input("to", 0.0, 1.0, step=0.05, format="%.3f", key=_TO, on_change=_typed, width=130)
        if is_partial((low, high)):
            st.button("Whole curve", key="whole curve", on_click=put_range, args=(0.0, 1.0), type="tertiary")
        st.caption("Or drag in the strip under the ROC curve.", width="content")
    return low, high


def _typed() -> None:
    low, high = st.session_state[_FROM], st.session_state[_TO]
    if low is not None and high is not None and 0 <= low < high <= 1:
        put_range(low, high)
