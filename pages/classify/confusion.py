"""Confusion matrix: is this a good test?"""

import streamlit as st

from pages.widgets.classify.confusion.frame import choose_turned, show_frame
from pages.widgets.classify.confusion.population import show_population
from pages.widgets.classify.confusion.verdict import show_verdict
from pages.widgets.controls.intervals import choose_intervals
from pages.widgets.display.heading import title
from pages.widgets.display.measures import choose_params, measures_frame, show_formulas, show_measures
from pages.widgets.display.reading import show_reading
from pages.widgets.export.downloads import show_downloads
from pages.widgets.export.scripts import counts_code
from pages.widgets.session.current_counts import open_counts, show_origin

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
