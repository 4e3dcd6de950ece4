"""Report: what can I hand to somebody else?"""

import streamlit as st

from pages.widgets.controls.intervals import choose_intervals
from pages.widgets.display.page import statistics, title
from pages.widgets.start.report.report import choose_chapters, choose_report_settings, open_reported, show_report

title("start/report")
current = open_reported()
with statistics():
    intervals = choose_intervals(areas=True)
contents, document = st.columns([1, 5], gap="medium")
with contents:
    pages = choose_chapters(current)
    with st.popover("Settings", key="report-settings", width="stretch"):
        settings = choose_report_settings(current, pages, intervals)
with document:
    show_report(current, pages, settings, contents)
