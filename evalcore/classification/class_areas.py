"""How well probabilities tell several classes apart: areas under ROC curves, averaged, and top-k accuracy."""

import numpy as np
import numpy.typing as npt

from evalcore.classification.probabilities import ProbabilityTable
from evalcore.numeric import Array, over_blocks, ratio
from evalcore.registry import SEVERAL_CLASSES, Param, metric

__all__ = ["macro_auc", "one_vs_one_auc", "top_k_accuracy", "weighted_auc", "weighted_one_vs_one_auc"]

_ONE_CLASS = "fewer than two classes have rows"


@metric(
    name="Macro AUC, one against the rest", symbol="macro AUC", family="probabilities",
    formula=r"\frac{1}{k} \sum_c AUC(c \mid \text{rest})", best=1, undefined_when=_ONE_CLASS,
    aliases=("one-vs-rest AUC", "OvR AUC", "macro ROC AUC"), reference="fawcett2006", group=SEVERAL_CLASSES,
    help="Each class counts the same",
)  # fmt: skip
def macro_auc(table: ProbabilityTable) -> float:
    """Mean over the classes of the area under the ROC curve of each class against the rest.

    How to read it: ½ is guessing; every class counts the same, however rare. Classes without rows are left out.

    >>> macro_auc(ProbabilityTable.from_event([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    areas, _ = _against_the_rest(table)
    return float(ratio(areas.sum(), len(areas)))


@metric(
    name="Weighted AUC, one against the rest", symbol="weighted AUC", family="probabilities",
    formula=r"\sum_c \frac{n_c}{n} AUC(c \mid \text{rest})", best=1, undefined_when=_ONE_CLASS,
    aliases=("weighted ROC AUC", "weighted one-vs-rest AUC"), reference="fawcett2006", group=SEVERAL_CLASSES,
    help="Each class counts as its number of rows",
)  # fmt: skip
def weighted_auc(table: ProbabilityTable) -> float:
    """Mean of the area under the ROC curve of each class against the rest, each class counting as its number of rows.

    How to read it: ½ is guessing; it follows the frequent classes and changes with the class sizes.

    >>> weighted_auc(ProbabilityTable.from_event([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    areas, sizes = _against_the_rest(table)
    return float(ratio((areas * sizes).sum(), sizes.sum()))


@metric(
    name="One-vs-one AUC", symbol="OvO AUC", family="probabilities",
    formula=r"\frac{2}{k(k-1)} \sum_{c < d} \frac{A(c \mid d) + A(d \mid c)}{2}", best=1, undefined_when=_ONE_CLASS,
    aliases=("Hand–Till M", "multi-class AUC of Hand and Till"), reference="hand2001", group=SEVERAL_CLASSES,
    help="Every pair of classes counts the same (Hand–Till)",
)  # fmt: skip
def one_vs_one_auc(table: ProbabilityTable) -> float:
    """Mean over all pairs of classes of the probability that the rows of the two are told apart by their probabilities.

    How to read it: ½ is guessing; it does not depend on how frequent the classes are. Pairs of classes without rows are
    left out.

    >>> one_vs_one_auc(ProbabilityTable.from_event([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    areas, _ = _between_pairs(table)
    return float(ratio(areas.sum(), len(areas)))


@metric(
    name="One-vs-one AUC, weighted", symbol="weighted OvO AUC", family="probabilities",
    formula=r"\frac{\sum_{c < d} (n_c + n_d) \frac{A(c \mid d) + A(d \mid c)}{2}}{\sum_{c < d} (n_c + n_d)}", best=1,
    undefined_when=_ONE_CLASS, aliases=("weighted Hand–Till M",), reference="hand2001", group=SEVERAL_CLASSES,
    help="Every pair of classes counts as its number of rows",
)  # fmt: skip
def weighted_one_vs_one_auc(table: ProbabilityTable) -> float:
    """The one-vs-one AUC, each pair of classes counting as its number of rows.

    How to read it: ½ is guessing; pairs of frequent classes decide. Hand and Till count every pair alike.

    >>> weighted_one_vs_one_auc(ProbabilityTable.from_event([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1))
    0.75
    """
    areas, sizes = _between_pairs(table)
    return float(ratio((areas * sizes).sum(), sizes.sum()))


@metric(
    name="Top-k accuracy", symbol="top-{k}", family="probabilities",
    formula=r"\frac{1}{n} \sum_i \left[\text{rank of } q_{i, y_i} \le k\right]", best=1,
    undefined_when="there are no rows", aliases=("top-k accuracy score",), reference="russakovsky2015",
    group=SEVERAL_CLASSES, help="Actual class among the most probable ones, by default 3",
    params=(Param("k", 3, 1, 1e6, "Number of most probable classes.", whole=True),),
)  # fmt: skip
def top_k_accuracy(table: ProbabilityTable, k: float = 3) -> float:
    """Share of the rows whose class is among the k most probable ones.

    How to read it: how often a short list of k suggestions holds the answer. With k = 1 it is the overall accuracy;
    with as many as there are classes it is 1. Of equal probabilities, the class that is listed first ranks first.

    >>> table = ProbabilityTable.from_arrays(["a", "c"], [[0.5, 0.3, 0.2], [0.6, 0.3, 0.1]], ("a", "b", "c"))
    >>> top_k_accuracy(table, k=1), top_k_accuracy(table, k=2), top_k_accuracy(table, k=3)
    (0.5, 0.5, 1.0)
    """
    return table.mean(among_most_probable(table, k) * 1.0)


def among_most_probable(table: ProbabilityTable, k: float = 3) -> npt.NDArray[np.bool_]:
    """Whether the class of each row is among its k most probable ones, shape (n,)."""
    columns = np.arange(len(table.classes))

    def within(rows: slice) -> Array:
        given, own = table.probabilities[rows], table.of_actual[rows][:, None]
        before = (given == own) & (columns < table.actual[rows][:, None])
        return ((given > own) | before).sum(axis=1) < k

    parts = over_blocks(within, len(table.actual))
    return np.concatenate([np.zeros(0, dtype=bool), *parts])


def _against_the_rest(table: ProbabilityTable) -> tuple[Array, Array]:
    """The area of each class with rows, and what these rows count; the rest is all other classes."""
    sizes, areas = table.sizes, table.separations
    others = sizes * ~np.eye(len(sizes), dtype=bool)
    each = ratio((np.nan_to_num(areas) * others).sum(axis=1), others.sum(axis=1))
    known = (sizes > 0) & ~np.isnan(each)
    return each[known], sizes[known]


def _between_pairs(table: ProbabilityTable) -> tuple[Array, Array]:
    """The area of each pair of classes with rows, and what these rows count."""
    first, second = np.triu_indices(len(table.classes), 1)
    areas = (table.separations[first, second] + table.separations[second, first]) / 2
    known = ~np.isnan(areas)
    return areas[known], (table.sizes[first] + table.sizes[second])[known]
