"""Estimates turned into decisions: the tolerance, and the limit that opens them as a classification."""

import streamlit as st

from evalcore.analyses import EstimateRows, Regression, Tolerance, classes_of
from evalcore.figures import tolerance_figure
from evalcore.wording import threshold_text

from ...controls.bound import bound, segmented
from ...display.figure import page_ink, show_figure
from ...session import address
from ...session.entry_links import with_links

_UNITS = ["in the unit of the truth", "in percent of the truth"]


def choose_tolerance(estimates: EstimateRows) -> tuple[float, bool]:
    """Ask how far off a right estimate may be, and whether that is a share of the truth."""
    relative = segmented("Tolerance", _UNITS, "tolerance_unit") == _UNITS[1]
    usual = 10.0 if relative else Tolerance.usual(estimates)
    key = "tolerance_percent" if relative else "tolerance"
    size = address.number(key, usual, 0.0, 1e300)
    size = bound(
        st.number_input, "An estimate is right within ±", key, size, 0.0, None, None, None, format="%.6g", width=240
    )
    size = usual if size is None else size
    return size / 100 if relative else size, relative


def show_decision(regression: Regression) -> Tolerance:
    """Ask for a tolerance and show how many rows are right; ask for a limit and link to the threshold page."""
    estimates, state = regression.estimates, regression.estimates.state
    picture, asked = st.columns([3, 2], gap="large")
    with asked:
        st.markdown("**Right within a tolerance**")
        tolerance = Tolerance(estimates, *choose_tolerance(estimates), regression.settings.level)
    with picture:
        st.markdown(with_links(tolerance.verdict))
        show_figure(tolerance_figure(tolerance, page_ink()), "tolerance", "Share of right rows over the tolerance")
    with asked:
        st.markdown("**A limit makes two classes**")
        least = address.number("limit", state.quantile(state.truth), -1e300, 1e300)
        least = bound(
            st.number_input, "Positive if the truth is at least", "limit", least, None, None, None, None,
            format="%.6g", width=240,
        )  # fmt: skip
        link = None if least is None else classes_of(estimates, float(least))
        if link is None:
            st.caption("All rows are on one side of this limit. Choose one between the true numbers.")
        else:
            label = f"Set a threshold for truth ≥ {threshold_text(least)}"
            st.page_link("pages/classify/threshold.py", label=label, icon=":material/tune:", query_params=link)
            st.caption("The estimates are then scores: ROC curve, costs and goals say where to set the alarm.")
    return tolerance
