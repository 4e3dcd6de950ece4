"""The threshold on a page: a slider whose every step is a distinct score, and a field for the exact value."""

import math

import numpy as np
import streamlit as st

from evalcore.analyses import Scores, bins_of, slider_note, threshold_names
from evalcore.wording import plain

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
        float(table.thresholds[row]), stops,
        write=put_threshold, key="threshold slider", format_func=threshold_names(stops).get,
    )  # fmt: skip
    bound(
        field.number_input, "Exactly", "t", threshold if math.isfinite(threshold) else None, None, None, None,
        key="threshold field", format=f"%.{digits}g", step=None,
        write=lambda typed: None if typed is None else put_threshold(typed),
    )  # fmt: skip
    st.caption(slider_note(len(stops), distinct, "distinct scores" if bins_of(scores) is None else "bins of scores"))
    return threshold


def show_step(scores: Scores, threshold: float, key: str, **options: object) -> None:
    """A button that goes to a threshold."""
    st.button(f"Go to {scores.text(threshold)}", key=key, on_click=put_threshold, args=(threshold,), **options)
