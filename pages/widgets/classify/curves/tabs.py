"""The other curves of the same scores, a tab each; only the open one is worked out."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from evalcore.analyses import Scores, Source
from evalcore.classification import (
    ThresholdTable,
    cost_line,
    det_curve,
    gain_curve,
    precision_recall_gain_area,
    precision_recall_gain_curve,
    predicted_prevalence,
)
from evalcore.figures import cost_figure, det_figure, gain_figure, gain_scale_figure, ks_figure, lift_figure
from evalcore.wording import number_text, one_line, plotly_text, share_text, threshold_text

from ...display.figure import page_ink, show_figure
from ...session.loaded_scores import scores_of
from .curve_systems import as_drawn, drawing_notes, drawn_systems, ground, pick
from .operating_point import show_operating_point
from .roc_and_pr import undefined_because

FIRST = "ROC and precision–recall"


@dataclass(frozen=True)
class Kind:
    """One of the curves.

    Parameters
    ----------
    key : str
        Of the picture, and of its file.
    draw : callable
        The picture of the drawn systems.
    place : callable
        Where the threshold in use stands on it.
    line : callable, optional
        The line it is, where it is none that a ring could mark.
    """

    key: str
    draw: Callable
    place: Callable[[Scores, float], tuple[float, float]]
    line: Callable[[Scores, float], tuple[float, float, float, float]] | None = None


def _at(scores: Scores, threshold: float) -> ThresholdTable:
    """The threshold as a table of three rows: nothing is positive, the threshold, everything is."""
    table = scores.table
    rows = np.unique([0, table.index(threshold), len(table) - 1])
    return ThresholdTable(table.thresholds[rows], table.counts[rows])


def _row(scores: Scores, threshold: float) -> int:
    return _at(scores, threshold).index(threshold)


def _on_gain(scores: Scores, threshold: float) -> tuple[float, float]:
    curve, row = gain_curve(_at(scores, threshold)), _row(scores, threshold)
    return float(curve.share[row]), float(curve.gain[row])


def _on_lift(scores: Scores, threshold: float) -> tuple[float, float]:
    curve, row = gain_curve(_at(scores, threshold)), _row(scores, threshold)
    return float(curve.share[row]), float(curve.lift[row])


def _on_det(scores: Scores, threshold: float) -> tuple[float, float]:
    curve, row = det_curve(_at(scores, threshold)), _row(scores, threshold)
    return float(curve.fall_out_deviate[row]), float(curve.miss_rate_deviate[row])


def _on_gain_scale(scores: Scores, threshold: float) -> tuple[float, float]:
    table = _at(scores, threshold)
    curve = precision_recall_gain_curve(table)
    # Its points are the last rows of the table; a threshold before them lies left of the picture.
    place = _row(scores, threshold) - (len(table) - len(curve.recall_gain))
    if place < 0 or math.isnan(float(curve.thresholds[place])):
        return _nowhere(scores, threshold)
    return float(curve.recall_gain[place]), float(curve.precision_gain[place])


def _nowhere(scores: Scores, threshold: float) -> tuple[float, float]:
    return math.nan, math.nan


def _cost_line(scores: Scores, threshold: float) -> tuple[float, float, float, float]:
    alarms, missed = cost_line(scores.table, threshold)
    return 0.0, alarms, 1.0, missed


_READINGS = {
    "Gain": """
Call the highest scores first: after which share of the rows is which share of the positives found? The dotted line is
a perfect order, the dashed one is guessing. **Read up** from a budget: who can look at 20 % of the rows finds what the
curve says there.
""",
    "Lift": """
How many times more positives there are among the picked rows than among as many picked blindly. It ends at 1 and cannot
be higher than one over the prevalence, so it compares systems on the same rows only. At the far left it rests on few
rows and leaps.
""",
    "KS": """
The share of each class with a lower score, or with a higher one where low scores are positive, for the chosen system.
The further apart the two lines, the better the score tells the classes apart. The widest gap is the Kolmogorov–Smirnov
statistic; it stands where recall plus specificity is highest. The dashed upright line is the threshold in use.
""",
    "DET": """
The two errors against each other; the nearer the lower left corner, the better. The axes are stretched so that scores
of two normal laws make a straight line and differences between good systems are seen. On the dotted line both errors
are equal.
""",
    "Cost": """
