"""Graded relevance: are the best ones on top?"""

import streamlit as st

from pages.widgets.controls.selected_query import choose_query
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.retrieve.graded.graded_list import choose_weighing, show_graded_list
from pages.widgets.retrieve.graded.script import show_graded_downloads, show_graded_formulas
from pages.widgets.retrieve.graded.systems import show_graded_headline, show_graded_queries, show_over_ranks
from pages.widgets.session.loaded_rankings import choose_settings, describe, open_retrieval

title("Graded relevance", question="Are the best ones on top?")
retrieval = open_retrieval()
with st.container(key="graded-controls", horizontal=True, vertical_alignment="bottom"):
    query = choose_query(retrieval)
    choose_settings(retrieval, level=False)
    weighed = choose_weighing(retrieval)
show_graded_headline(retrieval, weighed)
show_graded_list(retrieval, query, weighed)
show_over_ranks(retrieval, query, weighed)
show_graded_queries(retrieval, weighed)
st.caption(f"{describe(retrieval)}.")
show_reading("graded")
show_graded_formulas(retrieval, query, weighed)
show_graded_downloads(retrieval, query, weighed)
