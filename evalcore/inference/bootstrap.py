"""Bootstrap intervals of measures of counts and of square tables."""

from collections.abc import Callable, Sequence

import numpy as np

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.matrix import ConfusionMatrix
from evalcore.inference.intervals import Interval, check_draws, check_level
from evalcore.inference.percentiles import percentile_interval
from evalcore.numeric import Array, whole_rows

__all__ = ["bootstrap", "bootstrap_matrix", "resampled_counts"]

RESAMPLES = 2000
SEED = 20


def resampled_counts(counts: ConfusionCounts, resamples: int = RESAMPLES, seed: int = SEED) -> ConfusionCounts:
    """Counts of resamples of the rows with replacement.

    Drawing rows and counting them is the same as drawing the four counts from a multinomial distribution, whatever the
    number of rows.

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
    check_draws(resamples)
    cells = np.array([counts.tp, counts.fp, counts.fn, counts.tn], dtype=np.float64)
    n = whole_rows(cells.sum())
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
        Of floats, as `percentile_interval`.

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
    return percentile_interval(measure(counts), values, level)


def bootstrap_matrix(
    measures: Sequence[Callable[[ConfusionMatrix], float]],
    matrix: ConfusionMatrix,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = SEED,
) -> list[Interval]:
    """Percentile intervals of measures of a square table, all over the same resamples of its rows.

    Parameters
    ----------
    measures : sequence of MetricDef or callable
        Functions of ConfusionMatrix.
    matrix : ConfusionMatrix
        Sums of weights are taken as rows, rounded.
    level : float
    resamples, seed : int

    Returns
    -------
    list of Interval
        One per measure, as `percentile_interval`.

    Examples
    --------
    >>> from evalcore.classification import overall_accuracy
    >>> interval = bootstrap_matrix([overall_accuracy], ConfusionMatrix("ab", [[30, 10], [10, 50]]))[0]
    >>> interval.estimate, 0.7 < interval.low < 0.8 < interval.high < 0.9
    (0.8, True)
    """
    check_level(level)
    check_draws(resamples)
    cells = matrix.counts.reshape(-1)
    n = whole_rows(cells.sum())
    random, shares = np.random.default_rng(seed), cells / cells.sum() if n else cells
    values = np.empty((resamples, len(measures)))
    # One table after another: a thousand tables of a thousand classes would fill the memory.
    for place in range(resamples):
        drawn = random.multinomial(n, shares) if n else cells
        table = ConfusionMatrix(matrix.classes, drawn.reshape(matrix.counts.shape))
        values[place] = [measure(table) for measure in measures]
    return [
        percentile_interval(measure(matrix), of_one, level) for measure, of_one in zip(measures, values.T, strict=True)
    ]
