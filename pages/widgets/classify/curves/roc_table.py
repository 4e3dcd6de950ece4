"""The ROC table of the textbook: one row a distinct threshold, with its counts and rates; a row can be chosen."""

import math

import pandas as pd
import streamlit as st

from evalcore import METRICS
from evalcore.analyses import Scores, goal_value_text
from evalcore.classification import Choice, Goal, NoThreshold, ThresholdTable
from evalcore.wording import count_text, threshold_text

from ...controls.goal_form import ask_goal
from ...session.loaded_scores import put_threshold

SHOWN = 2_000
"""Rows in the table on the page."""

MOST_TIES = 20
"""Rows that are marked as good as the best."""

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
_KEY = "steps"


def show_steps(scores: Scores, threshold: float) -> None:
    """The table, folded until it is asked for; the row of the threshold in use and the best row are marked."""
    with st.expander("The ROC table: one row a threshold", key="steps-open", on_change="rerun") as folded:
        if not folded.open:
            return
        with st.container(key="goals", horizontal=True, vertical_alignment="bottom"):
            goal = ask_goal().goal
        table = scores.table
        choice = _choice(table, goal)
        marks = _marks(table, choice, table.index(threshold))
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
                **{name: st.column_config.NumberColumn(format="localized") for name in ("TP", "FP", "FN", "TN")},
                **{name: st.column_config.NumberColumn(format="%.3f") for name in _MEASURES},
            },
        )
        st.caption(f"{_best(goal, choice)} {_how_many(len(rows), len(table))}")


def steps_frame(scores: Scores, rows: list[int] | None = None) -> pd.DataFrame:
    """Threshold, counts and rates of some rows of the table; by default of all that fit."""
    table = scores.table
    rows = _thinned(len(table), TAKEN) if rows is None else rows
    counts = table.counts[rows]
    cells = {name.upper(): getattr(counts, name) for name in ("tp", "fp", "fn", "tn")}
    rates = {name: METRICS[key](counts) for name, key in _MEASURES.items()}
    return pd.DataFrame({"threshold": table.thresholds[rows], **cells, **rates})


def _choice(table: ThresholdTable, goal: Goal) -> Choice | None:
    """The threshold that serves the goal best; None where none does."""
    try:
        return goal.choose(table)
    except NoThreshold:
        return None


def _marks(table: ThresholdTable, choice: Choice | None, now: int) -> dict[int, str]:
    """What is said of a row: the best by the goal, others that are as good, the threshold in use."""
    marks: dict[int, str] = {}
    if choice is not None:
        marks |= {table.index(tied): "as good" for tied in choice.tied_thresholds[:MOST_TIES].tolist()}
        marks[table.index(choice.threshold)] = "best"
    marks[now] = ", ".join(filter(None, ("now", marks.get(now))))
    return marks


def _best(goal: Goal, choice: Choice | None) -> str:
    if choice is None:
        return "No threshold serves this goal."
    at = f"Best: {goal_value_text(goal, choice.counts)} at {threshold_text(choice.threshold)}"
    others = len(choice.ties) - 1
    return f"{at}, and as good at {count_text(others)} other{'' if others == 1 else 's'}." if others else f"{at}."


def _thinned(length: int, most: int, marked: dict[int, str] | None = None) -> list[int]:
    """At most so many rows, equally far apart, with the last and the marked ones among them."""
    step = math.ceil(length / most)
    return sorted({*range(0, length, step), length - 1, *(marked or ())})


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
        threshold = float(scores.table.thresholds[rows[picked[0]]])
        if math.isfinite(threshold):
            put_threshold(threshold)
