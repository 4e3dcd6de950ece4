"""Threshold: where should I set the threshold?"""

import streamlit as st

from evalcore.analyses import count_texts
from pages.widgets.classify.threshold.threshold import CHOOSE, choose_drawing, choose_part, send_view, show_at_threshold
from pages.widgets.controls.goals import choose_goal
from pages.widgets.controls.intervals import choose_intervals
from pages.widgets.controls.roles import offer_direction
from pages.widgets.display.measures import fold_formulas, show_reading
from pages.widgets.display.page import finding, statistics, title
from pages.widgets.export.downloads import share_place
from pages.widgets.session.loaded import open_scores

title("classify/threshold")
scores = open_scores()
offer_direction(scores)
surface = st.container(gap=None)
with st.container(key="threshold-bar", horizontal=True, vertical_alignment="center"):
    drawing = choose_drawing(scores)
with statistics():
    intervals = choose_intervals(areas=True)
part = choose_part()
slot = st.container()
# The goal is drawn on the surface whichever part is open.
with slot if part == CHOOSE else st.container(key="unseen"):
    chosen = choose_goal(scores)
show_reading("classify/threshold", **count_texts(positives=scores.scored.positives, negatives=scores.scored.negatives))
formulas = fold_formulas()
with surface:
    view = send_view(scores, drawing, intervals, chosen.goal.priced)
    show_at_threshold(view, chosen, part, finding(), slot, formulas, share_place())
