"""The threshold on a page: a slider whose every step is a distinct score, and a field for the exact value."""

import math
from collections import Counter

import numpy as np
import streamlit as st

from evalcore.analyses import Scores
from evalcore.wording import count_text, plain, threshold_text

from ..session.loaded_scores import put_threshold, threshold_of
from .bound import bound

STOPS = 1000
"""Steps of the slider; up to here every distinct score is one."""


def choose_threshold(scores: Scores) -> float:
    """Ask for the threshold, which is the same on all pages."""
    threshold, table = threshold_of(scores), scores.table
    distinct, row = len(table) - 1, table.index(threshold)
    rows = np.arange(len(table))
    if len(rows) > STOPS + 1:
        rows = np.unique(np.append(np.linspace(0, len(rows) - 1, STOPS).astype(int), row))
    stops = sorted(table.thresholds[rows].tolist())
    # As many digits as the threshold has, so that the field shows what it holds.
    digits = next((d for d in range(6, 17) if float(f"{threshold:.{d}g}") == threshold), 17)
    slider, field = st.columns([4, 1.2], vertical_alignment="bottom", gap="medium")
    bound(
        slider.select_slider, f"Threshold: {plain(scores.positive, 30)} when score {scores.rule} threshold", "t",
        float(table.thresholds[row]), stops, write=put_threshold, key="threshold slider", format_func=_texts(stops).get,
    )  # fmt: skip
    bound(
        field.number_input, "Exactly", "t", threshold if math.isfinite(threshold) else None, None, None, None,
        write=_put_typed, key="threshold field", format=f"%.{digits}g", step=None,
    )  # fmt: skip
    st.caption(_steps(len(stops), distinct))
    return threshold


def show_step(scores: Scores, threshold: float, key: str, **options: object) -> None:
    """A button that goes to a threshold."""
    st.button(f"Go to {scores.text(threshold)}", key=key, on_click=put_threshold, args=(threshold,), **options)


def _put_typed(typed: float | None) -> None:
    if typed is not None:
        put_threshold(typed)


def _texts(stops: list[float]) -> dict[float, str]:
    """What each step is called. Streamlit tells options apart by that, so those that six digits leave alike get all."""
    short = {stop: threshold_text(stop) for stop in stops}
    alike = Counter(short.values())
    return {stop: text if alike[text] == 1 else repr(stop).replace("-", "−") for stop, text in short.items()}


def _steps(stops: int, distinct: int) -> str:
    if stops > distinct:
        if distinct == 1:
            return "All scores are equal, so there are two steps: everything is positive, or nothing."
        return f"Each step is one of the {count_text(distinct)} distinct scores; arrow keys move by one."
    return f"{count_text(stops)} steps over {count_text(distinct)} distinct scores; the field takes any value."
