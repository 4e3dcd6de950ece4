"""Measures of scores without a closed form, such as average precision, by resampling: intervals and differences."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from evalcore.classification import ConfusionCounts, Goal, NoThreshold, ScoredLabels, ThresholdTable, threshold_grid
from evalcore.classification.binary.clusters import LEAST_OF_RESAMPLED, ClusterCounts, cluster_codes, is_weighted
from evalcore.classification.binary.labels import equals, label_array, positive_label, weight_array
from evalcore.classification.binary.scores import Steps
from evalcore.inference.base import Comparison, clustered, exact_if_few, resampling
from evalcore.inference.base.comparison import ScoreMeasures, comparison_of_rows, undrawn_comparison
from evalcore.inference.base.intervals import Interval, check_draws, check_level, normal_quantile
from evalcore.inference.base.resampling import RESAMPLES, SEED, Resampling
from evalcore.numeric import Array, Indices, at_rows, rows_behind, rows_counted, runs_of

__all__ = ["ChoiceBootstrap", "bootstrap_choice", "bootstrap_score_differences", "bootstrap_scores"]

FEW_ROWS = 100  # below so many rows of the rarer class a note says that the intervals may be too narrow
STEPS = 400  # thresholds of a resample
EXACT_UP_TO = 10_000
"""Up to this many rows each keeps its own score in a comparison; of more, rows in the same two bins are one cell."""

_WIDE, _LEAST_BAGS = 4_000_000, 200  # numbers in the table of cells by bags of clusters, and the least number of bags
BINS = 48  # bins per system of longer comparisons, at equal steps of TPR + FPR


class _Resample(NamedTuple):
    """A resample, with the attributes that measures of scores read."""

    steps: Steps
    positives: float
    negatives: float


def bootstrap_scores(
    measures: ScoreMeasures, scored: ScoredLabels, level: float = 0.95, resamples: int = 1000, seed: int = SEED
) -> list[Interval]:
    """Bias-corrected percentile intervals of measures of scores, over resamples of the rows.

    Each resample is a whole curve, so they are fewer than elsewhere: the bounds vary by a thirtieth of the width.
    Resamples lie above the sample as it lies above the truth, so the percentiles are moved by twice the normal quantile
    of the share of resamples below the estimate; not those of clusters. Resamples of a long table see its
    `threshold_grid`, and the bounds are moved by what the grid alone changes. See B. Efron (1981), doi:10.2307/3314608.
    """
    check_level(level)
    estimates, values = resampled_score_values(measures, scored, resamples, seed)
    count = clustered.clusters_of_classes(scored)[2] if scored.clusters else None
    level = level if count is None else clustered.expanded_level(level, count, clustered.degrees_of_rows(scored))
    rarer = min(scored.positives, scored.negatives)
    note = f"Only {rarer:.0f} rows of the rarer class: the interval may be too narrow." if rarer < FEW_ROWS else ""
    heavy = clustered.few_heavy_classes(scored, LEAST_OF_RESAMPLED)
    of_one = _bias_corrected if count is None else resampling.percentile_interval
    return [
        replace(of_one(estimate, column, level), clusters=count, few_heavy=heavy, note=note)
        for estimate, column in zip(estimates.tolist(), values.T, strict=True)
    ]


def _bias_corrected(estimate: float, values: Array, level: float) -> Interval:
    """Bias-corrected percentile interval of resampled values, shape (b,), from the share below the estimate."""
    plain, known = resampling.percentile_interval(estimate, values, level), np.sort(values[~np.isnan(values)])
    if math.isnan(plain.low):
        return plain
    count = len(known)
    # Half of what equals the estimate lies below it; rounding makes no difference.
    near = 1e-12 * abs(estimate)
    below = (np.searchsorted(known, estimate - near) + np.searchsorted(known, estimate + near, side="right")) / 2
    shift = 2 * float(ndtri(np.clip(below / count, 0.5 / count, 1 - 0.5 / count)))
    ends = (ndtr(shift + side * normal_quantile(level)) * (count - 1) for side in (-1, 1))
    low, high = (float(known[round(float(end))]) for end in ends)
    return Interval(estimate, low, high) if low < high else plain


def resampled_score_values(
    measures: ScoreMeasures, scored: ScoredLabels, resamples: int, seed: int
) -> tuple[Array, Array]:
    """Measures of scores in the sample, (m,), and in resamples, (resamples, m), which are nan with one class."""
    estimates = np.array([float(measure(scored)) for measure in measures])
    grid = threshold_grid(scored.table(), STEPS)
    if not scored.positives or not scored.negatives:
        return estimates, np.full((resamples, len(measures)), np.nan)

    def of_block(part: slice, counts: ConfusionCounts) -> Array:
        samples = [resampled_scores(tp, fp) for tp, fp in zip(counts.tp, counts.fp, strict=True)]
        return np.array([[measure(one) for measure in measures] for one in samples])

    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = resampling.resampling_of(grid, resamples, seed, grouped=resampling.clusters_of_rows(grid, scored))
        values = np.concatenate(drawn.over_blocks(of_block, threaded=False))
        moved = estimates - [measure(resampled_scores(grid.counts.tp, grid.counts.fp)) for measure in measures]
    return estimates, values + moved


def resampled_scores(tp: Array, fp: Array) -> ScoredLabels:
    """State of a resample for measures of scores, from its cumulated counts, shape (t,)."""
    # Thresholds without rows in the resample are left out.
    steps = np.diff(tp + fp, prepend=0.0) > 0
    tp, fp = (np.concatenate([[0.0], hits[steps]]) for hits in (tp, fp))
    # Measures of scores use the counts, never the thresholds, so any falling numbers do.
    return cast(ScoredLabels, _Resample(Steps(np.arange(len(tp), 0.0, -1), tp, fp), float(tp[-1]), float(fp[-1])))


def bootstrap_score_differences(
    measures: ScoreMeasures, labels: npt.ArrayLike, scores_a: npt.ArrayLike, scores_b: npt.ArrayLike,
    positive: object = True, weights: npt.ArrayLike | None = None, higher_is_positive: bool = True, level: float = 0.95,
    resamples: int = RESAMPLES, seed: int = SEED, clusters: npt.ArrayLike | None = None,
) -> list[Comparison]:  # fmt: skip
    """Compare B with A by measures of scores on the same rows, over the same resamples.

    For measures without a closed form. Beyond 10,000 rows the resamples see scores in 48 bins per system, and their
    differences are shifted by what binning changes in the sample. With fewer than 25 rows of a class p is that of
    `swap_test_of_scores`. Arguments and errors as `correlated_areas`.
    """
    check_level(level)
    check_draws(resamples)
    both = (scores_a, scores_b)
    states = [ScoredLabels.from_arrays(labels, scores, positive, weights, higher_is_positive) for scores in both]
    estimates = [float(measure(states[1]) - measure(states[0])) for measure in measures]
    truth = label_array(labels, "labels")
    is_positive = equals(truth, positive_label(positive, truth))
    rows = len(is_positive)
    weight = np.ones(rows) if weights is None else weight_array(weights, rows)
    n = rows_behind(weight, rows)
    ranks = [_ranks(scores, state, rows) for scores, state in zip(both, states, strict=True)]
    alike = np.array_equal(ranks[0], ranks[1])
    # A measure is undefined without rows or with one class only, and then in every resample.
    settled = [math.isnan(estimate) or (alike and estimate == 0) for estimate in estimates]
    if all(settled):
        return [undrawn_comparison(estimate, n) for estimate in estimates]
    codes = None if clusters is None else cluster_codes(clusters, rows)
    cells, counts, of_clusters = _cells(is_positive, ranks, weight, codes)
    if of_clusters is None:
        keys, turned = np.array([[rows * rows, rows, 1], [rows * rows, 1, rows]]) @ cells
        order = resampling.drawing_order(keys, turned, counts)
        cells, counts = cells[:, order], counts[order]
    systems = [_order(cells[0] == 1, column) for column in cells[1:]]

    def differences(counts: Array) -> Array:
        a, b = (_resampled(counts, *system) for system in systems)
        return np.array([measure(b) - measure(a) for measure in measures])

    random, size = np.random.default_rng(seed), len(counts)
    draws = clustered.drawn_counts(random, counts, of_clusters, resamples)
    if of_clusters is None and (counts == 1).all():  # to draw rows is faster than to draw their counts
        draws = (np.bincount(random.integers(size, size=size), minlength=size) * 1.0 for _ in range(resamples))
    with np.errstate(divide="ignore", invalid="ignore"):
        moved = np.array(estimates) - differences(counts)
        sample = np.array([*map(differences, draws)]) + moved

    def compared(estimate: float, values: Array) -> Comparison:
        some = None if weights is None else weight
        one = comparison_of_rows(estimate, values, level, n, codes, some)
        if codes is None:
            return one
        sides = ((codes[side], at_rows(some, side)) for side in (is_positive, ~is_positive))
        return one.marked(not is_weighted(some) and any(clustered.few_heavy_codes(*side) for side in sides))

    comparisons = [
        undrawn_comparison(estimate, n) if known else compared(estimate, values)
        for estimate, values, known in zip(estimates, sample.T, settled, strict=True)
    ]
    a, b = (np.asarray(scores, dtype=np.float64) * (1 if higher_is_positive else -1) for scores in both)
    if weights is not None:
        if (each := rows_counted(weight)) is None:
            return comparisons
        is_positive, a, b, codes = is_positive[each], a[each], b[each], at_rows(codes, each)
    return exact_if_few(measures, comparisons, is_positive, a, b, level, codes)


def _ranks(scores: npt.ArrayLike, state: ScoredLabels, rows: int) -> Indices:
    """The rank of each score among the distinct ones, or among the bins of a long table, laxest first."""
    table = state.table()
    grid = table if rows <= EXACT_UP_TO else threshold_grid(table, BINS)
    # A score beyond the laxest threshold belongs to a row of weight 0.
    return np.maximum(len(grid) - 1 - grid.first_rows(scores), 0)


def _cells(
    is_positive: np.ndarray, ranks: list, weight: Array, codes: np.ndarray | None
) -> tuple[np.ndarray, Array, Array | None]:
    """Group rows of the same class and the same two ranks: their three keys and their weight.

    Where rows belong together, also what each cluster, or bag of clusters, has in each of these cells.
    """
    sizes = [int(p.max(initial=0)) + 1 for p in ranks]
    kinds, which = np.unique((is_positive * sizes[0] + ranks[0]) * sizes[1] + ranks[1], return_inverse=True)
    together = np.bincount(which, weights=weight, minlength=len(kinds)).astype(np.float64)
    counts = together > 0
    kinds = kinds[counts]
    keys = np.array([kinds // (sizes[0] * sizes[1]), kinds // sizes[1] % sizes[0], kinds % sizes[1]])
    if codes is None:
        return keys, together[counts], None
    most = int(np.clip(_WIDE // max(len(kinds), 1), _LEAST_BAGS, clustered.MOST_BAGS))
    bags = clustered.bags_of_rows(codes, weight, most)
    place = (np.cumsum(counts) - 1)[which]
    used = counts[which]
    return keys, together[counts], ClusterCounts.of(place[used], bags[used], len(kinds), weight[used]).cells


def _order(is_positive: np.ndarray, rank: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sort cells by falling rank; which are positive, as 0 and 1; and the last of each rank."""
    order = np.argsort(-rank, kind="stable")
    return order, is_positive[order].astype(np.float64), np.flatnonzero(np.append(np.diff(rank[order]) != 0, True))


