"""Measures: what does this number mean?"""

import streamlit as st

from evalcore.analyses import glossary_code, glossary_table
from evalcore.registry import METRICS
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.learn import measures as widgets

title("learn/measures")
widgets.show_advice()
entry, values = widgets.choose_entry(), widgets.open_values()
left, right = st.columns([1, 1], gap="large")
with left:
    widgets.show_entry(entry, values)
with right:
    measure = widgets.show_map(entry)
widgets.show_list(values)
show_reading("learn/measures", measures=str(len(METRICS)))
show_downloads("measures", lambda: glossary_table(values), glossary_code(measure, values))
