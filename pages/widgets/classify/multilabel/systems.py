"""Two of several systems that give labels to the same rows."""

import streamlit as st

from evalcore.analyses import (
    LabelComparison,
    LabelTable,
    LabelThresholds,
    Source,
    compare_label_systems,
    difference_sides,
    label_comparison_roles,
)
from evalcore.figures import ForestLine
from evalcore.readers import ReadProblem
from evalcore.wording import plain, short_names

from ...controls.bound import bound
from ...display.paired_comparison import show_differences_table, show_forest
from ...session import address
from ...session.cache import cache
from ...session.entry_links import with_links
from ...session.loaded_scores import label_thresholds


def show_comparison(table: LabelTable, level: float) -> LabelComparison | None:
    """The open system and another one that is chosen, by every measure; nothing where there is one system."""
    current = table.current
    others = [name for name in current.label_systems if name != current.label_system]
    if not others or current.label_system is None:
        return None
    st.header("Compare systems", anchor=False)
    b = address.choice("with", others, others[0])
    a = plain(current.label_system, 30)
    bound(st.selectbox, f"Compare {a} (A) with B", "with", b, others, format_func=short_names(others).get, width=210)
    rule = LabelThresholds() if table.scores is None else label_thresholds(current)
    try:
        comparison = _compared((table.key, repr(rule), b, level), current, b, rule, level)
    except (ReadProblem, ValueError) as problem:
        st.caption(plain(problem, limit=300))
        return None
    st.markdown(with_links(comparison.verdict))
    shown = [one for one in comparison.differences if one.measure.highest == 1]
    shown = [one for one in shown if one.measure.better == shown[0].measure.better]
    titles = [one.heading if len(one.heading) < 20 else one.measure.label for one in shown]
    lines = [
        ForestLine(one, title, one.better(level) != 0, one is shown[0])
        for one, title in zip(shown, titles, strict=True)
    ]
    sides, unit = difference_sides([shown[0].measure]), "difference (0.01 = 1 percentage point)"
    show_forest(lines, sides, unit, "forest of label systems", "B minus A by each measure")
    show_differences_table(comparison.table)
    st.caption(with_links(comparison.note))
    return comparison


def link_comparison(table: LabelTable, label: str) -> None:
    """The way to all tests of the systems on one label."""
    if (roles := label_comparison_roles(table.current, label)) is not None:
        others = ("system", "thresholds", "t", "with")
        params = {name: value for name, value in address.parameters().items() if name not in others}
        words = "Compare the systems on it"
        st.page_link("pages/classify/compare.py", label=words, query_params=params | {"roles": roles}, width="content")


def _compare(current: Source, b: str, rule: LabelThresholds, level: float) -> LabelComparison:
    return compare_label_systems(current, current.label_system or b, b, rule=rule, level=level)


_compared = cache(_compare, 16, "Comparing …")
