"""Several classes in one number: micro, macro and weighted averages, and the measures of the whole square table."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.classification.binary.counts import ConfusionCounts, precision, recall
from evalcore.classification.binary.indices import f_beta
from evalcore.classification.several.label_sets import LabelSets
from evalcore.classification.several.matrix import ConfusionMatrix
from evalcore.numeric import Array, ratio, root_of_product
from evalcore.registry import METRICS, Param, metric

__all__ = ["Averages", "averages", "macro_f1", "macro_precision", "macro_recall", "multiclass_kappa"]
__all__ += ["multiclass_matthews", "no_information_rate", "overall_accuracy", "weighted_kappa"]

_NO_ROWS = "there are no rows"


@dataclass(frozen=True)
class Averages:
    """A measure of the classes, averaged in three ways."""

    micro: float  # the measure of the four counts summed over the classes
    macro: float  # mean over the classes where the measure is defined; nan when it is defined for none
    weighted: float  # the same mean, each class counting as its number of actual rows
    undefined: int  # classes that the two means leave out because the measure is undefined there


def averages(matrix: ConfusionMatrix | LabelSets, measure: Callable[[ConfusionCounts], Array]) -> Averages:
    """Average a measure of counts over the classes, each against the rest, or over the labels of sets."""
    counts = matrix.one_vs_rest()
    values = np.asarray(measure(counts), dtype=np.float64)
    defined = ~np.isnan(values)
    support = counts.actual_positives
    whole = ConfusionCounts(counts.tp.sum(), counts.fp.sum(), counts.fn.sum(), counts.tn.sum())
    return Averages(
        micro=float(measure(whole)),
        macro=_mean_of_classes(values),
        weighted=float(ratio((values * support)[defined].sum(), support[defined].sum())),
        undefined=int((~defined).sum()),
    )


def _mean_of_classes(values: Array) -> Any:
    """Mean over the classes, the last axis, where the measure is defined."""
    undefined = np.isnan(values)
    return _plain(ratio(np.where(undefined, 0.0, values).sum(axis=-1), (~undefined).sum(axis=-1)))


def _plain(values: Array) -> Any:
    """The number of one table, the array of several."""
    return values if np.ndim(values) else float(values)


@metric(
    name="Overall accuracy", symbol="OA", family="matrix", formula=r"\frac{\sum_i C_{ii}}{n}", best=1,
    undefined_when=_NO_ROWS, aliases=("multi-class accuracy",), reference="powers2011", percent=True, interval="share",
    paired_test="share", stacked=True,
)  # fmt: skip
def overall_accuracy(matrix: ConfusionMatrix) -> float:
    """Share of all rows whose class is predicted correctly.

    How to read it: compare it with the no-information rate, the accuracy of always predicting the largest class. With
    one label per row it equals micro precision, micro recall and micro F1.

    >>> overall_accuracy(ConfusionMatrix("ab", [[3, 1], [1, 5]]))
    0.8
    """
    right = np.trace(matrix.counts, axis1=-2, axis2=-1)
    return _plain(ratio(right, matrix.counts.sum(axis=(-2, -1))))


def _macro(measure: Callable[[ConfusionCounts], Array], reference: str, aliases: tuple[str, ...] = ()):
    """Register the mean over the classes of a measure of counts, with the properties of that measure."""
    one = METRICS[measure.__name__]
    return metric(
        name=f"Macro {one.label if one.params else one.name.lower()}", symbol=f"macro {one.label}", family="matrix",
        formula=rf"\frac{{1}}{{k}} \sum_i {one.label}_i", lowest=one.lowest, highest=one.highest, best=one.best,
        better=one.better, undefined_when="it is undefined for every class", aliases=aliases, reference=reference,
        percent=one.percent, stacked=True,
    )  # fmt: skip


@_macro(recall, "brodersen2010", ("mR", "multi-class balanced accuracy", "unweighted average recall"))
def macro_recall(matrix: ConfusionMatrix | LabelSets) -> float:
    """Mean of the recall over the classes.

    How to read it: every class counts the same, however rare. Classes without actual rows are left out.

    >>> macro_recall(ConfusionMatrix("ab", [[3, 1], [0, 4]]))
    0.875
    """
    return _mean_of_classes(recall(matrix.one_vs_rest()))


@_macro(precision, "lewis1991")
def macro_precision(matrix: ConfusionMatrix | LabelSets) -> float:
    """Mean of the precision over the classes.

    How to read it: every class counts the same, however rare. Classes that are never predicted are left out.

    >>> macro_precision(ConfusionMatrix("ab", [[3, 1], [0, 4]]))
    0.9
    """
    return _mean_of_classes(precision(matrix.one_vs_rest()))


@_macro(f_beta, "yang1999")
def macro_f1(matrix: ConfusionMatrix | LabelSets) -> float:
    """Mean of the F1 over the classes.

    How to read it: every class counts the same, however rare. It is not the F1 of macro precision and macro recall.

    >>> macro_f1(ConfusionMatrix("ab", [[4, 4], [0, 6]]))
    0.7083333333333333
    """
    return _mean_of_classes(f_beta(matrix.one_vs_rest()))


@metric(
    name="Kappa of several classes", symbol="κ(k)", family="matrix", formula=r"\frac{p_o - p_e}{1 - p_e}", lowest=-1,
    best=1, undefined_when="chance agreement is already perfect", aliases=("multi-class kappa",), reference="cohen1960",
    stacked=True,
)  # fmt: skip
def multiclass_kappa(matrix: ConfusionMatrix) -> float:
    """Agreement beyond what the row and column totals of the table would give by chance.

    How to read it: 1 is full agreement, 0 is chance. All confusions count the same; for ordered classes use weighted
    kappa.

    >>> multiclass_kappa(ConfusionMatrix("ab", [[3, 1], [1, 3]]))
    0.5
    """
    return weighted_kappa(matrix, power=0)


@metric(
    name="Weighted kappa", symbol="κw{power}", family="matrix",
    formula=r"1 - \frac{\sum_{ij} w_{ij} C_{ij}}{\sum_{ij} w_{ij} C_{i+} C_{+j} / n},\; w_{ij} = |i - j|^p", lowest=-1,
    best=1, undefined_when="the margins leave no room for disagreement",
    params=(Param("power", 2.0, 0.0, 10.0, "1: linear weights, 2: quadratic; 0: all confusions count the same."),),
    reference="cohen1968", variants={"linear weights": {"power": 1}, "quadratic weights": {"power": 2}}, stacked=True,
)  # fmt: skip
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


@metric(
    name="Matthews correlation of several classes", symbol="MCC(k)", family="matrix",
    formula=r"\frac{n \sum_i C_{ii} - \sum_i C_{i+} C_{+i}}"
    r"{\sqrt{n^2 - \sum_i C_{+i}^2} \sqrt{n^2 - \sum_i C_{i+}^2}}", lowest=-1, best=1,
    undefined_when="all rows have the same actual class, or the same predicted class",
    aliases=("multi-class MCC", "R_K", "Gorodkin"), reference="gorodkin2004", stacked=True,
)  # fmt: skip
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


@metric(
    name="No-information rate", symbol="NIR", family="matrix", formula=r"\max_i \frac{C_{i+}}{n}",
    undefined_when=_NO_ROWS, aliases=("majority share", "accuracy of always naming the largest class"),
    reference="kuhn2008", percent=True, interval="none", paired_test="", stacked=True,
)  # fmt: skip
def no_information_rate(matrix: ConfusionMatrix) -> float:
    """Share of the largest actual class.

    How to read it: the accuracy of always predicting the largest class, without looking at the rows. It has no
    interval: resampling overstates a maximum.

    >>> no_information_rate(ConfusionMatrix("ab", [[3, 1], [1, 5]]))
    0.6
    """
    sizes = matrix.counts.sum(axis=-1)
    return _plain(ratio(sizes.max(axis=-1, initial=0.0), sizes.sum(axis=-1)))
