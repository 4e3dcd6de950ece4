"""Cost ratios: for which of them a threshold is the cheapest, when nobody knows the exact prices.

A cost ratio says how many false alarms cost as much as one miss. A higher one makes more misses worth avoiding, so the
cheapest threshold walks along the corners of the ROC hull, from calling nothing positive to calling everything so.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.hull import roc_hull
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, ratio

__all__ = ["CheapestThresholds", "RatioRange", "cheapest_thresholds", "ratios_of"]


@dataclass(frozen=True, eq=False)
class CheapestThresholds:
    """The thresholds that can be the cheapest, each with the cost ratios for which it is.

    Attributes
    ----------
    rows : Array of int, shape (h,)
        Rows of the threshold table, ascending.
    thresholds : Array, shape (h,)
        From the strictest, which is infinite, to the laxest.
    counts : ConfusionCounts, shape (h,)
    breaks : Array, shape (h + 1,)
        Cost ratios, rising from 0 to inf. In the sample, threshold i is the cheapest between entries i and i + 1; at an
        entry itself its two neighbours tie.
    own_odds : float
        Odds of being positive in the sample.
    """

    rows: npt.NDArray[np.intp]
    thresholds: Array
    counts: ConfusionCounts
    breaks: Array
    own_odds: float

    def ratios(self, prevalence: float | None = None) -> Array:
        """Cost ratios at which the cheapest threshold changes, shape (h + 1,), rising from 0 to inf.

        Parameters
        ----------
        prevalence : float, optional
            Between 0 and 1, both excluded; that of the sample where none is given.
        """
        return self.breaks * float(self.scale(prevalence))

    def place(self, cost_ratio: npt.ArrayLike, prevalence: npt.ArrayLike | None = None) -> npt.NDArray[np.intp]:
        """Which of the thresholds is the cheapest; where two tie, the stricter one.

        Parameters
        ----------
        cost_ratio, prevalence : array_like of float
            Of shapes that fit one another; a cost ratio above 0.
        """
        in_sample = np.asarray(cost_ratio) / self.scale(prevalence)
        # Where two or more entries are equal, the threshold between them is the cheapest nowhere and is stepped over.
        return np.clip(np.searchsorted(self.breaks, in_sample, side="left") - 1, 0, len(self.rows) - 1)

    def scale(self, prevalence: npt.ArrayLike | None) -> Array | float:
        """What a cost ratio of the sample is multiplied by to mean the same at a prevalence.

        Where positives are rarer there are fewer misses to avoid, so each has to cost more.
        """
        if prevalence is None:
            return 1.0
        share = np.asarray(prevalence, dtype=np.float64)
        if not ((share > 0) & (share < 1)).all():
            raise ValueError("A prevalence has to lie between 0 and 1, and both classes have to occur.")
        return self.own_odds * (1 - share) / share


@dataclass(frozen=True)
class RatioRange:
    """Cost ratios for which a threshold is the cheapest.

    Attributes
    ----------
    low, high : float
        The range, both ends included; equal where it only ties there; nan where the threshold is the cheapest for no
        ratio.
    stricter, laxer : int
        Places among the cheapest thresholds: the nearest one that calls fewer positive and the nearest that calls more.
        One of the two is at least as cheap at every ratio. −1 where there is none.
    stricter_below, laxer_above : float
        The stricter one is cheaper for every ratio below, the laxer one for every ratio above. nan where there is none.
    """

    low: float
    high: float
    stricter: int
    laxer: int
    stricter_below: float
    laxer_above: float


def cheapest_thresholds(table: ThresholdTable) -> CheapestThresholds:
    """The thresholds that are the cheapest for some cost ratio and prevalence.

    Correct answers cost nothing here. That is no loss: where to cut depends on what a miss costs beyond a hit, and a
    false alarm beyond a correct dismissal.

    Parameters
    ----------
    table : ThresholdTable
        With both classes; with one alone no cost ratio moves the cheapest threshold.

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
    >>> int(cheapest.place(2)), int(cheapest.place(0.1))
    (2, 1)
    """
    end = table.counts[-1]
    positives, negatives = float(end.actual_positives), float(end.actual_negatives)
    if not positives or not negatives:
        missing = "positive" if not positives else "negative"
        raise ValueError(f"There are no {missing} rows, so no trade of misses for false alarms can be seen.")
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
    table : ThresholdTable
    threshold : float
    cheapest : CheapestThresholds
        Of the same table.
    prevalence : float, optional
        Between 0 and 1, both excluded; that of the sample where none is given.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1], positive=1).table()
    >>> cheapest = cheapest_thresholds(table)
    >>> found = ratios_of(table, 0.6, cheapest)
    >>> found.low, found.high
    (0.5, inf)
    >>> below = ratios_of(table, 0.7, cheapest)
    >>> below.low, below.stricter_below, below.laxer_above
    (nan, 1.0, 0.0)
    """
    row = table.index(threshold)
    breaks = cheapest.ratios(prevalence)
    place = int(cheapest.rows.searchsorted(row))
    if cheapest.rows[place] == row:
        stricter = place - 1
        laxer = place + 1 if place + 1 < len(cheapest.rows) else -1
        low, high = breaks[place : place + 2].tolist()
        return RatioRange(
            low, high, stricter, laxer, low if stricter >= 0 else math.nan, high if laxer > 0 else math.nan
        )
    scale = float(cheapest.scale(prevalence))
    here, before, after = table.counts[row], cheapest.counts[place - 1], cheapest.counts[place]
    below = scale * float(ratio(here.fp - before.fp, here.tp - before.tp))
    above = scale * float(ratio(after.fp - here.fp, after.tp - here.tp))
    # A row on a straight piece ties with both its ends, at the one ratio that the piece stands for.
    on_hull = (here.fp - before.fp) * (after.tp - here.tp) == (after.fp - here.fp) * (here.tp - before.tp)
    only = float(breaks[place]) if on_hull else math.nan
    return RatioRange(only, only, place - 1, place, only if on_hull else below, only if on_hull else above)
