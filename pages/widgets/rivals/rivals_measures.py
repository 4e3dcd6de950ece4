"""The measures by which several systems are compared: any of rankings with a mean, by any of its names."""

from __future__ import annotations

from math import inf

import streamlit as st

from evalcore import METRICS
from evalcore.registry import RETRIEVAL, MetricDef

from .. import address
from ..escape import plain
from ..retrieval import Retrieval

MEASURES = ("AP", "nDCG@k", "P@k", "R@k", "RR", "bpref")
"""What is compared where the address names nothing."""

MOST = 10
_KEY, _PROBLEM = "measures of the comparison", "measures problem"


def measures_of(retrieval: Retrieval) -> tuple[str, ...]:
    """The names of the measures, as `find` reads them; names that cannot be compared are left out."""
    lists = address.names("measures")
    kept: dict[str, str] = {}
    for name in lists[0][:MOST] if lists else ():
        if _problem(retrieval, name) is None:
            kept.setdefault(retrieval.heading(name), name)
    return tuple(kept.values()) or MEASURES


def choose_measures(retrieval: Retrieval) -> None:
    """Ask for them; a name that is typed may be any that the field uses."""
    shown = list(measures_of(retrieval))
    # The address decides; the widget only shows it, and its callback writes it.
    st.session_state[_KEY] = shown
    with st.popover("Measures", icon=":material/view_column:", key="measures-of-rivals"):
        st.multiselect(
            "Measures",
            list(dict.fromkeys([*shown, *_offered()])),
            key=_KEY,
            format_func=lambda name: _described(retrieval, name),
            accept_new_options=True,
            on_change=_change,
            args=(retrieval,),
            placeholder="Choose a measure, or type one such as ndcg_cut_20",
            help="“@k” follows the k of the page. Parameters stand in brackets: nDCG(gain=exp)@20, AP(rel=2).",
        )
        if (problem := st.session_state.pop(_PROBLEM, None)) is not None:
            st.error(plain(problem, limit=300))
        if address.text("measures") is not None:
            st.button("Back to the usual ones", on_click=address.put, args=("measures", None), type="tertiary")


def _problem(retrieval: Retrieval, name: str) -> str | None:
    """Why systems cannot be compared by what a name means; None where they can."""
    try:
        measure = retrieval.measure(name)
    except (KeyError, ValueError) as problem:
        return str(problem.args[0])
    return None if _can_be_compared(measure) else f"Systems are not better or worse by {measure.name.lower()}."


def _can_be_compared(measure: MetricDef) -> bool:
    """Whether one of two values is better and the mean is that of the queries, as tests of mean differences need."""
    return measure.better is not None and measure.mean == "arithmetic" and measure.key != "judged_at"


def _offered() -> list[str]:
    names = []
    for measure in METRICS.values():
        # Those that need the size of the collection have no value without it; they can be typed with it.
        needs_size = any(param.name == "size" for param in measure.params)
        if measure.family != RETRIEVAL or needs_size or not _can_be_compared(measure):
            continue
        cut = measure.cut if measure.cut is not None and measure.cut.name == "k" else None
        if cut is None or cut.default == inf:
            names.append(measure.label)
        if cut is not None:
            names.append(f"{measure.symbol}@k")
    return names


def _described(retrieval: Retrieval, name: str) -> str:
    try:
        return f"{retrieval.heading(name)} · {retrieval.measure(name).name}"
    except (KeyError, ValueError):
        return name[:60]


def _change(retrieval: Retrieval) -> None:
    kept = []
    for name in st.session_state[_KEY]:
        if (problem := _problem(retrieval, name)) is None:
            kept.append(name)
        else:
            st.session_state[_PROBLEM] = problem
    address.put_names("measures", [kept[:MOST]] if kept and kept != list(MEASURES) else [])
