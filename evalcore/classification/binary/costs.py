"""Cost ratios: the range in which each threshold is the cheapest, when the exact costs are unknown.

A cost ratio is the cost of a miss in false alarms. As it rises, more misses are worth avoiding, so the cheapest
threshold moves along the corners of the ROC hull, from calling nothing positive to calling everything positive.
With two thresholds, rows between them are referred to a person, at a cost of their own.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.axis import ScoreBins, score_bins
from evalcore.classification.binary.counts import ConfusionCounts, at_prevalence, error_rate, fall_out, miss_rate
from evalcore.classification.binary.curves import roc_hull
from evalcore.classification.binary.indices import net_benefit
from evalcore.classification.binary.scores import ScoredLabels, ThresholdTable
from evalcore.numeric import Array, Flags, Indices, ratio

__all__ = ["CheapestThresholds", "CostCurve", "DecisionCurve", "NoBand", "RatioRange", "Referral", "ZoneBins"]
__all__ += ["band_of_error", "band_of_values", "cheapest_thresholds", "cost_curve", "decision_curve", "nested_bands"]
__all__ += ["ratios_of", "refer", "zone_bins"]


@dataclass(frozen=True, eq=False)
class CheapestThresholds:
    """The thresholds that are the cheapest for some cost ratio, with those ratios."""

    rows: Indices  # shape (h,): rows of the threshold table, ascending
    thresholds: Array  # shape (h,): from the strictest, which is infinite, to the laxest
    counts: ConfusionCounts  # shape (h,)
    # Shape (h + 1,): cost ratios, ascending from 0 to inf. In the sample, threshold i is the cheapest between entries i
    # and i + 1; at an entry its two neighbours tie.
    breaks: Array
    own_odds: float  # odds of being positive in the sample

    def ratios(self, prevalence: float | None = None) -> Array:
        """Cost ratios at which the cheapest threshold changes at a prevalence, shape (h + 1,), from 0 to inf."""
        return self.breaks * float(self.scale(prevalence))

    def index(self, cost_ratio: npt.ArrayLike, prevalence: npt.ArrayLike | None = None) -> Indices:
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
        beyond = low if stricter >= 0 else math.nan, high if laxer > 0 else math.nan
        return RatioRange(low, high, stricter, laxer, *beyond)
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
    return CostCurve(at, np.append(alarms * (1 - at[:-1]) + missed * at[:-1], missed[-1]), thresholds[wide])


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


Places = npt.NDArray[np.integer] | int


@dataclass(frozen=True, eq=False)
class Referral:
    """Rows in three zones: called positive, referred, called negative."""

    # A score >= high is called positive, a score < low negative; what lies between is referred. Where lower scores are
    # positive, a score <= low is called positive, a score > high negative.
    low: Array
    high: Array
    decided: ConfusionCounts  # outcomes of the decided rows
    # Referred rows of each class, or sums of weights.
    positives: Array
    negatives: Array

    @property
    def referred(self) -> Array:
        """Rows referred to a person, of either class."""
        return self.positives + self.negatives

    @property
    def coverage(self) -> Array:
        """Share of the rows decided; undefined without rows."""
        return ratio(self.decided.total, self.decided.total + self.referred)

    @property
    def error(self) -> Array:
        """Share of the decided rows with a wrong decision; undefined when none is decided."""
        return np.asarray(error_rate(self.decided))


def refer(table: ThresholdTable, low: npt.ArrayLike, high: npt.ArrayLike) -> Referral:
    """The three zones of two thresholds, low <= high, or of many: arrays of one shape."""
    lows, highs = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    if not (lows <= highs).all():
        raise ValueError("The lower threshold must not be above the upper one.")
    laxest, strictest = (lows, highs) if table.higher_is_positive else (highs, lows)
    return band_of_rows(table, table.rows(laxest), table.rows(strictest), (laxest, strictest))


def nested_bands(table: ThresholdTable, centre: float) -> Referral:
    """Bands around one threshold, shape (m,), from none to all rows referred: the data of the risk–coverage curve.

    Each band extends equally far below and above the centre and adds one distinct score to the last, or two that are
    equally far away. Bands end at rows of the table: a `threshold_grid` gives fewer bands, each of them exact.
    """
    start = table.index(centre)
    scores = table.thresholds[1:]
    # Row r + 1 of the table adds score r; `start` scores are called positive at the centre.
    with np.errstate(over="ignore", invalid="ignore"):
        away = np.abs(scores - np.clip(centre, *np.sort(scores[[0, -1]]))) if len(scores) else scores
    order = np.argsort(away, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(away[order]) > 0, [True] * bool(len(order))))
    upper = np.cumsum(order < start)[ends]
    tops = np.concatenate([[start], start - upper])
    return band_of_rows(table, np.concatenate([[start], start + (ends + 1 - upper)]), tops)


def band_of_rows(
    table: ThresholdTable, laxest: Places, strictest: Places, ends: tuple[Array, Array] | None = None
) -> Referral:
    """The band between two rows of a table with their thresholds or others, or bands between as many pairs of rows."""
    ends = ends or (table.thresholds[laxest], table.thresholds[strictest])
    below, above = table.counts[laxest], table.counts[strictest]
    decided = ConfusionCounts(above.tp, above.fp, below.fn, below.tn)
    low, high = ends if table.higher_is_positive else ends[::-1]
    return Referral(low, high, decided, below.tp - above.tp, below.fp - above.fp)


@dataclass(frozen=True, eq=False)
class ZoneBins(ScoreBins):
    """Bins of equal width with both thresholds on edges."""

    zone: Indices  # shape (b,): 0 called negative, 1 referred, 2 called positive


def zone_bins(scored: ScoredLabels, low: float, high: float, bins: int = 40) -> ZoneBins:
    """Count the scores of both classes in about `bins` bins over the range of the scores, each in one zone.

    Of a band narrower than a bin only the laxer threshold is an edge, and the bin beside it counts as referred.
    """
    # Worked out where higher scores are positive, and mirrored where lower ones are.
    side = 1 if scored.higher_is_positive else -1
    (least, most), (low, high) = (sorted((side * a, side * b)) for a, b in (scored.ends, (low, high)))
    # In halves, because the difference of scores near the largest number would overflow.
    half = (most / 2 - least / 2) / bins or max(abs(most), 1.0) / 4 / bins
    start, end = (min(max(edge, least), most) for edge in (low, high))
    if (parts := round((end / 2 - start / 2) / half)) >= 1:
        half = (end / 2 - start / 2) / parts
    below = math.ceil((start / 2 - least / 2) / half - 1e-9)
    above = math.floor((most / 2 - start / 2) / half + 1e-9) + 1
    with np.errstate(over="ignore"):
        edges = np.unique(np.nan_to_num(start + 2 * half * np.arange(-below, above + 1)))
    edges[0], edges[-1] = min(edges[0], least), max(edges[-1], np.nextafter(most, np.inf))
    if parts >= 1:
        edges[np.abs(edges / 2 - end / 2) <= half / 2] = end  # equal steps reach it up to rounding
    middles = edges[:-1] / 2 + edges[1:] / 2
    zone = np.where(edges[:-1] >= high, 2, np.where((middles > low) & (low < high), 1, np.where(middles >= high, 2, 0)))
    counted = score_bins(scored, np.sort(side * edges))
    return ZoneBins(counted.edges, counted.positives, counted.negatives, zone[::side])


_SLACK = 1e-12  # share of all rows by which a requirement may be missed: 0.29 of 100 rows are 29, not 28.999…


class NoBand(ValueError):
    """No band meets the requirement.

    `nearest` names what cannot be reached ("error", "PPV", "NPV"; "order": not both together), with the nearest value
    that any band reaches, nan where it is undefined everywhere.
    """

    def __init__(self, message: str, nearest: tuple[tuple[str, float], ...]) -> None:
        super().__init__(message)
        self.nearest = nearest


def band_of_error(table: ThresholdTable, most: float) -> Referral:
    """The band that refers the fewest rows with at most this share of the decided rows wrong; else NoBand.

    Every pair of distinct scores is considered, not only bands around a centre. Where a single threshold suffices, it
    is the one with the fewest errors, and no row is referred.
    """
    if not 0 <= most <= 1:
        raise ValueError(f"The share of wrong decisions is {most:g}; it must lie between 0 and 1.")
    counts, n = table.counts, float(table.counts[-1].total)
    slack = _SLACK * n
    errors = counts.fn + counts.fp
    if n and float(errors.min()) <= most * n + slack:
        alone = int(errors.argmin())
        return band_of_rows(table, alone, alone)
    # A band meets the requirement when the excess errors of its two sides add up to at most 0.
    upper = counts.fp - most * counts.predicted_positives
    lower = counts.fn - most * counts.predicted_negatives
    # For each lower end the laxest upper end that compensates it. The least excess from a row on only grows, so the
    # last row where it suffices is such an end itself; and it lies above the lower end: if the two crossed, a
    # threshold between them would suffice alone, and there is none.
    least = np.minimum.accumulate(upper[::-1])[::-1]
    tops = least.searchsorted(slack - lower, side="right") - 1
    bottoms = np.flatnonzero(tops >= 0)
    tops = np.minimum(tops[bottoms], bottoms)
    decided = counts.predicted_positives[tops] + counts.predicted_negatives[bottoms]
    best = _most_decided(decided, upper[tops] + lower[bottoms] <= slack)
    if best is None:
        called = np.append(counts.predicted_positives, counts.predicted_negatives)
        nearest = _least(ratio(np.append(counts.fp, counts.fn), called))
        raise NoBand("No band decides any row with so few errors.", (("error", nearest),))
    return band_of_rows(table, bottoms[best], tops[best])


def band_of_values(table: ThresholdTable, npv: float, ppv: float) -> Referral:
    """The band that refers the fewest rows with at least these predictive values, 0 … 1, on its two sides.

    Raises NoBand when one or both together cannot be reached; a side that decides no row reaches nothing.
    """
    counts, slack = table.counts, _SLACK * float(table.counts[-1].total)
    trusted, missing = [], []
    for name, right, called, least in (
        ("NPV", counts.tn, counts.predicted_negatives, npv),
        ("PPV", counts.tp, counts.predicted_positives, ppv),
    ):
        if not 0 <= least <= 1:
            raise ValueError(f"The {name} is {least:g}; it must lie between 0 and 1.")
        trusted.append(np.flatnonzero((called > 0) & (right >= least * called - slack)))
        if not len(trusted[-1]):
            missing.append((name, -_least(-ratio(right, called))))
    if missing:
        raise NoBand("No threshold can be trusted so far.", tuple(missing))
    bottoms, above = trusted
    indices = above.searchsorted(bottoms, side="right") - 1
    bottoms, tops = bottoms[indices >= 0], above[indices[indices >= 0]]
    best = _most_decided(counts.predicted_positives[tops] + counts.predicted_negatives[bottoms], tops >= 0)
    if best is None:
        raise NoBand("Each side can be trusted alone, but the two overlap.", (("order", math.nan),))
    return band_of_rows(table, bottoms[best], tops[best])


def _most_decided(decided: Array, meets: Flags) -> int | None:
    decided = np.where(meets, decided, 0.0)
    return int(decided.argmax()) if len(decided) and decided.max() > 0 else None


def _least(values: Array) -> float:
    return float(np.fmin.reduce(values, initial=np.nan))
