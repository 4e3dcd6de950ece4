"""Chapters of a report about classes: one test, several classes, several labels."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalcore import analyses
from evalcore.classification import top_confusions
from evalcore.figures import MOST_MAPPED, ForestLine, confusion_map_figure, dots_figure, forest_figure, ink, tree_figure
from evalcore.readers import ReadProblem, kinds_giving
from evalcore.reports.of_scores import slice_parts
from evalcore.reports.parts import (
    Chapter,
    Makers,
    Markup,
    Part,
    Picture,
    ReportSettings,
    Table,
    Words,
    paragraphs,
    two_by_two,
    varying_columns,
)
from evalcore.wording import Cell, count_text, label_text, one_line, share_text

_LIGHT = ink(dark=False)


def counts_of(source: analyses.Source, settings: ReportSettings) -> analyses.NamedCounts:
    """The four counts of a data set: at the threshold of its scores, or of its positive class."""
    if source.kind in kinds_giving("scored"):
        scores = settings.scores_of(source)
        return analyses.NamedCounts.at(scores, settings.threshold_of(scores))
    focus = settings.focus
    return analyses.NamedCounts.of_class(source, lambda classes, start: focus if focus in classes else start)


def confusion_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on a 2×2 table: the table, its verdict and every measure."""
    named = counts_of(source, settings)
    confusion = analyses.analyse_confusion(named, settings.intervals, None)
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
    return [
        Picture(dots_figure(people, names, _LIGHT), population.description),
        Picture(tree_figure(people, names, _LIGHT, named.unit), "The same as a tree of natural frequencies"),
        Words(population.verdict),
        Table("", heads=list(numbers), rows=[list(numbers.values())]),
        Words(population.note),
    ]


def class_table(source: analyses.Source, settings: ReportSettings) -> analyses.ClassTable:
    """Table of classes as its page shows it by default."""
    if source.kind == "counts":
        return analyses.ClassTable.of(source, source.system, None, settings.merged)
    if source.kind in kinds_giving("scored") and source.scored_by != "class":
        scores = settings.scores_of(source)
        return analyses.ClassTable.of_scores(scores, settings.threshold_of(scores))
    if source.scored_by == "class":
        prediction = settings.prediction or analyses.predictions_of(source)[0]
        return analyses.ClassTable.of(source, prediction, analyses.LabelPairs.of(source, prediction), settings.merged)
    return analyses.ClassTable.of(source, source.system, analyses.LabelPairs.of(source, source.system), settings.merged)


def classes_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on several classes: the confusion matrix as a map and a table, every class, the averages."""
    if source.has_labels:
        return _labels_chapter(source, settings)
    table = class_table(source, settings)
    parts: list[Part | Makers] = []
    if len(table.classes) <= MOST_MAPPED:
        words = "Each row is an actual class, shaded by the share of it that is predicted as the class of the column"
        parts.append(Picture(confusion_map_figure(table.matrix, _LIGHT), words))
    heads, lines = analyses.average_lines(table.matrix)
    bounds = analyses.whole_table_intervals(table, settings.intervals)
    if table.pairs is not None:
        parts.append(Words(analyses.prediction_origin(table.current, table.prediction, table.pairs, table.at)))
    parts += [
        Table("Every class", _usual(analyses.class_columns(table.matrix), analyses.MAIN_CLASS_MEASURES)),
        Table("Averages over the classes", heads=heads, rows=lines),
        *paragraphs(analyses.undefined_note(table.matrix)),
        Table(
            "The whole table",
            heads=analyses.measure_heads(settings.intervals),
            rows=analyses.whole_table_lines(table, bounds),
        ),
        _class_parts(table, settings),
    ]
    return Chapter.of_page("classify/classes", table.verdict(settings.intervals), parts)


def _class_parts(table: analyses.ClassTable, settings: ReportSettings) -> Makers:
    """One class against the rest, with groups and slices if the rows are known."""
    name = settings.focus if settings.focus in table.classes else table.default_class
    one = table.one_vs_rest(name)
    rows = analyses.analyse_confusion(one, settings.intervals, None).rows()
    parts: Makers = {
        "Largest confusions": lambda: [Table("", _top_confusions(table))],
        f"One class against the rest: {one_line(name, 60)}": lambda: [
            Markup(two_by_two(one.counts, one.positive, one.negative)),
            Table("", heads=analyses.measure_heads(settings.intervals), rows=rows),
        ],
    }
    if analyses.ClassGroups.offered(table):
        groups = analyses.ClassGroups(table, name, settings.intervals)
        parts["Groups"] = lambda: [Table.of(groups.heads, groups.rows), Words(groups.note)]
    if table.pairs is not None and analyses.searched_columns(table.current)[0]:
        parts["Slices"] = lambda: slice_parts(table, name, settings.intervals.level)
    return parts


def _top_confusions(table: analyses.ClassTable) -> dict[str, list]:
    confusions = top_confusions(table.matrix, 8)
    return {
        "actual": [one.actual for one in confusions],
        "predicted": [one.predicted for one in confusions],
        "rows": [one.count for one in confusions],
        "share of the actual class": [share_text(one.share) for one in confusions],
    }


def _usual(columns: Mapping[str, Any], measures: Sequence[str]) -> dict[str, Any]:
    """Columns of a table of classes that its page shows by default."""
    more = {measure.short for measure in analyses.measures_of_classes()} - set(measures)
    return {name: column for name, column in columns.items() if name not in more}


def _labels_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter on label sets: a line for each label, and their averages."""
    thresholds, rule = None, settings.labels
    if source.scored_by is not None:
        thresholds = [rule.at(source, label) for label in source.dataset.systems]
    table = analyses.LabelTable.of(source, thresholds)
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
    grid = analyses.LabelGrid(table, True)
    largest = [
        [one_line(label_text(one), 60), one_line(label_text(two), 60), count_text(rows), share_text(share)]
        for one, two, rows, share in grid.largest
    ]
    heads = analyses.measure_heads(settings.intervals)
    parts: Makers = {
        "Whole sets of labels": lambda: [Table("", heads=heads, rows=table.lines(table.intervals(level)))],
        "Missed and predicted instead": lambda: (
            [Table.of(["missed", "predicted instead", "rows", "share of the first label"], largest)] if largest else []
        ),
    }
    if others := [name for name in source.label_systems if name != source.label_system]:
        parts["Compare systems"] = lambda: _label_comparison(source, others[0], rule, level)
    return parts


