"""The table of labels, their thresholds, one label by itself, and the measures of whole sets."""

import math
from dataclasses import replace

import pandas as pd
import streamlit as st

from evalcore.analyses import (
    LABEL_MEASURES,
    THRESHOLD_RULES,
    LabelTable,
    LabelThresholds,
    NamedCounts,
    average_lines,
    measure_heads,
    measures_of_classes,
)
from evalcore.inference import IntervalChoice
from evalcore.readers import ReadProblem, kinds_on
from evalcore.wording import THIN, plain, rows_text, short_names, with_parameters

from ...controls.bound import bound
from ...controls.threshold_control import choose_threshold
from ...display.measures import fold_formulas
from ...display.table import show_frame, show_table
from ...session import address
from ...session.cache import cache
from ...session.loaded_scores import label_threshold, label_thresholds, put_label_thresholds, scores_of
from ...session.page_exit import end_with, need
from ..confusion.frame import show_frame as show_counts
from .systems import link_comparison

_KINDS = kinds_on("classify/multilabel")
_intervals = cache(LabelTable.intervals, 64, "Resampling …")


def open_labels() -> LabelTable:
    """The labels of the open data, predicted at their thresholds; offers data when nothing fits."""
    current = need(_KINDS, "several labels per row, true and predicted, as sets or one column per label")
    try:
        if current.scored_by is None:
            return LabelTable.of(current)
        with st.spinner("Counting …"):
            return LabelTable.of(current, [label_threshold(current, label) for label in current.dataset.systems])
    except (ReadProblem, ValueError) as problem:
        end_with(problem)


def choose_thresholds(table: LabelTable) -> None:
    """Ask which threshold the labels have: the usual one, one for all, or the best of each; it stays in the address."""
    if table.scores is None:
        return
    thresholds = label_thresholds(table.current)
    bound(
        st.segmented_control, "Thresholds", "rule", thresholds.rule, THRESHOLD_RULES, key="rule of thresholds",
        write=lambda rule: None if rule is None else put_label_thresholds(LabelThresholds.by(rule)),
        help="Usual: 0.5 for scores between 0 and 1, else where Youden's J is highest.",
    )  # fmt: skip
    if thresholds.common is not None and not thresholds.best_f1:
        shown = thresholds.common if math.isfinite(thresholds.common) else None
        bound(
            st.number_input, "For all labels", "t", shown, None, None, None, key="threshold for all", format="%.6g",
            step=None, width=130,
            write=lambda typed: None if typed is None else put_label_thresholds(replace(thresholds, common=typed)),
        )  # fmt: skip
    if thresholds.own:
        many = len(thresholds.own)
        words = "1 label has a threshold of its own" if many == 1 else f"{many} labels have thresholds of their own"
        back = replace(thresholds, own={})
        st.button(
            f"Reset: {words}", key="reset thresholds", on_click=put_label_thresholds, args=(back,), type="tertiary"
        )


def show_label_table(table: LabelTable) -> None:
    """A line for each label with its threshold, counts and measures, to be sorted and picked, over the averages."""
    st.header("Every label", anchor=False)
    labels = table.sets.classes
    short = short_names(labels, 28)
    frame = pd.DataFrame(table.columns | {"label": list(short.values())})
    alt = "Support, threshold, counts and measures of each label"
    number = st.column_config.NumberColumn
    counts = {name: number(format="localized", width=62) for name in ("support", "TP", "FP", "FN", "TN")}
    measures = {
        measure.short: number(format="%.3f", width=78, help=measure.help) if measure.short in LABEL_MEASURES else None
        for measure in measures_of_classes()
    }
    wide = 120 if max(map(len, short.values()), default=0) <= 15 else 200
    columns = {
        "label": st.column_config.TextColumn(width=wide, pinned=True), "threshold": number(format="%.4g", width=80),
        **counts, **measures,
    }  # fmt: skip
    show_frame(frame, "label table", alt, columns, pick=lambda row: address.put("system", labels[row]))
    show_table(*average_lines(table.sets, LABEL_MEASURES, "labels"))
    best = table.scores is not None and label_thresholds(table.current).best_f1
    chosen = " The thresholds were chosen on these rows, so the F1 is somewhat too high." if best else ""
    st.caption(f"Tick a label to open it. {table.notes}{chosen}")


def show_label(table: LabelTable, intervals: IntervalChoice) -> None:
    """The 2×2 of the chosen label, and its threshold where there are scores."""
    current = table.current
    label = current.system if current.system in table.sets.classes else table.sets.classes[0]
    st.header(f"One label: {plain(label, 40)}", anchor=False)
    if table.scores is not None:
        choose_threshold(scores_of(current, label))
    counts = table.sets.one_vs_rest()[table.sets.classes.index(label)]
    show_counts(NamedCounts(counts, label, f"not {label}"), intervals, True, key="frame of a label", fixed=True)
    with st.container(horizontal=True):
        for page, words in (
            ("threshold", "Its threshold"),
            ("curves", "Its curves"),
            ("confusion", "All its measures"),
        ):
            if table.scores is not None or page == "confusion":
                params = address.parameters() | {"system": label}
                st.page_link(f"pages/classify/{page}.py", label=words, query_params=params, width="content")
        link_comparison(table, label)


def show_set_measures(table: LabelTable, intervals: IntervalChoice) -> None:
    """The measures of sets and of rankings of labels, each with its value, its interval and its sentence."""
    st.header("Whole sets of labels", anchor=False)
    bounds = _intervals((table.key, intervals.level), table, intervals.level)
    show_table(measure_heads(intervals), table.lines(bounds), "measures")
    rows, units = rows_text(table.sets.rows), table.current.units
    note = f"Over {rows}. Intervals: bootstrap over the {units}, 1{THIN}000 resamples."
    st.caption(note)


def show_label_formulas(table: LabelTable) -> None:
    """The formulas of the chosen label with its numbers, and those of the sets."""
    folded = fold_formulas()
    if folded.open:
        label = table.current.system
        words = table.formulas(label if label in table.sets.classes else table.sets.classes[0])
        folded.markdown(with_parameters(words, address.parameters()))
