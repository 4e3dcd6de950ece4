"""Prediction intervals on the page: which columns are their ends, coverage, and the quantiles one by one."""

import pandas as pd
import streamlit as st

from evalcore.analyses import EstimateRows, IntervalCoverage, Regression
from evalcore.figures import quantile_reliability
from evalcore.readers import EndColumns
from evalcore.wording import one_line

from ...controls.bound import bound
from ...display.figure import page_ink, show_figure
from ...display.table import show_frame, show_table
from ...session import address
from ...session.entry_links import with_links


def show_intervals(regression: Regression) -> IntervalCoverage:
    """Ask for the ends and the level they claim, and show what lies inside."""
    estimates = regression.estimates
    coverage = IntervalCoverage(estimates, choose_ends(estimates), regression.settings.level)
    st.markdown(with_links(coverage.verdict))
    numbers, parts = st.columns(2, gap="large")
    with numbers:
        show_table(coverage.heads, coverage.rows)
        st.caption(with_links(coverage.note))
    with parts:
        st.markdown("**From narrow to wide intervals** :small[:gray[coverage should be the same in all]]")
        number = st.column_config.NumberColumn
        shown = dict.fromkeys(("coverage", "low", "high"), number(format="percent"))
        shown |= dict.fromkeys(("width from", "width to"), number(format="%.4g"))
        show_frame(pd.DataFrame(coverage.by_width), "coverage by width", "Coverage by the width of intervals", shown)
    if coverage.quantiles:
        picture, words = st.columns(2, gap="large")
        with picture:
            st.markdown("**Reliability of the quantiles** :small[:gray[on the line: as claimed]]")
            figure = quantile_reliability(coverage.quantiles, page_ink())
            show_figure(figure, "quantile-reliability", "Observed over claimed quantiles")
        with words:
            st.markdown(with_links(coverage.quantile_verdict))
            frame = pd.DataFrame(coverage.table)
            frame["column"] = [one_line(name) for name in frame["column"]]
            shown = dict.fromkeys(("quantile", "observed", "low", "high"), number(format="percent"))
            show_frame(frame, "quantiles", "Each quantile", shown | {"pinball loss": number(format="%.4g")})
    return coverage


def choose_ends(estimates: EstimateRows) -> EndColumns:
    """The ends of the address, else those that names tell, else the first two columns of numbers."""
    names = IntervalCoverage.candidates(estimates)
    found = IntervalCoverage.found(estimates)
    usual = found[0] if found else EndColumns(names[0], names[-1])
    with st.container(key="interval-settings", horizontal=True, vertical_alignment="bottom"):
        ends = []
        for word, start in (("low", usual.low), ("high", usual.high)):
            chosen = address.choice(f"end_{word}", names, start)
            label = f"{word.capitalize()} end"
            ends.append(bound(st.selectbox, label, f"end_{word}", chosen, names, format_func=one_line, width=200))
        pair = next((one for one in found if [one.low, one.high] == ends), None)
        level = address.number("nominal", (pair or usual).level, 0.01, 0.999)
        level = bound(
            st.number_input, "Claimed coverage", "nominal", level, 0.01, 0.999, None, 0.05, format="%.3g", width=150
        )
    return EndColumns(ends[0], ends[1], level or usual.level)
