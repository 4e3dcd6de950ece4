"""Labels that occur together in a row, and labels that are predicted where another one is missed."""

import numpy as np

from evalcore.classification.label_sets import LabelSets, Pairs
from evalcore.numeric import Array

__all__ = ["cooccurrence", "missed_and_extra"]


def cooccurrence(sets: LabelSets) -> Array:
    """In how many rows two labels are both true, shape (labels, labels); on the diagonal, the rows of one label.

    >>> cooccurrence(LabelSets.from_sets([["a", "b"], ["b"]], [[], []])).tolist()
    [[1.0, 1.0], [1.0, 2.0]]
    """
    return _together(sets, sets.actual, sets.actual)


def missed_and_extra(sets: LabelSets) -> Array:
    """In how many rows one label is missed and another is wrongly predicted, shape (labels, labels).

    ``[missed, extra]``; on the diagonal, the rows whose label is found. A row that misses two labels and has two wrong
    ones counts in four cells.

    >>> sets = LabelSets.from_sets([["a", "b"], ["b"]], [["a", "c"], ["b"]])
    >>> missed_and_extra(sets).tolist()
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
