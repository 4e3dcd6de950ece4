"""Cost ratios: for which of them each threshold is the cheapest, when the exact costs are unknown.

A cost ratio is the cost of a miss in false alarms. As it rises, more misses are worth avoiding, so the cheapest
threshold moves along the corners of the ROC hull, from calling nothing positive to calling everything positive.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.curves import roc_hull
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, ratio

__all__ = ["CheapestThresholds", "RatioRange", "cheapest_thresholds", "ratios_of"]


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
        """Which threshold is the cheapest at cost ratios above 0, of two that tie the stricter; shapes broadcast."""
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
    """The thresholds that are the cheapest for some cost ratio and prevalence.

    Correct decisions cost nothing here. Nothing is lost by that: the choice depends on what a miss costs beyond a true
    positive, and a false alarm beyond a true negative.

    Parameters
    ----------
    table : ThresholdTable
        With both classes.

    Raises
    ------
    ValueError
        When a class is absent.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> scored = ScoredLabels.from_arrays([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1], positive=1)
    >>> cheapest = cheapest_thresholds(scored.table())
    >>> cheapest.thresholds.tolist(), cheapest.ratios().tolist()
    ([inf, 0.9, 0.6, 0.1], [0.0, 0.0, 0.5, inf, inf])
    >>> int(cheapest.index(2)), int(cheapest.index(0.1))
    (2, 1)
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
    """The cost ratios for which a threshold is the cheapest.

    Parameters
    ----------
    cheapest : CheapestThresholds
        Of the same table.
    prevalence : float, optional
        Between 0 and 1, both excluded; by default that of the sample.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1], positive=1).table()
    >>> cheapest = cheapest_thresholds(table)
    >>> result = ratios_of(table, 0.6, cheapest)
    >>> result.low, result.high
    (0.5, inf)
    >>> below = ratios_of(table, 0.7, cheapest)
    >>> below.low, below.stricter_below, below.laxer_above
    (nan, 1.0, 0.0)
    """
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
