"""Retrieved sets over all queries: macro and micro average, the queries behind their gap, and one row per query."""

import streamlit as st

from evalcore.analyses import SET_MEASURES, RetrievedSets, magnitude_decimals
from evalcore.figures import MOST_PULLS, pull_figure
from evalcore.wording import count_text, plain

from ...controls.selected_query import show_queries
from ...display.figure import page_ink, show_figure
from ...display.table import show_table

# What stands in the address must not change with beta, so F has no number here.
_PULLED = dict(zip(("precision", "recall", "F", "fall-out", "generality"), SET_MEASURES, strict=True))


def pulled_measure() -> str:
    """Key of the measure whose gap between the averages is looked at."""
    return _PULLED.get(st.session_state.get("pulled"), _PULLED["F"])


def show_averages(sets: RetrievedSets) -> None:
    """Macro and micro average of every measure, and for one of them the queries that make the difference."""
    with st.container(key="set-means"):
        if len(sets.rankings.queries()) < 2:
            st.caption("With one query, macro and micro average are both its value.")
            return
        left, right = st.columns([3, 4], gap="large")
        with left:
            st.markdown("**Macro and micro average**")
            show_table([], sets.averages_table)
            st.caption(
                "Macro: mean over the queries, all with the same weight. Micro: one value from the summed counts, so "
                "queries with large sets dominate. The gap is macro − micro."
            )
        with right:
            _show_pulls(sets)


def show_set_queries(sets: RetrievedSets) -> None:
    """One row per query, with the measures of the chosen system and its differences from the second one."""
    key, number = pulled_measure(), st.column_config.NumberColumn
    table = sets.table(key)
    columns: dict[str, object] = {name: number(format="localized") for name in ("relevant", "retrieved")}
    columns["found"] = number(format="localized", help="Relevant documents that were retrieved")
    columns |= {name: number(format="%.3f") for name in table if name not in (*columns, "query")}
    columns |= {name: number(format="%.5f") for name in ("fall-out", "generality")}
    decimals = magnitude_decimals(sets.averages()[key].pull)
    columns[f"pull on {sets.headings[key]}"] = number(
        format=f"%+.{decimals}f", help="What the query adds to macro − micro"
    )
    title, first, second = "All queries", plain(sets.rankings.system, 40), plain(sets.other or "", 40)
    if sets.other is not None:
        differences = [name for name in table if name.endswith("B − A")]
        columns |= {name: number(format="%+.3f", help=f"{second} minus {first}") for name in differences}
        if sets.systems != ("A", "B"):
            title = f"All queries · A is {first}, B is {second}"
    show_queries(sets.rankings, table, columns, "Sets and their measures for each query", title)


def _show_pulls(sets: RetrievedSets) -> None:
    of = f" of {plain(sets.rankings.system, 40)}" if len(sets.systems) > 1 else ""
    st.markdown(f"**Queries behind the gap**{of}")
    st.segmented_control(
        "Measure", tuple(_PULLED), default="F", key="pulled", bind="query-params", required=True,
        label_visibility="collapsed",
    )  # fmt: skip
    key = pulled_measure()
    pull, verdict = sets.averages()[key].pull, sets.pull_verdict(key)
    if (abs(pull) > 0).any():
        alt = f"The queries that separate macro and micro average of {sets.headings[key]} most"
        show_figure(pull_figure(sets.rankings.queries(), pull, page_ink()), key="pulls", alt=alt, filename="pulls")
        if len(pull) > MOST_PULLS:
            verdict += f" The {MOST_PULLS} strongest of {count_text(len(pull))}."
    st.caption(verdict)
