"""The curves on the page, the threshold in use on them, which a click moves, and the systems they are of as a table."""

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from copy import deepcopy

import pandas as pd
import streamlit as st

from evalcore import METRICS, analyses, figures, measures_of, wording
from evalcore.classification import AveragedCurves, eleven_point_precision
from evalcore.figures import graph_objects as go
from evalcore.figures.threshold_view import add_point
from evalcore.inference import Interval
from evalcore.readers import samples
from evalcore.registry import PAGES
from evalcore.wording import THIN, Column, count_text, number_text, one_line, plain, threshold_text
from pages.widgets.classify.threshold.pins import pins_of
from pages.widgets.controls.fields import beside, bound, segmented, select
from pages.widgets.controls.goals import ask_goal, choose_params, choose_requirements, choose_share
from pages.widgets.controls.intervals import area_method, choose_area_method
from pages.widgets.controls.roles import turn_direction
from pages.widgets.display.figure import ELEMENT, component, page_ink, show_figure, show_frame
from pages.widgets.display.measures import READINGS, show_explained_formulas, show_reading
from pages.widgets.display.page import show_finding
from pages.widgets.export.downloads import note_figure, show_downloads
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, open_data, opened
from pages.widgets.session.loaded import SCORED, put_threshold, scores_of, threshold_of, with_links
from pages.widgets.session.page_exit import end_page, need, usable

FIRST = "ROC and precision–recall"

# The curves, and the names of their pictures.
KINDS = {"Gain": "gain", "Lift": "lift", "KS": "ks", "DET": "det", "Cost": "cost", "PR gain": "pr-gain"}
_FIGURES = {
    "gain": figures.gain_figure, "lift": figures.lift_figure, "ks": figures.ks_figure, "det": figures.det_figure,
    "cost": figures.cost_figure, "pr-gain": figures.gain_scale_figure,
}  # fmt: skip


def show_curves(
    point: analyses.OperatingPoint, overlays: analyses.CurveOverlays, ranges: analyses.CurveRanges, tabs: dict
) -> None:
    """The curves of the open tab."""
    name = next(name for name, tab in tabs.items() if tab.open)
    with tabs[name]:
        if name == FIRST:
            _show_both(point, overlays, ranges)
        else:
            _show_curve(name, point)


def open_tabs() -> dict:
    """The tabs by their names, the first for ROC and precision–recall; which one is open stays in the address."""
    names = (FIRST, *KINDS)
    tabs = st.tabs(names, key=PAGES["classify/curves"].parts, on_change="rerun", bind="query-params")
    return dict(zip(names, tabs, strict=True))


def _show_both(point: analyses.OperatingPoint, overlays: analyses.CurveOverlays, ranges: analyses.CurveRanges) -> None:
    """ROC and precision–recall, every system of the data over the others, and the threshold on them."""
    scores, current, state = point.scores, point.scores.current, point.scores.scored
    values = line_of(current, scores.system).values
    auc = values["AUC"]
    found = _corner(current.key_of(None), current)
    corner = found if found and found.holds(point.counts) else None  # the threshold in use is seen, whatever it is
    shown = None if overlays.whole else corner
    bounds = wording.range_text(number_text(auc.low), number_text(auc.high)) if auc.low < auc.high else "no interval"
    with st.container(key="curves"):
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown(with_links(f"**ROC · AUC {number_text(auc.estimate)}** :small[:gray[({bounds})]]"))
            _show("roc", "ROC curve", scores, overlays, shown, bool(state.positives and state.negatives))
        with right:
            lines = f" :small[:gray[{analyses.PRECISION_LINES[overlays.line]}]]" if state.positives else ""
            st.markdown(with_links(f"**Precision–recall · AP {number_text(values['AP'].estimate)}**{lines}"))
            _show("pr", "Precision–recall curve", scores, overlays, shown, bool(state.positives))
        _show_point(point, ("roc", "pr"), ranges=ranges, corner=corner, whole=overlays.whole)
    _show_notes(*overlays.notes, *analyses.curve_notes(scores, averages=True))


def _show_notes(*notes: str) -> None:
    if said := " ".join(filter(None, notes)):
        st.caption(said)


_corner = cache(lambda current: analyses.Corner.of(_scores_of_curves(current)), 32)


