"""The open data against other rows: those of another data set, or of another system of a file of counts."""

from collections.abc import Iterable

import streamlit as st

from evalcore import MetricDef
from evalcore.analyses import (
    COMPARABLE,
    SAMPLE_CUTS,
    SampleComparison,
    Source,
    SystemRates,
    compare_samples,
    difference_sides,
    difference_texts,
    fitted_source,
    group_columns,
    group_of,
    groups_apart,
    may_have_groups,
)
from evalcore.figures import ForestLine
from evalcore.readers import KINDS, ReadProblem, samples
from evalcore.wording import short_names

from ...controls.bound import bound
from ...controls.two_systems import choose_correction, choose_margin, choose_two
from ...display.measures import show_formulas
from ...display.paired_comparison import show_comparison_style, show_forest, show_verdict
from ...display.reading import show_reading
from ...export.downloads import show_downloads
from ...session import address
from ...session.current_dataset import open_linked, other_source, visible_uploads
from ...session.loaded_scores import put_threshold, scores_of, threshold_of
from ...session.page_exit import end_page, end_with
from .parts import RULES, show_every_measure, show_main_differences

GROUPS = "groups"
"""That B is another group of the open rows."""


def choose_data(current: Source) -> str:
    """Ask which data set B comes from: empty where it is the open one."""
    open_linked(address.text("beside"))
    uploads = {entry.id: entry.name for entry in visible_uploads(COMPARABLE) if entry.id != current.id}
    known = {one.id: f"{one.title} (sample)" for one in samples().values() if one.kind in COMPARABLE}
    titles = short_names([*uploads.values(), *known.values()], 44)
    options = {GROUPS: "another group of these rows"} if may_have_groups(current) else {}
    options |= {key: titles[name] for key, name in (uploads | known).items() if key != current.id}
    chosen = address.choice("beside", list(options))
    own = "the same data set" if len(current.systems) > 1 or not current.systems else "choose a data set"
    return bound(
        st.selectbox, "B comes from", "beside", chosen or "", ["", *options], width=250,
        format_func=lambda key: options.get(key, own), write=_put_data,
        help="Another data set, or another group of these rows, such as another quarter, hospital or test set: the two "
        "have other rows and are compared as independent samples.",
    )  # fmt: skip


def show_other_rows(current: Source, data: str) -> None:
    """The page of independent samples, which ends there: another data set, or two systems of the open file."""
    show_comparison_style(RULES)
    try:
        with st.container(key="settings", horizontal=True, vertical_alignment="bottom"), st.spinner("Comparing …"):
            comparison = _choose(current, data)
    except (ReadProblem, ValueError) as problem:
        end_with(problem)
    show_verdict(comparison.verdict, comparison.note, margin=comparison.margin_result)
    show_main_differences(comparison)
    _show_classes(comparison)
    show_every_measure(comparison)
    show_reading("classify/compare", **difference_texts(comparison.difference))
    show_formulas(comparison)
    show_downloads("differences", lambda: comparison.table, comparison.code)
    end_page()


def _choose(current: Source, data: str) -> SampleComparison:
    if not data:
        systems = SystemRates(current).systems
        a = current.of_system(address.choice("system", systems) or systems[0])
        b = current.of_system(choose_two(systems, str(a.system), "system", 210))
        return _chosen(a, b)
    a = current
    if len(current.systems) > 1:
        a = current.of_system(_choose_system("System" if data == GROUPS else "A", "system", current))
    if data == GROUPS:
        return _chosen(*_choose_groups(a))
    other = fitted_source(a, other_source(data))
    if other.kind not in COMPARABLE:
        raise ReadProblem(f"{other.title} holds {KINDS[other.kind].title}: it cannot be compared with these data.")
    return _chosen(a, other.of_system(_choose_system("B", "beside_system", other)) if other.systems else other)


