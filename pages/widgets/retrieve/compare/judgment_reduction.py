"""How the judgments matter: what nobody judged, what that leaves open, and whether fewer would give the same order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.figures import Bounds, bounds_figure, means_figure, step_text, tau_figure
from evalcore.retrieval import Hits, JudgedRuns, Kept, OrderKept, orders_kept, steps_of, unjudged_ranges_of
from evalcore.wording import count_text, number_text, plain, share_text

from ...display.figure import page_ink, show_figure
from ...session import address
from .comparison import Rivals, name, word

WAYS = {
    "random": "at random",
    "queries": "whole queries",
    "pool": "below a pool",
    "few": "all but a few relevant",
}
"""Ways to hide judgments: the keys are those of evalcore."""

DRAWS = (5, 10, 20, 50)
SEEDS_FROM = 20
_STEP = "hidden judgments"
_PATIENCE, _LONG = 0.3, 20_000_000
"""Seconds after which is said how far the draws are, and judged documents, once a step and draw, that take as long."""

_BESIDE = ("AP", "bpref", "infAP", "nDCG@k", "P@k")
_CONDENSED = "AP, condensed"
_EXPLAINED = {
    "random": "A share of the judgments is forgotten, of all queries alike: many queries, each judged sparsely.",
    "queries": "A share of the queries is forgotten with all their judgments: few queries, each judged densely. Beside "
    "*at random* it says whether to judge more queries or more documents.",
    "pool": "Only what some system here ranked high enough was judged; what none of them found is in no pool.",
    "few": "Only some relevant documents of each query are known, and nothing else, as where clicks are judgments.",
}
_FEWER = {
    "random": "Judgments hidden",
    "queries": "Queries hidden",
    "pool": "Depth of the pool",
    "few": "Known a query",
}


@dataclass(frozen=True)
class Hiding:
    """What is hidden.

    Parameters
    ----------
    way : str
        A key of `WAYS`.
    step : float
        One of `steps`.
    steps : tuple of float
    draws : int
        How often judgments are drawn.
    """

    way: str
    step: float
    steps: tuple[float, ...]
    draws: int


def show_fewer_judgments(rivals: Rivals) -> None:
    """The slider that hides judgments; the systems under what is left; and the whole way down in two pictures."""
    hiding, room = _choose_hiding(rivals)
    st.caption(_EXPLAINED[hiding.way])
    _show_left(rivals, hiding)
    found = kept_order(rivals, hiding.way, hiding.draws, room)
    systems = [(system, rivals.place(system)) for system in rivals.systems]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Does the order of the systems hold?**")
        show_figure(
            tau_figure(found, hiding.way, page_ink()), "tau",
            "Kendall's tau between the order of the systems with fewer and with all judgments, a line a measure",
            filename="order of systems",
        )  # fmt: skip
    with right:
        st.markdown(f"**{name(rivals.heading)} of each system**")
        show_figure(
            means_figure(found, rivals.heading, systems, hiding.way, page_ink()), "means of fewer",
            f"Mean {rivals.heading} of each system with fewer judgments",
            filename="fewer judgments",
        )  # fmt: skip
    _show_order(rivals, hiding, found)


def order_frame(rivals: Rivals, way: str, draws: int) -> pd.DataFrame:
    """A line a measure, step and draw: tau and the mean of each system, unrounded."""
    found = kept_order(rivals, way, draws)
    lines = []
    for measure, tau in found.tau.items():
        for row, step in enumerate(found.steps):
            for draw, value in enumerate(tau[row].tolist()):
                means = found.means[measure][row, draw].tolist()
                lines.append(
                    {"way": WAYS[way], "step": step, "draw": draw + 1, "measure": measure, "tau": value}
                    | {f"mean of {word(system, 60)}": mean for system, mean in zip(rivals.systems, means, strict=True)}
                )
    return pd.DataFrame(lines)


def hiding_of(rivals: Rivals) -> tuple[str, int]:
    """The way and the number of draws that the page is set to, whether its tab is open or not."""
    way, draws = st.session_state.get("hide"), st.session_state.get("draws")
    return (way if way in WAYS else "random"), (draws if draws in DRAWS else DRAWS[0])


def kept_order(rivals: Rivals, way: str, draws: int, room: DeltaGenerator | None = None) -> OrderKept:
    """How the measures order the systems on every step of a way.

    Each draw is kept as soon as it is made, and `room` says how many there are: whoever leaves or chooses something
    else meanwhile waits for no more of them, and who comes back only for the rest.
    """
    judged, level, start = _judged(rivals), rivals.rankings.level, perf_counter()
    known = _known(f"{rivals.key}\n{rivals.measure}\n{way}")
    seeds = range(SEEDS_FROM, SEEDS_FROM + (1 if way == "pool" else draws))
    missing, steps = [seed for seed in seeds if seed not in known], steps_of(way, judged, level)
    long = len(missing) * len(steps) * sum(len(hits.query) for hits in judged.hits) > _LONG
    made = orders_kept(judged, _measures(rivals), way, steps, missing, level, rivals.taking_part)
    for seed in missing:
        if room is not None and (long or perf_counter() - start > _PATIENCE):
            done = seeds.index(seed)
            room.progress(done / len(seeds), f"{count_text(done)} of {count_text(len(seeds))} draws")
        known[seed] = next(made)
    if room is not None:
        room.empty()
    return OrderKept.joined([known[seed] for seed in seeds])


def _choose_hiding(rivals: Rivals) -> tuple[Hiding, DeltaGenerator]:
    """What is hidden, and the room beside it that says how far the draws are."""
    with st.container(key="hiding", horizontal=True, vertical_alignment="bottom"):
        way = st.segmented_control(
            "Hide judgments", list(WAYS), default="random", key="hide", format_func=WAYS.get, bind="query-params",
            required=True, width="content",
        )  # fmt: skip
        way = way if way in WAYS else "random"
        steps = steps_of(way, _judged(rivals), rivals.rankings.level)
        step = _choose_step(way, steps)
        draws = DRAWS[0]
        if way != "pool":
            draws = st.selectbox(
                "Draws", DRAWS, key="draws", bind="query-params", width=90,
                help="How often the hidden ones are drawn anew, each with its own seed",
            )  # fmt: skip
        room = st.container(key="draws-made", width=100).empty()
    return Hiding(way, step, steps, draws if draws in DRAWS else DRAWS[0]), room


def _choose_step(way: str, steps: tuple[float, ...]) -> float:
    """How much is hidden; each way has a place of its own in the address."""
    name = f"hidden_{way}"
    asked = address.number(name, steps[0])
    if asked not in steps:
        address.refuse(name)
    step = asked if asked in steps else steps[0]
    if len(steps) < 2:  # a slider of one place would be refused
        return step
    st.session_state[_STEP] = step
    with st.container(width=260):
        st.select_slider(
            _FEWER[way], steps, key=_STEP, format_func=lambda one: step_text(way, one),
            on_change=lambda: address.put(name, st.session_state[_STEP]),
        )  # fmt: skip
    return step


def _show_left(rivals: Rivals, hiding: Hiding) -> None:
    """The systems under the judgments that are left: how much is judged, bounds, condensed, bpref and infAP."""
    frame, judgments, pooled = _left(
        f"{rivals.key}\n{rivals.measure}\n{hiding.way}\n{hiding.step}", rivals, hiding.way, hiding.step
    )
    bounds = [
        Bounds(system, rivals.place(system), line["value"], line["low"], line["high"], line["condensed"])
        for system, line in zip(rivals.systems, frame, strict=True)
    ]
    picture, table = st.columns([2, 3], gap="large")
    heading, k = rivals.heading, count_text(rivals.rankings.k)
    with picture:
        st.markdown(f"**What unjudged documents leave open in {name(heading)}**")
        show_figure(
            bounds_figure(bounds, heading, page_ink()), "bounds",
            f"{heading} of each system between all unjudged documents irrelevant and all of them relevant",
            filename="bounds",
        )  # fmt: skip
        st.caption("● unjudged are irrelevant · ◇ condensed lists, without them · the bar: none … all are relevant")
    with table:
        others = [measure for measure in ("AP", "bpref", "infAP") if measure != heading]
        shown = pd.DataFrame(
            {
                "system": [word(system, 60) for system in rivals.systems],
                f"unjudged@{k}": [share_text(1 - line["judged"]) for line in frame],
                heading: [number_text(line["value"]) for line in frame],
                "bounds": [f"{number_text(line['low'])} … {number_text(line['high'])}" for line in frame],
                "condensed": [number_text(line["condensed"]) for line in frame],
                **{measure: [number_text(line[measure]) for line in frame] for measure in others},
            }
        )
        st.markdown(f"**With {count_text(judgments)} of {count_text(len(rivals.rankings.judgments))} judgments**")
        st.dataframe(
            shown, hide_index=True, key="left", height="content",
            alt="Each system with the judgments that are left: share unjudged, measure, bounds, condensed list",
            column_config={"system": st.column_config.TextColumn("system", pinned=True)},
        )  # fmt: skip
        drawn = "" if hiding.way == "pool" or hiding.step == 0 else " One draw of them."
        marked = "" if pooled else " infAP takes what is hidden as not pooled, so it is AP here."
        st.caption(
            f"bpref reads judged documents only; infAP guesses what was pooled and not judged.{marked}{drawn} AP of a "
            "list may fall when unjudged documents are relevant, because they then count among R."
        )


def _show_order(rivals: Rivals, hiding: Hiding, found: OrderKept) -> None:
    """The order of the systems at the step of the slider, a line a measure."""
    row = found.steps.index(hiding.step)
    draws = 1 if hiding.way == "pool" else hiding.draws
    lines = []
    for measure in found.tau:
        lines.append(
            {
                "measure": measure,
                "τ, mean": number_text(float(found.mean_tau(measure)[row])),
                "τ, lowest": number_text(float(found.lowest_tau(measure)[row])),
                "same order": f"{int(found.held(measure)[row])} of {draws}",
                "same best": f"{int(found.same_best[measure][row].sum())} of {draws}",
                "order now": _ordered(rivals, found.means[measure][row].mean(axis=0)),
            }
        )
    st.dataframe(
        pd.DataFrame(lines), hide_index=True, key="order", height="content",
        alt="How each measure orders the systems with these judgments",
        column_config={"measure": st.column_config.TextColumn("measure", pinned=True)},
    )  # fmt: skip
    few = ""
    if len(rivals.systems) < 5:
        pairs = len(rivals.systems) * (len(rivals.systems) - 1) // 2
        few = f" {len(rivals.systems)} systems make {pairs} {'pair' if pairs == 1 else 'pairs'}, so τ is coarse."
    st.caption(
        f"Each measure against its own order with all judgments: τ = 1 is the same order, −1 the reverse.{few} The "
        "bands at the right reach from the lowest to the highest draw."
    )


def _ordered(rivals: Rivals, means: np.ndarray) -> str:
    """The systems from the highest mean to the lowest, in words."""
    order = np.argsort(-means, kind="stable").tolist()
    signs = ["", *(" = " if means[one] == means[two] else " > " for one, two in pairwise(order))]
    return "".join(sign + word(rivals.systems[place], 24) for sign, place in zip(signs, order, strict=True))


def _measures(rivals: Rivals) -> dict[str, Callable[[Hits], np.ndarray]]:
    """The measures whose order is followed: the chosen one first."""
    rankings = rivals.rankings
    measures: dict[str, Callable] = {rivals.heading: rivals.definition}
    for one in _BESIDE:
        measures.setdefault(rankings.heading(one), rankings.measure(one))
    average = rankings.measure("AP")
    return measures | {_CONDENSED: lambda hits: average(hits.condensed())}


def _judged(rivals: Rivals) -> JudgedRuns:
    return _joined(rivals.key, rivals)


@st.cache_resource(max_entries=8, show_spinner="Joining lists and judgments …")
def _joined(key: str, _rivals: Rivals) -> JudgedRuns:
    rankings = _rivals.rankings
    return JudgedRuns.of(rankings.judgments, {system: rankings.run(system) for system in _rivals.systems})


@st.cache_resource(max_entries=32, show_spinner=False)
def _known(key: str) -> dict[int, OrderKept]:
    """The draws that were made, by their seeds."""
    return {}


@st.cache_data(max_entries=128, show_spinner=False)
def _left(key: str, _rivals: Rivals, _way: str, _step: float) -> tuple[list[dict], int, bool]:
    rankings, judged = _rivals.rankings, _judged(_rivals)
    kept: Kept = judged.kept(_way, _step, SEEDS_FROM, rankings.level)
    part = _rivals.taking_part[kept.queries]
    lines = []
    for hits in judged.with_only(kept):
        measure = _rivals.definition
        span = unjudged_ranges_of(hits, [measure])[measure.label]
        line = {"value": span.value, "low": span.low, "high": span.high, "condensed": measure(hits.condensed())}
        line |= {name: rankings.measure(name)(hits) for name in ("AP", "bpref", "infAP")}
        line["judged"] = rankings.measure("judged@k")(hits)
        # A query that no list has says nothing about what is judged of a list.
        listed = part & ~hits.missing
        means = {key: _mean(values[listed if key == "judged" else part]) for key, values in line.items()}
        lines.append(means)
    return lines, int(np.count_nonzero(kept.judgments)), kept.pooled


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else float("nan")


def hidden_note(rivals: Rivals) -> str:
    """How much of the first ranks of A and B nobody judged, as a sentence; empty where all is judged."""
    said = []
    for system in (rivals.a, rivals.b):
        found = rivals.rankings.per_query(["judged@k"], system)
        share = 1 - _mean(found.values["judged@k"][~found.missing])
        if share > 0:
            said.append(f"{share_text(share)} of {plain(system, 40)}")
    if not said:
        return ""
    return f"Nobody judged {' and '.join(said)} in the first {count_text(rivals.rankings.k)} ranks: see *Judgments*."
