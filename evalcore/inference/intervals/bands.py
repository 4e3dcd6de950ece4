"""Confidence bands of curves, and the measured coverage of intervals."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.classification import ScoredLabels, ThresholdTable, threshold_grid
from evalcore.inference.base.clustered import degrees_by_sizes, expanded_level, times_drawn
from evalcore.inference.base.intervals import check_draws, check_level
from evalcore.inference.base.resampling import RESAMPLES, SEED, clusters_of_rows, percentile_bounds
from evalcore.numeric import Array, Indices, ratio, whole_rows
from evalcore.wording.numbers import count_text, level_text, share_text

__all__ = ["Band", "poor_coverage", "precision_recall_band", "roc_band"]

STEPS = 200  # thresholds of a resampled curve: more would move a band by less than 0.01

BEYOND = 1.0
"""Rows of each class added beyond either end of the scores. Where a sample has no miss or no false alarm, its resamples
have none either; with one row added, 2.5 % of them have four, in line with the rule of three."""

PLACES = 101  # places along the axis where a band is computed
AT = np.linspace(0, 1, PLACES)


@dataclass(frozen=True, eq=False)
class Band:
    """Bounds of a curve along its axis."""

    at: Array  # shape (m,): false positive rate of a ROC band, recall of a precision–recall band
    # Shape (m,): nan where there is no bound.
    low: Array
    high: Array
    level: float
    # True: the band covers the whole curve with probability `level`. False: it does so at each place separately, and
    # the curve leaves the band somewhere far more often.
    simultaneous: bool
    method: str


def roc_band(table: ThresholdTable, level: float = 0.95, **settings: Any) -> Band:
    """Band of the recall at each false positive rate, by resampling the rows of each class.

    Each resample is a curve, read at each false positive rate (vertical averaging). With few rows of a class the band
    is too narrow near the corners, where the sample has no step. Settings as `_resampled_band`. See F. Provost, T.
    Fawcett, R. Kohavi (1998), ICML, 445–453.
    """

    def curves(tpr: Array, fpr: Array, *_: Array) -> Array:
        return np.array([np.interp(AT, x, y) for x, y in zip(fpr, tpr, strict=True)])

    return _resampled_band(table, curves, level, **settings)


def precision_recall_band(table: ThresholdTable, level: float = 0.95, **settings: Any) -> Band:
    """Band of the precision at each recall, by resampling the rows; at recall 0 it repeats the neighbouring bounds.

    Between two thresholds TP and FP grow together, as in the interpolation of Davis and Goadrich. Settings as
    `_resampled_band`. See K. Boyd, K. Eng, C. D. Page (2013), doi:10.1007/978-3-642-40994-3_29.
    """

    def curves(tpr: Array, fpr: Array, positives: Array, negatives: Array) -> Array:
        # Where a resample first reaches a recall; a step to the right only loses precision. A tiny slope makes the
        # recall strictly increasing, so that a flat stretch is read at its start.
        rising = tpr + np.arange(tpr.shape[1]) * 1e-13
        tp, fp = AT * positives, np.array([np.interp(AT, y, x) for x, y in zip(fpr, rising, strict=True)]) * negatives
        precision = ratio(tp, tp + fp)
        precision[:, 0] = precision[:, 1]  # at recall 0 the precision is 0/0
        return precision

    return _resampled_band(table, curves, level, **settings)


def _resampled_band(
    table: ThresholdTable, curves_of: Callable[[Array, Array, Array, Array], Array], level: float,
    simultaneous: bool = False, resamples: int = RESAMPLES, seed: int = SEED, scored: ScoredLabels | None = None,
) -> Band:  # fmt: skip
    """Band of the curves that a function computes from resampled recall and false positive rate, (resamples, t).

    It also gets the positives and negatives of each resample, (resamples, 1). The pointwise band covers the middle
    `level` of the values at each place; the simultaneous one widens these ranges by one common rank until it covers
    that share of whole curves. Clusters, if the scores have any, are drawn whole (`expanded_level`). All nan when a
    class is absent. See M. Mandel, R. Betensky (2008), doi:10.1016/j.csda.2007.07.005.
    """
    check_level(level)
    check_draws(resamples)
    if not (table.counts[-1].actual_positives > 0 and table.counts[-1].actual_negatives > 0):
        nothing = np.full(PLACES, np.nan)
        return Band(AT, nothing, nothing, level, simultaneous, "none: a class is absent")
    grid, random = threshold_grid(table, STEPS), np.random.default_rng(seed)
    counts, clusters = grid.counts, None if scored is None else clusters_of_rows(grid, scored)
    if clusters is None:
        tpr, fpr = (_resampled_rates(random, hits, resamples) for hits in (counts.tp, counts.fp))
        end = table.counts[-1]
        total, share = whole_rows(end.total), float(end.actual_positives / end.total)
        positives = random.binomial(total, share, size=(resamples, 1)).astype(np.float64)
        curves = curves_of(tpr, fpr, positives, total - positives)
    else:
        drawn = times_drawn(clusters.shape[1], resamples, seed) @ clusters.T
        (tpr, positives), (fpr, negatives) = (_rates(random, cells) for cells in np.split(drawn, 2, axis=1))
        sizes = np.asarray(clusters.sum(axis=0), dtype=np.float64).reshape(-1)
        level = expanded_level(level, clusters.shape[1], degrees_by_sizes(sizes))
        curves = curves_of(tpr, fpr, positives, negatives)
    if not simultaneous:
        return Band(AT, *percentile_bounds(curves.T, level), level, simultaneous, "bootstrap, pointwise")
    ordered = np.sort(curves, axis=0)
    # The rank of each curve, counted from the nearer end, at its worst place; equal values have their best rank.
    rank = np.array([_rank(*columns) for columns in zip(ordered.T, curves.T, strict=True)]).min(axis=0)
    outside = int(np.quantile(rank, 1 - level, method="inverted_cdf"))
    return Band(AT, ordered[outside - 1], ordered[-outside], level, simultaneous, "bootstrap, simultaneous")


def _resampled_rates(random: np.random.Generator, hits: Array, resamples: int) -> Array:
    """Share of a class called positive at each threshold, in resamples of its rows: shape (resamples, t), 0 to 1."""
    cells = np.concatenate([[BEYOND], np.diff(hits), [BEYOND]])
    n = max(whole_rows(cells.sum() - 2 * BEYOND), 1)
    counts = random.multinomial(n, cells / cells.sum(), size=resamples)
    return np.concatenate([np.zeros((resamples, 1)), np.cumsum(counts, axis=1) / n], axis=1)


def _rates(random: np.random.Generator, cells: Array) -> tuple[Array, Array]:
    """Draw clusters: rates at the thresholds from the rows of a class between them, and the rows of each resample."""
    beyond = random.poisson(BEYOND, size=(len(cells), 2))
    counts = np.column_stack([beyond[:, :1], cells, beyond[:, 1:]])
    sums = np.column_stack([np.zeros(len(cells)), np.cumsum(counts, axis=1)])
    return ratio(sums, sums[:, -1:]), cells.sum(axis=1, keepdims=True)


def _rank(ordered: Array, values: Array) -> Indices:
    """Rank of each value counted from the nearer end, 1 at the end."""
    from_below = ordered.searchsorted(values, side="right")
    return np.minimum(from_below, len(ordered) - ordered.searchsorted(values, side="left"))


ROWS = (50, 100, 200, 500, 1000, 5000)
PREVALENCES = (0.02, 0.05, 0.1, 0.2, 0.5)
SAMPLES = 2000
LOWEST, HIGHEST = 0.93, 0.97

THOUSANDTHS: dict[str, tuple[tuple[int, ...], ...]] = {
    "delong": (
        (726, 699, 748, 850, 908, 942),
        (753, 787, 854, 914, 943, 938),
        (807, 867, 909, 936, 934, 945),
        (867, 920, 933, 944, 946, 945),
        (922, 934, 947, 940, 954, 950),
    ),
    "delong_logit": (
        (852, 794, 820, 885, 926, 944),
        (876, 851, 889, 936, 948, 943),
        (905, 920, 935, 950, 944, 949),
        (927, 942, 944, 949, 949, 944),
        (952, 946, 952, 950, 962, 948),
    ),
    "delong_difference": (
        (873, 819, 854, 923, 936, 950),
        (869, 890, 916, 944, 937, 955),
        (906, 925, 941, 950, 954, 954),
        (940, 944, 952, 958, 941, 949),
        (948, 954, 946, 946, 954, 954),
    ),
    "score_difference recall": (
        (1000, 999, 999, 987, 968, 960),
        (999, 995, 990, 957, 945, 943),
        (997, 987, 954, 952, 950, 948),
        (992, 957, 948, 948, 948, 956),
        (946, 954, 957, 952, 956, 953),
    ),
    "score_difference accuracy": (
        (960, 952, 946, 954, 958, 942),
        (956, 945, 947, 950, 948, 954),
        (952, 948, 946, 947, 954, 947),
        (959, 956, 950, 948, 948, 950),
        (952, 952, 956, 944, 960, 948),
    ),
    "bootstrap_difference f_beta": (
        (904, 886, 861, 876, 942, 949),
        (893, 898, 912, 942, 950, 952),
        (912, 924, 944, 942, 947, 950),
        (930, 943, 944, 943, 947, 947),
        (927, 944, 950, 948, 960, 951),
    ),
}
"""Share of the 95 % intervals of each method that hold the true value, of those samples in which it has one: a row a
prevalence, a column a number of rows."""

WORDS = {
    "delong": "DeLong intervals of the AUC",
    "delong_logit": "DeLong intervals of the AUC on the logit scale",
    "delong_difference": "DeLong intervals of a difference of two AUCs",
    "score_difference recall": "score intervals of a difference of two recalls",
    "score_difference accuracy": "score intervals of a difference of two accuracies",
    "bootstrap_difference f_beta": "paired bootstrap intervals of a difference of two F1s",
}
"""What each method is called in a sentence."""


def poor_coverage(method: str, n: float, prevalence: float) -> str:
    """Say if the 95 % intervals of a method cover the true value clearly more or less often than 95 %.

    The method is a key of `WORDS`. Empty where the coverage lies within 93 … 97 %, and beyond the largest table that
    was measured. An area looks the same from both classes, so there the rarer one counts.
    """
    if n > 2 * ROWS[-1]:
        return ""
    coverage, rows, share = measured_coverage(method, n, prevalence)
    if LOWEST <= coverage <= HIGHEST:
        return ""
    samples = f"{count_text(SAMPLES)} simulated samples of {count_text(rows)} rows ({level_text(share)} positive)"
    sentence = f"{level_text(0.95)} {WORDS[method]} covered the true value in {share_text(coverage)}"
    return f"In {samples}, {sentence}: they are {'too narrow' if coverage < LOWEST else 'wider than necessary'}."


def measured_coverage(method: str, n: float, prevalence: float) -> tuple[float, int, float]:
    """Coverage of a 95 % interval nearest to a data set, and the rows and prevalence at which it was measured."""
    if method.startswith("delong"):
        prevalence = min(prevalence, 1 - prevalence)
    column, row = _nearest(ROWS, n), _nearest(PREVALENCES, prevalence)
    return THOUSANDTHS[method][row][column] / 1000, ROWS[column], PREVALENCES[row]


def _nearest(grid: tuple[float, ...], value: float) -> int:
    """Index of the value nearest in ratio."""
    return min(range(len(grid)), key=lambda i: abs(math.log(max(value, 1e-9) / grid[i])))
