"""The ROC and the precision–recall curve on the page, with the threshold in use on both; a click moves it."""

import plotly.graph_objects as go
import streamlit as st

from evalcore.analyses import (
    BANDS,
    CurveOverlays,
    CurveRanges,
    OperatingPoint,
    Scores,
    Source,
    can_average,
    curve_notes,
    curve_systems,
    no_curve_because,
)
from evalcore.classification import measure_over_pr, measure_over_roc
from evalcore.figures import (
    add_averages,
    add_band,
    add_contours,
    add_corners,
    add_hull,
    add_inverted,
    add_regions,
    chosen_of,
    coloured,
    precision_recall_figure,
    roc_figure,
)
from evalcore.inference import Band, precision_recall_band, roc_band
from evalcore.wording import THIN, number_text, one_line, threshold_text

from ...display.figure import page_ink, show_figure
from ...session import address
from ...session.loaded_scores import scores_of
from .operating_point import show_operating_point
from .systems import averages_of, figure_key, line_of, pick, points_down, systems_of

_FIELD = 71
"""Places along each axis at which the measure of contours is worked out."""


def show_curves(scores: Scores, threshold: float, overlays: CurveOverlays, ranges: CurveRanges) -> None:
    """Both curves beside each other, every system of the data over the others, and what holds at the threshold."""
    current, state, point = scores.current, scores.scored, OperatingPoint(scores, threshold)
    values = line_of(current, scores.system).values
    auc = values["AUC"]
    interval = f"{number_text(auc.low)} – {number_text(auc.high)}" if auc.low < auc.high else ""
    bounds = f"95{THIN}% interval {interval}" if interval else "no interval can be given"
    with st.container(key="curves"):
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown(f"**ROC · AUC {number_text(auc.estimate)}** :small[:gray[{bounds}]]")
            _show("roc", "ROC curve", scores, overlays, bool(state.positives and state.negatives))
        with right:
            guess = f":small[:gray[guessing gives {number_text(scores.prevalence)}]]"
            st.markdown(f"**Precision–recall · AP {number_text(values['AP'].estimate)}** {guess}")
            _show("pr", "Precision–recall curve", scores, overlays, bool(state.positives))
        show_operating_point(
            {plane: point.coordinates[plane] for plane in ("roc", "pr")},
            f"threshold {threshold_text(threshold)}",
            lambda clicked, index: pick(current, clicked, index),
            ranges=ranges,
        )
    st.markdown(point.verdict)
    notes = [*overlays.notes, *curve_notes(scores, averages=True)]
    st.caption(" ".join(["Click on a curve to set the threshold.", *notes]))


def _show(plane: str, what: str, scores: Scores, overlays: CurveOverlays, defined: bool) -> None:
    if not defined:
        with st.container(border=True):
            st.markdown(f"There is no curve here: the {what} is undefined. {no_curve_because(scores)}")
            st.page_link("pages/start/data.py", label="Change the positive class", query_params=address.parameters())
        return
    current = scores.current
    # The threshold stays out of the description: a picture whose description changes is mounted anew.
    shown = curve_systems(current)
    alt = f"{what} of {len(shown)} systems: " + ", ".join(one_line(name, 30) for name in shown)
    figure = _figure(figure_key(current), plane, overlays, current)
    show_figure(figure, plane, alt, filename={"pr": "precision-recall"}.get(plane, plane), square=True)


# A figure is some ten kilobytes and is only read, so all sessions share it.
@st.cache_resource(max_entries=64, show_spinner=False)
def _figure(key: str, plane: str, overlays: CurveOverlays, _current: Source) -> go.Figure:
    systems, colours, roc = systems_of(_current), page_ink(), plane == "roc"
    figure = roc_figure(systems, colours) if roc else precision_recall_figure(systems, colours, overlays.line)
    chosen, scores = chosen_of(systems), scores_of(_current, _current.system)
    state = scores.scored
    if can_average(_current):
        add_averages(figure, averages_of(_current), colours, roc, interpolated=overlays.line != "as counted")
    if chosen is None:
        return figure
    if roc and overlays.hull:
        add_hull(figure, chosen, colours)
    if roc and points_down(scores):
        add_inverted(figure, chosen, colours)
    if overlays.band != BANDS[0]:
        add_band(figure, _band(_current.key, plane, overlays.band, scores), chosen, colours)
    if overlays.corners:
        add_corners(figure, colours, roc)
    if state.negatives:
        add_regions(figure, overlays.requirements, scores.prevalence, colours, overlays.share, over_roc=roc)
    if overlays.measure is not None:
        field = measure_over_roc if roc else measure_over_pr
        values = field(overlays.value, state.positives, state.negatives, _FIELD)
        add_contours(figure, values, overlays.contours, colours)
    return coloured(figure, colours, scale=roc) if overlays.coloured else figure


@st.cache_resource(max_entries=32, show_spinner="Resampling the rows …")
def _band(key: str, plane: str, kind: str, _scores: Scores) -> Band:
    function = roc_band if plane == "roc" else precision_recall_band
    return function(_scores.table, simultaneous=kind == "simultaneous", scored=_scores.scored)
