"""The measures of several classes: a line for each class, their averages under it, and those of the whole table."""

import pandas as pd
import streamlit as st

from evalcore.analyses import (
    MAIN_CLASS_MEASURES,
    MOST_RESAMPLED_CLASSES,
    ClassTable,
    accuracy_note,
    average_lines,
    class_columns,
    class_formulas,
    measure_heads,
    measures_of_classes,
    undefined_note,
    whole_table_intervals,
    whole_table_lines,
)
from evalcore.inference import IntervalChoice
from evalcore.wording import THIN, short_names, with_parameters

from ...display.measures import fold_formulas
from ...display.table import show_frame, show_table
from ...session import address
from ...session.cache import cache
from .cells import pick_class

_intervals = cache(whole_table_intervals, 64, "Resampling …")


def show_class_table(table: ClassTable) -> None:
    """A line for each class with its counts and measures, to be sorted and picked, over the averages."""
    st.header("Every class", anchor=False)
    names = short_names(table.classes, 28)
    frame = pd.DataFrame(class_columns(table.matrix) | {"class": list(names.values())})
    alt = "Support, counts and measures of each class against the rest"
    columns = _columns(max(map(len, names.values())))
    show_frame(frame, "class table", alt, columns, pick=lambda row: pick_class(table.classes[row]))
    show_table(*average_lines(table.matrix))
    st.caption(f"Tick a class to open it. {undefined_note(table.matrix)}")


def show_whole_table(table: ClassTable, intervals: IntervalChoice) -> None:
    """The measures of the whole table, each with its value, its interval and its sentence."""
    st.header("The whole table", anchor=False)
    bounds = _intervals(f"{table.key}\n{intervals!r}", table, intervals)
    show_table(measure_heads(intervals), whole_table_lines(table, bounds), "measures")
    if note := accuracy_note(table, intervals.level):
        st.markdown(note)
    resampled = f"other measures: bootstrap, 1{THIN}000 resamples"
    if len(table.classes) > MOST_RESAMPLED_CLASSES:
        resampled = f"other measures have none above {MOST_RESAMPLED_CLASSES} classes, where resampling takes too long"
    st.caption(f"Intervals: accuracy by {intervals.method_name}; {resampled}.")


def show_class_formulas(table: ClassTable, name: str) -> None:
    """The formulas of the class that is picked with its numbers, and those of the whole table."""
    folded = fold_formulas()
    if folded.open:
        folded.markdown(with_parameters(class_formulas(table, name), address.parameters()))


def _columns(longest: int) -> dict:
    number = st.column_config.NumberColumn
    widths = {"support": 66} | dict.fromkeys(("TP", "FP", "FN", "TN"), 58)
    counts = {name: number(format="localized", width=width) for name, width in widths.items()}
    shares = {
        measure.short: number(format="%.3f", width=72, help=measure.help)
        if measure.short in MAIN_CLASS_MEASURES
        else None
        for measure in measures_of_classes()
    }
    # Long names are worth scrolling sideways for: the column of the names stays.
    return {"class": st.column_config.TextColumn(width=110 if longest <= 15 else 200, pinned=True), **counts, **shares}
