"""The ROC table on the page: one row per distinct threshold; a ticked row sets the threshold."""

import math

import pandas as pd
import streamlit as st

from evalcore.analyses import ROC_RATES, RocTable, Scores

from ...controls.goal_form import ask_goal
from ...session.loaded_scores import put_threshold

_KEY = "steps"


def show_roc_table(scores: Scores, threshold: float) -> None:
    """The table, folded until it is asked for; the row of the current threshold and the best row are marked."""
    with st.expander("The ROC table: one row per threshold", key="steps-open", on_change="rerun") as folded:
        if not folded.open:
            return
        with st.container(key="goals", horizontal=True, vertical_alignment="bottom"):
            goal = ask_goal().goal
        roc_table, number = RocTable.of(scores, goal, threshold), st.column_config.NumberColumn
        st.dataframe(
            pd.DataFrame(roc_table.table),
            hide_index=True,
            height="content" if len(roc_table.rows) <= 30 else 400,
            key=_KEY,
            on_select=lambda: _pick(roc_table),
            selection_mode="single-row",
            placeholder="undefined",
            alt="Counts and rates at each distinct threshold",
            column_config={
                "mark": st.column_config.TextColumn("", width=60, pinned=True),
                **{name: number(format="localized") for name in ("TP", "FP", "FN", "TN")},
                **{name: number(format="%.3f") for name in ROC_RATES},
            },
        )
        st.caption(f"{roc_table.verdict} {roc_table.notes} Tick a row to use its threshold.")


def _pick(roc_table: RocTable) -> None:
    picked = st.session_state[_KEY].selection.rows
    if picked and picked[0] < len(roc_table.rows):
        threshold = float(roc_table.scores.table.thresholds[roc_table.rows[picked[0]]])
        if math.isfinite(threshold):
            put_threshold(threshold)
