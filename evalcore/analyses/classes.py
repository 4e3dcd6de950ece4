"""Confusion matrix of several classes, and measures per class."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore import inference
from evalcore.analyses.data import CELLS, MOST_PROBABLE, LabelPairs, NamedCounts, Scores, Source, literal, script
from evalcore.analyses.data.label_pairs import pair_names, prediction_origin
from evalcore.analyses.data.measure_table import interval_text, measure_line, written_formula
from evalcore.classification import averages, recall
from evalcore.classification.binary.labels import usual_positive
from evalcore.classification.several import ConfusionMatrix, LabelSets, order_by_error, samples_average, top_confusions
from evalcore.numeric import at_rows
from evalcore.readers import text_of
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import THIN, Cell, Row, label_markdown, measure_markdown, p_text, short_names, signed
from evalcore.wording.numbers import UNDEFINED, count_text, latex_value, points_text, range_text, share_text, value_text

__all__ = ["MAIN_CLASS_MEASURES", "ClassDifferences", "ClassTable", "accuracy_note"]
__all__ += ["average_columns", "average_lines", "class_columns", "class_formulas", "compare_classes", "groups_in"]
__all__ += ["measures_of_classes", "spelt_alike", "undefined_note", "whole_table_intervals", "whole_table_lines"]

_LISTED = 6
_LARGEST_IN_CODE = 30
MAIN_CLASS_MEASURES = ("precision", "recall", "specificity", "NPV", "F1", "accuracy", "MCC")
"""Measures that the tables of classes show at first."""
_AVERAGES, _SAMPLES = ("micro", "macro", "weighted"), "samples"
_MEANINGS = {
    "micro": "counts summed first", "macro": "each class counts the same", "weighted": "by actual rows",
    _SAMPLES: "each row counts the same",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Confusion matrix of several classes with its source, pairs of labels and merged classes."""

    current: Source
    prediction: str | None  # the column, or `MOST_PROBABLE`, that the predicted classes come from
    matrix: ConfusionMatrix  # its classes come from a file: escape them
    pairs: LabelPairs | None  # the rows with their classes before any merging; None where only counts are known
    groups: dict[str, str] = field(default_factory=dict)  # new name by old name of the classes that were merged
    at: tuple[Scores, float] | None = None  # the scores and the threshold that the predictions come from

    @classmethod
    def of(
        cls, current: Source, prediction: str | None, pairs: LabelPairs | None,
        groups: Iterable[Sequence[str]] = (), at: tuple[Scores, float] | None = None,
    ) -> "ClassTable":  # fmt: skip
        """Confusion matrix of a data set, with classes merged as `groups_in` reads the groups.

        Raises ReadProblem when the counts of the data set cannot be used.
        """
        if pairs is not None:
            matrix = pairs.matrix
        elif current.dataset.is_matrix:
            matrix = current.dataset.matrix()
        else:
            matrix = replace(current.dataset.matrix(current.system), classes=current.class_names(None))
        merged = groups_in(groups, matrix.classes)
        return cls(current, prediction, matrix.merged(merged) if merged else matrix, pairs, merged, at)

    @classmethod
    def of_scores(cls, scores: Scores, threshold: float) -> "ClassTable":
        """Confusion matrix of scores at a threshold."""
        return cls.of(scores.current, None, LabelPairs.at(scores, threshold), at=(scores, threshold))

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes."""
        return self.matrix.classes

    @property
    def key(self) -> str:
        """Cache key of results computed from this table."""
        threshold = "" if self.at is None else repr(self.at[1])
        return "\n".join((self.current.key, self.prediction or "", threshold, repr(self.groups), repr(self.classes)))

    @property
    def default_class(self) -> str:
        """The positive class, of two also by its usual word; without one, the class with the lowest recall."""
        positive = text_of(self.current.positive)
        if positive not in self.classes and len(self.classes) == 2:
            positive = usual_positive(self.classes)
        return positive if positive in self.classes else self.classes[order_by_error(self.matrix)[0]]

    def verdict(self, intervals: inference.IntervalChoice | None = None) -> str:
        """Accuracy, the most frequent confusions and the classes found least often, in Markdown."""
        counts, cases = self.matrix.right(), self.current.cases
        if not (total := float(counts.total)):
            return "**No row has a label and a prediction.**"
        between, _ = interval_text(METRICS["recall"], counts, intervals or inference.IntervalChoice(), unit=True)
        right, largest = float(recall(counts)), top_confusions(self.matrix, 3)
        bounds = f" ({between})" if between else ""
        always = share_text(float(METRICS["no_information_rate"](self.matrix)))
        most, sentences = "", []
        names = short_names(self.classes, 24)
        short: dict[object, str] = {name: label_markdown(one, 24) for name, one in names.items()}
        tied = [one for one in largest if one.count == largest[0].count]
        errors = " and ".join(f"{short[one.actual]} taken for {short[one.predicted]}" for one in tied)
        if len(tied) == 1:
            most, (one,) = f"; most common error: {errors}", tied
            sentences.append(f"It happens in {count_text(one.count)} of {count_text(one.count / one.share)}.")
        elif tied:
            both = f"two errors are equally common: {errors}" if len(tied) == 2 else "several errors are equally common"
            most, often = f"; {both}", "once" if tied[0].count == 1 else f"{count_text(tied[0].count)} times"
            sentences.append(f"Each happens {often}.")
        each = recall(self.matrix.one_vs_rest())
        if np.isfinite(each).sum() > 1:
            lowest = float(np.nanmin(each))
            least = [names[name] for name, one in zip(self.classes, each.tolist(), strict=True) if one == lowest]
            sentences.append(f"Lowest recall: {share_text(lowest)}, for {_names_text(least)}.")
        sentences.append(f"Accuracy is {share_text(right)}{bounds}; always naming the largest class reaches {always}.")
        headline = f"{share_text(right)} of {count_text(total)} {cases} are classified correctly{most}."
        return f"**{headline}** {' '.join(sentences)}"

    def one_vs_rest(self, name: str) -> NamedCounts:
        """Counts of one class against the rest."""
        rest, short = [other for other in self.classes if other != name], short_names(self.classes, 26)
        negative = short[rest[0]] if len(rest) == 1 else f"not {short[name]}"
        counts = self.matrix.one_vs_rest()[self.classes.index(name)]
        return NamedCounts(counts, short[name], negative, f"{label_markdown(name)} against the rest.")

    @property
    def origin(self) -> str:
        """Where the predicted classes come from, in Markdown. Raises ValueError for a table of counts."""
        return prediction_origin(self.current, self.prediction, self.rows, self.at, bool(self.groups))

    @property
    def merging_note(self) -> str:
        """What merging classes has changed, in Markdown; empty where none are merged."""
        if not self.groups:
            return ""
        before = ClassTable.of(self.current, self.prediction, self.pairs).matrix
        changes = [f"{count_text(len(before.classes))} → {count_text(len(self.classes))} classes"]
        for name, measure in (("accuracy", METRICS["overall_accuracy"]), ("mean recall", METRICS["macro_recall"])):
            changes.append(" ".join((name, " → ".join(share_text(float(measure(m))) for m in (before, self.matrix)))))
        return f"Merging: {', '.join(changes)}."

    @property
    def merged_lists(self) -> list[tuple[str, ...]]:
        """The merged classes as `of` takes them: each new name followed by its old ones."""
        names = {*self.groups.values()}
        return sorted((new, *(old for old in self.groups if self.groups[old] == new)) for new in names)

    @property
    def rows(self) -> LabelPairs:
        """Pairs of labels. Raises ValueError for a table of counts."""
        if self.pairs is None:
            raise ValueError("A table of counts has no rows.")
        return self.pairs

    @property
    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """Actual and predicted class of each row as indices into `classes`; -1 for a row left out."""
        places = {name: place for place, name in enumerate(self.classes)}
        recoding = np.array([*(places[self.groups.get(old, old)] for old in self.rows.classes), -1])
        return recoding[self.rows.actual], recoding[self.rows.predicted]

    def rows_of(self, actual: str, predicted: str) -> np.ndarray:
        """Numbers of the rows behind a cell, counted from 0; for tables with `pairs`."""
        pairs = self.rows
        # The place −1 of a row that takes no part is the last one, which is False.
        in_actual, in_predicted = (
            np.array([*(self.groups.get(old, old) == name for old in pairs.classes), False])
            for name in (actual, predicted)
        )
        return np.flatnonzero(in_actual[pairs.actual] & in_predicted[pairs.predicted])

    def picked(self, pick: object, actual_in_rows: bool) -> Sequence[str | None]:
        """Actual and predicted class of a clicked cell."""
        names = clicked(pick, self.classes)
        return names if actual_in_rows else names[::-1]

    def cell_text(self, actual: str, predicted: str, count: str) -> str:
        """Number of rows in a cell, as a sentence in Markdown."""
        as_what = "correctly" if actual == predicted else f"as {label_markdown(predicted)}"
        rows = "row" if count == "1" else "rows"
        return f"**{count}** {rows} of class {label_markdown(actual)} predicted {as_what}."

    def ordered(self, order: np.ndarray) -> "ClassTable":
        """Return the table with its classes in the given order."""
        return replace(self, matrix=self.matrix.ordered(order))

    def with_first(self, names: Sequence[str]) -> "ClassTable":
        """Return the table with the named classes first, in that order."""
        first = [self.classes.index(name) for name in names]
        rest = (index for index in range(len(self.classes)) if index not in set(first))
        return self.ordered(np.array([*first, *rest], dtype=np.intp))

    def with_classes_of(self, pairs: LabelPairs) -> "ClassTable":
        """Return the table with empty rows and columns for classes that only another prediction has."""
        named = (self.groups.get(name, name) for name in pairs.classes)
        extra = tuple(name for name in dict.fromkeys(named) if name not in self.classes)
        counts = np.pad(self.matrix.counts, (0, len(extra)))
        return replace(self, matrix=ConfusionMatrix((*self.classes, *extra), counts)) if extra else self

    @property
    def gaps(self) -> list[str]:
        """Sentences about classes without an actual or a predicted row and what that leaves undefined, in Markdown."""
        sentences, counts = [], self.matrix.counts
        if len(self.classes) == 1:
            sentences.append(f"There is only one class, {label_markdown(self.classes[0])}, so nothing can be confused.")
        for axis, what, measure in ((0, "predicted", "precision"), (1, "actual", "recall")):
            names = [self.classes[place] for place in np.flatnonzero(counts.sum(axis) == 0)] if counts.any() else []
            if len(names) == 1:
                sentences.append(f"{label_markdown(names[0])} is never {what}, so its {measure} is undefined.")
            elif names:
                classes = f"{count_text(len(names))} classes are never {what} ({_names_text(names)})"
                sentences.append(f"{classes}, so their {measure} is undefined.")
        return sentences

    def columns(self, actual_in_rows: bool = True) -> dict[str, list]:
        """The matrix as columns, the first naming what the rows are; as a file it gives the same table again."""
        counts = self.matrix.counts if actual_in_rows else self.matrix.counts.T
        return named_columns("actual" if actual_in_rows else "predicted", " class", self.classes, counts)

    @property
    def code(self) -> str:
        """Python that computes the matrix, with merged classes and order, and prints every measure."""
        total = f"assert matrix.counts.sum() == {float(self.matrix.counts.sum())!r}"
        cells = f"assert np.array_equal(matrix.counts, {self.matrix.counts.tolist()!r})"
        return script(
            _counting_code(self),
            f"matrix = matrix.merged({self.groups!r})" if self.groups else "",
            f"matrix = matrix.ordered([matrix.classes.index(name) for name in {self.classes!r}])  # actual in the rows",
            'print(matrix.classes, matrix.counts, sep="\\n")',
            total if len(self.classes) > _LARGEST_IN_CODE else cells,
            'print(shares(matrix, "actual"))  # what became of each class; "predicted" and "all" too\n',
            "each = matrix.one_vs_rest()",
            'for measure in measures_of("matrix"):',
            "    for version in measure.versions:",
            "        print(version.name, version(matrix))",
            'for measure in measures_of("counts"):',
            "    print(measure.name, measure(each), averages(matrix, measure))",
            "for confusion in top_confusions(matrix):",
            "    print(confusion)",
        )


def clicked(pick: object, classes: Sequence[str]) -> list[str | None]:
    """Classes of the row and the column of a clicked cell; the input comes from a browser and may be invalid."""
    places = (pick.get("row"), pick.get("column")) if isinstance(pick, dict) else (None, None)
    return [classes[at] if isinstance(at, int) and 0 <= at < len(classes) else None for at in places]


def named_columns(corner: str, more: str, classes: Sequence[str], cells: npt.NDArray) -> dict[str, list]:
    """A square table as columns, the first with the names of the rows; its title gets longer where a class has it."""
    while corner in classes:
        corner += more
    return {corner: list(classes)} | dict(zip(classes, cells.T.tolist(), strict=True))


def groups_in(lists: Iterable[Sequence[str]], classes: Sequence[str]) -> dict[str, str]:
    """New name by old name of the groups that fit some classes.

    >>> groups_in([("pet", "cat", "dog"), ("lonely", "hen")], ("cat", "dog", "hen"))
    {'cat': 'pet', 'dog': 'pet'}
    """
    groups: dict[str, str] = {}
    for name, *members in lists:
        known = [member for member in members if member in classes and member not in groups]
        free = name not in classes or name in known
        if len(known) > 1 and free and name not in groups.values():
            groups |= dict.fromkeys(known, name)
    return groups


def spelt_alike(matrix: ConfusionMatrix) -> list[tuple[str, ...]]:
    """Classes that differ in case or blanks only, each group with its most frequent spelling first.

    >>> spelt_alike(ConfusionMatrix(("yes", "Yes ", "no"), [[1, 0, 0], [0, 5, 0], [0, 0, 1]]))
    [('Yes ', 'yes')]
    """
    sizes = dict(zip(matrix.classes, matrix.counts.sum(axis=0) + matrix.counts.sum(axis=1), strict=True))
    spellings: dict[str, list[str]] = defaultdict(list)
    for name in matrix.classes:
        spellings[" ".join(name.split()).casefold()].append(name)
    return [tuple(sorted(names, key=lambda n: -sizes[n])) for names in spellings.values() if len(names) > 1]


def _names_text(names: list[str]) -> str:
    """First of some class names in Markdown, and the number of the others."""
    more = [f"{len(names) - _LISTED} more"] if len(names) > _LISTED else []
    *first, last = [label_markdown(name, 24) for name in names[:_LISTED]] + more
    return f"{', '.join(first)} and {last}" if first else last


def _counting_code(table: ClassTable) -> str:
    """Python that counts the matrix before any merging."""
    current = table.current
    if table.at is not None and table.pairs is not None:
        scores, threshold = table.at
        lines = (
            f"rows = data.scored_arrays({scores.system!r})\n"
            f"names = np.array({list(table.pairs.classes)!r})\n"
            "actual = names[np.where(rows.labels, 0, 1)]\n"
            f"predicted = names[np.where(rows.scores {'>=' if scores.higher else '<='} {literal(threshold)}, 0, 1)]\n"
            "matrix = ConfusionMatrix.from_labels(actual, predicted, classes=names.tolist(), weights=rows.weights)"
        )
    elif table.prediction == MOST_PROBABLE:
        lines = (
            "rows = data.probability_arrays()\n"
            "best = rows.probabilities.argmax(axis=1)  # the first of several that are equal\n"
            "places = range(len(rows.classes))\n"
            "counts = ConfusionMatrix.from_labels(rows.actual, best, places, rows.weights).counts\n"
            "matrix = ConfusionMatrix(rows.classes, counts)"
        )
    elif table.pairs is None and not current.dataset.is_matrix:
        names, system = current.class_names(None), current.system
        lines = f"matrix = ConfusionMatrix({names!r}, data.matrix({system!r}).counts)"
    else:
        lines = f"matrix = data.matrix({'' if table.pairs is None else repr(table.prediction)})"
    return f"{current.code}\n{lines}"


def measures_of_classes() -> list[MetricDef]:
    """Every measure of counts, the main ones first."""
    main = MAIN_CLASS_MEASURES
    return sorted(measures_of("counts"), key=lambda m: main.index(m.short) if m.short in main else len(main))


def class_columns(state: ConfusionMatrix | LabelSets) -> Mapping[str, npt.ArrayLike]:
    """Support, four counts and the measures of each class against the rest, or of each label, unrounded."""
    counts = state.one_vs_rest()
    cells = {name.upper(): getattr(counts, name) for name in CELLS}
    measures = {measure.short: np.asarray(measure(counts)) for measure in measures_of_classes()}
    return {"class": list(state.classes), "support": counts.actual_positives, **cells, **measures}


def average_columns(state: ConfusionMatrix | LabelSets) -> dict[str, list]:
    """Averages of every measure over the classes (for label sets also over rows), and numbers of undefined classes."""
    samples = [_SAMPLES] if isinstance(state, LabelSets) else []
    counts, nothing = state.one_vs_rest(), [math.nan] * (3 + len(samples))
    columns = {"average": [*_AVERAGES, *samples, "classes undefined"], "support": [math.nan, *nothing]}
    columns |= {name.upper(): [float(getattr(counts, name).sum()), *nothing] for name in CELLS}
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
    named = {measure.short: measure for measure in measures_of_classes()}
    lines: list[list[Cell | str]] = [
        [
            Cell(way, aside=_MEANINGS[way].replace("class", one)),
            *(Cell(value_text(named[name], value), strong=True) for name, value in zip(main, values, strict=True)),
        ]
        for way, *values in zip(columns["average"][:-1], *(columns[name][:-1] for name in main), strict=True)
    ]
    undefined = [f"{columns[name][-1]:.0f}" for name in main]
    lines.append([Cell(UNDEFINED, aside=f"{of} that macro and weighted leave out"), *undefined])
    return [f"average of the {of}", *(Cell(name, heading=True, measure=named[name].key) for name in main)], lines


def undefined_note(matrix: ConfusionMatrix) -> str:
    """Note on the measures that are undefined and for how many classes; empty if none is."""
    columns = average_columns(matrix)
    left_out = [f"{name} for {columns[name][-1]:.0f}" for name in MAIN_CLASS_MEASURES if columns[name][-1]]
    words = f"Undefined, and left out of the macro and weighted averages: {', '.join(left_out)} of"
    return f"{words} {len(matrix.classes)} classes." if left_out else ""


def whole_table_intervals(table: ClassTable, intervals: inference.IntervalChoice) -> list[inference.Interval | None]:
    """Intervals of the measures in the order of `whole_table_lines`; None for measures without one."""
    resampled = [measure for measure in _measures_of_tables() if measure.interval == "bootstrap"]
    drawn: Iterable[inference.Interval | None] = [None] * len(resampled)
    if len(table.classes) <= inference.MOST_RESAMPLED_CLASSES:
        drawn = inference.bootstrap_matrix(resampled, table.matrix, intervals.level)
    share, each = intervals.of(METRICS["recall"], table.matrix.right()), iter(drawn)
    bounds = [
        next(each) if measure.interval == "bootstrap" else share[0] if share and measure.interval == "share" else None
        for measure in _measures_of_tables()
    ]
    return [None if one is None or math.isnan(one.low) else one for one in bounds]


def accuracy_note(table: ClassTable, level: float = 0.95) -> str:
    """Comparison of the accuracy with that of always predicting the largest class, in Markdown; empty without rows."""
    matrix, p_value = table.matrix, inference.accuracy_above_no_information(table.matrix)
    if math.isnan(p_value):
        return ""
    right, largest = (float(METRICS[key](matrix)) for key in ("overall_accuracy", "no_information_rate"))
    above = "is above" if p_value <= 1 - level else "is not shown to be above"
    verdict = "is below" if right < largest else above
    together = f" on the effective rows of {table.current.cluster_words}" if table.current.cluster_words else ""
    return (
        f"**The accuracy {verdict} the no-information rate** ({share_text(right)} against {share_text(largest)}): "
        f"{p_text(p_value)}, exact binomial{together}, one-sided."
    )


def whole_table_lines(table: ClassTable, bounds: Sequence[inference.Interval | None]) -> list[Row]:
    """The measures of the whole table with their intervals, as lines under `measure_heads`."""
    total = count_text(float(table.matrix.counts.sum()))
    return [
        interval_line(measure, float(measure(table.matrix)), one, total, one.caution if one else "")
        for measure, one in zip(_measures_of_tables(), bounds, strict=True)
    ]


def interval_line(
    measure: MetricDef, value: float, interval: inference.Interval | None, n: str, caution: str = ""
) -> Row:
    """Line of a measure with its interval, where it has one, its summary and how to read it."""
    ends = [value_text(measure, float(end)) for end in interval.ends[1:]] if interval is not None else []
    bounds = range_text(*ends, unit=False) if ends else ""
    return Row(measure_line(measure, value, bounds, n, f"{measure.summary} {measure.reading}", caution))


def formulas_of(values: Iterable[tuple[MetricDef, float]]) -> str:
    """Formulas of measures with their values, in Markdown."""
    return "\n\n".join(
        rf"{measure_markdown(m)} $\displaystyle {m.formula} = {latex_value(m, value)}$" for m, value in values
    )


def class_formulas(table: ClassTable, name: str) -> str:
    """Formulas of one class against the rest and of the whole table with their numbers, in Markdown."""
    counted = table.one_vs_rest(name)
    whole = formulas_of((measure, float(measure(table.matrix))) for measure in _measures_of_tables())
    each = "\n\n".join(written_formula(measure, counted.counts) for measure in measures_of_classes())
    heading = "Whole table, with $C_{ij}$ rows of class $i$ that were predicted as $j$:"
    return f"{counted.origin}\n\n{each}\n\n{heading}\n\n{whole}"


def _measures_of_tables() -> list[MetricDef]:
    """Every measure of a square table; kappa with linear and with quadratic weights."""
    return [version for measure in measures_of("matrix") for version in measure.versions]


@dataclass(frozen=True, eq=False)
class ClassDifferences:
    """Differences between two predictions, B minus A: cells of the confusion matrix and accuracy.

    Cells are counted over the rows that both have, in the classes and the order of the table. The names of the two
    predictions come from a file: escape them.
    """

    a: str
    b: str
    cells: inference.CellDifferences
    accuracy: inference.Comparison
    level: float
    test: str = "McNemar's exact test"  # of each cell, in words

    @property
    def verdict(self) -> str:
        """Verdict on the difference in accuracy between A and B, in Markdown."""
        a, b = pair_names(self.a, self.b)
        test, text, verdict = self.accuracy, signed(points_text), "Neither is right more often beyond chance"
        if test.p_value <= 1 - self.level:
            verdict = f"{b if test.estimate > 0 else a} is right more often, beyond chance"
        low, high = (text(float(end)) for end in test.interval.ends[1:])
        difference = f"{text(test.estimate)} ({low.removesuffix(f'{THIN}pt')} to {high})"
        how = f"{p_text(test.p_value)} by {test.method}, n = {count_text(test.n)}"
        return f"**{verdict}.** Accuracy of {b} minus {a}: {difference}, {how}."

    @cached_property
    def table(self) -> dict[str, np.ndarray]:
        """Cells in which some row differs, by ascending corrected p."""
        cells = self.cells
        indices = np.nonzero(~np.isnan(cells.p_values))
        order = np.lexsort((cells.p_values[indices], cells.corrected[indices]))
        places = tuple(axis[order] for axis in indices)
        names = np.array(cells.a.classes, dtype=object)
        columns = {"actual": names[places[0]], "predicted": names[places[1]]}
        matrices = {
            "A": cells.a.counts, "B": cells.b.counts, "only A": cells.only_a, "only B": cells.only_b,
            "p": cells.p_values, "corrected p": cells.corrected,
        }  # fmt: skip
        return columns | {name: matrix[places] for name, matrix in matrices.items()}

    @property
    def beyond_chance(self) -> int:
        """Cells that differ by more than chance."""
        return int((self.table["corrected p"] <= 1 - self.level).sum())

    @property
    def note(self) -> str:
        """Names of A and B and number of cells that differ, in Markdown."""
        a, b = pair_names(self.a, self.b)
        many = count_text(len(self.table["p"]))
        return (
            f"A is {a}, B is {b}. The two differ in {many} cells; {count_text(self.beyond_chance)} of them by more "
            f"than chance ({self.test} in each cell, Holm's correction for all {many})."
        )


def compare_classes(table: ClassTable, other: str, pairs: LabelPairs, level: float = 0.95) -> ClassDifferences:
    """Compare two predictions of the classes on their common rows.

    The table has `pairs`, and all classes of the other prediction (`ClassTable.with_classes_of`), whose rows follow it.

    >>> from evalcore.analyses import Source
    >>> from evalcore.readers import read_sample
    >>> source = Source.of(read_sample("digits"))
    >>> one, two = (LabelPairs.of(source, name) for name in ("logistic_regression", "naive_bayes"))
    >>> differences = compare_classes(ClassTable.of(source, "logistic_regression", one), "naive_bayes", two)
    >>> differences.beyond_chance
    15
    """
    of_a, of_b = table.rows, pairs
    both = (of_a.actual >= 0) & (of_b.actual >= 0)
    weights, clusters = at_rows(of_a.weights, both), at_rows(of_a.clusters, both)
    (actual, a), (_, b) = ((codes[both] for codes in each.coded) for each in (table, replace(table, pairs=of_b)))
    cells = inference.compare_cells(actual, a, b, table.classes, weights, clusters)
    accuracy = inference.mcnemar(a == actual, b == actual, level)
    if weights is not None or clusters is not None:
        paired = inference.PairedClasses.from_codes(actual, a, b, table.classes, weights, clusters)
        choice, measures = inference.PairedChoice(level), [METRICS["overall_accuracy"]]
        (accuracy,) = inference.mcnemar_differences(measures, paired, choice)
    test = "McNemar's exact test"
    if clusters is not None:
        test = "a test of whole clusters" if table.current.clusters else "a test of weighted rows"
    return ClassDifferences(table.prediction or "", other, cells, accuracy, level, test)
