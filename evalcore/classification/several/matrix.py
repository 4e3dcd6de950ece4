"""The square table of several classes: one class against the rest, shares, the largest confusions, and orders."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.clusters import ClusterCounts, cluster_codes
from evalcore.classification.binary.counts import ConfusionCounts, outcome_cells, recall
from evalcore.classification.binary.labels import coded, weight_array
from evalcore.classification.several.probabilities import ProbabilityTable
from evalcore.numeric import Array, Indices, over_blocks, ratio

__all__ = ["Confusion", "ConfusionMatrix", "cheapest_decisions", "mean_cost", "order_by_error", "order_by_name"]
__all__ += ["order_by_size", "shares", "top_confusions"]


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

    Parameters
    ----------
    classes : tuple, length k
        Labels in the order of the rows and columns.
    counts : array_like of float, shape (k, k)
        ``counts[actual, predicted]``: rows, or sums of weights. Of shape (b, k, k), such as b resamples, for the
        measures of the registry that are ``stacked``; these give an array of shape (b,) then.
    rows : ClusteredPairs, optional
        The counted rows, if they are clustered.

    Examples
    --------
    >>> matrix = ConfusionMatrix(("cat", "fish", "hen"), [[4, 1, 1], [6, 2, 2], [3, 0, 6]])
    >>> matrix.one_vs_rest().tp.tolist(), matrix.one_vs_rest().fp.tolist()
    ([4.0, 2.0, 6.0], [9.0, 1.0, 3.0])
    """

    classes: tuple
    counts: Array
    rows: ClusteredPairs | None = field(default=None, repr=False)

    def __init__(self, classes: Iterable, counts: npt.ArrayLike, rows: ClusteredPairs | None = None) -> None:
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "classes", tuple(classes))
        object.__setattr__(self, "counts", np.asarray(counts, dtype=np.float64))
        k = len(self.classes)
        if self.counts.shape[-2:] != (k, k) or self.counts.ndim > 3:
            raise ValueError(f"{k} classes need counts of shape {(k, k)}, not {self.counts.shape}.")

    @classmethod
    def from_labels(
        cls,
        actual: npt.ArrayLike,
        predicted: npt.ArrayLike,
        classes: Sequence | None = None,
        weights: npt.ArrayLike | None = None,
        clusters: npt.ArrayLike | None = None,
    ) -> "ConfusionMatrix":
        """Count the pairs of an actual and a predicted label.

        Parameters
        ----------
        actual, predicted : array_like, shape (n,)
            Actual and predicted label of each row.
        classes : sequence, optional
            All classes in the wanted order; by default every label that occurs, sorted.
        weights : array_like of float >= 0, shape (n,), optional
            What each row counts; 2 is the row twice.
        clusters : array_like, shape (n,), optional
            What each row belongs to, such as a patient; intervals then take whole clusters.

        Raises
        ------
        ValueError
            When the lengths differ, a label is missing or not among `classes`, a class is named twice, or a weight is
            negative.

        Examples
        --------
        >>> ConfusionMatrix.from_labels(["a", "b", "b"], ["a", "a", "b"]).counts.tolist()
        [[1.0, 0.0], [1.0, 1.0]]
        """
        truth, actual_labels = coded(actual, "actual")
        predictions, predicted_labels = coded(predicted, "predicted")
        if len(truth) != len(predictions):
            raise ValueError(
                f"actual has {len(truth)} rows and predicted {len(predictions)}; give one prediction for each row."
            )
        weight = None if weights is None else weight_array(weights, len(truth))
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
        tn = self.counts.sum(axis=(-2, -1))[..., None] - tp - fn - fp
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
    order = np.argsort(-errors, axis=None, kind="stable")[:most]
    actual, predicted = np.unravel_index(order, errors.shape)
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


def cheapest_decisions(table: ProbabilityTable, costs: npt.ArrayLike) -> Indices:
    """Index of the class of lowest expected cost for each row, the first of equal ones; ``costs[actual, decision]``.

    It is right on average only if the probabilities are calibrated. Where all errors cost the same it is the most
    probable class. A gain is a negative cost. C. Elkan (2001). The foundations of cost-sensitive learning. IJCAI,
    973–978.
    """
    matrix = _cost_matrix(costs, len(table.classes))
    parts = over_blocks(lambda rows: (table.probabilities[rows] @ matrix).argmin(axis=1), len(table.actual))
    return np.concatenate([np.zeros(0, dtype=np.intp), *parts]).astype(np.intp)


def mean_cost(matrix: ConfusionMatrix, costs: npt.ArrayLike) -> float:
    """Mean cost per row of the decisions of a square table; nan without rows. Costs as `cheapest_decisions`."""
    return float(ratio((matrix.counts * _cost_matrix(costs, len(matrix.classes))).sum(), matrix.counts.sum()))


def _cost_matrix(costs: npt.ArrayLike, k: int) -> Array:
    matrix = np.asarray(costs, dtype=np.float64)
    if matrix.shape != (k, k) or not np.isfinite(matrix).all():
        raise ValueError(f"{k} classes need {k} × {k} finite costs: a row per actual class, a column per decision.")
    return matrix
