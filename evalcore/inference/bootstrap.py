"""Resampling: how a number would have come out on other rows drawn from the same source."""

from collections.abc import Callable

import numpy as np

from evalcore.classification.counts import ConfusionCounts
from evalcore.inference.intervals import Interval, check_level
from evalcore.numeric import Array

RESAMPLES = 2000
SEED = 20


def resampled_counts(counts: ConfusionCounts, resamples: int = RESAMPLES, seed: int = SEED) -> ConfusionCounts:
    """Counts of resamples of the rows with replacement.

    Drawing rows and counting them is the same as drawing the four counts from a multinomial law, whatever the number of
    rows.

    Parameters
    ----------
    counts : ConfusionCounts
        Of shape (). Sums of weights are taken as rows, rounded.
    resamples : int
    seed : int
        The same seed gives the same resamples.

    Returns
    -------
    ConfusionCounts
        Of shape (resamples,).

    Examples
    --------
    >>> drawn = resampled_counts(ConfusionCounts(tp=20, fp=180, fn=10, tn=1820), resamples=3)
    >>> drawn.total.tolist()
    [2030.0, 2030.0, 2030.0]
    """
    cells = np.array([counts.tp, counts.fp, counts.fn, counts.tn], dtype=np.float64)
    n = round(float(cells.sum()))
    if not n:
        return ConfusionCounts(*np.zeros((4, resamples)))
    drawn = np.random.default_rng(seed).multinomial(n, cells / cells.sum(), size=resamples)
    return ConfusionCounts(*drawn.T)


def bootstrap(
    measure: Callable[[ConfusionCounts], Array],
    counts: ConfusionCounts,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Interval:
    """Percentile interval of any measure of counts over resamples of the rows.

    Parameters
    ----------
    measure : MetricDef or callable
        Function of ConfusionCounts.
    counts : ConfusionCounts
        Of shape ().
    level : float
    resamples, seed : int

    Returns
    -------
    Interval
        Of floats. Resamples where the measure is undefined are left out; nan bounds when more than half of them are.

    References
    ----------
    B. Efron, R. Tibshirani (1993). An Introduction to the Bootstrap. Chapman & Hall, chapter 13.

    Examples
    --------
    >>> from evalcore.classification import matthews_correlation
    >>> interval = bootstrap(matthews_correlation, ConfusionCounts(tp=20, fp=180, fn=10, tn=1820))
    >>> bool(interval.low < interval.estimate < interval.high)
    True
    """
    check_level(level)
    values = np.asarray(measure(resampled_counts(counts, resamples, seed)))
    values = values[~np.isnan(values)]
    low = high = np.float64(np.nan)
    if 2 * len(values) > resamples:
        # The order statistics themselves: a mean of two would turn ∞ beside ∞ into nan.
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    return Interval(measure(counts), low, high)
