"""Two systems of estimates on the same rows."""

from collections.abc import Sequence

import streamlit as st

from evalcore.analyses import (
    COMPARED_BY,
    EstimateComparison,
    Margin,
    Regression,
    difference_heads,
    difference_rows,
    difference_sides,
)
from evalcore.figures import ForestLine
from evalcore.inference import METHODS
from evalcore.registry import METRICS

from ...controls.bound import choose_key
from ...controls.two_systems import choose_two
from ...display.paired_comparison import show_comparison_style, show_forest, show_pairs
from ...display.table import show_table
from ...session.cache import cache
from ...session.entry_links import with_links

_comparison = cache(lambda *parts: EstimateComparison(*parts), 32)
_MEASURES = {key: METRICS[key].name for key in COMPARED_BY}


def show_systems(regression: Regression) -> EstimateComparison:
    """Choose B and show the comparison with the open system."""
    comparison = _choose(regression)
    show_comparison_style()
    st.markdown(with_links(comparison.verdict))
    if comparison.order_verdict:
        st.markdown(with_links(comparison.order_verdict))
    several = len(comparison.pairs) > 1
    picture, more = st.columns(2, gap="large")
    with picture:
        st.markdown("**B minus A** :small[:gray[● excludes 0 · ○ includes 0]]")
        lines = [ForestLine(one, one.heading, one.excludes_none) for one in comparison.main]
        sides = difference_sides([one.measure for one in comparison.main])
        show_forest(lines, sides, "difference in the unit of the truth", "forest", "Differences of B minus A")
    if several:
        with more:
            st.markdown("**A against all others** :small[:gray[● beyond chance]]")
            show_pairs(comparison.pairs, comparison.level, comparison.b, False, Margin())
    heads = difference_heads(comparison.level, True)
    show_table(heads, difference_rows(comparison.differences, comparison.level, True), "differences")
    st.caption(with_links(comparison.note))
    return comparison


def _choose(regression: Regression) -> EstimateComparison:
    source, a = regression.estimates.source, regression.estimates.system
    with st.container(key="compare-settings", horizontal=True, vertical_alignment="bottom"):
        chosen = (a, *choose_other(source.systems, a), regression.settings)
    return _comparison((source.key, *chosen), source, *chosen)


def choose_other(systems: Sequence[str], a: str) -> tuple[str, str, str]:
    """Ask for B, the measure of the verdict and the correction of p-values."""
    b = choose_two(systems, a, "system", 210)
    by = choose_key("Better by", "error_by", _MEASURES, width=200)
    with st.popover("Tests", width="content"):
        return b, by, choose_key("Correction", "error_correction", METHODS)
