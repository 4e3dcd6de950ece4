"""How many rows it takes until a threshold is promised to keep its limits."""

import math

from scipy.special import bdtr, bdtrik, ndtri

from evalcore.classification import ConfusionCounts
from evalcore.inference.limit_tests import CellLosses, losses_of
from evalcore.inference.promise import STARTS, STEPS, Promise

__all__ = ["rows_for_promise"]

_MOST = 1e12
"""Rows that nobody will have."""


def rows_for_promise(promise: Promise, counts: ConfusionCounts, power: float = 0.8) -> float:
    """Rows, in all, with which a threshold passes the tests of all limits with some probability.

    Assumes that the limits are tested at this threshold, with the error of one start, and that its rates on all rows
    are those of these counts; rows that belong together come in clusters like these.

    Parameters
    ----------
    counts : ConfusionCounts of shape ()
        At the threshold.
    power : float
        The probability.

    Returns
    -------
    float
        Infinite where a limit does not hold in these counts, or only just.

    Examples
    --------
    >>> from evalcore import METRICS
    >>> from evalcore.classification import Limit, ScoredLabels
    >>> from evalcore.inference import promised_thresholds
    >>> scored = ScoredLabels.from_arrays([1] * 20 + [0] * 20, range(40, 0, -1), positive=1)
    >>> promise = promised_thresholds(scored, [Limit(METRICS["recall"], at_least=0.9)])
    >>> rows_for_promise(promise, scored.counts_at(21))  # 29 positives, of which none is missed: 0.9 ** 29 < 0.05
    58.0
    """
    total = float(counts.total)
    losses = [one for limit in promise.limits for one in losses_of(limit, total)]
    each = 1 - (1 - power) / len(losses)
    needed = [_rows(one, counts, promise.error, each) for one in losses]
    return max(needed)


def _rows(one: CellLosses, counts: ConfusionCounts, error: float, power: float) -> float:
    error = error if one.safe_end else error / (STEPS if one.called else STARTS)
    losses, n, most = one.effective(counts, 1 - error)
    lost, rows, of_rows = float(losses), float(n), float(counts.total)
    if not rows > 0 or not lost / rows < most:
        return math.inf
    mean = lost / rows
    # Of one row; of losses with two values it is exact, else no more than this.
    spread = math.sqrt(mean * (1 - mean))

    def passes(all_rows: float) -> bool:
        size = all_rows * rows / of_rows
        if one.is_binary:
            size = math.floor(size + 1e-9)
            highest = _binomial_quantile(power, size, mean)
        else:
            highest = size * mean + float(ndtri(power)) * spread * math.sqrt(size)
        return size > 0 and highest < size and float(one.tail(highest, size, most)) <= error

    high = max(math.ceil(of_rows), 1.0)
    while not passes(high):
        high *= 2
        if high > _MOST:
            return math.inf
    low = 0.0
    while high - low > max(1.0, 1e-3 * high):
        middle = math.floor((low + high) / 2)
        low, high = (low, middle) if passes(middle) else (middle, high)
    return float(high)


def _binomial_quantile(share: float, n: int, mean: float) -> float:
    """The fewest of n rows that so many count, or fewer, with the probability `share`."""
    if not n or not mean > 0:
        return 0.0
    rows = math.ceil(float(bdtrik(share, n, mean)))
    return float(rows - 1 if rows and float(bdtr(rows - 1, n, mean)) >= share else rows)
