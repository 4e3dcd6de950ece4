"""Uncertainty of a chosen threshold: where it falls in resamples, and its value out of sample."""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.classification import ConfusionCounts, Goal, NoThreshold, ThresholdTable, threshold_grid
from evalcore.inference.base.bootstrap import RESAMPLES, SEED, percentile_bounds
from evalcore.inference.base.intervals import check_level
from evalcore.inference.base.resampling import Clusters, Resampling, resampling_of
from evalcore.numeric import Array

__all__ = ["ChoiceBootstrap", "bootstrap_choice"]


@dataclass(frozen=True, eq=False)
class ChoiceBootstrap:
    """The thresholds that a goal chooses in resamples of the rows."""

    goal: Goal
    resampling: Resampling  # how the resamples were drawn: seed, number, rows or groups
    # Shape (b,): place of the threshold that each resample chooses; −1 where no threshold is allowed or defined.
    rows: np.ndarray
    value: float  # the goal at the threshold chosen in the sample; nan without one
    # Mean over the resamples of the goal at the threshold each chooses, in that resample minus in the sample.
    optimism: float
    # Shape (t,): the thresholds at which the limits hold and the goal differs from its best by at most one standard
    # error of that difference.
    good: np.ndarray
    limits_kept: float  # of the resamples with a choice, the share whose threshold also meets the limits in the sample
    # Resamples in which no threshold met the limits, and in which the goal was undefined at all that did.
    unmet: int
    undefined: int
    reason: str  # why numbers are nan, as a sentence; empty if none is

    @property
    def thresholds(self) -> Array:
        """The thresholds chosen from, shape (t,): those of the grid, the strictest first."""
        return self.resampling.table.thresholds

    @property
    def chosen(self) -> Array:
        """The threshold of each resample that has one, the strictest first."""
        return self.thresholds[np.sort(self.rows[self.rows >= 0])]

    @property
    def shares(self) -> Array:
        """Of the resamples with a choice, the share that chooses each threshold, shape (t,); nan if none has one."""
        times = np.bincount(self.rows[self.rows >= 0], minlength=len(self.thresholds))
        return times / times.sum() if times.sum() else np.full(len(times), np.nan)

    @property
    def plateau(self) -> Array:
        """(low, high) of the ranges of good thresholds, ascending, with the ends of `Choice`."""
        edges = np.flatnonzero(np.diff(np.concatenate([[False], self.good, [False]]).astype(np.int8)))
        ranges = self.resampling.table.ranges(edges[::2], edges[1::2] - 1)
        return ranges[np.argsort(ranges[:, 0])]

    @property
    def out_of_sample(self) -> float:
        """The value in the sample minus the optimism: what to expect of the threshold on other rows."""
        return self.value - self.optimism

    def spread(self, level: float = 2 / 3) -> tuple[float, float]:
        """Lowest and highest threshold of the middle share of the choices; nan if there are none."""
        check_level(level)
        if not len(self.chosen):
            return math.nan, math.nan
        low, high = percentile_bounds(self.chosen, level)
        return float(low), float(high)


