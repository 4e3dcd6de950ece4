"""What a share of the rows brings: cumulative gain, lift, and the two distributions of the scores."""

from dataclasses import dataclass

import numpy as np

from evalcore.classification.odds import lift
from evalcore.classification.rates import fall_out, predicted_prevalence, recall
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, ratio

__all__ = ["GainCurve", "KsCurve", "gain_curve", "ks_curve"]


@dataclass(frozen=True, eq=False)
class GainCurve:
    """What is found when the rows with the highest scores are picked.

    Rows that share a score come in no order among themselves: between two thresholds the gain is a straight line, and
    the lift is the gain over the share.

    Attributes
    ----------
    share : Array, shape (t,)
        Share of all rows that is picked, increasing from 0 to 1.
    gain : Array, shape (t,)
        Share of the positives among them: the recall.
    lift : Array, shape (t,)
        Gain over share; nan where nothing is picked.
    best_gain : Array, shape (t,)
        The gain of a perfect order at the same share. Guessing gives the share itself.
    thresholds : Array, shape (t,)
        Strictly decreasing, first +inf.
    """

    share: Array
    gain: Array
    lift: Array
    best_gain: Array
    thresholds: Array


@dataclass(frozen=True, eq=False)
class KsCurve:
    """The distributions of the scores of the two classes, and where they are furthest apart.

    Attributes
    ----------
    thresholds : Array, shape (t,)
        Strictly decreasing, first +inf.
    positives_below, negatives_below : Array, shape (t,)
        Share of each class with a score < the threshold: cumulative distributions that stand on the left of each step.
    gap : Array, shape (t,)
        Negatives below less positives below: TPR − FPR.
    widest : int
        Row where the gap is largest in size; the highest threshold of those that tie. Its size is the
        Kolmogorov–Smirnov statistic.
    """

    thresholds: Array
    positives_below: Array
    negatives_below: Array
    gap: Array
    widest: int


def gain_curve(table: ThresholdTable) -> GainCurve:
    """Cumulative gain and lift over all thresholds.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> curve = gain_curve(ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1).table())
    >>> curve.share.tolist(), curve.gain.tolist()
    ([0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    >>> curve.lift[1:].tolist(), curve.best_gain.tolist()
    ([2.0, 1.0, 1.3333333333333333, 1.0], [0.0, 0.5, 1.0, 1.0, 1.0])
    """
    counts = table.counts
    possible = np.minimum(counts.predicted_positives, counts.actual_positives)
    return GainCurve(
        predicted_prevalence(counts),
        recall(counts),
        lift(counts),
        ratio(possible, counts.actual_positives),
        table.thresholds,
    )


def ks_curve(table: ThresholdTable) -> KsCurve:
    """Both distributions of the scores at every threshold.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> curve = ks_curve(ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1).table())
    >>> curve.gap.tolist(), float(curve.thresholds[curve.widest])
    ([0.0, 0.5, 0.0, 0.5, 0.0], 0.9)
    """
    counts = table.counts
    positives, negatives = float(counts.actual_positives[-1]), float(counts.actual_negatives[-1])
    below = ratio(counts.fn, positives), ratio(counts.tn, negatives)
    # The widest row is found in whole counts, where equal gaps are equal.
    gap = counts.tp * negatives - counts.fp * positives
    return KsCurve(table.thresholds, *below, recall(counts) - fall_out(counts), int(np.argmax(np.abs(gap))))