def _resampled(counts: Array, order: np.ndarray, positive: np.ndarray, ends: np.ndarray) -> ScoredLabels:
    falling = counts[order]
    called, tp = np.cumsum(falling)[ends], np.cumsum(falling * positive)[ends]
    return resampled_scores(tp, called - tp)


@dataclass(frozen=True, eq=False)
class ChoiceBootstrap:
    """Thresholds that a goal chooses in resamples of the rows."""

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
        """Candidate thresholds, shape (t,): those of the grid, the strictest first."""
        return self.resampling.table.thresholds

    @cached_property
    def chosen(self) -> Array:
        """The threshold of each resample that has one, the strictest first."""
        return self.thresholds[np.sort(self.rows[self.rows >= 0])]

    @cached_property
    def shares(self) -> Array:
        """Share of the resamples that choose each threshold, of those with a choice, shape (t,); nan without any."""
        times = np.bincount(self.rows[self.rows >= 0], minlength=len(self.thresholds))
        return times / times.sum() if times.sum() else np.full(len(times), np.nan)

    @cached_property
    def plateau(self) -> Array:
        """(low, high) of the ranges of good thresholds, ascending, with the ends of `Choice`."""
        ranges = self.resampling.table.ranges(*runs_of(self.good))
        return ranges[np.argsort(ranges[:, 0])]

    @property
    def out_of_sample(self) -> float:
        """Value in the sample minus the optimism: the expected value of the threshold on other rows."""
        return self.value - self.optimism

    def spread(self, level: float = 2 / 3) -> tuple[float, float]:
        """Lowest and highest threshold of the middle share of the choices; nan without any."""
        check_level(level)
        if not len(self.chosen):
            return math.nan, math.nan
        low, high = resampling.percentile_bounds(self.chosen, level)
        return float(low), float(high)


