"""The open judgments and runs, with the settings of the address: system, k, relevance level, missing queries."""

from collections.abc import Iterable

import streamlit as st

from evalcore.analyses import Rankings, Source
from evalcore.readers import ReadProblem, kinds_giving
from evalcore.registry import RETRIEVAL
from evalcore.wording import linked_mentions, one_line, plain, with_parameters
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened
from pages.widgets.session.page_exit import end_page, need

RANKED = kinds_giving("judgments")

HIGHEST_K = 1_000_000

TREC_EVAL = {"9": "trec_eval 9", "10": "trec_eval 10"}
"""Versions whose numbers the names of trec_eval can mean."""


def open_rankings() -> Rankings:
    """The rankings that are open; the page ends with what it needs where there are none."""
    rankings = rankings_of(need(RANKED, "ranked lists and the grades of their documents"))
    with st.spinner("Ranking …"):
        mismatch = rankings.mismatch
    if mismatch is not None:
        _show_mismatch(rankings, mismatch)
        end_page()
    return rankings


def rankings_of(current: Source) -> Rankings:
    """Rankings with the settings of the address; ReadProblem where there are no lists."""
    if current.system is None:
        raise ReadProblem("No row names a system, so there are no lists. Choose another system column.")
    return Rankings(
        *(current, current.system),
        int(address.number("k", Rankings.k, 1, HIGHEST_K)),
        address.number("grade", Rankings.level, 1e-9, 1e9),
        address.choice("missing", ["leave"]) is not None,
        int(address.choice("trec_eval", list(TREC_EVAL), "9")),
    )


def _show_mismatch(rankings: Rankings, mismatch: str) -> None:
    """Say that judgments and run share nothing, with ids of both beside each other."""
    st.error(plain(mismatch, limit=800))
    if not rankings.has_lists:
        return
    for column, title, state in zip(
        st.columns(2), ("judgments", "run"), (rankings.judgments, rankings.run()), strict=True
    ):
        column.markdown(f"**In the {title}**")
        documents = state.documents.take(slice(5)).texts()
        column.text(f"queries: {_listed(state.queries[:5])}\ndocuments: {_listed(documents)}")
    st.page_link("pages/start/data.py", label="Open other files", query_params=address.parameters())


def _listed(names: Iterable[str]) -> str:
    return " · ".join(one_line(name, 40) for name in names) or "none"


def with_links(sentence: str) -> str:
    """Markdown of a verdict or a note, in which the first mention of each measure opens its entry."""
    return with_parameters(linked_mentions(sentence, open_family()), address.parameters())


def open_family() -> str | None:
    """The family of measures that a name means first on the open data, where it says so: AP of rankings."""
    current = opened()
    return RETRIEVAL if current is not None and current.kind in RANKED else None