def _scores_of_curves(current: analyses.Source) -> list[analyses.Scores]:
    return [scores_of(current, name) for name in analyses.curve_systems(current)]


def _show(
    plane: str, what: str, scores: analyses.Scores, overlays: analyses.CurveOverlays,
    corner: analyses.Corner | None, defined: bool,
) -> None:  # fmt: skip
    if not defined:
        with st.container(border=True):
            st.markdown(f"There is no curve: the {what} is undefined. {analyses.no_curve_because(scores)}")
            st.page_link("pages/start/data.py", label="Change the positive class", query_params=address.parameters())
        return
    # The threshold stays out of the description: a picture whose description changes is mounted anew.
    shown, ink = analyses.curve_systems(scores.current), page_ink()
    alt = f"{what} of {len(shown)} systems: " + ", ".join(one_line(name, 30) for name in shown)
    figure = _planes((scores.current.key, ink, plane, overlays, corner), scores, plane, overlays, corner, ink)
    note_figure(lambda: add_point(deepcopy(figure), plane, scores, threshold_of(scores), ink))
    show_figure(figure, plane, alt, filename={"pr": "precision-recall"}.get(plane, plane), square=True)


def _plane(
    scores: analyses.Scores, plane: str, overlays: analyses.CurveOverlays, corner: analyses.Corner | None,
    ink: figures.Ink,
) -> go.Figure:  # fmt: skip
    current = scores.current
    band = _band((current.key, plane, overlays.band), plane, scores, overlays)
    averages = _averaged_curves(current.key_of(None), current) if analyses.can_average(current) else None
    return figures.overlaid_figure(
        plane, figures.systems_of(_scores_of_curves(current), current.system), scores, overlays, ink, band=band,
        averages=averages, inverted=line_of(current, scores.system).values["AUC"].estimate < 0.5, corner=corner,
    )  # fmt: skip


# A figure is some ten kilobytes and is only read, so all sessions share it.
_planes = cache(_plane, 64)
_band = cache(figures.band_of, 32, "Resampling the rows …")
_averaged_curves = cache(lambda current: AveragedCurves.of(_states(current)), 4, "Averaging the classes …")


def _states(current: analyses.Source) -> list:
    return [scores_of(current, system).scored for system in current.dataset.systems]


_FIRST = ("accuracy", "f_beta", "matthews_correlation", "cost", "precision", "negative_predictive_value")


def choose_overlays() -> analyses.CurveOverlays:
    """Ask behind a button how the curves are drawn, and which part of them an area is of."""
    with st.popover("Picture", icon=":material/tune:"):
        line = segmented("Precision", tuple(analyses.PRECISION_LINES), "precision")
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
                click = {"on_click": put_threshold, "args": (threshold,), "type": "tertiary"}
                st.button("Use this threshold", key=f"cut for trust {index}", **click)


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
    st.caption(with_links(f"Definition: {wording.measure_links([METRICS[chosen].name])[0]}"))
    return chosen, tuple(choose_params(METRICS[chosen].takes, "contour_").items())


def _show_curve(name: str, point: analyses.OperatingPoint) -> None:
    scores, key, ink = point.scores, KINDS[name], page_ink()
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
            show_figure(_curve((current.key, ink, key, shown), scores, key, shown, ink), key, alt)
        with words:
            st.markdown(READINGS[f"classify/curves {name}"])
            st.markdown(_text((current.key, key, None if key == "pr-gain" else point.threshold), point, key))
        _show_point(point, (key,), lines={name: ends for name, ends in point.lines.items() if name == key})
    _show_notes(*analyses.curve_notes(scores))


_text = cache(analyses.OperatingPoint.text, 128)


def _draw_curve(scores: analyses.Scores, curve: str, shown: Sequence[str], ink: figures.Ink) -> go.Figure:
    systems = figures.systems_of([scores_of(scores.current, name) for name in shown], scores.current.system)
    names = tuple(wording.plotly_text(name, 30) for name in (scores.positive, scores.negative))
    return _FIGURES[curve](systems, *([names] if curve == "ks" else []), ink)


_curve = cache(_draw_curve, 48, "Drawing …")

