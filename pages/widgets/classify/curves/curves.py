"""The ROC and the precision–recall curve on the page, and the threshold in use on both, which a click moves."""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

import streamlit as st

from evalcore import METRICS, analyses, figures, measures_of
from evalcore.figures.base import graph_objects as go
from evalcore.figures.threshold_view import add_point
from evalcore.registry import PAGES
from evalcore.wording import measure_links, number_text, one_line, plotly_text, range_text
from pages.widgets.classify.curves.systems import averages_of, figure_key, line_of, pick, points_down, systems_of
from pages.widgets.classify.threshold.pins import pins_of
from pages.widgets.controls.fields import beside, bound, segmented, select
from pages.widgets.controls.goals import choose_params, choose_requirements, choose_share
from pages.widgets.display.figure import ELEMENT, component, page_ink, show_figure
from pages.widgets.display.measures import READINGS
from pages.widgets.export.downloads import note_figure
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import put_threshold, scores_of, threshold_of, with_links


def _show_curves(
    point: analyses.OperatingPoint, overlays: analyses.CurveOverlays, ranges: analyses.CurveRanges
) -> None:
    """Both curves beside each other, every system of the data over the others, and the threshold on them."""
    scores = point.scores
    current, state = scores.current, scores.scored
    values = line_of(current, scores.system).values
    auc = values["AUC"]
    corner = _corner(current.key_of(None), current)
    if corner is not None and not corner.holds(point.counts):
        corner = None  # the threshold in use is seen, whatever it is
    shown = None if overlays.whole else corner
    bounds = range_text(number_text(auc.low), number_text(auc.high)) if auc.low < auc.high else "no interval"
    with st.container(key="curves"):
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown(with_links(f"**ROC · AUC {number_text(auc.estimate)}** :small[:gray[({bounds})]]"))
            _show("roc", "ROC curve", scores, overlays, shown, bool(state.positives and state.negatives))
        with right:
            st.markdown(with_links(f"**Precision–recall · AP {number_text(values['AP'].estimate)}**"))
            _show("pr", "Precision–recall curve", scores, overlays, shown, bool(state.positives))
        show_operating_point(
            {plane: point.coordinates[plane] for plane in ("roc", "pr")}, f"threshold {scores.text(point.threshold)}",
            lambda clicked, index: pick(current, clicked, index), ranges=ranges, pins=pins_of(scores),
            corner=corner, whole=overlays.whole,
        )  # fmt: skip
    _show_notes(*overlays.notes, *analyses.curve_notes(scores, averages=True))


def _show_notes(*notes: str) -> None:
    if notes:
        st.caption(" ".join(notes))


@st.cache_resource(max_entries=32, show_spinner=False)
def _corner(key: str, _current: analyses.Source) -> analyses.Corner | None:
    return analyses.Corner.of([scores_of(_current, name) for name in analyses.curve_systems(_current)])


def _show(
    plane: str, what: str, scores: analyses.Scores, overlays: analyses.CurveOverlays,
    corner: analyses.Corner | None, defined: bool,
) -> None:  # fmt: skip
    if not defined:
        with st.container(border=True):
            st.markdown(f"There is no curve: the {what} is undefined. {analyses.no_curve_because(scores)}")
            st.page_link("pages/start/data.py", label="Change the positive class", query_params=address.parameters())
        return
    current = scores.current
    # The threshold stays out of the description: a picture whose description changes is mounted anew.
    shown = analyses.curve_systems(current)
    alt = f"{what} of {len(shown)} systems: " + ", ".join(one_line(name, 30) for name in shown)
    figure = _figure(figure_key(current), plane, overlays, corner, current)
    note_figure(lambda: add_point(deepcopy(figure), plane, scores, threshold_of(scores), page_ink()))
    show_figure(figure, plane, alt, filename={"pr": "precision-recall"}.get(plane, plane), square=True)


# A figure is some ten kilobytes and is only read, so all sessions share it.
@st.cache_resource(max_entries=64, show_spinner=False)
def _figure(
    key: str, plane: str, overlays: analyses.CurveOverlays, corner: analyses.Corner | None, _current: analyses.Source
) -> go.Figure:
    scores = scores_of(_current, _current.system)
    return figures.overlaid_figure(
        plane, systems_of(_current), scores, overlays, page_ink(),
        averages=averages_of(_current) if analyses.can_average(_current) else None,
        band=_band((_current.key, plane, overlays.band), plane, scores, overlays), inverted=points_down(scores),
        corner=corner,
    )  # fmt: skip


_band = cache(figures.band_of, 32, "Resampling the rows …")

_FIRST = ("accuracy", "f_beta", "matthews_correlation", "cost", "precision", "negative_predictive_value")


