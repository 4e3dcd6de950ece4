"""Areas under the ROC curves of groups of rows, and how each differs from that of all other rows."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evalcore.classification import ScoredLabels, pooled, roc_auc
from evalcore.inference import Interval, IntervalChoice, ShareDifferences, compare_independent_auc
from evalcore.numeric import Array

__all__ = ["areas_against_rest", "areas_of_groups"]


def areas_of_groups(states: dict[str, ScoredLabels], intervals: IntervalChoice) -> Interval:
    """The area under the ROC curve of each group, shape (g,)."""
    # Copies, so that the staircases, three times the size of the scores, are not kept.
    areas = [intervals.of_area(replace(state)) for state in states.values()]
    return Interval(*(np.array([float(getattr(area, end)) for area in areas]) for end in ("estimate", "low", "high")))


def areas_against_rest(states: Sequence[ScoredLabels], most: int, level: float) -> tuple[ShareDifferences, Array]:
    """The area of each of the first groups minus that of all other rows, by DeLong for independent areas; the rest's.

    All of shape (g,), nan beyond so many groups.

    >>> one = ScoredLabels.from_arrays([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> two = ScoredLabels.from_arrays([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> differences, rest = areas_against_rest([one, two], 2, 0.95)
    >>> differences.interval.estimate.round(3).tolist(), rest.round(3).tolist()
    ([0.333, -0.333], [0.556, 0.889])
    """
    columns = np.full((5, len(states)), math.nan)
    for index in range(min(most, len(states))):
        rest = pooled([*states[:index], *states[index + 1 :]])
        compared = compare_independent_auc(rest, replace(states[index]), level)
        ends = (compared.estimate, float(compared.interval.low), float(compared.interval.high))
        columns[:, index] = *ends, compared.p_value, roc_auc(rest)
    estimate, low, high, p_values, of_rest = columns
    return ShareDifferences(Interval(estimate, low, high), p_values), of_rest
