"""Curves: how good the scores are, whatever the cut."""

import streamlit as st

from pages.widgets.curves.areas import show_area_formulas
from pages.widgets.curves.curve_look import choose_look
from pages.widgets.curves.curve_tabs import FIRST, open_tabs, show_other_curves
from pages.widgets.curves.curves import show_curves
from pages.widgets.curves.curves_recipe import curves_code
from pages.widgets.curves.levels import show_levels
from pages.widgets.curves.partial_range import choose_ranges, ranges_of
from pages.widgets.curves.roc_points import show_points_of_counts
from pages.widgets.curves.steps import show_steps, steps_frame
from pages.widgets.curves.systems import show_direction, show_systems, systems_table
from pages.widgets.curves.trusted import show_trusted
from pages.widgets.downloads import show_downloads
from pages.widgets.heading import title
from pages.widgets.reading import show_reading
from pages.widgets.states import open_scores, threshold_of
from pages.widgets.threshold.cut import choose_threshold

title("Curves", question="How good are the scores, whatever the cut?")
show_points_of_counts()
scores = open_scores()
threshold, ranges = threshold_of(scores), ranges_of()
show_direction(scores)
tabs = open_tabs()
show_other_curves(tabs, scores, threshold)
if tabs[FIRST].open:
    with tabs[FIRST]:
        pictures = st.container()
        choose_threshold(scores)
        look = choose_look()
        choose_ranges()
        show_trusted(scores, look)
    with pictures:
        show_curves(scores, threshold, look, ranges)
else:
    choose_threshold(scores)
show_systems(scores.current, ranges)
show_steps(scores, threshold)
show_levels(scores.current)
show_area_formulas(scores, ranges)
show_reading("curves")
show_downloads(
    "curves",
    lambda: steps_frame(scores),
    curves_code(scores, threshold, ranges),
    {"Systems": lambda: systems_table(scores.current, ranges)},
)
