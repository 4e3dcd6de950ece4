"""The scores of both classes around the threshold, and the measures as it moves."""

import numpy as np
import streamlit as st

from evalcore import METRICS
from evalcore.classification import Limit, measure_curve, score_bins
from evalcore.figures.numbers import count_text, threshold_text
from evalcore.figures.threshold import threshold_figure

from .goals import allowed_ranges
from .picture import page_ink, show_figure
from .states import Scores

_LINES = ("recall", "precision", "specificity", "f_beta")
_DRAWABLE = [m.key for m in METRICS.values() if m.family == "counts" and (m.lowest, m.highest) == (0, 1)]


def show_sweep(scores: Scores, threshold: float, limits: list[Limit], lines: list[str]) -> None:
    """Densities cut by the threshold over the chosen measures against it."""
    bins = score_bins(scores.scored, scores.turned(threshold))
    cells = {key: float(getattr(scores.counts_at(threshold), key)) for key in ("tp", "fp", "fn", "tn")}
    figure = threshold_figure(
        bins if scores.higher else bins.turned(),
        [(_word(key), *_line(scores, key)) for key in lines],
        threshold,
        cells,
        (scores.positive, scores.negative),
        page_ink(),
        scores.higher,
        allowed_ranges(scores, limits),
    )
    counts = ", ".join(f"{count_text(value)} {key.upper()}" for key, value in cells.items())
    show_figure(
        figure,
        key="sweep",
        alt=f"Scores of both classes, cut at {threshold_text(threshold)}: {counts}. Below, measures against the cut.",
        filename="threshold",
    )


def choose_lines() -> list[str]:
    """Ask which measures to draw; the choice stays in the address."""
    return st.multiselect(
        "Measures to draw",
        _DRAWABLE,
        default=list(_LINES),
        format_func=_word,
        key="lines",
        bind="query-params",
        label_visibility="collapsed",
    )


def _word(key: str) -> str:
    """What a measure is called in a legend."""
    return METRICS[key].label if METRICS[key].params else METRICS[key].name.lower()


def _line(scores: Scores, key: str) -> tuple[np.ndarray, np.ndarray]:
    thresholds, values = _curve(f"{scores.current.key}\n{scores.system}", key, _scores=scores)
    return (thresholds[::-1], values[::-1]) if scores.higher else (0.0 - thresholds, values)


@st.cache_resource(max_entries=128, show_spinner=False)
def _curve(state: str, key: str, _scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    return measure_curve(_scores.table, METRICS[key])
