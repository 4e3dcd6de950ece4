"""Which two systems are compared, and how; the forest of the main measures, who is right, and the parts under them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evalcore import MetricDef, analyses
from evalcore.figures import ForestLine
from evalcore.inference import MCNEMAR_TESTS, METHODS, PAIRED_INTERVALS
from evalcore.readers import KINDS, ReadProblem, kinds_on, samples
from evalcore.wording import P_VALUES, Cell, Column, count_text, plain, short_names
from pages.widgets.controls.fields import ask, bound, choose_key, exact, segmented, select
from pages.widgets.controls.intervals import choose_correction, choose_margin, choose_two
from pages.widgets.display import measures as display
from pages.widgets.display.drawer import opened_rows, show_drawer
from pages.widgets.display.figure import show_frame, show_table
from pages.widgets.display.page import show_finding, show_folds, statistics
from pages.widgets.export.downloads import show_downloads
from pages.widgets.session import address
from pages.widgets.session.current_dataset import open_linked, other_source, visible_uploads
from pages.widgets.session.loaded import put_threshold, scores_of, threshold_of, with_links
from pages.widgets.session.page_exit import end_page, end_with, need


def show_main_differences(comparison: analyses.SystemComparison | analyses.SampleComparison) -> None:
    """The forest of the main measures, B minus A."""
    st.markdown(f"**B minus A** :small[:gray[{with_links(comparison.marks)}]]")
    lines, measures = [], [one.measure for one in comparison.main_differences]
    mixed = len({measure.better for measure in measures}) > 1
    for one in comparison.main_differences:
        chosen, lower = one.measure.key == comparison.measure.key, mixed and one.measure.better == "lower"
        name = one.heading.removesuffix(" of several classes") + " (lower is better)" * lower
        limits = comparison.margin.limits(one) if chosen else ()
        lines.append(ForestLine(one, name, one.beyond_chance(comparison.level), chosen, limits))
    sides, unit = analyses.difference_sides(measures), "difference (0.01 = 1 percentage point)"
    display.show_forest(lines, sides, unit, "forest", "Differences of B minus A")
    if undefined := [one.noun for one in comparison.main_differences if one.undefined]:
        st.caption(f"Undefined for one of the two: {', '.join(undefined)}.")


def show_parts(comparison: analyses.SystemComparison) -> analyses.GroupComparison | None:
    """Every measure · all systems · the areas · groups, under folds; the groups if open."""
    parts = {"All measures": lambda: _show_all_measures(comparison)}
    if len(comparison.systems) > 2:
        parts["All systems"] = lambda: _show_systems(comparison)
    if comparison.source.scored_by == "system":
        parts["Threshold-free"] = lambda: _show_areas(comparison)
    if comparison.source.roles.get("group") is not None and len(comparison.rows):
        parts["Groups"] = lambda: _show_groups(analyses.GroupComparison(comparison))
    titles = {"All measures": f"All {len(comparison.all_differences)} measures"}
    part, of_part = show_folds("classify/compare", parts, wait="Comparing …", titles=titles)
    return of_part if part == "Groups" else None


def _show_systems(comparison: analyses.SystemComparison) -> None:
    st.caption(with_links(comparison.systems_note))
    how = comparison.level, comparison.b, comparison.compares_all_pairs, comparison.margin
    display.show_pairs(comparison.system_differences, *how)
    display.show_differences_table(comparison.systems_table)


def _show_groups(groups: analyses.GroupComparison) -> analyses.GroupComparison:
    """Is B better in every group?"""
    st.markdown(with_links(groups.verdict))
    unit, about = f"difference in {groups.differences[0].noun}", ("forest of groups", "B minus A in each group")
    _show_each(groups.names, groups.differences, groups.comparison.level, unit, *about)
    st.caption(with_links(groups.note))
    display.show_differences_table(groups.table)
    return groups


def _show_all_measures(comparison: analyses.SystemComparison) -> None:
    show_every_measure(comparison)
    if comparison.target is None:
        _show_classes(analyses.Disagreement(comparison))


def show_every_measure(comparison: analyses.SystemComparison | analyses.SampleComparison) -> None:
    """All measures with a search over every name they go by."""
    text, level = display.search_measures("search_differences"), comparison.level
    shown = [one for one in comparison.all_differences if analyses.has_name(one.measure, text)]
    display.show_found(*analyses.difference_rows(shown, level, True), "differences")
    st.caption(with_links(comparison.measures_note))


def _show_areas(comparison: analyses.SystemComparison) -> None:
    """The two by what needs no threshold: the areas under the ROC and the precision–recall curve."""
    show_table(*analyses.difference_rows(comparison.area_differences, comparison.level, False), "differences")
    st.caption(f"{comparison.areas_note} None of these numbers depends on a threshold.")
    if comparison.overall is not None:
        st.markdown(f"{comparison.overall_note} Choose *Area under the ROC curve* above to see the pairs.")


def _show_classes(disagreement: analyses.Disagreement) -> None:
    """McNemar in every actual class: whose rows does B name better? And does each name every class equally often?"""
    correction, units = METHODS[disagreement.comparison.correction], disagreement.comparison.source.cluster_words
    test = f"McNemar by whole {units}" if units else "McNemar"
    st.markdown(f"**Class by class** :small[:gray[recall of each class, {test}, {correction}]]")
    columns = dict.fromkeys(("rows", "only A right", "only B right"), Column(count_text))
    columns |= dict.fromkeys(("p", "corrected p"), P_VALUES)
    alt = "For each class the rows that only one system names rightly, and the test"
    show_frame(pd.DataFrame(disagreement.classes), "classes compared", alt, columns)
    st.caption(with_links(disagreement.symmetry))


def show_disagreement(comparison: analyses.SystemComparison) -> analyses.Disagreement:
    """The 2×2 table of who is right with its test; a cell opens its rows."""
    st.markdown("**Who is right?**")
    among = "all"
    if comparison.target is not None:
        names = "all rows", *(plain(word, 20) for word in comparison.class_words)
        words = dict(zip(analyses.AMONG, names, strict=True))
        among = segmented("Among", words, "among", label_visibility="collapsed")
    disagreement = analyses.Disagreement(comparison, among)
    b = Cell("B right", heading=True, below=analyses.system_titles((comparison.a, comparison.b))[comparison.b])
    kind = (opened_rows(analyses.BETWEEN, 1) or ("",))[0]
    rows = f"{analyses.BETWEEN}~{kind}"
    mark = lambda cell: replace(cell, kind=f"{cell.kind} opened") if cell.rows == rows else cell  # noqa: E731
    show_table(["", b, "B wrong"], [list(map(mark, line)) for line in disagreement.cells], "disagreements")
    st.caption(with_links(disagreement.verdict))
    show_drawer(disagreement.selection(kind) if kind in analyses.ROW_KINDS else None)
    return disagreement


_GROUPS = "groups"  # that B is another group of the open rows
Ask = Callable[[], object]  # draws a control
_ROW: dict[str, Any] = {"key": "question", "horizontal": True, "vertical_alignment": "center", "gap": "xsmall"}


def _origin(current: analyses.Source) -> tuple[str, str, Ask]:
    """Where B comes from other than the open data set: a key, in words, and how it is asked for."""
    open_linked(address.text("beside"))
    uploads = {entry.id: entry.name for entry in visible_uploads(analyses.COMPARABLE) if entry.id != current.id}
    known = {one.id: f"{one.title} (sample)" for one in samples().values() if one.kind in analyses.COMPARABLE}
    titles = short_names([*uploads.values(), *known.values()], 44)
    options = {_GROUPS: "another group of these rows"} if analyses.may_have_groups(current) else {}
    options |= {key: titles[name] for key, name in (uploads | known).items() if key != current.id}
    chosen = address.choice("beside", list(options)) or ""
    own = "the same data set" if len(current.systems) > 1 or not current.systems else "choose a data set"
    field = partial(
        bound, st.selectbox, "B comes from", "beside", chosen, ["", *options], width=250,
        format_func=lambda key: options.get(key, own),
        write=lambda data: address.put_all(beside_system=None, beside=data or None),
        help="Another data set, or another group of these rows, such as another quarter, hospital or test set. The "
        "rows differ, so the two are compared as independent samples.",
    )  # fmt: skip
    return chosen, options.get(chosen, ""), field


def _show_compared(
    asks: Sequence[Ask], changed: list[str], source: analyses.Source, system: str | None, threshold: float | None,
    target: str | None,
) -> None:  # fmt: skip
    """What is compared, under the words of what is not as at first, also of the threshold and the class."""
    if target is not None:
        changed.append(f"{short_names([target], 18)[target]} or not")
    if threshold is not None and threshold != (scores := scores_of(source, system)).starting_threshold:
        changed.append(f"{scores.rule} {scores.text(threshold)}")
    label = plain(" · ".join(filter(None, changed)) or "What is compared", 80)
    with st.popover(label, icon=":material/tune:", key="compared", type="tertiary") if asks else nullcontext():
        for one in asks:
            one()


def show_other_rows(current: analyses.Source, data: str, origin: Ask, words: str) -> None:
    """The page of independent samples, which ends there: another data set, or two systems of the open file."""
    try:
        with st.container(**_ROW), st.spinner("Comparing …"):
            a, b, more = _choose_sides(current, data)
            comparison = _choose_samples(a, b, [origin, *more], words)
    except (ReadProblem, ValueError) as problem:  # from the choice, before what is compared was asked
        origin()
        end_with(problem)
    show_finding(comparison.finding, comparison.note)
    show_main_differences(comparison)
    if comparison.classes and comparison.target is None:
        differences, about = comparison.class_differences, ("forest of classes", "B minus A in each class")
        names = [one.heading for one in differences]
        _show_each(names, differences, comparison.level, "difference in the recall of each class", *about)
    with display.fold_of_measures(len(comparison.all_differences)) as fold:
        if fold.open:
            show_every_measure(comparison)
    display.show_reading("classify/compare", **analyses.difference_texts(comparison.difference))
    display.show_formulas(comparison)
    show_downloads("differences", lambda: comparison.table, comparison.code)
    end_page()


def _choose_sides(current: analyses.Source, data: str) -> tuple[analyses.Source, analyses.Source, list[Ask]]:
    """Ask for A and B, and what else decides on them."""
    several = len(current.systems) > 1
    a = current.of_system(_system("system", current)) if several else current
    if data == _GROUPS:
        return _choose_groups(a, [partial(_choose_system, "System", "system", current)] if several else [])
    if not data:
        systems = analyses.SystemRates(current).systems
        a = current.of_system(address.choice("system", systems, systems[0]))
        return a, current.of_system(choose_two(systems, str(a.system), "system", 185, asked=True)), []
    b = analyses.fitted_source(a, other_source(data))
    if b.kind not in analyses.COMPARABLE:
        raise ReadProblem(f"{b.title} holds {KINDS[b.kind].title}: it cannot be compared with these data.")
    b = b.of_system(_system("beside_system", b)) if b.systems else b
    for words, letter, key, one in (("Is B", "B", "beside_system", b), ("better than A", "A", "system", a)):
        if len(one.systems) > 1:
            ask(words, partial(_choose_system, letter, key, one))
        else:
            st.markdown(f"{words}, {plain(one.title, 40)},", width="content")
    return a, b, []


def _system(key: str, source: analyses.Source) -> str:
    return address.choice(key, source.systems, source.system) if len(source.systems) > 1 else source.systems[0]


def _choose_system(letter: str, key: str, source: analyses.Source, **look: Any) -> None:
    look |= {"format_func": short_names(source.systems).get, "width": 185}
    bound(st.selectbox, letter, key, _system(key, source), source.systems, **look)


def _choose_groups(source: analyses.Source, asks: list[Ask]) -> tuple[analyses.Source, analyses.Source, list[Ask]]:
    """Ask for two groups of a column without a common row, and for the column beside what else is asked."""
    columns = analyses.group_columns(source)
    if not columns:
        raise ReadProblem("No column divides the rows into groups of 40 or more. Choose another source of B.")
    column = address.choice("groups_by", list(columns), next(iter(columns)))
    names, groups = short_names(columns, 24), columns[column]
    by = partial(bound, st.selectbox, "Groups by", "groups_by", column, list(columns), format_func=names.get, width=170)
    values = {key: one.condition.removeprefix(column).strip() for key, one in groups.items()}
    short = short_names(values.values(), 24)
    options = [key for key in groups if analyses.groups_apart(source, column, key)]
    a = address.choice("group_a", options, options[0])
    others = analyses.groups_apart(source, column, a)
    b = address.choice("group_b", others, others[0])
    look = {"format_func": lambda key: short[values[key]], "width": 170}
    ask("Is B", partial(bound, st.selectbox, "B", "group_b", b, others, **look))
    ask("better than A", partial(bound, st.selectbox, "A", "group_a", a, options, **look))
    return analyses.group_of(source, groups[a]), analyses.group_of(source, groups[b]), [by, *asks]


def _choose_samples(a: analyses.Source, b: analyses.Source, asks: list[Ask], origin: str) -> analyses.SampleComparison:
    is_scored = a.scored_by == "system"
    threshold = threshold_of(scores_of(a, a.system)) if is_scored else None
    cuts = analyses.SAMPLE_CUTS if is_scored and b.scored_by == "system" else {}
    usual = analyses.compare_samples(a, b, threshold=threshold).cut
    cut = address.choice("sample_cut", list(cuts), usual) if cuts else ""
    comparison = analyses.compare_samples(a, b, cut=cut, threshold=threshold)
    target = address.choice("class", comparison.classes) if comparison.classes else None
    comparison = analyses.compare_samples(a, b, target=target, cut=cut, threshold=threshold)
    measure = choose_measure(comparison.measures(), comparison.measure)
    if is_scored:
        asks.append(partial(_choose_cut, "sample_cut", cuts, cut, threshold))
    if comparison.classes:
        asks.append(partial(_choose_class, comparison.classes, target))
    changed = [origin, "" if cut == usual else cuts.get(cut, "")]
    _show_compared(asks, changed, a, a.system, threshold, target)
    with statistics():
        margin = choose_margin()
        level, correction, _ = choose_correction("level", several=False)
    return replace(comparison, measure=measure, level=level, correction=correction, margin=margin)


def choose_measure(measures: Iterable[MetricDef], start: MetricDef) -> MetricDef:
    """The measure that the verdict goes by."""
    named = {measure.key: measure for measure in measures}
    titles = {key: measure.name for key, measure in named.items()}
    key = ask("by", partial(select, "Better by", titles, "by", start.key, width=205))
    st.markdown("?", width="content")
    return named[key]


def _choose_class(classes: Sequence[str], chosen: str | None) -> None:
    """Ask for the class that is set against the rest; none compares all at once."""
    short = short_names(classes, 18)
    # Places, for a class may have any name.
    bound(
        st.selectbox, "Classes", "class", -1 if chosen is None else classes.index(chosen), range(-1, len(classes)),
        format_func=lambda index: "all at once" if index < 0 else f"{short[classes[index]]} or not",
        write=lambda index: address.put("class", classes[index] if index >= 0 else None), width=170,
    )  # fmt: skip


def _choose_cut(name: str, cuts: Mapping[str, str], cut: str, threshold: float) -> None:
    """Ask for the thresholds, where there is a choice of their kind, and for that of A or of all."""
    if cuts:
        bound(st.selectbox, "Thresholds", name, cut, list(cuts), format_func=cuts.get, width=250)
    if cut != "youden":
        exact("Threshold" if cut == "page" else "Threshold of A", "t", threshold, put_threshold, "threshold field")


def _show_each(
    names: Sequence[str], differences: Sequence[analyses.Difference], level: float, unit: str, key: str, about: str
) -> None:
    """B minus A by one measure in each of some groups or classes."""
    short, sides = short_names(names, 22), analyses.difference_sides([one.measure for one in differences])
    lines = [ForestLine(one, short[name], one.better(level) != 0) for name, one in zip(names, differences, strict=True)]
    display.show_forest(lines, sides, unit, key, about)


_COMPARED_KINDS = kinds_on("classify/compare")


def choose_comparison() -> analyses.SystemComparison:
    """The two systems of the open data and how they are compared; ends the page where there are not two."""
    current = need(_COMPARED_KINDS, "two systems, or another data set to compare with")
    data, words, origin = _origin(current)
    if data or analyses.SystemRates.offered(current):
        show_other_rows(current, data, origin, words)
    if len(analyses.comparable_systems(current)) < 2:
        origin()
        second = "row of counts" if current.kind == "counts" else "column of scores or of predictions"
        needs = "two systems on the same rows, or another data set"
        advice = f"Choose where B comes from, or add a second {second}."
        display.end_with_one_system(current, needs, advice, _COMPARED_KINDS[:2])
    try:
        with st.spinner("Comparing …"):
            return analyses.compare_systems(current, **choose_systems(current, asks=[origin]))
    except (ReadProblem, ValueError) as problem:  # from the choice, before what is compared was asked
        origin()
        end_with(problem)


def choose_systems(current: analyses.Source, level: float | None = None, asks: Sequence[Ask] = ()) -> dict[str, Any]:
    """Ask what `compare_systems` is asked with, after `asks`, and for the level unless known. May raise ReadProblem."""
    systems, is_scored = analyses.comparable_systems(current), current.scored_by == "system"
    name = "said" if current.scored_by == "class" else "system"
    a = address.choice(name, systems, systems[0])
    with st.container(**_ROW):
        b = choose_two(systems, a, name, 185, asked=True)
        cut, usual, threshold = "", "", None
        if is_scored:
            usual = "page" if analyses.have_one_scale(current, (a, b)) else "flagged"
            cut = address.choice("cut", list(analyses.CUTS), usual)
            threshold = threshold_of(scores_of(current, a))
            asks = [*asks, partial(_choose_cut, "cut", analyses.CUTS, cut, threshold)]
        chosen = analyses.compare_systems(current, a, b, cut=cut, threshold=threshold)
        classes, target = chosen.rows.classes, chosen.target
        if several := not is_scored and len(classes) > 2:
            target = address.choice("class", classes)
            asks = [*asks, partial(_choose_class, classes, target)]
        start = analyses.starting_measure(current, target)
        measure = choose_measure(analyses.comparable_measures(current, target), start)
        changed = [] if cut == usual else [analyses.CUTS[cut]]
        _show_compared(asks, changed, current, a, threshold, target if several else None)
    with statistics():
        margin = choose_margin()
        level, correction, all_pairs = choose_correction("level", len(systems) > 2, level)
        methods = {}
        if chosen.rows.clusters is None:  # clusters have one test and one interval
            methods["test"] = choose_key("McNemar’s test", "mcnemar", MCNEMAR_TESTS)
            methods["interval"] = choose_key("Interval of a difference of shares", "share_interval", PAIRED_INTERVALS)
    return {
        "a": a, "b": b, "target": target, "cut": cut, "threshold": threshold, "measure": measure.key, "level": level,
        "correction": correction, "all_pairs": all_pairs, "margin": margin, **methods,
    }  # fmt: skip
