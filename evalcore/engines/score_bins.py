"""Scores counted in bins, and the states made of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import digamma

from evalcore.classification import Goal, Limit, ScoredLabels, measure_goal, roc_auc
from evalcore.classification.several.probabilities import ascending
from evalcore.engines.frames import Grouped, Summary
from evalcore.engines.labels import unit_rows
from evalcore.numeric import Array, ratio
from evalcore.readers.base.problems import ReadProblem

__all__ = ["Bounds", "CalibrationBounds", "ChoiceBounds", "auc_bounds", "average_precision_bounds", "brier_bounds"]
__all__ += ["calibration_bounds", "choice_bounds"]


@dataclass(frozen=True, eq=False)
class ScoreBins(Grouped):
    """Rows and positives by the bin of their score; `ScoreCounts` says what the attributes hold."""

    summary: Summary
    bits: int
    left_out: dict[str, float]
    higher_is_positive: bool = True
    negative: str = ""

    @cached_property
    def is_exact(self) -> bool:
        """Whether each bin is one score, so that the counts are exact."""
        return bool((self.summary.sums["lowest"] == self.summary.sums["highest"]).all())

    @property
    def rows(self) -> float:
        """Rows that are counted, or the sum of their weights."""
        return float(self.summary.sums["count"].sum())

    @cached_property
    def bins(self) -> Summary:
        """Bins of all rows by rising score, over all groups and units."""
        return self.summary.by("key")

    @property
    def ends(self) -> tuple[Array, Array]:
        """The lowest and the highest score of each bin, by rising score."""
        return self.bins.sums["lowest"], self.bins.sums["highest"]

    @property
    def lax_and_strict(self) -> tuple[Array, Array]:
        """The lax end of each bin, its lowest score where higher scores are positive, and the strict one."""
        low, high = self.ends
        return (low, high) if self.higher_is_positive else (high, low)

    @property
    def classes(self) -> tuple[Array, Array]:
        """Positives and negatives of each bin, by rising score."""
        sums = self.bins.sums
        return sums["positives"], sums["count"] - sums["positives"]

    def scored(self) -> ScoredLabels:
        """The sorted scores, for every measure of scores; with units, intervals take whole units.

        A bin stands at its lax end: at each threshold of the table, counts are exact.
        """
        edges, summary = self.lax_and_strict[0], self.summary
        if "unit" not in summary.keys:
            return ScoredLabels.from_counts(edges, *self.classes, self.higher_is_positive)
        scores = summary.sums["lowest"]
        if not self.is_exact:  # the units of a bin must stand at one score
            scores = edges[self.bins.keys["key"].searchsorted(summary.keys["key"])]
        positives, count = summary.sums["positives"], summary.sums["count"]
        sides = np.tile(summary.keys["unit"], 2), np.concatenate([positives, count - positives])
        rows, units, weights = unit_rows(*sides, "rows" in summary.sums)
        values = rows < len(scores), np.tile(scores, 2)[rows]
        higher = self.higher_is_positive
        return ScoredLabels.from_arrays(*values, weights=weights, higher_is_positive=higher, clusters=units)

    def bin_around(self, threshold: float) -> tuple[float, float] | None:
        """Lowest and highest score of the bin that a threshold divides; None where the counts there are exact."""
        low, high = self.ends
        at = int(high.searchsorted(threshold, "left" if self.higher_is_positive else "right"))
        if at == len(low) or not low[at] < high[at]:
            return None
        divides = low[at] < threshold if self.higher_is_positive else low[at] <= threshold < high[at]
        return (float(low[at]), float(high[at])) if divides else None


@dataclass(frozen=True)
class Bounds:
    """Lowest and highest possible value, given the bins; certain, unlike an interval."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """Upper minus lower bound; 0 if the value is exact."""
        return self.high - self.low


def auc_bounds(counts: ScoreBins) -> Bounds:
    """Bounds of the area under the ROC curve, around that of ties: the pairs inside bins are all won or all lost.

    >>> from evalcore.engines import ScoreCounts
    >>> table = {"low": [0.1, 0.5], "high": [0.4, 0.9], "positives": [1, 3], "count": [4, 4]}
    >>> counts = ScoreCounts.of_table(table, lowest="low", highest="high")
    >>> auc_bounds(counts), roc_auc(counts.scored())
    (Bounds(low=0.5625, high=0.9375), 0.75)
    """
    positives, negatives = counts.classes
    unknown = np.less(*counts.ends)
    pairs = float(positives.sum() * negatives.sum())
    half = float((positives * negatives)[unknown].sum()) / 2 / pairs if pairs else 0.0
    area = roc_auc(counts.scored())
    return Bounds(area - half, area + half)


def average_precision_bounds(counts: ScoreBins) -> Bounds:
    """Bounds of average precision: inside of bins, negatives first, or all positives at one score before them.

    >>> from evalcore.engines import ScoreCounts
    >>> table = {"low": [0.1, 0.5], "high": [0.4, 0.9], "positives": [1, 3], "count": [4, 4]}
    >>> bounds = average_precision_bounds(ScoreCounts.of_table(table, lowest="low", highest="high"))
    >>> round(bounds.low, 3), round(bounds.high, 3)
    (0.604, 0.95)
    """
    positives, negatives = counts.classes
    is_tie = np.equal(*counts.ends)
    if counts.higher_is_positive:
        positives, negatives, is_tie = positives[::-1], negatives[::-1], is_tie[::-1]
    total = positives.sum()
    if not total:
        return Bounds(float("nan"), float("nan"))
    tp, fp = np.cumsum(positives), np.cumsum(negatives)
    with np.errstate(divide="ignore", invalid="ignore"):
        tied = positives * np.nan_to_num(tp / (tp + fp))
        first = positives * np.nan_to_num(tp / (tp + fp - negatives))
        # Σ (tp + i) / (tp + i + fp) over the positives i = 1 … of the bin, whose harmonic part digamma adds up.
        before = tp - positives + fp
        last = positives - fp * (digamma(before + positives + 1) - digamma(before + 1))
    low = np.where(is_tie, tied, last).sum() / total
    return Bounds(float(low), float(np.where(is_tie, tied, first).sum() / total))


def extreme_states(counts: ScoreBins) -> tuple[ScoredLabels, ScoredLabels]:
    """States with the worst and the best order of rows within bins, whose ROC curves lie around that of the rows.

    The table of the best has the corner of each bin, with its positives and without its negatives.
    """
    positives, negatives = counts.classes
    lax, strict = counts.lax_and_strict
    none = np.zeros(len(strict))

    def state(of_positives: Array, of_negatives: Array) -> ScoredLabels:
        scores = np.concatenate([of_positives, of_negatives])
        cells = np.concatenate([positives, none]), np.concatenate([none, negatives])
        return ScoredLabels.from_counts(scores, *cells, counts.higher_is_positive)

    return state(lax, strict), state(strict, lax)


@dataclass(frozen=True)
class ChoiceBounds:
    """Bounds of the value of the best threshold of a goal, and of its place."""

    value: Bounds
    thresholds: Bounds


def choice_bounds(counts: ScoreBins, goal: Goal) -> ChoiceBounds:
    """Bounds of the value and of the threshold that a goal chooses among the scores of the rows.

    One end of the value is reached at a threshold between bins, and none surpasses the other; the best one lies in a
    bin that could reach as much. Raises ValueError if more true or fewer false positives could make the goal or a limit
    worse, so that bins have no bounds, and NoThreshold if no threshold between bins meets the limits.

    >>> from evalcore.classification import youden_goal
    >>> from evalcore.engines import ScoreCounts
    >>> table = {"low": [0.1, 0.4, 0.7], "high": [0.3, 0.6, 0.9], "positives": [0, 2, 3], "count": [4, 3, 4]}
    >>> bounds = choice_bounds(ScoreCounts.of_table(table, lowest="low", highest="high"), youden_goal())
    >>> bounds.value, bounds.thresholds
    (Bounds(low=0.6666666666666666, high=0.8333333333333334), Bounds(low=0.4, high=0.6))
    """
    if not (goal.prefers_hits and all(map(_prefers_hits, goal.limits))):
        raise ValueError(f"{goal.name} has no certain bounds, as more true positives could make it worse.")
    reached = goal.choose(counts.scored().table()).value
    table = extreme_states(counts)[1].table()
    values = np.asarray(goal.measure(table.counts), dtype=np.float64)
    signed, least = (values, reached) if goal.highest else (-values, -reached)
    allowed = goal.allowed(table.counts) if goal.limits else np.ones(len(values), dtype=bool)
    possible = allowed & (signed >= least - 1e-12 * abs(least)) & np.isfinite(table.thresholds)
    best = float(values[possible][np.argmax(signed[possible])]) if possible.any() else reached
    ends = table.thresholds[possible] if possible.any() else np.array([np.nan])
    low, high = counts.ends
    # A threshold at the strict end of a bin stands for all inside of it.
    inside = np.minimum(high.searchsorted(ends, "left"), len(high) - 1)
    at_strict = ends == counts.lax_and_strict[1][inside]
    lows, highs = np.where(at_strict, low[inside], ends), np.where(at_strict, high[inside], ends)
    return ChoiceBounds(Bounds(*sorted((float(reached), best))), Bounds(float(lows.min()), float(highs.max())))


def _prefers_hits(limit: Limit) -> bool:
    """Whether more true positives and fewer false positives never violate a limit."""
    if (limit.at_least is None) == (limit.at_most is None):
        return False
    try:
        return measure_goal(limit.measure, highest=limit.at_least is not None).prefers_hits
    except ValueError:
        return False


def brier_bounds(counts: ScoreBins) -> Bounds:
    """Bounds of the mean squared distance of probability and outcome; raises ReadProblem for a score outside of 0 … 1.

    >>> from evalcore.engines import ScoreCounts
    >>> table = {"low": [0.0, 0.5], "high": [0.0, 0.75], "positives": [0, 1], "count": [1, 1]}
    >>> brier_bounds(ScoreCounts.of_table(table, lowest="low", highest="high"))
    Bounds(low=0.03125, high=0.125)
    """
    refuse_no_probabilities(counts)
    (low, high), (positives, negatives) = counts.ends, counts.classes
    n = counts.bins.sums["count"].sum()
    best = positives @ np.square(1 - high) + negatives @ np.square(low)
    worst = positives @ np.square(1 - low) + negatives @ np.square(high)
    return Bounds(float(best / n), float(worst / n))


def refuse_no_probabilities(counts: ScoreBins) -> None:
    """Raise ReadProblem where a score lies outside of 0 … 1."""
    low, high = counts.ends
    if len(low) and (low[0] < 0 or high[-1] > 1):
        sentence = f"Scores from {low[0]:.6g} to {high[-1]:.6g} are not probabilities, which lie between 0 and 1. "
        raise ReadProblem(f"{sentence}Choose another column.")


class CalibrationBounds(NamedTuple):
    """Bounds of the expected and of the maximum calibration error."""

    error: Bounds
    largest_gap: Bounds


def calibration_bounds(counts: ScoreBins, edges: npt.ArrayLike | None = None) -> CalibrationBounds:
    """Bounds of the calibration error from scores in bins, by default in ten reliability bins of equal width.

    Inside of two edges only the sum of a bin's probabilities is open; one that an edge divides may have any of its rows
    on either side. Raises ReadProblem for a score outside of 0 … 1, ValueError if the edges, shape (b + 1,), do not
    ascend from 0 to 1, or lower scores are positive.

    >>> from evalcore.engines import ScoreCounts
    >>> table = {"low": [0.1, 0.6], "high": [0.3, 0.8], "positives": [1, 3], "count": [4, 4]}
    >>> bounds = calibration_bounds(ScoreCounts.of_table(table, lowest="low", highest="high"), [0, 0.5, 1])
    >>> [[round(end, 3) for end in (one.low, one.high)] for one in bounds]
    [[0.0, 0.15], [0.0, 0.15]]
    """
    refuse_no_probabilities(counts)
    if not counts.higher_is_positive:
        raise ValueError("Lower scores are positive here, so they are not probabilities of the positive class.")
    edges = np.linspace(0, 1, 11) if edges is None else ascending(edges)
    (low, high), (positives, negatives) = counts.ends, counts.classes
    n, b = counts.bins.sums["count"], len(edges) - 1
    # A bin of probabilities holds its upper edge, the first one its lower edge too.
    first, last = (np.maximum(edges.searchsorted(ends, "left") - 1, 0) for ends in (low, high))
    inside = first == last

    def added(values: Array) -> Array:
        return np.bincount(first[inside], values[inside], b).astype(np.float64)

    sure, sure_positives = added(n), added(positives)
    lowest_sum, highest_sum = added(n * low), added(n * high)
    # Of the divided bins, what may come into each bin from below its upper and from above its lower edge.
    open_positives, open_negatives = np.zeros(b), np.zeros(b)
    beneath, above = np.zeros((2, b)), np.zeros((2, b))  # rows, and the sum of the most extreme of their probabilities
    gap_low, gap_high = lowest_sum - sure_positives, highest_sum - sure_positives
    for j in np.flatnonzero(~inside).tolist():
        for at in range(first[j], last[j] + 1):
            ends = max(low[j], edges[at]), min(high[j], edges[at + 1])
            open_positives[at] += positives[j]
            open_negatives[at] += negatives[j]
            gap_low[at] -= positives[j] * (1 - ends[0])
            gap_high[at] += negatives[j] * ends[1]
            # It lies above all that is surely inside, or beneath; both where it spans the whole bin.
            if at < last[j]:
                above[:, at] += n[j], n[j] * ends[1]
            if at > first[j]:
                beneath[:, at] += n[j], n[j] * ends[0]
    some, total = sure + open_positives + open_negatives > 0, n.sum()
    ends = [ratio(lowest_sum + beneath[1], sure + beneath[0]), ratio(highest_sum + above[1], sure + above[0])]
    # Where nothing is sure and the rows of one side alone make no mean, the edges are the bounds.
    means = (np.where(np.isnan(one), edge, one) for one, edge in zip(ends, (edges[:-1], edges[1:]), strict=True))
    highest = np.nan_to_num(ratio(sure_positives + open_positives, sure + open_positives))
    shares = highest, np.nan_to_num(ratio(sure_positives, sure + open_negatives))
    gaps = [np.where(some, mean - share, 0.0) for mean, share in zip(means, shares, strict=True)]
    largest = np.where(sure > 0, _nearest(*gaps), 0.0), _farthest(*gaps)
    errors = _nearest(gap_low, gap_high), _farthest(gap_low, gap_high)
    error = Bounds(*(float(ratio(one.sum(), total)) for one in errors))
    return CalibrationBounds(error, Bounds(*(float(one.max(initial=0.0)) for one in largest)))


def _nearest(low: Array, high: Array) -> Array:
    """The smallest distance from 0 of numbers between two ends."""
    return np.where((low <= 0) & (high >= 0), 0.0, np.minimum(np.abs(low), np.abs(high)))


def _farthest(low: Array, high: Array) -> Array:
    return np.maximum(np.abs(low), np.abs(high))
