"""The choice of a threshold: limits that must hold, the best threshold within them, and those that tie with it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, in_blocks

__all__ = ["Choice", "Conflict", "Limit", "NoThreshold", "threshold_for_value"]


Measure = Callable[[ConfusionCounts], Array]

_ULPS = 8 * np.finfo(float).eps
"""Two values closer than this share of themselves count as equal: they differ by rounding."""

_STRETCH = 512
"""Rows judged together when only the best are wanted."""


@dataclass(frozen=True)
class Limit:
    """A measure that must not fall below, or not rise above, a value.

    Raises
    ------
    ValueError
        When a limit is not a number.
    """

    measure: Measure  # function of ConfusionCounts
    # Inclusive; an undefined value meets no limit.
    at_least: float | None = None
    at_most: float | None = None

    def __post_init__(self) -> None:
        if any(value is not None and math.isnan(value) for value in (self.at_least, self.at_most)):
            raise ValueError("The limit of a measure is not a number; give one, or none at all.")

    def met(self, values: Array) -> np.ndarray:
        """Which values of the measure meet the limit."""
        meets = ~np.isnan(values)
        if self.at_least is not None:
            meets &= values >= self.at_least
        if self.at_most is not None:
            meets &= values <= self.at_most
        return meets


@dataclass(frozen=True)
class Conflict:
    """A limit that no threshold meets, alone or together with the others."""

    limit: Limit
    # The value of its measure nearest to the limit that any threshold reaches while the other limits hold, or at all
    # when `alone`; nan when it is undefined at all of them.
    nearest: float
    threshold: float  # a threshold that reaches it
    alone: bool  # true when no threshold meets the limit even without the others


class NoThreshold(ValueError):
    """No threshold meets the limits, or the goal is undefined at every one of them.

    Attributes
    ----------
    conflicts : tuple of Conflict
        The limits in the way; empty when the goal itself is undefined everywhere.
    """

    def __init__(self, message: str, conflicts: tuple[Conflict, ...] = ()) -> None:
        super().__init__(message)
        self.conflicts = conflicts


def allowed(limits: Sequence[Limit], counts: ConfusionCounts) -> np.ndarray:
    """Where all limits hold, in the shape of the counts."""

    def hold(counts: ConfusionCounts) -> np.ndarray:
        met = [limit.met(np.asarray(limit.measure(counts))) for limit in limits]
        return np.logical_and.reduce([np.ones(np.shape(counts.tp), dtype=bool), *met])

    if np.ndim(counts.tp) != 1:
        return hold(counts)
    return in_blocks(lambda rows: hold(counts[rows]), len(counts.tp)) == 1


def conflict_of(table: ThresholdTable, limits: Sequence[Limit]) -> NoThreshold:
    """The limits in the way, each with the nearest value that can be reached.

    Those that fail even alone; else those without which the others could be met; else, when no single one is to blame,
    all of them.
    """
    values = [np.asarray(limit.measure(table.counts)) for limit in limits]
    met = [limit.met(of_one) for limit, of_one in zip(limits, values, strict=True)]
    conflicts, in_the_way = [], []
    for index, limit in enumerate(limits):
        alone = not met[index].any()
        others_met = np.logical_and.reduce([np.ones(len(table), dtype=bool), *met[:index], *met[index + 1 :]])
        in_the_way.append(others_met.any())
        reachable = values[index] if alone else np.where(others_met, values[index], np.nan)
        if np.isnan(reachable).all():
            conflicts.append(Conflict(limit, math.nan, math.nan, alone))
            continue
        row = _nearest(limit, reachable)
        conflicts.append(Conflict(limit, float(reachable[row]), float(table.thresholds[row]), alone))
    alone = tuple(conflict for conflict in conflicts if conflict.alone)
    return NoThreshold(
        "No threshold meets the limits.", alone or tuple(compress(conflicts, in_the_way)) or tuple(conflicts)
    )


def _nearest(limit: Limit, values: Array) -> int:
    """Row of the value that misses a limit by least; the first of several."""
    rows = np.flatnonzero(~np.isnan(values))
    short = np.maximum(
        limit.at_least - values[rows] if limit.at_least is not None else -np.inf,
        values[rows] - limit.at_most if limit.at_most is not None else -np.inf,
    )
    return int(rows[np.argmin(short)])


@dataclass(frozen=True, eq=False)
class Choice:
    """The threshold that serves a goal best."""

    # The strictest threshold of the interval: the score of the last row that is called positive, or infinite.
    threshold: float
    # Every threshold with low < threshold <= high gives the same counts; where lower scores are positive, with low <=
    # threshold < high.
    low: float
    high: float
    value: float  # the goal at that threshold
    counts: ConfusionCounts  # of shape ()
    # Shape (m, 2): (low, high) of every interval with the same value of the goal, the chosen one among them, the
    # strictest first. It has the fewest errors of them, misses and false alarms together; of equal ones it is the
    # strictest.
    ties: Array
    tied_counts: ConfusionCounts  # of shape (m,), the counts in those intervals

    @property
    def tied_thresholds(self) -> Array:
        """The strictest threshold of every interval in `ties`, shape (m,)."""
        return self.ties[:, int(self.threshold == self.high)]


def optimum(table: ThresholdTable, goal: Measure, limits: Sequence[Limit] = (), monotone: bool = False) -> Choice:
    """The rows of a table where a function of the counts is highest among those that meet the limits.

    Of rows with the same value, the one with the fewest errors is chosen: where the goal looks at one class only, that
    is the best that the other class can have with it.

    A monotone function prefers true to false positives, so that few rows can hold its optimum.
    """
    rows = _candidates(table, goal) if monotone else np.arange(len(table))
    counts = table.counts[rows] if monotone else table.counts
    values = in_blocks(lambda block: goal(counts[block]), len(rows))
    if limits:
        meets = allowed(limits, counts)
        if not meets.any():
            raise conflict_of(table, limits)
        values = np.where(meets, values, np.nan)
    if np.isnan(values).all():
        raise NoThreshold("This measure is undefined at every threshold that is allowed.")
    top = np.fmax.reduce(values)
    rows = rows[_ties(values, top)]
    ties, counts = table.ranges(rows, rows), table.counts[rows]
    chosen = int(np.argmax(_fewest(counts.fn + counts.fp)))
    threshold = float(table.thresholds[rows[chosen]])
    low, high = ties[chosen].tolist()
    return Choice(threshold, low, high, float(top), counts[chosen], ties, counts)


def threshold_for_value(table: ThresholdTable, measure: Measure, value: float, side: str = "nearest") -> Choice:
    """The threshold at which a measure comes nearest to a value, over every distinct score.

    Parameters
    ----------
    measure : MetricDef or callable
        Function of ConfusionCounts.
    side : {"nearest", "at least", "at most"}
        Whether the measure may lie on either side of the value, or only on one.

    Returns
    -------
    Choice
        Its `value` is the one that is reached.

    Raises
    ------
    NoThreshold
        When the measure is undefined everywhere, or nowhere on the wanted side.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels, recall
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> threshold_for_value(table, recall, 0.6).threshold, threshold_for_value(table, recall, 0.6, "at least").threshold
    (0.9, 0.4)
    """
    # 0.3 is reached by 3 of 10, whatever rounding makes of it.
    slack = 1e-12 * max(abs(value), 1.0) if math.isfinite(value) else 0.0
    limits = {
        "nearest": (),
        "at least": (Limit(measure, at_least=value - slack),),
        "at most": (Limit(measure, at_most=value + slack),),
    }[side]

    def nearness(counts: ConfusionCounts) -> Array:
        values = np.asarray(measure(counts))
        with np.errstate(invalid="ignore"):  # infinite less infinite
            # From −1 down, so that two equal distances on either side tie, however small they are beside the value.
            return np.where(values == value, -1.0, -1 - np.abs(values - value))

    choice = optimum(table, nearness, limits)
    return replace(choice, value=float(measure(choice.counts)))


def optimum_rows(values: Array, counts: ConfusionCounts) -> np.ndarray:
    """The place that `optimum` chooses along the last axis, for many tables at once; −1 where no value is defined."""
    top = np.fmax.reduce(values, axis=-1, initial=-np.inf)[..., None]
    tied = _ties(values, top)
    errors = np.where(tied, counts.fn + counts.fp, np.inf)
    return np.where(tied.any(axis=-1), np.argmax(_fewest(errors), axis=-1), -1)


def _ties(values: Array, top: npt.ArrayLike) -> np.ndarray:
    slack = np.where(np.isfinite(top), np.abs(top) * _ULPS, 0.0)
    return values >= top - slack


def _fewest(errors: Array) -> np.ndarray:
    return errors <= errors.min(axis=-1, keepdims=True) * (1 + _ULPS)


def _candidates(table: ThresholdTable, goal: Measure) -> np.ndarray:
    """Rows that can hold the optimum or tie with it, for a goal that prefers true to false positives.

    No row of a stretch is better than the true positives at its end with the false positives at its start. Only the
    stretches whose bound reaches the best value at any end are searched.
    """
    starts = np.arange(0, len(table), _STRETCH)
    ends = np.minimum(starts + _STRETCH, len(table)) - 1
    tp, fp = table.counts.tp, table.counts.fp
    positives, negatives = table.counts[-1].actual_positives, table.counts[-1].actual_negatives
    bound = goal(ConfusionCounts(tp[ends], fp[starts], positives - tp[ends], negatives - fp[starts]))
    met = np.fmax.reduce(goal(table.counts[ends]), initial=-np.inf)
    worth = np.flatnonzero(np.isnan(bound) | _ties(bound, met))
    return np.concatenate([np.arange(starts[k], ends[k] + 1) for k in worth])
