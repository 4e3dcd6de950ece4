"""Graded lists of all systems: nDCG and DCG over k, for a query or as means, and the table of queries."""

import streamlit as st

from evalcore.analyses import GradedSystems
from evalcore.figures import over_ranks_figure

from ...controls.selected_query import show_queries
from ...display.figure import page_ink, show_figure

MEASURES = ("nDCG", "DCG")
_ALL, _ONE = "all queries", "this query"


def show_over_ranks(systems: GradedSystems, query: str) -> None:
    """nDCG or DCG of every system at each rank."""
    rankings = systems.rankings
    with st.container(key="over-ranks"):
        st.markdown("**Over all ranks**" if len(rankings.systems) < 2 else "**All systems over the ranks**")
        shared = {"bind": "query-params", "required": True, "label_visibility": "collapsed", "width": "content"}
        with st.container(horizontal=True):
            measure = st.segmented_control("Measure", MEASURES, default=MEASURES[0], key="over", **shared)
            of = _ONE
            if len(rankings.queries()) > 1:
                of = st.segmented_control("Of", (_ALL, _ONE), default=_ALL, key="ranks_of", **shared)
        with st.spinner("Cutting off at each rank …"):
            over = systems.over_ranks(measure if measure in MEASURES else MEASURES[0], query if of == _ONE else None)
        if not over.values:
            st.caption("No system has a list here.")
            return
        show_figure(
            over_ranks_figure(over, page_ink()), key="over-k", filename=f"{over.measure} over k", alt=over.description
        )
        st.caption(over.verdict)


def show_graded_queries(systems: GradedSystems) -> None:
    """One row per query: its judged documents, DCG, ideal DCG and nDCG, and nDCG of the other systems."""
    table, number = systems.table, st.column_config.NumberColumn
    columns: dict[str, object] = {name: number(format="localized") for name in ("retrieved", "judged")}
    columns |= {name: number(format="%.3f") for name in table if name not in ("query", *columns)}
    show_queries(systems.rankings, table, columns, "DCG, ideal DCG and nDCG of each query")
