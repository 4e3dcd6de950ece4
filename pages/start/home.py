"""Home: what do you want to know?"""

import streamlit as st

from pages.widgets.display.page import show_closed, title
from pages.widgets.start.home.home import show_doors, show_lessons, show_questions, show_ways_on

title("start/home")
show_closed()
show_ways_on()
show_doors()
st.header("What do you want to know?", anchor=False)
show_questions()
st.header("Or learn how it works", anchor=False)
show_lessons()
