"""What an engine is asked in the background: how far it is, a button that stops it, and what comes of it."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from evalcore.engines import COUNTINGS, Counting
from evalcore.readers import ReadProblem
from evalcore.wording import plain
from pages.widgets.session.internals import visit

PATIENCE = 60  # seconds that opening a table may take, or asking for the names in it
_PROBLEM, _ANSWERS = "why counting failed", "names in tables"
_AT_ONCE = 0.3  # seconds in which most tables open: so long a run waits, rather than to draw the page twice


def start_counting(
    key: str, reach: Callable[[], Callable[[], Any]], count: Callable[[Any], Any], patience: float = math.inf
) -> None:
    """Have a table opened by what `reach` gives and counted, and run the page anew.

    With patience it is stopped after so many seconds, and ends what the visitor had opened so before.
    """
    try:
        begun = Counting(reach(), count, patience)
    except ReadProblem as problem:
        st.session_state[f"{_PROBLEM} {key}"] = str(problem)
    else:
        for other, counting in list(COUNTINGS.items()):
            if begun.is_quick and counting.is_quick and counting.wanted_by == {visit()}:
                counting.stop()
                COUNTINGS.pop(other, None)
        begun.wanted_by.add(visit())
        COUNTINGS[key] = begun
        begun.wait(_AT_ONCE)
    st.rerun()


def names_in(key: str, reach: Callable[[], Callable[[], Any]], read: Callable[[Any], Any]) -> Any:
    """Names of tables or columns, asked for once in a visit; None while they are waited for.

    Raises ReadProblem where they could not be read, until somebody presses the button of `offer_again`.
    """
    if (problem := st.session_state.get(f"{_PROBLEM} {key}")) is not None:
        raise ReadProblem(problem)
    answers = st.session_state.setdefault(_ANSWERS, {})
    if key in COUNTINGS:
        show_counting(key, partial(answers.__setitem__, key))
    elif key not in answers:
        start_counting(key, reach, read, PATIENCE)
    return answers.get(key)


def offer_again(key: str) -> None:
    """A button that asks for all names again."""
    st.button("Try again", key=key, on_click=_ask_again)


def _ask_again() -> None:
    st.session_state.pop(_ANSWERS, None)
    for name in [str(name) for name in st.session_state if str(name).startswith(_PROBLEM)]:
        del st.session_state[name]


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
        counting.wanted_by.add(visit())
        if counting.progress is None:
            st.markdown(f":material/hourglass_top: {plain(counting.status)}")
        else:
            st.progress(counting.progress, plain(counting.status))
        st.button("Stop", key=f"stop counting {key}", on_click=counting.stop)
        return
    COUNTINGS.pop(key, None)
    try:
        take(counting.result())
    except ReadProblem as problem:
        st.session_state[f"{_PROBLEM} {key}"] = str(problem)
    st.rerun()
