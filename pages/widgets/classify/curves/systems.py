"""The systems of the open data as lines and as a table; and what to do when scores point the wrong way."""

import math
from contextlib import nullcontext

import pandas as pd
import streamlit as st

from evalcore import METRICS, analyses, measures_of
from evalcore.classification import AveragedCurves, eleven_point_precision
from evalcore.figures import System, ink, line_samples, roc_points_figure
from evalcore.inference import Interval
from evalcore.readers import samples
from evalcore.wording import THIN, Column, count_text, number_text, one_line, plain, short_names, threshold_text
from pages.widgets.controls.fields import beside
from pages.widgets.controls.goals import ask_goal, choose_requirements, choose_share
from pages.widgets.controls.intervals import area_method, choose_area_method
from pages.widgets.controls.roles import turn_direction
from pages.widgets.display.figure import page_ink, show_figure, show_frame
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import show_finding
from pages.widgets.export.downloads import show_downloads
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache, open_data, opened
from pages.widgets.session.loaded import SCORED, put_threshold, scores_of, with_links
from pages.widgets.session.page_exit import end_page, need, usable

_formulas = cache(analyses.score_formulas, 128)


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


def show_systems(current: analyses.Source, ranges: analyses.CurveRanges, resampled: bool) -> None:
    """A line per system: its measures with their intervals, and the rows they come from; many are folded."""
    what = current.scored_by or "system"
    scores = score_table(current, ranges, resampled)
    lines = line_samples(current.dataset.systems, analyses.curve_systems(current), len(scores.averages), page_ink())
    frame = pd.DataFrame({"line": lines, **scores.table})
    # Where there is something to be better than, the best value of each column has the accent colour.
    ranked = len(frame) > 1 and not scores.different_rows
    best = {name: "lowest" if name in ranges.lower_is_better else "highest" for name in ranges.helps if ranked}
    columns = {
        "line": Column(title="", kind="image", help="How its curves are drawn"),
        "system": Column(title=what, first=True),
        **{name: Column(3, help=words, best=best.get(name, "")) for name, words in ranges.helps.items()},
        **{f"{name} interval": Column(title=f"95{THIN}% interval") for name in ranges.helps},
        "rows": Column(count_text, help="With a label and a score"),
        "positives": Column(count_text),
    }
    chosen, alt = scores_of(current, current.system), f"{', '.join(ranges.helps)} of each {what}"
    notes = (
        scores.notes,
        analyses.area_note(chosen, area_method()),
        analyses.bounds_note(chosen, "roc_auc", "average_precision"),
    )
    many = len(frame) > _MOST_LINES
    with st.expander(f"Each {what} as a whole") if many else nullcontext():
        show_frame(frame, "systems", alt, columns, 14, 430)
        if said := " ".join(filter(None, notes)):
            st.caption(said)


_MOST_LINES = 8


def score_table(
    current: analyses.Source, ranges: analyses.CurveRanges = analyses.WHOLE_CURVE, resampled: bool = False
) -> analyses.ScoreTable:
    """The numbers of every system, or of every class against the rest.

    Measures without a closed form have intervals for the systems that are drawn, when they are asked for.
    """
    # Numbers are all that stays here: the states of many systems would not fit the memory.
    lines, subset = [], analyses.curve_systems(current) if resampled else ()
    for system in current.dataset.systems:
        key, line = current.key_of(system), line_of(current, system)
        partial = _partial(key, ranges, current, system)
        resampled_too = _resampled(key, ranges, current, system) if system in subset else {}
        lines.append(line._replace(values=line.values | partial | resampled_too))
    averages = _averages(current.key_of(None), current, lines) if analyses.can_average(current) else []
    return analyses.ScoreTable(current, ranges, lines, averages)


def line_of(current: analyses.Source, system: str) -> analyses.ScoreLine:
    """The line of one system in that table; kept."""
    return _line(current.key_of(system), area_method(), current, system)


def values_of(scores: analyses.Scores, ranges: analyses.CurveRanges) -> dict[str, Interval]:
    """The measures of one system and the partial areas, by label."""
    line = line_of(scores.current, scores.system)
    return line.values | _partial(scores.key, ranges, scores.current, scores.system)


def points_down(scores: analyses.Scores) -> bool:
    """Whether the opposite decision would be the better one: the AUC is below ½."""
    return line_of(scores.current, scores.system).values["AUC"].estimate < 0.5


def show_direction(scores: analyses.Scores) -> None:
    """Where the AUC is below one half, say that the opposite decision is better and offer to turn the scores."""
    if not points_down(scores):
        return
    area = line_of(scores.current, scores.system).values["AUC"].estimate
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="direction"):
        st.markdown(
            f"**AUC {number_text(area)} is below ½: these scores point the other way.** "
            f"If {'lower' if scores.higher else 'higher'} scores meant {plain(scores.positive, limit=40)}, it would be "
            f"{number_text(1 - area)} (dotted line).",
            width="stretch",
        )
        if scores.current.scored_by == "system":
            st.button("Turn the direction", on_click=turn_direction, args=(scores,), key="turn the direction")


