"""Two systems on independent rows, such as two hospitals or two quarters: the difference of every measure.

Nothing links a row of one sample to a row of the other, so variances add up and each sample is resampled by itself;
clusters with rows in both make the values of both vary together, which is taken off.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from evalcore.classification import ClusterCounts, ConfusionCounts, ConfusionMatrix, ScoredLabels
from evalcore.inference.base import clustered, resampling
from evalcore.inference.base.comparison import Comparison, bootstrap_comparison, clustered_comparison, one_sided_p
from evalcore.inference.base.intervals import Interval, check_draws, check_level, log_ratio_interval, unless_rejected
from evalcore.inference.base.resampling import RESAMPLES, SEED
from evalcore.inference.base.swaps import MOST_ROWS, few_pairs, share_as_large
from evalcore.inference.independent.unpaired import compare_independent_auc, compare_shares, correlation_factor
from evalcore.inference.intervals.scores import resampled_score_values
from evalcore.inference.paired.measures import LEAST
from evalcore.numeric import Array, average_ranks
from evalcore.registry import MetricDef

__all__ = ["independent_differences", "independent_matrix_differences", "independent_score_differences"]

EXCHANGE = "exchange of rows between the samples"
DRAWS, DRAWS_OF_SCORES = 2000, 500  # random exchanges; fewer where each draws two curves


def exchanged_counts(measures: Sequence[MetricDef], a: ConfusionCounts, b: ConfusionCounts) -> list[float]:
    """p of a difference in each measure of counts of shape (); ratios by logarithms."""
    cells = np.rint([[float(getattr(one, cell)) for cell in ("tp", "fp", "fn", "tn")] for one in (a, b)])
    drawn = _redistributed(cells, DRAWS)
    of_a, of_b = (ConfusionCounts(*part.T) for part in (drawn, cells.sum(axis=0) - drawn))
    p_values = []
    for measure in measures:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = [np.asarray(measure(one), dtype=np.float64) for one in (of_b, of_a)]
            logs = measure.interval == "logarithm"
            differences = np.log(values[0]) - np.log(values[1]) if logs else values[0] - values[1]
        p_values.append(share_as_large(differences, float(differences[0])))
    return p_values


def _redistributed(cells: Array, draws: int) -> Array:
    """Cells of A, shape (1 + draws, m): in the sample, then with all rows dealt to A and B at random."""
    total = cells.sum(axis=0).astype(np.int64)
    random = np.random.default_rng(SEED)
    drawn = random.multivariate_hypergeometric(total, int(cells[0].sum()), size=draws, method="marginals")
    return np.vstack([cells[:1], drawn]).astype(np.float64)


def exchanged_scores(measures: Sequence[MetricDef], a: ScoredLabels, b: ScoredLabels) -> list[float]:
    """Test differences of measures of scores by dealing the rows to A and B at random, with relative rank and class."""
    ranks, labels = [], []
    for one in (a, b):
        rows = one.all_rows
        labels.append(rows["labels"])
        ranks.append(average_ranks(rows["scores"] * (1 if one.higher_is_positive else -1)) / len(rows["scores"]))
    rank, label, size = np.concatenate(ranks), np.concatenate(labels), len(ranks[0])
    random, order = np.random.default_rng(SEED), np.arange(len(label))
    values = []
    for draw in range(DRAWS_OF_SCORES + 1):
        if draw:  # the first one is the sample; every exchange keeps how many of each class a sample has
            order[label], order[~label] = (random.permutation(np.flatnonzero(one)) for one in (label, ~label))
        of_a, of_b = (ScoredLabels.from_arrays(label[part], rank[part]) for part in (order[:size], order[size:]))
        values.append([float(measure(of_b)) - float(measure(of_a)) for measure in measures])
    return [share_as_large(of_one, float(of_one[0])) for of_one in np.transpose(values)]


def agreeing(compared: Comparison, level: float) -> Comparison:
    """Make the p-value and the interval of a comparison agree: the one that claims more gives way."""
    interval, null = compared.interval, compared.null
    includes = float(interval.low) <= null <= float(interval.high)
    if compared.p_value > 1 - level + 1e-12:
        return replace(compared, interval=unless_rejected(interval, compared.p_value, level, null))
    if includes and compared.interval_at is not None:
        return replace(compared, p_value=min(2 * one_sided_p(compared, null, above=compared.estimate > null), 1.0))
    return compared


def with_exchange(compared: Comparison, p_value: float, level: float) -> Comparison:
    """Return the comparison with the larger of its p-value and that of the exchanges."""
    if math.isnan(p_value) or math.isnan(compared.estimate) or p_value <= compared.p_value:
        return compared
    return agreeing(replace(compared, p_value=p_value, method=f"{compared.method}, {EXCHANGE}"), level)


NEWCOMBE = "Newcombe, z test or Fisher's exact test"
LOGARITHMS = "ratio, normal law of the logarithms"
BOOTSTRAPS = "two bootstraps"


def independent_differences(
    measures: Sequence[MetricDef],
    a: ConfusionCounts,
    b: ConfusionCounts,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:
    """Compare B with A by measures of counts of shape () of two independent samples.

    Shares have Newcombe's interval with the z test, or Fisher's exact test where few rows are expected in a cell;
    quotients the ratio of B's value to A's (`null` 1), whose logarithm is taken as normal; all others a bootstrap of
    either sample. Where a class has fewer than 25 rows in a sample, or no resample contradicts, p of the last two comes
    from random exchanges of rows between the samples. Clusters are taken whole; `alike` gives the correlation of a
    measure's values in both samples through shared ones. See R. Newcombe (1998), as `compare_shares`; G. Zou, A. Donner
    (2008), doi:10.1002/sim.3095.
    """
    check_level(level)
    check_draws(resamples)
    n, samples = round(float(a.total + b.total)), None
    comparisons = []
    for measure in measures:
        if measure.interval == "share":
            compared = _by_shares(measure, a, b, level, alike(measure))
        elif measure.interval == "logarithm":
            compared = _by_logarithm(measure, a, b, level, alike(measure))
        else:
            samples = samples or [resampling.resampled_counts(one, resamples, SEED + k) for k, one in enumerate((a, b))]
            with np.errstate(invalid="ignore"):
                estimate = float(np.subtract(measure(b), measure(a)))
                values = (np.asarray(measure(samples[0])), np.asarray(measure(samples[1])))
            degrees = _fewest(*(one.clusters and _degrees(one.clusters) for one in (a, b)))
            compared = _by_bootstraps(estimate, values, level, n, degrees, alike(measure))
        comparisons.append(compared)
    if a.clusters is None and b.clusters is None:
        smallest = min(float(rows) for one in (a, b) for rows in (one.actual_positives, one.actual_negatives))
        _exchange_doubtful(comparisons, smallest, resamples, lambda: exchanged_counts(measures, a, b), level)
        return comparisons
    heavy = any(bool(clustered.few_heavy_of(one.moments)) for one in (a, b) if one.moments is not None)
    return [one.marked(heavy) for one in comparisons]


def independent_matrix_differences(
    measures: Sequence[MetricDef],
    a: ConfusionMatrix,
    b: ConfusionMatrix,
    level: float = 0.95,
    resamples: int = 1000,
    alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:
    """Compare measures of confusion matrices of two independent samples with the same classes."""
    check_level(level)
    n = round(float(a.counts.sum() + b.counts.sum()))
    values = [resampling.resampled_matrix_values(measures, one, resamples, SEED + k) for k, one in enumerate((a, b))]
    degrees = _fewest(*(one.rows and clustered.degrees_of_codes(one.rows.clusters, one.rows.weights) for one in (a, b)))
    comparisons = []
    for place, measure in enumerate(measures):
        if measure.paired_test == "share" and degrees is None:
            right = [(float(np.trace(one.counts)), float(one.counts.sum())) for one in (b, a)]
            compared = _shares(*right[0], *right[1], level, n, alike(measure))
        else:
            estimate = float(measure(b)) - float(measure(a))
            both = (values[0][:, place], values[1][:, place])
            compared = _by_bootstraps(estimate, both, level, n, degrees, alike(measure))
        comparisons.append(compared)
    if degrees is None:

        def exchanged() -> list[float]:
            cells = np.rint([one.counts.reshape(-1) for one in (a, b)])
            of_a, total = _redistributed(cells, resamples), cells.sum(axis=0)
            values = [resampling.values_of_tables(measures, a.classes, tables) for tables in (of_a, total - of_a)]
            return [share_as_large(of_one, float(of_one[0])) for of_one in (values[1] - values[0]).T]

        of_classes = [rows for one in (a, b) for rows in one.counts.sum(axis=1).tolist() if rows]
        _exchange_doubtful(comparisons, min(of_classes, default=math.inf), resamples, exchanged, level)
    return comparisons


def independent_score_differences(
    measures: Sequence[MetricDef],
    a: ScoredLabels,
    b: ScoredLabels,
    level: float = 0.95,
    resamples: int = 1000,
    alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:
    """Compare measures of scores of two independent samples, whose scales and directions may differ.

    Areas under ROC curves are compared by `compare_independent_auc`, all else by a bootstrap of either sample. With
    fewer than 25 rows of a class p comes from exchanges of rows with their relative rank in their own sample.
    """
    check_level(level)
    n = round(a.positives + a.negatives + b.positives + b.negatives)
    comparisons: dict[str, Comparison] = {}
    for measure in measures:
        if measure.paired_test == "delong":
            scale = measure.highest - measure.lowest
            comparisons[measure.key] = compare_independent_auc(a, b, level, correlation=alike(measure)).scaled(scale)
    degrees = _fewest(*(clustered.degrees_of_rows(one) if one.clusters else None for one in (a, b)))
    if others := [measure for measure in measures if measure.key not in comparisons]:
        (of_a, in_a), (of_b, in_b) = (
            resampled_score_values(others, one, resamples, SEED + k) for k, one in enumerate((a, b))
        )
        for place, measure in enumerate(others):
            estimate, values = float(of_b[place] - of_a[place]), (in_a[:, place], in_b[:, place])
            comparisons[measure.key] = _by_bootstraps(estimate, values, level, n, degrees, alike(measure))
    smallest = min(a.positives, a.negatives, b.positives, b.negatives)
    weighted = a.positive_weights is not None or b.positive_weights is not None
    if degrees is None and not weighted and few_pairs(smallest) and 0 < n <= MOST_ROWS:
        p_values = exchanged_scores(measures, a, b)
        for measure, p_value in zip(measures, p_values, strict=True):
            comparisons[measure.key] = with_exchange(comparisons[measure.key], p_value, level)
    heavy = any(map(clustered.few_heavy_classes, (a, b)))
    return [comparisons[measure.key].marked(heavy) for measure in measures]


def _by_shares(measure: MetricDef, a: ConfusionCounts, b: ConfusionCounts, level: float, alike: float) -> Comparison:
    rows = sum(float(resampling.share_counts(measure, one)[1]) for one in (a, b))
    (x, n), (y, m) = (resampling.effective_share_counts(measure, one, level) for one in (b, a))
    compared = _shares(float(x), float(n), float(y), float(m), level, round(rows), alike)
    # Effective rows leave the value what it is, up to rounding.
    return replace(compared, estimate=float(measure(b)) - float(measure(a)))


def _shares(x: float, n: float, y: float, m: float, level: float, rows: int, alike: float = 0.0) -> Comparison:
    def at(level: float) -> Interval:
        return Interval(*map(float, compare_shares(x, n, y, m, level, alike).interval.ends))

    interval, p_value = at(level), float(compare_shares(x, n, y, m, level, alike).p_values)
    tested = None if math.isnan(p_value) else at
    compared = Comparison(NEWCOMBE, interval.estimate, interval, math.nan, p_value, rows, interval_at=tested)
    return agreeing(compared, level)


def _by_logarithm(measure: MetricDef, a: ConfusionCounts, b: ConfusionCounts, level: float, alike: float) -> Comparison:
    def at(level: float) -> Interval:
        of_a, of_b = (log_ratio_interval(measure, one, level) for one in (a, b))
        with np.errstate(divide="ignore", invalid="ignore"):
            estimate = float(np.divide(of_b.estimate, of_a.estimate))
            own, other = (float(np.log(one.high / one.estimate)) for one in (of_a, of_b))
            reach = math.hypot(own, other)
            if alike:
                reach = math.sqrt(max(own**2 + other**2 - 2 * alike * own * other, 0.0))
            factor = math.exp(reach) if reach < 700 else math.inf
        return Interval(estimate, estimate / factor, estimate * factor)

    interval, n = at(level), round(float(a.total + b.total))
    tested = None if math.isnan(interval.low) else at
    compared = Comparison(LOGARITHMS, interval.estimate, interval, math.nan, math.nan, n, null=1.0, interval_at=tested)
    if tested is None or not 0 < compared.estimate < math.inf:
        return compared
    return replace(compared, p_value=min(2 * one_sided_p(compared, 1.0, above=compared.estimate > 1), 1.0))


def _by_bootstraps(
    estimate: float, values: tuple[Array, Array], level: float, n: int, degrees: float | None, alike: float = 0.0
) -> Comparison:
    with np.errstate(invalid="ignore"):
        differences = np.subtract(values[1], values[0])
        if alike and math.isfinite(estimate):
            differences = estimate + correlation_factor(values, alike) * (differences - estimate)
        if degrees is None:
            compared = bootstrap_comparison(estimate, differences, level, n)
        else:
            compared = clustered_comparison(estimate, differences, level, n, degrees + 1, degrees)
    return replace(compared, method=BOOTSTRAPS)


def _exchange_doubtful(
    comparisons: list[Comparison], smallest: float, resamples: int, exchanged: Callable[[], list[float]], level: float
) -> None:
    """Replace a p-value by that of exchanges if it rests on few rows, or is as small as resamples can make it.

    Shares have exact tests of their own. `smallest` is the rows of the rarest class of a sample.
    """
    doubtful = [
        place
        for place, one in enumerate(comparisons)
        if one.method != NEWCOMBE and (few_pairs(smallest) or (one.null == 0 and one.p_value <= LEAST / resamples))
    ]
    p_values = exchanged() if doubtful else []
    for place in doubtful:
        comparisons[place] = with_exchange(comparisons[place], p_values[place], level)


def _degrees(clusters: ClusterCounts) -> float:
    return clustered.degrees_by_sizes(clusters.cells.sum(axis=1), max(clusters.worth - 1, 1.0))


def _fewest(*degrees: float | None) -> float | None:
    """Smallest of the known degrees of freedom; None if all rows are independent."""
    known = [one for one in degrees if one is not None]
    return min(known) if known else None
