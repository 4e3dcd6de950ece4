"""The parts of the page under its pictures, as tabs: only the one that is open is computed."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from evalcore.analyses import (
    AgreementLimits,
    ErrorDistribution,
    ErrorGroups,
    EstimateRows,
    IntervalCoverage,
    Regression,
    column_key,
    other_columns,
)
from evalcore.figures import error_histogram, quantile_plot
from evalcore.wording import one_line, plain

from ...controls.bound import bound
from ...display.figure import page_ink, show_figure
from ...display.table import show_frame, show_table
from ...session import address
from ...session.entry_links import with_links
from ..losses.losses import show_losses
from .decision import show_decision
from .errors import show_errors
from .intervals import show_intervals
from .pictures import click_words, show_cloud
from .rows import show_worst_rows
from .systems import show_systems

_SETTINGS = ("tolerance", "tolerance_percent", "limit", "end_low", "end_high", "nominal", "column", "other")
_SETTINGS += ("error_by", "error_correction")
"""What the parts keep in the address, also while another one is open."""


def show_parts(regression: Regression) -> Mapping[str, Any]:
    """The tabs; the name of the open one with its analysis, if that has a table and code of its own to take away."""
    for key in _SETTINGS:
        address.text(key)
    estimates, counted = regression.estimates, regression.estimates.source.dataset.is_counted
    parts = {
        "All measures": lambda: show_errors(regression),
        **({} if counted else {"Worst rows": lambda: show_worst_rows(estimates)}),
        "Distribution": lambda: _show_distribution(estimates),
        "Bland–Altman": lambda: _show_agreement(estimates, regression.settings.level),
    }
    if len(IntervalCoverage.candidates(estimates)) > 1:
        parts["Prediction intervals"] = lambda: show_intervals(regression)
    parts["Decision"] = lambda: show_decision(regression)
    if len(estimates.source.systems) > 1:
        parts["Compare systems"] = lambda: show_systems(regression)
    parts["Losses"] = lambda: show_losses(estimates)
    if other_columns(estimates):
        parts["Other columns"] = lambda: _show_columns(estimates)
    if estimates.source.roles.get("group") is not None:
        parts["Groups"] = lambda: _show_groups(ErrorGroups(estimates, regression.settings.level))
    tabs = st.tabs(list(parts), key="regression_part", on_change="rerun", bind="query-params")
    for tab, (part, show) in zip(tabs, parts.items(), strict=True):
        if tab.open:
            with tab:
                analysis = show()
                return {} if analysis is None else {part: analysis}
    return {}


def _show_distribution(estimates: EstimateRows) -> None:
    """Histogram, quantile plot and scale–location."""
    errors = ErrorDistribution(estimates)
    st.markdown(with_links(errors.verdict))
    histogram, quantiles, scale = st.columns(3, gap="medium")
    with histogram:
        st.markdown("**Errors** :small[:gray[line: normal]]")
        show_figure(
            error_histogram(errors, page_ink()), "error-histogram", f"Histogram of the errors. {errors.verdict}"
        )
    with quantiles:
        st.markdown("**Quantiles** :small[:gray[on the line: normal]]")
        show_figure(quantile_plot(errors, page_ink()), "error-quantiles", "Quantiles of the errors over normal ones")
    with scale:
        show_cloud(estimates, "scale", "**Size of the error** :small[:gray[flat: the same everywhere]]")
    st.caption(
        "A quantile plot that bends up at the right and down at the left has heavy tails. A rising line in the size of "
        "the error means that larger estimates are less certain, so one interval for all rows is wrong."
    )


def _show_agreement(estimates: EstimateRows, level: float) -> AgreementLimits:
    """Error over the mean of both, with the limits of agreement."""
    agreement = AgreementLimits(estimates, level)
    st.markdown(with_links(agreement.verdict))
    limits = agreement.limits
    picture, numbers = st.columns([3, 2], gap="large")
    with picture:
        lines = (limits.lower, limits.bias, limits.upper)
        show_cloud(estimates, "difference", "**Error over the mean of both** :small[:gray[bands: intervals]]", lines)
        st.caption(click_words(estimates))
    with numbers:
        show_table(agreement.heads, agreement.rows)
        st.caption(agreement.note)
    return agreement


def _show_columns(estimates: EstimateRows) -> None:
    """The error over a column that is chosen."""
    columns = other_columns(estimates)
    chosen = address.choice("column", columns, columns[0])
    bound(st.selectbox, "Column", "column", chosen, columns, format_func=one_line, width=260)
    cloud = show_cloud(estimates, column_key(chosen), f"**Error over {plain(chosen, 40)}**")
    more = "The largest categories are drawn. " if cloud.categories else ""
    st.caption(f"{more}{click_words(estimates)} A line far from 0 shows where estimates are too high or too low.")


def _show_groups(groups: ErrorGroups) -> ErrorGroups:
    """A row per group."""
    st.markdown(with_links(groups.verdict))
    frame = pd.DataFrame(groups.table)
    frame["group"] = [one_line(name) for name in frame["group"]]
    number = st.column_config.NumberColumn
    columns = {name: number(format="%.4g") for name in frame.columns[2:]}
    columns |= {"group": st.column_config.TextColumn(pinned=True), "rows": number(format="localized")}
    show_frame(frame, "groups of errors", "The main measures in each group", columns)
    st.caption(with_links(groups.note))
    return groups
