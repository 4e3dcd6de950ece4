"""The estimates that are open, what their measures are asked with, and the table of measures."""

import streamlit as st

from evalcore.analyses import ErrorSettings, EstimateRows, Regression, order_columns
from evalcore.readers import kinds_on
from evalcore.wording import one_line

from ...controls.bound import choose_key
from ...controls.intervals import choose_level
from ...display.table import show_table
from ...session import address
from ...session.cache import cache
from ...session.entry_links import with_links
from ...session.page_exit import need

_rows = cache(EstimateRows.of, 8, "Reading the estimates …")
_regression = cache(lambda *parts: Regression(*parts), 32)
_MOST_PREDICTORS = 1_000_000.0
_NO_ORDER, _FILE = "-", "file"


def open_estimates() -> EstimateRows:
    """The rows of the chosen system; ends the page where the open data has no estimates."""
    current = need(kinds_on("estimate/regression"), "a true number and an estimate in each row")
    return _rows(current.key, current)


def choose_error_settings(estimates: EstimateRows, level: float | None = None) -> ErrorSettings:
    """Ask for the numbers that some measures are asked with, and for the level of intervals unless it is known.

    They stay in the address.
    """
    usual = ErrorSettings()
    with st.popover("Settings", icon=":material/tune:"):
        level = level or choose_level()
        tau = st.number_input(
            "τ of the pinball loss", 0.001, 0.999, usual.tau, 0.05, "%.3g", key="tau", bind="query-params",
            help="The quantile that the estimates are meant to be: 0.9 should lie above nine in ten true numbers",
        )  # fmt: skip
        power = st.number_input(
            "Power of the Tweedie deviance", 1.0, 3.0, usual.power, 0.1, "%.3g", key="power", bind="query-params",
            help="How the variance grows with the mean: 1 Poisson, 2 gamma, 3 inverse Gaussian",
        )  # fmt: skip
        predictors = st.number_input(
            "Predictors of the model", 0.0, _MOST_PREDICTORS, float(usual.predictors), 1.0, "%.0f", key="predictors",
            bind="query-params", help="For the adjusted R² of a model that was fitted on these rows",
        )  # fmt: skip
        order, horizon = _choose_order(estimates)
    return ErrorSettings.checked(level, tau, power, predictors, order=order, horizon=horizon)


def _choose_order(estimates: EstimateRows) -> tuple[str | None, int]:
    """Ask whether rows are in the order of time, and how far forecasts look ahead."""
    orders = {_NO_ORDER: "rows have no order", _FILE: "as in the file"}
    orders |= {f"column {name}": one_line(name) for name in order_columns(estimates.source)}
    words = "For MASE and for the Diebold–Mariano test of two systems"
    order = choose_key("Rows in time order", "row_order", orders, help=words)
    if order == _NO_ORDER:
        return None, 1
    numbers = sorted({1, 2, 3, 4, 6, 12, 24, round(address.number("horizon", 1, 1, 1000) or 1)})
    steps = choose_key("Steps ahead", "horizon", {str(number): str(number) for number in numbers})
    return "" if order == _FILE else order.removeprefix("column "), int(steps)


def regression_of(estimates: EstimateRows, settings: ErrorSettings) -> Regression:
    """All measures of a system; kept by data set and settings."""
    return _regression((estimates.key, settings), estimates, settings)


def show_errors(regression: Regression) -> None:
    """All measures in a table with a search over every name they go by."""
    text = st.text_input(
        "Search", placeholder="Search by any name: RMSE, bias, R2 …", label_visibility="collapsed",
        key="search_errors", bind="query-params", width=320,
    )  # fmt: skip
    rows = regression.rows(text or "")
    if rows:
        show_table(regression.heads, rows, "measures")
    else:
        st.caption("No measure has that name.")
    for remark in regression.remarks:
        st.caption(remark)
    st.caption(with_links(regression.interval_note))
