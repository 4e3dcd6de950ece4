"""Whether queries or systems vary more, and how many queries show a difference."""

import pandas as pd
import streamlit as st

from evalcore.analyses import QueryVariance, RankingComparison
from evalcore.figures import power_figure, query_spread_figure
from evalcore.wording import count_text, number_text

from ...controls.bound import bound
from ...display.figure import page_ink, show_figure
from ...display.table import show_frame
from ...session import address
from ...session.entry_links import with_links

_LEAST, _MOST = 1e-6, 1e6


def chosen_variance(comparison: RankingComparison) -> QueryVariance:
    """With the difference of the address, whether the tab is open or not."""
    return QueryVariance(comparison, address.number("detect", None, _LEAST, _MOST))


def show_query_variance(comparison: RankingComparison) -> None:
    """The spread of queries and systems, and the power over the number of queries."""
    variance, colours = chosen_variance(comparison), page_ink()
    if variance.parts is None:
        st.caption("One query shows no variance. Open judgments of at least two.")
        return
    heading = comparison.heading
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Do queries or systems vary more?**")
        about = f"{heading} of every query and system, the queries in the order of their mean"
        show_figure(query_spread_figure(variance, colours), "query spread", about, filename="query spread")
        st.markdown(with_links(variance.variance_verdict))
        digits = dict.fromkeys(("variance", "standard deviation"), st.column_config.NumberColumn(format="%.4f"))
        show_frame(
            pd.DataFrame(variance.table), "variance", "Variance between queries, between systems, and of what is left",
            digits | {"share": st.column_config.NumberColumn(format="percent")},
        )  # fmt: skip
    with right:
        st.markdown("**How many queries show a difference?**")
        bound(
            st.number_input, "Difference to detect", "detect", variance.difference or _LEAST, _LEAST, _MOST, None, 0.01,
            format="%.4g", width=200, help=f"At first that between A and B here, {number_text(variance.found)}. An "
            "observed difference is itself uncertain, so rather type the smallest one that would matter.",
        )  # fmt: skip
        show_figure(
            power_figure(variance, colours), "power",
            f"Power over the number of queries, {count_text(variance.queries)} of which are here", filename="power",
        )  # fmt: skip
        st.caption("● the queries here · ◇ queries needed · dashed: a power of 80 %")
        st.markdown(with_links(variance.verdict))
    with st.expander("Formulas of variance and power"):
        st.markdown(variance.formulas)
