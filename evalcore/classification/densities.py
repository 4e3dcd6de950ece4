"""The distribution of the scores of both classes: counts in bins, bars and dots for plots."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.classification.axis import BEYOND, ScoreAxis
from evalcore.classification.scores import ScoredLabels
from evalcore.numeric import Array

__all__ = ["ScoreBars", "ScoreBins", "score_bars", "score_dots"]


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """Rows of each class in bins.

    Attributes
    ----------
    edges : Array, shape (b + 1,)
        Ascending; a bin holds the scores with lower edge <= score < upper edge, the last one its upper edge too. Where
        lower scores are positive, lower edge < score <= upper edge, the first one its lower edge too.
    positives, negatives : Array, shape (b,)
        Rows, or sums of weights.
    """

    edges: Array
    positives: Array
    negatives: Array


@dataclass(frozen=True, eq=False)
class ScoreBars:
    """Bars on an axis of scores, from left to right.

    Attributes
    ----------
    left, right : Array, shape (b,)
        Places on the axis, 0 … 1.
    low, high : Array, shape (b,)
        Range of scores of a bar, both ends included; equal for a single score.
    positives, negatives : Array, shape (b,)
        Rows, or sums of weights.
    """

    left: Array
    right: Array
    low: Array
    high: Array
    positives: Array
    negatives: Array


def score_bins(scored: ScoredLabels, edges: Array) -> ScoreBins:
    """Count the scores of both classes between ascending edges; scores outside are not counted.

    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1)
    >>> bins = score_bins(scored, np.array([0.1, 0.5, 0.9]))
    >>> bins.positives.tolist(), bins.negatives.tolist()
    ([1.0, 1.0], [1.0, 1.0])
    """
    edges = np.asarray(edges, dtype=np.float64)
    if scored.higher_is_positive:
        at = scored.counts_at(np.append(edges[:-1], math.nextafter(edges[-1], math.inf)))
    else:
        at = scored.counts_at(np.append(math.nextafter(edges[0], -math.inf), edges[1:]))
    return ScoreBins(edges, np.abs(np.diff(at.tp)), np.abs(np.diff(at.fp)))


def score_bars(scored: ScoredLabels, axis: ScoreAxis, bins: int = 40) -> ScoreBars:
    """The histogram of both classes on an axis; it does not depend on the threshold.

    With no more distinct scores than bins, each score has its own bar, which starts at the score and extends to the
    positive side, so that a threshold at a score never splits its rows.

    >>> from evalcore.classification.axis import score_axis
    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1)
    >>> bars = score_bars(scored, score_axis(scored), bins=2)
    >>> bars.low.tolist(), bars.positives.tolist(), bars.negatives.tolist()
    ([0.0, 0.5], [1.0, 1.0], [1.0, 1.0])
    """
    thresholds = scored.thresholds()
    if len(thresholds) - 1 <= bins:
        return _bars_of_scores(scored, axis, thresholds, bins)
    shares = np.linspace(0, 1, bins + 1)
    edges = _snapped(axis.scores_at(shares), thresholds[:0:-1] if axis.higher else thresholds[1:])
    counted = score_bins(scored, edges)
    places = (0.0 if axis.higher else BEYOND) + shares * (1 - BEYOND)
    return ScoreBars(places[:-1], places[1:], edges[:-1], edges[1:], counted.positives, counted.negatives)


def score_dots(scored: ScoredLabels, axis: ScoreAxis, width: float) -> list[tuple[bool, float, float, int, float]]:
    """A dot for each row that the axis shows, stacked where they would touch.

    Parameters
    ----------
    width : float
        Of a dot, as a share of the axis.

    Returns
    -------
    list of (is positive, score, place, level, weight)
        Level 0 is on the base line.
    """
    dots = []
    for is_positive in (True, False):
        scores, weights = scored.rows_of(is_positive)
        shown = (scores >= axis.low) & (scores <= axis.high)
        places = axis.places(scores)
        ends: list[float] = []  # place of the last dot of each level
        for k in sorted(np.flatnonzero(shown).tolist(), key=lambda k: places[k]):
            place = float(places[k])
            level = next((n for n, end in enumerate(ends) if place - end >= width), len(ends))
            ends[level : level + 1] = [place]
            dots.append((is_positive, float(scores[k]), place, level, float(weights[k])))
    return dots


def _bars_of_scores(scored: ScoredLabels, axis: ScoreAxis, thresholds: Array, bins: int) -> ScoreBars:
    """One bar per distinct score."""
    at = scored.counts_at(thresholds)
    order = np.argsort(thresholds[1:], kind="stable")
    scores, positives, negatives = thresholds[1:][order], np.diff(at.tp)[order], np.diff(at.fp)[order]
    shown = (scores >= axis.low) & (scores <= axis.high)
    scores, positives, negatives = scores[shown], positives[shown], negatives[shown]
    places = axis.places(scores)
    gaps = np.diff(places)
    widest = min((1 - BEYOND) / bins, 0.9 * BEYOND)
    width = max(min(widest, float(gaps[gaps > 0].min()) if (gaps > 0).any() else widest), 0.004)
    left, right = (places, places + width) if axis.higher else (places - width, places)
    return ScoreBars(left, right, scores, scores, positives, negatives)


def _snapped(edges: Array, ascending: Array) -> Array:
    """Edges moved onto the score that they miss by rounding, so that 0.3 lies in the bin that starts at 0.3."""
    k = ascending.searchsorted(edges).clip(1, len(ascending) - 1)
    near = np.where(edges - ascending[k - 1] < ascending[k] - edges, ascending[k - 1], ascending[k])
    slack = 1e-9 * np.abs(np.diff(edges / 2)).max()
    return np.where(np.abs(near / 2 - edges / 2) <= slack, near, edges)
