"""The query that a page of rankings shows: chosen from a list, typed, or ticked in the table of all queries."""

from collections.abc import Collection, Mapping

import pandas as pd
import streamlit as st

from evalcore.analyses import Rankings
from evalcore.wording import count_text, one_line, plain, short_names

from ..session import address
from ..session.page_exit import end_page
from .bound import bound

LISTED = 1_000
"""Queries up to which all are offered in a list; of more the id is typed."""

_TABLE, _UNKNOWN = "table of queries", "unknown query"


def selected_queries(queries: Collection[str], most: int) -> tuple[str, ...]:
    """Those of some queries that the address names, at most so many, the shown one last."""
    known = set(queries)
    named = dict.fromkeys(name for name in next(iter(address.names("picked")), []) if name in known)
    if not named:
        address.refuse("picked")
    return tuple(named)[-most:]


def selected_query(rankings: Rankings) -> str:
    """The query in the address, or the first; ends a page without queries."""
    if not rankings.queries():
        st.info("No query takes part: none of the judged queries has a list.")
        end_page()
    return (selected_queries(rankings.queries(), 1) or rankings.queries())[0]


def choose_query(rankings: Rankings) -> str:
    """Ask for the query; the address holds it for all pages of rankings."""
    query, queries = selected_query(rankings), rankings.queries()
    about = {"key": "query of the page", "width": 240, "write": lambda name: _select(rankings, name)}
    if len(queries) <= LISTED:
        # One query is no choice, but the box says which it is.
        bound(
            st.selectbox, "Query", "picked", query, queries, format_func=lambda name: one_line(name, 60),
            disabled=len(queries) < 2, **about,
        )  # fmt: skip
    else:
        hint = f"The id of one of the {count_text(len(queries))} queries; or tick it in the table."
        bound(st.text_input, "Query", "picked", query, help=hint, **about)
    if (unknown := st.session_state.pop(_UNKNOWN, None)) is not None:
        st.caption(f"There is no query {plain(unknown, 60)}; the last one stays.")
    return query


def show_queries(
    rankings: Rankings, table: Mapping, columns: Mapping[str, object], alt: str, title: str = "All queries"
) -> None:
    """A table with one row per query, in the order of `rankings.queries()`; the ticked row is the query of the page."""
    st.markdown(f"**{title}**")
    names = short_names([one_line(name, 200) for name in table["query"]], 30)
    width = "small" if max(map(len, names), default=0) <= 10 else 160
    # The address decides which row is ticked; the table only shows it, and its callback writes it.
    place = rankings.queries().index(selected_query(rankings))
    st.session_state[_TABLE] = {"selection": {"rows": [place], "columns": [], "cells": []}}
    st.dataframe(
        pd.DataFrame({**table, "query": names}),
        hide_index=True,
        height="content" if len(names) <= 12 else 420,
        key=_TABLE,
        on_select=lambda: _select_row(rankings),
        selection_mode="single-row-required",
        placeholder="undefined",
        alt=alt,
        column_config={"query": st.column_config.TextColumn("query", pinned=True, width=width), **columns},
    )
    if len(names) > 1:
        st.caption("Tick a row to see its query. Click a heading to sort.")


def _select(rankings: Rankings, query: str) -> None:
    if query in rankings.queries():
        address.put_names("picked", [[query]])
    else:
        st.session_state[_UNKNOWN] = query


def _select_row(rankings: Rankings) -> None:
    for row in st.session_state[_TABLE]["selection"]["rows"][:1]:
        _select(rankings, rankings.queries()[row])
