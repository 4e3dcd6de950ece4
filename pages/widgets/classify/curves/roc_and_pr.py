"""The ROC and the precision–recall curve on the page, with the threshold in use on both; a click moves it."""

import plotly.graph_objects as go
import streamlit as st

from evalcore.analyses import Scores, Source
from evalcore.classification import (
    ConfusionCounts,
    fall_out,
    measure_over_pr,
    measure_over_roc,
    precision,
    prevalence,
    recall,
    region_over_pr,
    region_over_roc,
)
from evalcore.figures import (
    Region,
    add_band,
    add_contours,
    add_hull,
    add_inverted,
    add_means,
    add_regions,
    chosen_of,
    coloured,
    precision_recall_figure,
    roc_figure,
)
from evalcore.inference import Band, precision_recall_band, roc_band
from evalcore.wording import THIN, count_text, number_text, one_line, outcome_word, plain, share_text, threshold_text

from ...display.figure import page_ink, show_figure
from ...session import address
from ...session.loaded_scores import scores_of
from .class_means import has_means, means_of
from .curve_systems import as_drawn, drawing_notes, drawn_systems, ground, pick
from .look import BANDS, Look
from .operating_point import Brush, show_operating_point
from .partial_range import Ranges, put_range
from .systems import areas_of, points_down

FIELD = 71
"""Places along each axis at which the measure of contours is worked out."""

_AXES = {"x": "fpr", "y": "tpr"}


def show_curves(scores: Scores, threshold: float, look: Look, ranges: Ranges) -> None:
    """Both curves beside each other, every system of the data over the others, and what holds at the threshold."""
    current, shown = scores.current, drawn_systems(scores.current)
    key = "\n".join((current.key, ground(), repr(look)))
    counts, areas = scores.counts_at(threshold), areas_of(current, scores.system)
    with st.container(key="curves"):
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown(_roc_caption(areas))
            if scores.scored.positives and scores.scored.negatives:
                figure = _roc(key, look, _current=current, _shown=shown)
                show_figure(figure, "roc", _alt("ROC curve", shown), filename="roc", square=True)
            else:
                _show_reason(scores, "the ROC curve")
        with right:
            st.markdown(_precision_recall_caption(areas, float(prevalence(counts))))
            if scores.scored.positives:
                figure = _precision_recall(key, look, _current=current, _shown=shown)
                alt = _alt("Precision–recall curve", shown)
                show_figure(figure, "pr", alt, filename="precision-recall", square=True)
            else:
                _show_reason(scores, "precision against recall")
        found, alarms, pure = float(recall(counts)), float(fall_out(counts)), float(precision(counts))
        show_operating_point(
            {"roc": (alarms, found), "pr": (found, pure)},
            f"threshold {threshold_text(threshold)}",
            lambda clicked, place: pick(current, clicked, place),
            brush=Brush("roc", ranges.fpr, ranges.tpr, lambda along, *ends: put_range(_AXES[along], *ends)),
        )
    st.markdown(
        f"At a threshold of **{threshold_text(threshold)}**: {outcomes(counts)} · recall **{share_text(found)}**, "
        f"false positive rate **{share_text(alarms)}**, precision **{share_text(pure)}**"
    )
    st.caption(" ".join(["Click on a curve to cut there.", *look.notes, *drawing_notes(scores, shown, curve=True)]))


