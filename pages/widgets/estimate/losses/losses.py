"""Losses to look at: the constant that each prefers on the true numbers, an outlier to drag, and their curves."""

import math

import streamlit as st

from evalcore.analyses import BestConstants, EstimateRows, LossSetting
from evalcore.figures import OUTCOMES, loss_curves_figure

from ...controls.bound import segmented
from ...display.component import ELEMENT, component
from ...display.figure import page_ink, show_figure
from ...display.table import show_table
from ...session import address

KEY = "outlier-drag"
_COMPONENT = component("outlier", __file__, ELEMENT, "outlier.js", css="outlier.css")
_NAMES = ("mean (squared)", "median (absolute)", "Huber", "quantile")
_DASHES = ("", "8 4", "2 3", "10 3 2 3")


def show_losses(estimates: EstimateRows) -> BestConstants:
    """The part of the page: settings, the outlier, the table of constants, and the curves."""
    with st.container(key="loss-settings", horizontal=True, vertical_alignment="bottom"):
        tau = st.slider(
            "τ of the quantile loss", 0.05, 0.95, 0.75, 0.05, key="loss_tau", bind="query-params", width=240
        )
        delta = st.number_input(
            "δ of the Huber loss", 0.0, None, None, None, "%.4g", key="loss_delta", bind="query-params", width=190,
            placeholder="1.345 × sd", help="Errors up to δ count as squares, larger ones in proportion",
        )  # fmt: skip
    outlier = address.number("outlier", None, -1e300, 1e300)
    usable = delta if delta is not None and 0 < delta < math.inf else None
    constants = BestConstants(estimates, LossSetting(tau if 0 < tau < 1 else 0.75, usable, outlier))
    st.markdown(constants.verdict)
    picture, numbers = st.columns([3, 2], gap="large")
    with picture:
        _show_outlier(constants)
    with numbers:
        show_table(constants.heads, constants.rows)
    family = segmented("Curves", ["of the error", "of the margin", "of counts"], "loss_family")
    figure = loss_curves_figure(family, constants.setting.tau, constants.delta, page_ink())
    show_figure(figure, key="loss-curves", alt=f"Loss curves {family}")
    for _, formula, words in constants.formulas_of(family):
        st.caption(f"{formula} · {words}")
    return constants


def _show_outlier(constants: BestConstants) -> None:
    colours = page_ink()
    _COMPONENT(
        key=KEY,
        data=constants.sent
        | {
            "names": list(_NAMES), "dashes": list(_DASHES),
            "colours": {
                "text": colours.text, "grey": colours.grey, "paper": colours.paper, "outlier": OUTCOMES["fn"],
                "lines": [colours.system(index) for index in (0, 1, 4, 6)],
            },
        },
        on_outlier_change=lambda: _put(st.session_state[KEY].get("outlier")),
    )  # fmt: skip
    st.caption(
        "Each curve is the mean loss of a constant, scaled to its own height; its lowest point is the best constant. "
        "The ticks are the true numbers. Drag the orange point, or focus it and press the arrow keys. "
        "Poisson loss is left out because its best constant is the mean too, and losses of two classes because an "
        "outlier is neither class."
    )


def _put(outlier: object) -> None:
    if isinstance(outlier, (int, float)) and math.isfinite(outlier):
        address.put("outlier", float(f"{outlier:.6g}"))
