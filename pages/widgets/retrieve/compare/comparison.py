"""Which rankings are compared and how they are tested; the table of systems, and under it the parts as tabs."""

from pathlib import Path
from typing import Any

import streamlit as st

from evalcore.analyses import RANKING_TESTS, RankingComparison, Rankings, compare_rankings, no_test_by, system_name
from evalcore.readers import ReadProblem
from evalcore.wording import level_text, plain

from ...controls.bound import bound
from ...controls.ranking_settings import MeasureNames, choose_ranking_settings
from ...controls.two_systems import choose_correction, choose_margin, choose_two
from ...display.paired_comparison import end_with_one_system, show_differences_table, show_pairs
from ...display.table import show_table
from ...export.downloads import show_downloads
from ...session import address
from ...session.entry_links import with_links
from ...session.loaded_rankings import RANKED
from ...session.page_exit import end_page
from .judgment_reduction import chosen_reduction, show_judgment_reduction
from .query_differences import show_queries
from .query_variance import chosen_variance, show_query_variance

MEASURES = ("AP", "nDCG@k", "P@k", "R@k", "RR", "bpref")
"""What is compared where the address names nothing."""

RULES = Path(__file__).with_name("compare.css")


def choose_comparison(rankings: Rankings) -> RankingComparison:
    """The systems and how they are compared, A being that of the sidebar; ends the page where there is only one."""
    if len(rankings.systems) < 2:
        end_with_one_system(
            rankings.current, "two systems on the same queries",
            "Open a second run together with this one and the judgments, or a table with a column of scores per "
            "system.", RANKED,
        )  # fmt: skip
    with st.container(key="comparison-settings", horizontal=True, vertical_alignment="bottom"):
        chosen = choose_systems(rankings)
    try:
        with st.spinner("Testing …"):
            return compare_rankings(rankings, **chosen)
    except ReadProblem as problem:
        st.error(plain(problem, limit=300))
        end_page()


def choose_systems(rankings: Rankings) -> dict[str, Any]:
    """Ask what `compare_rankings` is asked with."""
    b = choose_two(rankings.systems, rankings.system, "system", 155)
    names = tuple(_NAMES.of(rankings))
    measure = bound(
        st.selectbox, "Better by", "measure", address.choice("measure", names, names[0]), names,
        format_func=rankings.heading, width=120,
        help="The measure that the verdict and the figures go by. Choose it before you look.",
    )  # fmt: skip
    choose_ranking_settings(rankings)
    test = address.choice("test", list(RANKING_TESTS), "t")
    with st.popover(f"Test: {RANKING_TESTS[test]}", icon=":material/balance:", key="comparison-test"):
        bound(
            st.selectbox, "Test of the differences", "test", test, list(RANKING_TESTS),
            format_func=lambda test: RANKING_TESTS[test][0].upper() + RANKING_TESTS[test][1:],
            help="The t-test and the randomisation test ask about the mean difference, Wilcoxon about signed "
            "ranks, the sign test only about which system wins more queries.",
        )  # fmt: skip
        level, correction, all_pairs = choose_correction("confidence", len(rankings.systems) > 2)
        margin = choose_margin()
    _NAMES.choose(rankings)
    return {
        "b": b, "names": names, "measure": measure, "test": test, "correction": correction, "level": level,
        "all_pairs": all_pairs, "margin": margin,
    }  # fmt: skip


_NAMES = MeasureNames("Measures", "measures", MEASURES, most=10, refused=no_test_by)


def show_systems(comparison: RankingComparison) -> None:
    """Systems × measures, A first."""
    show_table(comparison.heads, comparison.rows, "systems")
    st.caption(with_links(comparison.legend))


def show_parts(comparison: RankingComparison) -> None:
    """Query by query · judgments · variance and power · all comparisons, as tabs."""
    parts = {
        "Query by query": show_queries,
        "Judgments": show_judgment_reduction,
        "Variance and power": show_query_variance,
        "All comparisons": _show_comparisons,
    }
    tabs = st.tabs(list(parts), key="rankings_part", on_change="rerun", bind="query-params")
    for tab, show in zip(tabs, parts.values(), strict=True):
        if tab.open:
            with tab:
                show(comparison)


def show_comparison_downloads(comparison: RankingComparison) -> None:
    """The comparisons, the means, the queries and what hiding judgments does, and the code."""
    (reduction, draws), variance = chosen_reduction(comparison), chosen_variance(comparison)
    others = {
        "Means": lambda: comparison.means_table,
        "Queries": lambda: comparison.queries_table,
        "Fewer judgments": lambda: reduction.table(draws),
        "Variance": lambda: variance.table,
    }
    code = comparison.code_with(variance.code)
    show_downloads("compared rankings", lambda: comparison.table, code, others)


def _show_comparisons(comparison: RankingComparison) -> None:
    """The differences by the measure of the verdict with their intervals, and all tests."""
    level = level_text(comparison.level)
    st.markdown(f"**Differences in {system_name(comparison.heading)}** :small[:gray[with {level} intervals]]")
    all_pairs = comparison.all_pairs and len(comparison.systems) > 2
    show_pairs(comparison.pair_differences, comparison.level, comparison.b, all_pairs, comparison.margin)
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
