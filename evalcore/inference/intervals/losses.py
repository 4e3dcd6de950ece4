"""Bootstrap intervals of losses of probabilities, and the calibration error of calibrated forecasts by chance."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evalcore.classification import EventProbabilities, LabelScores, LabelSets, ProbabilityTable, ReliabilityBins
from evalcore.classification.binary.clusters import ClusterCounts
from evalcore.classification.binary.counts import error_rate, precision, recall
from evalcore.classification.binary.indices import f_beta, jaccard
from evalcore.classification.binary.labels import mean_over_rows
from evalcore.classification.several.losses import squares, surprise_over_classes
from evalcore.classification.several.probabilities import CLIP, surprise
from evalcore.inference.base import Interval, effective_shares, percentile_interval, randomization, wilson
from evalcore.inference.base.clustered import bags_of_rows, resampled_sums
from evalcore.inference.base.comparison import few_pairs
from evalcore.inference.base.intervals import check_draws, check_level, unless_rejected
from evalcore.inference.base.resampling import SEED, clustered_percentiles, percentile_bounds, resampled_cells
from evalcore.numeric import Array, Indices, at_rows, over_parts, over_rows, ratio, whole_rows

__all__ = ["RESAMPLES", "ChanceError", "bootstrap_label_measures", "bootstrap_losses", "calibration_error_by_chance"]
__all__ += ["clustered_frequencies", "compare_losses"]

RESAMPLES = 1000

CELLS = 4000
"""Up to this many rows each is drawn separately; of more, rows of one class with nearly the same loss together."""

RANKING_MEASURES = {
    "label_ranking_average_precision": "precision",
    "coverage_error": "coverage",
    "label_ranking_loss": "loss",
}
"""Measures of label rankings that are means over the rows, with their names in the ranks of `LabelScores`."""


def bootstrap_losses(
    table: ProbabilityTable, base: float = math.e, clip: float = CLIP, level: float = 0.95, resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[str, Interval]:  # fmt: skip
    """Intervals of log-loss, Brier score and skill by key, over the same resamples; nan bounds for an infinite loss."""
    check_level(level)
    if table.weights is not None:
        table = table[table.counted]  # rows of weight 0 cost nothing, even with an infinite loss
    losses, own = _losses_of_rows(table, base, clip), table.base_rates
    estimates, uncertainty = [table.mean(column) for column in losses], float((own * (1 - own)).sum())
    estimates.append(1 - estimates[2] / uncertainty if uncertainty > 0 else math.nan)
    codes, clusters = None if table.clusters is None else table.event(0).cluster_codes, 0
    if codes is None:
        sizes, means, actual = _cells(losses, table.actual, table.weights, cost=losses[0])
        n = whole_rows(sizes.sum())
        if not n:  # weights that sum to less than half a row have losses but no resamples
            return _by_key([Interval(estimate, math.nan, math.nan) for estimate in estimates])
        draws = resampled_cells(sizes, resamples, seed)
        with np.errstate(invalid="ignore"):
            # Whole numbers before they are divided, so that the rate of a single class is exactly 1.
            rates, resampled = draws @ _indicators(actual, table) / n, (draws / n) @ means
    else:
        columns = np.column_stack([*losses, _indicators(table.actual, table)])
        sums, clusters = drawn_sums(columns, codes, table.weights, resamples, seed)
        rows = sums[:, 3:].sum(axis=1, keepdims=True)
        rates, resampled = ratio(sums[:, 3:], rows), ratio(sums[:, :3], rows)
    chance = (rates * (1 - rates)).sum(axis=1)
    # In a resample of one class the skill is undefined.
    values = np.column_stack([resampled, np.where(chance > 0, 1 - ratio(resampled[:, 2], chance), np.nan)])
    if codes is not None:
        return _by_key(clustered_percentiles(estimates, values, codes, table.weights, clusters, level))
    return _by_key([percentile_interval(*each, level) for each in zip(estimates, values.T, strict=True)])


def _indicators(actual: Indices, table: ProbabilityTable) -> Array:
    """Rows as flags of their classes, shape (n, k)."""
    return (actual[:, None] == np.arange(len(table.classes))).astype(np.float64)


def drawn_sums(columns: Array, codes: Indices, weights: Array | None, resamples: int, seed: int) -> tuple[Array, int]:
    """Sums of columns, (n, m), over clusters drawn with replacement, (resamples, m), and the number of clusters."""
    codes = np.unique(codes, return_inverse=True)[1]
    weight = np.ones(len(columns)) if weights is None else weights
    cells = np.column_stack([np.bincount(codes, weights=weight * column) for column in columns.T]).astype(np.float64)
    with np.errstate(invalid="ignore"):
        count = int(np.count_nonzero(np.bincount(codes, weight)))
        return resampled_sums(ClusterCounts(cells, True), resamples, seed), count


def compare_losses(
    before: ProbabilityTable, after: ProbabilityTable, base: float = math.e, clip: float = CLIP, level: float = 0.95,
    resamples: int = RESAMPLES, seed: int = SEED,
) -> dict[str, Interval]:  # fmt: skip
    """Change in the losses between two sets of probabilities for the same rows, in the same order, of the same weights.

    Settings as `bootstrap_losses`. Below 0 is better. An infinite loss has nan bounds. With fewer than 25 rows an
    interval includes 0 where the exact randomisation test does not reject it.
    """
    check_level(level)
    codes = None if before.clusters is None else before.event(0).cluster_codes
    counted = slice(None) if before.weights is None or codes is not None else before.weights > 0
    weights = at_rows(before.weights, counted)
    pairs = zip(*(_losses_of_rows(table, base, clip) for table in (before, after)), strict=True)

    def change(pair: tuple[Array, Array]) -> Interval:
        one, two = (losses[counted] for losses in pair)
        with np.errstate(invalid="ignore"):
            moved = two - one
        interval = bootstrap_mean(moved, weights, codes, level, resamples, seed)
        if codes is None and weights is None and few_pairs(len(moved)) and np.isfinite(moved).all():
            return unless_rejected(interval, randomization(one, two).p_value, level)
        return interval

    return _by_key(over_parts(change, list(pairs), len(before.actual)))


def _by_key(intervals: Sequence[Interval]) -> dict[str, Interval]:
    """Intervals of the three losses, and of the skill, by the keys of the measures."""
    by_key = dict(zip(("log_loss", "log_loss_over_classes", "brier_score", "brier_skill"), intervals, strict=False))
    return by_key | {"half_brier_score": by_key["brier_score"].scaled(0.5)}


def bootstrap_mean(
    values: Array, weights: Array | None = None, codes: Indices | None = None, level: float = 0.95,
    resamples: int = RESAMPLES, seed: int = SEED,
) -> Interval:  # fmt: skip
    """Interval of the mean of one value per row, by resampling rows, or whole clusters if their codes are given.

    Of very many rows, neighbours in value are drawn together. Of clusters the mean is over rows with a defined value.
    """
    if codes is not None:
        defined = ~np.isnan(values) & (True if weights is None else weights > 0)
        weight, codes, estimate = at_rows(weights, defined), codes[defined], mean_over_rows(values, weights)
        if not math.isfinite(estimate):
            return Interval(estimate, math.nan, math.nan)
        known = values[defined]
        sums, clusters = drawn_sums(np.column_stack([known, np.ones(len(known))]), codes, weight, resamples, seed)
        return clustered_percentiles([estimate], ratio(*sums.T)[:, None], codes, weight, clusters, level)[0]
    with np.errstate(invalid="ignore"):
        total = float(len(values) if weights is None else weights.sum())
        estimate = float(ratio((values if weights is None else weights * values).sum(), total))
    if not (n := whole_rows(total)) or not math.isfinite(estimate):
        return Interval(estimate, math.nan, math.nan)
    sizes, means, _ = _cells([values], np.zeros(len(values), dtype=np.intp), weights, cost=values - values.min())
    return percentile_interval(estimate, (resampled_cells(sizes, resamples, seed) @ means)[:, 0] / n, level)


def _losses_of_rows(table: ProbabilityTable, base: float, clip: float) -> list[Array]:
    """The three losses of each row: logarithm, its sum over the classes, square."""
    unit, own = math.log(base), table.of_actual
    each = over_rows(lambda rows: surprise(own[rows], clip) / unit, len(own))
    return [each, surprise_over_classes(table, clip) / unit, squares(table)]


def _cells(columns: list[Array], groups: Indices, weights: Array | None, cost: Array) -> tuple[Array, Array, Indices]:
    """Weight, mean values and group of the cells that are drawn together: single rows, or of many rows neighbours.

    Rows of similar cost are neighbours. A cell never holds two groups, nor more than a small share of the rows or of
    their cost.
    """
    if len(groups) <= CELLS:
        return np.ones(len(groups)) if weights is None else weights, np.column_stack(columns), groups
    cost = np.where(np.isfinite(cost), cost, 0.0)
    order = _neighbours(cost, groups)
    ordered, dear = groups[order], cost[order]
    if weights is None:
        rows = np.arange(1.0, len(order) + 1)
    else:
        counted = weights[order]
        rows, dear = np.cumsum(counted), counted * dear
    costs = np.cumsum(dear)
    block = np.floor((rows / max(rows[-1], 1e-300) + costs / max(costs[-1], 1e-300)) * (CELLS / 8))
    starts = np.append(True, (block[1:] > block[:-1]) | (ordered[1:] > ordered[:-1]))
    cell = np.empty(len(order), dtype=np.intp)
    cell[order] = np.cumsum(starts) - 1
    sizes = np.bincount(cell, weights=weights).astype(np.float64)
    with np.errstate(invalid="ignore"):
        sums = [np.bincount(cell, weights=one if weights is None else one * weights) for one in columns]
        means = ratio(np.column_stack(sums), sizes[:, None])
    means[sizes == 0] = 0.0
    return sizes, means, ordered[starts]


def _neighbours(cost: Array, groups: Indices) -> Indices:
    """The rows by group, within a group by cost, as far as 32 bits distinguish costs.

    Sixteen bits at a time, which numpy sorts by counting; the bits of numbers that are not negative are in the order of
    the numbers.
    """
    bits = np.maximum(cost, 0).astype(np.float32).view(np.uint32)
    order = np.argsort((bits & 0xFFFF).astype(np.uint16), kind="stable")
    for part in ((bits >> 16).astype(np.uint16), groups.astype(np.min_scalar_type(int(groups.max())))):
        order = order[np.argsort(part[order], kind="stable")]
    return order


def bootstrap_label_measures(state: LabelSets | LabelScores, level: float = 0.95) -> dict[str, Interval]:
    """Intervals of the measures of sets, or of those of rankings of labels by scores, by resampling the rows.

    Rows with the same numbers of true, predicted and correct labels are drawn together, whatever their number. Whole
    clusters are drawn where rows belong together.
    """
    check_level(level)
    if isinstance(state, LabelScores):
        of_rows = {key: getattr(state.ranks, name) for key, name in RANKING_MEASURES.items()}
        return {key: bootstrap_mean(one, state.weights, state.clusters, level) for key, one in of_rows.items()}
    counts, rows = state.of_rows
    values = {
        "samples_precision": precision(counts),
        "samples_recall": recall(counts),
        "samples_f1": f_beta(counts),
        "samples_jaccard": jaccard(counts),
        "subset_accuracy": (counts.fp + counts.fn == 0).astype(np.float64),
        "hamming_loss": error_rate(counts),
    }
    if state.clusters is not None:
        index, beside = state.outcomes[1], (state.weights, state.clusters, level)
        return {key: bootstrap_mean(np.asarray(one)[index], *beside) for key, one in values.items()}
    drawn = resampled_cells(rows, RESAMPLES, SEED)
    return {key: _of_cells(np.asarray(one), rows, drawn, level) for key, one in values.items()}


def _of_cells(values: Array, rows: Array, drawn: Array, level: float) -> Interval:
    """The mean over the rows where a value is defined, with its interval."""
    defined = ~np.isnan(values)
    if not defined.any():
        return Interval(math.nan, math.nan, math.nan)
    value, some, many = values[defined], rows[defined], drawn[:, defined]
    estimate = float(ratio((value * some).sum(), some.sum()))
    return percentile_interval(estimate, ratio(many @ value, many.sum(axis=1)), level)


def clustered_frequencies(event: EventProbabilities, bins: ReliabilityBins, level: float = 0.95) -> Interval:
    """Wilson's interval of the observed frequency in each bin, (b,), by effective rows; nan bounds in one cluster."""
    codes, places = event.cluster_codes, bins.high.searchsorted(event.probability)
    cells, (hits, sizes) = np.where(event.happened, 0, 2), np.zeros((2, len(bins.n)))
    for index in range(len(bins.n)):
        rows = np.flatnonzero(places == index)
        own = np.unique(codes[rows], return_inverse=True)[1]
        moments = ClusterCounts.of(cells[rows], own, 4, at_rows(event.weights, rows)).moments
        of_bin = [1, 0, 0, 0], [1, 0, 1, 0], bins.happened[index], bins.n[index]
        hits[index], sizes[index] = np.nan_to_num(effective_shares(moments, *of_bin, level)[:2])
    return replace(wilson(hits, sizes, level), estimate=bins.observed, effective=sizes)


