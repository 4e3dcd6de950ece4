"""Compare systems: is B really better than A?"""

import streamlit as st

from pages.widgets.compare.contest import open_contest
from pages.widgets.compare.contest_measures import differences_frame, show_contest_formulas, show_contest_style
from pages.widgets.compare.contest_parts import show_parts
from pages.widgets.compare.contest_recipe import contest_code
from pages.widgets.compare.contest_rows import show_disagreements
from pages.widgets.compare.contest_verdict import show_contest_verdict
from pages.widgets.compare.forest import pairs_frames, show_forest
from pages.widgets.downloads import show_downloads
from pages.widgets.heading import title
from pages.widgets.reading import show_reading

title("Compare systems", question="Is B really better than A?")
contest = open_contest()
show_contest_style()
verdict = st.container()
picture, beside = st.columns([3, 2], gap="large")
with picture:
    show_forest(contest)
with beside:
    among = show_disagreements(contest)
with verdict:
    show_contest_verdict(contest)
show_parts(contest, among)
show_reading("compare")
show_contest_formulas(contest)
show_downloads(
    "differences",
    lambda: differences_frame(contest),
    contest_code(contest),
    others=pairs_frames(contest),
)
