"""Losses to look at: the constant that each prefers on the true numbers, an outlier to drag, and their curves."""

import math

import streamlit as st

from evalcore.analyses import BestConstants, EstimateRows, LossSetting
from evalcore.figures import HUES, OUTCOMES, loss_curves_figure
from pages.widgets.controls.fields import beside, number, segmented
from pages.widgets.display.figure import ELEMENT, PICTURE, component, page_ink, show_figure, show_table
from pages.widgets.session import address
from pages.widgets.session.loaded import with_links

_COMPONENT = component("outlier", __file__, ELEMENT, PICTURE, "outlier.js")
_LOOKS = {
    "squared": ("mean (squared)", 0, ""), "absolute": ("median (absolute)", 1, "8 4"), "huber": ("Huber", 4, "2 3"),
    "quantile": ("quantile", 6, "10 3 2 3"), "poisson": ("mean (Poisson)", 2, "4 8"), "logistic": ("logistic", 0, ""),
    "hinge": ("hinge", 1, "8 4"), "exponential": ("exponential", 4, "2 3"),
}  # fmt: skip
"""What the constant of each loss is called in the picture, the number of its colour, and its dashes."""


def show_losses(estimates: EstimateRows) -> BestConstants:
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
            placeholder="third quartile",
            help="True numbers from this limit on are y = +1, those below it y = −1",
        )  # fmt: skip
    outlier = address.number("outlier", None, -1e300, 1e300)
    constants = BestConstants(estimates, LossSetting(tau if 0 < tau < 1 else 0.75, delta or None, outlier, limit))
    st.markdown(with_links(constants.verdict))
    picture, numbers = st.columns([3, 2], gap="large")
    with picture:
        _show_outlier(constants)
    with numbers:
        show_table(constants.heads, constants.rows)
    family = segmented("Curves", ["of the error", "of the margin", "of counts"], "loss_family")
    figure = loss_curves_figure(family, constants.setting.tau, page_ink())
    show_figure(figure, key="loss-curves", alt=f"Loss curves {family}")
    for _, formula, words in constants.formulas_of(family):
        st.caption(f"{formula} · {words}")
    return constants


def _show_outlier(constants: BestConstants) -> None:
    colours = page_ink()
    losses = {
        key: {"name": name, "colour": colours.system(index), "dash": dash}
        for key, (name, index, dash) in _LOOKS.items()
    }
    inks = {"text": colours.text, "grey": colours.grey, "paper": colours.paper, "outlier": OUTCOMES["fn"]}
    _COMPONENT("outlier-drag", constants.sent | {"losses": losses, "colours": inks}, outlier=_put)
    st.caption(
        "Each curve is the mean loss of a constant, scaled to its own height; the lowest point is the best constant. "
        f"Ticks are the true numbers. Drag the {HUES['wrong']} point, or move it with the arrow keys. Poisson loss "
        "needs numbers from 0, the lower losses two classes: y = +1 from the limit on, −1 below it."
    )


def _put(outlier: object) -> None:
    if isinstance(outlier, (int, float)) and math.isfinite(outlier):
        address.put("outlier", float(f"{outlier:.6g}"))
