"""The kernel of every curve: scores sorted, counts cumulated over all thresholds, and the table or the grid of them."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.numeric import BLOCK, WORTH_A_THREAD, Array, at_once, in_blocks, over_parts

__all__ = ["GRID", "ThresholdTable", "threshold_grid"]


GRID = 1000
"""Thresholds of a grid; tables of up to this many distinct scores keep them all."""


@dataclass(frozen=True, eq=False)
class Steps:
    """How the counts grow from the strictest threshold to the laxest: one entry per distinct score, after the start."""

    # Shape (t,): strictly decreasing from +inf; where lower scores are positive, strictly increasing from −inf.
    thresholds: Array
    # Shape (t,): weight of the positives and of the negatives that are called positive at the threshold.
    tp: Array
    fp: Array


def sorted_apart(values: Array, is_positive: np.ndarray) -> tuple[Array, Array]:
    """Scores of the positives and of the negatives, each ascending.

    Large inputs are sorted in two threads of equal work (numpy releases the interpreter lock while it sorts): the
    larger class is divided at a value, so that its sorted parts only need to be concatenated.
    """
    positives, negatives = at_once(
        lambda: np.compress(is_positive, values), lambda: np.compress(~is_positive, values), len(values)
    )
    if len(values) < WORTH_A_THREAD:
        return _sort(positives), _sort(negatives)
    large, small = (positives, negatives) if len(positives) > len(negatives) else (negatives, positives)
    with ThreadPoolExecutor(1) as other:
        sample = np.sort(large[:: len(large) // 1000])
        pivot = sample[len(sample) * (len(large) - len(small)) // (2 * len(large))]
        lower = other.submit(lambda: _sort(np.compress(large < pivot, large)))
        upper = other.submit(lambda: _sort(small))
        top = _sort(np.compress(large >= pivot, large))
        upper.result()
        np.concatenate([lower.result(), top], out=large)
    return positives, negatives


def _sort(values: Array) -> Array:
    values.sort()
    return values


def staircase(positives: Array, negatives: Array, higher_is_positive: bool = True) -> Steps:
    """Distinct scores from the strictest on, with the number of positives and of negatives called positive at each.

    The two ascending arrays are cut at common values into parts that fit the cache; equal scores stay together. In each
    part the stable sort finds two runs and merges them in one pass.
    """
    n = len(positives) + len(negatives)
    thresholds, tp, fp = np.empty(n + 1), np.empty(n + 1), np.empty(n + 1)
    thresholds[0], tp[0], fp[0] = np.inf if higher_is_positive else -np.inf, 0.0, 0.0

    def fill(part: tuple[int, int, int, int]) -> bool:
        """Write the rows of one part; True when some of its scores are equal."""
        i, i_end, j, j_end = part
        scores = np.concatenate([positives[i:i_end], negatives[j:j_end]])
        order = np.argsort(scores, kind="stable")
        before, hits_before = i + j, i
        if higher_is_positive:
            order, before, hits_before = order[::-1], n - i_end - j_end, len(positives) - i_end
        rows = slice(before + 1, before + 1 + len(scores))
        ordered = scores[order]
        thresholds[rows] = ordered
        # Whole numbers of 32 bits add up five times as fast as those of 64, and count all rows a part can hold.
        hits = np.cumsum(order < i_end - i, dtype=np.int32)
        np.add(hits, float(hits_before), out=tp[rows])
        np.subtract(np.arange(before + 1, before + 1 + len(scores)), tp[rows], out=fp[rows])
        return bool((ordered[1:] == ordered[:-1]).any())

    larger = positives if len(positives) > len(negatives) else negatives
    pivots = larger[BLOCK::BLOCK]
    i, j = np.unique([positives.searchsorted(pivots), negatives.searchsorted(pivots)], axis=1)
    i, j = (np.concatenate([[0], cuts, [end]]) for cuts, end in ((i, len(positives)), (j, len(negatives))))
    parts = list(zip(i[:-1].tolist(), i[1:].tolist(), j[:-1].tolist(), j[1:].tolist(), strict=True))
    if any(over_parts(fill, parts, n)):
        last_of_its_score = np.append(thresholds[1:] != thresholds[:-1], True)
        thresholds, tp, fp = (np.compress(last_of_its_score, column) for column in (thresholds, tp, fp))
    return Steps(thresholds, tp, fp)


@dataclass(frozen=True, eq=False)
class ThresholdTable:
    """The counts at every threshold that makes a difference, from the strictest to the laxest.

    Attributes
    ----------
    thresholds : Array, shape (t,)
        The first is infinite (nothing is positive), the others are the distinct scores. Where higher scores are
        positive: strictly decreasing from +inf, a row is called positive when its score >= the threshold. Where lower
        scores are positive: strictly increasing from −inf, positive when its score <= the threshold.
    counts : ConfusionCounts, shape (t,)
    """

    thresholds: Array
    counts: ConfusionCounts

    @property
    def higher_is_positive(self) -> bool:
        """The direction of the scores, as the infinite first threshold tells it."""
        return not len(self) or bool(self.thresholds[0] != -np.inf)

    def at(self, threshold: float) -> ConfusionCounts:
        """The counts at a threshold.

        >>> from evalcore.classification import ScoredLabels
        >>> table = ScoredLabels.from_arrays([True, False], [0.8, 0.3]).table()
        >>> float(table.at(0.5).tp), float(table.at(0.5).fp)
        (1.0, 0.0)
        """
        return self.counts[self.index(threshold)]

    def index(self, threshold: float) -> int:
        """Row of the table that holds the counts of `threshold`: the laxest listed one that is no laxer."""
        return int(self.rows(threshold))

    def rows(self, thresholds: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """`index` of thresholds of any shape."""
        at = np.asarray(thresholds, dtype=np.float64)
        if self.higher_is_positive:
            rows = len(self) - 1 - self.thresholds[::-1].searchsorted(at, side="left")
        else:
            rows = self.thresholds.searchsorted(at, side="right") - 1
        # No score reaches a threshold that is not a number.
        return np.where(np.isnan(at), 0, np.maximum(rows, 0))

    def first_rows(self, scores: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """The first row at which each score is called positive; the length of the table where that is none."""
        values = np.asarray(scores, dtype=np.float64)
        if self.higher_is_positive:
            return len(self) - self.thresholds[::-1].searchsorted(values, side="right")
        return self.thresholds.searchsorted(values, side="left")

    def ranges(self, first: npt.NDArray[np.intp], last: npt.NDArray[np.intp]) -> Array:
        """(low, high) of the thresholds that give the counts of the rows from `first` to `last`, shape (m, 2).

        A threshold of the table belongs to its range; the other end, a score or an infinity, does not.
        """
        end, beyond = len(self) - 1, -np.inf if self.higher_is_positive else np.inf
        lax = np.where(last < end, self.thresholds[np.minimum(last + 1, end)], beyond)
        strict = self.thresholds[first]
        return np.column_stack([lax, strict] if self.higher_is_positive else [strict, lax])

    def __len__(self) -> int:
        return len(self.thresholds)


def threshold_grid(table: ThresholdTable, most: int = GRID) -> ThresholdTable:
    """Rows of a threshold table that represent all of them.

    Up to `most` distinct scores all rows are kept; of more, those at equal steps of TPR + FPR. From one row to the next
    neither rate changes by more than 2 / `most` plus the weight of one score.

    Parameters
    ----------
    most : int
        Distinct scores to keep, at least 2, besides the infinite threshold.

    Returns
    -------
    ThresholdTable
        The first and the last row are always among them.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([0, 1] * 5000, range(10000), positive=1).table()
    >>> len(threshold_grid(table)), threshold_grid(table, 4).thresholds.tolist()
    (1001, [inf, 9999.0, 6666.0, 3333.0, 0.0])
    """
    if len(table) <= most + 1:
        return table
    end = table.counts[-1]
    # If a class is absent, the other one alone tells how far along the curve a row lies.
    positives, negatives = (float(total) or 1.0 for total in (end.actual_positives, end.actual_negatives))
    along = in_blocks(lambda rows: table.counts.tp[rows] / positives + table.counts.fp[rows] / negatives, len(table))
    rows = along[1:].searchsorted(np.linspace(along[1], along[-1], most)) + 1
    rows = np.unique(np.concatenate([[0, 1], np.minimum(rows, len(table) - 1), [len(table) - 1]]))
    return ThresholdTable(table.thresholds[rows], table.counts[rows])
