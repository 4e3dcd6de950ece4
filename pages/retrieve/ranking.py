"""Ranking: are the right ones on top?"""

import streamlit as st

from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.export.ranking_script import show_ranking_downloads
from pages.widgets.retrieve.ranking.columns import choose_columns
from pages.widgets.retrieve.ranking.rankings import choose_ranking_look, show_rankings
from pages.widgets.retrieve.ranking.selected_queries import show_picked
from pages.widgets.retrieve.ranking.summary import show_counted, show_headline, show_ranking_formulas
from pages.widgets.session.loaded_rankings import choose_settings, open_retrieval

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
