"""Confusion matrix: is this a good test?"""

import streamlit as st

from pages.widgets.confusion.frame import choose_turned, show_frame
from pages.widgets.confusion.population import show_population
from pages.widgets.confusion.verdict import show_verdict
from pages.widgets.counted import open_counts, show_origin
from pages.widgets.downloads import show_downloads
from pages.widgets.heading import title
from pages.widgets.intervals import choose_intervals
from pages.widgets.measures import choose_params, measures_frame, show_formulas, show_measures
from pages.widgets.reading import show_reading
from pages.widgets.reproduction import counts_code

title("Confusion matrix", question="Is this a good test?")
counted = open_counts()
show_verdict(counted)
table, people = st.columns([3, 2], gap="large")
with people:
    show_population(counted)
with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
    turned = choose_turned()
    intervals = choose_intervals()
    params = choose_params()
with table:
    show_frame(counted, intervals, turned)
    show_origin(counted)
show_measures(counted.counts, intervals, params)
show_reading("confusion")
show_formulas(counted.counts, params)
show_downloads(
    "measures", lambda: measures_frame(counted.counts, intervals, params), counts_code(counted.counts, params)
)
