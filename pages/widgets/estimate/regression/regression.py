"""Estimates on the page: what is open, its settings, the clouds of points, the measures, and the parts under them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from evalcore import analyses, figures
from evalcore.figures import HUES, OUTCOMES, ForestLine, cloud_figure, error_histogram, quantile_plot
from evalcore.inference import METHODS, Interval
from evalcore.readers import EndColumns, kinds_on
from evalcore.registry import METRICS
from evalcore.wording import Column, count_text, number_text, one_line, plain, share_text, signed, threshold_text
from pages.widgets.controls.fields import beside, bound, choose, choose_key, number, segmented
from pages.widgets.controls.intervals import choose_level, choose_two
from pages.widgets.display.drawer import open_rows, opened_group, opened_rows, show_drawer
from pages.widgets.display.figure import ELEMENT, PICTURE, component, page_ink, show_figure, show_frame, show_table
from pages.widgets.display.measures import fold_of_measures, search_measures, show_forest, show_found, show_pairs
from pages.widgets.display.page import show_folds, statistics
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links
from pages.widgets.session.page_exit import need

_rows = cache(analyses.EstimateRows.of, 8, "Reading the estimates …")
_regression = cache(lambda *parts: analyses.Regression(*parts), 32)
_NO_ORDER = "-"


def open_estimates() -> analyses.EstimateRows:
    """The rows of the chosen system; ends the page where the open data has no estimates."""
    current = need(kinds_on("estimate/regression"), "a true number and an estimate in each row")
    return _rows(current.key, current)


def choose_error_settings(estimates: analyses.EstimateRows, level: float | None = None) -> analyses.ErrorSettings:
    """Ask for the numbers that some measures take, and under *Statistics* for the level too, which a report knows."""
    usual = analyses.ErrorSettings()
    with statistics() if level is None else st.popover("Settings", icon=":material/tune:"):
        level = level or choose_level()
        tau = number(
            "τ of the pinball loss", "tau", 0.001, 0.999, usual.tau, 0.05, "%.3g",
            help="The quantile that is estimated: at 0.9, nine in ten true numbers should lie below the estimate",
        )  # fmt: skip
        power = number(
            "Power of the Tweedie deviance", "power", 1.0, 3.0, usual.power, 0.1, "%.3g",
            help="How the variance grows with the mean: 1 Poisson, 2 gamma, 3 inverse Gaussian",
        )  # fmt: skip
        predictors = number(
            "Predictors of the model", "predictors", 0.0, 1e6, float(usual.predictors), 1.0, "%.0f",
            help="For the adjusted R² of a model that was fitted on these rows",
        )  # fmt: skip
        order, horizon = _choose_order(estimates)
    return analyses.ErrorSettings(level, tau, power, round(predictors), order, horizon)


def _choose_order(estimates: analyses.EstimateRows) -> tuple[str | None, int]:
    """Ask whether rows are in the order of time, and how far forecasts look ahead."""
    orders = {_NO_ORDER: "rows have no order", "file": "as in the file"}
    orders |= {f"column {name}": one_line(name) for name in analyses.order_columns(estimates.source)}
    words = "For MASE and for the Diebold–Mariano test of two systems"
    order = choose_key("Rows in time order", "row_order", orders, help=words)
    if order == _NO_ORDER:
        return None, 1
    numbers = sorted({1, 2, 3, 4, 6, 12, 24, round(address.number("horizon", 1, 1, 1000) or 1)})
    steps = choose_key("Steps ahead", "horizon", {str(number): str(number) for number in numbers})
    return "" if order == "file" else order.removeprefix("column "), int(steps)


def regression_of(estimates: analyses.EstimateRows, settings: analyses.ErrorSettings) -> analyses.Regression:
    """All measures of a system; kept by data set and settings."""
    return _regression((estimates.key, settings), estimates, settings)


def show_errors(regression: analyses.Regression) -> None:
    """All measures in a folded table with a search over every name they go by."""
    # Old links open it as a part of the page, or search in it.
    asked = address.page_text("regression_part", ["All measures"]) or st.query_params.get("search_errors")
    st.session_state.setdefault("all measures", bool(asked))
    with fold_of_measures(len(regression.settings.measures)) as fold:
        if not fold.open:
            return
        text = search_measures("search_errors", "Search by any name: RMSE, bias, R2 …", width=320)
        show_found(regression.heads, regression.rows(text), "measures")
        st.caption(with_links(" ".join([*regression.remarks, regression.interval_note])))


_BRUSH, _WORST = "brush", "worst"
_WAYS = ["drag a rectangle", "click a point"]
_cloud = cache(analyses.cloud_of, 32)
_largest = cache(analyses.RowsOfErrors.worst, 2)  # for each of the clouds and for the drawer
_figure = cache(lambda *parts: cloud_figure(*parts), 48)


def show_clouds(regression: analyses.Regression) -> None:
    """Truth against the estimate; beside it the main numbers, and the error against the estimate."""
    estimates = regression.estimates
    # The pictures cannot take rectangles and clicks at once.
    with st.container(horizontal=True, vertical_alignment="bottom"):
        segmented("Choose rows", _WAYS, "way")
        if not estimates.source.dataset.is_counted:
            icon = ":material/right_panel_open:"
            st.button("Worst rows", key="worst rows", icon=icon, type="tertiary", on_click=open_rows, args=(_WORST,))
    picture, numbers = st.columns([6, 5], gap="large")
    with picture:
        show_cloud(estimates, "truth", "**Truth against estimate** :small[:gray[dotted: equal]]", height=530)
    with numbers:
        show_table(regression.heads[:3], regression.main)
        show_cloud(estimates, "error", "**Error against estimate** :small[:gray[line: mean]]", height=320)
    show_density_note(estimates)


def show_density_note(estimates: analyses.EstimateRows) -> None:
    """What is drawn where rows are many."""
    if _cloud((estimates.key, "truth"), estimates, "truth").is_density:
        of = "all cells they were counted in" if estimates.source.dataset.is_counted else "every row"
        st.caption(f"Density of {count_text(estimates.state.total)} rows; numbers are of {of}.")


def show_cloud(
    estimates: analyses.EstimateRows, name: str, words: str, lines: Sequence[Interval] = (), **look: object
) -> analyses.Cloud:
    """One picture under its title; what is clicked or brushed goes into the address."""
    st.markdown(words)
    cloud, key = _cloud((estimates.key, name), estimates, name), f"cloud-{name}"
    ink, brush = page_ink(), _brush()
    own = brush if brush is not None and brush.cloud == name else None
    worst, way = _worst(estimates), "pan" if st.session_state.get("way") == _WAYS[1] else "select"
    made_of = estimates.key, name, ink, own, worst is not None, tuple(map(str, lines)), way
    drawn = _figure(made_of, cloud, estimates, ink, own or worst, tuple(lines), way)

    def put() -> None:
        selection = st.session_state[key].selection
        # An empty selection leaves the last one.
        if (brush := analyses.brush_of_selection(cloud, selection["points"], selection["box"])) is not None:
            open_rows(_BRUSH, *brush.text.split("~", 4))

    alt, look = f"{plain(cloud.titles[1])} over {plain(cloud.titles[0])}, one point per row", {"on_select": put} | look
    show_figure(drawn, key, alt, filename=name.partition(":")[0], selection_mode=("points", "box"), **look)
    return cloud


def _brush() -> analyses.Brush | None:
    """The rectangle whose rows are open."""
    return analyses.Brush.read("~".join(opened_rows(_BRUSH, 5) or ()))


def _worst(estimates: analyses.EstimateRows) -> analyses.RowsOfErrors | None:
    """The rows with the largest errors, if they are open."""
    if opened_rows(_WORST, 0) is None:
        return None
    return _largest(estimates.key, estimates, max(20, len(estimates.rows) // 100))


def show_rows(estimates: analyses.EstimateRows) -> None:
    """The rows of the last brush, whichever picture it is in, or those with the largest errors."""
    rows, brush = _worst(estimates), _brush()
    if brush is not None and (cloud := analyses.cloud_of(estimates, brush.cloud)) is not None:
        rows = analyses.RowsOfErrors.within(estimates, cloud, brush)
    looks = {
        "error": Column(signed(number_text), help="Estimate minus truth"),
        "share of SSE": Column(share_text, title="share", help="Of the sum of squared errors of all rows"),
        estimates.truth: Column(title="truth", help=estimates.truth),
        estimates.system: Column(title="estimate", help=estimates.system),
    }
    show_drawer(rows and rows.selection, looks=looks)


_UNITS = ["in the unit of the truth", "in percent of the truth"]


def choose_tolerance(estimates: analyses.EstimateRows) -> tuple[float, bool]:
    """Ask how far off a right estimate may be, and whether that is a share of the truth."""
    relative = segmented("Tolerance", _UNITS, "tolerance_unit") == _UNITS[1]
    key, usual = ("tolerance_percent", 10.0) if relative else ("tolerance", analyses.Tolerance.usual(estimates))
    size, look = address.number(key, usual, 0.0, 1e300), {"format": "%.6g", "width": 240}
    size = bound(st.number_input, "An estimate is right within ±", key, size, 0.0, None, None, None, **look)
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
        alt = "Share of right rows over the tolerance"
        show_figure(figures.tolerance_figure(tolerance, page_ink()), "tolerance", alt)
    with asked:
        st.markdown("**A limit makes two classes**")
        least, look = address.number("limit", state.quantile(state.truth), -1e300, 1e300), {"format": "%.6g"}
        words = "Positive if the truth is at least"
        least = bound(st.number_input, words, "limit", least, None, None, None, None, width=240, **look)
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
        show_table(*coverage.rows)
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
            figure = figures.quantile_reliability(coverage.quantiles, page_ink())
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
        look = {"format_func": one_line, "width": 200}
        low = choose("Low end", "end_low", names, usual.low, **look)
        high = choose("High end", "end_high", names, usual.high, **look)
        pair = next((one for one in found if (one.low, one.high) == (low, high)), usual)
        level, look = address.number("nominal", pair.level, 0.01, 0.999), {"format": "%.3g", "width": 150}
        level = bound(st.number_input, "Claimed coverage", "nominal", level, 0.01, 0.999, None, 0.05, **look)
    return EndColumns(low, high, level or usual.level)


_comparison = cache(lambda *parts: analyses.EstimateComparison(*parts), 32)
_MEASURES = {key: METRICS[key].name for key in analyses.COMPARED_BY}


def show_systems(regression: analyses.Regression) -> analyses.EstimateComparison:
    """Choose B and show the comparison with the open system."""
    source, a = regression.estimates.source, regression.estimates.system
    with beside("compare-settings"):
        chosen = (a, *choose_other(source.systems, a), regression.settings)
    comparison = _comparison((source.key, *chosen), source, *chosen)
    st.markdown(with_links(comparison.verdict))
    if comparison.order_verdict:
        st.markdown(with_links(comparison.order_verdict))
    picture, more = st.columns(2, gap="large")
    with picture:
        st.markdown("**B minus A** :small[:gray[● excludes 0 · ○ includes 0]]")
        lines = [ForestLine(one, one.heading, one.excludes_none) for one in comparison.main]
        sides = analyses.difference_sides([one.measure for one in comparison.main])
        show_forest(lines, sides, "difference in the unit of the truth", "forest", "Differences of B minus A")
    if len(comparison.pairs) > 1:
        with more:
            st.markdown("**A against all others** :small[:gray[● beyond chance]]")
            show_pairs(comparison.pairs, comparison.level, comparison.b, False, analyses.Margin())
    show_table(*analyses.difference_rows(comparison.differences, comparison.level, True), "differences")
    st.caption(with_links(comparison.note))
    return comparison


def choose_other(systems: Sequence[str], a: str) -> tuple[str, str, str]:
    """Ask for B, the measure of the verdict and the correction of p-values."""
    b = choose_two(systems, a, "system", 210)
    by = choose_key("Better by", "error_by", _MEASURES, width=200)
    with st.popover("Tests", width="content"):
        return b, by, choose_key("Correction", "error_correction", METHODS)


_SETTINGS = (
    *("tolerance", "tolerance_percent", "limit", "end_low", "end_high", "nominal", "column", "other", "error_by"),
    "error_correction",
)
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
    parts["Losses"] = lambda: _show_losses(estimates)
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
        alt = f"Histogram of the errors. {errors.verdict}"
        show_figure(error_histogram(errors, page_ink()), "error-histogram", alt)
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
    limits = agreement.limits
    st.markdown(with_links(agreement.verdict))
    picture, numbers = st.columns([3, 2], gap="large")
    with picture:
        lines = (limits.lower, limits.bias, limits.upper)
        show_cloud(estimates, "difference", "**Error over the mean of both** :small[:gray[bands: intervals]]", lines)
        show_density_note(estimates)
    with numbers:
        show_table(*agreement.rows)
        st.caption(agreement.note)
    return agreement


def _show_columns(estimates: analyses.EstimateRows) -> None:
    """The error over a column that is chosen."""
    columns = analyses.other_columns(estimates)
    chosen = choose("Column", "column", columns, columns[0], format_func=one_line, width=260)
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
    column, names = groups.estimates.source.roles.get("group"), groups.groups.names
    pick = lambda row: open_rows("group", column, names[row])  # noqa: E731
    show_frame(frame, "groups of errors", "The main measures in each group", columns, pick=pick)
    place = opened_group(column, names)
    show_drawer(None if place is None else groups.groups.selection(place))
    st.caption(with_links(groups.note))
    return groups


_COMPONENT = component("outlier", __file__, ELEMENT, PICTURE, "outlier.js")
_LOOKS = {
    "squared": ("mean (squared)", 0, ""), "absolute": ("median (absolute)", 1, "8 4"), "huber": ("Huber", 4, "2 3"),
    "quantile": ("quantile", 6, "10 3 2 3"), "poisson": ("mean (Poisson)", 2, "4 8"), "logistic": ("logistic", 0, ""),
    "hinge": ("hinge", 1, "8 4"), "exponential": ("exponential", 4, "2 3"),
}  # fmt: skip
"""What the constant of each loss is called in the picture, the number of its colour, and its dashes."""


def _show_losses(estimates: analyses.EstimateRows) -> analyses.BestConstants:
    """The part of the page: settings, the outlier, the table of constants, and the curves."""
    with beside("loss-settings"):
        tau = st.slider(
            "τ of the quantile loss", 0.05, 0.95, 0.75, 0.05, key="loss_tau", bind="query-params", width=240
        )
        delta = number(
            "δ of the Huber loss", "loss_delta", 0.0, None, None, None, "%.4g", width=190,
            placeholder="1.345 × sd", help="Errors up to δ count by their square, larger ones linearly",
        )  # fmt: skip
        limit = number(
            "Limit of the two classes", "loss_limit", None, None, None, None, "%.6g", width=210,
            placeholder="third quartile", help="True numbers from this limit on are y = +1, those below it y = −1",
        )  # fmt: skip
    outlier = address.number("outlier", None, -1e300, 1e300)
    setting = analyses.LossSetting(tau if 0 < tau < 1 else 0.75, delta or None, outlier, limit)
    constants = analyses.BestConstants(estimates, setting)
    st.markdown(with_links(constants.verdict))
    picture, numbers = st.columns([3, 2], gap="large")
    with picture:
        _show_outlier(constants)
    with numbers:
        show_table(*constants.rows)
    family = segmented("Curves", ["of the error", "of the margin", "of counts"], "loss_family")
    show_figure(figures.loss_curves_figure(family, setting.tau, page_ink()), "loss-curves", f"Loss curves {family}")
    for _, formula, words in constants.formulas_of(family):
        st.caption(f"{formula} · {words}")
    return constants


def _show_outlier(constants: analyses.BestConstants) -> None:
    colours = page_ink()
    losses = {
        key: {"name": name, "colour": colours.system(nth), "dash": dash} for key, (name, nth, dash) in _LOOKS.items()
    }
    inks = {"text": colours.text, "grey": colours.grey, "paper": colours.paper, "outlier": OUTCOMES["fn"]}
    _COMPONENT("outlier-drag", constants.sent | {"losses": losses, "colours": inks}, outlier=_put_outlier)
    st.caption(
        "Each curve is the mean loss of a constant, scaled to its own height; the lowest point is the best constant. "
        f"Ticks are the true numbers. Drag the {HUES['wrong']} point, or move it with the arrow keys. Poisson loss "
        "needs numbers from 0, the lower losses two classes: y = +1 from the limit on, −1 below it."
    )


def _put_outlier(outlier: object) -> None:
    if isinstance(outlier, (int, float)) and math.isfinite(outlier):
        address.put("outlier", float(f"{outlier:.6g}"))
