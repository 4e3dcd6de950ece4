"""Intervals of predictive values at a prevalence that is stated, not estimated from the same rows."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtrc

from evalcore.classification import ConfusionCounts, ConfusionMatrix, at_prevalence, no_information_rate
from evalcore.inference.base.clustered import effective_shares
from evalcore.inference.base.intervals import Interval, check_level, where_defined
from evalcore.inference.base.resampling import effective_share_counts, percentile_bounds
from evalcore.numeric import Array, ratio
from evalcore.registry import METRICS

__all__ = ["Forecast", "accuracy_above_no_information", "forecast", "predictive_value_at", "ratio_interval"]


def ratio_interval(first: Interval, second: Interval) -> Interval:
    """Interval of the ratio of two independent shares from the intervals of both; they may be 0.

    From 0 to ∞; nan where both shares are 0. See A. Donner, G. Zou (2012), doi:10.1177/0962280210383082.
    """
    a, b = np.asarray(first.estimate, dtype=np.float64), np.asarray(second.estimate, dtype=np.float64)

    def root(end: Array, other: Array) -> Array:
        return np.sqrt(np.maximum((a * b) ** 2 - end * other * (2 * a - end) * (2 * b - other), 0))

    # The lower bound is written so that a second share of 0 needs no case of its own.
    low = ratio(first.low * (2 * a - first.low), a * b + root(first.low, second.high))
    high = ratio(a * b + root(first.high, second.low), second.low * (2 * b - second.low))
    estimate = ratio(a, b)
    unbounded = (second.low == 0) & ~np.isnan(estimate)
    return Interval(estimate, np.where((a == 0) & (b > 0), 0.0, low), np.where(unbounded, np.inf, high))


def predictive_value_at(prevalence: float, right: Interval, wrong: Interval) -> Interval:
    """Interval of a predictive value, the share of results that are right, at a given prevalence.

    The prevalence is the share of the class that the result names (positives for PPV, negatives for NPV); `right` and
    `wrong` are the shares of that class and of the other one with this result. nan where no row has it.
    """
    odds = ratio(1 - prevalence, prevalence)
    against = ratio_interval(wrong, right)
    with np.errstate(divide="ignore"):
        estimate = ratio(prevalence * right.estimate, prevalence * right.estimate + (1 - prevalence) * wrong.estimate)
        low, high = (1 / (1 + odds * end) for end in (against.high, against.low))
    return where_defined(estimate, low, high)


def accuracy_above_no_information(matrix: ConfusionMatrix) -> float:
    """p of the exact binomial test that the accuracy is no higher than the no-information rate, one-sided.

    It takes the largest share as known, as caret's confusionMatrix does. Sums of weights are rounded. Where the matrix
    says what its rows belong to, it counts the effective number of rows, as `effective_shares`. nan without rows. See
    M. Kuhn (2008), doi:10.18637/jss.v028.i05.
    """
    rows, hits = np.asarray(matrix.counts.sum()), np.asarray(matrix.counts.trace())
    if matrix.rows is not None:
        # One-sided at 5 %.
        hits, rows, _ = effective_shares(matrix.rows.right().moments, [1, 0, 0, 0], [1, 0, 1, 0], hits, rows, 0.9)
    if np.isnan(rows):
        return math.nan
    n, correct = round(float(rows)), round(float(hits))
    if not n:
        return math.nan
    return float(bdtrc(correct - 1, n, no_information_rate(matrix))) if correct else 1.0


DRAWS = 20_000  # simulated periods


@dataclass(frozen=True, eq=False)
class Forecast:
    """Counts of a coming period."""

    expected: ConfusionCounts  # of shape (); nan where the rate of an absent class is needed
    # For tp, fp, fn, tn and alarms: the range of the count in one period if recall and false positive rate are exactly
    # those of the sample.
    by_chance: dict[str, Interval]
    with_rates: dict[str, Interval]  # the same with both rates as uncertain as the sample leaves them


def forecast(counts: ConfusionCounts, volume: float, prevalence: float, level: float = 0.95, seed: int = 0) -> Forecast:
    """Counts of a period with a number of new cases, each positive with the same probability.

    Periods are simulated at the given prevalence: the positive cases, and how many positives and negatives are called
    positive. For `with_rates` each period first draws both rates from their posterior (Jeffreys' prior). Sums of
    weights are taken as rows, and the volume is rounded. ValueError when it is not in 0 … 1e15, or prevalence or level
    is out of range.
    """
    check_level(level)
    if not 0 <= volume <= 1e15:
        raise ValueError(f"The volume is {volume:g}; it must be a number of cases from 0 to 1e15.")
    size = round(volume)
    there = at_prevalence(counts, prevalence)
    total = float(counts.total)
    share = size / total if total else np.nan
    expected = ConfusionCounts(there.tp * share, there.fp * share, there.fn * share, there.tn * share)
    rng = np.random.default_rng(seed)
    positives = rng.binomial(size, prevalence, DRAWS)
    cells = ((counts.tp, counts.fn), (counts.fp, counts.tn))
    known = _periods(rng, size, positives, *(np.full(DRAWS, ratio(hits, hits + others)) for hits, others in cells))
    # Rows that belong together leave the rates as uncertain as so many independent rows do.
    effective = (effective_share_counts(METRICS[key], counts, level) for key in ("recall", "fall_out"))
    rates = (
        rng.beta(hits + 0.5, rows - hits + 0.5, DRAWS) if rows else np.full(DRAWS, np.nan) for hits, rows in effective
    )
    unsure = _periods(rng, size, positives, *rates)
    means = {key: getattr(expected, key) for key in ("tp", "fp", "fn", "tn")} | {"alarms": expected.predicted_positives}
    return Forecast(expected, _ranges(known, means, level), _ranges(unsure, means, level))


def _periods(rng: np.random.Generator, size: int, positives: np.ndarray, hit: Array, alarm: Array) -> dict[str, Array]:
    tp, fp = _binomial(rng, positives, hit), _binomial(rng, size - positives, alarm)
    return {"tp": tp, "fp": fp, "fn": positives - tp, "tn": size - positives - fp, "alarms": tp + fp}


def _binomial(rng: np.random.Generator, cases: np.ndarray, chance: Array) -> Array:
    return cases * np.nan if np.isnan(chance).any() else rng.binomial(cases, chance).astype(float)


def _ranges(draws: dict[str, Array], means: dict[str, Array], level: float) -> dict[str, Interval]:
    return {key: Interval(np.asarray(means[key]), *percentile_bounds(values, level)) for key, values in draws.items()}
