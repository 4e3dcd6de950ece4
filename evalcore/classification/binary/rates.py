"""Measures of the 2×2 table that are shares of a row, of a column, of the diagonal or of the whole."""

from functools import partial

from evalcore.classification.binary.counts import ConfusionCounts
from evalcore.numeric import Array, ratio
from evalcore.registry import metric

__all__ = ["accuracy", "error_rate", "fall_out", "false_discovery_rate", "false_omission_rate", "miss_rate"]
__all__ += ["negative_predictive_value", "precision", "predicted_prevalence", "prevalence", "recall", "specificity"]

_share = partial(metric, reference="powers2011")


@_share(
    name="Recall", symbol="TPR", reads=("tp", "tp fn"), best=1,
    aliases=("sensitivity", "true positive rate", "hit rate", "detection rate"),
)  # fmt: skip
def recall(counts: ConfusionCounts) -> Array:
    """Share of actual positives correctly called positive.

    How to read it: the chance that a positive case is detected. It does not depend on the prevalence. Calling
    everything positive makes it 1, so always read it with precision or specificity.

    >>> float(recall(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.8
    """
    return ratio(counts.tp, counts.actual_positives)


@_share(name="Specificity", symbol="TNR", reads=("tn", "tn fp"), best=1, aliases=("true negative rate", "selectivity"))
def specificity(counts: ConfusionCounts) -> Array:
    """Share of actual negatives correctly called negative.

    How to read it: the chance that a negative case is cleared. It does not depend on the prevalence. With many
    negatives, even 99 % can mean more false alarms than true positives.

    >>> float(specificity(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.6
    """
    return ratio(counts.tn, counts.actual_negatives)


@_share(
    name="Precision", symbol="PPV", reads=("tp", "tp fp"), best=1, aliases=("positive predictive value", "confidence")
)
def precision(counts: ConfusionCounts) -> Array:
    """Share of predicted positives that are truly positive.

    How to read it: how far a positive prediction can be trusted. It falls with the prevalence, so it does not carry
    over to another population.

    >>> float(precision(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)))
    0.1
    """
    return ratio(counts.tp, counts.predicted_positives)


@_share(name="Negative predictive value", symbol="NPV", reads=("tn", "tn fn"), best=1, aliases=("inverse precision",))
def negative_predictive_value(counts: ConfusionCounts) -> Array:
    """Share of predicted negatives that are truly negative.

    How to read it: how far a negative prediction can be trusted. Where positives are rare it is high for any test, even
    a useless one: compare it with 1 − prevalence.

    >>> float(negative_predictive_value(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.75
    """
    return ratio(counts.tn, counts.predicted_negatives)


@_share(name="Miss rate", symbol="FNR", reads=("fn", "tp fn"), best=0, aliases=("false negative rate",))
def miss_rate(counts: ConfusionCounts) -> Array:
    """Share of actual positives that are missed.

    How to read it: the complement of recall: it counts the positive cases that nobody acts on.

    >>> float(miss_rate(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.2
    """
    return ratio(counts.fn, counts.actual_positives)


@_share(
    name="False positive rate", symbol="FPR", reads=("fp", "fp tn"), best=0,
    aliases=("fall-out", "fallout", "false alarm rate"),
)  # fmt: skip
def fall_out(counts: ConfusionCounts) -> Array:
    """Share of actual negatives that raise a false alarm.

    How to read it: the horizontal axis of the ROC curve. Even a small share of very many negatives means many false
    alarms.

    >>> float(fall_out(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.4
    """
    return ratio(counts.fp, counts.actual_negatives)


@_share(name="False discovery rate", symbol="FDR", reads=("fp", "tp fp"), best=0)
def false_discovery_rate(counts: ConfusionCounts) -> Array:
    """Share of positive predictions that are false.

    How to read it: the complement of precision: at 0.9, nine alarms in ten are false.

    >>> float(false_discovery_rate(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)))
    0.9
    """
    return ratio(counts.fp, counts.predicted_positives)


@_share(name="False omission rate", symbol="FOR", reads=("fn", "tn fn"), best=0)
def false_omission_rate(counts: ConfusionCounts) -> Array:
    """Share of negative predictions that are wrong.

    How to read it: the risk that remains after a negative result. Compare it with the prevalence, the risk before the
    test.

    >>> float(false_omission_rate(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.25
    """
    return ratio(counts.fn, counts.predicted_negatives)


@_share(name="Accuracy", symbol="ACC", reads=("tp tn", "tp fp fn tn"), best=1, aliases=("fraction correct",))
def accuracy(counts: ConfusionCounts) -> Array:
    """Share of all rows predicted correctly.

    How to read it: compare it with the share of the larger class: with 1 % positives, always saying no is 99 %
    accurate.

    >>> float(accuracy(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.7
    """
    return ratio(counts.tp + counts.tn, counts.total)


@_share(
    name="Error rate", symbol="ERR", reads=("fp fn", "tp fp fn tn"), best=0,
    aliases=("misclassification rate", "zero-one loss"),
)  # fmt: skip
def error_rate(counts: ConfusionCounts) -> Array:
    """Share of all rows predicted wrongly.

    How to read it: the complement of accuracy. It counts a miss and a false alarm alike, although they rarely cost the
    same.

    >>> float(error_rate(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.3
    """
    return ratio(counts.fp + counts.fn, counts.total)


@_share(
    name="Prevalence", symbol="PREV", reads=("tp fn", "tp fp fn tn"),
    aliases=("generality", "total recall", "base rate"),
)  # fmt: skip
def prevalence(counts: ConfusionCounts) -> Array:
    """Share of all rows that are actually positive.

    How to read it: a property of the population, not of the test; precision, NPV and accuracy change with it.

    >>> float(prevalence(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.5
    """
    return ratio(counts.actual_positives, counts.total)


@_share(
    name="Predicted prevalence", symbol="PPREV", reads=("tp fp", "tp fp fn tn"),
    aliases=("alarm rate", "predicted positive rate", "share flagged"),
)  # fmt: skip
def predicted_prevalence(counts: ConfusionCounts) -> Array:
    """Share of all rows predicted positive.

    How to read it: the workload if every alarm must be checked. It equals the prevalence when misses and false alarms
    balance.

    >>> float(predicted_prevalence(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.6
    """
    return ratio(counts.predicted_positives, counts.total)
