"""Sets: what was found, and what was missed?"""

import streamlit as st

from evalcore.analyses import QuerySets, set_texts
from pages.widgets.controls.ranking_settings import choose_query, show_query_face
from pages.widgets.display.measures import show_formulas, show_reading
from pages.widgets.display.page import controls, show_finding, title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.retrieve import sets as widgets
from pages.widgets.session.loaded import open_rankings

title("retrieve/sets")
rankings = open_rankings()
with st.container(key="view"):
    with controls():
        query = choose_query(rankings)
        one = QuerySets(widgets.choose_retrieved_sets(rankings), query)
    show_query_face(rankings, query)
    widgets.show_retrieved_sets(one)
show_finding(one.verdict)
widgets.show_all_queries(one.sets)
show_reading("retrieve/sets", **set_texts(one))
show_formulas(one)
measure = widgets.pulled_measure()
show_downloads("sets", lambda: one.sets.table(measure), one.sets.code(query))
