"""The losses class by class: which class is stated too high, and which costs most."""

import pandas as pd
import streamlit as st

from evalcore.analyses import LossSettings
from evalcore.classification import calibration_error, class_losses, reliability_bins
from evalcore.wording import UNDEFINED, one_line

from .calibration_in_the_large import show_in_the_large
from .probability_source import pick_class
from .reliability import Binning
from .rows import Stated

_KEY = "losses of the classes"


def show_class_losses(stated: Stated, manner: LossSettings, binning: Binning) -> None:
    """A line a class; a tick asks for it in the whole page."""
    frame = class_losses_frame(stated, manner, binning)
    number = st.column_config.NumberColumn
    several = len(frame) > 2
    st.dataframe(
        frame.assign(**{"class": [one_line(name) for name in frame["class"]]}),
        hide_index=True,
        height="content" if len(frame) <= 12 else 440,
        key=_KEY,
        alt="Rows, base rate, mean probability and losses of each class",
        placeholder=UNDEFINED,
        column_config={
            "class": st.column_config.TextColumn(width=120, pinned=True),
            "rows": number(format="localized", width=70),
            "base rate": number(format="percent", width=85, help="Share of the rows that have the class"),
            "mean probability": number(format="percent", width=125, help="What was stated for the class on average"),
            "log-loss": number(format="%.3f", width=85, help="Mean −ln q over the rows that have the class"),
            "yes/no log-loss": number(format="%.3f", width=115, help="Of the question whether a row has it, all rows"),
            "Brier": number(format="%.4f", width=80, help="Mean squared error of its probability, over all rows"),
            "ECE": number(format="%.4f", width=80, help=f"Of its probability, {binning.words}"),
        },
        **({"on_select": lambda: _pick(stated), "selection_mode": "single-row"} if several else {}),
    )
    st.caption(
        "The log-losses, weighted by the base rates, make the log-loss; the yes/no log-losses add up to the log-loss "
        "over the classes, and the Brier scores to the Brier score of all classes."
        + (" Tick a class to ask for it above." if several else "")
    )
    show_in_the_large(stated, manner.base, manner.unit)


def class_losses_frame(stated: Stated, manner: LossSettings, binning: Binning) -> pd.DataFrame:
    """The losses of each class, unrounded."""
    return _frame(stated.whole_key, manner, binning, _stated=stated)


@st.cache_data(max_entries=64, show_spinner="Counting …")
def _frame(key: str, manner: LossSettings, binning: Binning, _stated: Stated) -> pd.DataFrame:
    table = _stated.whole
    found = class_losses(table, manner.base, manner.clip)
    events = (table.event(place) for place in range(len(table.classes)))
    errors = [calibration_error(reliability_bins(event, binning.edges_of(event))) for event in events]
    return pd.DataFrame({
        "class": list(table.classes), "rows": found.rows, "base rate": found.base_rate,
        "mean probability": found.mean_probability, "log-loss": found.log_loss,
        "yes/no log-loss": found.binary_log_loss, "Brier": found.brier, "ECE": errors,
    })  # fmt: skip


def _pick(stated: Stated) -> None:
    rows = st.session_state[_KEY].selection.rows
    if rows and rows[0] < len(stated.whole.classes):
        pick_class(stated, rows[0])
