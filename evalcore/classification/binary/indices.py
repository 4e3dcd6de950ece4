"""Measures of the 2×2 table that weigh several of its rates into one number.

Each is one division of whole numbers where algebra allows it, so that equal values come out equal to the last bit
and ties between thresholds are found exactly.
"""

import math
from functools import partial

import numpy as np

from evalcore.classification.binary.counts import ConfusionCounts
from evalcore.numeric import Array, ratio, root_of_product
from evalcore.registry import DECISIONS, Param, metric

__all__ = ["balanced_accuracy", "cohen_kappa", "cost", "diagnostic_odds_ratio", "e_measure", "f_beta"]
__all__ += ["fowlkes_mallows", "g_mean", "jaccard", "lift", "markedness", "matthews_correlation"]
__all__ += ["negative_likelihood_ratio", "net_benefit", "positive_likelihood_ratio", "youden_j"]

_index = partial(metric, family="counts", best=1)
_decision = partial(metric, family="counts", group=DECISIONS)
_BETA = Param("beta", 1.0, 0.0, 1000.0, "How many times as important recall is as precision.")


@_index(name="F-measure", symbol="F{beta}", formula=r"\frac{(1 + \beta^2)\,TP}{(1 + \beta^2)\,TP + \beta^2\,FN + FP}",
        undefined_when="there are no positives, neither actual nor predicted", params=(_BETA,),
        aliases=("F-score", "F beta", "F{beta} score", "Dice", "Sørensen–Dice"),
        reference="vanrijsbergen1979")  # fmt: skip
def f_beta(counts: ConfusionCounts, beta: float = 1) -> Array:
    """Weighted harmonic mean of precision and recall: recall matters beta times as much as precision.

    How to read it: high only when both are high. It ignores true negatives and changes with the prevalence.

    >>> float(f_beta(ConfusionCounts(tp=4, fp=2, fn=2, tn=3)))
    0.6666666666666666
    """
    square = beta * beta
    gain = (1 + square) * counts.tp
    return ratio(gain, gain + square * counts.fn + counts.fp)


@metric(name="E-measure", symbol="E{beta}", family="counts", formula=r"1 - F_\beta", best=0,
        undefined_when="there are no positives, neither actual nor predicted", params=(_BETA,),
        aliases=("effectiveness", "van Rijsbergen's E"), reference="vanrijsbergen1979")  # fmt: skip
def e_measure(counts: ConfusionCounts, beta: float = 1) -> Array:
    """One minus the F-measure, as a loss.

    How to read it: 0 is best. Precision has the weight u = 1/(beta² + 1).

    >>> float(e_measure(ConfusionCounts(tp=3, fp=1, fn=1, tn=3)))
    0.25
    """
    square = beta * beta
    loss = square * counts.fn + counts.fp
    return ratio(loss, (1 + square) * counts.tp + loss)


@_index(name="Balanced accuracy", symbol="BA", formula=r"\frac{TPR + TNR}{2}", undefined_when="a class is absent",
        aliases=("mean recall", "BACC"), reference="brodersen2010", percent=True)  # fmt: skip
def balanced_accuracy(counts: ConfusionCounts) -> Array:
    """Mean of recall and specificity.

    How to read it: the accuracy if both classes were equally frequent; guessing gives ½.

    >>> float(balanced_accuracy(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    0.7
    """
    positives, negatives = counts.actual_positives, counts.actual_negatives
    return ratio(counts.tp * negatives + counts.tn * positives, 2 * positives * negatives)


@_index(name="Youden's J", symbol="J", formula=r"TPR + TNR - 1", lowest=-1, undefined_when="a class is absent",
        aliases=("informedness", "Youden index", "true skill statistic", "Peirce skill score"),
        reference="youden1950")  # fmt: skip
def youden_j(counts: ConfusionCounts) -> Array:
    """Recall plus specificity minus 1: the height of the ROC curve above the diagonal.

    How to read it: 0 is guessing; below 0 the opposite decision would be better. Missing a share of the positives
    counts as much as false alarms for the same share of the negatives.

    >>> float(youden_j(ConfusionCounts(tp=5, fp=1, fn=5, tn=9)))
    0.4
    """
    return ratio(_determinant(counts), counts.actual_positives * counts.actual_negatives)


@_index(name="Markedness", symbol="MK", formula=r"PPV + NPV - 1", lowest=-1,
        undefined_when="all rows were predicted the same", aliases=("delta P",), reference="powers2011")  # fmt: skip
def markedness(counts: ConfusionCounts) -> Array:
    """Precision plus negative predictive value minus 1.

    How to read it: how much more often a row is positive after a positive prediction than after a negative one; 0 means
    that the prediction is no evidence.

    >>> float(markedness(ConfusionCounts(tp=3, fp=1, fn=1, tn=3)))
    0.5
    """
    return ratio(_determinant(counts), counts.predicted_positives * counts.predicted_negatives)


