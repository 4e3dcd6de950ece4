"""Graded relevance: are the best documents at the top?"""

import streamlit as st

from evalcore.analyses import GradedList, GradedSystems
from evalcore.reports import mean_text
from pages.widgets.controls.ranking_settings import choose_query, choose_ranking_settings
from pages.widgets.display.measures import show_formulas, show_reading
from pages.widgets.display.page import controls, show_finding, show_folds, show_numbers, title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.retrieve import graded as widgets
from pages.widgets.retrieve.lists import show_list_editor
from pages.widgets.session.loaded import open_rankings

title("retrieve/graded")
rankings = open_rankings()
numbers = st.container(key="headline", horizontal=True)
with st.container(key="view"):
    with controls():
        query = choose_query(rankings)
        choose_ranking_settings(rankings, level=False)
        settings = widgets.choose_gain_settings(rankings)
    graded, systems = GradedList(rankings, query, settings), GradedSystems(rankings, settings)
    widgets.show_graded_list(graded)
show_finding(graded.verdict, numbers=lambda: [mean_text(rankings, settings.name_of("nDCG", "k"), 0.95)])
with numbers:
    show_numbers(systems.headline)
widgets.show_over_ranks(systems, query)
widgets.show_graded_queries(systems)
parts = {"Rank by rank": lambda: widgets.show_ranks(graded)}
parts["Edit this list"] = lambda: show_list_editor(rankings, query)
show_folds("retrieve/graded", parts)
show_reading("retrieve/graded")
show_formulas(graded)
show_downloads("graded", lambda: graded.table, graded.code, others={"All queries": lambda: systems.table})
