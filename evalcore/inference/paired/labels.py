"""Two systems that give several labels to the same rows: the differences of the measures of sets and of rankings."""

import math
from dataclasses import replace

import numpy as np
from scipy.special import stdtr, stdtrit

from evalcore.classification import ConfusionCounts, LabelScores, LabelSets, error_rate, f_beta
from evalcore.inference.base.bootstrap import SEED, drawing_order, resampled_cells
from evalcore.inference.base.clustered import cells_of_bags, count_clusters, degrees_by_sizes, degrees_of, drawn_counts
from evalcore.inference.base.comparison import Comparison, comparison_of_rows
from evalcore.inference.base.intervals import Interval, check_level, unless_rejected
from evalcore.inference.base.paired import FEW_DIFFERENCES, cautious_t
from evalcore.inference.base.swaps import exact_comparison, exchanges, few_pairs, mcnemar_of_counts, share_as_large
from evalcore.inference.intervals.losses import RANKING_MEASURES, RESAMPLES
from evalcore.inference.paired.measures import PairedCounts, paired_differences
from evalcore.numeric import Array, Flags, ratio
from evalcore.registry import METRICS

__all__ = ["MICRO_F1", "label_ranking_differences", "label_set_differences"]

MICRO_F1 = "micro F1"
"""The key of the F1 of all labels together, which is no measure of the registry."""

MOST_CELLS = 4_000  # different outcomes of a row up to which all resamples are drawn; of more, fewer are


