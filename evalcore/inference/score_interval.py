"""The score interval of the difference of two shares of the same rows."""

import math

from evalcore.inference.intervals import Interval, normal_quantile

__all__: list[str] = []


def paired_score_interval(only_a: float, only_b: float, n: float, level: float = 0.95) -> Interval:
    """All differences, B minus A, of two shares of n rows that a score test would not reject (Tango); nan without rows.

    `only_a` and `only_b` rows count for one share only. At the difference 0 the test is McNemar's chi-square without
    correction, so the two never disagree.

    >>> interval = paired_score_interval(20, 40, 160)
    >>> interval.estimate, round(interval.low, 4), round(interval.high, 4)
    (0.125, 0.0309, 0.2181)
    """
    z = normal_quantile(level)
    if not n:
        return Interval(math.nan, math.nan, math.nan)
    estimate = (only_b - only_a) / n

    def edge(outside: float) -> float:
        """Where the test begins to reject on the way from the estimate to one end; the score only grows on it."""
        inside, middle = estimate, outside
        for _ in range(61):
            if abs(_standard_errors(only_a, only_b, n, middle)) <= z:
                inside = middle
            else:
                outside = middle
            middle = (inside + outside) / 2
        return inside

    return Interval(estimate, edge(-1.0), edge(1.0))


def _standard_errors(only_a: float, only_b: float, n: float, difference: float) -> float:
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
