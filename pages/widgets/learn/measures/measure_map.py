"""The map of measures; a click on one opens its entry."""

import streamlit as st

from evalcore.figures import map_figure
from evalcore.glossary import Entry, map_of
from evalcore.registry import METRICS, MetricDef

from ...display.figure import page_ink, show_figure
from ...session.cache import cache
from .entry import open_entry

_FIRST = "decisions"
_figure = cache(lambda *drawn: map_figure(*drawn), most=64)


def show_map(entry: Entry) -> MetricDef:
    """The map that the entry stands on, of a term that of the first measure it leads to; the measure that is marked."""
    key = entry.key if entry.measure else next((key for key in entry.see if key in METRICS), "recall")
    chart = map_of(key)
    st.markdown(f"**How they are related: {chart.title}**")
    name = f"map {chart.key}"

    def picked() -> None:
        if points := st.session_state[name].selection.points:
            open_entry(chart.keys[points[0]["point_index"]])

    words = f"{len(chart.keys)} measures, joined by lines; {METRICS[key].name} is marked."
    ink = page_ink()
    show_figure(_figure((key, ink), chart, key, ink), name, words, on_select=picked, selection_mode="points")
    if chart.key == _FIRST:
        st.caption(
            "Each small table is TP, FP over FN, TN: full colour counts above the line or in the formula, pale only "
            "below the line, empty is ignored. Click one to open its entry."
        )
    else:
        st.caption("Lines join measures that follow from one another. Click one to open its entry.")
    return METRICS[key]
