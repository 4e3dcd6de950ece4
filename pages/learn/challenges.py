"""Challenges: can you do it?"""

import streamlit as st

from evalcore.learning.challenges import CHALLENGES
from evalcore.registry import PAGES
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import show_closed, title
from pages.widgets.learn.steps import show_challenges, show_traps
from pages.widgets.session.visitor import keep_memory

title("learn/challenges")
show_closed()
parts = {"Challenges": show_challenges, "Traps": show_traps}
tabs = st.tabs(list(parts), key=PAGES["learn/challenges"].parts, on_change="rerun", bind="query-params")
for tab, show in zip(tabs, parts.values(), strict=True):
    if tab.open:
        with tab:
            show()
show_reading("learn/challenges", challenges=str(len(CHALLENGES)))
keep_memory()
