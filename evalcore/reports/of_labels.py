"""Chapters of a report about classes: one test, several classes, several labels, probabilities, two systems."""

from collections.abc import Mapping, Sequence
from typing import Any

from evalcore.analyses import (
    LABEL_MEASURES,
    MAIN_CLASS_MEASURES,
    Binning,
    Calibration,
    ClassTable,
    LabelPairs,
    LabelTable,
    LabelThresholds,
    Losses,
    NamedCounts,
    ProbabilitySource,
    Reliability,
    Source,
    SystemRates,
    analyse_confusion,
    average_lines,
    class_columns,
    comparable_systems,
    compare_systems,
    difference_heads,
    difference_rows,
    difference_sides,
    measure_heads,
    measures_of_classes,
    predictions_of,
    undefined_note,
    whole_table_intervals,
    whole_table_lines,
)
from evalcore.figures import (
    MOST_MAPPED,
    ForestLine,
    brier_figure,
    confusion_map_figure,
    forest_figure,
    ink,
    reliability_figure,
)
from evalcore.readers import ReadProblem, kinds_giving
from evalcore.reports.of_scores import scores_of, threshold_of
from evalcore.reports.parts import Chapter, Markup, Part, Picture, ReportSettings, Table, Words
from evalcore.reports.two_by_two import two_by_two
from evalcore.wording import count_text, level_text, plain

_LIGHT = ink(dark=False)


def counts_of(source: Source, settings: ReportSettings) -> NamedCounts:
    """The four counts of a data set: at the threshold of its scores, or of its positive class."""
    if source.kind in kinds_giving("scored"):
        scores = scores_of(source)
        return NamedCounts.at(scores, threshold_of(scores, settings))
    return NamedCounts.of_class(source)


def confusion_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Whether it is a good test: the 2×2 table and every measure."""
    named = counts_of(source, settings)
    confusion = analyse_confusion(named, settings.intervals, None)
    parts: list[Part] = [
        Markup(two_by_two(named.counts, named.positive, named.negative)),
        Words(named.origin),
        Table("All measures", heads=measure_heads(settings.intervals), rows=confusion.rows()),
    ]
    if SystemRates.offered(source):
        parts.append(Table("All systems", SystemRates(source, settings.intervals).cells))
    return Chapter("Confusion matrix", "Is this a good test?", confusion.verdict, parts)


def class_table(source: Source, settings: ReportSettings) -> ClassTable:
    """The table of classes as its page first shows it."""
    if source.kind == "counts":
        return ClassTable.of(source, source.system, None)
    if source.scored_by == "class":
        prediction = predictions_of(source)[0]
        return ClassTable.of(source, prediction, LabelPairs.of(source, prediction))
    return ClassTable.of(source, source.system, LabelPairs.of(source, source.system))


def classes_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Which class is confused with which: the map, every class, the averages and the whole table."""
    table = class_table(source, settings)
    parts: list[Part] = []
    if len(table.classes) <= MOST_MAPPED:
        words = "Each row is an actual class, shaded by the share of it that is predicted as the class of the column"
        parts.append(Picture(confusion_map_figure(table.matrix, _LIGHT), words))
    heads, lines = average_lines(table.matrix)
    bounds = whole_table_intervals(table, settings.intervals)
    parts += [
        Table("Every class", _usual(class_columns(table.matrix), MAIN_CLASS_MEASURES)),
        Table("Averages over the classes", heads=heads, rows=lines),
        Words(undefined_note(table.matrix)),
        Table("The whole table", heads=measure_heads(settings.intervals), rows=whole_table_lines(table, bounds)),
    ]
    return Chapter("Classes", "Which class is confused with which?", _largest(table), parts)


def _usual(columns: Mapping[str, Any], measures: Sequence[str]) -> dict[str, Any]:
    """The columns of a table of classes that its page shows first."""
    more = {measure.short for measure in measures_of_classes()} - set(measures)
    return {name: column for name, column in columns.items() if name not in more}


def _largest(table: ClassTable) -> str:
    """The most frequent confusion in a sentence."""
    counts = table.matrix.counts.copy()
    for index in range(len(counts)):
        counts[index, index] = 0
    if not counts.size or not counts.max() > 0:
        return "**No row is confused.**"
    actual, predicted = divmod(int(counts.argmax()), len(counts))
    names = [plain(table.classes[index], 40) for index in (actual, predicted)]
    count, of = float(counts[actual, predicted]), float(table.matrix.counts[actual].sum())
    return f"**Most frequent confusion: {names[0]} predicted as {names[1]}**, {count_text(count)} of {count_text(of)}."


def multilabel_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Which labels are right, and how often: a line for each label, and their averages."""
    thresholds = None
    if source.scored_by is not None:
        rule = LabelThresholds.of((), None, source.dataset.systems)
        thresholds = [rule.at(source, label) for label in source.dataset.systems]
    table = LabelTable.of(source, thresholds)
    heads, lines = average_lines(table.sets, LABEL_MEASURES, "labels")
    parts = [
        Table("Every label", _usual(table.columns, LABEL_MEASURES)),
        Table("Averages over the labels", heads=heads, rows=lines),
        Words(table.notes),
    ]
    return Chapter("Multi-label", "Which labels are right, and how often?", table.verdict, parts)


def probabilities_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Whether probabilities can be believed: the reliability diagram, the losses, the Brier score in parts."""
    probabilities = ProbabilitySource.of(source)
    reliability = Reliability.of(probabilities, Binning(), settings.intervals.level)
    calibration = Calibration.of(reliability, Losses.of(probabilities.table))
    shows = f"Reliability diagram, {reliability.binning.words}: {reliability.description}"
    level = level_text(settings.intervals.level)
    heads = [f"of {count_text(probabilities.table.total)} rows", "value", f"{level} interval"]
    parts = [
        Picture(reliability_figure({"as predicted": reliability}, _LIGHT), shows),
        Picture(brier_figure(calibration.parts, _LIGHT), "The Brier score as a sum of its parts"),
        Table("Losses and calibration", heads=heads, rows=calibration.rows),
        Table("Bins", dict(reliability.table)),
        Words(probabilities.notes),
    ]
    return Chapter("Probabilities", "Can I believe the probabilities?", calibration.verdict, parts)


def compare_chapter(source: Source, settings: ReportSettings) -> Chapter:
    """Whether one system is really better than the first: the main differences with their intervals."""
    systems = comparable_systems(source)
    if len(systems) < 2:
        raise ReadProblem("There are not two systems on the same rows to compare.")
    comparison = compare_systems(source, level=settings.intervals.level)
    differences = comparison.main_differences
    lines = [ForestLine(d, d.heading, d.excludes_none, d.measure.key == comparison.measure.key) for d in differences]
    sides = difference_sides([one.measure for one in differences])
    figure = forest_figure(lines, sides, "difference (0.01 = 1 percentage point)", _LIGHT)
    several = len(comparison.systems) > 2
    level = comparison.level
    parts = [
        Picture(figure, f"B minus A with {level_text(level)} intervals; filled: excludes 0", wide=True),
        Table(
            "Main differences", heads=difference_heads(level, False), rows=difference_rows(differences, level, False)
        ),
        *([Table("All systems", dict(comparison.systems_table))] if several else []),
        Words(" ".join(filter(None, [comparison.rows_note, comparison.coverage_note(comparison.measure)]))),
    ]
    return Chapter("Compare systems", "Is B really better than A?", comparison.verdict, parts)
