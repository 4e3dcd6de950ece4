"""The losses class by class: which class is predicted too often, and which costs most."""

from functools import partial

import pandas as pd
import streamlit as st

from evalcore.analyses import Binning, Calibration, LossSettings, ProbabilitySource, base_rates_text, class_losses_table
from evalcore.wording import one_line

from ...display.table import show_frame
from .probability_source import pick_class


def class_frame(calibration: Calibration) -> pd.DataFrame:
    """The losses of each class; kept by data set and settings."""
    whole, binning = calibration.probabilities.whole, calibration.reliability.binning
    return pd.DataFrame(_class_table(whole.key, calibration.losses.settings, binning, whole))


def show_class_losses(calibration: Calibration) -> None:
    """One row per class; a tick chooses it for the whole page."""
    frame, probabilities = class_frame(calibration), calibration.probabilities
    number = st.column_config.NumberColumn
    several = len(frame) > 2
    binning = calibration.reliability.binning.words
    columns = {
        "class": st.column_config.TextColumn(width=120, pinned=True),
        "rows": number(format="localized", width=70),
        "base rate": number(format="percent", width=85, help="Share of the rows that have the class"),
        "mean probability": number(format="percent", width=125, help="Mean predicted probability of the class"),
        "log-loss": number(format="%.3f", width=85, help="Mean −ln q over the rows that have the class"),
        "yes/no log-loss": number(format="%.3f", width=115, help="Of the class against the rest, over all rows"),
        "Brier": number(format="%.4f", width=80, help="Mean squared error of its probability, over all rows"),
        "ECE": number(format="%.4f", width=80, help=f"Of its probability, {binning}"),
    }
    frame["class"] = [one_line(name) for name in frame["class"]]
    alt = "Rows, base rate, mean probability and losses of each class"
    pick = partial(pick_class, probabilities) if several else None
    show_frame(frame, "losses of the classes", alt, columns, pick=pick)
    st.caption(
        "The log-losses, weighted by the base rates, average to the log-loss. The yes/no log-losses add up to the "
        "log-loss over the classes, and the Brier scores to the Brier score of all classes."
        + (" Tick a class to choose it above." if several else "")
    )
    st.markdown(base_rates_text(probabilities, calibration.losses.settings))


@st.cache_resource(max_entries=64, show_spinner="Counting …")
def _class_table(key: str, settings: LossSettings, binning: Binning, _whole: ProbabilitySource) -> dict[str, list]:
    return class_losses_table(_whole, settings, binning)
