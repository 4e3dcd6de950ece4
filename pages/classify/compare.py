"""Compare systems: is B really better than A?"""

import streamlit as st

from pages.widgets.classify.compare.comparison import open_contest
from pages.widgets.classify.compare.disagreements import show_disagreements
from pages.widgets.classify.compare.forest import pairs_frames, show_forest
from pages.widgets.classify.compare.measures import differences_frame, show_contest_formulas, show_contest_style
from pages.widgets.classify.compare.parts import show_parts
from pages.widgets.classify.compare.script import contest_code
from pages.widgets.classify.compare.verdict import show_contest_verdict
from pages.widgets.display.heading import title
from pages.widgets.display.reading import show_reading
from pages.widgets.export.downloads import show_downloads

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
show_reading("classify/compare")
show_contest_formulas(contest)
show_downloads(
    "differences",
    lambda: differences_frame(contest),
    contest_code(contest),
    others=pairs_frames(contest),
)
