"""The ROC and the precision–recall curve on the page, with the threshold in use on both; a click moves it."""

import plotly.graph_objects as go
import streamlit as st

from evalcore.analyses import (
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
from evalcore.figures import band_of, overlaid_figure
from evalcore.inference import Band
from evalcore.wording import THIN, number_text, one_line, threshold_text

from ...display.figure import page_ink, show_figure
from ...session import address
from ...session.entry_links import with_links
from ...session.loaded_scores import scores_of
from .operating_point import show_operating_point
from .systems import averages_of, figure_key, line_of, pick, points_down, systems_of


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
    st.markdown(with_links(point.verdict))
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
    scores = scores_of(_current, _current.system)
    return overlaid_figure(
        plane, systems_of(_current), scores, overlays, page_ink(),
        averages=averages_of(_current) if can_average(_current) else None,
        band=_band(_current.key, plane, overlays.band, scores, overlays), inverted=points_down(scores),
    )  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner="Resampling the rows …")
def _band(key: str, plane: str, kind: str, _scores: Scores, _overlays: CurveOverlays) -> Band | None:
    return band_of(plane, _scores, _overlays)