def show_score_formulas(scores: analyses.Scores, ranges: analyses.CurveRanges) -> None:
    """Every measure of scores: what it is, its formula, and the numbers in it; worked out when it is unfolded."""
    show_explained_formulas(lambda: _formulas((scores.key, ranges), scores, ranges))


@st.cache_resource(max_entries=2048, show_spinner=False)
def _line(key: str, method: str, _current: analyses.Source, _system: str) -> analyses.ScoreLine:
    scores = scores_of(_current, _system)
    state = scores.scored
    values = analyses.score_values(state, area_method=method)
    return analyses.ScoreLine(analyses.curve_name(scores), values, state.positives + state.negatives, state.positives)


@st.cache_resource(max_entries=2048, show_spinner=False)
def _partial(key: str, ranges: analyses.CurveRanges, _current: analyses.Source, _system: str) -> dict[str, Interval]:
    return analyses.score_values(scores_of(_current, _system).scored, ranges.measures) if ranges.chosen else {}


@st.cache_resource(max_entries=512, show_spinner="Resampling the rows …")
def _resampled(key: str, ranges: analyses.CurveRanges, _current: analyses.Source, _system: str) -> dict[str, Interval]:
    return analyses.resampled_values(scores_of(_current, _system).scored, ranges)


@st.cache_resource(max_entries=32, show_spinner=False)
def _averages(key: str, _current: analyses.Source, _lines: list[analyses.ScoreLine]) -> list[analyses.ScoreLine]:
    return analyses.class_averages([scores_of(_current, system).scored for system in _current.dataset.systems], _lines)


def systems_of(current: analyses.Source, shown: tuple[str, ...] | None = None) -> list[System]:
    """Systems with their tables; by default all that are drawn."""
    scores = [scores_of(current, name) for name in shown or analyses.curve_systems(current)]
    systems, short = current.dataset.systems, short_names(map(analyses.curve_name, scores), 28)
    return [
        System(short[analyses.curve_name(s)], systems.index(s.system), s.table, s.system == current.system)
        for s in scores
    ]


def averages_of(current: analyses.Source) -> AveragedCurves:
    """The averaged curves of several classes; kept."""
    return _averaged_curves(current.key_of(None), current)


def figure_key(current: analyses.Source) -> str:
    """What a figure of these data is kept under: it depends on the colours of the page."""
    return f"{current.key}\n{'dark' if page_ink().text == ink(True).text else 'light'}"


def pick(current: analyses.Source, threshold: float, index: int) -> None:
    """Set the threshold, and choose the system whose curve was clicked."""
    systems = current.dataset.systems
    if 0 <= index < len(systems) and systems[index] != current.system:
        address.put("system", systems[index])
    put_threshold(threshold)


@st.cache_resource(max_entries=4, show_spinner="Averaging the classes …")
def _averaged_curves(key: str, _current: analyses.Source) -> AveragedCurves:
    return AveragedCurves.of([scores_of(_current, system).scored for system in _current.dataset.systems])


_LEVELS = tuple(f"{level / 10:.1f}" for level in range(11))
_SAMPLE = "four_methods"


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
        pick = lambda row: _pick(float(frame["threshold"][row]))  # noqa: E731
        show_frame(frame, "steps", alt, columns, 30, 400, pick, int(now))
        st.caption(f"{with_links(roc_table.verdict)} {roc_table.notes}")


def _pick(threshold: float) -> None:
    if math.isfinite(threshold):
        put_threshold(threshold)


def show_eleven_points(current: analyses.Source) -> None:
    """A line per system: the best precision at recall 0, 0.1, …, 1, and their mean."""
    with st.expander("Interpolated precision at eleven recall levels", key="levels", on_change="rerun") as folded:
        if not folded.open:
            return
        frame = pd.DataFrame(
            [_levels(current.key_of(system), current, system) for system in analyses.curve_systems(current)]
        )
        columns = dict.fromkeys((*_LEVELS, "mean"), Column(3)) | {"system": Column(title="at recall")}
        alt = "Interpolated precision at eleven recall levels for each system"
        show_frame(frame, "levels table", alt, columns)
        st.caption("The highest precision at that recall or higher; their mean is the 11-point average precision.")


@st.cache_data(max_entries=256, show_spinner=False)
def _levels(key: str, _current: analyses.Source, _system: str) -> dict:
    scores = scores_of(_current, _system)
    values = eleven_point_precision(scores.table)
    points = dict(zip(_LEVELS, values.tolist(), strict=True))
    return {"system": one_line(analyses.curve_name(scores)), **points, "mean": float(values.mean())}


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
        figure = roc_points_figure(analysis, analysis.regions(requirements, share), page_ink(), share)
        show_figure(figure, "roc", f"ROC plane with {len(points)} points: {names}", square=True)
    columns = {METRICS[key].name: Column(3) for key in analyses.ROC_POINT_MEASURES}
    show_frame(frame, "points", "Counts and rates of each system", columns)
    show_reading("classify/curves", "points")
    show_downloads("roc points", frame, analysis.code)
    end_page()


def _offer_points() -> None:
    title = plain(samples()[_SAMPLE].title)
    st.button(title, key=f"offer {_SAMPLE}", on_click=open_data, args=(_SAMPLE,), wrap=True)
