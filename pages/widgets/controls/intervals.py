"""How intervals are made on a page: the control for their method and level."""

import streamlit as st

from evalcore.inference import INTERVAL_METHODS, IntervalChoice

_LEVELS = (0.8, 0.9, 0.95, 0.99)


def choose_intervals() -> IntervalChoice:
    """Ask for the method and the level; both stay in the address."""
    method = st.selectbox(
        "Interval", list(INTERVAL_METHODS), format_func=INTERVAL_METHODS.get, key="interval", bind="query-params",
        width=150,
    )  # fmt: skip
    return IntervalChoice(method if method in INTERVAL_METHODS else "wilson", choose_level(width=90))


def choose_level(key: str = "level", **options: object) -> float:
    """Ask for the level of intervals; it stays in the address."""
    level = st.selectbox(
        "Level", _LEVELS, index=2, format_func=lambda share: f"{100 * share:g} %", key=key, bind="query-params",
        **options,
    )  # fmt: skip
    return level if level in _LEVELS else 0.95
