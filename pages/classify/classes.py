"""Classes: which class is confused with which, or, where rows have several labels, which labels are right?"""

import streamlit as st

from evalcore.analyses import ClassGroups, average_columns, class_columns, label_texts, value_texts
from pages.widgets.classify.classes import class_matrix as matrix
from pages.widgets.classify.classes import labels, measures
from pages.widgets.controls.intervals import choose_intervals, sides
from pages.widgets.display.measures import show_reading
from pages.widgets.display.page import controls, open_fold, show_finding, show_folds, statistics, title
from pages.widgets.export.downloads import show_downloads
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened

title("classify/classes")
with statistics():
    intervals = choose_intervals()
if (current := opened()) and current.has_labels:
    # A line for each label, over the grid of two labels beside the label that is picked.
    table = labels.open_labels()
    show_finding(table.verdict)
    grid = labels.open_grid(table)
    labels.show_label_table(table)
    labels.show_pair(table, grid, intervals)
    comparison = labels.show_parts(table, intervals)
    show_reading("classify/classes", "labels", **label_texts(table))
    labels.show_label_formulas(table)
    others = {"Averages": lambda: table.averages, "Grid": lambda: grid.columns}
    others |= {"Comparison": lambda: comparison.table} if comparison else {}
    code = comparison.code_after(table.code) if comparison else table.code
    show_downloads("labels", lambda: table.columns, code, others=others)
else:
    # The matrix beside a line for each class, or beside the class that is picked.
    counted = matrix.open_classes()
    matrix.show_spellings(counted.matrix)
    show_finding(counted.verdict(intervals), counted.merging_note, picture=lambda: matrix.matrix_map(counted))
    left, right = st.columns(2, gap="small")
    picture = left.container()
    with left, controls():
        shown, order, other = matrix.choose_shown(), matrix.choose_order(), measures.choose_other(counted)
        look, table = matrix.choose_look(shown), matrix.ordered(measures.with_classes_of(counted, other), order)
    differences = measures.differences_of(table, other, intervals.level)
    with picture:
        matrix.show_cells(table, look, differences)
        matrix.show_rows(table)
    with left:
        matrix.show_origin_of_classes(table)
    with right:
        if picked := matrix.choose_class(table):
            matrix.show_class(table, picked, intervals, look.actual_in_rows)
        else:
            measures.show_class_table(table)
        matrix.show_top_confusions(table)
        matrix.choose_groups(counted.classes, counted.groups)
    name = picked or table.default_class
    parts = {"All classes": lambda: measures.show_class_table(table)} if picked else {}
    parts |= {"Overall measures": lambda: measures.show_whole_table(table, intervals)}
    parts[matrix.TWO] = lambda: matrix.show_two_classes(table, name, intervals, look.actual_in_rows)
    if differences is not None:
        parts[measures.DIFFERENCES] = lambda: measures.show_differences(differences)
    if ClassGroups.offered(table):
        parts["Groups"] = lambda: measures.show_groups(table, name, intervals)
    if table.pairs is not None:
        parts["Slices"] = lambda: measures.show_slices(table, name, intervals.level)
    open_fold("classify/classes", measures.DIFFERENCES, other)
    open_fold("classify/classes", matrix.TWO, None if matrix.picked_cell(table) else matrix.second_class(table))
    open_fold("classify/classes", "Slices", address.page_text("slices", ["true"]))  # a switch, in old links
    part, of_part = show_folds("classify/classes", parts)
    groups = of_part if part == "Groups" else None
    numbers = value_texts(table.matrix, accuracy="overall_accuracy", macro_recall="macro_recall")
    show_reading("classify/classes", **numbers, **sides(look.actual_in_rows))
    measures.show_class_formulas(table, name)
    others = {"Averages": lambda: average_columns(table.matrix), "Matrix": lambda: table.columns(look.actual_in_rows)}
    others |= {"Groups": lambda: groups.table} if groups else {}
    show_downloads("classes", lambda: class_columns(table.matrix), (groups or table).code, others=others)
