"""Ranking: are the relevant documents at the top?"""

import streamlit as st

from pages.widgets.controls.ranking_settings import choose_ranking_settings
from pages.widgets.display.measures import show_formulas, show_reading
from pages.widgets.display.page import controls, show_finding, show_numbers, title
from pages.widgets.retrieve.ranking.rankings import (
    choose_columns,
    choose_ranking_look,
    show_ranking_downloads,
    show_rankings,
    show_selection,
    summary_of,
)
from pages.widgets.session.loaded_rankings import open_rankings

title("retrieve/ranking")
rankings = open_rankings()
summary = summary_of(rankings)
show_finding(summary.verdict, summary.tie_note)
with st.container(key="headline", horizontal=True):
    show_numbers(summary.headline)
with st.container(key="view"):
    with controls():
        choose_ranking_settings(rankings)
        look = choose_ranking_look()
        choose_columns(rankings)
    show_rankings(summary)
show_selection(summary, look)
show_reading("retrieve/ranking", mean_ap=summary.headline["MAP"])
show_formulas(summary)
show_ranking_downloads(summary)
