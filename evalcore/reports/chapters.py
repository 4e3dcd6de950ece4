"""Chapters of a report: classes and labels, rankings, estimates, masks and distributions; and the list of all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalcore import analyses, figures
from evalcore.classification import top_confusions
from evalcore.readers import EndColumns, ReadProblem, kinds_giving
from evalcore.reports.of_scores import curves_chapter, probabilities_chapter, slice_parts, threshold_chapter
from evalcore.reports.parts import Chapter, Makers, Markup, Part, Picture, Table, Words, paragraphs, two_by_two
from evalcore.reports.settings import ReportSettings
from evalcore.wording import Cell, count_text, escaped, label_text, level_text, one_line, plain, share_text

_LIGHT = figures.ink(dark=False)
COLUMNS = ("AP", "RR", "P@k", "R@k", "nDCG@k", "Rprec", "judged@k")


def counts_of(source: analyses.Source, settings: ReportSettings) -> analyses.NamedCounts:
    """The four counts of a data set: at the threshold of its scores, or of its positive class."""
    if source.kind in kinds_giving("scored"):
        scores = analyses.Scores.of(source)
        return analyses.NamedCounts.at(scores, settings.threshold_of(scores))
    focus = settings.focus
    return analyses.NamedCounts.of_class(source, lambda classes, start: focus if focus in classes else start)


def confusion_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on a 2×2 table: the table, its verdict and every measure."""
    named = counts_of(source, settings)
    confusion = analyses.analyse_confusion(named, settings.intervals)
    parts: list[Part | Makers] = [
        Markup(two_by_two(named.counts, named.positive, named.negative)),
        Words(named.origin),
        Table("All measures", heads=analyses.measure_heads(settings.intervals), rows=confusion.rows()),
    ]
    if analyses.SystemRates.offered(source):
        cells = analyses.SystemRates(source, settings.intervals).cells
        parts.append(Table("All systems", {name: column for name, column in cells.items() if name != "open"}))
    if (population := analyses.population_of(named, settings.prevalence)) is not None:
        parts.append({population.heading: lambda: _population(population)})
    return Chapter.of_page("classify/confusion", confusion.verdict, parts)


def _population(population: analyses.Population) -> list[Part]:
    people, named, numbers = population.people, population.named, population.table
    names = named.positive, named.negative
    dots = Picture(figures.dots_figure(people, names, _LIGHT), population.description)
    tree = figures.tree_figure(people, names, _LIGHT, named.unit)
    table = Table.of(list(numbers), [list(numbers.values())])
    pictures = [dots, Picture(tree, "The same as a tree of natural frequencies")]
    return [*pictures, Words(population.verdict), table, Words(population.note)]


def class_table(source: analyses.Source, settings: ReportSettings) -> analyses.ClassTable:
    """Table of classes as its page shows it by default."""
    if source.kind in kinds_giving("scored") and source.scored_by != "class":
        scores = analyses.Scores.of(source)
        return analyses.ClassTable.of_scores(scores, settings.threshold_of(scores))
    prediction = source.system
    if source.scored_by == "class":
        prediction = settings.prediction or analyses.predictions_of(source)[0]
    pairs = None if source.kind == "counts" else analyses.LabelPairs.of(source, prediction)
    return analyses.ClassTable.of(source, prediction, pairs, settings.merged)


