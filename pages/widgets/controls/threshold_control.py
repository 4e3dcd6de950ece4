"""The threshold on a page: a slider whose every step is a distinct score, and a field for the exact value."""

import math
from collections import Counter

import numpy as np
import streamlit as st

from evalcore.analyses import Scores
from evalcore.wording import count_text, plain, threshold_text

from ..session.loaded_scores import put_threshold, threshold_of

STOPS = 1000
"""Steps of the slider; up to here every distinct score is one."""

_SLIDER, _FIELD = "threshold slider", "threshold field"


def choose_threshold(scores: Scores) -> float:
    """Ask for the threshold, which is the same on all pages."""
    threshold = threshold_of(scores)
    stops, distinct = _stops(scores, threshold)
    st.session_state[_SLIDER] = _stop_of(scores, threshold)
    st.session_state[_FIELD] = threshold if math.isfinite(threshold) else None
    slider, field = st.columns([4, 1.2], vertical_alignment="bottom", gap="medium")
    slider.select_slider(
        f"Threshold: {_rule(scores)}",
        stops,
        key=_SLIDER,
        format_func=_texts(stops).get,
        on_change=lambda: put_threshold(st.session_state[_SLIDER]),
    )
    field.number_input("Exactly", key=_FIELD, value=None, format=_format(threshold), step=None, on_change=_typed)
    st.caption(_steps(len(stops), distinct))
    return threshold


def _texts(stops: list[float]) -> dict[float, str]:
    """What each step is called. Streamlit tells options apart by that, so those that six digits leave alike get all."""
    short = {stop: threshold_text(stop) for stop in stops}
    alike = Counter(short.values())
    return {stop: text if alike[text] == 1 else repr(stop).replace("-", "−") for stop, text in short.items()}


def _rule(scores: Scores) -> str:
    return f"{plain(scores.positive, 30)} when score {scores.rule} threshold"


def _format(threshold: float) -> str:
    """As many digits as the threshold has, so that the field shows what it holds."""
    digits = next((d for d in range(6, 17) if float(f"{threshold:.{d}g}") == threshold), 17)
    return f"%.{digits}g"


def _typed() -> None:
    if st.session_state[_FIELD] is not None:
        put_threshold(st.session_state[_FIELD])


def _stop_of(scores: Scores, threshold: float) -> float:
    """The distinct score, or the infinity beyond them all, that gives the same counts."""
    table = scores.table
    return float(table.thresholds[table.index(threshold)])


def _stops(scores: Scores, threshold: float) -> tuple[list[float], int]:
    """The steps of the slider from low to high, the present one among them, and how many distinct scores there are."""
    thresholds = scores.table.thresholds
    rows = np.arange(len(thresholds))
    if len(rows) > STOPS + 1:
        rows = np.unique(np.append(np.linspace(0, len(rows) - 1, STOPS).astype(int), scores.table.index(threshold)))
    return sorted(thresholds[rows].tolist()), len(thresholds) - 1


def _steps(stops: int, distinct: int) -> str:
    if stops > distinct:
        if distinct == 1:
            return "All scores are equal, so there are two steps: everything is positive, or nothing."
        return f"Each step is one of the {count_text(distinct)} distinct scores; arrow keys go one by one."
    return f"{count_text(stops)} steps over {count_text(distinct)} distinct scores; the field takes any value exactly."
