"""Goals: what a threshold is chosen for, a measure to optimise and limits on others.

A goal chooses from a threshold table, which gives a `Choice`, or from counts of any shape, which gives the place chosen
along the last axis: 2,000 resamples of a table are decided at once.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from evalcore.classification.choice import Choice, Limit, Measure, allowed, optimum, optimum_rows
from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.indices import youden_j
from evalcore.classification.odds import cost as cost_per_row
from evalcore.classification.rates import negative_predictive_value, precision, recall, specificity
from evalcore.classification.threshold_table import ThresholdTable
from evalcore.numeric import Array, ratio, share_of
from evalcore.registry import METRICS, MetricDef

__all__ = ["Goal", "best", "corner_goal", "cost_goal", "flag_goal", "measure_goal", "rule_in_goal", "rule_out_goal"]
__all__ += ["weighted_goal", "youden_goal"]

_EXACT = 2**53
"""Whole numbers up to here are floats."""


@dataclass(frozen=True, eq=False)
class Goal:
    """What a threshold is chosen for.

    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> cost_goal(fn_cost=5).choose(table).threshold
    0.4
    >>> cost_goal(fn_cost=5).within(Limit(precision, at_least=0.8)).choose(table).threshold
    0.9
    """

    measure: Measure  # function of ConfusionCounts to maximise or minimise
    highest: bool  # whether high is good
    limits: tuple[Limit, ...] = ()  # must hold at the threshold
    name: str = ""  # in words: "lowest cost per row"
    parameters: tuple[tuple[str, float], ...] = ()  # weights, costs and the like
    # Whether one more true positive never makes it worse and one more false positive never better; then the optimum of
    # a long table is found without looking at every row.
    prefers_hits: bool = False

    def choose(self, table: ThresholdTable) -> Choice:
        """The threshold that is best for the goal.

        Raises NoThreshold when no threshold meets the limits, with the conflict; or when the goal is undefined at all
        of them.
        """
        measure = self.measure if self.highest else lambda counts: -self.measure(counts)
        choice = optimum(table, measure, self.limits, monotone=self.prefers_hits and not self.limits)
        return choice if self.highest else replace(choice, value=-choice.value)

    def within(self, *limits: Limit) -> "Goal":
        """The same goal with more limits."""
        return replace(self, limits=(*self.limits, *limits))

    def allowed(self, counts: ConfusionCounts) -> np.ndarray:
        """Where all limits hold, in the shape of the counts."""
        return allowed(self.limits, counts)

    def chosen_rows(self, counts: ConfusionCounts, values: Array | None = None) -> np.ndarray:
        """The place that `choose` would choose along the last axis of counts, from the strictest on; −1 where none is.

        `values`, of the shape of the counts, are those of the measure if already computed.
        """
        values = np.asarray(self.measure(counts)) if values is None else values
        values = values if self.highest else -values
        if self.limits:
            values = np.where(self.allowed(counts), values, np.nan)
        return optimum_rows(values, counts)

    @property
    def key(self) -> str:
        """The goal as text: goals with the same key choose alike if their measures are those of the registry."""
        numbers = (f"{name}={value!r}" for name, value in self.parameters)
        limits = (f"{_name_of(limit.measure)} {limit.at_least!r} {limit.at_most!r}" for limit in self.limits)
        return "; ".join((self.name, *numbers, *limits))


def best(
    table: ThresholdTable, measure: Measure, *, highest: bool | None = None, limits: Sequence[Limit] = ()
) -> Choice:
    """The threshold where a measure is best, subject to limits on others: ``measure_goal(…).within(…).choose(table)``.

    >>> from evalcore.classification import ScoredLabels, accuracy
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> choice = best(table, accuracy)
    >>> choice.threshold, choice.low, choice.value
    (0.9, 0.6, 0.75)
    """
    return measure_goal(measure, highest=highest).within(*limits).choose(table)


def measure_goal(measure: Measure, *, highest: bool | None = None) -> Goal:
    """The best value of a measure.

    Parameters
    ----------
    measure : MetricDef or callable
        Function of ConfusionCounts, for example ``find("F2")`` or `evalcore.classification.accuracy`.
    highest : bool, optional
        Whether high is good; by default what the registry says of the measure.

    Raises
    ------
    ValueError
        When neither `highest` nor the registry says which way is better.
    """
    definition = measure if isinstance(measure, MetricDef) else METRICS.get(getattr(measure, "__name__", ""))
    better = definition.better if definition is not None and measure in (definition, definition.function) else None
    if highest is None:
        if better is None:
            raise ValueError("This measure has no better side; say highest=True or highest=False.")
        highest = better == "higher"
    side = "highest" if highest else "lowest"
    towards = "higher" if highest else "lower"
    prefers_hits = definition is not None and better == towards and definition.key != "cost"
    arguments = tuple(getattr(measure, "arguments", {}).items())
    return Goal(measure, highest, (), f"{side} {_name_of(measure)}", arguments, prefers_hits)


def youden_goal() -> Goal:
    """The highest recall + specificity − 1."""
    return replace(measure_goal(METRICS[youden_j.__name__]), name="highest recall + specificity")


def corner_goal() -> Goal:
    """The smallest distance of the ROC curve to (0, 1), the perfect test."""
    return Goal(_distance, False, (), "lowest distance to the perfect corner", (), True)


def weighted_goal(weight: float) -> Goal:
    """The highest weight · sensitivity + (1 − weight) · specificity.

    Raises a ValueError when the weight is outside 0 … 1.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"The weight of sensitivity is {weight:g}; it must lie between 0 and 1.")
    parameters = (("weight", float(weight)),)
    return Goal(partial(_weighted, weight=weight), True, (), "weighted recall and specificity", parameters, True)


