"""Between which limits a reliability diagram certainly lies when some probabilities are known by their bin alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.calibration import ascending
from evalcore.engines.score_bins import ScoreBins
from evalcore.engines.score_bounds import Bounds, refuse_no_probabilities
from evalcore.numeric import Array, ratio

__all__ = ["CalibrationBounds", "calibration_bounds"]


@dataclass(frozen=True, eq=False)
class CalibrationBounds:
    """Bounds of each bin of a reliability diagram, each pair of shape (b,) and (b,); nan where a bin can hold no row.

    Attributes
    ----------
    n, mean_probability, observed : (Array, Array)
        The lowest and the highest number of rows, mean predicted probability and observed frequency.
    error, largest_gap : Bounds
        Of the expected and of the maximum calibration error.
    """

    n: tuple[Array, Array]
    mean_probability: tuple[Array, Array]
    observed: tuple[Array, Array]
    error: Bounds
    largest_gap: Bounds


def calibration_bounds(counts: ScoreBins, edges: npt.ArrayLike | None = None) -> CalibrationBounds:
    """Bounds of a reliability diagram of scores in bins.

    A bin of scores that lies between two edges is counted exactly, and only the sum of its probabilities is open. One
    that an edge divides may have any of its rows on either side.

    Parameters
    ----------
    edges : array_like of float, shape (b + 1,), optional
        Ascending from 0 to 1; by default ten bins of equal width.

    Raises
    ------
    ReadProblem
        If a score lies outside of 0 … 1.
    ValueError
        If the edges do not ascend from 0 to 1, or lower scores are positive.

    Examples
    --------
    >>> from evalcore.engines import ScoreCounts
    >>> table = {"low": [0.1, 0.6], "high": [0.3, 0.8], "positives": [1, 3], "count": [4, 4]}
    >>> bounds = calibration_bounds(ScoreCounts.of_table(table, lowest="low", highest="high"), [0, 0.5, 1])
    >>> [[round(end, 3) for end in (one.low, one.high)] for one in (bounds.error, bounds.largest_gap)]
    [[0.0, 0.15], [0.0, 0.15]]
    """
    refuse_no_probabilities(counts)
    if not counts.higher_is_positive:
        raise ValueError("Lower scores are positive here, so they are no probabilities of the positive class.")
    edges = np.linspace(0, 1, 11) if edges is None else ascending(edges)
    low, high = counts.bins.lowest["lowest"], counts.bins.highest["highest"]
    positives, n = counts.bins.sums["positives"], counts.bins.sums["count"]
    negatives, b = n - positives, len(edges) - 1
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
            # It lies above all that is surely inside, or beneath; in between where it spans the whole bin.
            if at == first[j]:
                above[:, at] += n[j], n[j] * ends[1]
            if at == last[j]:
                beneath[:, at] += n[j], n[j] * ends[0]
            if first[j] < at < last[j]:
                above[:, at] += n[j], n[j] * ends[1]
                beneath[:, at] += n[j], n[j] * ends[0]
    most = sure + open_positives + open_negatives
    some, total = most > 0, n.sum()
    ends = [ratio(lowest_sum + beneath[1], sure + beneath[0]), ratio(highest_sum + above[1], sure + above[0])]
    # Where nothing is sure and the rows of one side alone make no mean, the edges are the bounds.
    mean = tuple(
        np.where(some & np.isnan(one), edge, one) for one, edge in zip(ends, (edges[:-1], edges[1:]), strict=True)
    )
    fewest, highest = sure_positives, sure_positives + open_positives
    shares = np.nan_to_num(ratio(fewest, sure + open_negatives)), np.nan_to_num(ratio(highest, sure + open_positives))
    observed = tuple(np.where(some, one, np.nan) for one in shares)
    gaps = np.nan_to_num(mean[0] - observed[1]), np.nan_to_num(mean[1] - observed[0])
    largest = np.where(sure > 0, _nearest(*gaps), 0.0), _farthest(*gaps)
    errors = _nearest(gap_low, gap_high), _farthest(gap_low, gap_high)
    return CalibrationBounds(
        (sure, most),
        (mean[0], mean[1]),
        (observed[0], observed[1]),
        Bounds(*(float(ratio(one.sum(), total)) for one in errors)),
        Bounds(*(float(one.max(initial=0.0)) for one in largest)),
    )


def _nearest(low: Array, high: Array) -> Array:
    """The smallest distance from 0 of numbers between two ends."""
    return np.where((low <= 0) & (high >= 0), 0.0, np.minimum(np.abs(low), np.abs(high)))


def _farthest(low: Array, high: Array) -> Array:
    return np.maximum(np.abs(low), np.abs(high))
