"""How the judgments matter: what the unjudged documents leave open, and whether fewer would give the same order."""

from time import perf_counter

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.analyses import REDUCTIONS, JudgmentMap, JudgmentReduction, RankingComparison, system_name
from evalcore.figures import bounds_figure, judgment_map_figure, means_figure, step_text, tau_figure
from evalcore.wording import count_text, number_text, range_text
from pages.widgets.controls.fields import beside, bound, segmented, select
from pages.widgets.display.figure import page_ink, show_figure, show_frame
from pages.widgets.session import address
from pages.widgets.session.loaded import with_links

DRAWS = (5, 10, 20, 50)
_PATIENCE, _LONG = 0.3, 20_000_000  # seconds after which progress is shown, and rows that are known to take as long

_EXPLAINED = {
    "random": "A random share of the judgments is hidden in all queries: many queries, each judged sparsely.",
    "queries": "A random share of the queries is hidden with all their judgments: few queries, each judged densely. "
    "Compare with *at random* to decide whether to judge more queries or more documents.",
    "pool": "Only documents that some system here ranked high enough are judged; the others are outside the pool.",
    "few": "Only a few relevant documents per query are known and nothing else, as when clicks serve as judgments.",
}
_LABELS = {
    "random": "Judgments hidden",
    "queries": "Queries hidden",
    "pool": "Depth of the pool",
    "few": "Known per query",
}


def chosen_reduction(comparison: RankingComparison) -> tuple[JudgmentReduction, int]:
    """How judgments are hidden and how often, whether the tab is open or not."""
    way, draws = st.session_state.get("hide"), st.session_state.get("draws")
    way = way if way in REDUCTIONS else "random"
    return JudgmentReduction(comparison, way), draws if draws in DRAWS else DRAWS[0]


def show_judgment_reduction(comparison: RankingComparison) -> None:
    """The slider that hides judgments; the systems under what is left; and all steps in two pictures."""
    with beside("hiding"):
        segmented("Hide judgments", REDUCTIONS, "hide", "random", width="content")
        reduction, _ = chosen_reduction(comparison)
        with st.spinner("Joining lists and judgments …"):
            step = _choose_step(reduction)
        if reduction.way != "pool":
            select("Draws", DRAWS, "draws", width=90, help="How many random draws, each with its own seed")
        _, draws = chosen_reduction(comparison)
        progress = st.container(key="draws-made", width=100).empty()
    st.caption(_EXPLAINED[reduction.way])
    _show_workflow(JudgmentMap(reduction, step))
    _show_remaining(reduction, step)
    _prepare(reduction, draws, progress)
    _show_order(reduction, step, draws)


def _choose_step(reduction: JudgmentReduction) -> float:
    """How much is hidden; each way has a place of its own in the address."""
    name, steps = f"hidden_{reduction.way}", reduction.steps
    step = address.number(name, steps[0])
    if step not in steps:
        address.refuse(name)
        step = steps[0]
    if len(steps) > 1:  # a slider of one place would be refused
        with st.container(width=260):
            bound(
                st.select_slider, _LABELS[reduction.way], name, step, steps, key="hidden judgments",
                format_func=lambda one: step_text(reduction.way, one),
            )  # fmt: skip
    return step


def _prepare(reduction: JudgmentReduction, draws: int, progress: DeltaGenerator) -> None:
    """Make the draws; a reader who leaves meanwhile waits for no more, and only the rest is made on return."""
    start, number, long = perf_counter(), reduction.draws(draws), reduction.rows_to_rank(draws) > _LONG
    for done in reduction.prepare(draws):
        if long or perf_counter() - start > _PATIENCE:
            progress.progress(done / number, f"{count_text(done)} of {count_text(number)} draws")
    progress.empty()


def _show_workflow(drawn: JudgmentMap) -> None:
    """The way from topics to judgments with its numbers, and where in the lists of A the judgments lie."""
    st.markdown("**From topics to judgments**")
    steps = "".join(
        f"<li><b>{one.title}</b><span>{count_text(one.number)}</span> {one.unit}<small>{one.words}</small></li>"
        for one in drawn.workflow
    )
    st.html(f'<ol class="workflow">{steps}</ol>')
    st.caption(with_links(drawn.note))
    st.markdown(f"**Dense or sparse?** {drawn.verdict}")
    show_figure(judgment_map_figure(drawn, page_ink()), "judgment map", drawn.about, filename="judgments")
    st.caption(drawn.caption)


def _show_remaining(reduction: JudgmentReduction, step: float) -> None:
    """The systems under the judgments that are left: how much is judged, bounds, condensed lists, bpref and infAP."""
    pairs, remaining, heading = reduction.pairs, reduction.remaining(step), reduction.pairs.heading
    picture, table = st.columns([2, 3], gap="large")
    with picture:
        st.markdown(f"**What unjudged documents leave open in {system_name(heading)}**")
        bounds = reduction.bounds(step)
        listed = ", ".join(
            f"{one.name[:40]} {range_text(number_text(one.low), number_text(one.high))}" for one in bounds
        )
        show_figure(
            bounds_figure(bounds, heading, page_ink()), "bounds",
            f"{heading} with all unjudged documents irrelevant and with all of them relevant: {listed}",
            filename="bounds",
        )  # fmt: skip
        st.caption(
            "● unjudged documents irrelevant · ◇ condensed lists, without them · bar: from none to all of them relevant"
        )
    with table:
        count = count_text(int(remaining.judgments.sum()))
        st.markdown(f"**With {count} of {count_text(len(pairs.rankings.judgments))} judgments**")
        alt = "Each system with the judgments that are left: share unjudged, measure, bounds, condensed list"
        show_frame(pd.DataFrame(reduction.bounds_table(step)), "left", alt, {}, height=None)
        note = "" if reduction.way == "pool" or step == 0 else " This is one draw."
        pooled = "" if remaining.pooled else " Hidden documents count as not pooled here, so infAP equals AP."
        st.caption(
            "bpref uses judged documents only; infAP estimates how many pooled but unjudged documents are relevant."
            f"{pooled}{note} AP can fall when unjudged documents are relevant, because R grows with them."
        )


def _show_order(reduction: JudgmentReduction, step: float, draws: int) -> None:
    """The order of the systems over all steps as pictures, and at the step of the slider as a table."""
    pairs, order, colours = reduction.pairs, reduction.order(draws), page_ink()
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Does the order of the systems hold?**")
        show_figure(
            tau_figure(order, reduction.way, colours), "tau",
            "Kendall's tau between the order of the systems with fewer and with all judgments, one line per measure",
            filename="order of systems",
        )  # fmt: skip
    with right:
        st.markdown(f"**{system_name(pairs.heading)} of each system**")
        systems = list(zip(pairs.systems, pairs.positions, strict=True))
        show_figure(
            means_figure(order, pairs.heading, systems, reduction.way, colours), "means of fewer",
            f"Mean {pairs.heading} of each system with fewer judgments", filename="fewer judgments",
        )  # fmt: skip
    alt = "How each measure orders the systems with these judgments"
    show_frame(pd.DataFrame(reduction.order_table(step, draws)), "order", alt, {}, height=None)
    n = len(pairs.systems)
    few = f" {n} systems make {n * (n - 1) // 2} {'pair' if n == 2 else 'pairs'}, so τ is coarse." if n < 5 else ""
    st.caption(
        f"Each measure against its own order with all judgments: τ = 1 is the same order, −1 the reverse.{few} The "
        "bands on the right span the lowest to the highest draw."
    )
