"""Reliability diagrams: intervals of observed frequencies and the calibration error that chance alone makes."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from evalcore.classification import EventProbabilities, ReliabilityBins
from evalcore.classification.clusters import ClusterCounts
from evalcore.inference.bootstrap import SEED, percentile_bounds
from evalcore.inference.cluster_resamples import bags_of_rows
from evalcore.inference.clustered import effective_shares
from evalcore.inference.intervals import Interval, check_draws, check_level
from evalcore.inference.loss_bootstrap import RESAMPLES
from evalcore.inference.proportions import wilson
from evalcore.numeric import Array, whole_rows

__all__ = ["ChanceError", "calibration_error_by_chance", "clustered_frequencies"]


def clustered_frequencies(event: EventProbabilities, bins: ReliabilityBins, level: float = 0.95) -> Interval:
    """Interval of the observed frequency in each bin, shape (b,), where rows belong together.

    Wilson's, of the effective number of rows. Bounds are nan in bins whose rows are of one cluster.
    """
    codes, places = event.cluster_codes, bins.high.searchsorted(event.probability)
    weight, cells = event.weight(), np.where(event.happened, 0, 2)
    hits, sizes = np.zeros(len(bins.n)), np.zeros(len(bins.n))
    for index in range(len(bins.n)):
        rows = np.flatnonzero(places == index)
        own = np.unique(codes[rows], return_inverse=True)[1]
        counts = ClusterCounts.of(cells[rows], own, 4, None if event.weights is None else weight[rows])
        happened, n = np.asarray(bins.happened[index]), np.asarray(bins.n[index])
        effective = effective_shares(counts.moments, [1, 0, 0, 0], [1, 0, 1, 0], happened, n, level)
        hits[index], sizes[index] = np.nan_to_num(effective[0]), np.nan_to_num(effective[1])
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
    bins: ReliabilityBins,
    level: float = 0.95,
    trials: int = RESAMPLES,
    seed: int = SEED,
    event: EventProbabilities | None = None,
) -> ChanceError:
    """Simulate outcomes from the predicted probabilities: the calibration error of a calibrated forecast by chance.

    A bootstrap interval would not do: resampling adds noise to an error that is never below 0, and so lies too high.
    In each bin every row is drawn with the mean probability. Where the event says what its rows belong to, whole
    clusters keep what occurred in them beyond the prediction, or turn its sign, at random (wild bootstrap).

    Parameters
    ----------
    event : EventProbabilities, optional
        The rows of the bins.

    References
    ----------
    A. C. Cameron, J. Gelbach, D. Miller (2008). Bootstrap-based improvements for inference with clustered errors.
    Review of Economics and Statistics 90, 414–427. doi:10.1162/rest.90.3.414

    J. Bröcker, L. Smith (2007). Increasing the reliability of reliability diagrams. Weather and Forecasting 22,
    651–661. doi:10.1175/WAF993.1

    Examples
    --------
    >>> one = np.array([0.5])
    >>> result = calibration_error_by_chance(ReliabilityBins(0 * one, 2 * one, 200 * one, 100 * one, one, one))
    >>> 0.02 < result.expected < 0.04 < result.expected_high
    True
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


def _beyond_predictions(event: EventProbabilities, bins: ReliabilityBins, clusters: npt.NDArray[np.intp]) -> Array:
    """By how much the event occurred more often than predicted in each bag of clusters and bin, shape (bags, b)."""
    bags, places = bags_of_rows(clusters, event.weights), bins.high.searchsorted(event.probability)
    shape = int(bags.max(initial=-1)) + 1, len(bins.n)
    beyond = event.weight() * (event.happened - event.probability)
    sums = np.bincount(bags * shape[1] + places, beyond, shape[0] * shape[1])
    return sums.astype(np.float64).reshape(shape)
