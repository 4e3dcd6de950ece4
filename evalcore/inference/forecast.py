"""Forecast: expected counts of a coming period, with prediction ranges."""

from dataclasses import dataclass

import numpy as np

from evalcore.classification import ConfusionCounts, at_prevalence
from evalcore.inference.bootstrap import effective_share_counts, percentile_bounds
from evalcore.inference.intervals import Interval, check_level
from evalcore.numeric import Array, ratio
from evalcore.registry import METRICS

__all__ = ["Forecast", "forecast"]

DRAWS = 20_000
"""Simulated periods."""


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

    The prevalence is taken as given. Periods are simulated: the positive cases, and how many positives and negatives
    the test calls positive. For `with_rates` each period first draws recall and false positive rate from their
    posterior (Jeffreys' prior), so that a small sample gives a wide range.

    Parameters
    ----------
    counts : ConfusionCounts
        Of shape (); sums of weights are taken as if they were rows.
    volume : float
        Cases of the period, rounded; 0 … 1e15.
    prevalence : float
        Share of positives among them, 0 … 1.
    level : float
        Share of the periods inside the range.

    Raises
    ------
    ValueError
        When volume, prevalence or level is out of its range.

    Examples
    --------
    >>> coming = forecast(ConfusionCounts(tp=80, fp=90, fn=20, tn=810), volume=1000, prevalence=0.1)
    >>> float(coming.expected.tp), float(coming.expected.fp)
    (80.0, 90.0)
    >>> float(coming.by_chance["tp"].low) > float(coming.with_rates["tp"].low)
    True
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
