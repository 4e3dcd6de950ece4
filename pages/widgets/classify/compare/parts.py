"""The forest of the main measures, who is right, and the parts under them: only the one that is open is computed."""

from pathlib import Path

import pandas as pd
import streamlit as st

from evalcore.analyses import (
    AMONG,
    ROW_KINDS,
    Difference,
    Disagreement,
    GroupComparison,
    SampleComparison,
    SystemComparison,
    difference_heads,
    difference_rows,
    difference_sides,
    has_name,
    system_titles,
)
from evalcore.figures import ForestLine
from evalcore.inference import METHODS
from evalcore.readers import numbered_rows
from evalcore.wording import Cell, level_text, plain, short_names

from ...controls.bound import segmented
from ...display.paired_comparison import show_differences_table, show_forest, show_pairs
from ...display.table import show_frame, show_numbered_rows, show_table
from ...export.downloads import show_download
from ...session.entry_links import with_links

RULES = Path(__file__).with_name("compare.css")


def show_main_differences(comparison: SystemComparison | SampleComparison) -> None:
    """The forest of the main measures, B minus A."""
    level = level_text(comparison.level)
    st.markdown(f"**B minus A** :small[:gray[with {level} intervals · ● excludes 0 · ○ includes 0]]")
    lines, measures = [], [one.measure for one in comparison.main_differences]
    mixed = len({measure.better for measure in measures}) > 1
    for one in comparison.main_differences:
        name, chosen = one.heading.removesuffix(" of several classes"), one.measure.key == comparison.measure.key
        name += " (lower is better)" if mixed and one.measure.better == "lower" else ""
        limits = comparison.margin.limits(one) if chosen else ()
        lines.append(ForestLine(one, name, one.excludes_none, chosen, limits))
    unit = "difference (0.01 = 1 percentage point)"
    show_forest(lines, difference_sides(measures), unit, "forest", "Differences of B minus A")
    if undefined := [one.noun for one in comparison.main_differences if one.undefined]:
        st.caption(f"Undefined for one of the two, so there is no difference: {', '.join(undefined)}.")


def show_parts(comparison: SystemComparison, disagreement: Disagreement) -> GroupComparison | None:
    """All systems · every measure · the rows they disagree on · the areas · groups, as tabs; the groups if open."""
    parts = {
        "Every measure": lambda: _show_all_measures(comparison),
        "Rows they disagree on": lambda: show_rows_between(disagreement),
    }
    if len(comparison.systems) > 2:
        parts = {"All systems": lambda: _show_systems(comparison), **parts}
    if comparison.source.scored_by == "system":
        parts["Threshold-free"] = lambda: _show_areas(comparison)
    groups = GroupComparison(comparison)
    if comparison.source.roles.get("group") is not None and len(comparison.rows):
        parts["Groups"] = lambda: _show_groups(groups)
    tabs = st.tabs(list(parts), key="compare_part", on_change="rerun", bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab, st.spinner("Comparing …"):
                show()
    return groups if tabs[-1].open and "Groups" in parts else None


def _show_systems(comparison: SystemComparison) -> None:
    st.caption(with_links(comparison.systems_note))
    show_pairs(
        comparison.system_differences, comparison.level, comparison.b, comparison.compares_all_pairs, comparison.margin
    )
    show_differences_table(comparison.systems_table)


def _show_groups(groups: GroupComparison) -> None:
    """Is B better in every group?"""
    st.markdown(with_links(groups.verdict))
    short = short_names(groups.names, 22)
    lines = [
        ForestLine(one, short[name], one.better(groups.comparison.level) != 0)
        for name, one in zip(groups.names, groups.differences, strict=True)
    ]
    unit = f"difference in {groups.differences[0].noun}"
    show_forest(lines, difference_sides([groups.measure]), unit, "forest of groups", "B minus A in each group")
    st.caption(with_links(groups.note))
    show_differences_table(groups.table)


def _show_all_measures(comparison: SystemComparison) -> None:
    show_every_measure(comparison)
    if comparison.target is None:
        _show_classes(Disagreement(comparison))


def show_every_measure(comparison: SystemComparison | SampleComparison) -> None:
    """All measures with a search over every name they go by."""
    text = st.text_input(
        "Search", placeholder="Search by any name: PPV, hit rate …", label_visibility="collapsed",
        key="search_differences", bind="query-params",
    )  # fmt: skip
    differences = comparison.all_differences
    shown = [one for one in differences if has_name(one.measure, text or "")]
    if shown:
        _show_table(comparison.level, shown, corrected=True)
    else:
        st.caption("No measure has that name.")
    st.caption(with_links(comparison.measures_note))


def _show_areas(comparison: SystemComparison) -> None:
    """The two by what needs no threshold: the areas under the ROC and the precision–recall curve."""
    _show_table(comparison.level, comparison.area_differences, corrected=False)
    st.caption(f"{comparison.areas_note} None of these numbers depends on a threshold.")
    if comparison.overall is not None:
        st.markdown(f"{comparison.overall_note} Choose *Area under the ROC curve* above to see the pairs.")


def _show_table(level: float, differences: list[Difference], corrected: bool) -> None:
    show_table(difference_heads(level, corrected), difference_rows(differences, level, corrected), "differences")


def _show_classes(disagreement: Disagreement) -> None:
    """McNemar in every actual class: whose rows does B name better?"""
    correction, units = METHODS[disagreement.comparison.correction], disagreement.comparison.source.cluster_words
    test = f"McNemar by whole {units}" if units else "McNemar"
    st.markdown(f"**Class by class** :small[:gray[recall of each class, {test}, {correction}]]")
    columns = {
        key: st.column_config.NumberColumn(format="%.2g" if "p" in key.split() else "localized")
        for key in ("rows", "only A right", "only B right", "p", "corrected p")
    }
    alt = "For each class the rows that only one system names rightly, and the test"
    show_frame(pd.DataFrame(disagreement.classes), "classes compared", alt, columns)


def show_disagreement(comparison: SystemComparison) -> Disagreement:
    """The 2×2 table of who is right with its test."""
    st.markdown("**Who is right?** :small[:gray[only rows where exactly one is right count]]")
    among = "all"
    if comparison.target is not None:
        words = dict(zip(AMONG, ("all rows", *(plain(word, 20) for word in comparison.class_words)), strict=True))
        among = segmented("Among", AMONG, "among", format_func=words.get, label_visibility="collapsed")
    disagreement = Disagreement(comparison, among)
    b = Cell("B right", heading=True, below=system_titles((comparison.a, comparison.b))[comparison.b])
    show_table(["", b, "B wrong"], disagreement.cells, "disagreements")
    st.caption(with_links(disagreement.verdict))
    if disagreement.symmetry:
        st.caption(with_links(disagreement.symmetry))
    return disagreement


def show_rows_between(disagreement: Disagreement) -> None:
    """The rows of one kind of disagreement, with all their columns, and a file of them."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.selectbox(
            "Rows where", list(ROW_KINDS), format_func=ROW_KINDS.get, key="between", bind="query-params", width=200
        )
        kind = kind if kind in ROW_KINDS else "b"
        numbers = disagreement.rows(kind)
        st.markdown(disagreement.rows_text(kind), width="stretch")
        if len(numbers):
            rows = lambda: numbered_rows(disagreement.comparison.source.frame, numbers)  # noqa: E731
            show_download("These rows as CSV", rows, "rows.csv", "download rows")
    if not len(numbers):
        st.caption("There are no such rows.")
        return
    frame = disagreement.comparison.source.frame
    show_numbered_rows(frame, numbers, "rows between", f"The rows where {ROW_KINDS[kind]}", 10, 380)
