"""Outputs of several systems on their common rows."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evalcore.analyses.data.label_pairs import LabelPairs, check_classes, predictions_of
from evalcore.analyses.data.scores import Scores
from evalcore.analyses.data.source import Source
from evalcore.classification import ScoredLabels, flag_goal, youden_goal
from evalcore.inference import PairedClasses, PairedCounts
from evalcore.numeric import Array, at_rows
from evalcore.readers import clusters_at, each_counts_alike, ordered, worth_of
from evalcore.retrieval.id_table import once

__all__ = ["CUTS", "PairedRows", "comparable_systems", "have_one_scale"]

CUTS = {
    "page": "One threshold for all",
    "youden": "Each at its highest Youden’s J",
    "flagged": "Each flagging as many as A",
}
"""Ways to choose the thresholds of several systems."""


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
        _, (of_a, of_b), *_ = paired_scores(source, (a, b))
        order = np.argsort(of_a, kind="stable")
        steps_a, steps_b = (np.sign(np.diff(scores[order])) for scores in (of_a, of_b))
        return bool((steps_a == steps_b).all())

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
            flagged = _called(scores[0], thresholds[0], higher) if cut == "flagged" else None
            with suppress(ValueError):
                goal = youden_goal() if flagged is None else flag_goal(rows=_size(weights, flagged))
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


def _size(weights: Array | None, flagged: np.ndarray) -> float:
    """Number of flagged rows, or the sum of their weights."""
    return float(np.count_nonzero(flagged) if weights is None else weights[flagged].sum())


def _joined_labels(source: Source, systems: tuple[str, ...], _cut: str, _threshold: float | None) -> PairedRows:
    columns = [LabelPairs.of(source, system) for system in systems]
    mask = np.logical_and.reduce([one.actual >= 0 for one in columns])
    names = _spelled_alike([one.classes for one in columns])
    classes = ordered({name for of_one in names for name in of_one})
    check_classes(classes)
    indices = {name: index for index, name in enumerate(classes)}
    recoding = [np.array([indices[name] for name in of_one] or [0], dtype=np.int16) for of_one in names]
    answers = tuple(codes[one.predicted[mask]] for codes, one in zip(recoding, columns, strict=True))
    weights = at_rows(columns[0].weights, mask)
    rows, actual = np.flatnonzero(mask), recoding[0][columns[0].actual[mask]]
    complete = all(len(mask) - one.left_out == len(rows) for one in columns)
    return PairedRows(systems, classes, actual, answers, **_beside(source, rows, weights, complete))


def _beside(source: Source, rows: np.ndarray, weights: Array | None, complete: bool) -> dict[str, Any]:
    """Weights, clusters and number of some rows of the table, and of those left out."""
    dataset, others = source.dataset, np.ones(len(source.dataset), bool)
    others[rows] = False
    return {
        "rows": rows,
        "weights": weights,
        "clusters": clusters_at(dataset, rows),
        "left_out": round(dataset.rows_behind(np.flatnonzero(others))) + source.not_counted,
        "complete": complete,
        "worth": worth_of(dataset, weights),
        "counts_rows": each_counts_alike(dataset),
    }


def _spelled_alike(columns: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Labels of each column in one spelling, if one column says True and another 1."""
    every = {name for one in columns for name in one}
    alike = every <= {"True", "False", "0", "1"} and every & {"0", "1"}
    spelling = {"True": "1", "False": "0"} if alike else {}
    return [tuple(spelling.get(name, name) for name in one) for one in columns]
