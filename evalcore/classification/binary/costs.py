"""Cost ratios: the range in which each threshold is the cheapest, when the exact costs are unknown.

A cost ratio is the cost of a miss in false alarms. As it rises, more misses are worth avoiding, so the cheapest
threshold moves along the corners of the ROC hull, from calling nothing positive to calling everything positive.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.counts import ConfusionCounts, fall_out, miss_rate
from evalcore.classification.binary.curves import roc_hull
from evalcore.classification.binary.indices import net_benefit
from evalcore.classification.binary.scores import ScoredLabels, ThresholdTable
from evalcore.classification.binary.subgroups import at_prevalence
from evalcore.numeric import Array, ratio

__all__ = ["CheapestThresholds", "CostCurve", "DecisionCurve", "RatioRange", "cheapest_thresholds", "cost_curve"]
__all__ += ["decision_curve", "ratios_of"]


@dataclass(frozen=True, eq=False)
class CheapestThresholds:
    """The thresholds that are the cheapest for some cost ratio, with those ratios."""

    rows: npt.NDArray[np.intp]  # shape (h,): rows of the threshold table, ascending
    thresholds: Array  # shape (h,): from the strictest, which is infinite, to the laxest
    counts: ConfusionCounts  # shape (h,)
    # Shape (h + 1,): cost ratios, ascending from 0 to inf. In the sample, threshold i is the cheapest between entries i
    # and i + 1; at an entry its two neighbours tie.
    breaks: Array
    own_odds: float  # odds of being positive in the sample

    def ratios(self, prevalence: float | None = None) -> Array:
        """Cost ratios at which the cheapest threshold changes at a prevalence, shape (h + 1,), from 0 to inf."""
        return self.breaks * float(self.scale(prevalence))

    def index(self, cost_ratio: npt.ArrayLike, prevalence: npt.ArrayLike | None = None) -> npt.NDArray[np.intp]:
        """Index of the cheapest threshold at cost ratios above 0, of ties the strictest; shapes broadcast."""
        in_sample = np.asarray(cost_ratio) / self.scale(prevalence)
        # A threshold between two equal entries is the cheapest nowhere and is skipped.
        return np.clip(np.searchsorted(self.breaks, in_sample, side="left") - 1, 0, len(self.rows) - 1)

    def scale(self, prevalence: npt.ArrayLike | None) -> Array | float:
        """Factor from cost ratios of the sample to equivalent ones at a prevalence.

        Where positives are rarer there are fewer misses to avoid, so each must cost more.
        """
        if prevalence is None:
            return 1.0
        share = np.asarray(prevalence, dtype=np.float64)
        if not ((share > 0) & (share < 1)).all():
            raise ValueError("A prevalence must lie between 0 and 1, and both classes must occur.")
        return self.own_odds * (1 - share) / share


@dataclass(frozen=True)
class RatioRange:
    """Cost ratios for which a threshold is the cheapest."""

    # The range, both ends included; equal where the threshold only ties at one ratio; nan where it is the cheapest for
    # none.
    low: float
    high: float
    # Places among the cheapest thresholds: the next one that calls fewer rows positive and the next that calls more. At
    # every ratio one of the two is at least as cheap. −1 where there is none.
    stricter: int
    laxer: int
    # The stricter one is cheaper for every ratio below, the laxer one for every ratio above. nan where there is none.
    stricter_below: float
    laxer_above: float


def cheapest_thresholds(table: ThresholdTable) -> CheapestThresholds:
    """The thresholds that are the cheapest for some cost ratio and prevalence; a ValueError when a class is absent.

    Correct decisions cost nothing: only what errors cost beyond the right decision on the same class matters.
    """
    end = table.counts[-1]
    positives, negatives = float(end.actual_positives), float(end.actual_negatives)
    if not positives or not negatives:
        missing = "positive" if not positives else "negative"
        raise ValueError(f"There are no {missing} rows, so misses cannot be traded for false alarms.")
    rows = roc_hull(table)
    counts = table.counts[rows]
    breaks = np.concatenate([[0.0], ratio(np.diff(counts.fp), np.diff(counts.tp)), [np.inf]])
    return CheapestThresholds(rows, table.thresholds[rows], counts, breaks, positives / negatives)


def ratios_of(
    table: ThresholdTable, threshold: float, cheapest: CheapestThresholds, prevalence: float | None = None
) -> RatioRange:
    """The cost ratios for which a threshold is the cheapest, at a prevalence (by default that of the sample)."""
    row = table.index(threshold)
    breaks = cheapest.ratios(prevalence)
    index = int(cheapest.rows.searchsorted(row))
    if cheapest.rows[index] == row:
        stricter = index - 1
        laxer = index + 1 if index + 1 < len(cheapest.rows) else -1
        low, high = breaks[index : index + 2].tolist()
        return RatioRange(
            low, high, stricter, laxer, low if stricter >= 0 else math.nan, high if laxer > 0 else math.nan
        )
    scale = float(cheapest.scale(prevalence))
    here, before, after = table.counts[row], cheapest.counts[index - 1], cheapest.counts[index]
    below = scale * float(ratio(here.fp - before.fp, here.tp - before.tp))
    above = scale * float(ratio(after.fp - here.fp, after.tp - here.tp))
    # A row on a straight segment of the hull ties with both its ends, at the ratio of that segment.
    on_hull = (here.fp - before.fp) * (after.tp - here.tp) == (after.fp - here.fp) * (here.tp - before.tp)
    only = float(breaks[index]) if on_hull else math.nan
    return RatioRange(only, only, index - 1, index, only if on_hull else below, only if on_hull else above)


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

    def at(self, probability_cost: Array) -> Array:
        """The least cost at some probability costs, any shape."""
        return np.interp(probability_cost, self.probability_cost, self.cost)


def cost_curve(table: ThresholdTable) -> CostCurve:
    """The lower envelope of the cost lines of all thresholds; all nan when a class is absent.

    Each threshold is a line from its false positive rate (where only false alarms cost) to its miss rate; only the
    corners of the convex hull of the ROC curve ever lie lowest. C. Drummond, R. Holte (2006). Cost curves: an improved
    method for visualizing classifier performance. Machine Learning 65, 95–130. doi:10.1007/s10994-006-8199-5
    """
    counts = table.counts[roc_hull(table)]
    alarms, missed, thresholds = fall_out(counts), miss_rate(counts), table.thresholds[roc_hull(table)]
    # The next corner is cheaper from where the false alarms it adds cost as much as the misses it saves. Where it adds
    # or saves nothing, one of the two corners is never better and its piece has no width.
    corners = ratio(np.diff(alarms), np.diff(alarms) - np.diff(missed))
    at = np.concatenate([[0.0], corners, [1.0]]) if not np.isnan(corners).any() else np.array([0.0, np.nan, 1.0])
    wide = np.diff(at) > 0
    if not wide.any():
        return CostCurve(np.array([0.0, 1.0]), np.full(2, np.nan), np.full(1, np.nan))
    alarms, missed = alarms[wide], missed[wide]
    at = np.append(at[:-1][wide], 1.0)
    cost = np.append(alarms * (1 - at[:-1]) + missed * at[:-1], missed[-1])
    return CostCurve(at, cost, thresholds[wide])


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
    """Net benefit of the scores at each risk from which one would act, 0 <= p < 1, shape (m,).

    Scores are taken as risks, each its own threshold, unless one `threshold` of a yes/no test serves all risks.
    """
    risks = np.asarray(probabilities, dtype=np.float64)
    if not ((risks >= 0) & (risks < 1)).all():
        raise ValueError("A risk from which one would act must be at least 0 and below 1.")
    cuts = risks if threshold is None else np.full(risks.shape, threshold, dtype=np.float64)
    everyone = np.full(risks.shape, -np.inf if scored.higher_is_positive else np.inf)
    acted, everybody = scored.counts_at(cuts), scored.counts_at(everyone)
    if prevalence is not None:
        acted, everybody = at_prevalence(acted, prevalence), at_prevalence(everybody, prevalence)
    return DecisionCurve(risks, *(np.asarray(net_benefit(counts, probability=risks)) for counts in (acted, everybody)))
