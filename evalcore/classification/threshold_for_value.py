"""From a wanted value of a measure to the threshold that has it."""

import math
from dataclasses import replace

import numpy as np

from evalcore.classification.choice import Choice, optimum
from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.limits import Limit, Measure
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array

__all__ = ["threshold_for_value"]


def threshold_for_value(table: ThresholdTable, measure: Measure, value: float, side: str = "nearest") -> Choice:
    """The threshold at which a measure comes nearest to a value, over every distinct score.

    Parameters
    ----------
    table : ThresholdTable
    measure : MetricDef or callable
        Function of ConfusionCounts.
    value : float
    side : {"nearest", "at least", "at most"}
        Whether the measure may lie on either side of the value, or only on one.

    Returns
    -------
    Choice
        Its `value` is the one that is reached.

    Raises
    ------
    NoThreshold
        When the measure is undefined everywhere, or nowhere on the wanted side.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels, recall
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> threshold_for_value(table, recall, 0.6).threshold, threshold_for_value(table, recall, 0.6, "at least").threshold
    (0.9, 0.4)
    """
    # 0.3 is reached by 3 of 10, whatever rounding makes of it.
    slack = 1e-12 * max(abs(value), 1.0) if math.isfinite(value) else 0.0
    limits = {
        "nearest": (),
        "at least": (Limit(measure, at_least=value - slack),),
        "at most": (Limit(measure, at_most=value + slack),),
    }[side]

    def nearness(counts: ConfusionCounts) -> Array:
        values = np.asarray(measure(counts))
        with np.errstate(invalid="ignore"):  # infinite less infinite
            # From −1 down, so that two equal distances on either side tie, however small they are beside the value.
            return np.where(values == value, -1.0, -1 - np.abs(values - value))

    choice = optimum(table, nearness, limits)
    return replace(choice, value=float(measure(choice.counts)))
