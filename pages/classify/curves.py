"""Curves: how good the scores are, whatever the cut."""

import streamlit as st

from pages.widgets.areas import show_area_formulas
from pages.widgets.curves import choose_line, show_curves
from pages.widgets.cut import choose_threshold
from pages.widgets.downloads import show_downloads
from pages.widgets.heading import title
from pages.widgets.levels import show_levels
from pages.widgets.reading import show_reading
from pages.widgets.reproduction import curves_code
from pages.widgets.states import open_scores, threshold_of
from pages.widgets.steps import show_steps, steps_frame
from pages.widgets.systems import areas_of, show_direction, show_systems

title("Curves", question="How good are the scores, whatever the cut?")
scores = open_scores()
threshold = threshold_of(scores)
show_direction(scores)
pictures = st.container()
choose_threshold(scores)
line = choose_line()
with pictures:
    show_curves(scores, threshold, line)
show_systems(scores.current)
show_steps(scores, threshold)
show_levels(scores.current)
show_area_formulas(scores)
show_reading("curves")
show_downloads(
    "curves",
    lambda: steps_frame(scores),
    curves_code(scores, threshold, areas_of(scores.current, scores.system)),
)