def bootstrap_choice(
    goal: Goal,
    table: ThresholdTable,
    *,
    stratified: bool = False,
    clusters: Clusters | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ChoiceBootstrap:
    """Choose a threshold again in each of many resamples of the rows.

    Up to 1,000 distinct scores each is a threshold to choose; of more, those of the `threshold_grid`. Optimism is
    Efron's: the value of the chosen threshold in the resample that chose it, minus its value in the sample. The plateau
    follows the one-standard-error rule, with the standard error of the difference to the best threshold from the same
    resamples.

    Parameters
    ----------
    stratified : bool
        Draw positives and negatives separately, as many of each as in the sample.
    clusters : Clusters, optional
        Draw whole groups instead, as counted by `clusters_of` over ``threshold_grid(table)``.

    References
    ----------
    B. Efron, R. Tibshirani (1993). An Introduction to the Bootstrap. Chapman & Hall, chapter 17.
    L. Breiman, J. Friedman, R. Olshen, C. Stone (1984). Classification and Regression Trees. Wadsworth, section 3.4.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels, youden_goal
    >>> labels = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0]
    >>> table = ScoredLabels.from_arrays(labels, range(16, 0, -1), positive=1).table()
    >>> result = bootstrap_choice(youden_goal(), table)
    >>> result.value, result.optimism > 0, result.spread()
    (0.5, True, (6.0, 12.0))
    """
    grid = threshold_grid(table)
    resampling = resampling_of(grid, resamples, seed, stratified, clusters)
    in_sample = np.asarray(goal.measure(grid.counts), dtype=np.float64)
    row = int(goal.chosen_rows(grid.counts, in_sample))

    def one(part: slice, counts: ConfusionCounts) -> tuple[np.ndarray, Array, int, Array]:
        values = np.asarray(goal.measure(counts))
        rows = goal.chosen_rows(counts, values)
        none = rows < 0
        unmet = int((~goal.allowed(counts[none]).any(axis=-1)).sum()) if none.any() else 0
        return rows, values[np.arange(len(rows)), rows], unmet, _differences(values, row)

    blocks = resampling.over_blocks(one)
    rows = np.concatenate([part[0] for part in blocks])
    chose = rows >= 0
    resampled = np.concatenate([part[1] for part in blocks])[chose]
    unmet = sum(part[2] for part in blocks)
    optimism = _optimism(resampled, in_sample[rows[chose]])
    allowed = goal.allowed(grid.counts)
    good = _as_good(in_sample, allowed, row, np.sum([part[3] for part in blocks], axis=0))
    try:
        value = goal.choose(table).value
    except NoThreshold:
        value = math.nan
    undefined = int((~chose).sum()) - unmet
    reason = _reason(value, optimism, int(chose.sum()))
    limits_kept = float(allowed[rows[chose]].mean()) if chose.any() else math.nan
    return ChoiceBootstrap(goal, resampling, rows, value, optimism, good, limits_kept, unmet, undefined, reason)


def _differences(values: Array, row: int) -> Array:
    """Of the finite differences to the best threshold in a block of resamples: number, sum and sum of squares."""
    if row < 0:
        return np.zeros((3, values.shape[1]))
    with np.errstate(invalid="ignore"):  # infinite less infinite
        short = values[:, row, None] - values
    known = np.isfinite(short)
    if not known.all():
        short = np.where(known, short, 0.0)
    return np.stack([known.sum(axis=0), short.sum(axis=0), np.einsum("bt,bt->t", short, short)])


def _as_good(values: Array, allowed: np.ndarray, row: int, sums: Array) -> np.ndarray:
    """The thresholds within one standard error of the best, from the sums of `_differences`."""
    if row < 0:
        return np.zeros(len(values), dtype=bool)
    many, total, squares = sums
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(np.maximum(squares / many - (total / many) ** 2, 0.0))
        # Undefined and infinite values compare as False.
        good = (np.abs(values[row] - values) <= error) & allowed & (2 * many > many.max())
    good[row] = True
    return good


def _optimism(resampled: Array, in_sample: Array) -> float:
    """Mean excess of the value in the resamples over the value in the sample; nan where half or more are infinite."""
    known = np.isfinite(resampled) & np.isfinite(in_sample)
    return float((resampled[known] - in_sample[known]).mean()) if 2 * known.sum() > len(known) else math.nan


def _reason(value: float, optimism: float, chose: int) -> str:
    if not chose:
        return "No resample has a threshold that meets the limits and at which the goal is defined."
    if math.isnan(value):
        return "In the sample itself no threshold meets the limits, or the goal is undefined at all that do."
    if math.isnan(optimism) or not math.isfinite(value):
        return "The goal is infinite in the sample, or in half of the resamples or more."
    return ""
