"""Choosing a threshold: every rule answers with the whole interval that gives the same counts, and with its ties.

A rule is a goal (a number of the counts to make as high or as low as can be) and limits (measures that must stay on
one side of a value). What nothing can meet is said with the limit that is in the way and the nearest value there is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
import numpy.typing as npt

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, in_blocks
from evalcore.registry import METRICS, MetricDef

__all__ = ["Choice", "Conflict", "Limit", "NoThreshold", "best"]

Measure = Callable[[ConfusionCounts], Array]

_ULPS = 8 * np.finfo(float).eps
"""Two values closer than this share of themselves are the same number computed along two ways."""

_STRETCH = 512
"""Rows judged together when only the best are wanted."""


@dataclass(frozen=True)
class Limit:
    """A measure that must not fall below, or not rise above, a value.

    Attributes
    ----------
    measure : MetricDef or callable
        Function of ConfusionCounts.
    at_least, at_most : float or None
        Inclusive; an undefined value meets no limit.

    Raises
    ------
    ValueError
        When a limit is not a number.
    """

    measure: Measure
    at_least: float | None = None
    at_most: float | None = None

    def __post_init__(self) -> None:
        if any(value is not None and value != value for value in (self.at_least, self.at_most)):
            raise ValueError("The limit of a measure is not a number; give one, or none at all.")

    def met(self, values: Array) -> np.ndarray:
        """Which of the values of the measure meet the limit."""
        # Comparing with nan is False, so an undefined value meets nothing.
        meets = values == values
        if self.at_least is not None:
            meets &= values >= self.at_least
        if self.at_most is not None:
            meets &= values <= self.at_most
        return meets


@dataclass(frozen=True, eq=False)
class Choice:
    """What a rule chose.

    Attributes
    ----------
    threshold : float
        The strictest threshold of the interval: the score of the last row that is called positive, or infinite.
    low, high : float
        Every threshold with low < threshold <= high gives the same counts; where lower scores are positive, with
        low <= threshold < high.
    value : float
        The goal at that threshold.
    counts : ConfusionCounts
        Of shape ().
    ties : Array, shape (m, 2)
        (low, high) of every interval with the same value of the goal, the chosen one among them, the strictest first.
        It has the fewest errors of them, misses and false alarms together; of equal ones it is the strictest.
    tied_counts : ConfusionCounts
        Of shape (m,), the counts in those intervals.
    """

    threshold: float
    low: float
    high: float
    value: float
    counts: ConfusionCounts
    ties: Array
    tied_counts: ConfusionCounts

    @property
    def tied_thresholds(self) -> Array:
        """The strictest threshold of every interval in `ties`, shape (m,)."""
        return self.ties[:, int(self.threshold == self.high)]


@dataclass(frozen=True)
class Conflict:
    """A limit that is in the way.

    Attributes
    ----------
    limit : Limit
    nearest : float
        The value of its measure nearest to the limit that any threshold reaches while the other limits hold, or at all
        when `alone`; nan when it is defined nowhere there.
    threshold : float
        A threshold that reaches it.
    alone : bool
        True when no threshold meets the limit even without the others.
    """

    limit: Limit
    nearest: float
    threshold: float
    alone: bool


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


def best(
    table: ThresholdTable, measure: Measure, *, highest: bool | None = None, limits: Sequence[Limit] = ()
) -> Choice:
    """The threshold where a measure is best, subject to limits on others.

    Parameters
    ----------
    table : ThresholdTable
    measure : MetricDef or callable
        Function of ConfusionCounts, for example ``find("F2")`` or `evalcore.classification.accuracy`.
    highest : bool, optional
        Whether high is good; by default what the registry says of the measure.
    limits : sequence of Limit

    Raises
    ------
    NoThreshold
        When no threshold meets the limits, with the conflict; or when the measure is undefined at all of them.
    ValueError
        When neither `highest` nor the registry says which way is better.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels, accuracy
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> choice = best(table, accuracy)
    >>> choice.threshold, choice.low, choice.value
    (0.9, 0.6, 0.75)
    """
    highest, prefers_hits = preference(measure, highest)
    goal = measure if highest else negated(measure)
    choice = optimum(table, goal, limits, monotone=prefers_hits and not limits)
    return choice if highest else with_value(choice, -choice.value)


def preference(measure: Measure, highest: bool | None) -> tuple[bool, bool]:
    """Whether high is good, and whether the measure then prefers a true to a false positive.

    Raises
    ------
    ValueError
        When neither `highest` nor the registry says which way is better.
    """
    definition = measure if isinstance(measure, MetricDef) else METRICS.get(getattr(measure, "__name__", ""))
    if definition is not None and measure not in (definition, definition.function):
        definition = None
    if highest is None:
        if definition is None or definition.better is None:
            raise ValueError("This measure has no better side; say highest=True or highest=False.")
        highest = definition.better == "higher"
    prefers_hits = definition is not None and definition.better is not None and definition.key != "cost"
    return highest, prefers_hits and highest == (definition.better == "higher")


def _choice_at(table: ThresholdTable, rows: np.ndarray, value: float) -> Choice:
    """The answer that consists of some rows of the table; of equal ones the one with the fewest errors is chosen.

    Where the goal looks at one class only, that is the best that the other class can have with it.
    """
    ties, counts = table.ranges(rows, rows), table.counts[rows]
    errors = counts.fn + counts.fp
    chosen = int(np.argmax(_fewest(errors)))
    threshold = float(table.thresholds[rows[chosen]])
    return Choice(threshold, *ties[chosen].tolist(), float(value), counts[chosen], ties, counts)


def optimum(table: ThresholdTable, goal: Measure, limits: Sequence[Limit], monotone: bool) -> Choice:
    """Rows of the table where the goal is highest among those that meet the limits."""
    rows = _candidates(table, goal) if monotone else np.arange(len(table))
    values = _values(table.counts[rows] if monotone else table.counts, goal)
    if limits:
        allowed = _allowed(table, limits)
        if not allowed.any():
            raise _conflict(table, limits)
        values = np.where(allowed, values, np.nan)
    top = np.fmax.reduce(values, initial=-np.inf)
    if np.isnan(values).all():
        raise NoThreshold("This measure is undefined at every threshold that is allowed.")
    return _choice_at(table, rows[_ties(values, top)], top)


def optimum_rows(values: Array, counts: ConfusionCounts) -> np.ndarray:
    """The place `optimum` chooses along the last axis, for many tables at once; −1 where no value is defined.

    Parameters
    ----------
    values : Array, shape (..., t)
        The goal, high is good; nan where it is undefined or not allowed.
    counts : ConfusionCounts, shape (..., t)
    """
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

    Of a stretch of rows, none is better than the hits at its end together with the false alarms at its start would be.
    So all stretches are judged by that bound, and only those that reach the best value met at an end are looked into.
    """
    starts = np.arange(0, len(table), _STRETCH)
    ends = np.minimum(starts + _STRETCH, len(table)) - 1
    tp, fp = table.counts.tp, table.counts.fp
    positives, negatives = table.counts[-1].actual_positives, table.counts[-1].actual_negatives
    bound = goal(ConfusionCounts(tp[ends], fp[starts], positives - tp[ends], negatives - fp[starts]))
    met = np.fmax.reduce(goal(table.counts[ends]), initial=-np.inf)
    worth = np.flatnonzero(np.isnan(bound) | _ties(bound, met))
    return np.concatenate([np.arange(starts[k], ends[k] + 1) for k in worth])


