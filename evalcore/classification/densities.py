"""How the scores of the two classes are spread: counts in bins that a threshold never cuts through."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.classification.scores import ScoredLabels
from evalcore.numeric import Array

_LARGEST = np.finfo(float).max


@dataclass(frozen=True, eq=False)
class ScoreBins:
    """Rows of each class in bins of one width; the threshold lies on an edge.

    Attributes
    ----------
    edges : Array, shape (b + 1,)
        Ascending; a bin holds the scores with lower edge <= score < upper edge.
    positives, negatives : Array, shape (b,)
        Rows, or sums of weights. Left of the threshold they are the misses and the correct dismissals, from it on the
        hits and the false alarms.
    predicted : array of bool, shape (b,)
        Whether the rows of the bin are called positive.
    """

    edges: Array
    positives: Array
    negatives: Array
    predicted: np.ndarray

    def turned(self) -> "ScoreBins":
        """The same bins on the scale of scores of which the state holds the negatives."""
        return ScoreBins(0.0 - self.edges[::-1], self.positives[::-1], self.negatives[::-1], self.predicted[::-1])


def score_bins(scored: ScoredLabels, threshold: float, bins: int = 40) -> ScoreBins:
    """Count the scores of both classes in about `bins` bins laid out from the threshold.

    Because the threshold is an edge, the areas on its two sides are exactly TP, FN, FP and TN. A threshold outside the
    range of the scores leaves the edges where the lowest score puts them.

    Parameters
    ----------
    scored : ScoredLabels
    threshold : float
        On the scale of the state.
    bins : int
        Bins over the range of the scores, at least 1.

    Examples
    --------
    >>> binned = score_bins(ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1), 0.5, bins=2)
    >>> binned.edges.round(2).tolist(), binned.positives.tolist(), binned.negatives.tolist()
    ([0.1, 0.5, 0.9, 1.3], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0])
    """
    scores = [s for side in (scored.positive_scores, scored.negative_scores) if len(side) for s in (side[0], side[-1])]
    if not scores:
        return ScoreBins(np.array([0.0, 1.0]), np.zeros(1), np.zeros(1), np.zeros(1, dtype=bool))
    low, high = float(min(scores)), float(max(scores))
    # In halves, because the difference of scores near the largest number would overflow.
    half = (high / 2 - low / 2) / bins
    if half < 2 * math.ulp(max(abs(low), abs(high))):
        half = max(abs(low), abs(high), 1.0) / 2 / bins
    anchor = float(threshold) if low < threshold <= high else low
    # At least one bin below the threshold, however close to the lowest score it stands.
    below = max(np.ceil((anchor / 2 - low / 2) / half - 1e-9), float(anchor > low))
    above = np.floor((high / 2 - anchor / 2) / half + 1e-9) + 1
    with np.errstate(over="ignore"):
        edges = np.nan_to_num(anchor + 2 * half * np.arange(-below, above + 1))
    # Rounding must not push the outermost scores out of the outermost bins.
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], math.nextafter(high, _LARGEST))
    at = scored.counts_at(np.append(edges[:-1], np.inf))
    return ScoreBins(edges, at.tp[:-1] - at.tp[1:], at.fp[:-1] - at.fp[1:], edges[:-1] >= threshold)