def choose_overlays() -> analyses.CurveOverlays:
    """Ask behind a button how the curves are drawn, and which part of them an area is of."""
    with st.popover("Picture", icon=":material/tune:"):
        line = segmented("Precision", analyses.PRECISION_LINES, "precision")
        about = "Pointwise: each point separately. Simultaneous: the whole curve at once, so it is wider."
        band = segmented("Band", analyses.BANDS, "band", help=about)
        with st.container(horizontal=True):
            hull = st.toggle(
                "Convex hull", key="hull", bind="query-params",
                help="It bridges the dents of the curve. A threshold at one of its corners is the best for some "
                "costs; a threshold below it never is.",
            )  # fmt: skip
            whole = st.toggle(
                "Whole axes", key="whole", bind="query-params",
                help=f"Above an AUC of {analyses.NEARLY_PERFECT}, the curves open at the corner where they bend.",
            )  # fmt: skip
            corners = st.toggle("Names of the corners", key="corners", bind="query-params")
        _choose_ranges()
        contours, arguments = _choose_contours()
        requirements = choose_requirements()
        share = choose_share()
    return analyses.CurveOverlays(line, band, hull, whole, corners, contours, arguments, share, requirements)


def show_requirements(scores: analyses.Scores, overlays: analyses.CurveOverlays) -> None:
    """For each requirement the threshold that meets it and keeps the most, and a button that goes there."""
    for index, requirement in enumerate(overlays.requirements):
        threshold, sentence = requirement.best_threshold(scores, overlays.share)
        with st.container(key=f"trusted {index}", horizontal=True, vertical_alignment="center"):
            st.markdown(sentence, width="content")
            if threshold is not None:
                st.button(
                    "Use this threshold", key=f"cut for trust {index}", on_click=put_threshold, args=(threshold,),
                    type="tertiary",
                )  # fmt: skip


def _choose_contours() -> tuple[str, tuple[tuple[str, float], ...]]:
    drawable = [measure.key for measure in measures_of("counts") if measure.key != "prevalence"]
    options = (analyses.NO_CONTOURS, *_FIRST, *(key for key in METRICS if key in drawable and key not in _FIRST))
    chosen = select(
        "Contours: lines of equal", options, "contours",
        format_func=lambda key: "nothing" if key == analyses.NO_CONTOURS else METRICS[key].name,
        help="All points on a line have the same value; the best threshold is where the curve touches the best line.",
    )  # fmt: skip
    if chosen == analyses.NO_CONTOURS:
        return analyses.NO_CONTOURS, ()
    st.caption(with_links(f"Definition: {measure_links([METRICS[chosen].name])[0]}"))
    return chosen, tuple(choose_params(METRICS[chosen].takes, "contour_").items())


FIRST = "ROC and precision–recall"

KINDS = {"Gain": "gain", "Lift": "lift", "KS": "ks", "DET": "det", "Cost": "cost", "PR gain": "pr-gain"}
"""The curves, and the names of their pictures."""

_FIGURES = {
    "gain": figures.gain_figure, "lift": figures.lift_figure, "ks": figures.ks_figure, "det": figures.det_figure,
    "cost": figures.cost_figure, "pr-gain": figures.gain_scale_figure,
}  # fmt: skip


def open_tabs() -> dict:
    """The tabs by their names, the first for ROC and precision–recall; which one is open stays in the address."""
    names = (FIRST, *KINDS)
    tabs = st.tabs(names, key=PAGES["classify/curves"].parts, on_change="rerun", bind="query-params")
    return dict(zip(names, tabs, strict=True))


def show_open_curve(
    tabs: dict, point: analyses.OperatingPoint, overlays: analyses.CurveOverlays, ranges: analyses.CurveRanges
) -> None:
    """What stands in the open tab."""
    name = next(name for name, tab in tabs.items() if tab.open)
    with tabs[name]:
        if name == FIRST:
            _show_curves(point, overlays, ranges)
        else:
            _show_curve(name, point)


def _show_curve(name: str, point: analyses.OperatingPoint) -> None:
    scores, key = point.scores, KINDS[name]
    if reason := analyses.no_curve_because(scores):
        st.markdown(f"There is no curve: it is undefined. {reason}")
        return
    current = scores.current
    shown = (current.system,) if key == "ks" else analyses.curve_systems(current)
    with st.container(key="curves"):
        picture, words = st.columns([3, 2], gap="large")
        with picture:
            count = "1 system" if len(shown) == 1 else f"{len(shown)} systems"
            scale = " in standard normal deviates" if key == "det" else ""
            alt = f"{name} curve{scale} of {count}: " + ", ".join(one_line(system, 30) for system in shown)
            show_figure(_curve_figure(figure_key(current), key, current, shown), key, alt)
        with words:
            st.markdown(READINGS[f"classify/curves {name}"])
            st.markdown(_text((current.key, key, None if key == "pr-gain" else point.threshold), point, key))
        show_operating_point(
            {key: point.coordinates.get(key, (math.nan, math.nan))},
            f"threshold {scores.text(point.threshold)}",
            lambda clicked, index: pick(current, clicked, index),
            lines={name: ends for name, ends in point.lines.items() if name == key},
            pins=pins_of(scores),
        )
    _show_notes(*analyses.curve_notes(scores))


