"""Curves for decisions: expected cost and net benefit when costs and prevalence are not known exactly."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.curves import roc_hull
from evalcore.classification.odds import net_benefit
from evalcore.classification.rates import fall_out, miss_rate
from evalcore.classification.scores import ScoredLabels
from evalcore.classification.subgroups import at_prevalence
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, ratio

__all__ = ["CostCurve", "DecisionCurve", "cost_curve", "decision_curve"]


@dataclass(frozen=True, eq=False)
class CostCurve:
    """The least cost over all thresholds, with the thresholds that reach it.

    The probability cost combines prevalence g and costs: g·c_FN / (g·c_FN + (1 − g)·c_FP). With equal costs it is the
    prevalence. The normalised expected cost is 1 when every row is wrong.
    """

    probability_cost: Array  # shape (m,): corners of the curve, from 0 to 1; it is straight between them
    cost: Array  # shape (m,): lowest normalised expected cost there
    # Shape (m − 1,): the threshold that is the cheapest between each corner and the next, from the strictest to the
    # laxest.
    thresholds: Array
    # Shape (m − 1,): of these thresholds: the ends of the straight line of each, at probability cost 0 and at 1.
    fall_out: Array
    miss_rate: Array

    def at(self, probability_cost: Array) -> Array:
        """The least cost at some probability costs, any shape."""
        return np.interp(probability_cost, self.probability_cost, self.cost)


def cost_curve(table: ThresholdTable) -> CostCurve:
    """The lower envelope of the cost lines of all thresholds.

    Each threshold is a line from its false positive rate (where only false alarms cost) to its miss rate; only the
    corners of the convex hull of the ROC curve ever lie lowest.

    Parameters
    ----------
    table : ThresholdTable
        All nan when a class is absent.

    References
    ----------
    C. Drummond, R. Holte (2006). Cost curves: an improved method for visualizing classifier performance. Machine
    Learning 65, 95–130. doi:10.1007/s10994-006-8199-5

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> curve = cost_curve(ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.5, 0.1], positive=1).table())
    >>> curve.probability_cost.tolist(), curve.cost.tolist(), curve.thresholds.tolist()
    ([0.0, 0.5, 1.0], [0.0, 0.25, 0.0], [0.9, 0.5])
    """
    counts = table.counts[roc_hull(table)]
    alarms, missed, thresholds = fall_out(counts), miss_rate(counts), table.thresholds[roc_hull(table)]
    # The next corner is cheaper from where the false alarms it adds cost as much as the misses it saves. Where it adds
    # or saves nothing, one of the two corners is never better and its piece has no width.
    corners = ratio(np.diff(alarms), np.diff(alarms) - np.diff(missed))
    at = np.concatenate([[0.0], corners, [1.0]]) if not np.isnan(corners).any() else np.array([0.0, np.nan, 1.0])
    wide = np.diff(at) > 0
    if not wide.any():
        nothing = np.full(1, np.nan)
        return CostCurve(np.array([0.0, 1.0]), np.full(2, np.nan), nothing, nothing, nothing)
    alarms, missed, thresholds = alarms[wide], missed[wide], thresholds[wide]
    at = np.append(at[:-1][wide], 1.0)
    cost = np.append(alarms * (1 - at[:-1]) + missed * at[:-1], missed[-1])
    return CostCurve(at, cost, thresholds, alarms, missed)


@dataclass(frozen=True, eq=False)
class DecisionCurve:
    """Net benefit against the risk from which one would act."""

    # Shape (m,): risks from which one would act, 0 <= p < 1. Their odds are the cost of a false alarm in misses.
    probabilities: Array
    # Shape (m,): net benefit per row of acting on the scores, and of acting on everybody. Acting on nobody is 0.
    model: Array
    treat_all: Array

    @property
    def avoided(self) -> Array:
        """Interventions avoided per row compared with acting on everybody, at the same number of misses.

        How to read it: below 0 acting on everybody is better. Undefined at a risk of 0, where an intervention is free.
        """
        return ratio((self.model - self.treat_all) * (1 - self.probabilities), self.probabilities)


def decision_curve(
    scored: ScoredLabels, probabilities: npt.ArrayLike, threshold: float | None = None, prevalence: float | None = None
) -> DecisionCurve:
    """Net benefit of the scores at each risk from which one would act.

    Parameters
    ----------
    probabilities : array_like of float, shape (m,)
        Risks from which one would act, 0 <= p < 1.
    threshold : float, optional
        One threshold for all risks, as of a yes/no test. By default the scores are taken as risks, and each risk is its
        own threshold.
    prevalence : float, optional
        Share of positives in the population; by default that of the sample.

    Raises
    ------
    ValueError
        When a probability is not in 0 … 1 or is 1, where no benefit outweighs a false alarm.

    Examples
    --------
    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1)
    >>> curve = decision_curve(scored, [0.2, 0.5])
    >>> curve.model.tolist(), curve.treat_all.tolist()
    ([0.4375, 0.0], [0.375, 0.0])
    """
    risks = np.asarray(probabilities, dtype=np.float64)
    if not ((risks >= 0) & (risks < 1)).all():
        raise ValueError("A risk from which one would act must be at least 0 and below 1.")
    cuts = risks if threshold is None else np.full(risks.shape, threshold, dtype=np.float64)
    everyone = np.full(risks.shape, -np.inf if scored.higher_is_positive else np.inf)
    acted, everybody = scored.counts_at(cuts), scored.counts_at(everyone)
    if prevalence is not None:
        acted, everybody = at_prevalence(acted, prevalence), at_prevalence(everybody, prevalence)
    return DecisionCurve(risks, _benefit(acted, risks), _benefit(everybody, risks))


def _benefit(counts: ConfusionCounts, risks: Array) -> Array:
    return np.asarray(net_benefit(counts, probability=risks))
