"""The table of labels, their thresholds, one label by itself, and the measures of whole sets."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from evalcore import analyses
from evalcore.figures import ForestLine, label_picture
from evalcore.inference import IntervalChoice
from evalcore.readers import KINDS, ReadProblem
from evalcore.wording import THIN, plain, rows_text, short_names, with_parameters
from pages.widgets.classify.classes.class_matrix import CELL, draw_cells, picked_cell, show_cell_links, show_rows
from pages.widgets.classify.classes.measures import show_class_lines
from pages.widgets.classify.confusion.confusion import show_counts
from pages.widgets.controls.fields import bound, choose, exact, segmented
from pages.widgets.controls.intervals import actual_in_rows
from pages.widgets.controls.threshold import choose_threshold
from pages.widgets.display.drawer import open_rows
from pages.widgets.display.figure import page_ink, show_table
from pages.widgets.display.measures import fold_formulas, show_differences_table, show_forest
from pages.widgets.display.page import controls, open_fold, show_folds
from pages.widgets.export.downloads import show_copy
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import label_threshold, label_thresholds, put_label_thresholds, scores_of, with_links
from pages.widgets.session.page_exit import need, usable


def show_parts(table: analyses.LabelTable, intervals: IntervalChoice) -> analyses.LabelComparison | None:
    """The parts of the page under folds; the comparison, where it is unfolded."""
    parts = {"Overall measures": lambda: show_set_measures(table, intervals)}
    others = [name for name in table.current.label_systems if name != table.current.label_system]
    if others and table.current.label_system is not None:
        parts["Compare systems"] = lambda: show_comparison(table, others, intervals.level)
        open_fold("classify/classes", "Compare systems", address.choice("with", others))
    return show_folds("classify/classes", parts)[1]


def show_comparison(table: analyses.LabelTable, others: Sequence[str], level: float) -> analyses.LabelComparison | None:
    """The open system and another one that is chosen, by every measure."""
    current = table.current
    words = f"Compare {plain(current.label_system or '', 30)} (A) with B"
    b = choose(words, "with", others, others[0], format_func=short_names(others).get, width=210)
    rule = analyses.LabelThresholds() if table.scores is None else label_thresholds(current)
    try:
        comparison = _compared((table.key, repr(rule), b, level), current, b, rule, level)
    except (ReadProblem, ValueError) as problem:
        st.caption(plain(problem, limit=300))
        return None
    st.markdown(with_links(comparison.verdict))
    shown = [one for one in comparison.differences if one.measure.highest == 1]
    shown = [one for one in shown if one.measure.better == shown[0].measure.better]
    title = lambda one: one.heading if len(one.heading) < 20 else one.measure.label  # noqa: E731
    lines = [ForestLine(one, title(one), one.better(level) != 0, one is shown[0]) for one in shown]
    sides, unit = analyses.difference_sides([shown[0].measure]), "difference (0.01 = 1 percentage point)"
    show_forest(lines, sides, unit, "forest of label systems", "B minus A by each measure")
    show_differences_table(comparison.table)
    st.caption(with_links(comparison.note))
    return comparison


def link_comparison(table: analyses.LabelTable, label: str) -> None:
    """The way to all tests of the systems on one label."""
    if (roles := analyses.label_comparison_roles(table.current, label)) is not None:
        others = ("system", "thresholds", "t", "with")
        params = {name: value for name, value in address.parameters().items() if name not in others}
        words = "Compare the systems on it"
        st.page_link("pages/classify/compare.py", label=words, query_params=params | {"roles": roles}, width="content")


_compared = cache(
    lambda current, b, rule, level: analyses.compare_label_systems(
        current, current.label_system or b, b, rule=rule, level=level
    ),
    16, "Comparing …",
)  # fmt: skip

# Kinds of table whose rows may have several labels each.
KINDS_OF_LABELS = tuple(name for name, kind in KINDS.items() if kind.system == "label")
_intervals = cache(analyses.LabelTable.intervals, 64, "Resampling …")


def open_labels() -> analyses.LabelTable:
    """The labels of the open data, predicted at their thresholds; offers data when nothing fits."""
    current = need(KINDS_OF_LABELS, "several labels per row, true and predicted, as sets or one column per label")
    with usable():
        if current.scored_by is None:
            return analyses.LabelTable.of(current)
        with st.spinner("Counting …"):
            thresholds = [label_threshold(current, label) for label in current.dataset.systems]
            return analyses.LabelTable.of(current, thresholds)


def open_grid(table: analyses.LabelTable) -> analyses.LabelGrid:
    """Ask for the thresholds and for what the cells of the grid count; both stay in the address."""
    with controls():
        choose_thresholds(table)
        return analyses.LabelGrid(table, segmented("Cells count labels", (_MISSED, _TOGETHER), "grid") == _MISSED)


def choose_thresholds(table: analyses.LabelTable) -> None:
    """Ask which threshold the labels have: the usual one, one for all, or the best of each; it stays in the address."""
    if table.scores is None:
        return
    thresholds = label_thresholds(table.current)
    bound(
        st.segmented_control, "Thresholds", "rule", thresholds.rule, analyses.THRESHOLD_RULES, key="rule of thresholds",
        write=lambda rule: None if rule is None else put_label_thresholds(analyses.LabelThresholds.by(rule)),
        help="Usual: 0.5 for scores between 0 and 1, else where Youden's J is highest.",
    )  # fmt: skip
    if thresholds.common is not None and not thresholds.best_f1:
        put_common = lambda typed: put_label_thresholds(replace(thresholds, common=typed))  # noqa: E731
        exact("For all labels", "t", thresholds.common, put_common, "threshold for all")
    if thresholds.own:
        many = len(thresholds.own)
        words = "1 label has a threshold of its own" if many == 1 else f"{many} labels have thresholds of their own"
        click = {"on_click": put_label_thresholds, "args": (replace(thresholds, own={}),), "type": "tertiary"}
        st.button(f"Reset: {words}", key="reset thresholds", **click)


def show_label_table(table: analyses.LabelTable) -> None:
    """A line for each label with its threshold and measures, to be sorted and picked, over their averages."""
    pick = lambda row: address.put("system", table.sets.classes[row])  # noqa: E731
    show_class_lines(table.columns, table.averages, analyses.LABEL_MEASURES, pick)
    best = table.scores is not None and label_thresholds(table.current).best_f1
    chosen = " The thresholds were chosen on these rows, so the F1 is somewhat too high." if best else ""
    st.caption(f"{table.notes}{chosen}")


def show_label(table: analyses.LabelTable, intervals: IntervalChoice) -> None:
    """The 2×2 of the chosen label, and its threshold where there are scores."""
    label = _label_of(table)
    st.markdown(f"**{plain(label, 40)} against the rest**")
    if table.scores is not None:
        choose_threshold(scores_of(table.current, label))
    counts = table.sets.one_vs_rest()[table.sets.classes.index(label)]
    counted = analyses.NamedCounts(counts, label, f"not {label}")
    show_counts(counted, intervals, actual_in_rows(), key="frame of a label", fixed=True)
    with st.container(horizontal=True):
        ways = {"threshold": "Its threshold", "curves": "Its curves", "confusion": "All its measures"}
        for page, words in ways.items():
            if table.scores is not None or page == "confusion":
                params = address.parameters() | {"system": label}
                st.page_link(f"pages/classify/{page}.py", label=words, query_params=params, width="content")
        link_comparison(table, label)


def _label_of(table: analyses.LabelTable) -> str:
    """The chosen label, or the first."""
    return table.current.system if table.current.system in table.sets.classes else table.sets.classes[0]


def show_pair(table: analyses.LabelTable, grid: analyses.LabelGrid, intervals: IntervalChoice) -> None:
    """The grid with the rows of a cell, beside the label that is picked."""
    picture, beside = st.columns([6, 4], gap="medium")
    with picture:
        show_grid(grid)
        show_rows(grid)
        show_largest(grid)
    with beside:
        show_label(table, intervals)


def show_set_measures(table: analyses.LabelTable, intervals: IntervalChoice) -> None:
    """The measures of sets and of rankings of labels, each with its value, its interval and its sentence."""
    bounds = _intervals((table.key, intervals.level), table, intervals.level)
    show_table(analyses.measure_heads(intervals), table.lines(bounds), "measures")
    intervals_are = f"bootstrap over the {table.current.units}, 1{THIN}000 resamples"
    st.caption(f"Over {rows_text(table.sets.rows)}. Intervals: {intervals_are}.")


def show_label_formulas(table: analyses.LabelTable) -> None:
    """The formulas of the chosen label with its numbers, and those of the sets."""
    folded = fold_formulas()
    if folded.open:
        folded.markdown(with_parameters(table.formulas(_label_of(table)), address.parameters()))


_MISSED, _TOGETHER = "missed and predicted instead", "true together"


def show_grid(grid: analyses.LabelGrid) -> None:
    """Draw the grid; a click on a cell opens its rows, one on a label opens the label."""
    one, two = grid.axes
    alt = f"Rows with two labels, the {one} ones in the lines and the {two} ones in the columns, for "
    alt += f"{len(grid.classes)} labels. Walk with the arrow keys, open a cell with Enter."
    picture = _picture((grid.key, page_ink()), grid, page_ink())
    draw_cells(picture, grid, picked_cell(grid), (grid.current.system, None), alt, _pick)
    show_copy(grid.columns)
    diagonal = "rows whose label is found" if grid.missed else "rows with the label"
    cut = len(grid.classes) < len(grid.table.sets.classes)
    more = f" Only the {analyses.GRID} most frequent labels are drawn." if cut else ""
    st.caption(f"Diagonal: {diagonal}. A row counts in every cell it fits.{more}")


def show_largest(grid: analyses.LabelGrid) -> None:
    """The largest cells off the diagonal."""
    words = "**Most often missed and replaced**" if grid.missed else "**Most often together**"
    st.markdown(f"{words} :small[:gray[rows and share of the first label]]")
    none = "No row misses a label and has a wrong one." if grid.missed else "No row has two labels."
    show_cell_links(grid.largest, grid.classes, "→" if grid.missed else "and", "pair", _pick, none)


def _pick(one: str | None, two: str | None) -> None:
    if one is not None and two is not None:
        open_rows(CELL, one, two)
    elif name := one or two:
        address.put("system", name)


_picture = cache(
    lambda grid, ink: label_picture(grid.matrix.counts, grid.shares, grid.axes, grid.missed, ink),
    32, "Counting pairs of labels …",
)  # fmt: skip