_text = cache(analyses.OperatingPoint.text, 128)


@st.cache_resource(max_entries=48, show_spinner="Drawing …")
def _curve_figure(key: str, curve: str, _current: analyses.Source, _shown: tuple[str, ...]) -> go.Figure:
    systems, scores = systems_of(_current, _shown), scores_of(_current, _current.system)
    names = [(plotly_text(scores.positive, 30), plotly_text(scores.negative, 30))] if curve == "ks" else []
    return _FIGURES[curve](systems, *names, page_ink())


# Laid over the pictures instead of being drawn in them, because a picture that changes is mounted anew: so a zoom
# survives every new threshold, and a new threshold sends a few bytes.
_COMPONENT = component("operating_point", __file__, ELEMENT, "operating_point.js", "flight.js")
_AXES = {"fpr": "Partial area: FPR from", "tpr": "recall from"}
_ABOUT_RANGES = "Or drag along the axes of the ROC curve. Corrected, ½ is guessing and 1 is perfect."


def show_operating_point(
    points: Mapping[str, tuple[float, float]], label: str, picks: Callable[[float, int], None],
    lines: Mapping[str, tuple[float, float, float, float]] = {}, ranges: analyses.CurveRanges | None = None,
    pins: Sequence[analyses.Pinned] = (), corner: analyses.Corner | None = None, whole: bool = True,
) -> None:  # fmt: skip
    """Mark a point on each picture of the container this stands in, and listen to clicks on their curves.

    Points, labelled, are by the key of the picture, nan where a line with two ends is drawn instead; ranges are dragged
    along the axes of the ROC curve; pins are dashed rings; where there is a corner, a button leads there and back.
    `picks` is called with the threshold and the index of the system of a clicked point. Both come from a browser: the
    threshold is finite, the index is any whole number.
    """
    colours = page_ink()
    places = [analyses.OperatingPoint(one.scores, one.pin.threshold).coordinates for one in pins]
    ghosts = {key: [list(map(float, at[key])) for at in places if key in at] for key in points}
    data = {name: getattr(colours, name) for name in ("text", "paper", "accent")} | {
        "points": {key: [float(x) if math.isfinite(x) else None for x in point] for key, point in points.items()},
        "label": label,
        "ghosts": {key: [at for at in there if all(map(math.isfinite, at))] for key, there in ghosts.items()},
        "lines": {key: list(ends) for key, ends in lines.items() if all(map(math.isfinite, ends))},
        "ranges": ranges and {"key": "roc", "x": list(ranges.fpr), "y": list(ranges.tpr)},
        "corner": corner and corner.parts,
        "whole": whole,
    }
    _COMPONENT(
        "operating-point", data,
        pick=lambda sent: (point := analyses.picked_point(sent)) and picks(*point),
        range=lambda sent: (ends := analyses.dragged_range(sent)) and put_range(*ends),
        axes=lambda sent: st.session_state.update(whole=sent == "whole"),
    )  # fmt: skip


def ranges_of() -> analyses.CurveRanges:
    """The ranges in the address."""
    return analyses.CurveRanges(*(_in_address(axis) for axis in _AXES))


def put_range(axis: str, low: float, high: float) -> None:
    """Write a range into the address; good as a callback."""
    address.put(f"{axis}_from", float(low) if low > 0 else None)
    address.put(f"{axis}_to", float(high) if high < 1 else None)


def _choose_ranges() -> None:
    """Ask for the ranges in numbers; dragging along the axes of the curve says the same."""
    ranges = ranges_of()
    with beside("partial"):
        for axis, label in _AXES.items():
            for end, value in zip(("from", "to"), getattr(ranges, axis), strict=True):
                bound(
                    st.number_input, label if end == "from" else "to", f"{axis}_{end}", value, 0.0, 1.0, step=0.05,
                    format="%.3f", key=f"{axis} range {end}", write=lambda _, axis=axis: _typed(axis), width=140,
                    help=_ABOUT_RANGES if end == "from" else None,
                )  # fmt: skip
        if ranges.chosen:
            st.button("Whole curve", key="whole curve", on_click=_put_whole, type="tertiary")


def _in_address(axis: str) -> tuple[float, float]:
    low, high = (address.number(f"{axis}_{end}", start, 0.0, 1.0) for end, start in (("from", 0.0), ("to", 1.0)))
    if low >= high:
        address.refuse(f"{axis}_from", f"{axis}_to")
    return (low, high) if low < high else (0.0, 1.0)


def _put_whole() -> None:
    for axis in _AXES:
        put_range(axis, 0.0, 1.0)


def _typed(axis: str) -> None:
    low, high = (st.session_state[f"{axis} range {end}"] for end in ("from", "to"))
    if low is not None and high is not None and 0 <= low < high <= 1:
        put_range(axis, low, high)
