"""One control for all settings that the address holds: the address decides, the widget shows it and writes it."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import streamlit as st

from ..session import address

Value = TypeVar("Value")


def segmented(label: str, options: Sequence[str], key: str, **look: object) -> str:
    """Ask for one of some options, at first the first, in the address under the key of the control."""
    own = {"default": options[0], "key": key, "bind": "query-params", "required": True}
    chosen = st.segmented_control(label, options, **own, **look)
    return chosen if chosen in options else options[0]


def choose_key(label: str, name: str, options: Mapping[str, str], **look: object) -> str:
    """Ask for a key of some options by their words; the address holds the key, where it is not the first."""
    first, value = next(iter(options)), address.choice(name, list(options), next(iter(options)))
    return bound(
        st.selectbox, label, name, value, list(options), format_func=options.get,
        write=lambda chosen: address.put(name, None if chosen == first else chosen), **look,
    )  # fmt: skip


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
