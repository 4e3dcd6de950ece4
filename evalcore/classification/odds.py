"""Measures of the 2×2 table in the language of decisions: likelihood ratios, lift, cost and net benefit."""

import math

from evalcore.classification.counts import ConfusionCounts
from evalcore.numeric import Array, ratio
from evalcore.registry import DECISIONS, Param, metric

__all__ = ["cost", "diagnostic_odds_ratio", "lift", "negative_likelihood_ratio", "net_benefit"]
__all__ += ["positive_likelihood_ratio"]


@metric(
    name="Positive likelihood ratio", symbol="LR+", family="counts", formula=r"\frac{TPR}{FPR}", highest=math.inf,
    best=math.inf, undefined_when="recall and the false positive rate are both 0, or a class is absent",
    aliases=("LR positive", "PLR"), reference="deeks2004", group=DECISIONS,
    factors=(("tp", "fp tn"), ("fp", "tp fn")),
)  # fmt: skip
def positive_likelihood_ratio(counts: ConfusionCounts) -> Array:
    """Factor by which a positive result multiplies the odds of being positive.

    How to read it: 1 tells nothing, above 10 is strong evidence. Posterior odds = prior odds × LR+.

    >>> float(positive_likelihood_ratio(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    2.0
    """
    return ratio(counts.tp * counts.actual_negatives, counts.fp * counts.actual_positives)


@metric(
    name="Negative likelihood ratio", symbol="LR−", family="counts", formula=r"\frac{FNR}{TNR}", highest=math.inf,
    best=0, undefined_when="miss rate and specificity are both 0, or a class is absent", aliases=("LR negative", "NLR"),
    reference="deeks2004", group=DECISIONS, factors=(("fn", "fp tn"), ("tn", "tp fn")),
)  # fmt: skip
def negative_likelihood_ratio(counts: ConfusionCounts) -> Array:
    """Factor by which a negative result multiplies the odds of being positive.

    How to read it: 1 tells nothing, below 0.1 is strong evidence against. Posterior odds = prior odds × LR−.

    >>> float(negative_likelihood_ratio(ConfusionCounts(tp=4, fp=1, fn=1, tn=4)))
    0.25
    """
    return ratio(counts.fn * counts.actual_negatives, counts.tn * counts.actual_positives)


@metric(
    name="Diagnostic odds ratio", symbol="DOR", family="counts", formula=r"\frac{TP \cdot TN}{FP \cdot FN}",
    highest=math.inf, best=math.inf, undefined_when="a row or a column of the table is empty", aliases=("odds ratio",),
    reference="glas2003", group=DECISIONS, factors=(("tp", "tn"), ("fp", "fn")),
)  # fmt: skip
def diagnostic_odds_ratio(counts: ConfusionCounts) -> Array:
    """Odds of an alarm among the positives divided by the odds of an alarm among the negatives.

    How to read it: it equals LR+ / LR−; 1 tells nothing. It cannot tell a test that rules in from one that rules out.

    >>> float(diagnostic_odds_ratio(ConfusionCounts(tp=4, fp=2, fn=1, tn=3)))
    6.0
    """
    return ratio(counts.tp * counts.tn, counts.fp * counts.fn)


@metric(
    name="Lift", symbol="lift", family="counts", formula=r"\frac{PPV}{PREV}", highest=math.inf, better="higher",
    undefined_when="nothing was predicted positive or there are no actual positives", reference="ling1998",
    group=DECISIONS, factors=(("tp", "tp fp fn tn"), ("tp fp", "tp fn")),
)  # fmt: skip
def lift(counts: ConfusionCounts) -> Array:
    """Precision divided by prevalence: how many times as many positives as in a random selection.

    How to read it: 1 is a random selection. It cannot exceed 1/prevalence, so it cannot be compared between
    populations.

    >>> float(lift(ConfusionCounts(tp=4, fp=1, fn=1, tn=4)))
    1.6
    """
    return ratio(counts.tp * counts.total, counts.predicted_positives * counts.actual_positives)


@metric(
    name="Cost per row", symbol="cost", family="counts",
    formula=r"\frac{c_{TP}\,TP + c_{FP}\,FP + c_{FN}\,FN + c_{TN}\,TN}{n}", lowest=-math.inf, highest=math.inf,
    better="lower", undefined_when="there are no rows", aliases=("expected cost", "mean cost"), reference="elkan2001",
    group=DECISIONS,
    params=(
        Param("fp_cost", 1.0, -1e12, 1e12, "Cost of a false alarm."),
        Param("fn_cost", 1.0, -1e12, 1e12, "Cost of a miss."),
        Param("tp_cost", 0.0, -1e12, 1e12, "Cost of a true positive; negative if it is a gain."),
        Param("tn_cost", 0.0, -1e12, 1e12, "Cost of a true negative; negative if it is a gain."),
    ),
)  # fmt: skip
def cost(
    counts: ConfusionCounts, fp_cost: float = 1, fn_cost: float = 1, tp_cost: float = 0, tn_cost: float = 0
) -> Array:
    """Mean cost per row, given a cost for each of the four outcomes.

    How to read it: in the unit of the costs. For the choice of a threshold, only cost differences between outcomes of
    the same actual class matter. It holds for this prevalence only.

    >>> float(cost(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820), fp_cost=1, fn_cost=5)) * 2030
    230.0
    """
    total = tp_cost * counts.tp + fp_cost * counts.fp + fn_cost * counts.fn + tn_cost * counts.tn
    return ratio(total, counts.total)


@metric(
    name="Net benefit", symbol="NB", family="counts", formula=r"\frac{TP}{n} - \frac{p_t}{1 - p_t} \cdot \frac{FP}{n}",
    lowest=-math.inf, better="higher", undefined_when="there are no rows", reference="vickers2006", group=DECISIONS,
    params=(Param("probability", 0.5, 0.0, 0.999999, "Risk at which one would act; its odds weight a false alarm."),),
)  # fmt: skip
def net_benefit(counts: ConfusionCounts, probability: float = 0.5) -> Array:
    """True positives per row, minus false positives per row weighted by the odds of the threshold risk.

    How to read it: 0 is acting on nobody; the best possible value is the prevalence. A test helps where it beats both
    acting on nobody and acting on everybody.

    >>> float(net_benefit(ConfusionCounts(tp=4, fp=2, fn=1, tn=3), probability=0.2))
    0.35
    """
    odds = probability / (1 - probability)
    return ratio(counts.tp - odds * counts.fp, counts.total)