def _allowed(table: ThresholdTable, limits: Sequence[Limit]) -> np.ndarray:
    allowed = np.ones(len(table), dtype=bool)
    for limit in limits:
        allowed &= limit.met(_values(table.counts, limit.measure))
    return allowed


def _values(counts: ConfusionCounts, measure: Measure) -> Array:
    return in_blocks(lambda block: measure(counts[block]), len(counts.tp))


def _conflict(table: ThresholdTable, limits: Sequence[Limit]) -> NoThreshold:
    """The limits in the way, each with the nearest value that can be had.

    Those that fail even alone; else those without which the others could be met; else, when no single one is to blame,
    all of them.
    """
    found, in_the_way = [], []
    for limit in limits:
        values = _values(table.counts, limit.measure)
        alone = not limit.met(values).any()
        others_met = _allowed(table, [other for other in limits if other is not limit])
        in_the_way.append(others_met.any())
        reachable = values if alone else np.where(others_met, values, np.nan)
        if np.isnan(reachable).all():
            found.append(Conflict(limit, float("nan"), float("nan"), alone))
            continue
        row = _nearest(limit, reachable)
        found.append(Conflict(limit, float(reachable[row]), float(table.thresholds[row]), alone))
    alone = tuple(c for c in found if c.alone)
    return NoThreshold("No threshold meets the limits.", alone or tuple(compress(found, in_the_way)) or tuple(found))


def _nearest(limit: Limit, values: Array) -> int:
    """Row of the value that misses a limit by least; of several, as where all are infinite, the first."""
    rows = np.flatnonzero(~np.isnan(values))
    short = np.maximum(
        limit.at_least - values[rows] if limit.at_least is not None else -np.inf,
        values[rows] - limit.at_most if limit.at_most is not None else -np.inf,
    )
    return int(rows[np.argmin(short)])


def negated(measure: Measure) -> Measure:
    return lambda counts: -measure(counts)


def with_value(choice: Choice, value: float) -> Choice:
    return Choice(choice.threshold, choice.low, choice.high, value, choice.counts, choice.ties, choice.tied_counts)