def _choose_groups(current: Source) -> tuple[Source, Source]:
    """Ask for a column and two of its groups without a common row."""
    columns = group_columns(current)
    if not columns:
        raise ReadProblem("No column parts the rows into groups of 40 or more. Choose where else B comes from.")
    column = address.choice("groups_by", list(columns), next(iter(columns)))
    names = short_names(columns, 24)
    bound(st.selectbox, "Groups by", "groups_by", column, list(columns), format_func=names.get, width=170)
    groups, chosen = columns[column], []
    values = {key: one.condition.removeprefix(column).strip() for key, one in groups.items()}
    short = short_names(values.values(), 24)
    options = [key for key in groups if groups_apart(current, column, key)]
    for letter, name in (("A", "group_a"), ("B", "group_b")):
        key = address.choice(name, options, options[0])
        chosen.append(groups[key])
        bound(st.selectbox, letter, name, key, options, format_func=lambda key: short[values[key]], width=170)
        options = groups_apart(current, column, key)
    a, b = (group_of(current, group) for group in chosen)
    return a, b


def _choose_system(letter: str, key: str, source: Source) -> str:
    chosen = address.choice(key, source.systems, source.system)
    if len(source.systems) == 1:
        return source.systems[0]
    short = short_names(source.systems)
    return bound(st.selectbox, letter, key, chosen, source.systems, format_func=short.get, width=210)


def _chosen(a: Source, b: Source) -> SampleComparison:
    cut, threshold = _choose_cut(a, b)
    comparison = compare_samples(a, b, cut=cut, threshold=threshold)
    target = choose_class(comparison.classes) if comparison.classes else None
    start = compare_samples(a, b, target=target, cut=cut, threshold=threshold).measure
    measure = choose_measure(compare_samples(a, b, target=target).measures(), start)
    with st.popover("Question and tests", width="content"):
        margin = choose_margin()
        level, correction, _ = choose_correction("level", several=False)
    return compare_samples(
        a, b, target=target, cut=cut, threshold=threshold, measure=measure, level=level,
        correction=correction, margin=margin,
    )  # fmt: skip


def _choose_cut(a: Source, b: Source) -> tuple[str, float | None]:
    if a.scored_by != "system":
        return "", None
    cut = ""
    threshold = threshold_of(scores_of(a, a.system))
    if b.scored_by == "system":
        cut = address.choice("sample_cut", list(SAMPLE_CUTS), compare_samples(a, b).cut) or "page"
        bound(st.selectbox, "Thresholds", "sample_cut", cut, list(SAMPLE_CUTS), format_func=SAMPLE_CUTS.get, width=250)
    if cut != "youden":
        bound(
            st.number_input, "Threshold" if cut == "page" else "Threshold of A", "t", threshold, None, None, None,
            key="threshold field", format="%.6g", width=130,
            write=lambda value: value is not None and put_threshold(value),
        )  # fmt: skip
    return cut, threshold


def choose_measure(measures: Iterable[MetricDef], start: MetricDef) -> MetricDef:
    """The measure that the verdict goes by."""
    named = {measure.key: measure for measure in measures}
    key = st.selectbox(
        "Better by", list(named), index=list(named).index(start.key), key="by", bind="query-params", width=210,
        format_func=lambda key: named[key].name,
        help="The measure that the verdict goes by. Choose it before you look. The AUC does not depend on a threshold.",
    )  # fmt: skip
    return named.get(key, start)


def choose_class(classes: tuple[str, ...]) -> str | None:
    """Ask for the class that is set against the rest; None compares all at once."""
    chosen = address.choice("class", classes)
    short = short_names(classes, 18)
    # Places, for a class may have any name.
    bound(
        st.selectbox, "Classes", "class", -1 if chosen is None else classes.index(chosen), range(-1, len(classes)),
        format_func=lambda index: "all at once" if index < 0 else f"{short[classes[index]]} or not",
        write=lambda index: address.put("class", classes[index] if index >= 0 else None), width=170,
    )  # fmt: skip
    return chosen


def _put_data(data: str) -> None:
    address.put("beside_system", None)
    address.put("beside", data or None)


def _show_classes(comparison: SampleComparison) -> None:
    """The recall of each class."""
    if not comparison.classes or comparison.target is not None:
        return
    short = short_names(comparison.classes, 22)
    lines = [
        ForestLine(one, short[one.heading], one.better(comparison.level) != 0) for one in comparison.class_differences
    ]
    sides = difference_sides([one.measure for one in comparison.class_differences])
    show_forest(lines, sides, "difference in the recall of each class", "forest of classes", "B minus A in each class")
