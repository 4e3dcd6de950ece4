"""How intervals are made on a page: the control for their method and level."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from evalcore.analyses import AGAINST, QUESTIONS, Margin, system_titles
from evalcore.inference import AREA_METHODS, INTERVAL_METHODS, METHODS, IntervalChoice
from pages.widgets.controls.fields import ask, bound, choose_key, select
from pages.widgets.session import address
from pages.widgets.session.current_dataset import opened

_LEVELS = (0.8, 0.9, 0.95, 0.99)


def choose_intervals(areas: bool = False) -> IntervalChoice:
    """Ask for the method and the level, and for the method of areas where there are some; all stay in the address."""
    method = select("Interval", INTERVAL_METHODS, "interval", width=150)
    return IntervalChoice(method, choose_level(width=90), choose_area_method() if areas else "logit")


def area_method() -> str:
    """How intervals of areas under the ROC curve are made, as the address says; a key of `AREA_METHODS`."""
    return address.choice("area_interval", list(AREA_METHODS), "logit")


def choose_area_method() -> str:
    """Ask how intervals of areas under the ROC curve are made; a key of `AREA_METHODS`."""
    return choose_key(
        "Interval of the AUC", "area_interval", AREA_METHODS, width=190,
        help="On the logit scale the interval stays between 0 and 1, and in small samples its coverage is closer to "
        "the stated level.",
    )  # fmt: skip


def choose_level(key: str = "level", label: str = "Level", **options: object) -> float:
    """Ask for a level of confidence; it stays in the address."""
    return select(label, _LEVELS, key, 0.95, format_func=lambda share: f"{100 * share:g} %", **options)


def choose_two(systems: Sequence[str], a: str, name: str, width: int, asked: bool = False) -> str:
    """Ask for A and B, and return B. Whoever takes B as A gets A as B.

    The address holds A, which is `a` now, under `name`, and B under "other". If `asked`, the two stand within the
    question whether B is better than A.
    """
    others = [system for system in systems if system != a]
    b = address.choice("other", others, others[0])
    put = lambda new_a, new_b: address.put_all(**{name: new_a, "other": new_b})  # noqa: E731
    look = {"format_func": system_titles(systems).get, "width": width}
    of_a = partial(bound, st.selectbox, "A", name, a, systems, write=lambda new: put(new, a if new == b else b), **look)
    of_b = partial(bound, st.selectbox, "B", "other", b, others, write=lambda new: put(a, new), **look)
    if asked:
        ask("Is B", of_b)
        ask("better than A", of_a)
    else:
        of_a()
    st.button("⇄", key="swap", on_click=put, args=(b, a), help="Swap A and B")
    if not asked:
        of_b()
    return b


def choose_correction(level_key: str, several: bool, level: float | None = None) -> tuple[float, str, bool]:
    """Ask for the level unless it is known, the correction of p-values, and whether all pairs are compared."""
    about = "Confidence level of the intervals. “Beyond chance” means p ≤ 1 − level."
    level = level or choose_level(key=level_key, help=about)
    methods = METHODS | {"none": METHODS["none"].capitalize()}
    correction = select("Correction", methods, "correction", help="Corrects the p-values for the number of comparisons")
    against = select("Compare", AGAINST, "against") if several else "first"
    return level, correction, against == "pairs"


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


_SIDES = ("columns", "rows")


def choose_actual_in_rows() -> bool:
    """Ask whether the actual classes are the rows or the columns."""
    chosen = _SIDES[actual_in_rows()]
    return bound(st.segmented_control, "Actual class in", "actual", chosen, _SIDES, write=_put_side) == "rows"


def actual_in_rows() -> bool:
    """Whether the actual classes are the rows, at first as in the file."""
    current = opened()
    start = _SIDES[current is not None and current.actual_in_rows]
    old = {"actual": "rows", "predicted": "columns"}  # in links of the table of classes: what stood in its rows
    start = old.get(address.choice("side", tuple(old)), start)
    return address.choice("actual", _SIDES, start) == "rows"


def sides(actual_in_rows: bool) -> dict[str, str]:
    """What holds an actual class in the matrix, and what a predicted one, as a text names them."""
    return dict(zip(("actual", "predicted"), ("row", "column") if actual_in_rows else ("column", "row"), strict=True))


def _put_side(side: str | None) -> None:
    address.put("side", None)
    if side is not None:  # a click on what is chosen already clears it
        address.put("actual", side)
