"""The score interval of a difference of two shares over the same rows."""

import math

from evalcore.inference.intervals import Interval, normal_quantile

__all__ = ["paired_score_interval"]


def paired_score_interval(only_a: float, only_b: float, n: float, level: float = 0.95) -> Interval:
    """All differences of two shares over the same rows that a score test would not reject (Tango).

    At the difference 0 that test is McNemar's chi-square without correction, so the two never disagree.

    Parameters
    ----------
    only_a, only_b : float
        Rows that count for the share of A only, and for that of B only. Sums of weights are taken as rows.
    n : float
        All rows.
    level : float
        Confidence, between 0 and 1.

    Returns
    -------
    Interval
        Of the share of B minus that of A, inside −1 … 1; nan without rows.

    References
    ----------
    T. Tango (1998). Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design. Statistics in Medicine 17, 891–908.

    Examples
    --------
    >>> interval = paired_score_interval(20, 40, 160)
    >>> interval.estimate, round(interval.low, 4), round(interval.high, 4)
    (0.125, 0.0309, 0.2181)
    """
    z = normal_quantile(level)
    if not n:
        return Interval(float("nan"), float("nan"), float("nan"))
    estimate = (only_b - only_a) / n

    def edge(outside: float) -> float:
        """Where the test begins to reject on the way from the estimate to one end; the score only grows on it."""
        inside = estimate
        if abs(_score(only_a, only_b, n, outside)) <= z:
            return outside
        for _ in range(60):
            middle = (inside + outside) / 2
            if abs(_score(only_a, only_b, n, middle)) <= z:
                inside = middle
            else:
                outside = middle
        return inside

    return Interval(estimate, edge(-1.0), edge(1.0))


def _score(only_a: float, only_b: float, n: float, difference: float) -> float:
    """Standard errors between the difference that was found and one that is supposed."""
    # The share of rows with A only that is most likely under the supposed difference: a root of a quadratic.
    b = -only_a - only_b + (2 * n - only_b + only_a) * difference
    c = -only_a * difference * (1 - difference)
    a_only = (math.sqrt(max(b * b - 8 * n * c, 0.0)) - b) / (4 * n)
    variance = n * (2 * a_only + difference * (1 - difference))
    gap = only_b - only_a - n * difference
    if variance <= 0:
        return 0.0 if abs(gap) < 1e-12 * n else math.copysign(math.inf, gap)
    return gap / math.sqrt(variance)
