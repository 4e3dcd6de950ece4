"""Sets: what was found, and what was missed?"""

import streamlit as st

from evalcore.analyses import QuerySets, set_texts
from pages.widgets.controls.ranking_settings import choose_query, choose_ranking_settings, show_query_face
from pages.widgets.display.measures import show_formulas, show_reading
from pages.widgets.display.page import title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.retrieve.sets.retrieved_sets import (
    choose_retrieved_sets,
    pulled_measure,
    show_averages,
    show_retrieved_sets,
    show_set_queries,
)
from pages.widgets.session.loaded_rankings import open_rankings

title("retrieve/sets")
rankings = open_rankings()
with st.container(key="set-controls", horizontal=True, vertical_alignment="bottom"):
    query = choose_query(rankings)
    sets = choose_retrieved_sets(rankings)
    choose_ranking_settings(rankings, k=False)
one = QuerySets(sets, query)
show_query_face(rankings, query)
show_retrieved_sets(one)
show_averages(sets)
show_set_queries(sets)
st.caption(f"{rankings.coverage}.")
show_reading("retrieve/sets", **set_texts(one))
show_formulas(one)
measure = pulled_measure()
show_downloads("sets", lambda: sets.table(measure), sets.code(query))
