"""The opposite decision, for scores that rank the wrong way round."""

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.curves import RocCurve, roc_curve
from evalcore.classification.threshold_table import ThresholdTable

__all__ = ["inverted", "inverted_roc_curve"]


def inverted(counts: ConfusionCounts) -> ConfusionCounts:
    """The outcomes when all decisions are swapped: positive for negative and negative for positive.

    Both rates of the ROC curve become 1 minus themselves: below its diagonal that is the better choice.

    Parameters
    ----------
    counts : ConfusionCounts, any shape

    Examples
    --------
    >>> turned = inverted(ConfusionCounts(tp=1, fp=3, fn=4, tn=2))
    >>> float(turned.tp), float(turned.fp), float(turned.fn), float(turned.tn)
    (4.0, 2.0, 1.0, 3.0)
    """
    return ConfusionCounts(tp=counts.fn, fp=counts.tn, fn=counts.tp, tn=counts.fp)


def inverted_roc_curve(table: ThresholdTable) -> RocCurve:
    """The ROC curve of the opposite decision, which calls positive what each threshold called negative.

    Returns
    -------
    RocCurve
        From (0, 0) to (1, 1); its area is 1 − AUC. Its thresholds are those of the table from the last to the first.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> curve = inverted_roc_curve(ScoredLabels.from_arrays([1, 0], [0.3, 0.8], positive=1).table())
    >>> curve.fpr.tolist(), curve.tpr.tolist(), curve.thresholds.tolist()
    ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.3, 0.8, inf])
    """
    turned = roc_curve(ThresholdTable(table.thresholds[::-1], inverted(table.counts)[::-1]))
    return RocCurve(turned.fpr, turned.tpr, turned.thresholds)