@dataclass(frozen=True)
class ChanceError:
    """Calibration errors of perfectly calibrated probabilities, by chance alone."""

    # Mean of the expected calibration error, and the bound it exceeds in a share 1 − level of the trials.
    expected: float
    expected_high: float
    # The same of the maximum calibration error.
    maximum: float
    maximum_high: float


def calibration_error_by_chance(
    bins: ReliabilityBins, level: float = 0.95, trials: int = RESAMPLES, seed: int = SEED,
    event: EventProbabilities | None = None,
) -> ChanceError:  # fmt: skip
    """Simulate outcomes from the predicted probabilities to get the calibration error that chance alone gives.

    A bootstrap would add noise to an error that is never below 0. In each bin every row is drawn with the mean
    probability; whole clusters of the event keep what occurred in them beyond the prediction, or turn its sign, at
    random (wild bootstrap). See A. C. Cameron, J. Gelbach, D. Miller (2008), doi:10.1162/rest.90.3.414; J. Bröcker, L.
    Smith (2007), doi:10.1175/WAF993.1.
    """
    check_level(level)
    check_draws(trials)
    n = np.array([whole_rows(rows) for rows in bins.n], dtype=np.float64)
    if not n.sum():
        return ChanceError(math.nan, math.nan, math.nan, math.nan)
    filled = n > 0
    n, probability = n[filled], np.clip(bins.mean_probability[filled], 0, 1)
    random = np.random.default_rng(seed)
    if event is None or event.clusters is None:
        gaps = np.abs(random.binomial(n.astype(np.int64), probability, size=(trials, len(n))) / n - probability)
    else:
        beyond = _beyond_predictions(event, bins, event.clusters)
        gaps = np.abs(random.choice([-1.0, 1.0], size=(trials, len(beyond))) @ beyond[:, filled]) / bins.n[filled]
    expected, largest = gaps @ (n / n.sum()), gaps.max(axis=1)
    # One-sided: the tail above is that of a two-sided interval with as much below.
    ends = (float(percentile_bounds(values, 2 * level - 1)[1]) for values in (expected, largest))
    return ChanceError(float(expected.mean()), next(ends), float(largest.mean()), next(ends))


def _beyond_predictions(event: EventProbabilities, bins: ReliabilityBins, clusters: Indices) -> Array:
    """Sum of event minus prediction in each bag of clusters and bin, shape (bags, b)."""
    bags = bags_of_rows(clusters, event.weights)
    shape = int(bags.max(initial=-1)) + 1, len(bins.n)
    # Only rows of weight 0 lie beyond the last bin.
    places = np.minimum(bins.high.searchsorted(event.probability), shape[1] - 1)
    beyond = event.weight() * (event.happened - event.probability)
    return np.bincount(bags * shape[1] + places, beyond, shape[0] * shape[1]).astype(np.float64).reshape(shape)
