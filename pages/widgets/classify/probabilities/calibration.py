"""Calibration on the page: the diagram, the measures beside it, the Brier score in parts, and the formulas."""

import streamlit as st

from evalcore.analyses import (
    Binning,
    Calibration,
    Losses,
    LossSettings,
    ProbabilitySource,
    Reliability,
    brier_parts_text,
)
from evalcore.classification import EventProbabilities
from evalcore.figures import brier_figure, reliability_figure
from evalcore.inference import RESAMPLES, isotonic
from evalcore.wording import count_text, number_text

from ...display.figure import page_ink, show_figure
from ...display.table import show_table


def calibration_of(probabilities: ProbabilitySource, settings: LossSettings, binning: Binning) -> Calibration:
    """Reliability and losses; kept by data set and settings."""
    key = probabilities.key
    reliability = _reliability(key, binning, settings.level, settings.seed, probabilities)
    return _calibration(key, settings, binning, reliability, _losses(key, settings, probabilities))


def show_reliability(calibration: Calibration, line: bool) -> None:
    """The reliability diagram."""
    reliability = calibration.reliability
    curve = _isotonic(calibration.probabilities.key, reliability.event) if line else None
    show_figure(
        reliability_figure({"as predicted": reliability}, page_ink(), curve),
        key="reliability",
        alt=f"Reliability diagram, {reliability.binning.words}: {reliability.description}",
        filename="reliability",
    )  # fmt: skip


def show_measures(calibration: Calibration) -> None:
    """The numbers beside the picture."""
    settings, rows = calibration.losses.settings, count_text(calibration.probabilities.table.total)
    show_table([f"of {rows} rows", "value", f"{100 * settings.level:g} % interval"], calibration.rows)
    st.caption(
        f"Intervals: {count_text(RESAMPLES)} resamples of the rows, seed {settings.seed}. *Chance*: the limit that "
        f"perfect calibration stays below in {100 * settings.level:g} % of samples with these bins. "
        f"{calibration.losses.clipping}"
    )


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
            filename="brier",
        )
        classes = "" if calibration.probabilities.binary else " of each class, added up over the classes"
        st.caption(f"Over {binning.words}{classes}. The part within the bins is 0 where all rows of a bin are equal.")
    with words:
        st.markdown(brier_parts_text(parts))


@st.cache_resource(max_entries=64, show_spinner="Counting …")
def _reliability(key: str, binning: Binning, level: float, seed: int, _source: ProbabilitySource) -> Reliability:
    return Reliability.of(_source, binning, level, seed)


@st.cache_resource(max_entries=128, show_spinner="Resampling …")
def _losses(key: str, settings: LossSettings, _source: ProbabilitySource) -> Losses:
    return Losses.of(_source.table, settings)


@st.cache_resource(max_entries=64, show_spinner=False)
def _calibration(
    key: str, settings: LossSettings, binning: Binning, _reliability: Reliability, _losses: Losses
) -> Calibration:
    return Calibration.of(_reliability, _losses)


@st.cache_resource(max_entries=16, show_spinner=False)
def _isotonic(key: str, _event: EventProbabilities) -> object:
    return isotonic(_event.probability, _event.happened, _event.weights)
