"""How groups of rows differ from all other rows: areas under their ROC curves, and clusters that both have."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from evalcore.analyses.named_counts import CELLS
from evalcore.classification import ConfusionCounts, ScoredLabels, pooled, roc_auc
from evalcore.inference import Interval, IntervalChoice, ShareDifferences, compare_independent_auc, share_correlation
from evalcore.numeric import Array
from evalcore.readers import DataSet, worth_of
from evalcore.registry import MetricDef

__all__ = ["areas_against_rest", "areas_of_groups", "group_correlations", "worths_of_groups"]


def areas_of_groups(states: dict[str, ScoredLabels], intervals: IntervalChoice) -> Interval:
    """The area under the ROC curve of each group, shape (g,)."""
    # Copies, so that the staircases, three times the size of the scores, are not kept.
    areas = [intervals.of_area(replace(state)) for state in states.values()]
    return Interval(*(np.array([float(getattr(area, end)) for area in areas]) for end in ("estimate", "low", "high")))


def areas_against_rest(states: Sequence[ScoredLabels], most: int, level: float) -> tuple[ShareDifferences, Array]:
    """The area of each of the first groups minus that of all other rows, by DeLong for independent areas; the rest's.

    All of shape (g,), nan beyond so many groups. Clusters may have rows in several groups.

    >>> one = ScoredLabels.from_arrays([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> two = ScoredLabels.from_arrays([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> differences, rest = areas_against_rest([one, two], 2, 0.95)
    >>> differences.interval.estimate.round(3).tolist(), rest.round(3).tolist()
    ([0.333, -0.333], [0.556, 0.889])
    """
    columns = np.full((5, len(states)), math.nan)
    for index in range(min(most, len(states))):
        rest = pooled([*states[:index], *states[index + 1 :]])
        compared = compare_independent_auc(rest, replace(states[index]), level, shared=True)
        ends = (compared.estimate, float(compared.interval.low), float(compared.interval.high))
        columns[:, index] = *ends, compared.p_value, roc_auc(rest)
    estimate, low, high, p_values, of_rest = columns
    return ShareDifferences(Interval(estimate, low, high), p_values), of_rest


def group_correlations(measure: MetricDef, groups: ConfusionCounts, rest: ConfusionCounts) -> Array:
    """Correlation of a share of each group with that of all other rows, shape (g,); 0 where no cluster is in both."""
    above, below = ([float(cell in cells) for cell in CELLS] for cells in (measure.numerator, measure.denominator))
    correlations = np.zeros(len(groups.tp))
    for index in range(len(correlations)):
        own, other = groups[index].clusters, rest[index].clusters
        if own is not None and other is not None:
            correlations[index] = share_correlation(own, other, above, below)
    return correlations


def worths_of_groups(dataset: DataSet, states: Iterable[ScoredLabels]) -> Array:
    """Effective rows of each group per unit of weight, shape (g,)."""
    weights = [
        None if state.positive_weights is None else np.concatenate([state.rows_of(side)[1] for side in (True, False)])
        for state in states
    ]
    return np.array([worth_of(dataset, each) for each in weights])
