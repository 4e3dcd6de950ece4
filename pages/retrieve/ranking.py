"""Ranking: are the relevant documents at the top?"""

import streamlit as st

from pages.widgets.controls.ranking_settings import choose_ranking_settings
from pages.widgets.display.heading import show_headline, title
from pages.widgets.display.measures import show_formulas
from pages.widgets.display.reading import show_reading
from pages.widgets.retrieve.ranking.ranked_list import choose_columns, show_ranking_downloads, summary_of
from pages.widgets.retrieve.ranking.rankings import choose_ranking_look, show_rankings, show_selection
from pages.widgets.session.entry_links import with_links
from pages.widgets.session.loaded_rankings import open_rankings

title("Ranking", question="Are the relevant documents at the top?", page="retrieve/ranking")
rankings = open_rankings()
summary = summary_of(rankings)
headline = summary.headline
show_headline(headline)
with st.container(key="ranking-controls", horizontal=True, vertical_alignment="bottom"):
    choose_ranking_settings(rankings)
    look = choose_ranking_look()
    choose_columns(rankings)
show_rankings(summary)
st.caption(with_links(summary.verdict))
show_selection(summary, look)
show_reading("retrieve/ranking", mean_ap=headline[0][1], mean_rr=headline[1][1])
show_formulas(summary)
show_ranking_downloads(summary)
