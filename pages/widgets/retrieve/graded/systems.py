"""Graded lists of all systems: nDCG and DCG over k, for a query or as means, and the table of queries."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from evalcore.analyses import Rankings
from evalcore.figures import SystemLine, over_ranks_figure
from evalcore.retrieval import Hits, ideal_gain
from evalcore.wording import count_text, number_text, one_line, plain

from ...controls.selected_query import show_queries
from ...display.figure import page_ink, show_figure
from .graded_list import Weighing, table_of

MEASURES = ("nDCG", "DCG")
MOST_SYSTEMS = 12
"""Systems that are drawn and have a column; more cannot be told apart."""

MOST_RANKS = 1_000
"""Where the curves end."""

_ALL, _ONE = "all queries", "this query"
_DENSE, _SPARSE = 20, 24  # ranks one by one, and how many more down to the last


def show_graded_headline(rankings: Rankings, weighed: Weighing) -> None:
    """The means of the chosen system at k."""
    names = {f"{symbol}@{rankings.k}": weighed.named(symbol, "k") for symbol in ("nDCG", "DCG", "nCG", "CG")}
    found = rankings.per_query(names.values())
    with st.container(key="headline", horizontal=True, gap="small"):
        for title, name in names.items():
            help = f"Mean over the queries. {found.measures[name].summary}"
            st.metric(title, number_text(found.mean(name)), width="content", help=help)


def show_over_ranks(rankings: Rankings, query: str, weighed: Weighing) -> None:
    """nDCG or DCG of every system at each rank."""
    with st.container(key="over-ranks"):
        st.markdown("**Over all ranks**" if len(rankings.systems) < 2 else "**All systems over the ranks**")
        with st.container(horizontal=True):
            measure = st.segmented_control(
                "Measure", MEASURES, default=MEASURES[0], key="over", bind="query-params", required=True,
                label_visibility="collapsed", width="content",
            )  # fmt: skip
            measure = measure if measure in MEASURES else MEASURES[0]
            of = _ALL
            if len(rankings.queries()) > 1:
                of = st.segmented_control(
                    "Of", (_ALL, _ONE), default=_ALL, key="ranks_of", bind="query-params", required=True,
                    label_visibility="collapsed", width="content",
                )  # fmt: skip
        ranks, lines = _lines(rankings, query if of == _ONE else None, weighed, measure)
        if not len(ranks):
            st.caption("No system has a list here.")
            return
        show_figure(
            over_ranks_figure(ranks, lines, page_ink(), measure), key="over-k", filename=f"{measure} over k",
            alt=f"{measure} at each rank of "
            + ", ".join(f"{one_line(line.name, 30)} {number_text(float(line.values[-1]))}" for line in lines)
            + f" at rank {int(ranks[-1])}",
        )  # fmt: skip
        one = of == _ONE or len(rankings.queries()) == 1
        whose = f"query {plain(query, 60)}" if one else f"{count_text(len(rankings.queries()))} queries, their mean"
        more = len(rankings.systems) - len(lines)
        hidden = f" {count_text(more)} more systems are not drawn." if of == _ALL and more > 0 else ""
        st.caption(f"{measure} of {whose}, cut at each k.{hidden}")


def show_graded_queries(rankings: Rankings, weighed: Weighing) -> None:
    """A row a query: its judged documents, DCG, ideal DCG and nDCG, and nDCG of the other systems."""
    frame = queries_frame(rankings, weighed)
    number = st.column_config.NumberColumn
    columns: dict[str, object] = {name: number(format="localized") for name in ("in the list", "judged")}
    columns |= {name: number(format="%.3f") for name in frame.columns if name not in ("query", *columns)}
    show_queries(rankings, frame, columns, "DCG, ideal DCG and nDCG of each query")


def queries_frame(rankings: Rankings, weighed: Weighing) -> pd.DataFrame:
    """That table, unrounded."""
    hits, k = rankings.hits(), rankings.k
    dcg, ndcg = weighed.named("DCG", "k"), weighed.named("nDCG", "k")
    found = rankings.per_query([dcg, ndcg])
    frame = pd.DataFrame({"query": list(found.queries), "in the list": hits.retrieved, "judged": hits.pool.judged})
    frame[f"DCG@{k}"] = found.values[dcg]
    frame[f"IDCG@{k}"] = ideal_gain(hits.pool, k, weighed.gain, weighed.discount, weighed.base)
    frame[f"nDCG@{k}"] = found.values[ndcg]
    for system in _systems(rankings):
        if system != rankings.system:
            other = rankings.per_query([ndcg], system)
            # Where missing queries are left out, systems may not have the same ones.
            values = pd.Series(other.values[ndcg], index=list(other.queries)).reindex(list(found.queries))
            frame[f"nDCG@{k} {one_line(system, 40)}"] = values.to_numpy()
    return frame


def _systems(rankings: Rankings) -> list[str]:
    """The systems that are drawn, the chosen one among them."""
    systems = rankings.systems[:MOST_SYSTEMS]
    return list(systems if rankings.system in systems else (*systems[:-1], rankings.system))


def _lines(
    rankings: Rankings, query: str | None, weighed: Weighing, measure: str
) -> tuple[np.ndarray, list[SystemLine]]:
    """The ranks, and the values of each system at them; of all queries where none is named."""
    lines, systems = [], _systems(rankings)
    longest = [
        int(rankings.hits(system).retrieved[_rows(rankings, query, system)].max(initial=0)) for system in systems
    ]
    last = min(max(longest, default=0), MOST_RANKS)
    ranks = _ranks(last)
    for system in systems:
        if not len(rankings.queries(system)) or (query is not None and query not in rankings.queries(system)):
            continue
        if query is None:
            told = "\n".join((rankings.key_of(system), weighed.key, measure, repr(last)))
            values = _means(told, rankings, weighed, measure, ranks, system)
        else:
            table = table_of(rankings, query, weighed, last, system)
            values = (table.ndcg if measure == "nDCG" else table.dcg)[ranks - 1]
        place = rankings.systems.index(system)
        lines.append(SystemLine(system, place, values, system == rankings.system))
    return ranks, lines


def _rows(rankings: Rankings, query: str | None, system: str) -> slice | list[int]:
    if query is None:
        return slice(None)
    queries = rankings.queries(system)
    return [queries.index(query)] if query in queries else []


def _ranks(last: int) -> np.ndarray:
    """Every rank while they are few, then ever fewer of them down to the last."""
    if last <= _DENSE + _SPARSE:
        return np.arange(1, last + 1)
    further = np.unique(np.geomspace(_DENSE, last, _SPARSE).round().astype(int))
    return np.union1d(np.arange(1, _DENSE + 1), further)


@st.cache_data(max_entries=128, show_spinner="Cutting at each rank …")
def _means(
    key: str, _rankings: Rankings, _weighed: Weighing, measure: str, _ranks: np.ndarray, _system: str
) -> np.ndarray:
    hits: Hits = _rankings.hits(_system)
    found = [_rankings.measure(_weighed.named(measure, str(rank)))(hits) for rank in _ranks.tolist()]
    return np.array([float(values.mean()) for values in found])