# Laid over the pictures instead of being drawn in them, because a picture that changes is mounted anew: so a zoom
# survives every new threshold, and a new threshold sends a few bytes.
_COMPONENT = component("operating_point", __file__, ELEMENT, "operating_point.js", "flight.js")
_AXES = {"fpr": "Partial area: FPR from", "tpr": "recall from"}
_WAY, _WAYS = "roc_to_pr", [str(share) for share in range(2, 102, 2)]  # of the slider between both, in hundredths
_ABOUT_RANGES = "Or drag along the axes of the ROC curve. Corrected, ½ is guessing and 1 is perfect."


def _show_point(
    point: analyses.OperatingPoint, keys: Sequence[str], lines: Mapping[str, Sequence[float]] = {},
    ranges: analyses.CurveRanges | None = None, corner: analyses.Corner | None = None, whole: bool = True,
) -> None:  # fmt: skip
    """Mark the threshold on the pictures of these keys in the container this stands in; a click on a curve moves it.

    A line with two ends takes the place of the point; pins are dashed rings; a button leads to a corner and back.
    """
    colours, current = page_ink(), point.scores.current
    places = [analyses.OperatingPoint(one.scores, one.pin.threshold).coordinates for one in pins_of(point.scores)]
    ghosts = {key: [list(map(float, at[key])) for at in places if key in at] for key in keys}
    points = {key: point.coordinates.get(key, (math.nan, math.nan)) for key in keys}
    data = {name: getattr(colours, name) for name in ("text", "paper", "accent")} | {
        "points": {key: [float(x) if math.isfinite(x) else None for x in at] for key, at in points.items()},
        "label": f"threshold {point.scores.text(point.threshold)}",
        "ghosts": {key: [at for at in there if all(map(math.isfinite, at))] for key, there in ghosts.items()},
        "lines": {key: list(ends) for key, ends in lines.items() if all(map(math.isfinite, ends))},
        "ranges": ranges and {"key": "roc", "x": list(ranges.fpr), "y": list(ranges.tpr)},
        "corner": corner and corner.parts,
        "whole": whole,
        "way": int(address.page_text(_WAY, _WAYS) or 0),
    }
    _COMPONENT(
        "operating-point", data,
        pick=lambda sent: (picked := analyses.picked_point(sent)) and _pick(current, *picked),
        range=lambda sent: (ends := analyses.dragged_range(sent)) and put_range(*ends),
        axes=lambda sent: (st.session_state.update(whole=sent == "whole"), address.put_page_text(_WAY, None)),
        way=lambda sent: address.put_page_text(_WAY, sent if str(sent) in _WAYS else None),
    )  # fmt: skip


def _pick(current: analyses.Source, threshold: float, index: int) -> None:
    """Set the threshold, and choose the system whose curve was clicked."""
    systems = current.dataset.systems
    if 0 <= index < len(systems) and systems[index] != current.system:
        address.put("system", systems[index])
    put_threshold(threshold)


def ranges_of() -> analyses.CurveRanges:
    """The ranges in the address."""
    return analyses.CurveRanges(*map(_range_of, _AXES))


def _range_of(axis: str) -> tuple[float, float]:
    low, high = (address.number(f"{axis}_{end}", start, 0.0, 1.0) for end, start in (("from", 0.0), ("to", 1.0)))
    if low < high:
        return low, high
    address.refuse(f"{axis}_from", f"{axis}_to")
    return 0.0, 1.0


def put_range(axis: str, low: float = 0.0, high: float = 1.0) -> None:
    """Write a range into the address, at first the whole axis; good as a callback."""
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
            st.button("Whole curve", key="whole curve", on_click=lambda: [*map(put_range, _AXES)], type="tertiary")


def _typed(axis: str) -> None:
    low, high = (st.session_state[f"{axis} range {end}"] for end in ("from", "to"))
    if low is not None and high is not None and 0 <= low < high <= 1:
        put_range(axis, low, high)


def choose_score_intervals(current: analyses.Source) -> bool:
    """Ask for the method of intervals of areas, and whether the other measures have intervals too."""
    by_delong, others = (
        [measure.label for measure in measures_of("scores") if (measure.interval == "delong") is closed]
        for closed in (True, False)
    )
    choose_area_method()
    return st.toggle(
        "Intervals of the other measures too", key="score_intervals", bind="query-params",
        help=f"95{THIN}%, from 1{THIN}000 resamples of the {current.units}: {', '.join(others)}, partial areas. "
        f"Those of {' and '.join(by_delong)} are by {current.area_method}.",
    )  # fmt: skip


