"""Limits: measures that must stay on one side of a value, and which of them stand in the way of a threshold."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np

from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, in_blocks

__all__ = ["Conflict", "Limit", "NoThreshold"]

Measure = Callable[[ConfusionCounts], Array]


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
    """A limit that no threshold meets, alone or together with the others.

    Attributes
    ----------
    nearest : float
        The value of its measure nearest to the limit that any threshold reaches while the other limits hold, or at all
        when `alone`; nan when it is undefined at all of them.
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
    for place, limit in enumerate(limits):
        alone = not met[place].any()
        others_met = np.logical_and.reduce([np.ones(len(table), dtype=bool), *met[:place], *met[place + 1 :]])
        in_the_way.append(others_met.any())
        reachable = values[place] if alone else np.where(others_met, values[place], np.nan)
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
