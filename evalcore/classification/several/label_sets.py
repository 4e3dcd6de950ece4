"""Several labels per row: the sets of true and of predicted labels, and measures of them averaged over the rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.clusters import ClusterCounts
from evalcore.classification.binary.counts import ConfusionCounts, Measure, error_rate, precision, recall
from evalcore.classification.binary.indices import f_beta, jaccard
from evalcore.classification.binary.labels import indicator_array, mean_over_rows, rows_and_names, weight_array
from evalcore.numeric import Array, Flags, Indices, at_rows
from evalcore.registry import METRICS, metric

__all__ = ["LabelSets", "cooccurrence", "hamming_loss", "mean_over_rows", "missed_and_extra", "samples_average"]
__all__ += ["samples_f1", "samples_jaccard", "samples_precision", "samples_recall", "subset_accuracy"]

Pairs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LabelSets:
    """The true and the predicted labels of rows that may have several, or none.

    Only the labels that a row has are stored, so that thousands of labels cost nothing. A pair of a row and a label is
    the number ``row * len(classes) + label``. Build it with `from_indicators`.
    """

    classes: tuple[str, ...]
    rows: int
    # Shape (true labels,) and (predicted labels,): pairs in any order, each once.
    actual: Pairs
    predicted: Pairs
    weights: Array | None = None  # shape (rows,): what each row counts; None: each counts 1
    clusters: Indices | None = None  # shape (rows,): codes of what each row belongs to; None: itself

    @classmethod
    def from_indicators(
        cls, actual: npt.ArrayLike, predicted: npt.ArrayLike, classes: Sequence[str] | None = None,
        weights: npt.ArrayLike | None = None,
    ) -> "LabelSets":  # fmt: skip
        """The sets of rows of indicators, shape (n, k): whether each row has each label, and whether it is predicted.

        Labels are by default called by their numbers from 0. Raises a ValueError when the shapes differ, there is not
        one name per label, or a weight is negative or not a number.
        """
        truth, predictions = indicator_array(actual, "actual"), indicator_array(predicted, "predicted")
        rows, names = rows_and_names(truth, predictions, "predicted", classes)
        true, positive = (np.flatnonzero(values).astype(np.int64) for values in (truth, predictions))
        return cls(names, rows, true, positive, None if weights is None else weight_array(weights, rows))

    def one_vs_rest(self) -> ConfusionCounts:
        """The counts of each label, shape (labels,)."""
        return self._of_labels

    @cached_property
    def correct(self) -> Flags:
        """Predicted pairs that are true, as flags, shape (predicted labels,)."""
        return np.isin(self.predicted, self.actual, assume_unique=True)

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """The labels of each row that are true, predicted, and both, shape (3, rows)."""
        k = max(len(self.classes), 1)
        pairs = (self.actual, self.predicted, self.predicted[self.correct])
        return np.stack([np.bincount(some // k, minlength=self.rows) for some in pairs])

    @cached_property
    def total(self) -> float:
        """The number of rows, or the sum of their weights."""
        return float(self.rows if self.weights is None else self.weights.sum())

    @cached_property
    def _of_labels(self) -> ConfusionCounts:
        k = len(self.classes)
        actual, predicted, both = (
            np.bincount(some % max(k, 1), at_rows(self.weights, some // max(k, 1)), k).astype(np.float64)
            for some in (self.actual, self.predicted, self.predicted[self.correct])
        )
        rest = self.total - actual - predicted + both
        # Differences of sums of weights may be off by rounding, also below 0.
        cells = both, predicted - both, actual - both, np.where(rest > 1e-12 * self.total, rest, 0.0)
        of_label = None if self.clusters is None else partial(self._counted, self.clusters)
        return ConfusionCounts(*cells, clusters=of_label)

    def _counted(self, clusters: Indices, label: int) -> ClusterCounts:
        """Counts of each cluster in the four cells of a label, by its index."""
        cells, k = np.full(self.rows, 3), len(self.classes)
        cells[self.actual[self.actual % k == label] // k] = 2
        own = self.predicted % k == label
        cells[self.predicted[own] // k] = np.where(self.correct[own], 0, 1)
        return ClusterCounts.of(cells, clusters, 4, self.weights)

    @cached_property
    def of_rows(self) -> tuple[ConfusionCounts, Array]:
        """The counts of the labels of a row, for each different outcome of a row, and how many rows have it."""
        counts, index = self.outcomes
        return counts, np.bincount(index, self.weights, minlength=len(counts.tp)).astype(np.float64)

    @cached_property
    def outcomes(self) -> tuple[ConfusionCounts, Indices]:
        """The counts of the labels of a row for each different outcome, and which outcome each row has."""
        k = len(self.classes)
        base = k + 1
        actual, predicted, both = self.sizes
        outcomes, index = np.unique((both * base + predicted) * base + actual, return_inverse=True)
        both, predicted, actual = outcomes // base**2, outcomes // base % base, outcomes % base
        return ConfusionCounts(both, predicted - both, actual - both, k - actual - predicted + both), index


def samples_average(sets: LabelSets, measure: Measure) -> float:
    """A measure of counts, worked out for the labels of each row and averaged over the rows where it is defined."""
    counts, rows = sets.of_rows
    return mean_over_rows(np.asarray(measure(counts)), rows)


def averaged(measure: Measure, word: str, over: str, **fields: Any):
    """Register the mean of a measure of counts over rows or classes, with the properties of that measure."""
    one = METRICS[measure.__name__]
    shared = {field: getattr(one, field) for field in ("lowest", "highest", "best", "better", "percent")}
    shared["name"] = f"{word} {one.label if one.params else one.name.lower()}"
    shared["symbol"], shared["formula"] = f"{word.lower()} {one.label}", rf"\frac{{1}}{{{over}}} \sum_i {one.label}_i"
    return metric(**shared | fields)


_samples = partial(averaged, word="Samples", over="n", family="label sets", reference="tsoumakas2010", paired_test="")


@_samples(precision, undefined_when="no row has a predicted label", aliases=("example-based precision",))
def samples_precision(sets: LabelSets) -> float:
    """Share of the predicted labels of a row that are true, averaged over the rows.

    How to read it: every row counts the same, however many labels it has. Rows without a predicted label are left out.

    >>> samples_precision(LabelSets.from_indicators([[1, 1], [0, 1]], [[1, 0], [1, 1]]))
    0.75
    """
    return samples_average(sets, precision)


@_samples(recall, undefined_when="no row has a true label", aliases=("example-based recall",))
def samples_recall(sets: LabelSets) -> float:
    """Share of the true labels of a row that are predicted, averaged over the rows.

    How to read it: every row counts the same, however many labels it has. Rows without a true label are left out.

    >>> samples_recall(LabelSets.from_indicators([[1, 1], [0, 1]], [[1, 0], [1, 1]]))
    0.75
    """
    return samples_average(sets, recall)


@_samples(f_beta, undefined_when="no row has a true or a predicted label", aliases=("example-based F1",))
def samples_f1(sets: LabelSets) -> float:
    """F1 of the labels of a row, averaged over the rows.

    How to read it: a partly right set gets partial credit. Rows without any label, true or
    predicted, are left out.

    >>> samples_f1(LabelSets.from_indicators([[1, 1], [0, 1]], [[1, 1], [1, 0]]))
    0.5
    """
    return samples_average(sets, f_beta)


@_samples(jaccard, name="Samples Jaccard", undefined_when="no row has a true or a predicted label",
          aliases=("multi-label accuracy", "example-based accuracy"))  # fmt: skip
def samples_jaccard(sets: LabelSets) -> float:
    """Labels of a row that are both true and predicted, as a share of those that are either, averaged over the rows.

    How to read it: 1 where both sets are equal, 0 where they share nothing. It is never above samples F1. Rows without
    any label, true or predicted, are left out.

    >>> samples_jaccard(LabelSets.from_indicators([[1, 1], [0, 1]], [[1, 0], [0, 1]]))
    0.75
    """
    return samples_average(sets, jaccard)


@metric(name="Subset accuracy", symbol="subset accuracy", family="label sets",
        formula=r"\frac{1}{n} \sum_i \left[ Y_i = Z_i \right]", best=1, undefined_when="there are no rows",
        aliases=("exact match ratio", "exact match"), reference="tsoumakas2010", percent=True,
        paired_test="")  # fmt: skip
def subset_accuracy(sets: LabelSets) -> float:
    """Share of the rows whose predicted set is exactly the true set.

    How to read it: one wrong label of a row counts as much as all of them, so it tends to fall as labels are added.

    >>> subset_accuracy(LabelSets.from_indicators([[1, 1], [0, 1]], [[1, 0], [0, 1]]))
    0.5
    """
    counts, rows = sets.of_rows
    return mean_over_rows((counts.fp + counts.fn == 0).astype(np.float64), rows)


@metric(name="Hamming loss", symbol="Hamming", family="label sets",
        formula=r"\frac{1}{n k} \sum_i \left| Y_i \,\triangle\, Z_i \right|", best=0,
        undefined_when="there are no rows", reference="schapire2000", percent=True, paired_test="")  # fmt: skip
def hamming_loss(sets: LabelSets) -> float:
    """Share of all decisions, one per row and label, that are wrong.

    How to read it: where each row has few of many labels, predicting no label at all already gives a low loss, so
    compare it with the mean share of true labels.

    >>> hamming_loss(LabelSets.from_indicators([[1, 1], [0, 1]], [[1, 0], [0, 1]]))
    0.25
    """
    return samples_average(sets, error_rate)


def cooccurrence(sets: LabelSets) -> Array:
    """Number of rows in which two labels are both true, shape (labels, labels); on the diagonal, the rows of one label.

    >>> cooccurrence(LabelSets.from_indicators([[1, 1], [0, 1]], np.zeros((2, 2), bool))).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """
    return _together(sets, sets.actual, sets.actual)


def missed_and_extra(sets: LabelSets) -> Array:
    """Number of rows in which one label is missed and another wrongly predicted, shape (labels, labels).

    ``[missed, extra]``; on the diagonal, the rows whose label is found. A row that misses two labels and has two wrong
    ones counts in four cells.

    >>> missed_and_extra(LabelSets.from_indicators([[1, 1, 0], [0, 1, 0]], [[1, 0, 1], [0, 1, 0]])).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """
    missed = sets.actual[~np.isin(sets.actual, sets.predicted, assume_unique=True)]
    table = _together(sets, missed, sets.predicted[~sets.correct])
    np.fill_diagonal(table, sets.one_vs_rest().tp)
    return table


def _together(sets: LabelSets, first: Pairs, second: Pairs) -> Array:
    """The rows that hold a label of the first pairs and one of the second, shape (labels, labels)."""
    k = len(sets.classes)
    table = np.zeros(k * k)
    if not k:
        return table.reshape(0, 0)
    second = np.sort(second)
    counts = np.bincount(second // k, minlength=sets.rows)
    starts = np.cumsum(counts) - counts
    # Row by row, every label of the first with every label of the second; in parts, as there may be many.
    for part in np.array_split(first, max(len(first) // 500_000, 1)):
        rows = part // k
        many = counts[rows]
        inside = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        other = second[np.repeat(starts[rows], many) + inside] % k
        weights = None if sets.weights is None else np.repeat(sets.weights[rows], many)
        table += np.bincount(np.repeat(part % k, many) * k + other, weights, minlength=k * k)
    return table.reshape(k, k)
