"""How losses are measured and bins are laid out; all of it stays in the address."""

import math

import streamlit as st

from evalcore.analyses import BINNINGS, MOST_BINS, Binning, LossSettings

from ...controls.bound import segmented
from ...controls.intervals import choose_level

_CLIPS = ("1e-15", "1e-12", "1e-9", "1e-6", "0.0001", "0.001", "0.01", "none")
_LARGEST_SEED = 2**31 - 1
_EDGES = "0.1, 0.3, 0.5, 0.7, 0.9"


def choose_loss_settings(level: float | None = None) -> LossSettings:
    """Ask for logarithm, clipping and seed, and for the level unless it is known, folded into a button."""
    usual = LossSettings()
    with st.popover("Settings", icon=":material/tune:"):
        unit = segmented("Losses in", ["nats", "bits"], "unit", help="nats: natural logarithm; bits: base 2")
        clip = st.selectbox(
            "Smallest probability δ", _CLIPS, key="clip", bind="query-params",
            help="Before the logarithm is taken, probabilities are kept between δ and 1 − δ. Without this, one row "
            "that gave 0 to its class makes the log-loss infinite.",
        )  # fmt: skip
        level = level or choose_level()
        seed = st.number_input(
            "Seed", 0.0, float(_LARGEST_SEED), float(usual.seed), 1.0, "%.0f", key="draw", bind="query-params",
            help="Of the resamples and of the folds",
        )  # fmt: skip
    return LossSettings(
        2.0 if unit == "bits" else math.e,
        usual.clip if clip not in _CLIPS else 0.0 if clip == "none" else float(clip),
        level,
        round(seed) if seed is not None and 0 <= seed <= _LARGEST_SEED else usual.seed,
    )


def choose_binning() -> tuple[Binning, bool]:
    """Ask for the layout of the bins, and whether a curve without bins is drawn too."""
    way = segmented("Bins", BINNINGS, "binning")
    binning = Binning()
    if way == BINNINGS[2]:
        text = st.text_input("Edges between 0 and 1", _EDGES, key="edges", bind="query-params", width=260)
        typed = Binning.typed(text or "")
        if typed is None:
            st.caption("Type rising numbers between 0 and 1, such as 0.1, 0.5, 0.9. Ten bins of equal width are shown.")
        binning = typed or binning
    else:
        # Not of whole numbers: Streamlit cannot turn an infinity in the address into one.
        bins = st.number_input(
            "How many", 1.0, float(MOST_BINS), float(binning.bins), 1.0, "%.0f", key="bins", bind="query-params",
            width=110,
        )  # fmt: skip
        usable = bins is not None and 1 <= bins <= MOST_BINS
        binning = Binning(way, round(bins) if usable else binning.bins)
    line = st.toggle(
        "Curve without bins", key="unbinned", bind="query-params",
        help="Isotonic regression: the increasing curve that fits the outcomes best",
    )  # fmt: skip
    return binning, line