What a decision costs when neither prices nor prevalence are known: from left, where only false alarms cost, to right,
where only misses do. With equal prices the place on the axis is the prevalence. The curve is the best threshold at each
place; where it touches the dashed triangle, not looking at the score is as good. The dashed straight line is the
threshold in use: it is the best where it touches the curve.
""",
    "PR gain": """
Precision and recall on a scale where calling everything positive is 0 and perfect is 1, whatever the prevalence. Here
one may read between points, and the area is the mean gain in F1.
""",
}
KINDS = {
    "Gain": Kind("gain", lambda systems, names, colours: gain_figure(systems, colours), _on_gain),
    "Lift": Kind("lift", lambda systems, names, colours: lift_figure(systems, colours), _on_lift),
    "KS": Kind("ks", ks_figure, _nowhere, lambda scores, threshold: (threshold, 0.0, threshold, 1.0)),
    "DET": Kind("det", lambda systems, names, colours: det_figure(systems, colours), _on_det),
    "Cost": Kind("cost", lambda systems, names, colours: cost_figure(systems, colours), _nowhere, _cost_line),
    "PR gain": Kind("pr-gain", lambda systems, names, colours: gain_scale_figure(systems, colours), _on_gain_scale),
}


def open_tabs() -> dict:
    """The tabs by their names, the first for ROC and precision–recall; which one is open stays in the address."""
    names = (FIRST, *KINDS)
    return dict(zip(names, st.tabs(names, key="curve", on_change="rerun", bind="query-params"), strict=True))


def show_other_curves(tabs: dict, scores: Scores, threshold: float) -> None:
    """What stands in the open tab, when it is not the first."""
    for name, kind in KINDS.items():
        if tabs[name].open:
            with tabs[name]:
                _show(name, kind, scores, threshold)


def _show(name: str, kind: Kind, scores: Scores, threshold: float) -> None:
    reason = undefined_because(scores)
    if reason:
        st.markdown(f"There is no curve here: it is undefined. {reason}")
        return
    current = scores.current
    shown = (current.system,) if name == "KS" else drawn_systems(current)
    with st.container(key="curves"):
        picture, words = st.columns([3, 2], gap="large")
        with picture:
            figure = _figure("\n".join((current.key, ground())), name, current, shown)
            count = "1 system" if len(shown) == 1 else f"{len(shown)} systems"
            alt = f"{name} curve of {count}: " + ", ".join(one_line(system, 30) for system in shown)
            show_figure(figure, kind.key, alt, filename=kind.key)
        with words:
            st.markdown(_READINGS[name])
            for line in _said(name, scores, threshold):
                st.markdown(line)
        show_operating_point(
            {kind.key: kind.place(scores, threshold)},
            f"threshold {threshold_text(threshold)}",
            lambda clicked, place: pick(current, clicked, place),
            lines={} if kind.line is None else {kind.key: kind.line(scores, threshold)},
        )
    st.caption(" ".join(["Click on a curve to cut there.", *drawing_notes(scores, shown)]))


def _said(name: str, scores: Scores, threshold: float) -> list[str]:
    """The numbers of the threshold in use, or of the whole curve, in words."""
    if name in ("Gain", "Lift"):
        share, found = _on_gain(scores, threshold)
        times = number_text(_on_lift(scores, threshold)[1])
        at = f"At {threshold_text(threshold)}, **{share_text(share)}** of the rows are picked"
        return [f"{at}: they hold **{share_text(found)}** of the positives, **{times}** times as many as by chance."]
    if name == "PR gain":
        return [f"Area under it: **{number_text(_gain_area(scores.current.key, scores))}**."]
    if name == "Cost":
        share = float(predicted_prevalence(scores.counts_at(threshold)))
        return [f"At {threshold_text(threshold)}, {share_text(share)} of the rows are called positive."]
    return []


@st.cache_data(max_entries=128, show_spinner=False)
def _gain_area(key: str, _scores: Scores) -> float:
    return float(precision_recall_gain_area(_scores.scored))


@st.cache_resource(max_entries=48, show_spinner="Drawing …")
def _figure(key: str, name: str, _current: Source, _shown: tuple[str, ...]) -> go.Figure:
    scores = scores_of(_current, _current.system)
    names = plotly_text(scores.positive, 30), plotly_text(scores.negative, 30)
    return KINDS[name].draw(as_drawn(_current, _shown), names, page_ink())
