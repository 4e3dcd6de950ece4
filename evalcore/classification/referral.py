"""Two thresholds: rows between them are referred to a person, the others are decided by score."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.axis import ScoreBins, score_bins
from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.rates import error_rate
from evalcore.classification.scores import ScoredLabels
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, ratio

Places = npt.NDArray[np.integer] | int

__all__ = ["Referral", "ZoneBins", "nested_bands", "refer", "zone_bins"]


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
    """The three zones of two thresholds.

    Parameters
    ----------
    low, high : array_like of float, one shape
        low <= high.

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
    laxest, strictest = (lows, highs) if table.higher_is_positive else (highs, lows)
    return _between(table, table.rows(laxest), table.rows(strictest), lows, highs)


def nested_bands(table: ThresholdTable, centre: float) -> Referral:
    """Bands around one threshold, from none to all rows referred: the data of the risk–coverage curve.

    Each band extends equally far below and above the centre and adds one distinct score to the last, or two that are
    equally far away.

    Parameters
    ----------
    table : ThresholdTable
        Bands end at its rows; a `threshold_grid` gives fewer bands, each of them exact.

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
    # Row r + 1 of the table adds score r; `start` scores are called positive at the centre.
    with np.errstate(over="ignore", invalid="ignore"):
        away = np.abs(scores - np.clip(centre, *np.sort(scores[[0, -1]]))) if len(scores) else scores
    order = np.argsort(away, kind="stable")
    ends = np.flatnonzero(np.append(np.diff(away[order]) > 0, [True] * bool(len(order))))
    upper = np.cumsum(order < start)[ends]
    tops = np.concatenate([[start], start - upper])
    bottoms = np.concatenate([[start], start + (ends + 1 - upper)])
    return band_of_rows(table, bottoms, tops)


def band_of_rows(table: ThresholdTable, laxest: Places, strictest: Places) -> Referral:
    """The band between the thresholds of two rows of a table, or bands between as many pairs of rows."""
    ends = table.thresholds[laxest], table.thresholds[strictest]
    low, high = ends if table.higher_is_positive else ends[::-1]
    return _between(table, laxest, strictest, low, high)


@dataclass(frozen=True, eq=False)
class ZoneBins(ScoreBins):
    """Bins of equal width with both thresholds on edges."""

    zone: npt.NDArray[np.intp]  # shape (b,): 0 called negative, 1 referred, 2 called positive


def zone_bins(scored: ScoredLabels, low: float, high: float, bins: int = 40) -> ZoneBins:
    """Count the scores of both classes in about `bins` bins, each in one zone.

    Of a band narrower than a bin only the laxer threshold is an edge, and the bin beside it counts as referred.

    Parameters
    ----------
    scored : ScoredLabels
        With at least one row.
    low, high : float
        low <= high.
    bins : int
        Bins over the range of the scores, at least 1.

    Examples
    --------
    >>> scored = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1)
    >>> binned = zone_bins(scored, 0.3, 0.7, bins=2)
    >>> binned.edges.round(2).tolist(), binned.zone.tolist(), binned.positives.tolist()
    ([-0.1, 0.3, 0.7, 1.1], [0, 1, 2], [0.0, 1.0, 1.0])
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


def _between(table: ThresholdTable, bottoms: Places, tops: Places, low: Array, high: Array) -> Referral:
    below, above = table.counts[bottoms], table.counts[tops]
    decided = ConfusionCounts(above.tp, above.fp, below.fn, below.tn)
    return Referral(low, high, decided, below.tp - above.tp, below.fp - above.fp)
