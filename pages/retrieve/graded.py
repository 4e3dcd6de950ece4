"""Graded relevance: are the best ones on top?"""

import streamlit as st

from pages.widgets.controls.ranking_settings import choose_ranking_settings
from pages.widgets.controls.selected_query import choose_query
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.retrieve.graded.graded_list import choose_weighing, show_graded_list
from pages.widgets.retrieve.graded.script import show_graded_downloads, show_graded_formulas
from pages.widgets.retrieve.graded.systems import show_graded_headline, show_graded_queries, show_over_ranks
from pages.widgets.session.loaded_rankings import open_rankings

title("Graded relevance", question="Are the best ones on top?")
rankings = open_rankings()
with st.container(key="graded-controls", horizontal=True, vertical_alignment="bottom"):
    query = choose_query(rankings)
    choose_ranking_settings(rankings, level=False)
    weighed = choose_weighing(rankings)
show_graded_headline(rankings, weighed)
show_graded_list(rankings, query, weighed)
show_over_ranks(rankings, query, weighed)
show_graded_queries(rankings, weighed)
st.caption(f"{rankings.coverage}.")
show_reading("retrieve/graded")
show_graded_formulas(rankings, query, weighed)
show_graded_downloads(rankings, query, weighed)
