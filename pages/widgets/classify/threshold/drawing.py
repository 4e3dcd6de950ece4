"""How the cockpit is drawn: which measures, which density, on which axis. All of it stays in the address."""

import streamlit as st

from evalcore import METRICS
from evalcore.analyses import Scores
from evalcore.figures.cockpit import FEW_DOTS, MOST_DOTS, Drawing, drawn_name

DENSITIES = {"histogram": "Histogram", "smooth": "Smooth", "dots": "Rows as dots"}
EXTENTS = {"all": "All scores", "central": "Where the scores are", "log": "Logarithmic"}
HEIGHTS = {"rows": "Counts", "share": "Share of the class"}

_DRAWABLE = [m.key for m in METRICS.values() if m.family == "counts" and (m.lowest, m.highest) == (0, 1)]


def choose_drawing(scores: Scores) -> Drawing:
    """Ask for the measures, and in a popover for axis and densities."""
    lines = st.multiselect(
        "Measures to draw", _DRAWABLE, default=list(Drawing.lines), format_func=drawn_name, key="lines",
        bind="query-params", label_visibility="collapsed", placeholder="Measures to draw", width="stretch",
    )  # fmt: skip
    with st.popover("Axis and densities", key="drawing", icon=":material/tune:"):
        density, bins, width, height = _choose_density(scores)
        extent = _one_of(EXTENTS, "Axis", "axis", "all")
        bands = st.toggle(
            "Bands around the measures",
            key="bands",
            bind="query-params",
            help="95 % of resamples of the rows lie within them.",
        )
    return Drawing(density, bins, width, height, extent, tuple(lines), bool(bands))


def _choose_density(scores: Scores) -> tuple[str, int, float, str]:
    rows = len(scores.scored.positive_scores) + len(scores.scored.negative_scores)
    options = {key: name for key, name in DENSITIES.items() if key != "dots" or rows <= MOST_DOTS}
    density = _one_of(options, "Density", "density", "dots" if rows <= FEW_DOTS else "histogram")
    bins, width, height = Drawing.bins, Drawing.width, Drawing.height
    if density == "histogram":
        bins = st.slider("Bins", 5, 100, bins, 5, key="bars", bind="query-params")
    if density == "smooth":
        help_text = "Times Silverman's"
        width = st.slider("Bandwidth", 0.25, 4.0, width, 0.25, key="kernel", bind="query-params", help=help_text)
    if density != "dots":
        height = _one_of(HEIGHTS, "Height", "height", "rows")
    return density, min(max(int(bins), 5), 100), min(max(float(width), 0.25), 4.0), height


def _one_of(options: dict[str, str], label: str, key: str, start: str) -> str:
    chosen = st.segmented_control(
        label, list(options), format_func=options.get, default=start, key=key, bind="query-params", required=True
    )
    return chosen if chosen in options else start
