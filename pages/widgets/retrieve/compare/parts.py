"""What stands under the table of systems, one part open at a time, so that only that one is worked out."""

import streamlit as st

from .comparison import Rivals
from .judgment_reduction import show_fewer_judgments
from .pairs import show_comparisons
from .query_differences import opened_query, show_query_differences
from .side_by_side_rankings import show_beside_lists
from .tests import Tested


def show_rivals_parts(done: Tested) -> None:
    """Query by query · all comparisons · judgments, as tabs."""
    parts = {
        "Query by query": lambda: _show_queries(done.rivals),
        "Judgments": lambda: show_fewer_judgments(done.rivals),
        "All comparisons": lambda: show_comparisons(done),
    }
    tabs = st.tabs(list(parts), key="rankings_part", on_change="rerun", bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show()


def _show_queries(rivals: Rivals) -> None:
    show_query_differences(rivals)
    show_beside_lists(rivals, opened_query(rivals))
