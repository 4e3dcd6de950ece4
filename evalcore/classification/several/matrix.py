"""The square table of several classes: one class against the rest, confusions, orders, averages and measures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.clusters import ClusterCounts, cluster_codes
from evalcore.classification.binary.counts import ConfusionCounts, Measure, outcome_cells, precision, recall
from evalcore.classification.binary.indices import f_beta
from evalcore.classification.binary.labels import coded, weight_array
from evalcore.classification.several.label_sets import LabelSets, averaged
from evalcore.numeric import Array, Indices, ratio, root_of_product
from evalcore.registry import Param, metric

__all__ = ["Averages", "Confusion", "ConfusionMatrix", "averages", "macro_f1", "macro_precision", "macro_recall"]
__all__ += ["multiclass_kappa", "multiclass_matthews", "no_information_rate", "order_by_error", "order_by_name"]
__all__ += ["order_by_size", "overall_accuracy", "shares", "top_confusions", "weighted_kappa"]


@dataclass(frozen=True, eq=False)
class ClusteredPairs:
    """Clustered rows: indices of actual and predicted class, and clusters, of shape (n,)."""

    actual: Indices
    predicted: Indices
    clusters: Indices
    weights: Array | None

    def recoded(self, to: Indices) -> "ClusteredPairs":
        """Renumber the classes of the rows."""
        return ClusteredPairs(to[self.actual], to[self.predicted], self.clusters, self.weights)

    def of_class(self, index: int) -> ClusterCounts:
        """Counts of each cluster for one class against the rest."""
        cells = outcome_cells(self.actual == index, self.predicted == index)
        return ClusterCounts.of(cells, self.clusters, 4, self.weights)

    def right(self) -> ClusterCounts:
        """Number of right (TP) and wrong (FN) rows of each cluster."""
        return ClusterCounts.of(np.where(self.actual == self.predicted, 0, 2), self.clusters, 4, self.weights)


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
    """Confusion matrix: number of rows of each actual class that were called each class.

    >>> matrix = ConfusionMatrix(("cat", "fish", "hen"), [[4, 1, 1], [6, 2, 2], [3, 0, 6]])
    >>> matrix.one_vs_rest().tp.tolist(), matrix.one_vs_rest().fp.tolist()
    ([4.0, 2.0, 6.0], [9.0, 1.0, 3.0])
    """

    classes: tuple  # k labels in the order of the rows and columns
    # Shape (k, k), ``counts[actual, predicted]``: rows, or sums of weights. Of shape (b, k, k), such as b resamples,
    # for the measures of the registry that are ``stacked``; these give an array of shape (b,) then.
    counts: Array
    rows: ClusteredPairs | None = field(default=None, repr=False)  # the counted rows, if they are clustered

    def __init__(self, classes: Iterable, counts: npt.ArrayLike, rows: ClusteredPairs | None = None) -> None:
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "classes", tuple(classes))
        object.__setattr__(self, "counts", np.asarray(counts, dtype=np.float64))
        k = len(self.classes)
        if self.counts.shape[-2:] != (k, k) or self.counts.ndim > 3:
            raise ValueError(f"{k} classes need counts of shape {(k, k)}, not {self.counts.shape}.")

    @classmethod
    def from_labels(
        cls, actual: npt.ArrayLike, predicted: npt.ArrayLike, classes: Sequence | None = None,
        weights: npt.ArrayLike | None = None, clusters: npt.ArrayLike | None = None,
    ) -> "ConfusionMatrix":  # fmt: skip
        """Count the pairs of an actual and a predicted label.

        `classes` are all classes in the wanted order, by default every label that occurs, sorted. The arrays have shape
        (n,); weights and clusters are as in `ConfusionCounts.from_labels`. ValueError when the lengths differ, a label
        is missing or not among `classes`, a class is named twice, or a weight is negative.

        >>> ConfusionMatrix.from_labels(["a", "b", "b"], ["a", "a", "b"]).counts.tolist()
        [[1.0, 0.0], [1.0, 1.0]]
        """
        truth, actual_labels = coded(actual, "actual")
        predictions, predicted_labels = coded(predicted, "predicted")
        if (n := len(truth)) != (m := len(predictions)):
            raise ValueError(f"actual has {n} rows and predicted {m}; give one prediction for each row.")
        weight = None if weights is None else weight_array(weights, n)
        occurring = dict.fromkeys((*actual_labels, *predicted_labels))
        if classes is None:
            try:
                names = tuple(sorted(occurring))
            except TypeError:
                raise ValueError("actual and predicted mix numbers and texts; write all labels in one way.") from None
        else:
            names = tuple(classes)
        indices = {label: index for index, label in enumerate(names)}
        if len(indices) < len(names):
            twice = next(label for index, label in enumerate(names) if indices[label] != index)
            raise ValueError(f"The class {twice!r} is named twice; name each class once.")
        if unknown := [label for label in occurring if label not in indices]:
            raise ValueError(f"The label {unknown[0]!r} is not among the classes; add it or relabel its rows.")
        k, width = len(names), len(predicted_labels)
        # Counted as coded: only the small table is put into the order of the classes, never the rows.
        cells = np.bincount(truth * width + predictions, weights=weight, minlength=len(actual_labels) * width)
        counts = np.zeros((k, k))
        rows, columns = ([indices[label] for label in labels] for labels in (actual_labels, predicted_labels))
        np.add.at(counts, np.ix_(rows, columns), cells.reshape(len(rows), len(columns)))
        if clusters is None:
            return cls(names, counts)
        truth, predictions = np.array(rows, dtype=np.intp)[truth], np.array(columns, dtype=np.intp)[predictions]
        return cls(names, counts, ClusteredPairs(truth, predictions, cluster_codes(clusters, len(truth)), weight))

    def merged(self, groups: dict) -> "ConfusionMatrix":
        """Merge several classes into one: `groups` gives the new label by the old; other classes keep their own.

        A group stands where its first class stood.
        """
        new = [groups.get(label, label) for label in self.classes]
        names = tuple(dict.fromkeys(new))
        belongs = np.array([[label == name for label in new] for name in names], dtype=np.float64)
        counts = belongs.reshape(len(names), len(new)) @ self.counts @ belongs.T
        to = np.array([names.index(name) for name in new], dtype=np.intp)
        return ConfusionMatrix(names, counts, self.rows and self.rows.recoded(to))

    def ordered(self, order: npt.ArrayLike) -> "ConfusionMatrix":
        """Reorder the classes; `order` holds their present indices."""
        indices = np.asarray(order, dtype=np.intp)
        rows = self.rows and self.rows.recoded(np.argsort(indices))
        return ConfusionMatrix((self.classes[i] for i in indices), self.counts[np.ix_(indices, indices)], rows)

    def right(self) -> ConfusionCounts:
        """Count rows predicted correctly as TP, all others as FN, so that the recall is the overall accuracy."""
        right, rows = self.counts.trace(), self.rows
        clusters = None if rows is None else lambda _: rows.right()
        return ConfusionCounts(right, 0.0, self.counts.sum() - right, 0.0, clusters=clusters)

    def one_vs_rest(self) -> ConfusionCounts:
        """Each class against all the others: counts of shape (k,), in the order of `classes`."""
        tp = np.diagonal(self.counts, axis1=-2, axis2=-1)
        fn, fp = self.counts.sum(axis=-1) - tp, self.counts.sum(axis=-2) - tp
        total = self.counts.sum(axis=(-2, -1))[..., None]
        # Differences of sums of weights may be off by rounding, also below 0.
        tn = np.where((rest := total - tp - fn - fp) > 1e-14 * total, rest, 0.0)
        if (rows := self.rows) is None:
            return ConfusionCounts(tp, fp, fn, tn)
        return ConfusionCounts(tp, fp, fn, tn, clusters=lambda index: rows.of_class(range(len(tp))[index]))


@dataclass(frozen=True)
class Confusion:
    """An error: actual class, predicted class and count."""

    # Two different classes.
    actual: object
    predicted: object
    count: float  # rows of the one that were called the other
    share: float  # their share of the rows of the actual class


def shares(matrix: ConfusionMatrix, of: str) -> Array:
    """The cells as shares of their row ("actual"), their column ("predicted") or "all"; nan where that is empty."""
    axes = {"actual": 1, "predicted": 0, "all": None}
    if of not in axes:
        raise ValueError(f"Shares are taken of 'actual', 'predicted' or 'all', not of {of!r}.")
    return ratio(matrix.counts, matrix.counts.sum(axis=axes[of], keepdims=True))


def top_confusions(matrix: ConfusionMatrix, most: int = 10) -> list[Confusion]:
    """The most frequent errors, the largest first; equal ones in the order of the table."""
    errors = matrix.counts * (1 - np.eye(len(matrix.classes)))
    actual, predicted = np.unravel_index(np.argsort(-errors, axis=None, kind="stable")[:most], errors.shape)
    of_actual = shares(matrix, "actual")
    return [
        Confusion(matrix.classes[i], matrix.classes[j], float(errors[i, j]), float(of_actual[i, j]))
        for i, j in zip(actual.tolist(), predicted.tolist(), strict=True)
        if errors[i, j] > 0
    ]


def order_by_size(matrix: ConfusionMatrix) -> Indices:
    """Indices of the classes, those with most actual rows first."""
    return np.argsort(-matrix.counts.sum(axis=1), kind="stable")


def order_by_error(matrix: ConfusionMatrix) -> Indices:
    """Indices of the classes, those of lowest recall first; those without an actual row last."""
    recalls = recall(matrix.one_vs_rest())
    return np.argsort(np.where(np.isnan(recalls), np.inf, recalls), kind="stable")


def order_by_name(matrix: ConfusionMatrix) -> Indices:
    """Indices of the classes by name, or by value if all names are numbers."""
    try:
        keys = [(float(label), str(label)) for label in matrix.classes]
    except (TypeError, ValueError):
        keys = [str(label) for label in matrix.classes]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.intp)


_NO_ROWS = "there are no rows"


@dataclass(frozen=True)
class Averages:
    """A measure of the classes, averaged in three ways."""

    micro: float  # the measure of the four counts summed over the classes
    macro: float  # mean over the classes where the measure is defined; nan when it is defined for none
    weighted: float  # the same mean, each class counting as its number of actual rows
    undefined: int  # classes that the two means leave out because the measure is undefined there


def averages(matrix: ConfusionMatrix | LabelSets, measure: Measure) -> Averages:
    """Average a measure of counts over the classes, each against the rest, or over the labels of sets."""
    counts = matrix.one_vs_rest()
    values = np.asarray(measure(counts), dtype=np.float64)
    defined = ~np.isnan(values)
    support = counts.actual_positives
    whole = ConfusionCounts(counts.tp.sum(), counts.fp.sum(), counts.fn.sum(), counts.tn.sum())
    weighted = float(ratio((values * support)[defined].sum(), support[defined].sum()))
    return Averages(float(measure(whole)), _mean_of_classes(values), weighted, int((~defined).sum()))


def _mean_of_classes(values: Array) -> Any:
    """Mean over the classes, the last axis, where the measure is defined."""
    undefined = np.isnan(values)
    return _plain(ratio(np.where(undefined, 0.0, values).sum(axis=-1), (~undefined).sum(axis=-1)))


def _plain(values: Array) -> Any:
    """The number of one table, the array of several."""
    return values if np.ndim(values) else float(values)


@metric(name="Overall accuracy", symbol="OA", family="matrix", formula=r"\frac{\sum_i C_{ii}}{n}", best=1,
        undefined_when=_NO_ROWS, aliases=("multi-class accuracy",), reference="powers2011", percent=True,
        interval="share", paired_test="share", stacked=True)  # fmt: skip
def overall_accuracy(matrix: ConfusionMatrix) -> float:
    """Share of all rows whose class is predicted correctly.

    How to read it: compare it with the no-information rate, the accuracy of always predicting the largest class. With
    one label per row it equals micro precision, micro recall and micro F1.

    >>> overall_accuracy(ConfusionMatrix("ab", [[3, 1], [1, 5]]))
    0.8
    """
    return _plain(ratio(np.trace(matrix.counts, axis1=-2, axis2=-1), matrix.counts.sum(axis=(-2, -1))))


_macro = partial(
    averaged, word="Macro", over="k", family="matrix", undefined_when="it is undefined for every class", stacked=True
)


@_macro(recall, reference="brodersen2010", aliases=("mR", "multi-class balanced accuracy", "unweighted average recall"))
def macro_recall(matrix: ConfusionMatrix | LabelSets) -> float:
    """Mean of the recall over the classes.

    How to read it: every class counts the same, however rare. Classes without actual rows are left out.

    >>> macro_recall(ConfusionMatrix("ab", [[3, 1], [0, 4]]))
    0.875
    """
    return _mean_of_classes(recall(matrix.one_vs_rest()))


@_macro(precision, reference="lewis1991")
def macro_precision(matrix: ConfusionMatrix | LabelSets) -> float:
    """Mean of the precision over the classes.

    How to read it: every class counts the same, however rare. Classes that are never predicted are left out.

    >>> macro_precision(ConfusionMatrix("ab", [[3, 1], [0, 4]]))
    0.9
    """
    return _mean_of_classes(precision(matrix.one_vs_rest()))


@_macro(f_beta, reference="yang1999")
def macro_f1(matrix: ConfusionMatrix | LabelSets) -> float:
    """Mean of the F1 over the classes.

    How to read it: every class counts the same, however rare. It is not the F1 of macro precision and macro recall.

    >>> macro_f1(ConfusionMatrix("ab", [[4, 4], [0, 6]]))
    0.7083333333333333
    """
    return _mean_of_classes(f_beta(matrix.one_vs_rest()))


@metric(name="Kappa of several classes", symbol="κ(k)", family="matrix", formula=r"\frac{p_o - p_e}{1 - p_e}",
        lowest=-1, best=1, undefined_when="chance agreement is already perfect", aliases=("multi-class kappa",),
        reference="cohen1960", stacked=True)  # fmt: skip
def multiclass_kappa(matrix: ConfusionMatrix) -> float:
    """Agreement beyond what the row and column totals of the table would give by chance.

    How to read it: 1 is full agreement, 0 is chance. All confusions count the same; for ordered classes use weighted
    kappa.

    >>> multiclass_kappa(ConfusionMatrix("ab", [[3, 1], [1, 3]]))
    0.5
    """
    return weighted_kappa(matrix, power=0)


@metric(name="Weighted kappa", symbol="κw{power}", family="matrix",
        formula=r"1 - \frac{\sum_{ij} w_{ij} C_{ij}}{\sum_{ij} w_{ij} C_{i+} C_{+j} / n},\; w_{ij} = |i - j|^p",
        lowest=-1, best=1, undefined_when="the margins leave no room for disagreement",
        params=(Param("power", 2.0, 0.0, 10.0, "1: linear weights, 2: quadratic; 0: all confusions count the same."),),
        reference="cohen1968", variants={"linear weights": {"power": 1}, "quadratic weights": {"power": 2}},
        stacked=True)  # fmt: skip
def weighted_kappa(matrix: ConfusionMatrix, power: float = 2) -> float:
    """Agreement beyond chance, where a near miss counts less than a distant one.

    How to read it: use it only for ordered classes, such as grades or stages, listed in that order.

    >>> weighted_kappa(ConfusionMatrix("abc", [[2, 0, 0], [0, 2, 0], [0, 0, 2]]))
    1.0
    """
    index = np.arange(len(matrix.classes))
    apart = np.abs(index[:, None] - index[None, :]).astype(np.float64)
    weights = np.where(apart > 0, apart**power, 0.0)
    actual, predicted = matrix.counts.sum(axis=-1), matrix.counts.sum(axis=-2)
    observed = (weights * matrix.counts).sum(axis=(-2, -1)) * matrix.counts.sum(axis=(-2, -1))
    by_chance = (weights * (actual[..., :, None] * predicted[..., None, :])).sum(axis=(-2, -1))
    return _plain(ratio(by_chance - observed, by_chance))


@metric(name="Matthews correlation of several classes", symbol="MCC(k)", family="matrix",
        formula=r"\frac{n \sum_i C_{ii} - \sum_i C_{i+} C_{+i}}"
        r"{\sqrt{n^2 - \sum_i C_{+i}^2} \sqrt{n^2 - \sum_i C_{i+}^2}}", lowest=-1, best=1,
        undefined_when="all rows have the same actual class, or the same predicted class",
        aliases=("multi-class MCC", "R_K", "Gorodkin"), reference="gorodkin2004", stacked=True)  # fmt: skip
def multiclass_matthews(matrix: ConfusionMatrix) -> float:
    """Correlation between the actual and the predicted class.

    How to read it: 1 is perfect, 0 is guessing. With two classes it is the Matthews correlation.

    >>> multiclass_matthews(ConfusionMatrix("ab", [[3, 1], [1, 3]]))
    0.5
    """
    actual, predicted = matrix.counts.sum(axis=-1), matrix.counts.sum(axis=-2)
    right = matrix.counts.sum(axis=(-2, -1)) * np.trace(matrix.counts, axis1=-2, axis2=-1)
    agreement = right - (actual * predicted).sum(axis=-1)
    # Sums of products of what is never negative: a margin of one class gives 0 and not what rounding leaves of n² − n².
    spread = root_of_product(
        *((margin * (margin.sum(axis=-1, keepdims=True) - margin)).sum(axis=-1) for margin in (actual, predicted))
    )
    return _plain(ratio(np.where(spread, agreement, 0.0), spread))


@metric(name="No-information rate", symbol="NIR", family="matrix", formula=r"\max_i \frac{C_{i+}}{n}",
        undefined_when=_NO_ROWS, aliases=("majority share", "accuracy of always naming the largest class"),
        reference="kuhn2008", percent=True, interval="none", paired_test="", stacked=True)  # fmt: skip
def no_information_rate(matrix: ConfusionMatrix) -> float:
    """Share of the largest actual class.

    How to read it: the accuracy of always predicting the largest class, without looking at the rows. It has no
    interval: resampling overstates a maximum.

    >>> no_information_rate(ConfusionMatrix("ab", [[3, 1], [1, 5]]))
    0.6
    """
    sizes = matrix.counts.sum(axis=-1)
    return _plain(ratio(sizes.max(axis=-1, initial=0.0), sizes.sum(axis=-1)))
