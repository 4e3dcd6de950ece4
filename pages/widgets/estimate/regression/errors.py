"""The estimates that are open, what their measures are asked with, and the table of measures."""

from collections.abc import Sequence

import streamlit as st

from evalcore import analyses
from evalcore.figures import cloud_figure
from evalcore.inference import Interval
from evalcore.readers import kinds_on
from evalcore.wording import Column, count_text, number_text, one_line, plain, share_text, signed
from pages.widgets.controls.fields import choose_key, number, segmented
from pages.widgets.controls.intervals import choose_level
from pages.widgets.display.drawer import open_rows, opened_rows, show_drawer
from pages.widgets.display.figure import page_ink, show_figure, show_table
from pages.widgets.display.measures import fold_of_measures, search_measures, show_found
from pages.widgets.display.page import statistics
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links
from pages.widgets.session.page_exit import need

_rows = cache(analyses.EstimateRows.of, 8, "Reading the estimates …")
_regression = cache(lambda *parts: analyses.Regression(*parts), 32)
_MOST_PREDICTORS = 1_000_000.0
_NO_ORDER, _FILE = "-", "file"


def open_estimates() -> analyses.EstimateRows:
    """The rows of the chosen system; ends the page where the open data has no estimates."""
    current = need(kinds_on("estimate/regression"), "a true number and an estimate in each row")
    return _rows(current.key, current)


def choose_error_settings(estimates: analyses.EstimateRows, level: float | None = None) -> analyses.ErrorSettings:
    """Ask for the numbers that some measures are asked with, and under *Statistics* for the level of intervals too.

    They stay in the address. A report knows its level.
    """
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
            "Predictors of the model", "predictors", 0.0, _MOST_PREDICTORS, float(usual.predictors), 1.0, "%.0f",
            help="For the adjusted R² of a model that was fitted on these rows",
        )  # fmt: skip
        order, horizon = _choose_order(estimates)
    return analyses.ErrorSettings.checked(level, tau, power, predictors, order=order, horizon=horizon)


def _choose_order(estimates: analyses.EstimateRows) -> tuple[str | None, int]:
    """Ask whether rows are in the order of time, and how far forecasts look ahead."""
    orders = {_NO_ORDER: "rows have no order", _FILE: "as in the file"}
    orders |= {f"column {name}": one_line(name) for name in analyses.order_columns(estimates.source)}
    words = "For MASE and for the Diebold–Mariano test of two systems"
    order = choose_key("Rows in time order", "row_order", orders, help=words)
    if order == _NO_ORDER:
        return None, 1
    numbers = sorted({1, 2, 3, 4, 6, 12, 24, round(address.number("horizon", 1, 1, 1000) or 1)})
    steps = choose_key("Steps ahead", "horizon", {str(number): str(number) for number in numbers})
    return "" if order == _FILE else order.removeprefix("column "), int(steps)


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
_FEWEST_WORST = 20
_WAYS = ["drag a rectangle", "click a point"]
_cloud = cache(analyses.cloud_of, 32)
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
    told = own, tuple(lines), "pan" if st.session_state.get("way") == _WAYS[1] else "select"
    drawn = _figure((estimates.key, name, ink, own, tuple(map(str, lines)), told[2]), cloud, estimates, ink, *told)
    show_figure(
        drawn, key, f"{plain(cloud.titles[1])} over {plain(cloud.titles[0])}, one point per row",
        filename=name.partition(":")[0], on_select=lambda: _put(cloud, st.session_state[key].selection),
        selection_mode=("points", "box"), **look,
    )  # fmt: skip
    return cloud


def _put(cloud: analyses.Cloud, selection: dict) -> None:
    """Write what was selected; an empty selection leaves the last one."""
    brush = analyses.brush_of_selection(cloud, selection["points"], selection["box"])
    if brush is not None:
        open_rows(_BRUSH, *brush.text.split("~", 4))


def _brush() -> analyses.Brush | None:
    """The rectangle whose rows are open."""
    return analyses.Brush.read("~".join(opened_rows(_BRUSH, 5) or ()))


def show_rows(estimates: analyses.EstimateRows) -> None:
    """The rows of the last brush, whichever picture it is in, or those with the largest errors."""
    rows = None
    if opened_rows(_WORST, 0) is not None:
        rows = analyses.RowsOfErrors.worst(estimates, max(_FEWEST_WORST, len(estimates.rows) // 100))
    elif (brush := _brush()) is not None and (cloud := analyses.cloud_of(estimates, brush.cloud)) is not None:
        rows = analyses.RowsOfErrors.within(estimates, cloud, brush)
    looks = {
        "error": Column(signed(number_text), help="Estimate minus truth"),
        "share of SSE": Column(share_text, help="Of the sum of squared errors of all rows"),
    }
    show_drawer(rows and rows.selection, looks=looks)
