"""Fields whose values stand in the address: one call each, with label, key, options or limits, and start."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.widgets.session import address

Value = TypeVar("Value")


def beside(key: str | None = None, **look: Any) -> DeltaGenerator:
    """Make a row for fields beside each other, all on one baseline."""
    return st.container(key=key, horizontal=True, vertical_alignment="bottom", **look)


def select(label: str, options: Collection[Value], key: str, start: Value | None = None, **look: Any) -> Value:
    """Ask in a box for one of some options, which may have words; at first the start or else the first of them.

    The address holds it under the key of the field; what is none of the options there counts as the start.
    """
    return _choose(st.selectbox, label, options, key, start, look)


def segmented(label: str, options: Collection[Value], key: str, start: Value | None = None, **look: Any) -> Value:
    """Ask as `select` does, by buttons of which one is pressed."""
    return _choose(st.segmented_control, label, options, key, start, {"required": True} | look)


def _choose(widget: Callable, label: str, options: Collection, key: str, start: Any, look: dict[str, Any]) -> Any:
    keys, words = list(options), {"format_func": options.get} if isinstance(options, Mapping) else {}
    first = keys[0] if start is None else start
    usual = {"index": keys.index(first)} if widget is st.selectbox else {"default": first}
    chosen = widget(label, keys, key=key, bind="query-params", **(words | usual | look))
    return chosen if chosen in options else first


def number(
    label: str, key: str, low: float | None, high: float | None, start: Value, step: float | None = None,
    format: str | None = None, **look: Any,
) -> Value:  # fmt: skip
    """Ask for a number between limits; the address holds it, and what lies outside of them there counts as the start.

    Whole numbers are asked for as others: Streamlit cannot turn an infinity in the address into one.
    """
    value = st.number_input(label, low, high, start, step, format, key=key, bind="query-params", **look)
    lowest, highest = -math.inf if low is None else low, math.inf if high is None else high
    return value if value is not None and math.isfinite(value) and lowest <= value <= highest else start


def choose_key(label: str, name: str, options: Mapping[str, str], **look: object) -> str:
    """Ask for a key of some options by their words; the address holds the key, where it is not the first."""
    first, value = next(iter(options)), address.choice(name, list(options), next(iter(options)))
    return bound(
        st.selectbox, label, name, value, list(options), format_func=options.get,
        write=lambda chosen: address.put(name, None if chosen == first else chosen), **look,
    )  # fmt: skip


def choose(label: str, name: str, options: Sequence[str], start: str | None, **look: object) -> str:
    """Ask in a box for one of some options, which the address holds; what is none of them counts as the start."""
    return bound(st.selectbox, label, name, address.choice(name, options, start), options, **look)


def bound(
    widget: Callable[..., Value], label: str, name: str, value: Value, *args: object,
    write: Callable[[Value], None] | None = None, key: str = "", **options: object,
) -> Value:  # fmt: skip
    """Draw a widget that shows a value of the address, whatever stood in it before, and writes what is chosen back.

    The value is checked already. `write` takes what was chosen, None from a cleared field, in place of writing it under
    `name` in the address; the key of the widget is "{name} control" unless another is given.
    """
    key = key or f"{name} control"
    st.session_state[key] = value
    put = write or (lambda chosen: address.put(name, chosen))
    return widget(label, *args, key=key, on_change=lambda: put(st.session_state[key]), **options)


def exact(
    label: str, name: str, value: float, write: Callable[[float | None], None], key: str,
    ends: tuple[float, float] = (-math.inf, math.inf), clears: bool = False, **look: Any,
) -> None:  # fmt: skip
    """Ask for a number of the address, of which infinity is an empty field; an emptied one is written if it clears."""
    look = {"format": "%.6g", "step": None, "width": 130} | look
    shown, *limits = (end if math.isfinite(end) else None for end in (min(max(value, ends[0]), ends[1]), *ends))
    bound(
        st.number_input, label, name, shown, *limits, None, key=key,
        write=lambda typed: None if typed is None and not clears else write(typed), **look,
    )  # fmt: skip


def choose_base(label: str) -> float:
    """Ask for the base of logarithms, e or 2; losses and distances share it."""
    unit = segmented(label, ["nats", "bits"], "unit", help="nats: natural logarithm; bits: base 2")
    return 2.0 if unit == "bits" else math.e


def ask(words: str, field: Callable[..., Value]) -> Value:
    """Draw a field of a question behind its words."""
    st.markdown(words, width="content")
    return field(label_visibility="collapsed")