def cost_goal(*, fp_cost: float = 1, fn_cost: float = 1, tp_cost: float = 0, tn_cost: float = 0) -> Goal:
    """The lowest mean cost per row; negative costs are gains.

    Raises a ValueError when a cost is not a finite number.
    """
    prices = {"fp_cost": fp_cost, "fn_cost": fn_cost, "tp_cost": tp_cost, "tn_cost": tn_cost}
    for name, price in prices.items():
        if not math.isfinite(price):
            raise ValueError(f"{name} is {price:g}; a cost is a finite number, and 0 where an outcome costs nothing.")
    usual = tp_cost <= fn_cost and tn_cost <= fp_cost
    return Goal(partial(cost_per_row, **prices), False, (), "lowest cost per row", tuple(prices.items()), usual)


def flag_goal(*, rows: float | None = None, share: float | None = None) -> Goal:
    """As many rows called positive as possible, up to a number of rows or a share of all.

    Raises a ValueError when not exactly one of `rows` and `share` is given, or it is negative or not a number.
    """
    name, most = ("share", share) if rows is None else ("rows", rows)
    if most is None or None not in (rows, share):
        raise ValueError("Give either a number of rows or a share of them.")
    if not most >= 0:
        raise ValueError(f"The number of rows to flag is {most:g}; it cannot be negative and must be a number.")
    limit = Limit(_flagged, at_most=most) if name == "rows" else Limit(partial(_over_share, share=most), at_most=0)
    return Goal(_flagged, True, (limit,), "most rows flagged", ((name, float(most)),))


def rule_out_goal(*, sensitivity: float | None = None, npv: float | None = None) -> Goal:
    """The highest specificity with a sensitivity or NPV that rules out.

    Raises a ValueError when neither value is given.
    """
    limits = _at_least((recall, sensitivity), (negative_predictive_value, npv))
    return replace(
        measure_goal(METRICS[specificity.__name__]), limits=limits, name="highest specificity that rules out"
    )


def rule_in_goal(*, specificity_of: float | None = None, ppv: float | None = None) -> Goal:
    """The highest sensitivity with a specificity or PPV that rules in.

    Raises a ValueError when neither value is given.
    """
    limits = _at_least((specificity, specificity_of), (precision, ppv))
    return replace(measure_goal(METRICS[recall.__name__]), limits=limits, name="highest sensitivity that rules in")


def _distance(counts: ConfusionCounts) -> Array:
    # Whole numbers up to the root, so that equal distances compare equal.
    miss, alarm = counts.fn * counts.actual_negatives, counts.fp * counts.actual_positives
    return ratio(np.sqrt(miss * miss + alarm * alarm), counts.actual_positives * counts.actual_negatives)


def _weighted(counts: ConfusionCounts, weight: float) -> Array:
    positives, negatives = counts.actual_positives, counts.actual_negatives
    gain = weight * counts.tp * negatives + (1 - weight) * counts.tn * positives
    return ratio(gain, positives * negatives)


def _flagged(counts: ConfusionCounts) -> Array:
    return counts.predicted_positives


def _over_share(counts: ConfusionCounts, share: float) -> Array:
    """Rows flagged above a share of all, times the denominator of the share: whole numbers compare exactly."""
    if math.isinf(share):
        return np.full(np.shape(counts.tp), -np.inf)
    exact = share_of(share, 1.0)
    if exact.denominator > _EXACT:
        return counts.predicted_positives - share * counts.total
    return counts.predicted_positives * float(exact.denominator) - float(exact.numerator) * counts.total


def flagged_limit(limit: Limit, rows: float) -> float | None:
    """The share of the rows that a limit of `flag_goal` lets be called positive; None for any other limit.

    A number of rows is a share of so many.
    """
    if limit.measure is _flagged:
        return min(float(ratio(limit.at_most, rows)), 1.0) if limit.at_most is not None else None
    share = getattr(limit.measure, "keywords", {}).get("share")
    return None if share is None else float(share)


def _at_least(*wanted: tuple[Measure, float | None]) -> tuple[Limit, ...]:
    limits: Sequence[Limit] = [Limit(METRICS[m.__name__], at_least=value) for m, value in wanted if value is not None]
    if not limits:
        raise ValueError("Say at least one value that must be reached.")
    return tuple(limits)


def _name_of(measure: Measure) -> str:
    inner = getattr(measure, "func", measure)
    name = getattr(measure, "label", "") or getattr(inner, "__name__", repr(measure)).strip("_")
    return name + "".join(f" {key}={value!r}" for key, value in getattr(measure, "keywords", {}).items())
