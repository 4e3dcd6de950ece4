"""The value of any measure of counts over the ROC plane or the precision–recall plane."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evalcore.classification.counts import ConfusionCounts
from evalcore.numeric import Array, ratio

__all__ = ["MeasureField", "measure_over_pr", "measure_over_roc"]


@dataclass(frozen=True, eq=False)
class MeasureField:
    """A measure over a plane.

    Attributes
    ----------
    x, y : Array, shape (size,)
        Grid along the axes, 0 … 1.
    values : Array, shape (size, size)
        ``values[row of y, column of x]``; nan where the measure is undefined or no table has those rates.
    """

    x: Array
    y: Array
    values: Array

    def levels(self, about: int = 9) -> Array:
        """Round values for contour lines, ascending, over the middle 90 % of the field.

        >>> axis = np.linspace(0, 1, 101)
        >>> MeasureField(axis, axis, np.add.outer(axis, axis) / 2).levels(5).tolist()
        [0.2, 0.4, 0.6, 0.8]
        """
        held = self.values[np.isfinite(self.values)]
        if not len(held):
            return np.empty(0)
        low, high = (float(end) for end in np.quantile(held, [0.05, 0.95]))
        if not high > low:
            return np.empty(0)
        size = 10.0 ** math.floor(math.log10((high - low) / about))
        step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * about >= (high - low) * 0.999)
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        return np.array([float(f"{step * k:.12g}") for k in range(first, last + 1)])


def measure_over_roc(
    measure: Callable[[ConfusionCounts], Array], positives: float, negatives: float, size: int = 101
) -> MeasureField:
    """A measure over the false positive rate (x) and recall (y), for a given number of rows of each class.

    Parameters
    ----------
    measure : MetricDef or callable
        Function of ConfusionCounts.
    positives, negatives : float
        Rows of each class, or sums of weights; for another prevalence give its shares.
    size : int
        Grid points per axis, at least 2.

    Examples
    --------
    >>> from evalcore.classification import accuracy
    >>> measure_over_roc(accuracy, 1, 3, size=2).values.tolist()
    [[0.75, 0.0], [1.0, 0.25]]
    """
    axis = np.linspace(0, 1, size)
    fall_out, recall = axis[None, :], axis[:, None]
    tp, fp = np.broadcast_arrays(recall * positives, fall_out * negatives)
    return MeasureField(axis, axis, _values(measure, tp, fp, positives, negatives))


def measure_over_pr(
    measure: Callable[[ConfusionCounts], Array], positives: float, negatives: float, size: int = 101
) -> MeasureField:
    """A measure over recall (x) and precision (y), for a given number of rows of each class.

    The counts follow: TP = recall · P, FP = TP · (1 − precision) / precision. At high recall and low precision no table
    exists: it would need more false alarms than there are negatives.

    Parameters, returned type and example as `measure_over_roc`.

    >>> from evalcore.classification import f_beta
    >>> measure_over_pr(f_beta, 10, 90, size=3).values.round(3).tolist()
    [[nan, nan, nan], [0.0, 0.5, 0.667], [0.0, 0.667, 1.0]]
    """
    axis = np.linspace(0, 1, size)
    recall, precision = axis[None, :], axis[:, None]
    tp = np.broadcast_to(recall * positives, (size, size))
    fp = ratio(tp * (1 - precision), precision)
    possible = fp <= negatives * (1 + 1e-12)
    fp = np.where(possible, np.minimum(fp, negatives), np.nan)
    return MeasureField(axis, axis, _values(measure, tp, fp, positives, negatives))


def _values(measure: Callable, tp: Array, fp: Array, positives: float, negatives: float) -> Array:
    with np.errstate(invalid="ignore"):
        return np.asarray(measure(ConfusionCounts(tp, fp, positives - tp, negatives - fp)))
