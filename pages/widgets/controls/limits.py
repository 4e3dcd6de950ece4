"""What must hold at the threshold, whatever it is chosen for: up to five limits, asked for and kept in the address."""

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore import METRICS
from evalcore.classification import ConfusionCounts, Limit
from evalcore.wording import measure_word

from ..session import address
from .bound import bound

MOST = 5
WITH_DIRECTION = tuple(m.key for m in METRICS.values() if m.family == "counts" and m.better)
"""Measures that have a better side."""

_FIRST = ("precision", "recall", "specificity", "negative_predictive_value", "accuracy")
_START = 0.9
_LARGEST = 1e12
_NONE = "none"

LimitSetting = tuple[str, float]
"""Key of a measure, and the value it must reach on its better side."""


def choose_limits(start: Sequence[LimitSetting] = ()) -> list[tuple[Limit, Callable[[ConfusionCounts], None]]]:
    """Ask for limits, each a measure, a value and a way to remove it, and offer another one.

    While the address says nothing, those of the start stand there. With each limit comes what relaxes it to what some
    counts reach.
    """
    limits = _read(start)
    with st.container(key="limits", horizontal=True, vertical_alignment="bottom"):
        for index in range(len(limits)):
            _ask(index, limits)
        if len(limits) < MOST:
            # Of the usual measures the first that has no limit yet.
            free = [key for key in _FIRST if key not in dict(limits)] or [_FIRST[0]]
            more = "+ another limit" if limits else "+ limit"
            st.button(more, key="add limit", on_click=_put, args=([*limits, (free[0], _START)],))
    return [_limit(index, limits) for index in range(len(limits))]


def _limit(index: int, limits: list[LimitSetting]) -> tuple[Limit, Callable[[ConfusionCounts], None]]:
    key, value = limits[index]
    measure = METRICS[key]
    limit = Limit(measure, at_least=value) if measure.better == "higher" else Limit(measure, at_most=value)
    return limit, lambda counts: _put([*limits[:index], (key, float(measure(counts))), *limits[index + 1 :]])


def _ask(index: int, limits: list[LimitSetting]) -> None:
    key, value = limits[index]

    def replace(new_key: str = key, new_value: float | None = value) -> None:
        new = (new_key, value if new_value is None else float(new_value))
        _put([*limits[:index], new, *limits[index + 1 :]])

    together = {"vertical_alignment": "bottom", "gap": "xxsmall", "width": "content"}
    with st.container(key=f"limit {index}", horizontal=True, **together):
        bound(
            st.selectbox, f"Limit {index + 1}", "", key, WITH_DIRECTION, write=replace, key=f"limit measure {index}",
            format_func=_side, width=190,
        )  # fmt: skip
        bound(
            st.number_input, f"Value of limit {index + 1}", "", value, -_LARGEST, _LARGEST, step=0.01,
            write=lambda typed: replace(new_value=typed), key=f"limit value {index}", width=110,
            format="%.2f" if round(value, 2) == value else "%.4g",
        )  # fmt: skip
        st.button(
            "✕", key=f"remove limit {index}", help="Remove this limit", type="tertiary", on_click=_put,
            args=([*limits[:index], *limits[index + 1 :]],),
        )  # fmt: skip


def _side(key: str) -> str:
    return f"{measure_word(METRICS[key])} {'≥' if METRICS[key].better == 'higher' else '≤'}"


def _read(start: Sequence[LimitSetting]) -> list[LimitSetting]:
    """The limits of the address, whose measures go by key or symbol: "precision", "PPV ≥"."""
    by_name = {name: key for key in WITH_DIRECTION for name in (key, METRICS[key].label)}
    limits, is_said = [], False
    for n in range(1, MOST + 1):
        text = address.text(f"limit{n}")
        key = by_name.get((text or "").strip(" ≥≤"))
        is_said = is_said or text == _NONE
        if key is not None:
            limits.append((key, address.number(f"value{n}", _START, -_LARGEST, _LARGEST)))
        elif text != _NONE:
            address.refuse(f"limit{n}", f"value{n}")
    return limits if limits or is_said else list(start)


def _put(limits: list[LimitSetting]) -> None:
    for n in range(1, MOST + 1):
        key, value = limits[n - 1] if n <= len(limits) else (None, None)
        address.put(f"limit{n}", key)
        address.put(f"value{n}", None if value is None else float(value))
    if not limits:
        # Said, or a goal that starts with a limit would have it again.
        address.put("limit1", _NONE)
