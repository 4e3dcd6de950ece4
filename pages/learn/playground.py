"""Playground: what makes a curve?"""

import streamlit as st

from evalcore.analyses import playground_formulas
from pages.widgets.display.measures import show_explained_formulas, show_reading
from pages.widgets.display.page import show_closed, title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.learn.playground.playground import offer_scores, show_playground
from pages.widgets.session.loaded_rankings import with_links

title("learn/playground")
show_closed()
numbers = show_playground()
st.markdown(with_links(numbers.verdict))
offer_scores(numbers)
show_reading("learn/playground", **numbers.reading)
show_explained_formulas(lambda: playground_formulas(numbers))
show_downloads("playground", lambda: numbers.curve_table, numbers.code, others={"Sample": lambda: numbers.rows})
