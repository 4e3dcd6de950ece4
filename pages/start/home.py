"""Home: what do you want to know?"""

import streamlit as st

from pages.widgets.display.empty_state import show_closed
from pages.widgets.display.heading import title
from pages.widgets.start.home.doors import show_doors
from pages.widgets.start.home.questions import show_lessons, show_questions, show_ways_on

title("Evalcore", question="What are these predictions worth, and what should you decide?")
show_closed()
show_ways_on()
show_doors()
st.header("What do you want to know?", anchor=False)
show_questions()
st.header("Or learn how it works", anchor=False)
show_lessons()
