"""The list of one query: its ranks side by side, what its average precision is the mean of, and all ranks."""

from pathlib import Path

import pandas as pd
import streamlit as st

from evalcore.analyses import RankedList, Rankings
from evalcore.wording import count_text, html_table, plain

STRIP = 60
"""Ranks side by side; all of them are in the table below."""

_STYLE = f"<style>{Path(__file__).with_suffix('.css').read_text(encoding='utf-8')}</style>"


def shown_query() -> dict[str, str]:
    """Under "query" the one whose list is shown: a download may be asked for long after the page was drawn."""
    return st.session_state.setdefault("query of the list", {})


def show_ranked_list(rankings: Rankings, query: str) -> None:
    """The list of a query as a strip, with its average precision, and all ranks in a table."""
    shown_query()["query"] = query
    ranked = RankedList(rankings, query)
    count = len(ranked.documents)
    with st.container(key="ranked-list"):
        st.subheader(f"Query {plain(query)}: ranked list", anchor=False)
        st.caption(ranked.verdict)
        if not count:
            return
        # The strip scrolls sideways, so the keyboard must reach it.
        st.html(f'{_STYLE}<div class="ranked-list" tabindex="0">{html_table([], ranked.strip(STRIP), "")}</div>')
        if count > STRIP:
            st.caption(f"The first {STRIP} of {count_text(count)} ranks.")
        if ranked.curve.total:
            st.markdown(ranked.average_precision)
        if ranked.tie_note:
            st.caption(ranked.tie_note)
        with st.expander("All ranks with their documents", key="all-ranks", on_change="rerun") as folded:
            if folded.open:
                decimals = st.column_config.NumberColumn(format="%.3f")
                st.dataframe(
                    pd.DataFrame(ranked.table), hide_index=True, key="ranks", height="content" if count <= 14 else 420,
                    alt="The list of the query with grades, precision and recall at each rank",
                    column_config=dict.fromkeys(("precision", "recall"), decimals),
                )  # fmt: skip
