"""Going through a curve step by step: a row more of its table, a piece more of its line, and what happened."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from evalcore.analyses import MOST_STEPS, CurveSteps
from evalcore.figures import steps_figure
from evalcore.wording import count_text

from ..session import address
from .figure import page_ink, show_figure
from .sidebar import show_drawn_again
from .table import show_frame

_STEP = "gone"


def show_curve_steps(build: Callable[[], CurveSteps], alt: str) -> None:
    """Offer to go through a curve step by step; the steps are made where somebody does."""
    # Read while it is folded too, so that the link keeps the step; a link with a step unfolds it.
    st.session_state.setdefault("step-by-step", address.number(_STEP, None, 0, MOST_STEPS) is not None)
    with st.expander(f"Step by step: {alt}", key="step-by-step", on_change="rerun") as folded:
        if folded.open:
            _show_steps(build(), alt)


@st.fragment
def _show_steps(steps: CurveSteps, alt: str) -> None:
    """The table and the curve as far as they are gone; the step stands in the address."""
    last = len(steps)
    if last > MOST_STEPS:
        st.caption(f"Curves of up to {MOST_STEPS} steps are gone through one by one; this one has {count_text(last)}.")
        return
    gone = int(address.number(_STEP, 1, 0, last))
    with st.container(horizontal=True, vertical_alignment="center", key="curve-steps"):
        for label, to, words in (("Back", gone - 1, "A step back"), ("Next", gone + 1, "A step further")):
            st.button(
                label, key=f"step {label}", on_click=address.put, args=(_STEP, to), help=words,
                disabled=not 0 <= to <= last, type="primary" if label == "Next" else "secondary",
            )  # fmt: skip
        st.button("All", key="step all", on_click=address.put, args=(_STEP, last), type="tertiary")
        st.button("Start over", key="step none", on_click=address.put, args=(_STEP, 0), type="tertiary")
    st.markdown(steps.sentences[gone - 1] if gone else "Nothing is taken yet. Press *Next*: what will the curve do?")
    table, picture = st.columns([3, 2], gap="medium")
    with picture:
        words = f"{alt} after {gone} of {last} steps"
        show_figure(steps_figure(steps, gone, page_ink()), "step curve", words, square=True)
    with table:
        rows = pd.DataFrame({name: column[:gone] for name, column in steps.table.items()}).iloc[::-1]
        rates = {name: st.column_config.NumberColumn(format="%.3f") for name in ("TPR", "FPR", "precision", "recall")}
        show_frame(rows, "step table", f"The rows of the first {gone} steps, the last first", rates, 12, 440)
    show_drawn_again()
