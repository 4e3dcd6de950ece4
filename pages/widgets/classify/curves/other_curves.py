"""The other curves of the same scores, a tab each; only the open one is worked out."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

from evalcore.analyses import OperatingPoint, Scores, Source, curve_notes, curve_systems, no_curve_because
from evalcore.figures import cost_figure, det_figure, gain_figure, gain_scale_figure, ks_figure, lift_figure
from evalcore.wording import one_line, plotly_text, threshold_text

from ...display.figure import page_ink, show_figure
from ...session.loaded_scores import scores_of
from .curve_systems import figure_key, pick, systems_of
from .operating_point import show_operating_point

FIRST = "ROC and precision–recall"
_NOWHERE = (float("nan"), float("nan"))


@dataclass(frozen=True)
class Kind:
    """One of the curves.

    Parameters
    ----------
    key : str
        Of the picture, and of its file.
    draw : callable
        The picture of some systems.
    place : callable
        Where the operating point lies on it.
    text : callable
        What holds there, or of the whole curve.
    line : callable, optional
        The ends of the line that the operating point is, where a ring cannot mark it.
    """

    key: str
    draw: Callable
    place: Callable[[OperatingPoint], tuple[float, float]] = lambda point: _NOWHERE
    text: Callable[[OperatingPoint], str] = lambda point: ""
    line: Callable[[OperatingPoint], tuple[float, float, float, float]] | None = None


KINDS = {
    "Gain": Kind("gain", gain_figure, lambda point: point.on_gain, lambda point: point.gain_text),
    "Lift": Kind("lift", lift_figure, lambda point: point.on_lift, lambda point: point.gain_text),
    "KS": Kind("ks", ks_figure, line=lambda point: (point.threshold, 0.0, point.threshold, 1.0)),
    "DET": Kind("det", det_figure, lambda point: point.on_det),
    "Cost": Kind("cost", cost_figure, text=lambda point: point.picked_text, line=lambda point: point.cost_line),
    "PR gain": Kind(
        "pr-gain", gain_scale_figure, lambda point: point.on_precision_recall_gain, lambda point: point.gain_area_text
    ),
}
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
    scores, kind = point.scores, KINDS[name]
    if reason := no_curve_because(scores):
        st.markdown(f"There is no curve here: it is undefined. {reason}")
        return
    current = scores.current
    shown = (current.system,) if name == "KS" else curve_systems(current)
    with st.container(key="curves"):
        picture, words = st.columns([3, 2], gap="large")
        with picture:
            count = "1 system" if len(shown) == 1 else f"{len(shown)} systems"
            alt = f"{name} curve of {count}: " + ", ".join(one_line(system, 30) for system in shown)
            show_figure(_figure(figure_key(current), name, current, shown), kind.key, alt, filename=kind.key)
        with words:
            st.markdown(_READINGS[name])
            st.markdown(_text(current.key, name, None if name == "PR gain" else point.threshold, point))
        show_operating_point(
            {kind.key: kind.place(point)},
            f"threshold {threshold_text(point.threshold)}",
            lambda clicked, place: pick(current, clicked, place),
            lines={} if kind.line is None else {kind.key: kind.line(point)},
        )
    st.caption(" ".join(["Click on a curve to set the threshold.", *curve_notes(scores)]))


@st.cache_data(max_entries=128, show_spinner=False)
def _text(key: str, name: str, threshold: float | None, _point: OperatingPoint) -> str:
    return KINDS[name].text(_point)


@st.cache_resource(max_entries=48, show_spinner="Drawing …")
def _figure(key: str, name: str, _current: Source, _shown: tuple[str, ...]) -> go.Figure:
    systems, colours = systems_of(_current, _shown), page_ink()
    if name != "KS":
        return KINDS[name].draw(systems, colours)
    scores = scores_of(_current, _current.system)
    return ks_figure(systems, (plotly_text(scores.positive, 30), plotly_text(scores.negative, 30)), colours)
