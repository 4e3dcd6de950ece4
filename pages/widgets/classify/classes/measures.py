"""The measures of classes: a line for each, their averages, the whole table, groups, another system, worse slices."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from evalcore import METRICS, analyses
from evalcore.inference import MOST_RESAMPLED_CLASSES, IntervalChoice
from evalcore.wording import P_VALUES, THIN, Column, count_text, threshold_text, value_text, with_parameters
from pages.widgets.classify.classes.class_matrix import pick_class
from pages.widgets.controls.fields import choose, select
from pages.widgets.display.drawer import open_rows, opened_group, opened_rows, show_drawer
from pages.widgets.display.figure import show_frame, show_table
from pages.widgets.display.measures import fold_formulas
from pages.widgets.export.downloads import show_download
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import label_pairs_of, with_links

_intervals = cache(analyses.whole_table_intervals, 64, "Resampling …")
DIFFERENCES = "What differs by more than chance"


def show_class_table(table: analyses.ClassTable) -> None:
    """A line for each class with its measures, to be sorted and picked, over their averages."""
    columns, averages = analyses.class_columns(table.matrix), analyses.average_columns(table.matrix)
    main = ("precision", "recall", "F1")  # what there is room for beside the matrix
    show_class_lines(columns, averages, main, lambda row: pick_class(table.classes[row]))
    if note := analyses.undefined_note(table.matrix):
        st.caption(note)


def show_class_lines(columns: Mapping, averages: Mapping, main: Sequence[str], pick: Callable[[int], None]) -> None:
    """A line for each class or label, with the averages under them; the counts are hidden at first."""
    first = next(iter(columns))
    frame, ways = pd.DataFrame(columns), [f"{way} average" for way in averages["average"][:-1]]
    foot = pd.DataFrame({name: averages[name][:-1] for name in averages if name in columns}).assign(**{first: ways})
    foot["support"], cells = frame["support"].sum(), ["TP", "FP", "FN", "TN"]
    foot[cells] = foot[cells].astype(object).where(foot[cells].notna(), None)  # counts have no other average
    looks = {first: Column(short=24), "support": Column(count_text), "threshold": Column(threshold_text)}
    looks |= dict.fromkeys(cells, Column(count_text, folded=True))
    looks |= {
        measure.short: Column(partial(value_text, measure), measure.help, folded=measure.short not in main)
        for measure in analyses.measures_of_classes()
    }
    alt = f"Support and measures of each {first} against the rest, and their averages"
    show_frame(frame, f"{first} table", alt, looks, 16, pick=pick, foot=foot)


def show_whole_table(table: analyses.ClassTable, intervals: IntervalChoice) -> None:
    """The measures of the whole table, each with its value, its interval and its sentence."""
    bounds = _intervals(f"{table.key}\n{intervals!r}", table, intervals)
    show_table(analyses.measure_heads(intervals), analyses.whole_table_lines(table, bounds), "measures")
    if note := analyses.accuracy_note(table, intervals.level):
        st.markdown(note)
    resampled = f"other measures: bootstrap, 1{THIN}000 resamples"
    if len(table.classes) > MOST_RESAMPLED_CLASSES:
        resampled = f"other measures have none above {MOST_RESAMPLED_CLASSES} classes, where resampling takes too long"
    st.caption(f"Intervals: accuracy by {intervals.method_name}; {resampled}.")


def show_class_formulas(table: analyses.ClassTable, name: str) -> None:
    """The formulas of the class that is picked with its numbers, and those of the whole table."""
    folded = fold_formulas()
    if folded.open:
        folded.markdown(with_parameters(analyses.class_formulas(table, name), address.parameters()))


def show_groups(table: analyses.ClassTable, name: str, intervals: IntervalChoice) -> analyses.ClassGroups:
    """How often the prediction is right in each group, and the rates of one class."""
    groups = analyses.ClassGroups(table, name, intervals)
    show_table(groups.heads, groups.rows)
    st.caption(with_links(groups.note))
    place = opened_group(table.current.roles.get("group"), groups.groups.names)
    show_drawer(None if place is None else groups.groups.selection(place))
    return groups


MOST = 12  # cells that are listed


def choose_other(table: analyses.ClassTable) -> str | None:
    """Ask which other system to compare with; nothing is asked where there is none."""
    others = [name for name in analyses.predictions_of(table.current) if name != table.prediction]
    if not others or table.pairs is None:
        return None
    look = {"format_func": analyses.system_titles(others).get, "placeholder": "no other system", "width": 150}
    return choose("Compare with", "other", others, None, index=None, key="compared with", **look)


def with_classes_of(table: analyses.ClassTable, other: str | None) -> analyses.ClassTable:
    """The table with the classes, empty in it, that only the other system names."""
    return table if other is None else table.with_classes_of(label_pairs_of(table.current, other))


def differences_of(table: analyses.ClassTable, other: str | None, level: float) -> analyses.ClassDifferences | None:
    """The comparison with the other system, in the classes and the order of the table; None without another."""
    return None if other is None else _differences((table.key, other, level), table, other, level)


def show_differences(compared: analyses.ClassDifferences) -> None:
    """Which system is right more often, and the cells that differ by more than chance."""
    st.markdown(with_links(compared.verdict))
    st.caption(with_links(compared.note))
    shown = pd.DataFrame(compared.table).head(max(MOST, min(compared.beyond_chance, 100)))
    if len(shown):
        columns = dict.fromkeys(("p", "corrected p"), P_VALUES)
        columns |= dict.fromkeys(("actual", "predicted"), Column(short=24))
        alt = "The cells in which two systems differ most surely"
        show_frame(shown, "differences", alt, columns, most=len(shown), missing=None)


_differences = cache(
    lambda table, other, level: analyses.compare_classes(table, other, label_pairs_of(table.current, other), level),
    12, "Comparing …",
)  # fmt: skip

_search = cache(analyses.search_slices, 64, "Searching slices …")


def show_slices(table: analyses.ClassTable, name: str, level: float) -> None:
    """The slices by a chosen measure: whether any is worse, and each with a button that opens its rows."""
    titles = {key: METRICS[key].name for key in analyses.SLICE_MEASURES}
    measure = METRICS[select("Worse by", titles, "slices_by", width=220)]
    search = _search((table.key, name, measure.key, level), table, name, measure, level)
    slices = analyses.Slices(table, name, measure, search, level)
    st.markdown(with_links(slices.verdict))
    for index, (one, line) in enumerate(zip(search.slices, slices.lines, strict=True)):
        with st.container(horizontal=True, vertical_alignment="center", key=f"slice {index}"):
            st.markdown(line, width="stretch")
            click = {"on_click": open_rows, "args": ("slice", *(step.to_text() for step in slices.steps(one)))}
            st.button("Rows", key=f"keep slice {index}", icon=":material/right_panel_open:", type="tertiary", **click)
    # Named by its filters, of one column or of two: at another threshold its place may be that of another slice.
    filters = opened_rows("slice", 1) or opened_rows("slice", 2) or ()
    show_drawer(slices.selection(*filters), None if table.at is None else table.at[1])
    if slices.note:
        st.caption(with_links(slices.note))
    if search.searched:
        with st.container(horizontal=True):
            show_download("Slices as CSV", lambda: slices.table, "slices.csv", "download slices")
            show_download("Slices as Python", slices.code, "slices.py", "download slices code")
