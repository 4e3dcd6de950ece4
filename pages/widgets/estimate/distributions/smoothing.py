"""The constant that is added to each bin: dragged, with what it makes of the divergences at each step of the drag."""

import streamlit as st

from evalcore.analyses import SMOOTHING, DistanceParts

from ...display.component import ELEMENT, component
from ...session import address

KEY = "smoothing"
_COMPONENT = component("smoothing", __file__, ELEMENT, "smoothing.js", css="smoothing.css")
_STEPS = [f"{constant:g}" for constant in SMOOTHING]


def smoothing() -> float:
    """The constant of the address; 0 where there is none."""
    return float(address.choice(KEY, _STEPS, _STEPS[0]) or 0)


def choose_smoothing(parts: DistanceParts) -> None:
    """Ask for the constant; its values are those of the two distributions with each constant that can be chosen."""
    _COMPONENT(
        key=KEY, data={"steps": _STEPS, "at": SMOOTHING.index(smoothing()), "values": parts.smoothed_texts},
        on_step_change=lambda: _put(st.session_state[KEY].get("step")),
    )  # fmt: skip


def _put(step: object) -> None:
    if isinstance(step, (int, float)) and 0 <= step < len(_STEPS):
        address.put(KEY, _STEPS[int(step)] if step else None)
