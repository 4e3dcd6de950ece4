"""The ROC table of the textbook: one row a distinct threshold, with its counts and rates; a row can be chosen."""

import math

import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.classification import NoThreshold, ThresholdTable, best
from evalcore.figures.numbers import count_text

from .states import Scores, put_threshold

SHOWN = 2_000
"""Rows in the table on the page."""

TAKEN = 100_000
"""Rows in the file to take away."""

_MEASURES = {
    "TPR": "recall",
    "FPR": "fall_out",
    "precision": "precision",
    "accuracy": "accuracy",
    "F1": "f_beta",
    "J": "youden_j",
}
_GOALS = ("youden_j", "accuracy", "f_beta", "matthews_correlation", "balanced_accuracy", "cohen_kappa", "g_mean")
_KEY = "steps"


def show_steps(scores: Scores, threshold: float) -> None:
    """The table, folded until it is asked for; the row of the threshold in use and the best row are marked."""
    with st.expander("The ROC table: one row a threshold", key="steps-open", on_change="rerun") as folded:
        if not folded.open:
            return
        goal = st.selectbox(
            "Best by", _GOALS, format_func=lambda key: METRICS[key].name, key="best_by", bind="query-params", width=280
        )
        table = scores.table
        now, top = table.index(scores.turned(threshold)), _best_row(table, goal)
        marks = {top: "best", now: "now, best" if now == top else "now"}
        rows = _thinned(len(table), SHOWN, marks)
        frame = steps_frame(scores, rows)
        frame.insert(0, "cut", [marks.get(row, "") for row in rows])
        st.dataframe(
            frame,
            hide_index=True,
            height="content" if len(rows) <= 30 else 400,
            key=_KEY,
            on_select=lambda: _pick(scores, rows),
            selection_mode="single-row",
            placeholder="undefined",
            alt="Counts and rates at each distinct threshold",
            column_config={
                "cut": st.column_config.TextColumn("", width=60, pinned=True),
                **{name: st.column_config.NumberColumn(format="%.3f") for name in _MEASURES},
            },
        )
        st.caption(_how_many(len(rows), len(table)))


def steps_frame(scores: Scores, rows: list[int] | None = None) -> pd.DataFrame:
    """Threshold, counts and rates of some rows of the table, thresholds as in the file; by default of all that fit."""
    table = scores.table
    rows = _thinned(len(table), TAKEN) if rows is None else rows
    counts = table.counts[rows]
    cells = {name.upper(): getattr(counts, name) for name in ("tp", "fp", "fn", "tn")}
    rates = {name: METRICS[key](counts) for name, key in _MEASURES.items()}
    return pd.DataFrame({"threshold": scores.turned(table.thresholds[rows]), **cells, **rates})


def _best_row(table: ThresholdTable, goal: str) -> int | None:
    """The row where the measure is highest; None where it is undefined throughout."""
    try:
        return table.index(best(table, METRICS[goal]).threshold)
    except NoThreshold:
        return None


def _thinned(length: int, most: int, marked: dict[int | None, str] | None = None) -> list[int]:
    """At most so many rows, equally far apart, with the last and the marked ones among them."""
    step = math.ceil(length / most)
    wanted = {row for row in marked or () if row is not None}
    return sorted({*range(0, length, step), length - 1, *wanted})


def _how_many(shown: int, distinct: int) -> str:
    if shown == distinct:
        return f"All {count_text(distinct)} thresholds that make a difference. Tick a row to cut there."
    return (
        f"{count_text(shown)} of {count_text(distinct)} thresholds, equally far apart by rank; "
        f"the CSV below has {'all' if distinct <= TAKEN else count_text(TAKEN)}. Tick a row to cut there."
    )


def _pick(scores: Scores, rows: list[int]) -> None:
    picked = st.session_state[_KEY].selection.rows
    if picked and picked[0] < len(rows):
        threshold = scores.turned(float(scores.table.thresholds[rows[picked[0]]]))
        if math.isfinite(threshold):
            put_threshold(threshold)