def classes_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on several classes: the confusion matrix as a map and a table, every class, the averages."""
    if source.has_labels:
        return _labels_chapter(source, settings)
    table = class_table(source, settings)
    parts: list[Part | Makers] = []
    if len(table.classes) <= figures.MOST_MAPPED:
        words = "Each row is an actual class, shaded by the share of it that is predicted as the class of the column"
        parts.append(Picture(figures.confusion_map_figure(table.matrix, _LIGHT), words))
    heads, lines = analyses.average_lines(table.matrix)
    whole = analyses.whole_table_lines(table, analyses.whole_table_intervals(table, settings.intervals))
    if table.pairs is not None:
        parts.append(Words(table.origin))
    parts += [
        Table("Every class", _usual(analyses.class_columns(table.matrix), analyses.MAIN_CLASS_MEASURES)),
        Table("Averages over the classes", heads=heads, rows=lines),
        *paragraphs(analyses.undefined_note(table.matrix)),
        Table("The whole table", heads=analyses.measure_heads(settings.intervals), rows=whole),
        _class_parts(table, settings),
    ]
    return Chapter.of_page("classify/classes", table.verdict(settings.intervals), parts)


def _class_parts(table: analyses.ClassTable, settings: ReportSettings) -> Makers:
    """One class against the rest, with groups and slices if the rows are known."""
    name = settings.focus if settings.focus in table.classes else table.default_class
    one, heads = table.one_vs_rest(name), analyses.measure_heads(settings.intervals)
    rows = analyses.analyse_confusion(one, settings.intervals).rows()
    counts, confusions = two_by_two(one.counts, one.positive, one.negative), top_confusions(table.matrix, 8)
    titles = ("actual", "predicted", "rows", "share of the actual class")
    largest = [(each.actual, each.predicted, each.count, share_text(each.share)) for each in confusions]
    parts: Makers = {"Largest confusions": lambda: [Table("", analyses.as_columns(titles, largest))]}
    parts[f"One class against the rest: {one_line(name, 60)}"] = lambda: [Markup(counts), Table.of(heads, rows)]
    if analyses.ClassGroups.offered(table):
        groups = analyses.ClassGroups(table, name, settings.intervals)
        parts["Groups"] = lambda: [Table.of(groups.heads, groups.rows), Words(groups.note)]
    if table.pairs is not None and analyses.searched_columns(table.current)[0]:
        parts["Slices"] = lambda: slice_parts(table, name, settings.intervals.level)
    return parts


def _usual(columns: Mapping[str, Any], measures: Sequence[str]) -> dict[str, Any]:
    """Columns of a table of classes that its page shows by default."""
    more = {measure.short for measure in analyses.measures_of_classes()}.difference(measures)
    return {name: column for name, column in columns.items() if name not in more}


def _labels_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on label sets: a line for each label, and their averages."""
    rule, labels = settings.labels, source.dataset.systems
    table = analyses.LabelTable.of(source, [rule.at(source, one) for one in labels] if source.scored_by else None)
    heads, lines = analyses.average_lines(table.sets, analyses.LABEL_MEASURES, "labels")
    parts = [
        Table("Every label", _usual(table.columns, analyses.LABEL_MEASURES)),
        Table("Averages over the labels", heads=heads, rows=lines),
        Words(table.notes),
        _label_parts(table, rule, settings),
    ]
    chapter = Chapter.of_page("classify/classes", table.verdict, parts)
    return replace(chapter, question="Which labels are right, and how often?")


def _label_parts(table: analyses.LabelTable, rule: analyses.LabelThresholds, settings: ReportSettings) -> Makers:
    source, level = table.current, settings.intervals.level
    largest = [
        [one_line(label_text(one), 60), one_line(label_text(two), 60), count_text(rows), share_text(share)]
        for one, two, rows, share in analyses.LabelGrid(table, True).largest
    ]
    heads = analyses.measure_heads(settings.intervals)
    pairs = Table.of(["missed", "predicted instead", "rows", "share of the first label"], largest)
    parts: Makers = {"Whole sets of labels": lambda: [Table.of(heads, table.lines(table.intervals(level)))]}
    parts["Missed and predicted instead"] = lambda: [pairs] if largest else []
    if others := [name for name in source.label_systems if name != source.label_system]:
        parts["Compare systems"] = lambda: _label_comparison(source, others[0], rule, level)
    return parts


def _label_comparison(source: analyses.Source, b: str, rule: analyses.LabelThresholds, level: float) -> list[Part]:
    one = analyses.compare_label_systems(source, source.label_system or b, b, rule=rule, level=level)
    return [Words(one.verdict), *_differences(one.differences, level, one.note)]


def _differences(of: Sequence[analyses.Difference], level: float, note: str, corrected: bool = True) -> list[Part]:
    return [Table.of(*analyses.difference_rows(of, level, corrected)), *paragraphs(note)]


