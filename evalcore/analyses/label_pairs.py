"""Every row with its actual and its predicted class, wherever the prediction comes from."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.scores import Scores
from evalcore.analyses.source import Source, left_out_text
from evalcore.classification import ConfusionMatrix
from evalcore.numeric import Array
from evalcore.readers import check_classes, codes_of, ordered
from evalcore.wording import count_text, one_line, plain, seen, short_names, threshold_text

__all__ = ["MOST_PROBABLE", "LabelPairs", "prediction_origin", "predictions_of"]
__all__ += ["pair_names", "system_name", "system_title", "system_titles"]

MOST_PROBABLE = "most probable class"
"""The system that predicts the class with the highest probability."""


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
        """The rows of labels or of class probabilities.

        The prediction is one of `predictions_of`, by default the first column of predicted labels. Raises ReadProblem
        when there is no such column, or there are more classes than a table can hold.

        >>> from evalcore.readers.samples import read_sample
        >>> pairs = LabelPairs.of(Source.of(read_sample("digits")), "naive_bayes")
        >>> len(pairs.classes), pairs.left_out
        (10, 0)
        """
        build = _most_probable if prediction == MOST_PROBABLE else _stated
        return source.dataset.once("label pairs", prediction, lambda: build(source, prediction))

    @classmethod
    def at(cls, scores: Scores, threshold: float) -> "LabelPairs":
        """The rows of scores, called positive or negative at a threshold."""

        def build() -> LabelPairs:
            rows = scores.current.dataset.scored_arrays(scores.system)
            positive = rows.scores >= threshold if scores.higher else rows.scores <= threshold
            actual, predicted = (np.where(values, 0, 1) for values in (rows.labels, positive))
            return _over_all_rows(rows, actual, predicted, (scores.positive, scores.negative))

        return scores.current.dataset.once(f"label pairs\n{threshold!r}", scores.system, build)

    @cached_property
    def left_out(self) -> int:
        """Rows that lack a label or a prediction."""
        return int(np.count_nonzero(self.actual < 0))

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The rows counted."""
        usable = self.actual >= 0
        weights = None if self.weights is None else self.weights[usable]
        indices = range(len(self.classes))
        clusters = None if self.clusters is None else self.clusters[usable]
        columns = self.actual[usable], self.predicted[usable], indices, weights, clusters
        matrix = ConfusionMatrix.from_labels(*columns)
        return ConfusionMatrix(self.classes, matrix.counts, matrix.rows)


def predictions_of(source: Source) -> tuple[str, ...]:
    """What can be set against the truth: columns of predicted labels, and `MOST_PROBABLE` of class probabilities.

    >>> from evalcore.readers.samples import read_sample
    >>> predictions_of(Source.of(read_sample("digits")))
    ('logistic_regression', 'naive_bayes')
    """
    if source.scored_by == "class":
        return (MOST_PROBABLE, *source.roles.get("predicted", ()))
    return source.systems if source.kind == "labels" else ()


def system_title(system: str, limit: int = 60) -> str:
    """What a system is called where no Markdown is read."""
    return "most probable" if system == MOST_PROBABLE else one_line(seen(system), limit)


def system_titles(systems: Iterable[str], limit: int = 24) -> dict[str, str]:
    """Each system with what it is called in a list of them, an axis or a table: no two alike."""
    titles = short_names(systems, limit)
    return titles | ({MOST_PROBABLE: system_title(MOST_PROBABLE)} if MOST_PROBABLE in titles else {})


def pair_names(a: str, b: str) -> tuple[str, str]:
    """What two systems are called in a sentence about both, in Markdown."""
    titles = system_titles((a, b), 40)
    return plain(titles[a]), plain(titles[b])


def system_name(system: str, limit: int = 40) -> str:
    """What a system is called in Markdown."""
    return plain(system_title(system, limit), limit)


def prediction_origin(
    source: Source, prediction: str | None, pairs: LabelPairs, at: tuple[Scores, float] | None = None
) -> str:
    """Where the predicted classes come from and which rows are left out, in Markdown.

    Scores have their threshold in `at`; the pairs are those of the prediction.
    """
    if at is not None:
        scores, threshold = at
        rule = f"{plain(scores.positive, 40)} when score {scores.rule} {threshold_text(threshold)}"
        sentences = [f"Counted at the threshold: {rule}."]
    elif prediction == MOST_PROBABLE:
        sentences = [f"The predicted class is the most probable one; {_ties(pairs.ties)}."]
    elif source.has_labels:
        sentences = [f"Rows that have the label {plain(prediction)}, and rows that are predicted to have it."]
    else:
        sentences = [f"The predicted class is that in the column “{plain(prediction)}”."]
    if pairs.left_out:
        sentences.append(left_out_text(pairs.left_out, "prediction").strip())
    if source.scored_by == "class":
        most_probable = LabelPairs.of(source, MOST_PROBABLE)
        for name in source.roles.get("predicted", ()):
            differ = count_text(_disagreements(most_probable, LabelPairs.of(source, name)))
            sentences.append(f"The column {plain(name, 40)} names another class in {differ} of them.")
    return " ".join(sentences)


def _stated(source: Source, prediction: str | None) -> LabelPairs:
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


def _ties(ties: int) -> str:
    if not ties:
        return "no row has a tie"
    return f"{count_text(ties)} {'row has' if ties == 1 else 'rows have'} a tie, resolved by the order of the classes"


def _disagreements(one: LabelPairs, two: LabelPairs) -> int:
    both = (one.actual >= 0) & (two.actual >= 0)
    first, second = (np.array(pairs.classes, dtype=object)[pairs.predicted[both]] for pairs in (one, two))
    return int(np.count_nonzero(first != second))


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
