"""Data: is this file what I think it is?"""

import streamlit as st

from pages.widgets.controls.roles import choose_roles, show_findings
from pages.widgets.display.page import show_closed, title
from pages.widgets.session.current_dataset import opened
from pages.widgets.session.loaded import sort_ahead
from pages.widgets.session.unloaded_tables import load_charts
from pages.widgets.start.data import data
from pages.widgets.start.data.unloaded import show_unloaded

title("start/data")
show_closed()
current = opened()
if current is not None:
    sort_ahead(current)
    load_charts()
    show_unloaded(current)
    if data.has_choice(current, usual=False):
        data.choose_origin(current)
    choose_roles(current)
    show_findings(current)
    data.show_shaping(current)
    st.header("The columns in use", anchor=False)
    data.show_profile(current)
    data.show_first_rows(current)
    st.header("Open something else", anchor=False)
data.choose_entry()
