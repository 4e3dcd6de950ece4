"""The ROC table on the page: one row per distinct threshold; a ticked row sets the threshold."""

import math

import pandas as pd
import streamlit as st

from evalcore.analyses import ROC_RATES, RocTable, Scores

from ...controls.goal_form import ask_goal
from ...display.table import show_frame
from ...session.loaded_scores import put_threshold


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
            **{name: number(format="localized") for name in ("TP", "FP", "FN", "TN")},
            **{name: number(format="%.3f") for name in ROC_RATES},
        }
        frame, alt = pd.DataFrame(roc_table.table), "Counts and rates at each distinct threshold"
        show_frame(frame, "steps", alt, columns, 30, 400, lambda place: _pick(float(frame["threshold"][place])))
        st.caption(f"{roc_table.verdict} {roc_table.notes} Tick a row to use its threshold.")


def _pick(threshold: float) -> None:
    if math.isfinite(threshold):
        put_threshold(threshold)
