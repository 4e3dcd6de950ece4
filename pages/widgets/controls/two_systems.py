"""Two systems to compare, A and B: chosen and swapped, and kept in the address; and how their tests are corrected."""

from collections.abc import Sequence

import streamlit as st

from evalcore.analyses import AGAINST, QUESTIONS, Margin, system_titles
from evalcore.inference import METHODS

from ..session import address
from .bound import bound, choose_key
from .intervals import choose_level


def choose_two(systems: Sequence[str], a: str, name: str, width: int) -> str:
    """Ask for A and B, and return B. Whoever takes B as A gets A as B.

    The address holds A, which is `a` now, under `name`, and B under "other".
    """
    others = [system for system in systems if system != a]
    b = address.choice("other", others, others[0])

    def put(new_a: str, new_b: str) -> None:
        address.put(name, new_a)
        address.put("other", new_b)

    options = {"format_func": system_titles(systems).get, "width": width}
    bound(st.selectbox, "A", name, a, systems, write=lambda new: put(new, a if new == b else b), **options)
    st.button("⇄", key="swap", on_click=put, args=(b, a), help="Swap A and B")
    bound(st.selectbox, "B", "other", b, others, write=lambda new: put(a, new), **options)
    return b


def choose_correction(level_key: str, several: bool, level: float | None = None) -> tuple[float, str, bool]:
    """Ask for the level of the intervals, the correction of p-values, and whether all pairs of systems are compared.

    A level that the page has asked for already is taken.
    """
    about = "Of the intervals; beyond chance means that p is at most the rest to 100 %"
    level = level or choose_level(key=level_key, help=about)
    correction = st.selectbox(
        "Correction", list(METHODS), key="correction", bind="query-params",
        format_func=lambda key: METHODS[key].capitalize() if key == "none" else METHODS[key],
        help="Of the p-values, for the number of comparisons",
    )  # fmt: skip
    against = "first"
    if several:
        against = st.selectbox("Compare", list(AGAINST), key="against", format_func=AGAINST.get, bind="query-params")
    return level, correction if correction in METHODS else "holm", against == "pairs"


def choose_margin() -> Margin:
    """Ask whether B is to be better, not inferior or equivalent, and how large a difference does not matter."""
    question = choose_key("Question", "ask", QUESTIONS)
    if question == "better":
        return Margin()
    size = bound(
        st.number_input, "Margin", "margin", address.number("margin", Margin.size, 1e-4, 10.0), 1e-4, 10.0, None, 0.01,
        format="%.4g",
        help="The largest difference that does not matter, in the unit of the measure: 0.02 is two percentage points; "
        "of ratios (LR+, odds ratio, lift) 0.25 allows ×0.8 to ×1.25. Choose it before you look.",
    )  # fmt: skip
    return Margin(question, size)
