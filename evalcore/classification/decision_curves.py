"""The decision curve: what acting on a test is worth to people who would act from different risks."""

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
        Risks from which one would act, 0 <= p < 1. Their odds are what a false alarm costs in misses.
    model, treat_all : Array, shape (m,)
        Net benefit a row of acting as the scores say, and of acting on everybody. Acting on nobody is 0 throughout.
    """

    probabilities: Array
    model: Array
    treat_all: Array

    @property
    def avoided(self) -> Array:
        """Interventions fewer a row than when everybody is acted on, with no more left out that needed one.

        How to read it: below 0 acting on everybody is better. Undefined at a risk of 0, where an intervention is free.
        """
        return ratio((self.model - self.treat_all) * (1 - self.probabilities), self.probabilities)


def decision_curve(
    scored: ScoredLabels,
    probabilities: npt.ArrayLike,
    threshold: float | None = None,
    prevalence: float | None = None,
) -> DecisionCurve:
    """Net benefit of the scores for everyone who would act from another risk.

    Parameters
    ----------
    scored : ScoredLabels
    probabilities : array_like of float, shape (m,)
        Risks from which one would act, 0 <= p < 1.
    threshold : float, optional
        The same for all of them: what a finished yes/no test is worth. Without it the scores are taken as risks and
        each one's threshold is the risk from which one would act.
    prevalence : float, optional
        Share of positives among the people; that of the sample where none is given.

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
        raise ValueError("A risk from which one would act has to be at least 0 and below 1.")
    cuts = risks if threshold is None else np.full(risks.shape, threshold, dtype=np.float64)
    everyone = np.full(risks.shape, -np.inf if scored.higher_is_positive else np.inf)
    acted, everybody = scored.counts_at(cuts), scored.counts_at(everyone)
    if prevalence is not None:
        acted, everybody = at_prevalence(acted, prevalence), at_prevalence(everybody, prevalence)
    return DecisionCurve(risks, _benefit(acted, risks), _benefit(everybody, risks))


def _benefit(counts: ConfusionCounts, risks: Array) -> Array:
    return np.asarray(net_benefit(counts, probability=risks))
