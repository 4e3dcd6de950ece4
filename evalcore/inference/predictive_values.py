"""Intervals of predictive values at a prevalence that is stated, not estimated from the same rows."""

import numpy as np

from evalcore.inference.intervals import Interval
from evalcore.numeric import Array, ratio

__all__ = ["predictive_value_at", "ratio_interval"]


def ratio_interval(first: Interval, second: Interval) -> Interval:
    """Interval of the ratio of two independent shares from the intervals of both; they may be 0.

    Parameters
    ----------
    first, second : Interval
        Of shares, in one shape, such as those of `wilson`.

    Returns
    -------
    Interval
        Of first / second, from 0 to ∞; nan where both shares are 0.

    References
    ----------
    A. Donner, G. Zou (2012). Closed-form confidence intervals for functions of the normal mean and standard deviation.
    Statistical Methods in Medical Research 21, 347–359. doi:10.1177/0962280210383082

    Examples
    --------
    >>> from evalcore.inference import wilson
    >>> interval = ratio_interval(wilson(20, 30), wilson(180, 2000))
    >>> round(float(interval.low), 2), round(float(interval.estimate), 2), round(float(interval.high), 2)
    (5.27, 7.41, 9.4)
    """
    a, b = np.asarray(first.estimate, dtype=np.float64), np.asarray(second.estimate, dtype=np.float64)

    def root(end: Array, other: Array) -> Array:
        return np.sqrt(np.maximum((a * b) ** 2 - end * other * (2 * a - end) * (2 * b - other), 0))

    # The lower bound is written so that a second share of 0 needs no case of its own.
    low = ratio(first.low * (2 * a - first.low), a * b + root(first.low, second.high))
    high = ratio(a * b + root(first.high, second.low), second.low * (2 * b - second.low))
    estimate = ratio(a, b)
    unbounded = (second.low == 0) & ~np.isnan(estimate)
    return Interval(estimate, np.where((a == 0) & (b > 0), 0.0, low), np.where(unbounded, np.inf, high))


def predictive_value_at(prevalence: float, right: Interval, wrong: Interval) -> Interval:
    """Interval of a predictive value at a prevalence: how often a result is right where so many have the condition.

    Parameters
    ----------
    prevalence : float
        Share of the class that the result names, above 0 and below 1: of positives for PPV, of negatives for NPV.
    right, wrong : Interval
        Share of that class, and of the other one, with this result: recall and false positive rate for PPV,
        specificity and miss rate for NPV.

    Returns
    -------
    Interval
        Inside 0 … 1; nan where no row has the result.

    Examples
    --------
    >>> from evalcore.inference import wilson
    >>> ppv = predictive_value_at(0.25, wilson(20, 30), wilson(180, 2000))
    >>> [round(float(end), 3) for end in (ppv.low, ppv.estimate, ppv.high)]
    [0.637, 0.712, 0.758]
    """
    odds = ratio(1 - prevalence, prevalence)
    against = ratio_interval(wrong, right)
    with np.errstate(divide="ignore"):
        estimate = ratio(prevalence * right.estimate, prevalence * right.estimate + (1 - prevalence) * wrong.estimate)
        low, high = (1 / (1 + odds * end) for end in (against.high, against.low))
    defined = ~np.isnan(estimate)
    return Interval(estimate, np.where(defined, low, np.nan), np.where(defined, high, np.nan))
