"""Every row with its actual and its predicted class, of one system or of several on their common rows."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from evalcore.analyses.data.scores import Scores
from evalcore.analyses.data.source import Source, left_out_text
from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels, flag_goal, youden_goal
from evalcore.classification.binary.labels import usual_positive
from evalcore.inference import PairedClasses, PairedCounts
from evalcore.numeric import Array, Indices, at_rows
from evalcore.readers import check_classes, clusters_at, codes_of, each_counts_alike, ordered, text_of, worth_of
from evalcore.readers.base import ReadProblem
from evalcore.retrieval.id_table import once
from evalcore.wording import count_text, one_line, plain, short_names, threshold_text, visible_blanks

__all__ = ["CELLS", "CUTS", "MOST_PROBABLE", "LabelPairs", "NamedCounts", "PairedRows", "comparable_systems"]
__all__ += ["have_one_scale", "prediction_origin", "predictions_of", "system_name", "system_title", "system_titles"]

MOST_PROBABLE = "most probable class"  # the system that predicts the class with the highest probability
CELLS = {"tp": "true positives", "fp": "false positives", "fn": "false negatives", "tn": "true negatives"}
"""The four cells in the order in which they are written everywhere, in words."""
CUTS = {
    "page": "One threshold for all",
    "youden": "Each at its highest Youden’s J",
    "flagged": "Each flagging as many as A",
}
"""Ways to choose the thresholds of several systems."""


@dataclass(frozen=True, eq=False)
class LabelPairs:
    """Every row of a table with its two classes."""

    # Shape (rows,): places in `classes`; -1 in both where a row cannot take part.
    actual: np.ndarray
    predicted: np.ndarray
    classes: tuple[str, ...]  # come from a file: escape them
    weights: Array | None = None  # shape (rows,)
    clusters: np.ndarray | None = None  # shape (rows,): what each row belongs to; None where each is on its own
    ties: int = 0  # rows in which several classes are the most probable, so that the first of them was taken

    @classmethod
    def of(cls, source: Source, prediction: str | None = None) -> "LabelPairs":
        """Actual and predicted class from labels or probabilities, by default of the first of `predictions_of`.

        Raises ReadProblem when there is no such column, or there are more classes than a table can hold.
        """
        build = _most_probable if prediction == MOST_PROBABLE else _prediction_pairs
        return source.dataset.once("label pairs", prediction, lambda: build(source, prediction))

    @classmethod
    def at(cls, scores: Scores, threshold: float) -> "LabelPairs":
        """Pairs of actual class and prediction from scores at a threshold."""

        def build() -> LabelPairs:
            rows = scores.current.dataset.scored_arrays(scores.system)
            positive = rows.scores >= threshold if scores.higher else rows.scores <= threshold
            actual, predicted = (np.where(values, 0, 1) for values in (rows.labels, positive))
            return _over_all_rows(rows, actual, predicted, (scores.positive, scores.negative))

        # The same data may be open under other words, as a sample and as a file of its own.
        state = f"label pairs\n{threshold!r}\n{scores.positive}\n{scores.negative}"
        return scores.current.dataset.once(state, scores.system, build)

    @cached_property
    def left_out(self) -> int:
        """Rows that lack a label or a prediction."""
        return int(np.count_nonzero(self.actual < 0))

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """Confusion matrix of the rows."""
        columns, places = (self.actual, self.predicted, self.weights, self.clusters), range(len(self.classes))
        actual, predicted, *beside = (at_rows(column, self.actual >= 0) for column in columns)
        matrix = ConfusionMatrix.from_labels(actual, predicted, places, *beside)
        return ConfusionMatrix(self.classes, matrix.counts, matrix.rows)


def predictions_of(source: Source) -> tuple[str, ...]:
    """Predictions to compare with the truth: columns of labels, and `MOST_PROBABLE` for class probabilities."""
    if source.scored_by == "class":
        return (MOST_PROBABLE, *source.roles.get("predicted", ()))
    return source.systems if source.kind == "labels" else ()


def system_title(system: str, limit: int = 60) -> str:
    """Name of a system where Markdown is not rendered."""
    return "most probable" if system == MOST_PROBABLE else one_line(visible_blanks(system), limit)


def system_titles(systems: Iterable[str], limit: int = 24) -> dict[str, str]:
    """Distinct titles of the systems for a list, an axis or a table."""
    titles = short_names(systems, limit)
    return titles | ({MOST_PROBABLE: system_title(MOST_PROBABLE)} if MOST_PROBABLE in titles else {})


def pair_names(a: str, b: str) -> tuple[str, str]:
    """Names of two systems for a sentence about both, in Markdown."""
    titles = system_titles((a, b), 40)
    return plain(titles[a]), plain(titles[b])


def system_name(system: str) -> str:
    """Name of a system in Markdown."""
    return plain(system_title(system, 40), 40)


def prediction_origin(
    source: Source, prediction: str | None, pairs: LabelPairs, at: tuple[Scores, float] | None = None,
    merged: bool = False,
) -> str:  # fmt: skip
    """Where the predicted classes come from (scores: a threshold), and which rows are left out, in Markdown."""
    if at is not None:
        scores, threshold = at
        rule = f"{plain(scores.positive, 40)} when score {scores.rule} {threshold_text(threshold)}"
        sentences = [f"Counted at the threshold: {rule}."]
    elif prediction == MOST_PROBABLE:
        rows = f"{count_text(pairs.ties)} {'row has' if pairs.ties == 1 else 'rows have'}"
        ties = f"{rows} a tie, resolved by the order of the classes" if pairs.ties else "no row has a tie"
        sentences = [f"The predicted class is the most probable one{' before merging' * merged}; {ties}."]
    elif source.has_labels:
        sentences = [f"Rows that have the label {plain(prediction)}, and rows that are predicted to have it."]
    else:
        sentences = [f"The predicted class comes from column “{plain(prediction)}”."]
    if pairs.left_out:
        sentences.append(left_out_text(pairs.left_out, "prediction").strip())
    if source.scored_by == "class":
        for name in source.roles.get("predicted", ()):
            one, two = LabelPairs.of(source, MOST_PROBABLE), LabelPairs.of(source, name)
            both = (one.actual >= 0) & (two.actual >= 0)
            first, second = (np.array(pairs.classes, dtype=object)[pairs.predicted[both]] for pairs in (one, two))
            differ = int(np.count_nonzero(first != second))
            what = f"names another class in {count_text(differ)} of them" if differ else "agrees in every row"
            sentences.append(f"The column {plain(name, 40)} {what}.")
    return " ".join(sentences)


def _prediction_pairs(source: Source, prediction: str | None) -> LabelPairs:
    rows = source.dataset.label_arrays(prediction)
    check_classes(rows.classes)
    return _over_all_rows(rows, rows.actual, rows.predicted, rows.classes)


def _most_probable(source: Source, _prediction: str | None) -> LabelPairs:
    rows = source.dataset.probability_arrays()
    codes, texts = codes_of(source.frame[source.roles.get("actual")])
    # A class without a column of its own can be actual and never predicted.
    classes = (*rows.classes, *ordered(set(texts) - set(rows.classes)))
    if len(rows.classes) == 1:
        rest = f"not {rows.classes[0]}"
        classes = (rows.classes[0], rest)
        texts = tuple(text if text == classes[0] else rest for text in texts)
    check_classes(classes)
    indices = {name: index for index, name in enumerate(classes)}
    actual = np.array([indices[text] for text in texts] or [0])[codes[rows.complete]]
    if len(rows.classes) == 1:
        best, ties = np.where(rows.probabilities[:, 0] >= 0.5, 0, 1), 0
    else:
        best = rows.probabilities.argmax(axis=1)
        highest = np.take_along_axis(rows.probabilities, best[:, None], axis=1)
        ties = int(np.count_nonzero((rows.probabilities == highest).sum(axis=1) > 1))
    return _over_all_rows(rows, actual, best, classes, ties)


def _over_all_rows(
    rows: Any, actual: np.ndarray, predicted: np.ndarray, classes: tuple[str, ...], ties: int = 0
) -> LabelPairs:
    """Pairs of the rows that take part, spread over all rows of the table."""
    indices = np.full((2, rows.complete.size), -1, dtype=np.int32)
    indices[:, rows.complete] = actual, predicted
    weights = clusters = None
    if rows.weights is not None:
        weights = np.zeros(rows.complete.size)
        weights[rows.complete] = rows.weights
    if rows.clusters is not None:
        clusters = np.zeros(rows.complete.size, dtype=np.intp)
        clusters[rows.complete] = rows.clusters
    return LabelPairs(indices[0], indices[1], classes, weights, clusters, ties)


def outcomes_of(actual: np.ndarray, predicted: np.ndarray) -> dict[str, np.ndarray]:
    """Masks of the rows in each of the four cells, from masks of the rows that are and that are called positive."""
    hits, rejections = actual & predicted, ~actual & ~predicted
    return {"tp": hits, "fp": ~actual & predicted, "fn": actual & ~predicted, "tn": rejections}


@dataclass(frozen=True)
class NamedCounts:
    """Four counts of shape () with the names of both classes, unescaped text from a file.

    `origin` says in Markdown, safe to show, where they come from; `typed` whether somebody typed them, and `is_what_if`
    in place of those of the data; `unit` what the rows are, in plural. `pairs` builds the rows behind them, of which
    `label` is the positive class; None where only counts are known.
    """

    counts: ConfusionCounts
    positive: str = "positive"
    negative: str = "negative"
    origin: str = ""
    typed: bool = False
    is_what_if: bool = False
    unit: str = "cases"
    pairs: Callable[[], LabelPairs] | None = None
    label: str = ""

    def cells_table(self, actual_in_rows: bool = True) -> tuple[list[str], list[list[str]]]:
        """The 2×2 table as headings and rows of texts."""
        counts, names = self.counts, (self.positive, self.negative)
        sides, cells = ("actual", "predicted"), ((counts.tp, counts.fn), (counts.fp, counts.tn))
        if not actual_in_rows:
            sides, cells = sides[::-1], ((counts.tp, counts.fp), (counts.fn, counts.tn))
        texts = [[count_text(float(cell)) for cell in line] for line in cells]
        rows = [[f"{sides[0]} {name}", *line] for name, line in zip(names, texts, strict=True)]
        return ["", *(f"{sides[1]} {name}" for name in names)], rows

    def rows_by_outcome(self) -> dict[str, Indices]:
        """Numbers of the rows in each cell, counted from 0; empty if only counts are known."""
        if self.pairs is None:
            return {}
        pairs = self.pairs()
        positive = pairs.classes.index(self.label)
        masks = outcomes_of(pairs.actual == positive, pairs.predicted == positive)
        return {cell: np.flatnonzero((pairs.actual >= 0) & mask) for cell, mask in masks.items()}

    @classmethod
    def at(cls, scores: Scores, threshold: float) -> "NamedCounts":
        """The counts of scores at a threshold."""
        rule = f"{plain(scores.positive)} when score {scores.rule} {scores.text(threshold)}"
        origin = f"Counted at the threshold: {rule}.{scores.current.rows_note}{left_out_text(scores.left_out)}"
        names, unit = (scores.positive, scores.negative), scores.current.cases
        pairs = partial(LabelPairs.at, scores, threshold)
        return cls(scores.counts_at(threshold), *names, origin, unit=unit, pairs=pairs, label=scores.positive)

    @classmethod
    def of_class(cls, source: Source, choose: Callable[[tuple[str, ...], str], str] | None = None) -> "NamedCounts":
        """Counts of a file, or of one class against the rest, which `choose` picks among more than two."""
        dataset = source.dataset
        if source.kind == "counts" and not dataset.is_matrix:
            names = source.class_names(None)
            return cls(dataset.counts(source.system), *names, "Counts from the file.", unit=source.cases)
        system = source.system if source.kind == "labels" or source.has_labels else None
        matrix, classes = dataset.matrix(system), dataset.matrix(system).classes
        if not classes:
            raise ReadProblem("No row has both a label and a prediction. Choose other columns on the Data page.")
        if (label := text_of(source.positive)) not in classes:
            label = (usual_positive(classes) or classes[-1]) if len(classes) == 2 else classes[0]
        if len(classes) > 2:
            label = choose(classes, label) if choose else label
            names = label, f"not {label}"
            origin = f"{plain(label)} against the other {len(classes) - 1} classes."
        else:
            other = next((name for name in classes if name != label), f"not {label}")
            names = source.class_names(source.system) if source.positive is not None else (label, other)
            origin = "Counts from the file." if source.kind == "counts" else "Counted row by row."
        notes = source.rows_note + left_out_text(dataset.left_out(system) + source.not_counted)
        pairs = None if source.kind == "counts" else partial(LabelPairs.of, source, system)
        counts = matrix.one_vs_rest()[classes.index(label)]
        return cls(counts, *names, origin + notes, unit=source.cases, pairs=pairs, label=label)


@dataclass(frozen=True, eq=False)
class PairedRows:
    """Outputs of several systems on the rows that all of them have."""

    # Come from a file: escape them. Of scores the classes are the negative and the positive one.
    systems: tuple[str, ...]
    classes: tuple[str, ...]
    actual: np.ndarray  # shape (n,): places in `classes`
    answers: tuple[np.ndarray, ...]  # one per system
    weights: Array | None  # shape (n,)
    clusters: np.ndarray | None  # shape (n,): what each row belongs to, as a code; None where each is on its own
    rows: np.ndarray  # shape (n,): their numbers in the table, counted from 0
    # Rows of the table that some system, or the truth, lacks; whether every system has these rows and no other ones.
    left_out: int
    complete: bool
    worth: float = 1.0  # effective rows per unit of weight
    counts_rows: bool = False  # whether the weights are numbers of rows
    thresholds: tuple[float, ...] = ()  # where each system was cut; empty for labels
    _memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def size(self) -> float:
        """Number of rows, counting each as often as it occurs."""
        return float(self.weights.sum()) if self.counts_rows and self.weights is not None else float(len(self))

    def counts(self, target: str, a: int = 0, b: int = 1) -> PairedCounts:
        """Paired counts of two systems, given by index, for one class against the rest."""

        def build() -> PairedCounts:
            index = self.classes.index(target)
            columns = (values == index for values in (self.actual, self.answers[a], self.answers[b]))
            return PairedCounts.from_labels(*columns, weights=self.weights, clusters=self.clusters)

        return once(self._memo, (target, a, b), build)

    def class_counts(self, a: int = 0, b: int = 1) -> PairedClasses:
        """Paired counts of two systems over all classes."""
        columns = (self.actual, self.answers[a], self.answers[b], self.classes, self.weights, self.clusters)
        return once(self._memo, (a, b), lambda: PairedClasses.from_codes(*columns))


def comparable_systems(source: Source) -> tuple[str, ...]:
    """Systems of a data set that can be compared: score columns, or predictions."""
    return source.systems if source.scored_by == "system" else predictions_of(source)


def paired_rows(
    source: Source, systems: tuple[str, ...], cut: str = "page", threshold: float | None = None
) -> PairedRows:
    """The answers of some systems on scores, labels or probabilities.

    Scores are cut by a key of `CUTS`; the threshold is that of all systems, or of the first one where the others flag
    as many rows, by default that which the first starts from. Raises ReadProblem when there is no such system, or its
    rows cannot be used.
    """
    key = f"paired rows\n{systems!r}\n{cut}\n{threshold!r}"
    make = _cut_scores if source.scored_by == "system" else _joined_labels
    return source.dataset.once(key, None, lambda: make(source, systems, cut, threshold))


def paired_scores(
    source: Source, systems: tuple[str, ...]
) -> tuple[np.ndarray, list[Array], Array | None, np.ndarray, bool]:
    """Labels, the scores of each system, weights and numbers of the rows that all have; and whether those are all."""
    columns = [source.dataset.scored_arrays(system) for system in systems]
    mask = np.logical_and.reduce([one.complete for one in columns])
    count = np.count_nonzero(mask)
    chosen = [slice(None) if len(one.scores) == count else mask[one.complete] for one in columns]
    weights = at_rows(columns[0].weights, chosen[0])
    scores = [one.scores[rows] for one, rows in zip(columns, chosen, strict=True)]
    complete = all(len(one.scores) == count for one in columns)
    return columns[0].labels[chosen[0]], scores, weights, np.flatnonzero(mask), complete


def have_one_scale(source: Source, systems: tuple[str, ...]) -> bool:
    """Whether all these systems have scores in 0 … 1, so that one threshold can mean the same for each."""
    ends = (source.dataset.scored(system).ends for system in systems)
    return all(low > high or (low >= 0 and high <= 1) for low, high in ends)


def order_alike(source: Source, a: str, b: str) -> bool:
    """Whether two systems rank their common rows alike, ties included, and so differ in scale only."""

    def build() -> bool:
        _, pair, *_ = paired_scores(source, (a, b))

        def alike(rows: slice) -> bool:
            order = np.argsort(pair[0][rows], kind="stable")
            one, two = (np.sign(np.diff(scores[rows][order])) for scores in pair)
            return np.array_equal(one, two)

        # Two systems that differ do so among few rows, mostly.
        with np.errstate(over="ignore"):  # the sign of an infinite step is right
            return alike(slice(1000)) and alike(slice(None))

    return source.dataset.once(f"order alike\n{(a, b)!r}", None, build, rows=0)


def _cut_scores(source: Source, systems: tuple[str, ...], cut: str, threshold: float | None) -> PairedRows:
    labels, scores, weights, rows, _ = paired = paired_scores(source, systems)
    higher, total = source.higher_is_positive, len(source.dataset)
    common = Scores.of(source, systems[0]).starting_threshold if threshold is None else threshold
    thresholds = []
    for index, (system, values) in enumerate(zip(systems, scores, strict=True)):
        own = common
        if cut == "youden" or (cut == "flagged" and index):
            state = source.dataset.scored(system)
            if len(rows) < total - source.dataset.left_out(system):
                state = ScoredLabels.from_arrays(labels, values, weights=weights, higher_is_positive=higher)
            with suppress(ValueError):
                goal = youden_goal()
                if cut == "flagged":
                    flagged = _called(scores[0], thresholds[0], higher)
                    goal = flag_goal(rows=float((flagged if weights is None else weights[flagged]).sum()))
                own = goal.choose(state.table()).threshold
        thresholds.append(own)
    return _rows_called(source, systems, tuple(thresholds), *paired)


def rows_called_at(source: Source, systems: tuple[str, ...], thresholds: tuple[float, ...]) -> PairedRows:
    """The decisions of some score columns, or of one twice, each at a threshold of its own."""
    return _rows_called(source, systems, thresholds, *paired_scores(source, systems))


def _rows_called(
    source: Source, systems: tuple[str, ...], thresholds: tuple[float, ...], labels: np.ndarray,
    scores: list[Array], weights: Array | None, rows: np.ndarray, complete: bool,
) -> PairedRows:  # fmt: skip
    leader = Scores.of(source, systems[0])
    classes, beside = (leader.negative, leader.positive), _beside(source, rows, weights, complete)
    called = [_called(*pair, source.higher_is_positive) for pair in zip(scores, thresholds, strict=True)]
    return PairedRows(systems, classes, labels, tuple(called), **beside, thresholds=thresholds)


def _called(scores: Array, threshold: float, higher: bool) -> np.ndarray:
    """Rows that a threshold calls positive."""
    return scores >= threshold if higher else scores <= threshold


def _joined_labels(source: Source, systems: tuple[str, ...], _cut: str, _threshold: float | None) -> PairedRows:
    columns = [LabelPairs.of(source, system) for system in systems]
    mask = np.logical_and.reduce([one.actual >= 0 for one in columns])
    names = _spelled_alike([one.classes for one in columns])
    classes = ordered({name for of_one in names for name in of_one})
    check_classes(classes)
    indices = {name: index for index, name in enumerate(classes)}
    recoding = [np.array([indices[name] for name in of_one] or [0], dtype=np.int16) for of_one in names]
    answers = tuple(codes[one.predicted[mask]] for codes, one in zip(recoding, columns, strict=True))
    rows, actual = np.flatnonzero(mask), recoding[0][columns[0].actual[mask]]
    complete = all(len(mask) - one.left_out == len(rows) for one in columns)
    beside = _beside(source, rows, at_rows(columns[0].weights, mask), complete)
    return PairedRows(systems, classes, actual, answers, **beside)


def _beside(source: Source, rows: np.ndarray, weights: Array | None, complete: bool) -> dict[str, Any]:
    """Weights, clusters and number of some rows of the table, and of those left out."""
    dataset, others = source.dataset, np.ones(len(source.dataset), bool)
    others[rows] = False
    return {
        "rows": rows, "weights": weights, "clusters": clusters_at(dataset, rows), "complete": complete,
        "left_out": round(dataset.rows_behind(np.flatnonzero(others))) + source.not_counted,
        "worth": worth_of(dataset, weights), "counts_rows": each_counts_alike(dataset),
    }  # fmt: skip


def _spelled_alike(columns: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Labels of each column in one spelling, if one column says True and another 1."""
    every = {name for one in columns for name in one}
    alike = every <= {"True", "False", "0", "1"} and every & {"0", "1"}
    spelling = {"True": "1", "False": "0"} if alike else {}
    return [tuple(spelling.get(name, name) for name in one) for one in columns]
