"""Two systems on rows of their own, such as two hospitals or two quarters: the difference of every measure.

Nothing links a row of one sample to a row of the other, so variances add up and each sample is resampled by itself;
clusters with rows in both make the values of both vary together, which is taken off.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from evalcore.classification import ClusterCounts, ConfusionCounts, ConfusionMatrix, ScoredLabels
from evalcore.classification.cluster_sizes import LEAST_OF_OTHERS
from evalcore.inference.bootstrap import (
    RESAMPLES,
    SEED,
    effective_share_counts,
    resampled_counts,
    resampled_matrix_values,
    share_counts,
)
from evalcore.inference.clustered import degrees_by_sizes, degrees_of_codes
from evalcore.inference.clustered_areas import degrees_of_rows, few_heavy_classes
from evalcore.inference.comparison import Comparison, bootstrap_comparison, clustered_comparison
from evalcore.inference.equivalence import one_sided_p
from evalcore.inference.exchanges import agreeing, exchanged_counts, exchanged_matrices, exchanged_scores, with_exchange
from evalcore.inference.intervals import Interval, check_draws, check_level, log_ratio_interval
from evalcore.inference.paired_measures import LEAST
from evalcore.inference.score_bootstrap import resampled_score_values
from evalcore.inference.shared_clusters import narrowed
from evalcore.inference.swaps import MOST_ROWS, few_pairs
from evalcore.inference.unpaired import compare_independent_auc, compare_shares
from evalcore.numeric import Array
from evalcore.registry import MetricDef

__all__ = ["independent_differences", "independent_matrix_differences", "independent_score_differences"]

NEWCOMBE = "Newcombe, z test or Fisher's exact test"
LOGARITHMS = "ratio, normal law of the logarithms"
BOOTSTRAPS = "two bootstraps"


def independent_differences(
    measures: Sequence[MetricDef],
    a: ConfusionCounts,
    b: ConfusionCounts,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:
    """How much better B is than A by measures of counts, each of shape () and of rows of its own.

    Shares have Newcombe's interval with the z test, or Fisher's exact test where few rows are expected in a cell;
    quotients such as likelihood ratios are compared by the ratio of B's value to A's, whose logarithm is taken as
    normal; all others have a bootstrap of either sample. Where a class has fewer than 25 rows in a sample, or no
    resample contradicts, p of the last two is the share of random exchanges of rows between the samples that differ as
    much. Rows that belong together are taken as whole clusters.

    Parameters
    ----------
    alike : callable
        Correlation of the values of a measure in both samples, where clusters have rows in both; as
        `correlation_of_counts`.

    Returns
    -------
    list of Comparison
        One per measure: B minus A, or of quotients B over A with `null` 1; n the rows of both that the measure is a
        share of. An interval and its p never contradict each other.

    References
    ----------
    R. Newcombe (1998), as `compare_shares`.

    G. Zou, A. Donner (2008). Construction of confidence limits about effect measures: a general approach. Statistics
    in Medicine 27, 1693–1702. doi:10.1002/sim.3095

    Examples
    --------
    >>> from evalcore import find
    >>> a, b = ConfusionCounts(48, 20, 32, 180), ConfusionCounts(56, 10, 14, 190)
    >>> recall, ratio = independent_differences([find("recall"), find("LR+")], a, b)
    >>> round(recall.estimate, 2), round(float(recall.interval.low), 4), round(recall.p_value, 4)
    (0.2, 0.0524, 0.008)
    >>> round(ratio.estimate, 3), ratio.null
    (2.667, 1.0)
    """
    check_level(level)
    check_draws(resamples)
    n, samples = round(float(a.total + b.total)), None
    comparisons = []
    for measure in measures:
        if measure.interval == "share":
            compared = _by_shares(measure, a, b, level, alike(measure))
        elif measure.interval == "logarithm":
            compared = _by_logarithms(measure, a, b, level, alike(measure))
        else:
            samples = samples or tuple(resampled_counts(one, resamples, seed + k) for k, one in enumerate((a, b)))
            with np.errstate(invalid="ignore"):
                estimate = float(np.subtract(measure(b), measure(a)))
                values = (np.asarray(measure(samples[0])), np.asarray(measure(samples[1])))
            degrees = _fewest(*(one.clusters and _degrees(one.clusters) for one in (a, b)))
            compared = _by_bootstraps(estimate, values, level, n, degrees, alike(measure))
        comparisons.append(compared)
    if a.clusters is None and b.clusters is None:
        smallest = min(float(rows) for one in (a, b) for rows in (one.actual_positives, one.actual_negatives))
        _exchange_doubtful(comparisons, smallest, resamples, lambda: exchanged_counts(measures, a, b, seed), level)
        return comparisons
    moments = [one.moments for one in (a, b) if one.moments is not None]
    classes = ([1, 0, 1, 0], [0, 1, 0, 1])
    heavy = any(bool(one.few_heavy(cells, LEAST_OF_OTHERS)) for one in moments for cells in classes)
    return [one.marked(heavy) for one in comparisons]


def independent_matrix_differences(
    measures: Sequence[MetricDef],
    a: ConfusionMatrix,
    b: ConfusionMatrix,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = SEED,
    alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:
    """The same by measures of square tables of the same classes.

    >>> from evalcore import find
    >>> a, b = (ConfusionMatrix("xyz", np.diag([20, 20, 20]) + k) for k in (3, 1))
    >>> [round(float(one.interval.low), 3) for one in independent_matrix_differences([find("overall accuracy")], a, b)]
    [0.005]
    """
    check_level(level)
    n = round(float(a.counts.sum() + b.counts.sum()))
    values = [resampled_matrix_values(measures, one, resamples, seed + k) for k, one in enumerate((a, b))]
    degrees = _fewest(*(one.rows and degrees_of_codes(one.rows.clusters, one.rows.weights) for one in (a, b)))
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
        of_classes = [rows for one in (a, b) for rows in one.counts.sum(axis=1).tolist() if rows]

        def exchanged() -> list[float]:
            return exchanged_matrices(measures, a, b, resamples, seed)

        _exchange_doubtful(comparisons, min(of_classes, default=math.inf), resamples, exchanged, level)
    return comparisons


def independent_score_differences(
    measures: Sequence[MetricDef],
    a: ScoredLabels,
    b: ScoredLabels,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = SEED,
    alike: Callable[[MetricDef], float] = lambda _: 0.0,
) -> list[Comparison]:
    """The same by measures of scores, whose scales and directions may differ.

    The areas under the ROC curves are compared by `compare_independent_auc`, all else by a bootstrap of either sample.
    In small samples with fewer than 25 rows of a class p comes from exchanges of rows, which take their relative rank
    among the rows of their own sample with them.

    >>> from evalcore import find
    >>> a = ScoredLabels.from_arrays([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> b = ScoredLabels.from_arrays([1, 0, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1], positive=1)
    >>> (compared,) = independent_score_differences([find("AUC")], a, b)
    >>> round(compared.estimate, 3), compared.p_value > 0.3
    (-0.333, True)
    """
    check_level(level)
    n = round(a.positives + a.negatives + b.positives + b.negatives)
    comparisons: dict[str, Comparison] = {}
    for measure in measures:
        if measure.paired_test == "delong":
            scale = measure.highest - measure.lowest
            comparisons[measure.key] = compare_independent_auc(a, b, level, correlation=alike(measure)).scaled(scale)
    degrees = _fewest(*(degrees_of_rows(one) if one.clusters else None for one in (a, b)))
    if others := [measure for measure in measures if measure.key not in comparisons]:
        (of_a, in_a), (of_b, in_b) = (
            resampled_score_values(others, one, resamples, seed + k) for k, one in enumerate((a, b))
        )
        for place, measure in enumerate(others):
            estimate, values = float(of_b[place] - of_a[place]), (in_a[:, place], in_b[:, place])
            comparisons[measure.key] = _by_bootstraps(estimate, values, level, n, degrees, alike(measure))
    smallest = min(a.positives, a.negatives, b.positives, b.negatives)
    weighted = a.positive_weights is not None or b.positive_weights is not None
    if degrees is None and not weighted and few_pairs(smallest) and 0 < n <= MOST_ROWS:
        p_values = exchanged_scores(measures, a, b, seed)
        for measure, p_value in zip(measures, p_values, strict=True):
            comparisons[measure.key] = with_exchange(comparisons[measure.key], p_value, level)
    heavy = any(map(few_heavy_classes, (a, b)))
    return [comparisons[measure.key].marked(heavy) for measure in measures]


def _by_shares(measure: MetricDef, a: ConfusionCounts, b: ConfusionCounts, level: float, alike: float) -> Comparison:
    rows = sum(float(share_counts(measure, one)[1]) for one in (a, b))
    (x, n), (y, m) = (effective_share_counts(measure, one, level) for one in (b, a))
    compared = _shares(float(x), float(n), float(y), float(m), level, round(rows), alike)
    # Effective rows leave the value what it is, up to rounding.
    return replace(compared, estimate=float(measure(b)) - float(measure(a)))


def _shares(x: float, n: float, y: float, m: float, level: float, rows: int, alike: float = 0.0) -> Comparison:
    result = compare_shares(x, n, y, m, level, alike)

    def at(level: float) -> Interval:
        interval = compare_shares(x, n, y, m, level, alike).interval
        return Interval(float(interval.estimate), float(interval.low), float(interval.high))

    p_value = float(result.p_values)
    tested = None if math.isnan(p_value) else at
    compared = Comparison(NEWCOMBE, float(result.interval.estimate), at(level), math.nan, p_value, rows)
    return agreeing(replace(compared, interval_at=tested), level)


def _by_logarithms(
    measure: MetricDef, a: ConfusionCounts, b: ConfusionCounts, level: float, alike: float
) -> Comparison:
    def at(level: float) -> Interval:
        of_a, of_b = (log_ratio_interval(measure, one, level) for one in (a, b))
        with np.errstate(divide="ignore", invalid="ignore"):
            estimate = float(np.divide(of_b.estimate, of_a.estimate))
            own, other = (float(np.log(one.high / one.estimate)) for one in (of_a, of_b))
            reach = (
                math.sqrt(max(own**2 + other**2 - 2 * alike * own * other, 0.0)) if alike else math.hypot(own, other)
            )
            factor = math.exp(reach) if reach < 700 else math.inf
        return Interval(estimate, estimate / factor, estimate * factor)

    interval, n = at(level), round(float(a.total + b.total))
    known = not math.isnan(float(interval.low))
    compared = Comparison(
        LOGARITHMS, float(interval.estimate), interval, math.nan, math.nan, n, null=1.0,
        interval_at=at if known else None,
    )  # fmt: skip
    if not known or not 0 < compared.estimate < math.inf:
        return compared
    side = one_sided_p(compared, 1.0, above=compared.estimate > 1)
    return replace(compared, p_value=min(2 * side, 1.0))


def _by_bootstraps(
    estimate: float, values: tuple[Array, Array], level: float, n: int, degrees: float | None, alike: float = 0.0
) -> Comparison:
    with np.errstate(invalid="ignore"):
        differences = np.subtract(values[1], values[0])
        if alike and math.isfinite(estimate):
            differences = estimate + narrowed(values, alike) * (differences - estimate)
        if degrees is None:
            compared = bootstrap_comparison(estimate, differences, level, n)
        else:
            compared = clustered_comparison(estimate, differences, level, n, degrees + 1, degrees)
    return replace(compared, method=BOOTSTRAPS)


def _exchange_doubtful(
    comparisons: list[Comparison],
    smallest: float,
    resamples: int,
    exchanged: Callable[[], Sequence[float]],
    level: float,
) -> None:
    """Give a place its p of exchanges where its own rests on few rows, or is as small as resamples can make it.

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
    return degrees_by_sizes(clusters.cells.sum(axis=1), max(clusters.worth - 1, 1.0))


def _fewest(*degrees: float | None) -> float | None:
    """Of the sample that has fewer; None where all rows are on their own."""
    known = [one for one in degrees if one is not None]
    return min(known) if known else None
