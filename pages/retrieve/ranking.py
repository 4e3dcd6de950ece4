"""Ranking: are the right ones on top?"""

import streamlit as st

from pages.widgets.heading import title
from pages.widgets.ranking.picked import show_picked
from pages.widgets.ranking.ranking_columns import choose_columns
from pages.widgets.ranking.ranking_recipe import show_ranking_downloads
from pages.widgets.ranking.ranking_summary import show_counted, show_headline, show_ranking_formulas
from pages.widgets.ranking.rankings import choose_ranking_look, show_rankings
from pages.widgets.reading import show_reading
from pages.widgets.retrieval import choose_settings, open_retrieval

title("Ranking", question="Are the right ones on top?")
retrieval = open_retrieval()
show_headline(retrieval)
with st.container(key="ranking-controls", horizontal=True, vertical_alignment="bottom"):
    choose_settings(retrieval)
    look = choose_ranking_look()
    choose_columns(retrieval)
show_rankings(retrieval)
show_counted(retrieval)
show_picked(retrieval, look)
show_reading("ranking")
show_ranking_formulas(retrieval)
show_ranking_downloads(retrieval)
