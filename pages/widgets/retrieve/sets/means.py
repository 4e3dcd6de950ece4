"""Found sets over all queries: macro against micro average, the queries that pull them apart, a row a query."""

from __future__ import annotations

import html

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.figures import MOST_PULLS, decimals_of, pull_figure
from evalcore.retrieval import SetGap, set_gap
from evalcore.wording import count_text, number_text, one_line, plain

from ...controls.selected_query import show_queries
from ...display.figure import page_ink, show_figure
from .retrieved_sets import FoundSets, signed

MEASURES = ("set_precision", "set_recall", "set_f", "set_fall_out", "generality")
_PULLED = dict(zip(("precision", "recall", "F", "fall-out", "generality"), MEASURES, strict=True))
_FIRST = "F"
_COUNTS = ("relevant", "retrieved", "found")


def gap_of(sets: FoundSets, key: str, system: str) -> SetGap:
    """Both averages of a measure, and the pull of every query; kept."""
    rankings = sets.rankings
    told = "\n".join(map(repr, (rankings.key_of(system), key, rankings.level, sets.beta, sets.size)))
    return _gap(told, sets, key, system)


def show_means(sets: FoundSets) -> None:
    """Macro and micro average of every measure, and for one of them the queries that make the difference."""
    with st.container(key="set-means"):
        if len(sets.rankings.queries()) < 2:
            st.caption("One query: macro and micro average are both its value. More queries can pull them apart.")
            return
        left, right = st.columns([3, 4], gap="large")
        with left:
            st.markdown("**Macro against micro**")
            st.html(_table(sets))
            st.caption(
                "Macro: the mean over the queries, each weighs the same. Micro: one value of the summed counts, "
                "so queries with large sets rule it. The gap is macro − micro."
            )
        with right:
            _show_pulls(sets)


def show_set_queries(sets: FoundSets) -> None:
    """A row a query, with the measures of the chosen system and, where one is set beside it, its differences."""
    key = _pulled()
    frame = queries_frame(sets, key)
    number = st.column_config.NumberColumn
    columns: dict[str, object] = {name: number(format="localized") for name in _COUNTS}
    columns |= {name: number(format="%.3f") for name in frame.columns if name not in (*_COUNTS, "query")}
    columns |= {name: number(format="%.5f") for name in ("fall-out", "generality")}
    columns["found"] = number(format="localized", help="Retrieved and relevant")
    digits = decimals_of(gap_of(sets, key, sets.rankings.system).pull)
    columns[f"pull on {sets.heading(key)}"] = number(
        format=f"%+.{digits}f", help="How far macro − micro goes back when the query is left out"
    )
    for measure in MEASURES:
        columns[f"{sets.heading(measure)} B − A"] = number(format="%+.3f", help=f"{_beside(sets)} minus {_name(sets)}")
    named = (sets.rankings.system, sets.beside)
    title = "All queries"
    if sets.beside is not None and named != ("A", "B"):
        title = f"All queries · A is {_name(sets)}, B is {_beside(sets)}"
    show_queries(sets.rankings, frame, columns, "Sets and their measures for each query", title)


def queries_frame(sets: FoundSets, key: str | None = None) -> pd.DataFrame:
    """That table, unrounded.

    Parameters
    ----------
    sets : FoundSets
    key : str, optional
        Measure whose pulls are shown, by default the one chosen on the page.
    """
    key = _pulled() if key is None else key
    rankings, system = sets.rankings, sets.rankings.system
    found, counts = rankings.per_query(sets.names.values()), sets.all_counts(system)
    frame = pd.DataFrame({"query": list(found.queries)})
    frame["relevant"], frame["retrieved"] = counts.actual_positives, counts.predicted_positives
    frame["found"] = counts.tp
    for measure, name in sets.names.items():
        frame[sets.heading(measure)] = found.values[name]
    if sets.beside is not None:
        other = rankings.per_query(sets.names.values(), sets.beside)
        # Where missing queries are left out, the two may not have the same ones.
        beside = pd.DataFrame(other.values, index=list(other.queries)).reindex(list(found.queries))
        for measure in MEASURES[:3]:
            name = sets.names[measure]
            frame[f"{sets.heading(measure)} B − A"] = beside[name].to_numpy() - found.values[name]
    if len(frame) > 1:
        frame[f"pull on {sets.heading(key)}"] = gap_of(sets, key, system).pull
    return frame


def _table(sets: FoundSets) -> str:
    several = len(sets.systems) > 1
    lines = []
    for system in sets.systems:
        head = f"<b>{html.escape(one_line(system, 26))}</b>" if several else ""
        lines.append(f"<tr><th>{head}</th><th>macro</th><th>micro</th><th>gap</th></tr>")
        for key in MEASURES:
            found = gap_of(sets, key, system)
            cells = (f"<b>{number_text(found.macro)}</b>", f"<b>{number_text(found.micro)}</b>", signed(found.gap, 4))
            written = "".join(f"<td>{cell}</td>" for cell in cells)
            lines.append(f"<tr><td>{html.escape(sets.heading(key))}</td>{written}</tr>")
    return f'<table class="averages">{"".join(lines)}</table>'


def _show_pulls(sets: FoundSets) -> None:
    rankings, system = sets.rankings, sets.rankings.system
    of = f" of {plain(system, 40)}" if len(sets.systems) > 1 else ""
    st.markdown(f"**Which queries pull them apart**{of}")
    # What stands in the address must not change with beta, so F has no number here.
    key = st.segmented_control(
        "Measure", tuple(_PULLED), default=_FIRST, key="pulled", bind="query-params", required=True,
        label_visibility="collapsed",
    )  # fmt: skip
    key = _PULLED.get(key, _PULLED[_FIRST])
    found = gap_of(sets, key, system)
    pulls = np.nan_to_num(found.pull)
    if not pulls.any():
        st.caption(f"No query changes the gap of {sets.heading(key)}: leave any of them out, and it stays as it is.")
        return
    show_figure(
        pull_figure(rankings.queries(), found.pull, page_ink()),
        key="pulls",
        alt=f"How far the strongest queries pull the macro average of {sets.heading(key)} from the micro average",
        filename="pulls",
    )
    place, digits = int(np.argmax(np.abs(pulls))), decimals_of(pulls)
    some = f" The {MOST_PULLS} strongest of {count_text(len(pulls))}." if len(pulls) > MOST_PULLS else ""
    st.caption(
        f"Without query **{plain(rankings.queries()[place])}** the gap of {sets.heading(key)} would change most: "
        f"{signed(found.gap - float(pulls[place]), digits)} in place of {signed(found.gap, digits)}.{some}"
    )


def _pulled() -> str:
    return _PULLED.get(st.session_state.get("pulled"), _PULLED[_FIRST])


def _name(sets: FoundSets) -> str:
    return plain(sets.rankings.system, 40)


def _beside(sets: FoundSets) -> str:
    return "" if sets.beside is None else plain(sets.beside, 40)


@st.cache_resource(max_entries=256, show_spinner=False)
def _gap(key: str, _sets: FoundSets, _measure: str, _system: str) -> SetGap:
    rankings = _sets.rankings
    return set_gap(rankings.hits(_system), _measure, rankings.level, _sets.beta, _sets.size)
