"""Graded lists: one against its ideal in two pictures and the table of the textbook, and all systems over the ranks."""

import pandas as pd
import streamlit as st

from evalcore.analyses import GRADED_COLUMNS, GradedList, GradedSystems
from evalcore.figures import MOST_BARS, cumulated_figure, gains_figure, over_ranks_figure
from evalcore.wording import number_text, one_line

from ...controls.ranking_settings import FACE_COLUMNS, show_queries, show_query_face
from ...display.figure import page_ink, show_figure
from ...display.table import link_measures, show_frame
from ...session.cache import cache
from ...session.entry_links import with_links

MEASURES = ("nDCG", "DCG")
_ALL, _ONE = "all queries", "this query"
_gains, _cumulated = cache(lambda *parts: gains_figure(*parts), 64), cache(lambda *parts: cumulated_figure(*parts), 64)
_over_ranks = cache(lambda *parts: over_ranks_figure(*parts), 64)


def show_graded_list(graded: GradedList) -> None:
    """The list of a query against its ideal."""
    ranks, depth, ink = graded.ranks, graded.depth, page_ink()
    key = graded.rankings.key, graded.query, graded.settings, depth, ink.text
    with st.container(key="graded-list"):
        show_query_face(graded.rankings, graded.query)
        st.markdown(with_links(graded.verdict))
        left, right = st.columns(2, gap="medium")
        with left:
            show_figure(
                _gains(key, ranks, ink, graded.length), key="gains", filename="gains",
                alt=f"Gain at each of the first {min(depth, MOST_BARS)} ranks of query {one_line(graded.query, 40)}, "
                "against the ideal list, with the discount",
            )  # fmt: skip
        with right:
            dcg, idcg = (number_text(float(column[-1])) for column in (ranks.dcg, ranks.idcg))
            show_figure(
                _cumulated(key, ranks, ink), key="cumulated", filename="dcg",
                alt=f"DCG {dcg} of the list and {idcg} of the ideal list at rank {depth}",
            )  # fmt: skip
        number = st.column_config.NumberColumn
        columns = {name: number(format="%.3f", help=about) for name, (_, about) in GRADED_COLUMNS.items()}
        columns["k"] = number(format="localized", pinned=True, width=50)
        columns["document"] = st.column_config.TextColumn(width="small")
        columns |= FACE_COLUMNS
        alt = "Grade, gains, discount, DCG, ideal DCG and nDCG at each rank"
        show_frame(pd.DataFrame(graded.short_table), "graded-table", alt, columns, 15, 460, missing="–")
    st.caption(with_links(graded.notes(MOST_BARS)))


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
        key, ink = (rankings.key, over.measure, query if of == _ONE else None, systems.settings), page_ink()
        show_figure(
            _over_ranks((*key, ink.text), over, ink), key="over-k", filename=f"{over.measure} over k",
            alt=over.description,
        )  # fmt: skip
        st.caption(with_links(over.verdict))


def show_graded_queries(systems: GradedSystems) -> None:
    """One row per query: its judged documents, DCG, ideal DCG and nDCG, and nDCG of the other systems."""
    table, number = systems.table, st.column_config.NumberColumn
    columns: dict[str, object] = {name: number(format="localized") for name in ("retrieved", "judged")}
    columns |= {name: number(format="%.3f") for name in table if name not in ("query", *columns)}
    show_queries(systems.rankings, table, columns, "DCG, ideal DCG and nDCG of each query")
    link_measures(table)
