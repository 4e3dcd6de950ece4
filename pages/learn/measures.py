"""Measures: what does this number mean?"""

import streamlit as st

from evalcore.analyses import glossary_code, glossary_table
from evalcore.registry import METRICS
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.learn.measures.measures import (
    choose_entry,
    open_values,
    show_advice,
    show_entry,
    show_list,
    show_map,
)

title("learn/measures")
show_advice()
entry, values = choose_entry(), open_values()
left, right = st.columns([1, 1], gap="large")
with left:
    show_entry(entry, values)
with right:
    measure = show_map(entry)
show_list(values)
show_reading("learn/measures", measures=str(len(METRICS)))
show_downloads("measures", lambda: glossary_table(values), glossary_code(measure, values))
