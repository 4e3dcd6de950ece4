"""Ranking: are the relevant documents at the top?"""

import streamlit as st

from evalcore.figures import ink, mean_curves_figure
from evalcore.reports import mean_text
from pages.widgets.controls.ranking_settings import choose_ranking_settings
from pages.widgets.display.measures import show_formulas, show_reading
from pages.widgets.display.page import controls, show_finding, show_numbers, title
from pages.widgets.retrieve import ranking as widgets
from pages.widgets.session.loaded import open_rankings

title("retrieve/ranking")
rankings = open_rankings()
summary = widgets.summary_of(rankings)
show_finding(
    summary.verdict, summary.tie_note,
    picture=lambda: mean_curves_figure(rankings, ink(dark=False)), numbers=lambda: [mean_text(rankings, "AP", 0.95)],
)  # fmt: skip
with st.container(key="headline", horizontal=True):
    show_numbers(summary.headline)
with st.container(key="view"):
    with controls():
        choose_ranking_settings(rankings)
        look = widgets.choose_ranking_look()
        widgets.choose_columns(rankings)
    widgets.show_rankings(summary)
widgets.show_selection(summary, look)
show_reading("retrieve/ranking", mean_ap=summary.headline["MAP"])
show_formulas(summary)
widgets.show_ranking_downloads(summary)