def _label_comparison(source: analyses.Source, b: str, rule: analyses.LabelThresholds, level: float) -> list[Part]:
    comparison = analyses.compare_label_systems(source, source.label_system or b, b, rule=rule, level=level)
    rows = analyses.difference_rows(comparison.differences, level, True)
    return [Words(comparison.verdict), Table.of(analyses.difference_heads(level, True), rows), Words(comparison.note)]


def compare_chapter(source: analyses.Source, settings: ReportSettings) -> Chapter:
    """Chapter that compares systems with the first: the main differences with their intervals."""
    systems = analyses.comparable_systems(source)
    if len(systems) < 2:
        raise ReadProblem("There are not two systems on the same rows to compare.")
    usual: dict[str, Any] = {"level": settings.intervals.level}
    if source.scored_by == "system":
        usual |= {"a": source.system, "threshold": settings.threshold}
    elif source.system in systems:
        usual["a"] = source.system
    comparison = analyses.compare_systems(source, **(usual | settings.compared))
    differences, level = comparison.main_differences, comparison.level
    lines = [
        ForestLine(d, d.heading, d.beyond_chance(level), d.measure.key == comparison.measure.key) for d in differences
    ]
    sides = analyses.difference_sides([one.measure for one in differences])
    figure = forest_figure(lines, sides, "difference (0.01 = 1 percentage point)", _LIGHT)
    exactness = analyses.pair_note(source, comparison.rows)[0]
    notes = comparison.rows_note, exactness, comparison.coverage_note(comparison.measure)
    parts = [
        Picture(figure, f"B minus A with {comparison.marks}", wide=True),
        Words(" ".join(filter(None, notes))),
        _comparison_parts(comparison, level),
    ]
    return Chapter.of_page("classify/compare", comparison.finding, parts)


def _comparison_parts(comparison: analyses.SystemComparison, level: float) -> Makers:
    def differences(of: Sequence[analyses.Difference], corrected: bool, *notes: str) -> list[Part]:
        table = Table.of(analyses.difference_heads(level, corrected), analyses.difference_rows(of, level, corrected))
        return [table, *paragraphs(*notes)]

    def right() -> list[Part]:
        both = analyses.Disagreement(comparison)
        names = [Cell(f"B {word}", heading=True) for word in ("right", "wrong")]
        return [Table.of(["", *names], both.cells), *paragraphs(both.verdict, both.symmetry)]

    def groups() -> list[Part]:
        each = analyses.GroupComparison(comparison)
        lines = [
            ForestLine(one, one_line(name, 22), one.better(level) != 0)
            for name, one in zip(each.names, each.differences, strict=True)
        ]
        unit = f"difference in {each.differences[0].noun}"
        figure = forest_figure(lines, analyses.difference_sides([each.measure]), unit, _LIGHT)
        return [
            Picture(figure, "B minus A in each group", wide=True),
            Words(each.verdict),
            Table("", varying_columns(each.table)),
            Words(each.note),
        ]

    parts: Makers = {"Who is right?": right}
    if len(comparison.systems) > 2:
        parts["All systems"] = lambda: [
            Words(comparison.systems_note),
            Table("", varying_columns(comparison.systems_table)),
        ]
    parts["Every measure"] = lambda: differences(comparison.all_differences, True, comparison.measures_note)
    if comparison.source.scored_by == "system":
        parts["Threshold-free"] = lambda: differences(comparison.area_differences, False, comparison.overall_note)
    if comparison.source.roles.get("group") is not None and len(comparison.rows):
        parts["Groups"] = groups
    return parts