@_index(name="Matthews correlation", symbol="MCC",
        formula=r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{T \cdot F \cdot P \cdot N}}", lowest=-1,
        undefined_when="a row or a column of the table is empty", aliases=("phi", "phi coefficient"),
        reference="matthews1975")  # fmt: skip
def matthews_correlation(counts: ConfusionCounts) -> Array:
    """Correlation between the actual and the predicted label.

    How to read it: 1 is perfect, 0 is guessing, −1 always wrong. All four cells count, so a high value needs good
    results for both classes.

    >>> float(matthews_correlation(ConfusionCounts(tp=3, fp=1, fn=1, tn=3)))
    0.5
    """
    predicted_product = counts.predicted_positives * counts.predicted_negatives
    actual_product = counts.actual_positives * counts.actual_negatives
    return ratio(_determinant(counts), root_of_product(predicted_product, actual_product))


@_index(name="Cohen's kappa", symbol="κ",
        formula=r"\frac{p_o - p_e}{1 - p_e},\; p_o = \frac{TP + TN}{n},\; p_e = \frac{P \cdot T + N \cdot F}{n^2}",
        lowest=-1, undefined_when="chance agreement is already perfect", aliases=("kappa",),
        reference="cohen1960")  # fmt: skip
def cohen_kappa(counts: ConfusionCounts) -> Array:
    """Agreement beyond what the row and column totals would give by chance.

    How to read it: 1 is full agreement, 0 is chance. If one class is rare, it can be low even when most rows agree.

    >>> float(cohen_kappa(ConfusionCounts(tp=3, fp=1, fn=1, tn=3)))
    0.5
    """
    positives, negatives = counts.actual_positives, counts.actual_negatives
    crossed = counts.predicted_positives * negatives + positives * counts.predicted_negatives
    return ratio(2 * _determinant(counts), crossed)


@metric(name="Jaccard index", symbol="IoU", reads=("tp", "tp fp fn"), best=1,
        undefined_when="there are no positives, neither actual nor predicted", aliases=("intersection over union",
        "critical success index", "critical success", "CSI", "threat score", "Jaccard"),
        reference="jaccard1901")  # fmt: skip
def jaccard(counts: ConfusionCounts) -> Array:
    """Of all rows that are positive in truth or prediction, the share positive in both.

    How to read it: the overlap of the two sets. It never exceeds F1 and ranks systems in the same order.

    >>> float(jaccard(ConfusionCounts(tp=2, fp=1, fn=1, tn=6)))
    0.5
    """
    return ratio(counts.tp, counts.tp + counts.fp + counts.fn)


@_index(name="Fowlkes–Mallows index", symbol="FM", formula=r"\sqrt{PPV \cdot TPR}",
        undefined_when="precision or recall is undefined", reference="fowlkes1983")  # fmt: skip
def fowlkes_mallows(counts: ConfusionCounts) -> Array:
    """Geometric mean of precision and recall.

    How to read it: never below F1, and equal to it only where precision equals recall.

    >>> float(fowlkes_mallows(ConfusionCounts(tp=2, fp=2, fn=2, tn=3)))
    0.5
    """
    return ratio(counts.tp, np.sqrt(counts.predicted_positives * counts.actual_positives))


@_index(name="G-mean", symbol="GM", formula=r"\sqrt{TPR \cdot TNR}", undefined_when="a class is absent",
        aliases=("geometric mean of recall and specificity",), reference="kubat1997")  # fmt: skip
def g_mean(counts: ConfusionCounts) -> Array:
    """Geometric mean of recall and specificity.

    How to read it: high only when both classes do well; 0 as soon as one class is always wrong.

    >>> float(g_mean(ConfusionCounts(tp=4, fp=1, fn=1, tn=4)))
    0.8
    """
    return np.sqrt(ratio(counts.tp * counts.tn, counts.actual_positives * counts.actual_negatives))


def _determinant(counts: ConfusionCounts) -> Array:
    """TP·TN − FP·FN, the common numerator of the correlations of the table."""
    return counts.tp * counts.tn - counts.fp * counts.fn


@_decision(name="Positive likelihood ratio", symbol="LR+", formula=r"\frac{TPR}{FPR}", highest=math.inf, best=math.inf,
           undefined_when="recall and the false positive rate are both 0, or a class is absent",
           aliases=("LR positive", "PLR"), reference="deeks2004",
           factors=(("tp", "fp tn"), ("fp", "tp fn")))  # fmt: skip
def positive_likelihood_ratio(counts: ConfusionCounts) -> Array:
    """Factor by which a positive result multiplies the odds of being positive.

    How to read it: 1 is no evidence, above 10 is strong evidence. Posterior odds = prior odds × LR+.

    >>> float(positive_likelihood_ratio(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    2.0
    """
    return ratio(counts.tp * counts.actual_negatives, counts.fp * counts.actual_positives)


