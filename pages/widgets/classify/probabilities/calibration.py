"""Calibration on the page: diagram and measures, the Brier score in parts, and the losses of each class."""

from functools import partial

import pandas as pd
import streamlit as st

from evalcore.analyses import (
    Binning,
    Calibration,
    Losses,
    LossSettings,
    ProbabilitySource,
    Reliability,
    base_rates_text,
    brier_parts_text,
    class_losses_table,
)
from evalcore.figures import brier_figure, reliability_figure
from evalcore.inference import RESAMPLES, isotonic
from evalcore.wording import count_text, level_text, number_text, one_line

from ...display.figure import page_ink, show_figure
from ...display.table import show_frame, show_table
from ...session.cache import cache
from .probability_source import pick_class

_reliability = cache(Reliability.of, 64, "Counting …")
_losses = cache(Losses.of, 128, "Resampling …")
_calibration = cache(Calibration.of, 64)
_isotonic = cache(isotonic, 16)
_diagram = cache(lambda *parts: reliability_figure(*parts), 64)
_class_table = cache(class_losses_table, 64, "Counting …")


def calibration_of(probabilities: ProbabilitySource, settings: LossSettings, binning: Binning) -> Calibration:
    """Reliability and losses; kept by data set and settings."""
    key = probabilities.key
    bins = binning, settings.level, settings.seed
    reliability = _reliability((key, *bins), probabilities, *bins)
    losses = _losses((key, settings), probabilities.table, settings)
    return _calibration((key, settings, binning), reliability, losses)


def show_calibration(calibration: Calibration, line: bool) -> None:
    """The reliability diagram, and the numbers beside it."""
    reliability, settings = calibration.reliability, calibration.losses.settings
    event = reliability.event
    columns = event.probability, event.happened, event.weights
    curve = _isotonic(calibration.probabilities.key, *columns) if line else None
    ink, key = page_ink(), (calibration.probabilities.key, reliability.binning, settings.level, settings.seed)
    picture, numbers = st.columns([6, 5], gap="large")
    with picture:
        show_figure(
            _diagram((*key, ink, line), {"as predicted": reliability}, ink, curve),
            key="reliability",
            alt=f"Reliability diagram, {reliability.binning.words}: {reliability.description}",
        )
    with numbers:
        rows = count_text(calibration.probabilities.table.total)
        show_table([f"of {rows} rows", "value", f"{level_text(settings.level)} interval"], calibration.rows)
        st.caption(
            f"Intervals: {count_text(RESAMPLES)} resamples of the {calibration.probabilities.source.units}, "
            f"seed {settings.seed}. *Chance*: the limit that perfect calibration stays below in "
            f"{level_text(settings.level)} of samples with these bins. "
            f"{calibration.losses.clipping}"
        )
        if note := calibration.certain:
            st.caption(note)


def show_brier(calibration: Calibration) -> None:
    """The Brier score as a sum of bars, with what each part means."""
    parts, binning = calibration.parts, calibration.reliability.binning
    picture, words = st.columns([5, 4], gap="large")
    with picture:
        show_figure(
            brier_figure(parts, page_ink()),
            key="brier",
            alt=f"Brier score {number_text(parts.score)}: uncertainty {number_text(parts.uncertainty)} minus "
            f"resolution {number_text(parts.resolution)} plus reliability {number_text(parts.reliability)}",
        )
        classes = "" if calibration.probabilities.binary else " of each class, added up over the classes"
        st.caption(f"Over {binning.words}{classes}. The part within the bins is 0 where all rows of a bin are equal.")
    with words:
        st.markdown(brier_parts_text(parts))


def class_frame(calibration: Calibration) -> pd.DataFrame:
    """The losses of each class; kept by data set and settings."""
    whole, settings = calibration.probabilities.whole, (calibration.losses.settings, calibration.reliability.binning)
    return pd.DataFrame(_class_table((whole.key, *settings), whole, *settings))


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