def compare_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter that compares systems with the first: the main differences with their intervals."""
    if len(systems := analyses.comparable_systems(source)) < 2:
        raise ReadProblem("There are not two systems on the same rows to compare.")
    usual: dict[str, Any] = {"level": settings.intervals.level}
    if source.scored_by == "system":
        usual |= {"a": source.system, "threshold": settings.threshold}
    elif source.system in systems:
        usual["a"] = source.system
    comparison = analyses.compare_systems(source, **(usual | settings.compared))
    differences, level, key = comparison.main_differences, comparison.level, comparison.measure.key
    lines = [figures.ForestLine(d, d.heading, d.beyond_chance(level), d.measure.key == key) for d in differences]
    exactness = analyses.pair_note(source, comparison.rows)[0]
    notes = comparison.rows_note, exactness, comparison.coverage_note(comparison.measure)
    forest = _forest(lines, "difference (0.01 = 1 percentage point)", f"B minus A with {comparison.marks}")
    parts = [forest, Words(" ".join(filter(None, notes))), _comparison_parts(comparison, level)]
    return Chapter.of_page("classify/compare", comparison.finding, parts)


def _forest(lines: list[figures.ForestLine], unit: str, shows: str) -> Picture:
    sides = analyses.difference_sides([line.difference.measure for line in lines])
    return Picture(figures.forest_figure(lines, sides, unit, _LIGHT), shows, wide=True)


def _comparison_parts(comparison: analyses.SystemComparison, level: float) -> Makers:
    def right() -> list[Part]:
        both = analyses.Disagreement(comparison)
        names = [Cell(f"B {word}", heading=True) for word in ("right", "wrong")]
        return [Table.of(["", *names], both.cells), *paragraphs(both.verdict, both.symmetry)]

    def groups() -> list[Part]:
        each = analyses.GroupComparison(comparison)
        pairs = zip(each.names, each.differences, strict=True)
        lines = [figures.ForestLine(one, one_line(name, 22), one.better(level) != 0) for name, one in pairs]
        picture = _forest(lines, f"difference in {each.differences[0].noun}", "B minus A in each group")
        return [picture, Words(each.verdict), Table("", varying_columns(each.table)), Words(each.note)]

    parts: Makers = {"Who is right?": right}
    if len(comparison.systems) > 2:
        parts["All systems"] = lambda: [
            Words(comparison.systems_note),
            Table("", varying_columns(comparison.systems_table)),
        ]
    parts["Every measure"] = lambda: _differences(comparison.all_differences, level, comparison.measures_note)
    if comparison.source.scored_by == "system":
        parts["Threshold-free"] = lambda: _differences(
            comparison.area_differences, level, comparison.overall_note, corrected=False
        )
    if comparison.source.roles.get("group") is not None and len(comparison.rows):
        parts["Groups"] = groups
    return parts


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
    over, name = systems.over_ranks("nDCG"), one_line(query, 40)
    shows = f"Gains by rank of query {name}, before the ideal list"
    parts: list[Part | Makers] = [
        Table("", heads=[*systems.headline], rows=[[*systems.headline.values()]]),
        Picture(figures.gains_figure(graded.ranks, _LIGHT, graded.length), shows),
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
    shows = f"Differences to A with {level_text(comparison.level)} intervals; filled: more than chance"
    parts: list[Part | Makers] = [
        Picture(pairs_figure(comparison), shows),
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
    drawn, bounds = analyses.JudgmentMap(reduction, reduction.steps[0]), reduction.bounds(reduction.steps[0])
    shows = f"Bounds of {comparison.heading}: all unjudged documents irrelevant, or all of them relevant"
    pictures = [Picture(figures.judgment_map_figure(drawn, _LIGHT), drawn.about)]
    pictures.append(Picture(figures.bounds_figure(bounds, comparison.heading, _LIGHT), shows))
    return [*pictures, Words(drawn.verdict), Table("", reduction.bounds_table(reduction.steps[0]))]


def _variance(comparison: analyses.RankingComparison) -> list[Part]:
    variance = analyses.QueryVariance(comparison, None)
    if variance.parts is None:
        return [Words("One query shows no variance.")]
    shows = f"{comparison.heading} of every query and system, the queries in the order of their mean"
    pictures = [Picture(figures.query_spread_figure(variance, _LIGHT), shows)]
    pictures.append(Picture(figures.power_figure(variance, _LIGHT), "Power over the number of queries"))
    verdict = Words(f"{variance.variance_verdict}\n\n{variance.verdict}")
    return [*pictures, verdict, Table("", dict(variance.table))]


def regression_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on estimates: two figures of the rows, the errors, every measure."""
    estimates = analyses.EstimateRows.of(source)
    regression = analyses.Regression(estimates, replace(settings.errors, level=settings.intervals.level))
    errors, parts = analyses.ErrorDistribution(estimates), []
    for key, shows in (("truth", "Truth against estimate"), ("error", "Error against estimate")):
        if (cloud := analyses.cloud_of(estimates, key)) is not None:
            parts.append(Picture(figures.cloud_figure(cloud, estimates, _LIGHT), shows))
    parts += [
        Picture(figures.error_histogram(errors, _LIGHT), "Histogram of the errors"),
        Picture(figures.quantile_plot(errors, _LIGHT), "Quantiles of the errors over normal ones"),
        Words(errors.verdict),
        Table("Every measure", heads=regression.heads, rows=regression.rows()),
        Words(" ".join([*regression.remarks, regression.interval_note, estimates.notes])),
        _regression_parts(regression, settings),
    ]
    return Chapter.of_page("estimate/regression", regression.verdict, parts)


