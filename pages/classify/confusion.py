"""Confusion matrix: is this a good test?"""

import streamlit as st

from evalcore.analyses import analyse_confusion, count_texts, value_texts
from evalcore.reports import matrix_figure
from evalcore.wording import count_text
from pages.widgets.classify.confusion import confusion as frame
from pages.widgets.classify.threshold.pins import show_change
from pages.widgets.controls.goals import OF_COUNTS, choose_params, choose_requirements
from pages.widgets.controls.intervals import choose_actual_in_rows, choose_intervals
from pages.widgets.controls.threshold import open_counts, show_origin
from pages.widgets.display.measures import show_formulas, show_measures, show_reading
from pages.widgets.display.page import controls, show_finding, statistics, title
from pages.widgets.export.downloads import show_downloads

title("classify/confusion")
table, people = st.columns([3, 2], gap="large")
picture = table.container()
with table, controls():
    counted = open_counts()
    actual_in_rows = choose_actual_in_rows()
    with st.popover("Rule in, rule out", icon=":material/rule:"):
        requirements = choose_requirements()
with people:
    share = frame.show_population(counted)
with statistics():
    intervals = choose_intervals()
    params = choose_params(OF_COUNTS)
confusion = analyse_confusion(counted, intervals, share, requirements, **params)
with show_finding(
    confusion.verdict, picture=lambda: matrix_figure(counted), numbers=lambda: confusion.predictive_texts,
    level=intervals.level,
    about=f"{counted.origin} {count_text(confusion.counts.total)} {counted.unit}" if counted.typed else "",
):  # fmt: skip
    frame.show_note(confusion)
with picture:
    frame.show_counts(counted, intervals, actual_in_rows)
    frame.show_outcome_rows(counted)
    show_origin(counted)
    show_change(counted.counts)
rates = frame.show_systems(intervals)
show_measures(confusion)
counts = confusion.counts
texts = count_texts(tp=counts.tp, alarms=counts.predicted_positives, positives=counts.actual_positives)
show_reading("classify/confusion", **value_texts(counts, precision="precision", recall="recall"), **texts)
show_formulas(confusion)
others = {"All systems": lambda: rates.table} if rates else {}
show_downloads("measures", lambda: confusion.table, confusion.code, others)
