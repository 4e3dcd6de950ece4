"""Bootstrap intervals of measures that are means over rows with several labels."""

import math

import numpy as np

from evalcore.classification import LabelScores, LabelSets, f_beta, jaccard, precision, recall
from evalcore.classification.rates import error_rate
from evalcore.inference.bootstrap import SEED, percentile_interval, resampled_cells
from evalcore.inference.intervals import Interval, check_level
from evalcore.inference.loss_bootstrap import RESAMPLES, bootstrap_mean, clustered_mean
from evalcore.numeric import Array, ratio

__all__ = ["bootstrap_label_measures"]


def bootstrap_label_measures(
    state: LabelSets | LabelScores, level: float = 0.95, resamples: int = RESAMPLES, seed: int = SEED
) -> dict[str, Interval]:
    """Intervals of the measures of sets, or of those of rankings of labels by scores, by resampling the rows.

    Rows with the same numbers of true, predicted and correct labels are drawn together, whatever their number. Whole
    clusters are drawn where rows belong together.

    Returns
    -------
    dict of str to Interval
        Percentile intervals by the key of the measure.

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> truth = random.random((300, 4)) < 0.4
    >>> intervals = bootstrap_label_measures(LabelSets.from_indicators(truth, truth ^ (random.random((300, 4)) < 0.2)))
    >>> loss = intervals["hamming_loss"]
    >>> bool(0.15 < loss.low < loss.estimate < loss.high < 0.25)
    True
    """
    check_level(level)
    if isinstance(state, LabelScores):
        ranks, weights = state.ranks, state.weights
        of_rows = {
            "label_ranking_average_precision": ranks.precision,
            "coverage_error": ranks.coverage,
            "label_ranking_loss": ranks.loss,
        }
        if (codes := state.clusters) is not None:
            return {key: clustered_mean(one, codes, weights, level, resamples, seed) for key, one in of_rows.items()}
        return {key: bootstrap_mean(one, weights, level, resamples, seed) for key, one in of_rows.items()}
    counts, rows = state.of_rows()
    values = {
        "samples_precision": precision(counts),
        "samples_recall": recall(counts),
        "samples_f1": f_beta(counts),
        "samples_jaccard": jaccard(counts),
        "subset_accuracy": (counts.fp + counts.fn == 0).astype(np.float64),
        "hamming_loss": error_rate(counts),
    }
    if state.clusters is not None:
        index, beside = state.outcomes[1], (state.clusters, state.weights, level, resamples, seed)
        return {key: clustered_mean(np.asarray(one)[index], *beside) for key, one in values.items()}
    drawn = resampled_cells(rows, resamples, seed)
    return {key: _of_cells(np.asarray(one), rows, drawn, level) for key, one in values.items()}


def _of_cells(values: Array, rows: Array, drawn: Array, level: float) -> Interval:
    """The mean over the rows where a value is defined, with its interval."""
    defined = ~np.isnan(values)
    if not defined.any():
        return Interval(math.nan, math.nan, math.nan)
    value, some, many = values[defined], rows[defined], drawn[:, defined]
    estimate = float(ratio((value * some).sum(), some.sum()))
    return percentile_interval(estimate, ratio(many @ value, many.sum(axis=1)), level)
