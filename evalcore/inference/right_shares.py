"""Intervals of shares of rows of estimates: inside their prediction interval, or within a tolerance."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evalcore.classification import ConfusionCounts
from evalcore.estimation import Estimates
from evalcore.inference.bootstrap import IntervalChoice
from evalcore.inference.intervals import Interval
from evalcore.registry import METRICS

__all__ = ["share_of_rows"]


def share_of_rows(chosen: npt.NDArray[np.bool_], state: Estimates, level: float = 0.95) -> Interval:
    """Share of the rows of a state that are chosen, with Wilson's interval; by clusters on their effective number.

    >>> interval = share_of_rows(np.array([True] * 9 + [False]), Estimates.from_arrays([0] * 10, [0] * 10))
    >>> interval.estimate, round(interval.low, 3), round(interval.high, 3)
    (0.9, 0.596, 0.982)
    """
    every = np.ones(len(chosen), dtype=bool)
    clusters = np.arange(len(chosen)) if state.importance and state.clusters is None else state.clusters
    counts = ConfusionCounts.from_labels(every, chosen, True, weights=state.weights, clusters=clusters)
    result = IntervalChoice(level=level).of(METRICS["recall"], counts)
    estimate = float(METRICS["recall"](counts))
    if result is None:
        return Interval(estimate, float("nan"), float("nan"))
    interval = result[0]
    return replace(interval, estimate=estimate, low=float(interval.low), high=float(interval.high))