_MOST_LINES = 8


def show_systems(current: analyses.Source, ranges: analyses.CurveRanges, resampled: bool) -> None:
    """A line per system: its measures with their intervals, and the rows they come from; many are folded."""
    what = current.scored_by or "system"
    scores = score_table(current, ranges, resampled)
    shown = analyses.curve_systems(current)
    lines = figures.line_samples(current.dataset.systems, shown, len(scores.averages), page_ink())
    frame = pd.DataFrame({"line": lines, **scores.table})
    # Where there is something to be better than, the best value of each column has the accent colour.
    ranked = len(frame) > 1 and not scores.different_rows
    lowest = [measure.label for measure in measures_of("scores") if measure.better == "lower"]
    best = {name: "lowest" if name in lowest else "highest" for name in ranges.helps if ranked}
    columns = {
        "line": Column(title="", kind="image", help="How its curves are drawn"),
        "system": Column(title=what, first=True),
        **{name: Column(3, help=words, best=best.get(name, "")) for name, words in ranges.helps.items()},
        **{f"{name} interval": Column(title=f"95{THIN}% interval") for name in ranges.helps},
        "rows": Column(count_text, help="With a label and a score"),
        "positives": Column(count_text),
    }
    chosen, alt = scores_of(current, current.system), f"{', '.join(ranges.helps)} of each {what}"
    note = analyses.area_note(chosen, area_method())
    with st.expander(f"Each {what} as a whole") if len(frame) > _MOST_LINES else nullcontext():
        show_frame(frame, "systems", alt, columns, 14, 430)
        _show_notes(scores.notes, note, analyses.bounds_note(chosen, "roc_auc", "average_precision"))


def score_table(
    current: analyses.Source, ranges: analyses.CurveRanges = analyses.WHOLE_CURVE, resampled: bool = False
) -> analyses.ScoreTable:
    """The numbers of every system, or of every class against the rest, if asked for with resampled intervals."""
    # Numbers are all that stays here: the states of many systems would not fit the memory.
    lines, subset = [], analyses.curve_systems(current) if resampled else ()
    for system in current.dataset.systems:
        values = values_of(current, system, ranges)
        if system in subset:
            values |= _resampled((current.key_of(system), ranges), current, system, ranges)
        lines.append(line_of(current, system)._replace(values=values))
    averages = _averages(current.key_of(None), current, lines) if analyses.can_average(current) else []
    return analyses.ScoreTable(current, ranges, lines, averages)


def line_of(current: analyses.Source, system: str) -> analyses.ScoreLine:
    """The line of one system in that table; kept."""
    method = area_method()
    return _line((current.key_of(system), method), current, system, method)


def values_of(current: analyses.Source, system: str, ranges: analyses.CurveRanges) -> dict[str, Interval]:
    """The measures of one system and the partial areas, by label."""
    areas = _partial((current.key_of(system), ranges), current, system, ranges) if ranges.chosen else {}
    return line_of(current, system).values | areas


_line = cache(lambda current, system, method: analyses.ScoreLine.of(scores_of(current, system), method), 2048)
_partial = cache(
    lambda current, system, ranges: analyses.score_values(scores_of(current, system).scored, ranges.measures), 2048
)
_resampled = cache(
    lambda current, system, ranges: analyses.resampled_values(scores_of(current, system).scored, ranges),
    512, "Resampling the rows …",
)  # fmt: skip
_averages = cache(lambda current, lines: analyses.class_averages(_states(current), lines), 32)


def show_direction(scores: analyses.Scores) -> None:
    """Where the AUC is below one half, say that the opposite decision is better and offer to turn the scores."""
    if not (area := line_of(scores.current, scores.system).values["AUC"].estimate) < 0.5:
        return
    words = f"**AUC {number_text(area)} is below ½: these scores point the other way.** If "
    words += f"{'lower' if scores.higher else 'higher'} scores meant {plain(scores.positive, limit=40)}, it would be "
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="direction"):
        st.markdown(f"{words}{number_text(1 - area)} (dotted line).", width="stretch")
        if scores.current.scored_by == "system":
            st.button("Turn the direction", on_click=turn_direction, args=(scores,), key="turn the direction")