def _regression_parts(regression: analyses.Regression, chosen: ReportSettings) -> Makers:
    estimates, level = regression.estimates, regression.settings.level
    parts: Makers = {"Bland–Altman": lambda: _agreement(analyses.AgreementLimits(estimates, level))}
    if ends := [EndColumns(*chosen.ends)] if chosen.ends else analyses.IntervalCoverage.found(estimates):
        parts["Prediction intervals"] = lambda: _coverage(analyses.IntervalCoverage(estimates, ends[0], level))
    tolerance = chosen.tolerance or (analyses.Tolerance.usual(estimates), False)
    decision = analyses.Tolerance(estimates, *tolerance, level)
    shows = "Share of right rows by tolerance"
    parts["Decision"] = lambda: [Picture(figures.tolerance_figure(decision, _LIGHT), shows), Words(decision.verdict)]
    if others := [name for name in estimates.source.systems if name != estimates.system]:
        parts["Compare systems"] = lambda: _systems(regression, *(chosen.other_estimates or others[:1]))
    if estimates.source.roles.get("group") is not None:
        groups = analyses.ErrorGroups(estimates, level)
        parts["Groups"] = lambda: [Words(groups.verdict), Table("", dict(groups.table)), Words(groups.note)]
    return parts


def _agreement(agreement: analyses.AgreementLimits) -> list[Part]:
    estimates, limits = agreement.estimates, agreement.limits
    cloud, table = analyses.cloud_of(estimates, "difference"), Table.of(*agreement.rows)
    lines = limits.lower, limits.bias, limits.upper
    pictures = [] if cloud is None else [figures.cloud_figure(cloud, estimates, _LIGHT, None, lines)]
    shows = "Error over the mean of truth and estimate, with the limits of agreement"
    return [*(Picture(one, shows) for one in pictures), Words(agreement.verdict), table, Words(agreement.note)]


def _coverage(coverage: analyses.IntervalCoverage) -> list[Part]:
    parts: list[Part] = [
        Words(coverage.verdict),
        Table.of(*coverage.rows),
        Words(coverage.note),
        Table("From narrow to wide intervals", dict(coverage.by_width)),
    ]
    if coverage.quantiles:
        figure = figures.quantile_reliability(coverage.quantiles, _LIGHT)
        parts += [Picture(figure, "Observed over claimed quantiles"), Words(coverage.quantile_verdict)]
    return parts


def _systems(regression: analyses.Regression, *chosen: str) -> list[Part]:
    source, settings = regression.estimates.source, regression.settings
    comparison = analyses.EstimateComparison(source, regression.estimates.system, *chosen, settings=settings)
    lines = [figures.ForestLine(one, one.heading, one.excludes_none) for one in comparison.main]
    table = _differences(comparison.differences, comparison.level, comparison.note)
    picture = _forest(lines, "difference in the unit of the truth", "B minus A; filled: excludes 0")
    return [*paragraphs(comparison.verdict, comparison.order_verdict), picture, *table]