def undefined_because(scores: Scores) -> str:
    """Why there is no curve, as a sentence in Markdown; empty where there is one."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    positive = plain(scores.positive, limit=40)
    if not positives and not negatives:
        return "No row has both a label and a score."
    if not positives:
        return f"None of the {count_text(negatives)} rows is {positive}, so there is nothing to find."
    if not negatives:
        return f"All {count_text(positives)} rows are {positive}, so nothing can raise a false alarm."
    return ""


def outcomes(counts: ConfusionCounts) -> str:
    """The four counts in words."""
    cells = {key: float(getattr(counts, key)) for key in ("tp", "fn", "fp", "tn")}
    return ", ".join(f"{count_text(count)} {outcome_word(key, count)}" for key, count in cells.items())


# A figure is some ten kilobytes and is only read, so all sessions share it.
@st.cache_resource(max_entries=32, show_spinner=False)
def _roc(key: str, look: Look, _current: Source, _shown: tuple[str, ...]) -> go.Figure:
    systems, colours = as_drawn(_current, _shown), page_ink()
    figure = roc_figure(systems, colours)
    chosen, scores = chosen_of(systems), scores_of(_current, _current.system)
    if has_means(_current):
        add_means(figure, means_of(_current), colours, roc=True)
    if chosen is None:
        return figure
    if look.hull:
        add_hull(figure, chosen, colours)
    if points_down(scores):
        add_inverted(figure, chosen, colours)
    if look.band != BANDS[0]:
        add_band(figure, _band(_current.key, "roc", look.band, scores), chosen, colours)
    add_regions(figure, _regions(look, scores, roc=True), colours)
    if look.measure is not None:
        field = measure_over_roc(look.value, scores.scored.positives, scores.scored.negatives, FIELD)
        add_contours(figure, field, look.contours, colours)
    return coloured(figure, colours, scale=True) if look.coloured else figure


@st.cache_resource(max_entries=32, show_spinner=False)
def _precision_recall(key: str, look: Look, _current: Source, _shown: tuple[str, ...]) -> go.Figure:
    systems, colours = as_drawn(_current, _shown), page_ink()
    figure = precision_recall_figure(systems, colours, look.line)
    chosen, scores = chosen_of(systems), scores_of(_current, _current.system)
    if has_means(_current):
        add_means(figure, means_of(_current), colours, roc=False, interpolated=look.line != "as counted")
    if chosen is None:
        return figure
    if look.band != BANDS[0]:
        add_band(figure, _band(_current.key, "pr", look.band, scores), chosen, colours)
    if scores.scored.negatives:
        add_regions(figure, _regions(look, scores, roc=False), colours)
    if look.measure is not None:
        field = measure_over_pr(look.value, scores.scored.positives, scores.scored.negatives, FIELD)
        add_contours(figure, field, look.contours, colours)
    return coloured(figure, colours, scale=False) if look.coloured else figure


@st.cache_resource(max_entries=32, show_spinner="Resampling the rows …")
def _band(key: str, plane: str, kind: str, _scores: Scores) -> Band:
    function = roc_band if plane == "roc" else precision_recall_band
    return function(_scores.table, simultaneous=kind == "simultaneous")


def _regions(look: Look, scores: Scores, roc: bool) -> list[Region]:
    own = float(prevalence(scores.table.counts[0]))
    share = own if look.share is None else look.share
    regions = []
    for trust in look.trusted:
        if roc:
            edge = region_over_roc(trust.measure, trust.least, share)
        else:
            edge = region_over_pr(trust.measure, trust.least, own, share)
        regions.append(Region(trust.words, *edge, trust.rules_in))
    return regions


def _roc_caption(areas: dict) -> str:
    interval = areas["AUC interval"]
    bounds = f"95{THIN}% interval {interval}" if interval else "no interval can be given"
    return f"**ROC · AUC {number_text(areas['AUC'])}** :small[:gray[{bounds}]]"


def _precision_recall_caption(areas: dict, guess: float) -> str:
    return f"**Precision–recall · AP {number_text(areas['AP'])}** :small[:gray[guessing gives {number_text(guess)}]]"


def _show_reason(scores: Scores, what: str) -> None:
    with st.container(border=True):
        st.markdown(f"There is no curve here: {what} is undefined. {undefined_because(scores)}")
        st.page_link("pages/start/data.py", label="Change the positive class", query_params=address.parameters())


def _alt(what: str, shown: tuple[str, ...]) -> str:
    # The threshold stays out of it: a picture whose description changes is mounted anew.
    return f"{what} of {len(shown)} systems: " + ", ".join(one_line(name, 30) for name in shown)
