"""The curves of all queries beside the table of their measures: columns, order and picked rows stand in the address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import streamlit as st

from evalcore.analyses import Rankings
from evalcore.figures import column, faint_curves, faint_rocs, mean_lines, nearest, roc_line, saw_tooth, steps
from evalcore.retrieval import CUTS, PerQuery, mean_curve, ranked_curve, ranked_roc
from evalcore.wording import count_text, number_text, one_line, short_names

from ...display.figure import page_ink
from ...session import address
from .columns import columns_of

PICTURES = ("precision–recall", "ROC")
LINES = ("both", "interpolated", "as counted")
MEANS = ("recall levels", "cut-offs", "both", "none")
MOST_PICKED = 6
"""Curves that are lit at once; more cannot be told apart."""

_FOLDER, _KEY, _LIT_KEY = Path(__file__).parent, "rankings", "rankings-lit"
_COUNTS = (
    ("relevant", "Relevant documents of the query, R: found or not"),
    ("found", "Relevant documents in the list"),
)
_COMPONENT = st.components.v2.component(
    "rankings",
    html='<div class="rankings"></div>\n',
    css=(_FOLDER / "rankings.css").read_text(encoding="utf-8"),
    # Two files that the browser reads as one.
    js="".join((_FOLDER / name).read_text(encoding="utf-8") for name in ("rankings.js", "ranking_picture.js")),
)
# A component is sent whole whenever a bit of it changes, so what a click changes has one of its own. Clicks are told
# by that one too: then its fragment runs again, and not the page.
_LIT = st.components.v2.component(
    "rankings_lit",
    html="<span></span>\n",
    js=(_FOLDER / "rankings_lit.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class RankingLook:
    """What the picture shows.

    Parameters
    ----------
    picture : str
        One of `PICTURES`.
    line : str
        How the lit curves are drawn, one of `LINES`.
    means : str
        Which mean curves are drawn, one of `MEANS`.
    distance : bool
        Whether the rank nearest to precision 1 and recall 1 is marked.
    """

    picture: str
    line: str
    means: str
    distance: bool


def choose_ranking_look() -> RankingLook:
    """Ask what the picture shows; the choices stay in the address."""
    picture = st.segmented_control(
        "Picture", PICTURES, default=PICTURES[0], key="picture", bind="query-params", required=True, width="content"
    )
    with st.popover("Curves", icon=":material/show_chart:", key="ranking-look"):
        line = st.segmented_control(
            "The lit queries", LINES, default=LINES[0], key="line", bind="query-params", required=True,
            help="The interpolated steps, the sawtooth as counted, or both.",
        )  # fmt: skip
        means = st.segmented_control(
            "Mean over the queries at", MEANS, default=MEANS[0], key="mean", bind="query-params", required=True,
            help="At fixed levels of recall: the mean interpolated precision. At fixed cut-offs (rank 5, 10, 15, …): "
            "mean precision over mean recall.",
        )  # fmt: skip
        distance = st.toggle(
            "Mark the rank nearest to the corner", key="distance", bind="query-params",
            help="The rank of a lit query that comes nearest to precision 1 and recall 1: from its distance comes "
            "the system efficiency.",
        )  # fmt: skip
    return RankingLook(
        picture if picture in PICTURES else PICTURES[0],
        line if line in LINES else LINES[0],
        means if means in MEANS else MEANS[0],
        bool(distance),
    )


def picked_queries(rankings: Rankings) -> tuple[str, ...]:
    """The queries whose curves are lit, the opened one last; where none is named, the first that has a curve."""
    known = set(rankings.queries())
    lists = address.names("picked")
    named = tuple(dict.fromkeys(name for part in lists[:1] for name in part if name in known))[-MOST_PICKED:]
    if named or not rankings.queries():
        return named
    address.refuse("picked")
    return (rankings.queries()[_first(rankings)],)


def show_rankings(rankings: Rankings) -> None:
    """Draw curves and table; what is lit in them is said by `show_lit`."""
    names = columns_of(rankings)
    found = rankings.per_query(names)
    _COMPONENT(key=_KEY, data=_still(_stamp(rankings, names), rankings, found, tuple(names)))


def show_lit(rankings: Rankings, look: RankingLook) -> None:
    """Say which curves are lit and how the table is sorted; a click on a row or a curve picks its query."""
    names = columns_of(rankings)
    places = {query: place for place, query in enumerate(rankings.queries())}
    picked = [places[query] for query in picked_queries(rankings)]
    ink = page_ink()
    now = {
        "stamp": _stamp(rankings, names),
        "rocs": _rocs(f"{rankings.key}\n{rankings.level}", rankings) if look.picture == "ROC" else [],
        "means": _means(f"{rankings.key}\n{rankings.level}", rankings, look.means),
        "picked": [_picked(rankings, place, look) for place in picked],
        "sort": _sort(names),
        "filter": address.text("find", "")[:200],
        "ink": {name: getattr(ink, name) for name in ("text", "grey", "grid", "accent", "paper")},
        "colours": [ink.system(place) for place in (4, 1, 2, 6, 3, 0)],
        "picture": look.picture,
        "line": look.line,
        "distance": look.distance,
        "axes": ["false positive rate", "recall"] if look.picture == "ROC" else ["recall", "precision"],
        "alt": f"{look.picture} curves of {count_text(len(places))} queries, {len(picked)} of them lit",
    }
    _LIT(
        key=_LIT_KEY,
        data=now,
        on_picked_change=lambda: _pick(rankings, st.session_state[_LIT_KEY].get("picked")),
        on_sort_change=lambda: _order(names, st.session_state[_LIT_KEY].get("sort")),
        on_filter_change=lambda: _filter(st.session_state[_LIT_KEY].get("filter")),
    )


def _stamp(rankings: Rankings, names: list[str]) -> str:
    return "\n".join((rankings.key, repr(rankings.level), repr(rankings.k), repr(names)))


# What a table of thousands of queries weighs is made once for all sessions, and only read.
@st.cache_resource(max_entries=16, show_spinner=False)
def _still(key: str, _rankings: Rankings, _found: PerQuery, _names: tuple[str, ...]) -> dict:
    hits = _rankings.hits()
    relevant = hits.relevant(_rankings.level)
    faint = faint_curves(hits, _rankings.level)
    columns = [
        column(values, heading, title, counts=True)
        for (heading, title), values in zip(_COUNTS, (relevant.total, relevant.found), strict=True)
    ]
    for place, name in enumerate(_names):
        measure = _found.measures[name]
        columns.append(
            column(_found.values[name], _rankings.heading(name), f"{measure.name}. {measure.summary}", bars=not place)
        )
    lit, names = len(faint["drawn"]), [one_line(query, 200) for query in _rankings.queries()]
    return {
        "stamp": key,
        "names": names,
        # Only where it is another: thousands of queries weigh enough once.
        "shown": None if (shown := short_names(names, 28)) == names else shown,
        "columns": columns,
        "faint": faint,
        "foot": _foot(_found, _names, relevant.total, relevant.found),
        "words": {
            "queries": f"{count_text(len(_found))} {'query' if len(_found) == 1 else 'queries'}",
            "faint": f"{count_text(lit)} of {count_text(len(_found))} queries" if lit < len(_found) else "",
            "rocs": "some of the queries",
        },
    }


def _foot(found: PerQuery, names: tuple[str, ...], total: np.ndarray, retrieved: np.ndarray) -> list[dict]:
    n = len(found)
    means = [number_text(found.mean(name)) for name in names]
    sums = [count_text(float(values.sum())) for values in (total, retrieved)]
    zeros = [count_text(int(np.count_nonzero(found.values[name] == 0))) for name in names]
    none = [count_text(int(np.count_nonzero(values == 0))) for values in (total, retrieved)]
    return [
        {"name": f"mean of {count_text(n)}", "title": "Means; of the counts the sums", "cells": [*sums, *means]},
        {"name": "queries at 0", "title": "How many queries have the value 0", "cells": [*none, *zeros]},
    ]


@st.cache_resource(max_entries=16, show_spinner=False)
def _rocs(key: str, _rankings: Rankings) -> list[dict]:
    return faint_rocs(_rankings.hits(), _rankings.level)


@st.cache_data(max_entries=64, show_spinner=False)
def _both_means(key: str, _rankings: Rankings) -> dict:
    hits = _rankings.hits()
    # Behind the end of the longest list precision only falls, and recall stands still.
    longest = int(hits.retrieved.max(initial=0))
    cuts = tuple(k for k in CUTS if k <= longest) or CUTS[:1]
    return mean_lines(mean_curve(hits, cuts, rel=_rankings.level))


def _means(key: str, rankings: Rankings, means: str) -> list[dict]:
    if not rankings.queries() or means == "none":
        return []
    alone = len(rankings.queries()) == 1
    lines = _both_means(key, rankings)
    n = count_text(len(rankings.queries()))
    said = {
        "levels": {"name": "11 points" if alone else f"mean of {n} queries, 11 points", "dashed": False},
        "cuts": {"name": "at fixed ranks" if alone else f"mean of {n} queries at fixed ranks", "dashed": True},
    }
    shown = {"recall levels": ("levels",), "cut-offs": ("cuts",), "both": ("levels", "cuts")}[means]
    # The line of one query is drawn already; its points are marked on it.
    return [said[which] | {"points": lines[which], "line": not alone} for which in shown]


def _picked(rankings: Rankings, place: int, look: RankingLook) -> dict:
    hits, level = rankings.hits(), rankings.level
    if look.picture == "ROC":
        roc = ranked_roc(hits, place, level)
        if roc.auc != roc.auc:
            return {"place": place, "roc": [], "area": "no ROC curve: all that is judged is of one kind"}
        return {"place": place, "roc": roc_line(roc), "area": f"AUC {number_text(roc.auc)}"}
    curve = ranked_curve(hits, place, level)
    told = {"place": place, "saw": saw_tooth(curve), "steps": steps(curve), "nearest": nearest(curve)}
    if look.distance:
        efficiency = float(rankings.per_query(["efficiency"]).values["efficiency"][place])
        told["efficiency"] = f"rank {curve.closest + 1}: efficiency {number_text(efficiency)}"
    return told


def _first(rankings: Rankings) -> int:
    """Place of the query that stands first in the order of the table, of those that have a curve if any has."""
    names = columns_of(rankings)
    by, falling = _sort(names)
    relevant = rankings.hits().relevant(rankings.level)
    if by < 0:
        values = np.arange(len(rankings.queries()), dtype=np.float64)
    else:
        counted = [relevant.total, relevant.found]
        values = counted[by] if by < len(_COUNTS) else rankings.per_query(names).values[names[by - len(_COUNTS)]]
    order = np.where(np.isnan(values), np.inf, -values if falling else values)
    return int(np.lexsort((order, relevant.found == 0))[0])


def _sort(names: list[str]) -> list:
    """Place of the column the table is sorted by, −1 for the order of the judgments, and whether it falls."""
    written = address.text("sort", f"{names[0]}" if names else "query")
    falling, heads = written.startswith("-"), [*(head for head, _ in _COUNTS), *names]
    by = written.removeprefix("-")
    if by not in heads and by != "query":
        address.refuse("sort")
    return [heads.index(by), falling] if by in heads else [-1, falling and by == "query"]


# What comes from a browser is checked again.
def _pick(rankings: Rankings, said: dict | None) -> None:
    places = said.get("value") if isinstance(said, dict) else None
    if not isinstance(places, list):
        return
    queries = rankings.queries()
    known = [queries[place] for place in places if isinstance(place, int) and 0 <= place < len(queries)]
    if known:
        address.put_names("picked", [known[-MOST_PICKED:]])


def _order(names: list[str], said: dict | None) -> None:
    value = said.get("value") if isinstance(said, dict) else None
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], int):
        return
    heads = ["query", *(head for head, _ in _COUNTS), *names]
    if -1 <= value[0] < len(heads) - 1:
        address.put("sort", ("-" if value[1] else "") + heads[value[0] + 1])


def _filter(said: dict | None) -> None:
    value = said.get("value") if isinstance(said, dict) else None
    if isinstance(value, str):
        address.put("find", value[:200] or None)
