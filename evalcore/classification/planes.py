"""The ROC plane and the precision–recall plane: the value of a measure everywhere, and where it is high enough."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from evalcore.classification.counts import ConfusionCounts
from evalcore.numeric import Array, ratio

__all__ = ["MeasureField", "measure_over_pr", "measure_over_roc", "region_over_pr", "region_over_roc"]

MEASURES = ("recall", "specificity", "precision", "negative_predictive_value")
"""Ruling out needs sensitivity or NPV, ruling in specificity or PPV."""

_PLACES = 101


@dataclass(frozen=True, eq=False)
class MeasureField:
    """A measure over a plane."""

    # Shape (size,): grid along the axes, 0 … 1.
    x: Array
    y: Array
    # Shape (size, size): ``values[row of y, column of x]``; nan where the measure is undefined or no table has those
    # rates.
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


def region_over_roc(measure: str, least: float, share: float) -> tuple[Array, Array]:
    """Outline of the part of the ROC plane where a measure reaches a value: closed, with straight sides.

    Parameters
    ----------
    measure : {"recall", "specificity", "precision", "negative_predictive_value"}
    least : float
        Value to reach, 0 … 1.
    share : float
        Prevalence, on which PPV and NPV depend; 0 … 1.

    Returns
    -------
    x, y : Array
        False positive rate and recall of the corners; empty where the value is reached nowhere.

    Raises
    ------
    ValueError
        When the measure is none of the four.

    Examples
    --------
    >>> [side.tolist() for side in region_over_roc("specificity", 0.75, share=0.5)]
    [[0.0, 0.25, 0.25, 0.0], [0.0, 0.0, 1.0, 1.0]]
    >>> [side.tolist() for side in region_over_roc("precision", 0.5, share=0.5)]
    [[0.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]]
    """
    if measure == "recall":
        return _closed(np.array([0.0, 1.0]), np.full(2, least))
    if measure == "specificity":
        return _closed(np.array([0.0, 1 - least]), np.zeros(2))
    odds = float(ratio(1 - share, share))
    if measure == "precision":
        # Precision is constant along rays from (0, 0).
        slope = float(ratio(least * odds, 1 - least))
        end = min(float(ratio(1.0, slope)), 1.0)
        return _closed(np.array([0.0, end]), np.array([0.0, min(slope, 1.0) if end == 1 else 1.0]))
    if measure == "negative_predictive_value":
        # NPV is constant along rays from (1, 1).
        slope = float(ratio(odds * (1 - least), least))
        start = max(1 - float(ratio(1.0, slope)), 0.0) if slope else 0.0
        return _closed(np.array([0.0, start, 1.0]), np.array([max(1 - slope, 0.0)] * 2 + [1.0]))
    raise ValueError(f"{measure!r} has no region; choose one of {', '.join(MEASURES)}.")


def region_over_pr(measure: str, least: float, own: float, share: float) -> tuple[Array, Array]:
    """The same over recall (x) and precision (y) of a sample; curved sides in a hundred segments.

    Parameters
    ----------
    measure, least, share
        As `region_over_roc`.
    own : float
        Prevalence of the sample, on which the region depends; above 0 and below 1.

    Examples
    --------
    >>> [side.tolist() for side in region_over_pr("recall", 0.9, own=0.3, share=0.3)]
    [[0.9, 1.0, 1.0, 0.9], [0.0, 0.0, 1.0, 1.0]]
    """
    if measure not in MEASURES:
        raise ValueError(f"{measure!r} has no region; choose one of {', '.join(MEASURES)}.")
    if measure == "recall":
        return _closed(np.array([least, 1.0]), np.zeros(2))
    x = np.linspace(0.0, 1.0, _PLACES)
    odds = float(ratio(1 - share, share))
    with np.errstate(divide="ignore", invalid="ignore"):
        # The highest false positive rate at each recall.
        highest = {
            "specificity": np.full(_PLACES, 1 - least),
            "precision": x * ratio(1 - least, least * odds),
            "negative_predictive_value": 1 - np.where(x < 1, ratio(least, 1 - least) * (1 - x) / odds, 0.0),
        }[measure]
    possible = highest >= 0
    x, alarms = x[possible], np.minimum(highest[possible], 1.0) * (1 - own)
    y = ratio(x * own, x * own + alarms)
    if measure == "precision" and len(y) > 1:
        y[0] = y[1]  # constant from there down to recall 0
    return _closed(x, np.where(x > 0, y, 0.0) if measure != "precision" else y)


def _values(measure: Callable, tp: Array, fp: Array, positives: float, negatives: float) -> Array:
    with np.errstate(invalid="ignore"):
        return np.asarray(measure(ConfusionCounts(tp, fp, positives - tp, negatives - fp)))


def _closed(x: Array, y: Array) -> tuple[Array, Array]:
    """The lower edge, closed along the top of the plane."""
    if not len(x) or np.isnan(x).any() or np.isnan(y).any():
        return np.empty(0), np.empty(0)
    return np.append(x, [x[-1], x[0]]), np.append(y, [1.0, 1.0])
