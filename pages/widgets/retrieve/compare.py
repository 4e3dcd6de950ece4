"""Which rankings are compared and how they are tested; the table of systems, and under it the parts."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore import analyses, figures
from evalcore.figures import graph_objects as go
from evalcore.readers import ReadProblem
from evalcore.wording import Column, count_text, level_text, number_text, range_text, share_text
from pages.widgets.controls.fields import beside, bound, choose_key, segmented, select
from pages.widgets.controls.intervals import choose_correction, choose_margin, choose_two
from pages.widgets.controls.ranking_settings import FACE_COLUMNS, MeasureNames, choose_ranking_settings
from pages.widgets.display.figure import page_ink, show_figure, show_frame, show_table
from pages.widgets.display.measures import end_with_one_system, show_differences_table, show_pairs
from pages.widgets.display.page import controls, show_folds, statistics
from pages.widgets.export.downloads import show_downloads
from pages.widgets.retrieve.lists import open_list, opened_query, show_list
from pages.widgets.session import address
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import RANKED, with_links
from pages.widgets.session.page_exit import usable

_TABLE = "queries of the comparison"


def show_queries(comparison: analyses.RankingComparison) -> None:
    """Bars, dots and a table of the queries; a click on any of them opens the lists of a query in the drawer."""
    pair, colours, query = analyses.QueryDifferences.of(comparison), page_ink(), opened_query(comparison.queries)
    key = "\n".join((comparison.rankings.key, comparison.key, comparison.a, comparison.b, colours.paper))
    key += repr((comparison.measure, comparison.rankings.k, comparison.rankings.level))
    n, a, b = len(pair.queries), analyses.system_title(pair.a), analyses.system_title(pair.b)
    opened = pair.queries.index(query) if query in pair.queries else None
    bars, dots = _figures(f"{key}\n{opened}", pair, colours, opened)
    about = f"Differences in {pair.heading} of {count_text(n)} queries in order, {b} minus {a}"
    _draw(bars, "query-differences", pair, about, "query differences")
    left, right = st.columns(2, gap="large")
    with left:
        above = f"{count_text(int((pair.differences > 0).sum()))} of {count_text(n)}"
        about = f"{pair.heading} of {b} over that of {a}, one dot per query: {above} above the diagonal"
        _draw(dots, "query-scatter", pair, about, "A against B")
    with right:
        _show_table(pair, query)
        most = figures.BARS
        drawn = f" {count_text(most)} of {count_text(n)} queries are drawn, evenly spaced." if n > most else ""
        st.caption(f"Click a bar, a dot or a row to see both lists.{drawn}")
    if query is not None:
        both = analyses.SideBySideRankings(comparison.rankings, comparison.b, query, comparison.measure)
        show_list(both, [pair.queries[at] for at in pair.order])
        st.page_link("pages/retrieve/ranking.py", label="The curve of the query", query_params=address.parameters())


def _show_table(pair: analyses.QueryDifferences, query: str | None) -> None:
    frame = pd.DataFrame(pair.table)
    columns = dict.fromkeys(frame.columns[-3:], Column(3)) | FACE_COLUMNS | {"query": Column(first=True)}
    alt = "Every query with the values of A and B, the largest difference first"
    order = [pair.queries[at] for at in pair.order]
    chosen = order.index(query) if query in order else -1
    show_frame(frame, _TABLE, alt, columns, 9, 380, lambda row: _pick(pair, int(pair.order[row])), chosen)


def _draw(figure: go.Figure, key: str, pair: analyses.QueryDifferences, alt: str, filename: str) -> None:
    show_figure(figure, key, alt, filename, pick=lambda point: _pick_point(pair, point))


# What comes from a browser is checked again.
def _pick_point(pair: analyses.QueryDifferences, point: Mapping) -> None:
    data = point.get("customdata")
    _pick(pair, data[0] if isinstance(data, list) and data else data.get("0") if isinstance(data, dict) else data)


def _pick(pair: analyses.QueryDifferences, index: object) -> None:
    """Open the lists of a query, or close them if they are open."""
    query = pair.queries[index] if isinstance(index, int) and 0 <= index < len(pair.queries) else None
    open_list(None if query == opened_query(pair.queries) else query)


_figures = cache(lambda *parts: (figures.differences_figure(*parts), figures.scatter_figure(*parts)), 32)

_LEAST, _MOST = 1e-6, 1e6


def chosen_variance(comparison: analyses.RankingComparison) -> analyses.QueryVariance:
    """With the difference of the address, whether the tab is open or not."""
    return analyses.QueryVariance(comparison, address.number("detect", None, _LEAST, _MOST))


def show_query_variance(comparison: analyses.RankingComparison) -> None:
    """The spread of queries and systems, and the power over the number of queries."""
    variance, colours = chosen_variance(comparison), page_ink()
    if variance.parts is None:
        st.caption("One query shows no variance. Open judgments of at least two.")
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Do queries or systems vary more?**")
        about = f"{comparison.heading} of every query and system, the queries in the order of their mean"
        show_figure(figures.query_spread_figure(variance, colours), "query spread", about, filename="query spread")
        st.markdown(with_links(variance.variance_verdict))
        columns = dict.fromkeys(("variance", "standard deviation"), Column(4)) | {"share": Column(share_text)}
        alt = "Variance between queries, between systems, and of what is left"
        show_frame(pd.DataFrame(variance.table), "variance", alt, columns)
    with right:
        st.markdown("**How many queries show a difference?**")
        bound(
            st.number_input, "Difference to detect", "detect", variance.difference or _LEAST, _LEAST, _MOST, None, 0.01,
            format="%.4g", width=200, help=f"At first the difference observed here, {number_text(variance.observed)}, "
            "which is itself uncertain. Better type the smallest difference that would matter.",
        )  # fmt: skip
        about = f"Power over the number of queries, {count_text(variance.queries)} of which are here"
        show_figure(figures.power_figure(variance, colours), "power", about, filename="power")
        st.caption("● the queries here · ◇ queries needed · dashed: a power of 80 %")
        st.markdown(with_links(variance.verdict))
    with st.expander("Formulas of variance and power"):
        st.markdown(variance.formulas)


DRAWS = (5, 10, 20, 50)
_PATIENCE, _LONG = 0.3, 20_000_000  # seconds after which progress is shown, and rows that are known to take as long

_EXPLAINED = {
    "random": "A random share of the judgments is hidden in all queries: many queries, each judged sparsely.",
    "queries": "A random share of the queries is hidden with all their judgments: few queries, each judged densely. "
    "Compare with *at random* to decide whether to judge more queries or more documents.",
    "pool": "Only documents that some system here ranked high enough are judged; the others are outside the pool.",
    "few": "Only a few relevant documents per query are known and nothing else, as when clicks serve as judgments.",
}
_HIDDEN = "Judgments hidden", "Queries hidden", "Depth of the pool", "Known per query"
_LABELS = dict(zip(analyses.REDUCTIONS, _HIDDEN, strict=True))


def chosen_reduction(comparison: analyses.RankingComparison) -> tuple[analyses.JudgmentReduction, int]:
    """How judgments are hidden and how often, whether the tab is open or not."""
    way, draws = st.session_state.get("hide"), st.session_state.get("draws")
    way = way if way in analyses.REDUCTIONS else "random"
    return analyses.JudgmentReduction(comparison, way), draws if draws in DRAWS else DRAWS[0]


def show_judgment_reduction(comparison: analyses.RankingComparison) -> None:
    """The slider that hides judgments; the systems under what is left; and all steps in two pictures."""
    with beside("hiding"):
        segmented("Hide judgments", analyses.REDUCTIONS, "hide", "random", width="content")
        reduction, _ = chosen_reduction(comparison)
        with st.spinner("Joining lists and judgments …"):
            step = _choose_step(reduction)
        if reduction.way != "pool":
            select("Draws", DRAWS, "draws", width=90, help="How many random draws, each with its own seed")
        _, draws = chosen_reduction(comparison)
        progress = st.container(key="draws-made", width=100).empty()
    st.caption(_EXPLAINED[reduction.way])
    _show_workflow(analyses.JudgmentMap(reduction, step))
    _show_remaining(reduction, step)
    _prepare(reduction, draws, progress)
    _show_order(reduction, step, draws)


def _choose_step(reduction: analyses.JudgmentReduction) -> float:
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
                format_func=lambda one: figures.step_text(reduction.way, one),
            )  # fmt: skip
    return step


def _prepare(reduction: analyses.JudgmentReduction, draws: int, progress: DeltaGenerator) -> None:
    """Make the draws; a reader who leaves meanwhile waits for no more, and only the rest is made on return."""
    start, number, long = perf_counter(), reduction.draws(draws), reduction.rows_to_rank(draws) > _LONG
    for done in reduction.prepare(draws):
        if long or perf_counter() - start > _PATIENCE:
            progress.progress(done / number, f"{count_text(done)} of {count_text(number)} draws")
    progress.empty()


def _show_workflow(drawn: analyses.JudgmentMap) -> None:
    """The way from topics to judgments with its numbers, and where in the lists of A the judgments lie."""
    st.markdown("**From topics to judgments**")
    steps = "".join(
        f"<li><b>{one.title}</b><span>{count_text(one.number)}</span> {one.unit}<small>{one.words}</small></li>"
        for one in drawn.workflow
    )
    st.html(f'<ol class="workflow">{steps}</ol>')
    st.caption(with_links(drawn.note))
    st.markdown(f"**Dense or sparse?** {drawn.verdict}")
    show_figure(figures.judgment_map_figure(drawn, page_ink()), "judgment map", drawn.about, filename="judgments")
    st.caption(drawn.caption)


def _show_remaining(reduction: analyses.JudgmentReduction, step: float) -> None:
    """The systems under the judgments that are left: how much is judged, bounds, condensed lists, bpref and infAP."""
    pairs, remaining, heading = reduction.pairs, reduction.remaining(step), reduction.pairs.heading
    picture, table = st.columns([2, 3], gap="large")
    with picture:
        st.markdown(f"**What unjudged documents leave open in {analyses.system_name(heading)}**")
        bounds = reduction.bounds(step)
        spans = (range_text(number_text(one.low), number_text(one.high)) for one in bounds)
        listed = ", ".join(f"{one.name[:40]} {span}" for one, span in zip(bounds, spans, strict=True))
        about = f"{heading} with all unjudged documents irrelevant and with all of them relevant: {listed}"
        show_figure(figures.bounds_figure(bounds, heading, page_ink()), "bounds", about, filename="bounds")
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


def _show_order(reduction: analyses.JudgmentReduction, step: float, draws: int) -> None:
    """The order of the systems over all steps as pictures, and at the step of the slider as a table."""
    pairs, order, colours = reduction.pairs, reduction.order(draws), page_ink()
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Does the order of the systems hold?**")
        about = "Kendall's tau between the order of the systems with fewer and with all judgments, one line per measure"
        show_figure(figures.tau_figure(order, reduction.way, colours), "tau", about, filename="order of systems")
    with right:
        st.markdown(f"**{analyses.system_name(pairs.heading)} of each system**")
        systems = list(zip(pairs.systems, pairs.positions, strict=True))
        figure = figures.means_figure(order, pairs.heading, systems, reduction.way, colours)
        about = f"Mean {pairs.heading} of each system with fewer judgments"
        show_figure(figure, "means of fewer", about, filename="fewer judgments")
    alt = "How each measure orders the systems with these judgments"
    show_frame(pd.DataFrame(reduction.order_table(step, draws)), "order", alt, {}, height=None)
    n = len(pairs.systems)
    few = f" {n} systems make {n * (n - 1) // 2} {'pair' if n == 2 else 'pairs'}, so τ is coarse." if n < 5 else ""
    st.caption(
        f"Each measure against its own order with all judgments: τ = 1 is the same order, −1 the reverse.{few} The "
        "bands on the right span the lowest to the highest draw."
    )


def choose_comparison(rankings: analyses.Rankings) -> analyses.RankingComparison:
    """The systems and how they are compared, A being that of the sidebar; ends the page where there is only one."""
    if len(rankings.systems) < 2:
        end_with_one_system(
            rankings.current, "two systems on the same queries",
            "Open a second run together with this one and the judgments, or a table with a column of scores per "
            "system.", RANKED,
        )  # fmt: skip
    with controls():
        chosen = choose_systems(rankings)
    with usable(ReadProblem), st.spinner("Testing …"):
        return analyses.compare_rankings(rankings, **chosen)


def choose_systems(rankings: analyses.Rankings) -> dict[str, Any]:
    """Ask what `compare_rankings` is asked with."""
    names = tuple(_NAMES.of(rankings))
    measure = bound(
        st.selectbox, "Better by", "measure", address.choice("measure", names, names[0]), names,
        format_func=rankings.heading, width=120, help="Choose it before you look.",
    )  # fmt: skip
    choose_ranking_settings(rankings)
    b = choose_two(rankings.systems, rankings.system, "system", 155)
    _NAMES.choose(rankings)
    with statistics():
        tests = {key: name[0].upper() + name[1:] for key, name in analyses.RANKING_TESTS.items()}
        test = choose_key(
            "Test of the differences", "test", tests,
            help="The t-test and the randomisation test ask about the mean difference, Wilcoxon about signed ranks, "
            "the sign test only about which system wins more queries.",
        )  # fmt: skip
        level, correction, all_pairs = choose_correction("confidence", len(rankings.systems) > 2)
        margin = choose_margin()
    tested = {"test": test, "correction": correction, "level": level, "all_pairs": all_pairs, "margin": margin}
    return {"b": b, "names": names, "measure": measure, **tested}


_USUAL = ("AP", "nDCG@k", "P@k", "R@k", "RR", "bpref")  # where the address names nothing
_NAMES = MeasureNames("Table", "measures", _USUAL, most=10, refused=analyses.no_test_by)


def show_systems(comparison: analyses.RankingComparison) -> None:
    """Systems × measures, A first, each marked in the colour of its curve."""
    ink = page_ink()
    colours = (f".system-{place} {{ --system: {ink.system(place)}; }}" for place in comparison.positions)
    st.html(f"<style>{' '.join(colours)}</style>")
    show_table(comparison.heads, comparison.rows, "systems")
    st.caption(with_links(comparison.legend))


def show_parts(comparison: analyses.RankingComparison) -> None:
    """All comparisons · query by query · judgments · variance and power, under folds."""
    parts = {
        "All comparisons": _show_comparisons, "Query by query": show_queries, "Judgments": show_judgment_reduction,
        "Variance and power": show_query_variance,
    }  # fmt: skip
    show_folds("retrieve/compare", parts, comparison)


def show_comparison_downloads(comparison: analyses.RankingComparison) -> None:
    """The comparisons, the means, the queries and what hiding judgments does, and the code."""
    (reduction, draws), variance = chosen_reduction(comparison), chosen_variance(comparison)
    others = {
        "Means": lambda: comparison.means_table, "Queries": lambda: comparison.queries_table,
        "Fewer judgments": lambda: reduction.table(draws), "Variance": lambda: variance.table,
    }  # fmt: skip
    show_downloads("compared rankings", lambda: comparison.table, comparison.code_with(variance.code), others)


def _show_comparisons(comparison: analyses.RankingComparison) -> None:
    """The differences by the measure of the verdict with their intervals, and all tests."""
    level = level_text(comparison.level)
    st.markdown(f"**Differences in {analyses.system_name(comparison.heading)}** :small[:gray[with {level} intervals]]")
    all_pairs = comparison.all_pairs and len(comparison.systems) > 2
    show_pairs(comparison.pair_differences, comparison.level, comparison.b, all_pairs, comparison.margin)
    st.caption("● beyond chance after the correction · ○ could be chance. Intervals: Student’s t, not corrected.")
    show_differences_table(comparison.table)
    methods = dict.fromkeys(one.test.method for one in comparison.differences)
    st.caption(
        f"{' · '.join(methods)}. d_z: mean difference over the standard deviation of the differences; about 0.2 is "
        "small, 0.5 medium, 0.8 large."
    )
