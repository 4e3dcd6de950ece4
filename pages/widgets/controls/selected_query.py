"""The query that a page of retrieval looks at: chosen from a list, typed, or ticked in the table of all queries."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import streamlit as st

from evalcore.wording import count_text, one_line, plain, short_names

from ..session import address
from ..session.loaded_rankings import Retrieval
from ..session.page_exit import end_page

LISTED = 1_000
"""Queries up to which all are offered in a list; of more the id is typed."""

_BOX, _TABLE, _WRONG = "query of the page", "table of queries", "query not known"


def chosen_query(retrieval: Retrieval) -> str:
    """The query in the address, the one lit last on the page of rankings, or the first; ends a page without queries.

    Parameters
    ----------
    retrieval : Retrieval
    """
    if not retrieval.queries:
        st.info("No query takes part: none of the judged queries has a list.")
        end_page()
    known = set(retrieval.queries)
    named = [name for part in address.names("picked")[:1] for name in part if name in known]
    if not named:
        address.refuse("picked")
    return named[-1] if named else retrieval.queries[0]


def choose_query(retrieval: Retrieval) -> str:
    """Ask for the query; the address holds it for all pages of retrieval."""
    query, queries = chosen_query(retrieval), retrieval.queries
    st.session_state[_BOX] = query
    if len(queries) <= LISTED:
        # One query is no choice, and the box says which it is all the same.
        st.selectbox(
            "Query", queries, key=_BOX, format_func=lambda name: one_line(name, 60), on_change=_pick_from_box,
            args=(retrieval,), disabled=len(queries) < 2, width=240,
        )  # fmt: skip
    else:
        st.text_input(
            "Query", key=_BOX, on_change=_pick_from_box, args=(retrieval,), width=240,
            help=f"The id of one of the {count_text(len(queries))} queries; or tick it in the table.",
        )  # fmt: skip
    if (wrong := st.session_state.pop(_WRONG, None)) is not None:
        st.caption(f"No query is called {plain(wrong, 60)}; this is the one from before.")
    return query


def show_queries(
    retrieval: Retrieval, frame: pd.DataFrame, columns: Mapping[str, object], alt: str, title: str = "All queries"
) -> None:
    """The table of all queries, whose ticked row is the query of the page.

    Parameters
    ----------
    retrieval : Retrieval
    frame : DataFrame
        A row a query in the order of `retrieval.queries`; the column "query" holds their names.
    columns : mapping of str to column_config
    alt, title : str
        What it shows, for whoever cannot see it, and what stands over it.
    """
    st.markdown(f"**{title}**")
    names = short_names([one_line(name, 200) for name in frame["query"]], 30)
    frame = frame.assign(query=names)
    width = "small" if max(map(len, names), default=0) <= 10 else 160
    # The address decides which row is ticked; the table only shows it, and its callback writes it.
    place = retrieval.queries.index(chosen_query(retrieval))
    st.session_state[_TABLE] = {"selection": {"rows": [place], "columns": [], "cells": []}}
    st.dataframe(
        frame,
        hide_index=True,
        height="content" if len(frame) <= 12 else 420,
        key=_TABLE,
        on_select=lambda: _pick_from_table(retrieval),
        selection_mode="single-row-required",
        placeholder="undefined",
        alt=alt,
        column_config={"query": st.column_config.TextColumn("query", pinned=True, width=width), **columns},
    )
    if len(frame) > 1:
        st.caption("Tick a row to look at its query. A click on a heading sorts.")


def pick(retrieval: Retrieval, query: str) -> None:
    """Make a query the one of the page, if it is one of the queries."""
    if query in retrieval.queries:
        address.put_names("picked", [[query]])


def _pick_from_box(retrieval: Retrieval) -> None:
    said = st.session_state[_BOX]
    if said not in retrieval.queries:
        st.session_state[_WRONG] = said
    pick(retrieval, said)


def _pick_from_table(retrieval: Retrieval) -> None:
    rows = st.session_state[_TABLE]["selection"]["rows"]
    if rows and rows[0] < len(retrieval.queries):
        pick(retrieval, retrieval.queries[rows[0]])
