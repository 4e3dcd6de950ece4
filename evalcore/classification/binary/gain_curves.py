"""Precision and recall on the scale of the gain over calling everything positive, where areas may be compared."""

from dataclasses import dataclass

import numpy as np

from evalcore.classification.binary.scores import ScoredLabels, ThresholdTable
from evalcore.numeric import Array, inner, ratio
from evalcore.registry import metric

__all__ = ["PrecisionRecallGainCurve", "precision_recall_gain_area", "precision_recall_gain_curve"]


@dataclass(frozen=True, eq=False)
class PrecisionRecallGainCurve:
    """Precision gain against recall gain."""

    # Shape (t,): 0 is calling everything positive, 1 is perfect; the curve is straight between thresholds. The recall
    # gain increases from 0: thresholds with a recall below the prevalence, where it is negative, are left out, and the
    # first point is where the curve enters.
    recall_gain: Array
    precision_gain: Array
    thresholds: Array  # shape (t,): the strictest first; nan at the first point when it lies between two thresholds


def precision_recall_gain_curve(table: ThresholdTable) -> PrecisionRecallGainCurve:
    """Precision gain against recall gain at every threshold with a recall of at least the prevalence.

    Parameters
    ----------
    table : ThresholdTable
        Without positives or without negatives the curve has no point.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> scored = ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1)
    >>> curve = precision_recall_gain_curve(scored.table())
    >>> curve.recall_gain.tolist(), curve.precision_gain.tolist()
    ([0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.5, 0.0])
    """
    tp, fp = table.counts.tp, table.counts.fp
    gains = _gains(tp, fp)
    thresholds = table.thresholds
    if gains is None:
        return PrecisionRecallGainCurve(*np.empty((3, 0)))
    start, entered, recall_gain, precision_gain = gains
    used = thresholds[start:]
    return PrecisionRecallGainCurve(recall_gain, precision_gain, np.append(np.nan, used) if entered else used)


@metric(
    name="Area under the precision–recall-gain curve", symbol="AUPRG", family="scores",
    formula=r"\int_0^1 \frac{PPV - PREV}{(1 - PREV)\,PPV} \; d\,\frac{TPR - PREV}{(1 - PREV)\,TPR}",
    lowest=float("-inf"), best=1, undefined_when="there are no actual positives or no actual negatives",
    aliases=("PR gain area",), reference="flach2015",
    help="Area under the PR-gain curve: calling everything positive is 0, perfect 1, whatever the prevalence",
)  # fmt: skip
def precision_recall_gain_area(scored: ScoredLabels) -> float:
    """Area under the curve of precision gain against recall gain.

    How to read it: calling everything positive is 0 and perfect is 1, whatever the prevalence. The area under the
    precision–recall curve can reward thresholds that no F1 would choose; this one averages precision gain over
    recall gain, and its curve may be read between points.

    >>> precision_recall_gain_area(ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1))
    0.25
    """
    gains = _gains(scored.steps.tp, scored.steps.fp)
    if gains is None:
        return float("nan")
    _, _, recall_gain, precision_gain = gains
    return inner(np.diff(recall_gain), (precision_gain[1:] + precision_gain[:-1]) / 2)


def _gains(tp: Array, fp: Array) -> tuple[int, bool, Array, Array] | None:
    """First row used, whether a point is inserted before it, and the two gains; None without both classes."""
    positives, negatives = float(tp[-1]), float(fp[-1])
    if not positives or not negatives:
        return None
    # True positives at a recall equal to the prevalence. A row with exactly as many is the entry itself.
    entry = positives * positives / (positives + negatives)
    start = int(tp.searchsorted(entry))
    entered = bool(tp[start] != entry)
    hits, alarms = tp[start:], fp[start:]
    if entered:
        share = (entry - tp[start - 1]) / (tp[start] - tp[start - 1])
        hits = np.append(entry, hits)
        alarms = np.append(fp[start - 1] + share * (fp[start] - fp[start - 1]), alarms)
    odds = positives / negatives
    recall_gain = 1 - odds * ratio(positives - hits, hits)
    recall_gain[hits == hits[0]] = 0.0
    return start, entered, recall_gain, 1 - odds * ratio(alarms, hits)
