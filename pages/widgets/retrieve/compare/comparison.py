"""Which rankings are compared, by which measures, and how they are tested."""

import streamlit as st

from evalcore.analyses import RANKING_TESTS, RankingComparison, Rankings, compare_rankings
from evalcore.readers import ReadProblem
from evalcore.registry import MetricDef
from evalcore.wording import plain

from ...controls.bound import bound
from ...controls.ranking_settings import MeasureNames, choose_ranking_settings
from ...controls.two_systems import choose_correction, choose_two
from ...display.paired_comparison import end_with_one_system
from ...session import address
from ...session.loaded_rankings import RANKED
from ...session.page_exit import end_page

MEASURES = ("AP", "nDCG@k", "P@k", "R@k", "RR", "bpref")
"""What is compared where the address names nothing."""


def choose_comparison(rankings: Rankings) -> RankingComparison:
    """The systems and how they are compared, A being that of the sidebar; ends the page where there is only one."""
    if len(rankings.systems) < 2:
        end_with_one_system(
            rankings.current, "two systems on the same queries",
            "Open a second run together with this one and the judgments, or a table with a column of scores per "
            "system.", RANKED,
        )  # fmt: skip
    with st.container(key="comparison-settings", horizontal=True, vertical_alignment="bottom"):
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
        _NAMES.choose(rankings)
    try:
        with st.spinner("Testing …"):
            return compare_rankings(
                rankings, b, names, measure, test=test, correction=correction, level=level, all_pairs=all_pairs
            )
    except ReadProblem as problem:
        st.error(plain(problem, limit=300))
        end_page()


def _refused(measure: MetricDef) -> str:
    """Tests of mean differences need to know which of two values is better, and a mean that is that of the queries."""
    if measure.better is not None and measure.mean == "arithmetic" and measure.key != "judged_at":
        return ""
    if measure.mean != "arithmetic":
        return f"{measure.symbol} is defined for a set of queries only, and the tests need a value per query. Use AP."
    return f"Systems are not better or worse by {measure.name.lower()}."


_NAMES = MeasureNames("Measures", "measures", MEASURES, most=10, refused=_refused)
