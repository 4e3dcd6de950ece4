"""The measures of several classes, their averages, and the cells in which two predictions differ beyond chance."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.analyses.classes.classes import ClassTable
from evalcore.analyses.data.label_pairs import LabelPairs, pair_names
from evalcore.analyses.data.measure_table import measure_line, written_formula
from evalcore.classification import ConfusionMatrix, LabelSets, averages, samples_average
from evalcore.inference import (
    CellDifferences,
    Comparison,
    Interval,
    IntervalChoice,
    PairedChoice,
    PairedClasses,
    accuracy_above_no_information,
    bootstrap_matrix,
    compare_cells,
    mcnemar,
    mcnemar_differences,
)
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import (
    UNDEFINED,
    Cell,
    Row,
    count_text,
    latex_value,
    level_text,
    measure_markdown,
    number_text,
    p_text,
    points_text,
    signed,
    value_text,
)

__all__ = ["MAIN_CLASS_MEASURES", "MOST_RESAMPLED_CLASSES", "ClassDifferences", "accuracy_note", "average_columns"]
__all__ += ["average_lines"]
__all__ += ["class_columns", "class_formulas", "compare_classes", "measures_of_classes", "undefined_note"]
__all__ += ["whole_table_intervals", "whole_table_lines"]


MAIN_CLASS_MEASURES = ("precision", "recall", "specificity", "NPV", "F1", "accuracy", "MCC")
"""Measures that the tables of classes show at first."""

MOST_RESAMPLED_CLASSES = 50
"""Classes up to which measures of the whole table are resampled."""

_CELLS = ("tp", "fp", "fn", "tn")
_AVERAGES, _SAMPLES = ("micro", "macro", "weighted"), "samples"
_MEANINGS = {
    "micro": "counts summed first", "macro": "each class counts the same", "weighted": "by actual rows",
    _SAMPLES: "each row counts the same",
}  # fmt: skip


def measures_of_classes() -> list[MetricDef]:
    """Every measure of counts, the main ones first."""
    main = MAIN_CLASS_MEASURES
    return sorted(measures_of("counts"), key=lambda m: main.index(m.short) if m.short in main else len(main))


def class_columns(state: ConfusionMatrix | LabelSets) -> Mapping[str, npt.ArrayLike]:
    """Support, four counts and the measures of each class against the rest, or of each label, unrounded."""
    counts = state.one_vs_rest()
    cells = {name.upper(): getattr(counts, name) for name in _CELLS}
    measures = {measure.short: np.asarray(measure(counts)) for measure in measures_of_classes()}
    return {"class": list(state.classes), "support": counts.actual_positives, **cells, **measures}


def average_columns(state: ConfusionMatrix | LabelSets) -> dict[str, list]:
    """The averages of every measure (of sets of labels over the rows too), and in how many classes it is undefined."""
    samples = [_SAMPLES] if isinstance(state, LabelSets) else []
    counts, nothing = state.one_vs_rest(), [math.nan] * (3 + len(samples))
    cells = {name.upper(): [float(getattr(counts, name).sum()), *nothing] for name in _CELLS}
    columns = {"average": [*_AVERAGES, *samples, "classes undefined"], "support": [math.nan, *nothing], **cells}
    for measure in measures_of_classes():
        average = averages(state, measure)
        of_rows = [samples_average(state, measure)] if isinstance(state, LabelSets) else []
        values = [getattr(average, way) for way in _AVERAGES]
        columns[measure.short] = [*values, *of_rows, float(average.undefined)]
    return columns


def average_lines(
    state: ConfusionMatrix | LabelSets, main: Sequence[str] = MAIN_CLASS_MEASURES, of: str = "classes"
) -> tuple[list[Cell | str], list[list[Cell | str]]]:
    """Headings and lines of the averages of the main measures."""
    columns, one = average_columns(state), "label" if of == "labels" else "class"
    lines: list[list[Cell | str]] = [
        [Cell(way, aside=meaning.replace("class", one)), *(_average(columns[name][index]) for name in main)]
        for index, (way, meaning) in enumerate(_MEANINGS.items())
        if way in columns["average"]
    ]
    undefined = [f"{columns[name][-1]:.0f}" for name in main]
    lines.append([Cell(UNDEFINED, aside=f"{of} that macro and weighted leave out"), *undefined])
    keys = {measure.short: measure.key for measure in measures_of_classes()}
    return [f"average of the {of}", *(Cell(name, heading=True, measure=keys[name]) for name in main)], lines


def undefined_note(matrix: ConfusionMatrix) -> str:
    """Which measures are undefined for how many classes, in a sentence."""
    columns = average_columns(matrix)
    left_out = [f"{name} for {columns[name][-1]:.0f}" for name in MAIN_CLASS_MEASURES if columns[name][-1]]
    if not left_out:
        return "Every measure is defined for every class."
    return f"Undefined, and left out of macro and weighted: {', '.join(left_out)} of {len(matrix.classes)} classes."


def whole_table_intervals(table: ClassTable, intervals: IntervalChoice) -> list[Interval | None]:
    """The interval of each measure of the whole table in the order of `whole_table_lines`; None where there is none."""
    measures = _measures_of_tables()
    bounds: list[Interval | None] = [None] * len(measures)
    if len(table.classes) <= MOST_RESAMPLED_CLASSES:
        resampled = [measure for measure in measures if measure.interval == "bootstrap"]
        for measure, interval in zip(
            resampled, bootstrap_matrix(resampled, table.matrix, intervals.level), strict=True
        ):
            bounds[measures.index(measure)] = interval
    share = intervals.of(METRICS["recall"], table.matrix.right())
    for index, measure in enumerate(measures):
        if measure.interval == "share":
            bounds[index] = None if share is None else share[0]
    return [None if one is None or math.isnan(one.low) else one for one in bounds]


def accuracy_note(table: ClassTable, level: float = 0.95) -> str:
    """Whether the accuracy is above that of always naming the largest class, in Markdown; empty without rows.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.join.samples import read_sample
    >>> source = Source.of(read_sample("digits"))
    >>> accuracy_note(ClassTable.of(source, "naive_bayes", LabelPairs.of(source, "naive_bayes")))[-41:]
    '%): p < 0.001, exact binomial, one-sided.'
    """
    matrix = table.matrix
    accuracy, largest = METRICS["overall_accuracy"], METRICS["no_information_rate"]
    together = table.current.cluster_words
    p_value = accuracy_above_no_information(matrix)
    if math.isnan(p_value):
        return ""
    verdict = "is above" if p_value <= 1 - level else "is not shown to be above"
    verdict = "is below" if float(accuracy(matrix)) < float(largest(matrix)) else verdict
    values = f"{value_text(accuracy, accuracy(matrix))} against {value_text(largest, largest(matrix))}"
    test = f"exact binomial{f' on the effective rows of {together}' if together else ''}, one-sided"
    return f"**The accuracy {verdict} the no-information rate** ({values}): {p_text(p_value)}, {test}."


def whole_table_lines(table: ClassTable, bounds: Sequence[Interval | None]) -> list[Row]:
    """The measures of the whole table with their intervals, as lines under `measure_heads`."""
    rows, total = [], float(table.matrix.counts.sum())
    for measure, one in zip(_measures_of_tables(), bounds, strict=True):
        written = "" if one is None else " – ".join(value_text(measure, float(end)) for end in one.ends[1:])
        sentence = f"{measure.summary} {measure.reading}"
        rows.append(
            Row(
                measure_line(
                    measure,
                    float(measure(table.matrix)),
                    written,
                    count_text(total),
                    sentence,
                    one.caution if one else "",
                )
            )
        )
    return rows


def class_formulas(table: ClassTable, name: str) -> str:
    """The formulas of one class against the rest with its numbers, and those of the whole table, in Markdown."""
    counted = table.one_vs_rest(name)
    whole = "\n\n".join(
        rf"{measure_markdown(m)} $\displaystyle {m.formula} = {latex_value(m, float(m(table.matrix)))}$"
        for m in _measures_of_tables()
    )
    each = "\n\n".join(written_formula(measure, counted.counts) for measure in measures_of_classes())
    heading = "Whole table, with $C_{ij}$ rows of class $i$ that were predicted as $j$:"
    return f"{counted.origin}\n\n{each}\n\n{heading}\n\n{whole}"


def _measures_of_tables() -> list[MetricDef]:
    """Every measure of a square table; kappa with linear and with quadratic weights."""
    return [version for measure in measures_of("matrix") for version in measure.versions]


def _average(value: float) -> Cell:
    return Cell(number_text(value), strong=not math.isnan(value))


@dataclass(frozen=True, eq=False)
class ClassDifferences:
    """What a second prediction B confuses more or less often than the first, A; accuracy is that of B minus that of A.

    Cells are counted over the rows that both have, in the classes and the order of the table. The names of the two
    predictions come from a file: escape them.
    """

    a: str
    b: str
    cells: CellDifferences
    accuracy: Comparison
    level: float
    test: str = "McNemar's exact test"  # of each cell, in words

    @property
    def verdict(self) -> str:
        """Which of the two is right more often, in Markdown."""
        a, b = pair_names(self.a, self.b)
        text, interval = signed(points_text), self.accuracy.interval
        verdict = "neither is right more often beyond chance"
        if self.accuracy.p_value <= 1 - self.level:
            verdict = f"{b if self.accuracy.estimate > 0 else a} is right more often, beyond chance"
        return (
            f"**Accuracy of {b} minus {a}: {text(self.accuracy.estimate)}** ({text(float(interval.low))} to "
            f"{text(float(interval.high))} at {level_text(self.level)}), {p_text(self.accuracy.p_value)} by "
            f"{self.accuracy.method}, n = {count_text(self.accuracy.n)}: {verdict}."
        )

    @cached_property
    def table(self) -> dict[str, np.ndarray]:
        """Every cell in which some row differs, the smallest corrected p first."""
        cells = self.cells
        indices = np.nonzero(~np.isnan(cells.p_values))
        order = np.lexsort((cells.p_values[indices], cells.corrected[indices]))
        actual, predicted = (axis[order] for axis in indices)
        names = np.array(cells.a.classes, dtype=object)
        return {
            "actual": names[actual],
            "predicted": names[predicted],
            "A": cells.a.counts[actual, predicted],
            "B": cells.b.counts[actual, predicted],
            "only A": cells.only_a[actual, predicted],
            "only B": cells.only_b[actual, predicted],
            "p": cells.p_values[actual, predicted],
            "corrected p": cells.corrected[actual, predicted],
        }

    @property
    def beyond_chance(self) -> int:
        """Cells that differ by more than chance."""
        return int((self.table["corrected p"] <= 1 - self.level).sum())

    @property
    def note(self) -> str:
        """What A and B are, and how many cells differ, in Markdown."""
        a, b = pair_names(self.a, self.b)
        many = count_text(len(self.table["p"]))
        return (
            f"A is {a}, B is {b}. The two differ in {many} cells; {count_text(self.beyond_chance)} of them by more "
            f"than chance ({self.test} in each cell, Holm's correction for all {many})."
        )


def compare_classes(table: ClassTable, other: str, pairs: LabelPairs, level: float = 0.95) -> ClassDifferences:
    """Compare the prediction of a table with another on the rows that both have.

    The table has `pairs`, and all classes of the other prediction (`ClassTable.with_classes_of`), whose rows follow it.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers.join.samples import read_sample
    >>> source = Source.of(read_sample("digits"))
    >>> one, two = (LabelPairs.of(source, name) for name in ("logistic_regression", "naive_bayes"))
    >>> differences = compare_classes(ClassTable.of(source, "logistic_regression", one), "naive_bayes", two)
    >>> differences.beyond_chance
    15
    """
    of_a, of_b = table.rows, pairs
    both = (of_a.actual >= 0) & (of_b.actual >= 0)
    weights = None if of_a.weights is None else of_a.weights[both]
    indices = {name: index for index, name in enumerate(table.classes)}
    in_a, in_b = (
        np.array([indices[table.groups.get(name, name)] for name in rows.classes], dtype=np.intp)
        for rows in (of_a, of_b)
    )
    actual, a, b = in_a[of_a.actual[both]], in_a[of_a.predicted[both]], in_b[of_b.predicted[both]]
    clusters = None if of_a.clusters is None else of_a.clusters[both]
    cells = compare_cells(actual, a, b, table.classes, weights, clusters)
    if weights is None and clusters is None:
        accuracy = mcnemar(a == actual, b == actual, level)
    else:
        paired = PairedClasses.from_codes(actual, a, b, table.classes, weights, clusters)
        (accuracy,) = mcnemar_differences([METRICS["overall_accuracy"]], paired, PairedChoice(level))
    test = "McNemar's exact test"
    if clusters is not None:
        test = "a test of whole clusters" if table.current.clusters else "a test of weighted rows"
    return ClassDifferences(table.prediction or "", other, cells, accuracy, level, test)
