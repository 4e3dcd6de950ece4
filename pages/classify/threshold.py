"""Threshold: where do I cut?"""

import streamlit as st

from pages.widgets.cockpit import choose_drawing, show_sheet
from pages.widgets.heading import title
from pages.widgets.intervals import choose_intervals
from pages.widgets.measures import fold_formulas
from pages.widgets.reading import show_reading
from pages.widgets.states import open_scores
from pages.widgets.threshold.at_threshold import GOALS, choose_part, show_at_threshold
from pages.widgets.threshold.direction import offer_direction
from pages.widgets.threshold.goals import choose_goal

title("Threshold", question="Where do I cut?")
scores = open_scores()
offer_direction(scores)
surface = st.container(gap=None)
with st.container(key="cockpit-bar", horizontal=True, vertical_alignment="center"):
    with st.popover("Intervals", icon=":material/straighten:"):
        intervals = choose_intervals()
    drawing = choose_drawing(scores)
part = choose_part()
place = st.container()
# The goal is drawn on the surface whichever part is open.
with place if part == GOALS else st.container(key="unseen"):
    decision = choose_goal(scores)
show_reading("threshold")
formulas = fold_formulas()
with surface:
    sheet = show_sheet(scores, drawing, intervals)
    show_at_threshold(scores, intervals, sheet, decision, part, place, formulas)
