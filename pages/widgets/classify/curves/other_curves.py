"""The other curves of the same scores, a tab each; only the open one is worked out."""

import math
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

from evalcore.analyses import OperatingPoint, Scores, Source, curve_notes, curve_systems, no_curve_because
from evalcore.figures import cost_figure, det_figure, gain_figure, gain_scale_figure, ks_figure, lift_figure
from evalcore.wording import one_line, plotly_text, threshold_text

from ...display.figure import page_ink, show_figure
from ...session.loaded_scores import scores_of
from .operating_point import show_operating_point
from .systems import figure_key, pick, systems_of

FIRST = "ROC and precision–recall"
KINDS = {"Gain": "gain", "Lift": "lift", "KS": "ks", "DET": "det", "Cost": "cost", "PR gain": "pr-gain"}
"""The curves, and the names of their pictures."""

_FIGURES = {
    "gain": gain_figure, "lift": lift_figure, "ks": ks_figure, "det": det_figure, "cost": cost_figure,
    "pr-gain": gain_scale_figure,
}  # fmt: skip
_READINGS = dict(
    part.split("\n", 1)
    for part in Path(__file__).with_suffix(".md").read_text(encoding="utf-8").removeprefix("# ").split("\n# ")
)


def open_tabs() -> dict:
    """The tabs by their names, the first for ROC and precision–recall; which one is open stays in the address."""
    names = (FIRST, *KINDS)
    return dict(zip(names, st.tabs(names, key="curve", on_change="rerun", bind="query-params"), strict=True))


def show_other_curves(tabs: dict, scores: Scores, threshold: float) -> None:
    """What stands in the open tab, when it is not the first."""
    for name in KINDS:
        if tabs[name].open:
            with tabs[name]:
                _show(name, OperatingPoint(scores, threshold))


def _show(name: str, point: OperatingPoint) -> None:
    scores, key = point.scores, KINDS[name]
    if reason := no_curve_because(scores):
        st.markdown(f"There is no curve here: it is undefined. {reason}")
        return
    current = scores.current
    shown = (current.system,) if key == "ks" else curve_systems(current)
    with st.container(key="curves"):
        picture, words = st.columns([3, 2], gap="large")
        with picture:
            count = "1 system" if len(shown) == 1 else f"{len(shown)} systems"
            scale = " in standard normal deviates" if key == "det" else ""
            alt = f"{name} curve{scale} of {count}: " + ", ".join(one_line(system, 30) for system in shown)
            show_figure(_figure(figure_key(current), key, current, shown), key, alt)
        with words:
            st.markdown(_READINGS[name])
            st.markdown(_text(current.key, key, None if key == "pr-gain" else point.threshold, point))
        show_operating_point(
            {key: point.coordinates.get(key, (math.nan, math.nan))},
            f"threshold {threshold_text(point.threshold)}",
            lambda clicked, index: pick(current, clicked, index),
            lines={name: ends for name, ends in point.lines.items() if name == key},
        )
    st.caption(" ".join(["Click on a curve to set the threshold.", *curve_notes(scores)]))


@st.cache_data(max_entries=128, show_spinner=False)
def _text(key: str, curve: str, threshold: float | None, _point: OperatingPoint) -> str:
    return _point.text(curve)


@st.cache_resource(max_entries=48, show_spinner="Drawing …")
def _figure(key: str, curve: str, _current: Source, _shown: tuple[str, ...]) -> go.Figure:
    systems, scores = systems_of(_current, _shown), scores_of(_current, _current.system)
    names = [(plotly_text(scores.positive, 30), plotly_text(scores.negative, 30))] if curve == "ks" else []
    return _FIGURES[curve](systems, *names, page_ink())
