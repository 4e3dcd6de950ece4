"""What must hold at the threshold, whatever it is chosen for: up to five limits, asked for and kept in the address."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.classification import ConfusionCounts, Limit
from evalcore.wording import threshold_text, value_text

from ..session import address

MOST = 5
WITH_DIRECTION = tuple(m.key for m in METRICS.values() if m.family == "counts" and m.better)
"""Measures that have a better side."""

_FIRST = ("precision", "recall", "specificity", "negative_predictive_value", "accuracy")
_START = 0.9
_LARGEST = 1e12
_NONE = "none"

Asked = tuple[str, float]
"""Key of a measure, and the value it must reach."""


@dataclass(frozen=True)
class Bound:
    """A limit as it was asked for.

    Attributes
    ----------
    limit : Limit
    words : str
        What must hold: "precision ≥ 0.90".
    forbidden : str
        What must not be: "precision < 0.90".
    reached : callable
        What some counts reach of it, in words: "52.9 %".
    relax : callable
        Moves the limit to what some counts reach.
    """

    limit: Limit
    words: str
    forbidden: str
    reached: Callable[[ConfusionCounts], str]
    relax: Callable[[ConfusionCounts], None]


def word(measure: MetricDef) -> str:
    """What a measure is called in the middle of a sentence: its symbol where the name is that of a person."""
    named_after = measure.name != measure.name.capitalize() or "'" in measure.name
    return measure.label if measure.params or named_after else measure.name.lower()


def bound_of(key: str, value: float, relax: Callable[[float], None]) -> Bound:
    """A measure that must reach a value on its better side."""
    measure = METRICS[key]
    higher = measure.better == "higher"
    limit = Limit(measure, at_least=value) if higher else Limit(measure, at_most=value)
    text = bound_text(value)
    sides = ("≥", "<") if higher else ("≤", ">")
    words, forbidden = (f"{word(measure)} {side} {text}" for side in sides)
    return Bound(
        limit,
        words,
        forbidden,
        lambda counts: value_text(measure, float(measure(counts))),
        lambda counts: relax(float(measure(counts))),
    )


def bound_text(value: float) -> str:
    """The value of a limit, with two decimals at least."""
    return f"{value:.2f}".replace("-", "−") if round(value, 2) == value else threshold_text(value)


def choose_limits(start: Sequence[Asked] = ()) -> list[Bound]:
    """Ask for limits, each a measure, a value and a way to remove it, and offer another one.

    Parameters
    ----------
    start : sequence of (key of a measure, value)
        What stands there while the address says nothing.
    """
    asked = _asked(start)
    with st.container(key="limits", horizontal=True, vertical_alignment="bottom"):
        for place, (key, value) in enumerate(asked):
            _ask(place, key, value, asked)
        if len(asked) < MOST:
            more = "+ another limit" if asked else "+ limit"
            st.button(more, key="add limit", on_click=_put, args=([*asked, _next(asked)],))
    return [bound_of(key, value, _relaxing(asked, place)) for place, (key, value) in enumerate(asked)]


def _ask(place: int, key: str, value: float, asked: list[Asked]) -> None:
    measure_key, value_key = f"limit measure {place}", f"limit value {place}"
    st.session_state[measure_key], st.session_state[value_key] = key, value

    def changed() -> None:
        typed = st.session_state[value_key]
        new = (st.session_state[measure_key], value if typed is None else float(typed))
        _put([new if i == place else one for i, one in enumerate(asked)])

    with st.container(
        key=f"limit {place}", horizontal=True, vertical_alignment="bottom", gap="xxsmall", width="content"
    ):
        st.selectbox(
            f"Limit {place + 1}", WITH_DIRECTION, format_func=_side, key=measure_key, on_change=changed, width=190
        )
        st.number_input(
            f"Value of limit {place + 1}", -_LARGEST, _LARGEST, step=0.01, format=_format(value), key=value_key,
            on_change=changed, width=110,
        )  # fmt: skip
        st.button(
            "✕", key=f"remove limit {place}", help="Remove this limit", type="tertiary", on_click=_put,
            args=([one for i, one in enumerate(asked) if i != place],),
        )  # fmt: skip


def _side(key: str) -> str:
    return f"{word(METRICS[key])} {'≥' if METRICS[key].better == 'higher' else '≤'}"


def _format(value: float) -> str:
    return "%.2f" if round(value, 2) == value else "%.4g"


def _next(asked: list[Asked]) -> Asked:
    """The limit to begin with: of the usual measures the first that has none yet."""
    free = [key for key in _FIRST if key not in {key for key, _ in asked}]
    return free[0] if free else _FIRST[0], _START


def _relaxing(asked: list[Asked], place: int) -> Callable[[float], None]:
    def relax(reached: float) -> None:
        _put([(key, reached) if i == place else (key, value) for i, (key, value) in enumerate(asked)])

    return relax


def _asked(start: Sequence[Asked]) -> list[Asked]:
    written = [address.text(f"limit{n}") for n in range(1, MOST + 1)]
    keys = [_key_of(text) for text in written]
    for n, (text, key) in enumerate(zip(written, keys, strict=True), start=1):
        if key is None and text != _NONE:
            address.refuse(f"limit{n}", f"value{n}")
    if _NONE not in written and not any(keys):
        return list(start)
    found = []
    for n, key in enumerate(keys, start=1):
        if key is not None:
            found.append((key, address.number(f"value{n}", _START, -_LARGEST, _LARGEST)))
    return found


def _key_of(text: str | None) -> str | None:
    """The measure that an address means, by its key or its symbol: "precision", "PPV ≥"."""
    wanted = (text or "").strip(" ≥≤")
    return next((key for key in WITH_DIRECTION if wanted in (key, METRICS[key].label)), None)


def _put(asked: list[Asked]) -> None:
    for n in range(1, MOST + 1):
        key, value = asked[n - 1] if n <= len(asked) else (None, None)
        address.put(f"limit{n}", key)
        address.put(f"value{n}", None if value is None else float(value))
    if not asked:
        # Said, or a goal that starts with a limit would have it again.
        address.put("limit1", _NONE)
