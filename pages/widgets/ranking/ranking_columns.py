"""The columns of the table of queries: any measure of rankings, chosen from the list or typed by any of its names."""

from __future__ import annotations

from math import inf

import streamlit as st

from evalcore import METRICS
from evalcore.registry import RETRIEVAL

from .. import address
from ..escape import plain
from ..retrieval import Retrieval

COLUMNS = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k")
"""Measures in the table where the address names none."""

MOST = 24
_KEY, _PROBLEM = "columns of the table", "columns problem"


def columns_of(retrieval: Retrieval) -> list[str]:
    """The names of the measures in the table, as `find` reads them; names it does not know are left out."""
    lists = address.names("columns")
    if not lists:
        return list(COLUMNS)
    kept: dict[str, str] = {}
    for name in lists[0][:MOST]:
        try:
            kept.setdefault(retrieval.heading(name), name)
        except (KeyError, ValueError):  # nobody checks an address
            continue
    return list(kept.values()) or list(COLUMNS)


def choose_columns(retrieval: Retrieval) -> None:
    """Ask which measures are columns; a name that is typed may be any that the field uses."""
    shown = columns_of(retrieval)
    # The address decides; the widget only shows it, and its callback writes it.
    st.session_state[_KEY] = shown
    with st.popover("Columns", icon=":material/view_column:", key="columns-of-queries"):
        st.multiselect(
            "Measures",
            list(dict.fromkeys([*shown, *_offered()])),
            key=_KEY,
            format_func=lambda name: _described(retrieval, name),
            accept_new_options=True,
            # The nearest of the options would be taken for what is typed: GMAP for map.
            filter_mode="prefix",
            on_change=_change,
            args=(retrieval,),
            placeholder="Choose a measure, or type one such as ndcg_cut_20 or RBP(p=0.5)",
            help="“@k” follows the k of the page. Parameters stand in brackets: nDCG(gain=exp)@20, AP(rel=2).",
        )
        if (problem := st.session_state.pop(_PROBLEM, None)) is not None:
            st.error(plain(problem, limit=300))
        if address.text("columns") is not None:
            st.button("Back to the usual ones", on_click=address.put, args=("columns", None), type="tertiary")


def _offered() -> list[str]:
    names = []
    for measure in METRICS.values():
        # Those that need the size of the collection have no value without it; they can be typed with it.
        if measure.family != RETRIEVAL or any(param.name == "size" for param in measure.params):
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
        try:
            retrieval.measure(name)
        except (KeyError, ValueError) as problem:
            st.session_state[_PROBLEM] = str(problem.args[0])
            continue
        kept.append(name)
    address.put_names("columns", [kept[:MOST]] if kept and kept != list(COLUMNS) else [])
