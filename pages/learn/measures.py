"""Measures: what does this number mean?"""

import streamlit as st

from evalcore.analyses import glossary_code, glossary_table
from evalcore.registry import METRICS
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.export.downloads import show_downloads
from pages.widgets.learn.measures.advice import show_advice
from pages.widgets.learn.measures.entry import choose_entry, open_values, show_entry
from pages.widgets.learn.measures.measure_list import show_list
from pages.widgets.learn.measures.measure_map import show_map

title("Measures", question="What does this number mean?")
entry, values = choose_entry(), open_values()
left, right = st.columns([1, 1], gap="large")
with left:
    show_entry(entry, values)
with right:
    measure = show_map(entry)
show_advice()
show_list(values)
show_reading("learn/measures", measures=str(len(METRICS)))
show_downloads("measures", lambda: glossary_table(values), glossary_code(measure, values))
