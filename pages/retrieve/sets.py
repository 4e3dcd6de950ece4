"""Sets: what did it find, what did it miss?"""

import streamlit as st

from pages.widgets.controls.ranking_settings import choose_ranking_settings
from pages.widgets.controls.selected_query import choose_query
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.retrieve.sets.means import show_means, show_set_queries
from pages.widgets.retrieve.sets.retrieved_sets import choose_found_sets, show_found_sets
from pages.widgets.retrieve.sets.script import show_set_downloads, show_set_formulas
from pages.widgets.session.loaded_rankings import open_rankings

title("Sets", question="What did it find, what did it miss?")
rankings = open_rankings()
with st.container(key="set-controls", horizontal=True, vertical_alignment="bottom"):
    query = choose_query(rankings)
    sets = choose_found_sets(rankings)
    choose_ranking_settings(rankings, k=False)
show_found_sets(sets, query)
show_means(sets)
show_set_queries(sets)
st.caption(f"{rankings.coverage}.")
show_reading("retrieve/sets")
show_set_formulas(sets, query)
show_set_downloads(sets, query)