def overlap_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on masks: the worst images, the means, a line for each image."""
    images = source.dataset.state("mask_images")
    overlap = analyses.Overlap(source, analyses.OverlapSettings(int(images.labels[0]), level=settings.intervals.level))
    worst = ""
    for image in overlap.order[:6].tolist():
        name, outcomes = escaped(one_line(images.names[image], 60)), overlap.outcomes(image)
        picture = f'<img src="{figures.outcome_picture(outcomes, _LIGHT.grid)}" alt="{name}">'
        worst += f'<figure class="mask">{picture}<figcaption>{name}</figcaption></figure>'
    words = {"tp": "in both masks (TP)", "fp": "predicted only (FP)", "fn": "actual only (FN)"}
    key = " · ".join(f'<span style="color:{figures.OUTCOMES[cell]}">■</span> {words[cell]}' for cell in words)
    parts: list[Part] = [
        Markup(f'<h3>Worst images</h3><div class="masks">{worst}</div><p class="small">{key}</p>'),
        Table("Means over the images", heads=overlap.heads, rows=overlap.rows),
        Words(f"Each image counts once. {overlap.empty_note}"),
        Table("Images", dict(overlap.table)),
    ]
    if images.are_probabilities:
        figure = figures.threshold_curve(overlap, _LIGHT)
        parts += [Picture(figure, "Mean Dice by the threshold of the probabilities"), Words(overlap.threshold_note)]
    return Chapter.of_page("estimate/overlap", overlap.verdict, parts)


def distributions_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on two distributions: their bins with contributions, and every distance."""
    if settings.distributions:
        make, *recipe = settings.distributions
        two = getattr(analyses.TwoDistributions, make)(*([] if make == "of_text" else [source]), *recipe)
    elif (two := analyses.usual_distributions(source)) is None:
        raise ReadProblem("No two columns or groups of this table hold distributions.")
    comparison = analyses.DistributionComparison(two, replace(settings.distances, level=settings.intervals.level))
    shows = f"Shares of both distributions in {len(two.bins)} bins, and what each bin adds"
    parts: list[Part | Makers] = [
        Picture(figures.bins_figure(comparison, _LIGHT), shows),
        Words(" ".join(filter(None, [comparison.terms_note, two.facts]))),
        Table("Every measure", heads=comparison.heads, rows=comparison.rows),
        Table("Bins", dict(comparison.bin_table)),
        _distance_parts(analyses.DistanceParts(comparison)),
    ]
    return Chapter.of_page("estimate/distributions", comparison.verdict, parts)


def _distance_parts(parts: analyses.DistanceParts) -> Makers:
    def mass() -> list[Part]:
        shows = "The cheapest way to move the mass of P to Q"
        return [Picture(figures.transport_figure(parts, _LIGHT), shows), Words(parts.plan_note)]

    def bins() -> list[Part]:
        shows = "The measure by the number of bins"
        return [Picture(figures.by_bins_figure(parts, _LIGHT), shows), Words(parts.by_bins_note)]

    two, made = parts.comparison.two, Makers({"Transport plan": mass})
    if two.samples is not None and two.is_number:
        made["How many bins"] = bins
    return made


def varying_columns(table: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of a comparison table without those in its notes, and without names that repeat in each line.

    >>> varying_columns({"A": ["x", "x"], "B": ["y", "z"], "p": [0.5, 0.5], "test": ["t", "t"]})
    {'B': ['y', 'z'], 'p': [0.5, 0.5]}
    """
    columns = {name: list(column) for name, column in table.items() if name not in ("test", "level", "correction")}
    same = {name for name, column in columns.items() if len(column) > 1 and isinstance(column[0], str)}
    return {name: column for name, column in columns.items() if name not in same or len(set(column)) > 1}


CHAPTERS: dict[str, Callable[[analyses.Source, ReportSettings], Chapter]] = {
    "classify/confusion": confusion_chapter, "classify/classes": classes_chapter,
    "classify/threshold": threshold_chapter, "classify/curves": curves_chapter,
    "classify/compare": compare_chapter, "classify/probabilities": probabilities_chapter,
    "retrieve/sets": sets_chapter, "retrieve/ranking": ranking_chapter,
    "retrieve/graded": graded_chapter, "retrieve/compare": compare_rankings_chapter,
    "estimate/regression": regression_chapter, "estimate/overlap": overlap_chapter,
    "estimate/distributions": distributions_chapter,
}  # fmt: skip
"""The chapter of each page, by section and name, in the order of the menu."""
