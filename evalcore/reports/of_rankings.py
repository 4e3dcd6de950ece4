"""Chapters of a report about ranked lists: sets, rankings, graded relevance, two systems."""

from evalcore.analyses import (
    GainSettings,
    GradedList,
    GradedSystems,
    QueryDifferences,
    QuerySets,
    Rankings,
    RankingSummary,
    RetrievedSets,
    Source,
    compare_rankings,
    difference_sides,
)
from evalcore.figures import (
    cumulated_figure,
    differences_figure,
    forest_figure,
    gains_figure,
    ink,
    mean_curves_figure,
    over_ranks_figure,
    pair_lines,
    sets_figure,
)
from evalcore.readers import ReadProblem
from evalcore.reports.parts import Chapter, Part, Picture, ReportSettings, Table, Words
from evalcore.wording import level_text, one_line, plain

_LIGHT = ink(dark=False)
_COLUMNS = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k")


def _rankings(source: Source) -> Rankings:
    if source.system is None:
        raise ReadProblem("No row names a system, so there are no lists. Choose another system column.")
    rankings = Rankings(source, source.system)
    if (mismatch := rankings.mismatch) is not None:
        raise ReadProblem(mismatch)
    if not rankings.queries():
        raise ReadProblem("No query has both a list and judgments.")
    return rankings


def ranking_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Whether the relevant documents are at the top: means, mean curves, a line for each query."""
    rankings = _rankings(source)
    summary = RankingSummary(rankings, _COLUMNS)
    parts: list[Part] = [
        Table("", heads=[name for name, _, _ in summary.headline], rows=[[value for _, value, _ in summary.headline]]),
        Picture(mean_curves_figure(rankings, _LIGHT), "Mean interpolated precision at eleven levels of recall"),
        Table("Every query", dict(summary.table)),
    ]
    return Chapter("Ranking", "Are the relevant documents at the top?", summary.verdict, parts)


def sets_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """What the first query found and missed, and the averages over the queries."""
    rankings = _rankings(source)
    sets = RetrievedSets(rankings)
    one = QuerySets(sets, rankings.queries()[0])
    heads, rows = one.table
    parts: list[Part] = []
    if not one.problem(rankings.system):
        words = f"Retrieved and relevant documents of query {one_line(one.query, 40)}: {one.outcomes(rankings.system)}"
        parts.append(Picture(sets_figure(one.counts[rankings.system], _LIGHT), words))
    parts.append(Table(f"Query {one_line(one.query, 60)}", heads=heads, rows=rows))
    if len(rankings.queries()) > 1:
        parts.append(Table("Macro and micro average", rows=sets.averages_table))
    return Chapter("Sets", "What was found, and what was missed?", f"{rankings.coverage}.", parts)


def graded_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Whether the best documents are at the top: the first query against its ideal list, and all systems."""
    rankings, gains = _rankings(source), GainSettings()
    query = rankings.queries()[0]
    graded, systems = GradedList(rankings, query, gains), GradedSystems(rankings, gains)
    over = systems.over_ranks("nDCG")
    name = one_line(query, 40)
    parts: list[Part] = [
        Table("", heads=[head for head, _, _ in systems.headline], rows=[[value for _, value, _ in systems.headline]]),
        Picture(
            gains_figure(graded.ranks, _LIGHT, graded.length), f"Gains by rank of query {name}, before the ideal list"
        ),
        Picture(cumulated_figure(graded.ranks, _LIGHT), f"DCG of query {name} and of its ideal list"),
        *([Picture(over_ranks_figure(over, _LIGHT), over.description)] if over.values else []),
        Words(over.verdict),
        Table(f"Query {name} rank by rank", dict(graded.short_table)),
    ]
    return Chapter("Graded relevance", "Are the best documents at the top?", graded.verdict, parts)


def compare_rankings_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Which system ranks better: all pairs with their intervals, and the queries behind the difference."""
    rankings = _rankings(source)
    if len(rankings.systems) < 2:
        raise ReadProblem("There is one system only. Open a second run together with this one to compare them.")
    comparison = compare_rankings(rankings, level=settings.intervals.level)
    pair = QueryDifferences.of(comparison)
    lines = pair_lines(comparison.pair_differences, comparison.level, comparison.b)
    sides = difference_sides([rankings.measure(comparison.measure)], "", " than A")
    first, second = (plain(name, 30) for name in (pair.a, pair.b))
    parts: list[Part] = [
        Picture(
            forest_figure(lines, sides, f"difference in {comparison.heading} to A", _LIGHT),
            f"Differences to A with {level_text(comparison.level)} intervals; filled: more than chance",
        ),
        Picture(differences_figure(pair, _LIGHT), f"Difference in {comparison.heading} of each query"),
        Words(f"A is {first}, B is {second}."),
        Table("Systems", heads=comparison.heads, rows=comparison.rows),
        Words(" ".join(comparison.notes)),
    ]
    return Chapter("Compare rankings", "Which system ranks better?", comparison.verdict, parts)