def label_set_differences(a: LabelSets, b: LabelSets, level: float = 0.95, seed: int = SEED) -> dict[str, Comparison]:
    """Compare B with A by the measures of label sets, by their keys, and by micro F1.

    Subset accuracy has McNemar's test; the others the paired bootstrap. Rows with the same numbers of true, predicted
    and correct labels of both systems are drawn together. Clusters are resampled and tested whole.
    """
    check_level(level)
    sizes = np.concatenate([a.sizes, b.sizes[1:]])  # true labels, then predicted and correct ones of each
    k, base = float(len(a.classes)), int(sizes.max(initial=0)) + 1
    places = base ** np.arange(len(sizes))[:, None]  # as the digits of one number, which sorts far faster
    codes, index = np.unique((sizes * places).sum(axis=0), return_inverse=True)
    rows = np.bincount(index, a.weights, minlength=len(codes)).astype(np.float64)
    order = drawing_order(codes, (codes // places % base * places[[0, 3, 4, 1, 2]]).sum(axis=0), rows)
    codes, rows, index = codes[order], rows[order], order.argsort()[index]
    actual, predicted_a, both_a, predicted_b, both_b = (codes // places % base).astype(np.float64)
    counts = [
        ConfusionCounts(both, predicted - both, actual - both, k - actual - predicted + both)
        for both, predicted in ((both_a, predicted_a), (both_b, predicted_b))
    ]
    resamples = RESAMPLES if len(rows) <= MOST_CELLS else max(RESAMPLES * MOST_CELLS // len(rows), 200)
    if a.clusters is None:
        resampled = resampled_cells(rows, resamples, seed)
    else:
        cells, random = cells_of_bags(index, len(rows), a.clusters, a.weights), np.random.default_rng(seed)
        resampled = np.reshape([*drawn_counts(random, rows, cells, resamples)], (resamples, len(rows)))
    drawn = np.concatenate([rows[None], resampled])

    def compared(values: list[Array]) -> Comparison:
        difference = values[1] - values[0]
        return comparison_of_rows(float(difference[0]), difference[1:], level, round(rows.sum()), a.clusters, a.weights)

    def mean(values: Array) -> Array:
        """Mean over the rows where the values are defined, in the sample and in each resample."""
        defined = ~np.isnan(values)
        return ratio(drawn[:, defined] @ values[defined], drawn[:, defined].sum(axis=1))

    right_a, right_b = (one.fp + one.fn == 0 for one in counts)
    if a.clusters is not None:
        answers = right_a[index], right_b[index]
        paired = PairedCounts.from_labels(np.ones(len(index), bool), *answers, True, a.weights, a.clusters)
        (of_sets,) = paired_differences([METRICS["accuracy"]], paired, level)
    else:
        of_sets = _of_exact_sets(right_a, right_b, rows, level)
    tests = {
        MICRO_F1: compared([_micro_f1(one, drawn) for one in counts]),
        "samples_f1": compared([mean(np.asarray(f_beta(one))) for one in counts]),
        "subset_accuracy": of_sets,
        "hamming_loss": compared([mean(np.asarray(error_rate(one))) for one in counts]),
    }
    differ = (sizes[1:3] != sizes[3:5]).any(axis=0)
    plain, differing = a.clusters is None and a.weights is None, float(np.count_nonzero(differ))
    if plain and differing and few_pairs(differing):
        for key, p_value in _exchanged(sizes.astype(np.float64), differ, k, resamples, seed).items():
            tests[key] = exact_comparison(tests[key], p_value, level)
    return tests


def _of_exact_sets(right_a: np.ndarray, right_b: np.ndarray, rows: Array, level: float) -> Comparison:
    """McNemar's test of the rows that exactly one system gets right, from outcomes and their number of rows."""
    four = (float(rows[mask].sum()) for mask in (right_a & right_b, right_a & ~right_b, right_b & ~right_a))
    both, only_a, only_b = four
    neither = max(float(rows.sum()) - both - only_a - only_b, 0.0)
    compared = mcnemar_of_counts(both, only_a, only_b, neither, level)
    return replace(compared, interval=unless_rejected(compared.interval, compared.p_value, level))


def label_ranking_differences(a: LabelScores, b: LabelScores, level: float = 0.95) -> dict[str, Comparison]:
    """Compare B with A by the measures of label rankings, by their keys: paired t-test over the rows."""
    check_level(level)
    return {
        key: _paired_t(getattr(b.ranks, name) - getattr(a.ranks, name), a.weights, level, a.clusters)
        for key, name in RANKING_MEASURES.items()
    }


def _exchanged(sizes: Array, differ: Flags, k: float, draws: int, seed: int) -> dict[str, float]:
    """p of micro F1, samples F1 and Hamming loss by exchanging the labels of A and B in the rows where they differ."""
    actual, predicted_a, both_a, predicted_b, both_b = sizes
    masks = exchanges(int(np.count_nonzero(differ)), draws, seed).astype(np.float64)

    def sums(of_a: Array, of_b: Array) -> tuple[Array, Array]:
        moved = masks @ (of_b - of_a)[differ]
        return of_a.sum() + moved, of_b.sum() - moved

    true, called = sums(both_a, both_b), sums(predicted_a, predicted_b)
    micro = [ratio(2 * hits, flagged + actual.sum()) for hits, flagged in zip(true, called, strict=True)]
    f1 = [ratio(2 * both, predicted + actual) for both, predicted in ((both_a, predicted_a), (both_b, predicted_b))]
    defined = sums(*(1.0 - np.isnan(one) for one in f1))
    samples = [ratio(*pair) for pair in zip(sums(*map(np.nan_to_num, f1)), defined, strict=True)]
    wrong = sums(actual + predicted_a - 2 * both_a, actual + predicted_b - 2 * both_b)
    pairs = {MICRO_F1: micro, "samples_f1": samples, "hamming_loss": [one / (k * len(actual)) for one in wrong]}
    differences = {key: of_b - of_a for key, (of_a, of_b) in pairs.items()}
    return {key: share_as_large(values, float(values[0])) for key, values in differences.items()}


def _micro_f1(counts: ConfusionCounts, drawn: Array) -> Array:
    tp, fp, fn = (drawn @ cells for cells in (counts.tp, counts.fp, counts.fn))
    return ratio(2 * tp, 2 * tp + fp + fn)


def _paired_t(
    differences: Array, weights: Array | None, level: float, clusters: np.ndarray | None = None
) -> Comparison:
    """Paired t-test of the mean difference, with sums of weights as rows; of clusters by linearisation."""
    if weights is None and clusters is None and np.count_nonzero(differences) < FEW_DIFFERENCES:
        return cautious_t(np.zeros(len(differences)), differences, level)
    weight = np.ones(len(differences)) if weights is None else weights
    n, method = float(weight.sum()), "paired t"
    mean = float(ratio((weight * differences).sum(), n))
    error, degrees, count = math.nan, n - 1, None
    if clusters is not None:
        sums = np.bincount(clusters, weight * (differences - mean)).astype(np.float64)
        count = count_clusters(clusters, weights)
        method = method if count_clusters(clusters) == len(clusters) else "paired t of clusters"
        own = min(degrees_of(sums, count_clusters(clusters)), max(count - 1, 1.0))
        degrees = degrees_by_sizes(np.bincount(clusters, weight).astype(np.float64), own) if count > 1 else 0.0
        error = math.sqrt(float(sums @ sums) * count / (count - 1)) / n if count > 1 else math.nan
    elif n > 1:
        error = math.sqrt(max(float((weight * (differences - mean) ** 2).sum()), 0.0) / (n - 1) / n)
    if error > 0:
        statistic = mean / error
        p_value = 2 * float(stdtr(degrees, -abs(statistic)))
    else:
        statistic, p_value = (0.0, 1.0) if error == mean == 0 else (math.nan, math.nan)
    half = float(stdtrit(degrees, (1 + level) / 2)) * error if degrees > 0 else math.nan
    return Comparison(method, mean, Interval(mean, mean - half, mean + half, count), statistic, p_value, round(n))
