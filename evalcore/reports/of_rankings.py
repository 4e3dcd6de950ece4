"""Chapters of a report about ranked lists: sets, rankings, graded relevance, two systems."""

from typing import Any

from evalcore import analyses, figures
from evalcore.readers import ReadProblem
from evalcore.reports.parts import (
    Chapter,
    Makers,
    Part,
    Picture,
    ReportSettings,
    Table,
    Words,
    paragraphs,
    varying_columns,
)
from evalcore.wording import level_text, one_line, plain

_LIGHT = figures.ink(dark=False)
COLUMNS = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k")


def ranking_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on rankings: means, mean curves, a line for each query."""
    rankings = settings.rankings_of(source)
    summary, query = analyses.RankingSummary(rankings, COLUMNS), settings.query_of(rankings)
    parts: list[Part | Makers] = [
        Table("", heads=[*summary.headline], rows=[[*summary.headline.values()]]),
        Picture(figures.mean_curves_figure(rankings, _LIGHT), "Mean interpolated precision at eleven levels of recall"),
        *paragraphs(summary.tie_note, summary.details),
        *([Picture(*figures.gallery_figure(summary, _LIGHT), wide=True)] if rankings.queries() else []),
        Table("Every query", dict(summary.table)),
        {f"Query {one_line(query, 60)}": lambda: _list(analyses.RankedList(rankings, query))},
    ]
    return Chapter.of_page("retrieve/ranking", summary.verdict, parts)


def _list(ranked: analyses.RankedList) -> list[Part]:
    if not ranked.documents:
        return [Words(ranked.verdict)]
    sums = [ranked.average_precision] if ranked.curve.total else []
    return [Words(ranked.verdict), Table("", dict(ranked.table)), *paragraphs(*sums, ranked.tie_note)]


def sets_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on retrieved sets: one query, and the averages over the queries."""
    rankings = settings.rankings_of(source)
    sets = analyses.RetrievedSets(rankings)
    one = analyses.QuerySets(sets, settings.query_of(rankings))
    heads, rows = one.table
    parts: list[Part | Makers] = []
    if not one.problem(rankings.system):
        words = f"Retrieved and relevant documents of query {one_line(one.query, 40)}: {one.outcomes(rankings.system)}"
        parts.append(Picture(figures.sets_figure(one.counts[rankings.system], _LIGHT), words))
    parts.append(Table(f"Query {one_line(one.query, 60)}", heads=heads, rows=rows))
    if len(rankings.queries()) > 1:
        parts.append(Table("Macro and micro average", rows=sets.averages_table))
        parts.append(Table("All queries", dict(sets.table("set_f"))))
    return Chapter.of_page("retrieve/sets", one.verdict, parts)


def graded_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on graded relevance: one query against its ideal list, and all systems."""
    rankings, gains = settings.rankings_of(source), settings.gains
    query = settings.query_of(rankings)
    graded, systems = analyses.GradedList(rankings, query, gains), analyses.GradedSystems(rankings, gains)
    over = systems.over_ranks("nDCG")
    name = one_line(query, 40)
    parts: list[Part | Makers] = [
        Table("", heads=[*systems.headline], rows=[[*systems.headline.values()]]),
        Picture(
            figures.gains_figure(graded.ranks, _LIGHT, graded.length),
            f"Gains by rank of query {name}, before the ideal list",
        ),
        Picture(figures.cumulated_figure(graded.ranks, _LIGHT), f"DCG of query {name} and of its ideal list"),
        *([Picture(figures.over_ranks_figure(over, _LIGHT), over.description)] if over.values else []),
        Words(over.verdict),
        Table(f"Query {name} rank by rank", dict(graded.short_table)),
        *([Table("All queries", dict(systems.table))] if len(rankings.queries()) > 1 else []),
    ]
    return Chapter.of_page("retrieve/graded", graded.verdict, parts)


def compare_rankings_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter that compares rankings: all pairs with their intervals, and the differences per query."""
    rankings = settings.rankings_of(source)
    if len(rankings.systems) < 2:
        raise ReadProblem("There is one system only. Open a second run together with this one to compare them.")
    chosen: dict[str, Any] = {"level": settings.intervals.level} | settings.compared_rankings
    comparison = analyses.compare_rankings(rankings, **chosen)
    pair, heading = analyses.QueryDifferences.of(comparison), comparison.heading
    first, second = (plain(name, 30) for name in (pair.a, pair.b))
    parts: list[Part | Makers] = [
        Picture(
            pairs_figure(comparison),
            f"Differences to A with {level_text(comparison.level)} intervals; filled: more than chance",
        ),
        Picture(figures.differences_figure(pair, _LIGHT), f"Difference in {heading} of each query"),
        Words(f"A is {first}, B is {second}."),
        Table("Systems", heads=comparison.heads, rows=comparison.rows),
        Words(" ".join(comparison.notes)),
        {
            "Query by query": lambda: [
                Picture(figures.scatter_figure(pair, _LIGHT), f"{heading} of B over that of A, one dot per query"),
                Table("", dict(pair.table)),
            ],
            "Judgments": lambda: _judgments(comparison),
            "Variance and power": lambda: _variance(comparison),
            "All comparisons": lambda: [Table("", varying_columns(comparison.table))],
        },
    ]
    return Chapter.of_page("retrieve/compare", comparison.finding, parts)


def pairs_figure(comparison: analyses.RankingComparison) -> Any:
    """Differences of every system to A with their intervals."""
    lines = figures.pair_lines(comparison.pair_differences, comparison.level, comparison.b)
    sides = analyses.difference_sides([comparison.rankings.measure(comparison.measure)], "", " than A")
    return figures.forest_figure(lines, sides, f"difference in {comparison.heading} to A", _LIGHT)


def _judgments(comparison: analyses.RankingComparison) -> list[Part]:
    """Bounds of the measures over unjudged documents, with all judgments."""
    reduction = analyses.JudgmentReduction(comparison, "random")
    drawn = analyses.JudgmentMap(reduction, reduction.steps[0])
    bounds = reduction.bounds(reduction.steps[0])
    shows = f"Bounds of {comparison.heading}: all unjudged documents irrelevant, or all of them relevant"
    return [
        Picture(figures.judgment_map_figure(drawn, _LIGHT), drawn.about),
        Picture(figures.bounds_figure(bounds, comparison.heading, _LIGHT), shows),
        Words(drawn.verdict),
        Table("", reduction.bounds_table(reduction.steps[0])),
    ]


def _variance(comparison: analyses.RankingComparison) -> list[Part]:
    variance = analyses.QueryVariance(comparison, None)
    if variance.parts is None:
        return [Words("One query shows no variance.")]
    shows = f"{comparison.heading} of every query and system, the queries in the order of their mean"
    return [
        Picture(figures.query_spread_figure(variance, _LIGHT), shows),
        Picture(figures.power_figure(variance, _LIGHT), "Power over the number of queries"),
        Words(f"{variance.variance_verdict}\n\n{variance.verdict}"),
        Table("", dict(variance.table)),
    ]
