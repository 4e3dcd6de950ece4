"""Two thresholds: rows between them are referred to a person, the others are decided by score."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.binary.axis import ScoreBins, score_bins
from evalcore.classification.binary.counts import ConfusionCounts, error_rate, false_discovery_rate, false_omission_rate
from evalcore.classification.binary.scores import ScoredLabels, ThresholdTable
from evalcore.numeric import Array, ratio

__all__ = ["NoBand", "Referral", "ZoneBins", "band_of_error", "band_of_values", "nested_bands", "refer", "zone_bins"]


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
    return _between(table, table.rows(laxest), table.rows(strictest), lows, highs)


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


def _between(table: ThresholdTable, bottoms: Places, tops: Places, low: Array, high: Array) -> Referral:
    below, above = table.counts[bottoms], table.counts[tops]
    decided = ConfusionCounts(above.tp, above.fp, below.fn, below.tn)
    return Referral(low, high, decided, below.tp - above.tp, below.fp - above.fp)


_SLACK = 1e-12
"""Share of all rows by which a requirement may be missed: 0.29 of 100 rows are 29, not 28.999…"""


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
        return band_of_rows(table, *[int(errors.argmin())] * 2)
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
    meets = upper[tops] + lower[bottoms] <= slack
    best = _most_decided(decided, meets)
    if best is None:
        sides = np.append(false_discovery_rate(counts), false_omission_rate(counts))
        raise NoBand("No band decides any row with so few errors.", (("error", _least(sides)),))
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


def _most_decided(decided: Array, meets: npt.NDArray[np.bool_]) -> int | None:
    decided = np.where(meets, decided, 0.0)
    return int(decided.argmax()) if len(decided) and decided.max() > 0 else None


def _least(values: Array) -> float:
    return float(np.fmin.reduce(values, initial=np.nan))
