"""Intervals of measures of scores that have no closed form: average precision, partial areas, the largest gap."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.scores import ScoredLabels
from evalcore.classification.staircase import Steps
from evalcore.classification.threshold_table import threshold_grid
from evalcore.inference.bootstrap import SEED, percentile_interval
from evalcore.inference.intervals import Interval, check_level
from evalcore.inference.resampling import resampling_of
from evalcore.numeric import Array

__all__ = ["bootstrap_scores"]

RESAMPLES = 1000
"""Fewer than elsewhere, as each resample is a whole curve. The bounds vary by a thirtieth of the width."""

STEPS = 400
"""Thresholds of a resample."""


@dataclass(frozen=True, eq=False)
class _Resample:
    """A resample, as a measure of scores reads it."""

    steps: Steps
    positives: float
    negatives: float


def bootstrap_scores(
    measures: Sequence[Callable[[ScoredLabels], float]],
    scored: ScoredLabels,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Interval]:
    """Percentile intervals of measures of scores, over resamples of the rows.

    Parameters
    ----------
    measures : sequence of MetricDef or callable
        Of the family "scores", with their parameters set.
    scored : ScoredLabels
        Sums of weights are taken as rows, rounded.
    level : float
        Confidence, between 0 and 1.
    resamples, seed : int

    Returns
    -------
    list of Interval
        One per measure. The estimate comes from all rows. Resamples of a long table see its `threshold_grid`, and the
        bounds are moved by what the grid alone changes. nan bounds where the measure is undefined in half of the
        resamples or more, or has the same value in all of them.

    Examples
    --------
    >>> from evalcore.classification import average_precision
    >>> noise = np.random.default_rng(1).normal(size=100)
    >>> scored = ScoredLabels.from_arrays([1, 0] * 50, np.array([1, 0] * 50) + noise, positive=1)
    >>> (interval,) = bootstrap_scores([average_precision], scored)
    >>> round(interval.estimate, 3), bool(interval.low < interval.estimate < interval.high)
    (0.852, True)
    """
    check_level(level)
    estimates = [float(measure(scored)) for measure in measures]
    grid = threshold_grid(scored.table(), STEPS)
    if not scored.positives or not scored.negatives:
        return [Interval(estimate, np.nan, np.nan) for estimate in estimates]

    def of_block(part: slice, counts: ConfusionCounts) -> Array:
        drawn = [resampled_scores(tp, fp) for tp, fp in zip(counts.tp, counts.fp, strict=True)]
        return np.array([[measure(one) for measure in measures] for one in drawn])

    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.concatenate(resampling_of(grid, resamples, seed).over_blocks(of_block, threads=1))
        moved = np.array(estimates) - [
            measure(resampled_scores(grid.counts.tp, grid.counts.fp)) for measure in measures
        ]
    return [percentile_interval(*of_one, level) for of_one in zip(estimates, (values + moved).T, strict=True)]


def resampled_scores(tp: Array, fp: Array) -> ScoredLabels:
    """What a measure of scores reads of a resample, from its cumulated counts, shape (t,)."""
    # Thresholds without rows in the resample are left out.
    steps = np.diff(tp + fp, prepend=0.0) > 0
    tp, fp = (np.concatenate([[0.0], hits[steps]]) for hits in (tp, fp))
    # Measures of scores use the counts, never the thresholds, so any falling numbers do.
    resample = _Resample(Steps(np.arange(len(tp), 0.0, -1), tp, fp), float(tp[-1]), float(fp[-1]))
    return cast(ScoredLabels, resample)
