"""Between which limits a measure certainly lies when some scores are known by their bin alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import digamma

from evalcore.classification import ScoredLabels, ThresholdTable, roc_auc
from evalcore.engines.scores import ScoreCounts
from evalcore.numeric import Array
from evalcore.readers.problems import ReadProblem

__all__ = ["Bounds", "auc_bounds", "average_precision_bounds", "brier_bounds", "goal_bounds", "mean_score_bounds"]
__all__ += ["extreme_states"]


@dataclass(frozen=True)
class Bounds:
    """The lowest and the highest value that the rows can have; certain, unlike an interval."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """0 where the value is exact."""
        return self.high - self.low


def auc_bounds(counts: ScoreCounts) -> Bounds:
    """Bounds of the area under the ROC curve: half the pairs inside of bins may count as won or as lost.

    The area of `counts.scored()`, where a bin is a tie, lies in the middle.

    >>> table = {"low": [0.1, 0.5], "high": [0.4, 0.9], "positives": [1, 3], "count": [4, 4]}
    >>> counts = ScoreCounts.of_table(table, lowest="low", highest="high")
    >>> auc_bounds(counts), roc_auc(counts.scored())
    (Bounds(low=0.5625, high=0.9375), 0.75)
    """
    bins = counts.bins
    positives, negatives = _classes(counts)
    unknown = bins.lowest["lowest"] < bins.highest["highest"]
    pairs = float(positives.sum() * negatives.sum())
    half = float((positives * negatives)[unknown].sum()) / 2 / pairs if pairs else 0.0
    area = roc_auc(counts.scored())
    return Bounds(area - half, area + half)


def average_precision_bounds(counts: ScoreCounts) -> Bounds:
    """Bounds of average precision: inside of bins, negatives first, or all positives at one score before them.

    >>> table = {"low": [0.1, 0.5], "high": [0.4, 0.9], "positives": [1, 3], "count": [4, 4]}
    >>> bounds = average_precision_bounds(ScoreCounts.of_table(table, lowest="low", highest="high"))
    >>> round(bounds.low, 3), round(bounds.high, 3)
    (0.604, 0.95)
    """
    bins = counts.bins
    positives, negatives = _classes(counts)
    is_tie = bins.lowest["lowest"] == bins.highest["highest"]
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


def extreme_states(counts: ScoreCounts) -> tuple[ScoredLabels, ScoredLabels]:
    """The worst and the best order that the rows can have, each bin with its classes at its two ends.

    The ROC curve of the rows lies between those of the two. The table of the best one holds the corner of each bin,
    with its positives and without its negatives, which no threshold inside of it can surpass.
    """
    bins = counts.bins
    positives, negatives = _classes(counts)
    strict, lax = bins.highest["highest"], bins.lowest["lowest"]
    if not counts.higher_is_positive:
        strict, lax = lax, strict
    none = np.zeros(len(strict))

    def state(of_positives: Array, of_negatives: Array) -> ScoredLabels:
        scores = np.concatenate([of_positives, of_negatives])
        cells = np.concatenate([positives, none]), np.concatenate([none, negatives])
        return ScoredLabels.from_counts(scores, *cells, counts.higher_is_positive)

    return state(lax, strict), state(strict, lax)


def goal_bounds(counts: ScoreCounts, value: Callable[[ThresholdTable], float]) -> Bounds:
    """Bounds of the best value that some threshold reaches, such as the highest F1 or precision at a recall.

    The lower one is reached at a threshold between bins, whose counts are exact; no threshold surpasses the upper one.

    Parameters
    ----------
    counts : ScoreCounts
    value : callable
        The best value of a table of thresholds; more true and fewer false positives must not make it smaller.

    Examples
    --------
    >>> from evalcore.classification import recall
    >>> table = {"low": [0.1, 0.5], "high": [0.4, 0.9], "positives": [1, 3], "count": [4, 4]}
    >>> counts = ScoreCounts.of_table(table, lowest="low", highest="high")
    >>> goal_bounds(counts, lambda table: float((recall(table.counts) - table.counts.fp / 4).max()))
    Bounds(low=0.5, high=0.75)
    """
    return Bounds(value(counts.scored().table()), value(extreme_states(counts)[1].table()))


def mean_score_bounds(counts: ScoreCounts) -> Bounds:
    """Bounds of the mean score, which of probabilities is the share of positives that they predict."""
    bins = counts.bins
    weights = bins.sums["count"] / bins.sums["count"].sum()
    return Bounds(float(weights @ bins.lowest["lowest"]), float(weights @ bins.highest["highest"]))


def brier_bounds(counts: ScoreCounts) -> Bounds:
    """Bounds of the mean squared distance of probability and outcome.

    Raises
    ------
    ReadProblem
        If a score lies outside of 0 … 1.

    Examples
    --------
    >>> table = {"low": [0.0, 0.5], "high": [0.0, 0.75], "positives": [0, 1], "count": [1, 1]}
    >>> brier_bounds(ScoreCounts.of_table(table, lowest="low", highest="high"))
    Bounds(low=0.03125, high=0.125)
    """
    bins = counts.bins
    low, high = bins.lowest["lowest"], bins.highest["highest"]
    if len(low) and (low[0] < 0 or high[-1] > 1):
        raise ReadProblem(
            f"Scores from {low[0]:.6g} to {high[-1]:.6g} are no probabilities, which lie between 0 and 1. "
            "Choose another column."
        )
    positives, negatives = _classes(counts)
    n = bins.sums["count"].sum()
    best = positives @ np.square(1 - high) + negatives @ np.square(low)
    worst = positives @ np.square(1 - low) + negatives @ np.square(high)
    return Bounds(float(best / n), float(worst / n))


def _classes(counts: ScoreCounts) -> tuple[Array, Array]:
    """Positives and negatives of each bin, by rising score."""
    sums = counts.bins.sums
    return sums["positives"], sums["count"] - sums["positives"]
