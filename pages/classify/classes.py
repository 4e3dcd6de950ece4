"""Classes: which class is confused with which?"""

import streamlit as st

from evalcore.analyses import average_columns, class_columns, value_texts
from pages.widgets.classify.classes.class_matrix import (
    choose_class,
    choose_groups,
    choose_look,
    choose_order,
    open_classes,
    ordered,
    show_cells,
    show_one_vs_rest,
    show_origin_of_classes,
    show_rows,
    show_spellings,
    show_top_confusions,
)
from pages.widgets.classify.classes.measures import (
    choose_other,
    differences_of,
    show_class_formulas,
    show_class_table,
    show_differences,
    show_groups,
    show_whole_table,
    with_classes_of,
)
from pages.widgets.controls.intervals import choose_intervals, sides
from pages.widgets.controls.slices import offer_slices
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import statistics, title
from pages.widgets.export.downloads import show_downloads

title("classify/classes")
table = open_classes()
show_spellings(table.matrix)
with st.container(key="settings", horizontal=True, vertical_alignment="bottom"):
    look = choose_look()
    order = choose_order()
picture, beside = st.columns([7, 3], gap="medium")
rows, beyond_chance = st.container(), st.container()
st.header("One class against the rest", anchor=False)
with beside:
    largest = st.container()
    other = choose_other(table)
    choose_groups(table.classes, table.groups)
table = ordered(with_classes_of(table, other), order)
with st.container(key="collapse", horizontal=True, vertical_alignment="bottom"):
    name = choose_class(table)
with statistics():
    intervals = choose_intervals()
show_one_vs_rest(table, name, intervals, look.actual_in_rows)
differences = differences_of(table, other, intervals.level)
with picture:
    show_cells(table, look, differences)
    show_origin_of_classes(table)
with largest:
    show_top_confusions(table)
with rows:
    show_rows(table)
with beyond_chance:
    show_differences(differences)
show_class_table(table)
show_whole_table(table, intervals)
groups = show_groups(table, name, intervals)
offer_slices(table, name, intervals.level)
numbers = value_texts(table.matrix, accuracy="overall_accuracy", macro_recall="macro_recall")
show_reading("classify/classes", **numbers, **sides(look.actual_in_rows))
show_class_formulas(table, name)
show_downloads(
    "classes",
    lambda: class_columns(table.matrix),
    groups.code if groups else table.code,
    others={
        "Averages": lambda: average_columns(table.matrix),
        "Matrix": lambda: table.columns(look.actual_in_rows),
        **({"Groups": lambda: groups.table} if groups else {}),
    },
)
