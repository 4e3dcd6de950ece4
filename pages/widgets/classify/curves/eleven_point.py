"""Interpolated precision at the eleven recall levels of the textbook."""

import pandas as pd
import streamlit as st

from evalcore.analyses import Source, curve_name, curve_systems
from evalcore.classification import eleven_point_precision
from evalcore.wording import one_line

from ...display.table import show_frame
from ...session.loaded_scores import scores_of

_LEVELS = tuple(f"{level / 10:.1f}" for level in range(11))


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