def bootstrap_choice(
    goal: Goal, table: ThresholdTable, *, stratified: bool = False, clusters: Any = None, resamples: int = RESAMPLES,
    seed: int = SEED,
) -> ChoiceBootstrap:  # fmt: skip
    """Choose a threshold again in each of many resamples of the rows.

    Up to 1,000 distinct scores each is a threshold to choose; of more, those of the `threshold_grid`. Optimism is
    Efron's: the value of the chosen threshold in its resample minus that in the sample. The plateau follows the
    one-standard-error rule, from the same resamples. Clusters, counted by `clusters_of` over ``threshold_grid(table)``,
    are drawn whole. See B. Efron, R. Tibshirani (1993), An Introduction to the Bootstrap, chapter 17; L. Breiman, J.
    Friedman, R. Olshen, C. Stone (1984), Classification and Regression Trees, section 3.4.
    """
    grid = threshold_grid(table)
    drawn = resampling.resampling_of(grid, resamples, seed, stratified, clusters)
    in_sample = np.asarray(goal.measure(grid.counts), dtype=np.float64)
    row = int(goal.chosen_rows(grid.counts, in_sample))

    def one(part: slice, counts: ConfusionCounts) -> tuple[np.ndarray, Array, int, Array]:
        values = np.asarray(goal.measure(counts))
        rows = goal.chosen_rows(counts, values)
        none = rows < 0
        unmet = int((~goal.allowed(counts[none]).any(axis=-1)).sum()) if none.any() else 0
        return rows, values[np.arange(len(rows)), rows], unmet, _differences(values, row)

    blocks = drawn.over_blocks(one)
    rows = np.concatenate([part[0] for part in blocks])
    chose = rows >= 0
    resampled = np.concatenate([part[1] for part in blocks])[chose]
    unmet = sum(part[2] for part in blocks)
    before = in_sample[rows[chose]]
    finite = np.isfinite(resampled) & np.isfinite(before)
    optimism = float((resampled[finite] - before[finite]).mean()) if 2 * finite.sum() > len(finite) else math.nan
    allowed = goal.allowed(grid.counts)
    good = _as_good(in_sample, allowed, row, np.sum([part[3] for part in blocks], axis=0))
    try:
        value = goal.choose(table).value
    except NoThreshold:
        value = math.nan
    undefined = int((~chose).sum()) - unmet
    reason = _reason(value, optimism, int(chose.sum()))
    limits_kept = float(allowed[rows[chose]].mean()) if chose.any() else math.nan
    return ChoiceBootstrap(goal, drawn, rows, value, optimism, good, limits_kept, unmet, undefined, reason)


def _differences(values: Array, row: int) -> Array:
    """Number, sum and sum of squares of the finite differences to the best threshold in a block of resamples."""
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


def _reason(value: float, optimism: float, chose: int) -> str:
    if not chose:
        return "No resample has a threshold that meets the limits and at which the goal is defined."
    if math.isnan(value):
        return "In the sample itself no threshold meets the limits, or the goal is undefined at all that do."
    if math.isnan(optimism) or not math.isfinite(value):
        return "The goal is infinite in the sample, or in half of the resamples or more."
    return ""
