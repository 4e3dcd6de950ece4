"""Curves: how good are the scores at every threshold?"""

import streamlit as st

from pages.widgets.classify.curves.areas import show_area_formulas
from pages.widgets.classify.curves.eleven_point import show_levels
from pages.widgets.classify.curves.look import choose_look
from pages.widgets.classify.curves.partial_range import choose_ranges, ranges_of
from pages.widgets.classify.curves.roc_and_pr import show_curves
from pages.widgets.classify.curves.roc_points import show_points_of_counts
from pages.widgets.classify.curves.roc_table import show_steps, steps_frame
from pages.widgets.classify.curves.rule_in_rule_out import show_trusted
from pages.widgets.classify.curves.script import curves_code
from pages.widgets.classify.curves.systems import show_direction, show_systems, systems_table
from pages.widgets.classify.curves.tabs import FIRST, open_tabs, show_other_curves
from pages.widgets.controls.threshold_control import choose_threshold
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.export.downloads import show_downloads
from pages.widgets.session.loaded_scores import open_scores, threshold_of

title("Curves", question="How good are the scores at every threshold?")
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
show_reading("classify/curves")
show_downloads(
    "curves",
    lambda: steps_frame(scores),
    curves_code(scores, threshold, ranges),
    {"Systems": lambda: systems_table(scores.current, ranges)},
)
