"""What a tab of the browser remembers for its sessions: a reload begins a new one. The server stores none of it."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import streamlit as st

from evalcore.wording import read_json

_COMPONENT = st.components.v2.component(
    "tab_memory", html="<span></span>\n", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)
_KEY, _MEMORY, _TOLD = "tab memory", "remembered by the tab", "tab has told"
_MOST = 200_000
"""Letters of a memory that are read."""


def remembered(name: str) -> dict[str, Any]:
    """Plain values under a name; what is put into it survives a reload where the page ends with `keep_memory`."""
    return st.session_state.setdefault(_MEMORY, {}).setdefault(name, {})


def restore_field(key: str, options: range | None = None) -> None:
    """Fill a field of text or a choice, before it is drawn, with what was left in it when the page was loaded anew."""
    typed = remembered("typed").pop(f"st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)}", None)
    if isinstance(typed, str) if options is None else typed in options:
        st.session_state[key] = typed


def keep_memory() -> None:
    """Exchange what is remembered with the tab: a new session hears it, a later run writes it down."""
    known = {name: values for name, values in st.session_state.get(_MEMORY, {}).items() if values}
    fresh = not known and _TOLD not in st.session_state
    with st.container(key="tab-memory"):
        _COMPONENT(key=_KEY, data={"known": json.dumps(known) if known else "", "fresh": fresh}, on_told_change=_hear)


def _hear() -> None:
    """Take over what a browser told, which may be anything; what this session knows by now is newer."""
    st.session_state[_TOLD] = True
    told = st.session_state[_KEY].get("told")
    with suppress(ValueError, RecursionError):
        memory = read_json(told) if isinstance(told, str) and len(told) <= _MOST else None
        for name, values in memory.items() if isinstance(memory, dict) else ():
            if isinstance(values, dict):
                st.session_state.setdefault(_MEMORY, {})[name] = values | remembered(name)