_formulas = cache(analyses.score_formulas, 128)


def show_score_formulas(scores: analyses.Scores, ranges: analyses.CurveRanges) -> None:
    """Every measure of scores: what it is, its formula, and the numbers in it; worked out when it is unfolded."""
    show_explained_formulas(lambda: _formulas((scores.key, ranges), scores, ranges))


def show_roc_table(scores: analyses.Scores, threshold: float) -> None:
    """The table, folded until it is asked for; the row of the current threshold and the best row are marked."""
    with st.expander("The ROC table: one row per threshold", key="steps-open", on_change="rerun") as folded:
        if not folded.open:
            return
        with beside("goals"):
            goal = ask_goal(scores).goal
        roc_table = analyses.RocTable.of(scores, goal, threshold)
        columns = {
            "mark": Column(title="", first=True),
            "threshold": Column(threshold_text),
            "class": Column(help="Actual class of the rows with this score"),
            **dict.fromkeys(("TP", "FP", "FN", "TN"), Column(count_text)),
            **dict.fromkeys(analyses.ROC_RATES, Column(3)),
        }
        frame, alt = pd.DataFrame(roc_table.table), "Counts and rates at each distinct threshold"
        now = frame["mark"].str.startswith("current").to_numpy().argmax()
        pick = lambda row: math.isfinite(at := frame["threshold"][row]) and put_threshold(at)  # noqa: E731
        show_frame(frame, "steps", alt, columns, 30, 400, pick, int(now))
        st.caption(f"{with_links(roc_table.verdict)} {roc_table.notes}")


_LEVELS = tuple(f"{level / 10:.1f}" for level in range(11))


def show_eleven_points(current: analyses.Source) -> None:
    """A line per system: the best precision at recall 0, 0.1, …, 1, and their mean."""
    with st.expander("Interpolated precision at eleven recall levels", key="levels", on_change="rerun") as folded:
        if not folded.open:
            return
        frame = pd.DataFrame([_levels(scores.key, scores) for scores in _scores_of_curves(current)])
        columns = dict.fromkeys((*_LEVELS, "mean"), Column(3)) | {"system": Column(title="at recall")}
        show_frame(frame, "levels table", "Interpolated precision at eleven recall levels for each system", columns)
        st.caption("The highest precision at that recall or higher; their mean is the 11-point average precision.")


def _eleven_points(scores: analyses.Scores) -> dict:
    values = eleven_point_precision(scores.table)
    points = dict(zip(_LEVELS, values.tolist(), strict=True))
    return {"system": one_line(analyses.curve_name(scores)), **points, "mean": float(values.mean())}


_levels = cache(_eleven_points, 256)


def show_points_of_counts() -> None:
    """Where counts are open, the page of them, which ends there; where nothing that fits is, an offer."""
    current = opened()
    if current is None or current.kind != "counts":
        need(SCORED, "the actual class of each row and a score", also=_offer_points)
        return
    with usable():
        analysis = analyses.RocPoints.of(current)
    show_finding(analysis.headline)
    picture, words = st.columns([3, 2], gap="large")
    points, frame = analysis.points, pd.DataFrame(analysis.table)
    with words:
        st.markdown("**Which result can be trusted?**")
        requirements = choose_requirements()
        share = choose_share()
        st.markdown(with_links(analysis.verdict(requirements, share)))
    with picture:
        names = ", ".join(one_line(point.name, 30) for point in points[:12])
        figure = figures.roc_points_figure(analysis, analysis.regions(requirements, share), page_ink(), share)
        show_figure(figure, "roc", f"ROC plane with {len(points)} points: {names}", square=True)
    columns = {METRICS[key].name: Column(3) for key in analyses.ROC_POINT_MEASURES}
    show_frame(frame, "points", "Counts and rates of each system", columns)
    show_reading("classify/curves", "points")
    show_downloads("roc points", frame, analysis.code)
    end_page()


_SAMPLE = "four_methods"


def _offer_points() -> None:
    title = plain(samples()[_SAMPLE].title)
    st.button(title, key=f"offer {_SAMPLE}", on_click=open_data, args=(_SAMPLE,), wrap=True)