@_decision(name="Negative likelihood ratio", symbol="LR−", formula=r"\frac{FNR}{TNR}", highest=math.inf, best=0,
           undefined_when="miss rate and specificity are both 0, or a class is absent", aliases=("LR negative", "NLR"),
           reference="deeks2004", factors=(("fn", "fp tn"), ("tn", "tp fn")))  # fmt: skip
def negative_likelihood_ratio(counts: ConfusionCounts) -> Array:
    """Factor by which a negative result multiplies the odds of being positive.

    How to read it: 1 is no evidence, below 0.1 is strong evidence against. Posterior odds = prior odds × LR−.

    >>> float(negative_likelihood_ratio(ConfusionCounts(tp=4, fp=1, fn=1, tn=4)))
    0.25
    """
    return ratio(counts.fn * counts.actual_negatives, counts.tn * counts.actual_positives)


@_decision(name="Diagnostic odds ratio", symbol="DOR", formula=r"\frac{TP \cdot TN}{FP \cdot FN}", highest=math.inf,
           best=math.inf, undefined_when="a row or a column of the table is empty", aliases=("odds ratio",),
           reference="glas2003", factors=(("tp", "tn"), ("fp", "fn")))  # fmt: skip
def diagnostic_odds_ratio(counts: ConfusionCounts) -> Array:
    """Odds of an alarm among the positives divided by the odds of an alarm among the negatives.

    How to read it: it equals LR+ / LR−; 1 is no evidence. It cannot tell a test that rules in from one that rules out.

    >>> float(diagnostic_odds_ratio(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    6.0
    """
    return ratio(counts.tp * counts.tn, counts.fp * counts.fn)


@_decision(name="Lift", symbol="lift", formula=r"\frac{PPV}{PREV}", highest=math.inf, better="higher",
           undefined_when="nothing was predicted positive or there are no actual positives", reference="ling1998",
           factors=(("tp", "tp fp fn tn"), ("tp fp", "tp fn")))  # fmt: skip
def lift(counts: ConfusionCounts) -> Array:
    """Precision divided by prevalence: how many times as many positives as in a random selection.

    How to read it: 1 is a random selection. It cannot exceed 1/prevalence, so it cannot be compared between
    populations.

    >>> float(lift(ConfusionCounts(tp=4, fp=1, fn=1, tn=4)))
    1.6
    """
    return ratio(counts.tp * counts.total, counts.predicted_positives * counts.actual_positives)


@_decision(name="Cost per row", symbol="cost", formula=r"\frac{c_{TP}\,TP + c_{FP}\,FP + c_{FN}\,FN + c_{TN}\,TN}{n}",
           lowest=-math.inf, highest=math.inf, better="lower", undefined_when="there are no rows",
           aliases=("expected cost", "mean cost"), reference="elkan2001", params=(Param("fp_cost", 1.0, -1e12, 1e12,
           "Cost of a false alarm."), Param("fn_cost", 1.0, -1e12, 1e12, "Cost of a miss."), Param("tp_cost", 0.0,
           -1e12, 1e12, "Cost of a true positive; negative if it is a gain."), Param("tn_cost", 0.0, -1e12, 1e12,
           "Cost of a true negative; negative if it is a gain."), ))  # fmt: skip
def cost(
    counts: ConfusionCounts, fp_cost: float = 1, fn_cost: float = 1, tp_cost: float = 0, tn_cost: float = 0
) -> Array:
    """Mean cost per row, given a cost for each of the four outcomes.

    How to read it: in the unit of the costs. For the choice of a threshold, only cost differences between outcomes of
    the same actual class matter. It holds for this prevalence only.

    >>> float(cost(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820), fp_cost=1, fn_cost=5)) * 2030
    230.0
    """
    return ratio(tp_cost * counts.tp + fp_cost * counts.fp + fn_cost * counts.fn + tn_cost * counts.tn, counts.total)


@_decision(name="Net benefit", symbol="NB", formula=r"\frac{TP}{n} - \frac{p_t}{1 - p_t} \cdot \frac{FP}{n}",
           lowest=-math.inf, better="higher", undefined_when="there are no rows", reference="vickers2006",
           params=(Param("probability", 0.5, 0.0, 0.999999,
           "Risk at which one would act; its odds weight a false alarm."),))  # fmt: skip
def net_benefit(counts: ConfusionCounts, probability: float = 0.5) -> Array:
    """True positives per row, minus false positives per row weighted by the odds of the threshold risk.

    How to read it: 0 is acting on nobody; the best possible value is the prevalence. A test helps where it beats both
    acting on nobody and acting on everybody.

    >>> float(net_benefit(ConfusionCounts(tp=4, fp=2, fn=1, tn=3), probability=0.2))
    0.35
    """
    odds = probability / (1 - probability)
    return ratio(counts.tp - odds * counts.fp, counts.total)
