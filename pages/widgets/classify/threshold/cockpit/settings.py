"""How the surface is drawn: which measures, which density, on which axis. All of it stays in the address."""

from dataclasses import dataclass

import streamlit as st

from evalcore import METRICS
from evalcore.analyses import Scores

DENSITIES = {"histogram": "Histogram", "smooth": "Smooth", "dots": "Rows as dots"}
EXTENTS = {"all": "All scores", "central": "Where the scores are", "log": "Logarithmic"}
HEIGHTS = {"rows": "Counts", "share": "Share of the class"}
FEW, MOST_DOTS = 60, 300
"""Rows up to which dots are what is drawn first, and up to which they can be chosen."""

_LINES = ("recall", "precision", "specificity", "f_beta")
_DRAWABLE = [m.key for m in METRICS.values() if m.family == "counts" and (m.lowest, m.highest) == (0, 1)]


@dataclass(frozen=True)
class Drawing:
    """The settings of the surface.

    Parameters
    ----------
    density : {"histogram", "smooth", "dots"}
    bins : int
    width : float
        Times the bandwidth of the smooth density.
    height : {"rows", "share"}
    extent : {"all", "central", "log"}
    lines : tuple of str
        Keys of the measures that are drawn.
    bands : bool
        Whether each has a band around it.
    """

    density: str = "histogram"
    bins: int = 40
    width: float = 1.0
    height: str = "rows"
    extent: str = "all"
    lines: tuple[str, ...] = _LINES
    bands: bool = False


def choose_drawing(scores: Scores) -> Drawing:
    """Ask for the measures, and in a popover for axis and densities."""
    lines = choose_lines()
    with st.popover("Axis and densities", key="drawing", icon=":material/tune:"):
        density, bins, width, height = _choose_density(scores)
        extent = _one_of(EXTENTS, "Axis", "axis", "all")
        bands = st.toggle(
            "Bands around the measures",
            key="bands",
            bind="query-params",
            help="Between them lie 95 of 100 resamples of the rows.",
        )
    return Drawing(density, bins, width, height, extent, tuple(lines), bool(bands))


def choose_lines() -> list[str]:
    """Ask which measures to draw."""
    return st.multiselect(
        "Measures to draw",
        _DRAWABLE,
        default=list(_LINES),
        format_func=word,
        key="lines",
        bind="query-params",
        label_visibility="collapsed",
        placeholder="Measures to draw",
        width="stretch",
    )


def word(key: str) -> str:
    """What a measure is called beside its line."""
    return METRICS[key].label if METRICS[key].params else METRICS[key].name.lower()


def _choose_density(scores: Scores) -> tuple[str, int, float, str]:
    rows = len(scores.scored.positive_scores) + len(scores.scored.negative_scores)
    options = {key: name for key, name in DENSITIES.items() if key != "dots" or rows <= MOST_DOTS}
    density = _one_of(options, "Density", "density", "dots" if rows <= FEW else "histogram")
    bins, width, height = 40, 1.0, "rows"
    if density == "histogram":
        bins = st.slider("Bins", 5, 100, 40, 5, key="bars", bind="query-params")
    if density == "smooth":
        width = st.slider(
            "Width of the kernel", 0.25, 4.0, 1.0, 0.25, key="kernel", bind="query-params", help="Times Silverman's"
        )
    if density != "dots":
        height = _one_of(HEIGHTS, "Height", "height", "rows")
    return density, min(max(int(bins), 5), 100), min(max(float(width), 0.25), 4.0), height


def _one_of(options: dict[str, str], label: str, key: str, start: str) -> str:
    chosen = st.segmented_control(
        label, list(options), format_func=options.get, default=start, key=key, bind="query-params", required=True
    )
    return chosen if chosen in options else start
