"""The decision curve: net benefit of acting on scores, by the risk from which one would act."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.odds import net_benefit
from evalcore.classification.population import at_prevalence
from evalcore.classification.scores import ScoredLabels
from evalcore.numeric import Array, ratio

__all__ = ["DecisionCurve", "decision_curve"]


@dataclass(frozen=True, eq=False)
class DecisionCurve:
    """Net benefit against the risk from which one would act.

    Attributes
    ----------
    probabilities : Array, shape (m,)
        Risks from which one would act, 0 <= p < 1. Their odds are the cost of a false alarm in misses.
    model, treat_all : Array, shape (m,)
        Net benefit per row of acting on the scores, and of acting on everybody. Acting on nobody is 0.
    """

    probabilities: Array
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
