"""The square table of several classes, and its collapse to one class against the rest."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.labels import first_missing, label_array, weight_array
from evalcore.numeric import Array


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
    """How often each actual class was called each class.

    Parameters
    ----------
    classes : tuple, length k
        Labels in the order of the rows and columns.
    counts : array_like of float, shape (k, k)
        ``counts[actual, predicted]``: rows, or sums of weights.

    Examples
    --------
    >>> matrix = ConfusionMatrix(("cat", "fish", "hen"), [[4, 1, 1], [6, 2, 2], [3, 0, 6]])
    >>> matrix.one_vs_rest().tp.tolist(), matrix.one_vs_rest().fp.tolist()
    ([4.0, 2.0, 6.0], [9.0, 1.0, 3.0])
    """

    classes: tuple
    counts: Array

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(self.classes))
        counts = np.asarray(self.counts, dtype=np.float64)
        k = len(self.classes)
        if counts.shape != (k, k):
            raise ValueError(f"{k} classes need counts of shape {(k, k)}, not {counts.shape}.")
        object.__setattr__(self, "counts", counts)

    @classmethod
    def from_labels(
        cls,
        actual: npt.ArrayLike,
        predicted: npt.ArrayLike,
        classes: tuple | None = None,
        weights: npt.ArrayLike | None = None,
    ) -> "ConfusionMatrix":
        """Count the pairs of an actual and a predicted label.

        Parameters
        ----------
        actual, predicted : array_like, shape (n,)
            The truth and what the system said.
        classes : sequence, optional
            All classes in the wanted order; by default every label that occurs, sorted.
        weights : array_like of float >= 0, shape (n,), optional
            What each row counts; 2 is the row twice.

        Raises
        ------
        ValueError
            When the lengths differ, a label is missing or not among `classes`, or a weight is negative.

        Examples
        --------
        >>> ConfusionMatrix.from_labels(["a", "b", "b"], ["a", "a", "b"]).counts.tolist()
        [[1.0, 0.0], [1.0, 1.0]]
        """
        truth, said = label_array(actual, "actual"), label_array(predicted, "predicted")
        if len(truth) != len(said):
            raise ValueError(
                f"actual has {len(truth)} rows and predicted {len(said)}; give one prediction for each row."
            )
        for values, name in ((truth, "actual"), (said, "predicted")):
            if (row := first_missing(values)) is not None:
                raise ValueError(f"{name} has no label in row {row}; leave that row out or label it.")
        weight = None if weights is None else weight_array(weights, len(truth))
        labels, codes = np.unique(np.concatenate([truth, said]), return_inverse=True)
        names = tuple(labels.tolist())
        if classes is not None:
            place = {label: index for index, label in enumerate(classes)}
            if unknown := [label for label in names if label not in place]:
                raise ValueError(f"The label {unknown[0]!r} is not among the classes; add it or relabel its rows.")
            codes = np.array([place[label] for label in names], dtype=np.intp)[codes]
            names = tuple(classes)
        k = len(names)
        counts = np.bincount(codes[: len(truth)] * k + codes[len(truth) :], weights=weight, minlength=k * k)
        return cls(names, counts.reshape(k, k))

    def one_vs_rest(self) -> ConfusionCounts:
        """Each class against all the others: counts of shape (k,), in the order of `classes`."""
        tp = np.diagonal(self.counts)
        fn, fp = self.counts.sum(axis=1) - tp, self.counts.sum(axis=0) - tp
        return ConfusionCounts(tp, fp, fn, self.counts.sum() - tp - fn - fp)
