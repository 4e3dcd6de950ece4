"""Tables of the curves: one row per distinct threshold, and precision at the textbook's eleven recall levels."""

import math

import pandas as pd
import streamlit as st

from evalcore.analyses import ROC_RATES, RocTable, Scores, Source, curve_name, curve_systems
from evalcore.classification import eleven_point_precision
from evalcore.wording import one_line

from ...controls.goals import ask_goal
from ...display.table import show_frame
from ...session.loaded_scores import put_threshold, scores_of

_LEVELS = tuple(f"{level / 10:.1f}" for level in range(11))


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
