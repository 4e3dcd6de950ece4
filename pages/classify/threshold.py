"""Threshold: where do I cut?"""

import streamlit as st

from pages.widgets.counted import count_at_threshold
from pages.widgets.curves import show_small_curves
from pages.widgets.cut import choose_threshold
from pages.widgets.downloads import show_downloads
from pages.widgets.goals import choose_goal
from pages.widgets.heading import title
from pages.widgets.intervals import choose_intervals
from pages.widgets.measures import NO_PARAMS, measures_frame, show_formulas
from pages.widgets.outcomes import show_outcomes, show_rates
from pages.widgets.reading import show_reading
from pages.widgets.reproduction import threshold_code
from pages.widgets.states import open_scores, threshold_of
from pages.widgets.sweep import choose_lines, show_sweep

title("Threshold", question="Where do I cut?")
scores = open_scores()
counted = count_at_threshold(scores)
threshold = threshold_of(scores)
surface, numbers = st.columns([5, 3], gap="large")
st.subheader("What is the cut for?", anchor=False)
limits = choose_goal(scores, threshold)
with surface:
    picture = st.container()
    choose_threshold(scores)
    lines = choose_lines()
with picture:
    show_sweep(scores, threshold, limits, lines)
with numbers:
    show_outcomes(counted)
    show_small_curves(scores, threshold)
    with st.container(horizontal=True):
        intervals = choose_intervals()
    show_rates(counted, intervals)
show_reading("threshold")
show_formulas(counted.counts, NO_PARAMS)
show_downloads(
    "threshold", lambda: measures_frame(counted.counts, intervals, NO_PARAMS), threshold_code(scores, threshold)
)
