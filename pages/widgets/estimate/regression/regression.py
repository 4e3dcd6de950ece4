"""The parts of the page under its pictures."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from evalcore import analyses
from evalcore.figures import ForestLine, error_histogram, quantile_plot, quantile_reliability, tolerance_figure
from evalcore.inference import METHODS
from evalcore.readers import EndColumns
from evalcore.registry import METRICS
from evalcore.wording import Column, count_text, number_text, one_line, plain, share_text, threshold_text
from pages.widgets.controls.fields import beside, bound, choose_key, segmented
from pages.widgets.controls.intervals import choose_two
from pages.widgets.display.drawer import open_rows, opened_place, show_drawer
from pages.widgets.display.figure import page_ink, show_figure, show_frame, show_table
from pages.widgets.display.measures import show_forest, show_pairs
from pages.widgets.display.page import show_folds
from pages.widgets.estimate.losses.losses import show_losses
from pages.widgets.estimate.regression.errors import show_cloud, show_density_note
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links

_UNITS = ["in the unit of the truth", "in percent of the truth"]


def choose_tolerance(estimates: analyses.EstimateRows) -> tuple[float, bool]:
    """Ask how far off a right estimate may be, and whether that is a share of the truth."""
    relative = segmented("Tolerance", _UNITS, "tolerance_unit") == _UNITS[1]
    usual = 10.0 if relative else analyses.Tolerance.usual(estimates)
    key = "tolerance_percent" if relative else "tolerance"
    size = address.number(key, usual, 0.0, 1e300)
    size = bound(
        st.number_input, "An estimate is right within ±", key, size, 0.0, None, None, None, format="%.6g", width=240
    )
    size = usual if size is None else size
    return size / 100 if relative else size, relative


def show_decision(regression: analyses.Regression) -> analyses.Tolerance:
    """Ask for a tolerance and show how many rows are right; ask for a limit and link to the threshold page."""
    estimates, state = regression.estimates, regression.estimates.state
    picture, asked = st.columns([3, 2], gap="large")
    with asked:
        st.markdown("**Right within a tolerance**")
        tolerance = analyses.Tolerance(estimates, *choose_tolerance(estimates), regression.settings.level)
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
        link = None if least is None else analyses.classes_of(estimates, float(least))
        if link is None:
            st.caption("All true numbers lie on one side of this limit.")
        else:
            label = f"Set a threshold for truth ≥ {threshold_text(least)}"
            st.page_link("pages/classify/threshold.py", label=label, icon=":material/tune:", query_params=link)
    return tolerance


def show_intervals(regression: analyses.Regression) -> analyses.IntervalCoverage:
    """Ask for the ends and the level they claim, and show what lies inside."""
    estimates = regression.estimates
    coverage = analyses.IntervalCoverage(estimates, choose_ends(estimates), regression.settings.level)
    st.markdown(with_links(coverage.verdict))
    numbers, parts = st.columns(2, gap="large")
    with numbers:
        show_table(coverage.heads, coverage.rows)
        st.caption(with_links(coverage.note))
    with parts:
        st.markdown("**From narrow to wide intervals** :small[:gray[coverage should be the same in all]]")
        shown = dict.fromkeys(("coverage", "low", "high"), Column(share_text))
        shown |= dict.fromkeys(("width from", "width to"), Column(number_text))
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
            shown = dict.fromkeys(("quantile", "observed", "low", "high"), Column(share_text))
            show_frame(frame, "quantiles", "Each quantile", shown | {"pinball loss": Column(number_text)})
    return coverage


def choose_ends(estimates: analyses.EstimateRows) -> EndColumns:
    """The ends of the address, else those that names tell, else the first two columns of numbers."""
    names = analyses.IntervalCoverage.candidates(estimates)
    found = analyses.IntervalCoverage.found(estimates)
    usual = found[0] if found else EndColumns(names[0], names[-1])
    with beside("interval-settings"):
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


_comparison = cache(lambda *parts: analyses.EstimateComparison(*parts), 32)
_MEASURES = {key: METRICS[key].name for key in analyses.COMPARED_BY}


def show_systems(regression: analyses.Regression) -> analyses.EstimateComparison:
    """Choose B and show the comparison with the open system."""
    comparison = _choose_pair(regression)
    st.markdown(with_links(comparison.verdict))
    if comparison.order_verdict:
        st.markdown(with_links(comparison.order_verdict))
    several = len(comparison.pairs) > 1
    picture, more = st.columns(2, gap="large")
    with picture:
        st.markdown("**B minus A** :small[:gray[● excludes 0 · ○ includes 0]]")
        lines = [ForestLine(one, one.heading, one.excludes_none) for one in comparison.main]
        sides = analyses.difference_sides([one.measure for one in comparison.main])
        show_forest(lines, sides, "difference in the unit of the truth", "forest", "Differences of B minus A")
    if several:
        with more:
            st.markdown("**A against all others** :small[:gray[● beyond chance]]")
            show_pairs(comparison.pairs, comparison.level, comparison.b, False, analyses.Margin())
    heads = analyses.difference_heads(comparison.level, True)
    show_table(heads, analyses.difference_rows(comparison.differences, comparison.level, True), "differences")
    st.caption(with_links(comparison.note))
    return comparison


def _choose_pair(regression: analyses.Regression) -> analyses.EstimateComparison:
    source, a = regression.estimates.source, regression.estimates.system
    with beside("compare-settings"):
        chosen = (a, *choose_other(source.systems, a), regression.settings)
    return _comparison((source.key, *chosen), source, *chosen)


def choose_other(systems: Sequence[str], a: str) -> tuple[str, str, str]:
    """Ask for B, the measure of the verdict and the correction of p-values."""
    b = choose_two(systems, a, "system", 210)
    by = choose_key("Better by", "error_by", _MEASURES, width=200)
    with st.popover("Tests", width="content"):
        return b, by, choose_key("Correction", "error_correction", METHODS)


_SETTINGS = ("tolerance", "tolerance_percent", "limit", "end_low", "end_high", "nominal", "column", "other")

_SETTINGS += ("error_by", "error_correction")
"""What the parts keep in the address, also while another one is open."""


def show_parts(regression: analyses.Regression) -> Mapping[str, Any]:
    """The folds; the name of the open one with its analysis, if that has a table and code of its own to take away."""
    for key in _SETTINGS:
        address.text(key)
    estimates = regression.estimates
    parts = {
        "Distribution": lambda: _show_distribution(estimates),
        "Bland–Altman": lambda: _show_agreement(estimates, regression.settings.level),
    }
    if len(analyses.IntervalCoverage.candidates(estimates)) > 1:
        parts["Prediction intervals"] = lambda: show_intervals(regression)
    parts["Decision"] = lambda: show_decision(regression)
    if len(estimates.source.systems) > 1:
        parts["Compare systems"] = lambda: show_systems(regression)
    parts["Losses"] = lambda: show_losses(estimates)
    if analyses.other_columns(estimates):
        parts["Other columns"] = lambda: _show_columns(estimates)
    if estimates.source.roles.get("group") is not None:
        parts["Groups"] = lambda: _show_groups(analyses.ErrorGroups(estimates, regression.settings.level))
    part, analysis = show_folds("estimate/regression", parts)
    return {} if analysis is None else {part: analysis}


def _show_distribution(estimates: analyses.EstimateRows) -> None:
    """Histogram, quantile plot and scale–location."""
    errors = analyses.ErrorDistribution(estimates)
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
        "Heavy tails bend the quantiles up at the right and down at the left. If the size of the error rises, larger "
        "estimates are less certain, and no interval of one width fits all rows."
    )


def _show_agreement(estimates: analyses.EstimateRows, level: float) -> analyses.AgreementLimits:
    """Error over the mean of both, with the limits of agreement."""
    agreement = analyses.AgreementLimits(estimates, level)
    st.markdown(with_links(agreement.verdict))
    limits = agreement.limits
    picture, numbers = st.columns([3, 2], gap="large")
    with picture:
        lines = (limits.lower, limits.bias, limits.upper)
        show_cloud(estimates, "difference", "**Error over the mean of both** :small[:gray[bands: intervals]]", lines)
        show_density_note(estimates)
    with numbers:
        show_table(agreement.heads, agreement.rows)
        st.caption(agreement.note)
    return agreement


def _show_columns(estimates: analyses.EstimateRows) -> None:
    """The error over a column that is chosen."""
    columns = analyses.other_columns(estimates)
    chosen = address.choice("column", columns, columns[0])
    bound(st.selectbox, "Column", "column", chosen, columns, format_func=one_line, width=260)
    cloud = show_cloud(estimates, analyses.column_key(chosen), f"**Error over {plain(chosen, 40)}**")
    more = " The largest categories are drawn." if cloud.categories else ""
    st.caption(f"Where the line is far from 0, estimates are too high or too low.{more}")
    show_density_note(estimates)


def _show_groups(groups: analyses.ErrorGroups) -> analyses.ErrorGroups:
    """A row per group."""
    st.markdown(with_links(groups.verdict))
    frame = pd.DataFrame(groups.table)
    frame["group"] = [one_line(name) for name in frame["group"]]
    columns = dict.fromkeys(frame.columns[2:], Column(number_text)) | {"rows": Column(count_text)}
    pick = lambda row: open_rows("group", str(row))  # noqa: E731
    show_frame(frame, "groups of errors", "The main measures in each group", columns, pick=pick)
    place = opened_place("group", len(groups.groups.names))
    show_drawer(None if place is None else groups.groups.selection(place))
    st.caption(with_links(groups.note))
    return groups
