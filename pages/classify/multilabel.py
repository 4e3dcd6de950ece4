"""Multi-label: which labels are right, and how often?"""

import streamlit as st

from evalcore.analyses import label_texts
from pages.widgets.classify.classes.class_matrix import show_rows
from pages.widgets.classify.multilabel.labels import (
    choose_thresholds,
    open_grid,
    open_labels,
    show_comparison,
    show_grid,
    show_label,
    show_label_formulas,
    show_label_table,
    show_largest,
    show_set_measures,
)
from pages.widgets.controls.intervals import choose_intervals
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import show_finding, statistics, title
from pages.widgets.export.downloads import show_downloads

title("classify/multilabel")
table = open_labels()
show_finding(table.verdict)
with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
    choose_thresholds(table)
with statistics():
    intervals = choose_intervals()
show_label_table(table)
show_label(table, intervals)
grid = open_grid(table)
picture, beside = st.columns([7, 3], gap="medium")
with picture:
    show_grid(grid)
with beside:
    show_largest(grid)
show_rows(grid)
show_set_measures(table, intervals)
comparison = show_comparison(table, intervals.level)
show_reading("classify/multilabel", **label_texts(table))
show_label_formulas(table)
others = {"Averages": lambda: table.averages, "Grid": lambda: grid.columns}
others |= {"Comparison": lambda: comparison.table} if comparison else {}
show_downloads(
    "labels", lambda: table.columns, comparison.code_after(table.code) if comparison else table.code, others=others
)
