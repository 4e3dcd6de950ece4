"""Ranking: are the right ones on top?"""

import streamlit as st

from pages.widgets.controls.ranking_settings import choose_ranking_settings
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.export.ranking_script import show_ranking_downloads
from pages.widgets.retrieve.ranking.columns import choose_columns
from pages.widgets.retrieve.ranking.rankings import choose_ranking_look, show_rankings
from pages.widgets.retrieve.ranking.selected_queries import show_picked
from pages.widgets.retrieve.ranking.summary import show_counted, show_headline, show_ranking_formulas
from pages.widgets.session.loaded_rankings import open_rankings

title("Ranking", question="Are the right ones on top?")
rankings = open_rankings()
show_headline(rankings)
with st.container(key="ranking-controls", horizontal=True, vertical_alignment="bottom"):
    choose_ranking_settings(rankings)
    look = choose_ranking_look()
    choose_columns(rankings)
show_rankings(rankings)
show_counted(rankings)
show_picked(rankings, look)
show_reading("retrieve/ranking")
show_ranking_formulas(rankings)
show_ranking_downloads(rankings)
