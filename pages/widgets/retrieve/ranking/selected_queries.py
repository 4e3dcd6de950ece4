"""What a click on a query draws anew: which curves are lit, and the list of the query below them."""

import streamlit as st

from evalcore.analyses import Rankings

from ...display.sidebar import show_drawn_again
from .ranked_list import show_ranked_list
from .rankings import RankingLook, picked_queries, show_lit


# Alone, without side bar, settings and what weighs of the table: a click takes a third of the time of the whole page.
@st.fragment
def show_picked(rankings: Rankings, look: RankingLook) -> None:
    """Light the curves of the queries that are picked, and show the list of the last of them.

    Parameters
    ----------
    rankings : Rankings
    look : RankingLook
    """
    show_lit(rankings, look)
    for query in picked_queries(rankings)[-1:]:
        show_ranked_list(rankings, query)
    show_drawn_again()
