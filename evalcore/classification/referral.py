"""Two thresholds: what lies between them is referred to a person, and only the rest is decided."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.rates import error_rate
from evalcore.classification.scores import ScoredLabels, ThresholdTable
from evalcore.numeric import Array, ratio

__all__ = ["Referral", "ZoneBins", "nested_bands", "refer", "zone_bins"]


@dataclass(frozen=True, eq=False)
class Referral:
    """Rows in three zones: called positive, referred, called negative.

    Attributes
    ----------
    low, high : Array
        A score >= high is called positive, a score < low negative; what lies between is referred.
    decided : ConfusionCounts
        Of the rows that are decided.
    positives, negatives : Array
        Rows of each class, or sums of weights, that are referred.
    """

    low: Array
    high: Array
    decided: ConfusionCounts
    positives: Array
    negatives: Array

    @property
    def referred(self) -> Array:
        """Rows that a person has to look at."""
        return self.positives + self.negatives

    @property
    def coverage(self) -> Array:
        """Share of the rows that are decided; undefined without rows."""
        return ratio(self.decided.total, self.decided.total + self.referred)

    @property
    def error(self) -> Array:
        """Share of the decided rows that are decided wrongly; undefined where none is."""
        return np.asarray(error_rate(self.decided))


def refer(table: ThresholdTable, low: npt.ArrayLike, high: npt.ArrayLike) -> Referral:
    """The three zones of two thresholds.

    Parameters
    ----------
    table : ThresholdTable
    low, high : array_like of float, one shape
        On the scale of the table, low <= high.

    Raises
    ------
    ValueError
        When a lower threshold is above its upper one.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> band = refer(table, 0.4, 0.9)
    >>> float(band.coverage), float(band.error), float(band.positives), float(band.negatives)
    (0.5, 0.0, 1.0, 1.0)
    """
    lows, highs = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    if not (lows <= highs).all():
        raise ValueError("The lower threshold must not be above the upper one.")
    return _between(table, _rows(table, lows), _rows(table, highs), lows, highs)


def nested_bands(table: ThresholdTable, centre: float) -> Referral:
    """Bands around one threshold, from none to all rows referred: the data of the risk–coverage curve.

    Each band reaches equally far down and up in score and takes in one more distinct score than the last, or two where
    they lie equally far away.

    Parameters
    ----------
    table : ThresholdTable
        A band ends at rows of it; of a `threshold_grid` it gives fewer bands, each of them exact.
    centre : float
        On the scale of the table.

    Returns
    -------
    Referral
        Of shape (m,); coverage falls from 1 to 0.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> bands = nested_bands(table, 0.5)
    >>> bands.coverage.tolist(), bands.error.tolist()
    ([1.0, 0.5, 0.0], [0.5, 0.0, nan])
    """
    start = table.index(centre)
    scores = table.thresholds[1:]
    # Row r + 1 of the table takes in score r; `start` scores lie at or above the centre.
    with np.errstate(over="ignore", invalid="ignore"):
        away = np.abs(scores - min(max(centre, scores[-1]), scores[0])) if len(scores) else scores
    order = np.argsort(away, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(away[order]) > 0, [True] * bool(len(order))))
    upper = np.cumsum(order < start)[ends]
    tops = np.concatenate([[start], start - upper])
    bottoms = np.concatenate([[start], start + (ends + 1 - upper)])
    return _between(table, bottoms, tops, table.thresholds[bottoms], table.thresholds[tops])


@dataclass(frozen=True, eq=False)
class ZoneBins:
    """Rows of each class in bins of one width; both thresholds lie on edges.

    Attributes
    ----------
    edges : Array, shape (b + 1,)
        Ascending, on the scale of the state; a bin holds the scores with lower edge <= score < upper edge.
    positives, negatives : Array, shape (b,)
        Rows, or sums of weights.
    zone : Array of int, shape (b,)
        0 called negative, 1 referred, 2 called positive.
    """

    edges: Array
    positives: Array
    negatives: Array
    zone: npt.NDArray[np.intp]


def zone_bins(scored: ScoredLabels, low: float, high: float, bins: int = 40) -> ZoneBins:
    """Count the scores of both classes in about `bins` bins, so that each bin lies in one zone.

    A band narrower than a bin is no bin of its own: then only its lower threshold is an edge, and the bin that starts
    there counts as referred.

    Parameters
    ----------
    scored : ScoredLabels
        With at least one row.
    low, high : float
        On the scale of the state, low <= high.
    bins : int
        Bins over the range of the scores, at least 1.

    Examples
    --------
    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1)
    >>> binned = zone_bins(scored, 0.3, 0.7, bins=2)
    >>> binned.edges.round(2).tolist(), binned.zone.tolist(), binned.positives.tolist()
    ([-0.1, 0.3, 0.7, 1.1], [0, 1, 2], [0.0, 1.0, 1.0])
    """
    scores = [
        side[place] for side in (scored.positive_scores, scored.negative_scores) if len(side) for place in (0, -1)
    ]
    least, most = float(min(scores)), float(max(scores))
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
        edges[np.abs(edges / 2 - end / 2) <= half / 2] = end  # steps of one width meet it up to rounding
    at = scored.counts_at(np.append(edges[:-1], np.inf))
    middles = edges[:-1] / 2 + edges[1:] / 2
    zone = np.where(edges[:-1] >= high, 2, np.where((middles > low) & (low < high), 1, np.where(middles >= high, 2, 0)))
    return ZoneBins(edges, at.tp[:-1] - at.tp[1:], at.fp[:-1] - at.fp[1:], zone)


def _between(table: ThresholdTable, bottoms: npt.ArrayLike, tops: npt.ArrayLike, low: Array, high: Array) -> Referral:
    below, above = table.counts[bottoms], table.counts[tops]
    decided = ConfusionCounts(above.tp, above.fp, below.fn, below.tn)
    return Referral(low, high, decided, below.tp - above.tp, below.fp - above.fp)


def _rows(table: ThresholdTable, thresholds: Array) -> npt.NDArray[np.intp]:
    """The row of each threshold, as `ThresholdTable.index` finds it for one."""
    last = len(table) - 1
    return np.maximum(last - table.thresholds[::-1].searchsorted(thresholds, side="left"), 0)
