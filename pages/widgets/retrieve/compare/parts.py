"""The table of systems and the parts under it: one open at a time, so that only that one is computed."""

from pathlib import Path

import streamlit as st

from evalcore.analyses import RankingComparison, system_name
from evalcore.wording import THIN

from ...display.paired_comparison import show_differences_table, show_pairs
from ...display.table import show_table
from ...export.downloads import show_downloads
from .judgment_reduction import chosen_reduction, show_judgment_reduction
from .query_differences import show_queries

RULES = Path(__file__).with_name("compare.css")


def show_systems(comparison: RankingComparison) -> None:
    """Systems × measures, A first."""
    show_table(comparison.heads, comparison.rows, "systems")
    st.caption(comparison.legend)


def show_parts(comparison: RankingComparison) -> None:
    """Query by query · judgments · all comparisons, as tabs."""
    parts = {"Query by query": show_queries, "Judgments": show_judgment_reduction, "All comparisons": _show_comparisons}
    tabs = st.tabs(list(parts), key="rankings_part", on_change="rerun", bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show(comparison)


def show_comparison_downloads(comparison: RankingComparison) -> None:
    """The comparisons, the means, the queries and what hiding judgments does, and the code."""
    reduction, draws = chosen_reduction(comparison)
    others = {
        "Means": lambda: comparison.means_table,
        "Queries": lambda: comparison.queries_table,
        "Fewer judgments": lambda: reduction.table(draws),
    }
    show_downloads("compared rankings", lambda: comparison.table, comparison.code, others)


def _show_comparisons(comparison: RankingComparison) -> None:
    """The differences by the measure of the verdict with their intervals, and all tests."""
    level = f"{100 * comparison.level:g}{THIN}%"
    st.markdown(f"**Differences in {system_name(comparison.heading)}** :small[:gray[with {level} intervals]]")
    all_pairs = comparison.all_pairs and len(comparison.systems) > 2
    show_pairs(comparison.pair_differences, comparison.level, comparison.b, all_pairs)
    st.caption(
        "● beyond chance after the correction, ○ could be due to chance. The intervals are Student’s for every test, "
        "and not corrected."
    )
    show_differences_table(comparison.table)
    methods = dict.fromkeys(one.test.method for one in comparison.differences)
    st.caption(
        f"B minus A on the same queries. {' · '.join(methods)}. d_z is the mean difference over the standard deviation "
        "of the differences; as a rule of thumb 0.2 is small, 0.5 medium and 0.8 large."
    )
