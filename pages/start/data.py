"""Data: is this file what I think it is?"""

import streamlit as st

from pages.widgets.ahead import load_charts
from pages.widgets.data.entry import choose_entry
from pages.widgets.data.findings import show_findings
from pages.widgets.data.profile import show_first_rows, show_profile
from pages.widgets.data.roles import choose_roles
from pages.widgets.heading import title
from pages.widgets.opened import opened
from pages.widgets.states import sort_ahead

title("Data", question="Is this file what I think it is?")
current = opened()
if current is not None:
    sort_ahead(current)
    load_charts()
    choose_roles(current)
    show_findings(current)
    st.subheader("The columns in use", anchor=False)
    show_profile(current)
    show_first_rows(current)
    st.subheader("Open something else", anchor=False)
choose_entry()
