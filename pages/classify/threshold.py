"""Threshold: where do I cut?"""

import streamlit as st

from pages.widgets.cockpit import choose_drawing, show_sheet
from pages.widgets.heading import title
from pages.widgets.intervals import choose_intervals
from pages.widgets.reading import show_reading
from pages.widgets.states import open_scores
from pages.widgets.threshold.at_threshold import PARTS, show_at_threshold
from pages.widgets.threshold.direction import offer_direction

title("Threshold", question="Where do I cut?")
scores = open_scores()
offer_direction(scores)
surface = st.container(gap=None)
with st.container(key="cockpit-bar", horizontal=True, vertical_alignment="center"):
    with st.popover("Intervals", icon=":material/straighten:"):
        intervals = choose_intervals()
    drawing = choose_drawing(scores)
parts = st.tabs(PARTS, key="part", on_change="rerun", bind="query-params")
show_reading("threshold")
formulas = st.container()
with surface:
    sheet = show_sheet(scores, drawing, intervals)
    show_at_threshold(scores, intervals, sheet, parts, formulas)
