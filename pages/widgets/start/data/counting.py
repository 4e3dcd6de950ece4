"""What an engine is asked in the background: how far it is, a button that stops it, and what comes of it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from evalcore.engines import COUNTINGS, Counting
from evalcore.readers import ReadProblem
from evalcore.wording import plain

_PROBLEM = "why counting failed"


def start_counting(key: str, reach: Callable[[], Callable[[], Any]], count: Callable[[Any], Any]) -> None:
    """Have a table opened by what `reach` gives and counted, and run the page anew."""
    try:
        COUNTINGS[key] = Counting(reach(), count)
    except ReadProblem as problem:
        st.session_state[f"{_PROBLEM} {key}"] = str(problem)
    st.rerun()


def show_count_problem(key: str) -> None:
    """Say once why the last counting of this key failed."""
    if (problem := st.session_state.pop(f"{_PROBLEM} {key}", None)) is not None:
        st.error(plain(problem, limit=600), icon=":material/error:")


@st.fragment(run_every=0.5)
def show_counting(key: str, take: Callable[[Any], None]) -> None:
    """How far a counting is; when it is done, `take` gets what was made and the page runs anew."""
    if (counting := COUNTINGS.get(key)) is None:
        st.rerun()
    if not counting.is_done:
        if counting.progress is None:
            st.markdown(f":material/hourglass_top: {plain(counting.status)}")
        else:
            st.progress(counting.progress, plain(counting.status))
        st.button("Stop", key="stop counting", on_click=counting.stop)
        return
    COUNTINGS.pop(key, None)
    try:
        take(counting.result())
    except ReadProblem as problem:
        st.session_state[f"{_PROBLEM} {key}"] = str(problem)
    st.rerun()
