"""Two systems to compare, A and B: chosen and swapped, and kept in the address."""

from collections.abc import Callable, Sequence

import streamlit as st

from ..session import address


def choose_two(
    systems: Sequence[str], a: str, written: str, group: str, format_func: Callable[[str], str], width: int
) -> str:
    """Ask for A and B, and return B. Whoever takes B as A gets A as B.

    Parameters
    ----------
    systems : sequence of str
        Two at least.
    a : str
        A as it is in the address.
    written : str
        The name under which the address holds A; B is "other".
    group : str
        What the keys of the two boxes begin with.
    format_func : callable
        How a system is written.
    width : int
        Of each box, in pixels.
    """
    others = [system for system in systems if system != a]
    b = address.choice("other", others, others[0])
    key_a, key_b = f"{group} A", f"{group} B"
    st.session_state[key_a], st.session_state[key_b] = a, b

    def put(new_a: str, new_b: str) -> None:
        address.put(written, new_a)
        address.put("other", new_b)

    def choose_a() -> None:
        new = st.session_state[key_a]
        put(new, a if new == b else b)

    st.selectbox("A", systems, key=key_a, format_func=format_func, on_change=choose_a, width=width)
    st.button("⇄", key="swap", on_click=put, args=(b, a), help="Swap A and B")
    st.selectbox(
        "B",
        others,
        key=key_b,
        format_func=format_func,
        on_change=lambda: put(a, st.session_state[key_b]),
        width=width,
    )
    return b
