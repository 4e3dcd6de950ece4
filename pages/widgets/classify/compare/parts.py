"""What stands under the verdict, one part open at a time, so that only that one is worked out."""

import streamlit as st

from .comparison import Contest
from .disagreements import show_rows_between
from .forest import show_many
from .measures import show_all_measures, show_areas


def show_parts(contest: Contest, among: str) -> None:
    """All systems · every measure · the rows they disagree on · the areas, as tabs."""
    parts = {}
    if len(contest.drawn) > 2:
        parts["All systems"] = lambda: show_many(contest)
    parts["Every measure"] = lambda: show_all_measures(contest)
    parts["Rows they disagree on"] = lambda: show_rows_between(contest, among)
    if contest.current.kind == "scores":
        parts["Whatever the cut"] = lambda: show_areas(contest)
    tabs = st.tabs(list(parts), key="compare_part", on_change="rerun", bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show()
