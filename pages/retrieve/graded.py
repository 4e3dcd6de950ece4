"""Graded relevance: are the best ones on top?"""

import streamlit as st

from pages.widgets.graded.graded import choose_weighing, show_graded_list
from pages.widgets.graded.graded_recipe import show_graded_downloads, show_graded_formulas
from pages.widgets.graded.graded_systems import show_graded_headline, show_graded_queries, show_over_ranks
from pages.widgets.heading import title
from pages.widgets.one_query import choose_query
from pages.widgets.reading import show_reading
from pages.widgets.retrieval import choose_settings, describe, open_retrieval

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
