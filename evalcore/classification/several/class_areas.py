"""Discrimination of several classes by probabilities: areas under ROC curves, averaged, and top-k accuracy."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from evalcore.classification.binary.curves import height_at, precision_recall_curve, roc_curve
from evalcore.classification.binary.scores import ScoredLabels, ThresholdTable, pooled, threshold_grid
from evalcore.classification.several.probabilities import ProbabilityTable
from evalcore.numeric import Array, Flags, over_rows, ratio
from evalcore.registry import SEVERAL_CLASSES, Param, metric

__all__ = ["AveragedCurves", "macro_auc", "one_vs_one_auc", "top_k_accuracy", "weighted_auc"]
__all__ += ["weighted_one_vs_one_auc"]

_ONE_CLASS = "fewer than two classes have rows"
_area = partial(metric, family="probabilities", best=1, undefined_when=_ONE_CLASS, group=SEVERAL_CLASSES)


@_area(name="Macro AUC, one against the rest", symbol="macro AUC",
       formula=r"\frac{1}{k} \sum_c AUC(c \mid \text{rest})", aliases=("one-vs-rest AUC", "OvR AUC", "macro ROC AUC"),
       reference="fawcett2006", help="Each class counts the same")  # fmt: skip
def macro_auc(table: ProbabilityTable) -> float:
    """Mean over the classes of the area under the ROC curve of each class against the rest.

    How to read it: ½ is guessing; every class counts the same, however rare. Classes without rows are left out.

    >>> macro_auc(ProbabilityTable.from_event([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    areas, _ = _against_the_rest(table)
    return float(ratio(areas.sum(), len(areas)))


@_area(name="Weighted AUC, one against the rest", symbol="weighted AUC",
       formula=r"\sum_c \frac{n_c}{n} AUC(c \mid \text{rest})",
       aliases=("weighted ROC AUC", "weighted one-vs-rest AUC"), reference="fawcett2006",
       help="Each class counts as its number of rows")  # fmt: skip
def weighted_auc(table: ProbabilityTable) -> float:
    """Mean of the area under the ROC curve of each class against the rest, each class counting as its number of rows.

    How to read it: ½ is guessing; it follows the frequent classes and changes with the class sizes.

    >>> weighted_auc(ProbabilityTable.from_event([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    areas, sizes = _against_the_rest(table)
    return float(ratio((areas * sizes).sum(), sizes.sum()))


@_area(name="One-vs-one AUC", symbol="OvO AUC",
       formula=r"\frac{2}{k(k-1)} \sum_{c < d} \frac{A(c \mid d) + A(d \mid c)}{2}",
       aliases=("Hand–Till M", "multi-class AUC of Hand and Till"), reference="hand2001",
       help="Every pair of classes counts the same (Hand–Till)")  # fmt: skip
def one_vs_one_auc(table: ProbabilityTable) -> float:
    """Mean over all pairs of classes of the probability that the rows of the two are told apart by their probabilities.

    How to read it: ½ is guessing; it does not depend on how frequent the classes are. Pairs of classes without rows are
    left out.

    >>> one_vs_one_auc(ProbabilityTable.from_event([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    areas, _ = _between_pairs(table)
    return float(ratio(areas.sum(), len(areas)))


@_area(name="One-vs-one AUC, weighted", symbol="weighted OvO AUC",
       formula=r"\frac{\sum_{c < d} (n_c + n_d) \frac{A(c \mid d) + A(d \mid c)}{2}}{\sum_{c < d} (n_c + n_d)}",
       aliases=("weighted Hand–Till M",), reference="hand2001",
       help="Every pair of classes counts as its number of rows")  # fmt: skip
def weighted_one_vs_one_auc(table: ProbabilityTable) -> float:
    """The one-vs-one AUC, each pair of classes counting as its number of rows.

    How to read it: ½ is guessing; pairs of frequent classes decide. Hand and Till count every pair alike.

    >>> weighted_one_vs_one_auc(ProbabilityTable.from_event([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    areas, sizes = _between_pairs(table)
    return float(ratio((areas * sizes).sum(), sizes.sum()))


@_area(name="Top-k accuracy", symbol="top-{k}",
       formula=r"\frac{1}{n} \sum_i \left[\text{rank of } q_{i, y_i} \le k\right]", undefined_when="there are no rows",
       aliases=("top-k accuracy score",), reference="russakovsky2015",
       help="Actual class among the most probable ones, by default 3",
       params=(Param("k", 3, 1, 1e6, "Number of most probable classes.", whole=True),))  # fmt: skip
def top_k_accuracy(table: ProbabilityTable, k: float = 3) -> float:
    """Share of the rows whose class is among the k most probable ones.

    How to read it: how often a short list of k suggestions holds the answer. With k = 1 it is the overall accuracy;
    with as many as there are classes it is 1. Of equal probabilities, the class that is listed first ranks first.

    >>> table = ProbabilityTable.from_arrays(["a", "c"], [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1]], ("a", "b", "c"))
    >>> top_k_accuracy(table, k=1), top_k_accuracy(table, k=2), top_k_accuracy(table, k=3)
    (0.5, 0.5, 1.0)
    """
    return table.mean(among_most_probable(table, k) * 1.0)


def among_most_probable(table: ProbabilityTable, k: float = 3) -> Flags:
    """Test whether the class of each row is among its k most probable ones, shape (n,)."""
    columns = np.arange(len(table.classes))

    def within(rows: slice) -> Array:
        given, own = table.probabilities[rows], table.of_actual[rows][:, None]
        before = (given == own) & (columns < table.actual[rows][:, None])
        return ((given > own) | before).sum(axis=1) < k

    return over_rows(within, len(table.actual))


def _against_the_rest(table: ProbabilityTable) -> tuple[Array, Array]:
    """Area of each class with rows against all others, and the weight of its rows."""
    sizes, areas = table.sizes, table.separations
    others = sizes * ~np.eye(len(sizes), dtype=bool)
    each = ratio((np.nan_to_num(areas) * others).sum(axis=1), others.sum(axis=1))
    known = (sizes > 0) & ~np.isnan(each)
    return each[known], sizes[known]


def _between_pairs(table: ProbabilityTable) -> tuple[Array, Array]:
    """Area of each pair of classes with rows, and the weight of their rows."""
    first, second = np.triu_indices(len(table.classes), 1)
    areas = (table.separations[first, second] + table.separations[second, first]) / 2
    known = ~np.isnan(areas)
    return areas[known], (table.sizes[first] + table.sizes[second])[known]


EXACT_UP_TO = 200_000  # corners of all classes together up to which a mean curve keeps every corner of every class


@dataclass(frozen=True, eq=False)
class AveragedCurves:
    """The two ways to make one curve of several classes."""

    micro: ThresholdTable  # of all classes as one question
    # Shape (m,): x and y of the mean curve, x ascending to 1; empty when it is undefined for every class. Beyond
    # `EXACT_UP_TO` corners each class contributes those of its `threshold_grid`.
    macro_roc: tuple[Array, Array]
    macro_precision_recall: tuple[Array, Array]

    @classmethod
    def of(cls, states: Sequence[ScoredLabels]) -> "AveragedCurves":
        """Average the curves of classes, each one against the rest."""
        tables = [state.table() for state in states]
        return cls(pooled(states).table(), macro_roc_curve(tables), macro_precision_recall_curve(tables))


def macro_roc_curve(tables: Sequence[ThresholdTable]) -> tuple[Array, Array]:
    """Mean recall of the classes at every false positive rate where one of their ROC curves has a corner.

    Where a curve is vertical, both ends are averaged. The area under the mean curve is the mean of the areas (Fawcett
    2006, section 9). Classes without positives or without negatives are left out.
    """
    curves = [roc_curve(table) for table in _sparse(tables)]
    curves = [(curve.fpr, curve.tpr) for curve in curves if not (np.isnan(curve.fpr[-1]) or np.isnan(curve.tpr[-1]))]
    if not curves:
        return np.empty(0), np.empty(0)
    x = np.unique(np.concatenate([fpr for fpr, _ in curves]))
    low, high = (np.mean([height_at(*curve, x, side) for curve in curves], axis=0) for side in ("left", "right"))
    # Through the lower and the upper end at each place; one point where they are equal.
    xs, ys, keep = np.repeat(x, 2), np.column_stack([low, high]).ravel(), np.ones(2 * len(x), dtype=bool)
    keep[1::2] = high > low
    return xs[keep], ys[keep]


def macro_precision_recall_curve(tables: Sequence[ThresholdTable]) -> tuple[Array, Array]:
    """Mean precision of the classes with positives at every recall that one of them reaches.

    Between two of its thresholds each class has the precision of the laxer one; the area under the steps is the mean of
    the average precisions.
    """
    steps = []
    for curve in map(precision_recall_curve, _sparse(tables)):
        if len(curve.recall) and not np.isnan(curve.recall[-1]):
            gained = np.diff(curve.recall, prepend=0.0) > 0
            steps.append((curve.recall[gained], curve.precision[gained]))
    if not steps:
        return np.empty(0), np.empty(0)
    x = np.unique(np.concatenate([recall for recall, _ in steps]))
    return x, np.mean([precision[recall.searchsorted(x)] for recall, precision in steps], axis=0)


def _sparse(tables: Sequence[ThresholdTable]) -> list[ThresholdTable]:
    return list(tables) if sum(map(len, tables)) <= EXACT_UP_TO else [threshold_grid(table) for table in tables]
