"""Tables of the curves: a row per threshold, precision at eleven recall levels, and counts, which are single points."""

import math

import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.analyses import (
    ROC_POINT_MEASURES,
    ROC_RATES,
    RocPoints,
    RocTable,
    Scores,
    Source,
    curve_name,
    curve_systems,
)
from evalcore.classification import eleven_point_precision
from evalcore.figures import roc_points_figure
from evalcore.readers import ReadProblem, samples
from evalcore.wording import one_line, plain

from ...controls.goals import ask_goal
from ...controls.requirements import choose_requirements, choose_share
from ...display.figure import page_ink, show_figure
from ...display.reading import show_reading
from ...display.table import show_frame
from ...export.downloads import show_downloads
from ...session.current_dataset import open_data, opened
from ...session.entry_links import with_links
from ...session.loaded_scores import SCORED, put_threshold, scores_of
from ...session.page_exit import end_page, end_with, need

_LEVELS = tuple(f"{level / 10:.1f}" for level in range(11))
_SAMPLE = "four_methods"


def show_roc_table(scores: Scores, threshold: float) -> None:
    """The table, folded until it is asked for; the row of the current threshold and the best row are marked."""
    with st.expander("The ROC table: one row per threshold", key="steps-open", on_change="rerun") as folded:
        if not folded.open:
            return
        with st.container(key="goals", horizontal=True, vertical_alignment="bottom"):
            goal = ask_goal().goal
        roc_table, number = RocTable.of(scores, goal, threshold), st.column_config.NumberColumn
        columns = {
            "mark": st.column_config.TextColumn("", width=60, pinned=True),
            "class": st.column_config.TextColumn("class", help="Actual class of the rows with this score"),
            **{name: number(format="localized") for name in ("TP", "FP", "FN", "TN")},
            **{name: number(format="%.3f") for name in ROC_RATES},
        }
        frame, alt = pd.DataFrame(roc_table.table), "Counts and rates at each distinct threshold"
        show_frame(frame, "steps", alt, columns, 30, 400, lambda row: _pick(float(frame["threshold"][row])))
        st.caption(f"{with_links(roc_table.verdict)} {roc_table.notes} Tick a row to use its threshold.")


def _pick(threshold: float) -> None:
    if math.isfinite(threshold):
        put_threshold(threshold)


def show_eleven_points(current: Source) -> None:
    """A line per system: the best precision at recall 0, 0.1, …, 1, and their mean."""
    with st.expander("Interpolated precision at eleven recall levels", key="levels", on_change="rerun") as folded:
        if not folded.open:
            return
        frame = pd.DataFrame([_line(current.key_of(system), current, system) for system in curve_systems(current)])
        columns = dict.fromkeys((*_LEVELS, "mean"), st.column_config.NumberColumn(format="%.3f"))
        columns["system"] = st.column_config.TextColumn("at recall", pinned=True)
        alt = "Interpolated precision at eleven recall levels for each system"
        show_frame(frame, "levels table", alt, columns, 0, "auto")
        st.caption("The highest precision at that recall or higher. The mean is the 11-point average precision.")


@st.cache_data(max_entries=256, show_spinner=False)
def _line(key: str, _current: Source, _system: str) -> dict:
    scores = scores_of(_current, _system)
    values = eleven_point_precision(scores.table)
    points = dict(zip(_LEVELS, values.tolist(), strict=True))
    return {"system": one_line(curve_name(scores)), **points, "mean": float(values.mean())}


def show_points_of_counts() -> None:
    """Where counts are open, the page of them, which ends there; where nothing that fits is, an offer."""
    current = opened()
    if current is None or current.kind != "counts":
        need(SCORED, "the actual class of each row and a score", also=_offer_points)
        return
    try:
        analysis = RocPoints.of(current)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    st.markdown(
        "These are counts, so each system is **one point**: one decision, without a curve of all the thresholds. A "
        "point above and to the left of another is better."
    )
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
    columns = {METRICS[key].name: st.column_config.NumberColumn(format="%.3f") for key in ROC_POINT_MEASURES}
    columns["system"] = st.column_config.TextColumn("system", pinned=True)
    show_frame(frame, "points", "Counts and rates of each system", columns, 0, "auto")
    show_reading("classify/curves", "points")
    show_downloads("roc points", frame, analysis.code)
    end_page()


def _offer_points() -> None:
    title = plain(samples()[_SAMPLE].title)
    st.button(title, key=f"offer {_SAMPLE}", on_click=open_data, args=(_SAMPLE,), wrap=True)
