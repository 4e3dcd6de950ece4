"""How intervals are made on a page: the control for their method and level."""

import streamlit as st

from evalcore.inference import AREA_METHODS, INTERVAL_METHODS, IntervalChoice

from ..session import address
from .bound import choose_key

_LEVELS = (0.8, 0.9, 0.95, 0.99)


def choose_intervals(areas: bool = False) -> IntervalChoice:
    """Ask for the method and the level, and for the method of areas where there are some; all stay in the address."""
    method = st.selectbox(
        "Interval", list(INTERVAL_METHODS), format_func=INTERVAL_METHODS.get, key="interval", bind="query-params",
        width=150,
    )  # fmt: skip
    level = choose_level(width=90)
    area = choose_area_method() if areas else "logit"
    return IntervalChoice(method if method in INTERVAL_METHODS else "wilson", level, area)


def area_method() -> str:
    """How intervals of areas under the ROC curve are made, as the address says; a key of `AREA_METHODS`."""
    return address.choice("area_interval", list(AREA_METHODS), "logit")


def choose_area_method() -> str:
    """Ask how intervals of areas under the ROC curve are made; a key of `AREA_METHODS`."""
    return choose_key(
        "Interval of the AUC", "area_interval", AREA_METHODS, width=190,
        help="On the logit scale the interval stays inside 0 … 1 and holds the true area as often as it says, in "
        "small samples too.",
    )  # fmt: skip


def choose_level(key: str = "level", label: str = "Level", **options: object) -> float:
    """Ask for a level of confidence; it stays in the address."""
    level = st.selectbox(
        label, _LEVELS, index=2, format_func=lambda share: f"{100 * share:g} %", key=key, bind="query-params",
        **options,
    )  # fmt: skip
    return level if level in _LEVELS else 0.95
