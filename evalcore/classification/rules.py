"""The named rules for choosing a threshold, each a goal with its limits."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from evalcore.classification.choice import Choice, Limit, Measure, best, negated, optimum, with_value
from evalcore.classification.counts import ConfusionCounts
from evalcore.classification.indices import youden_j
from evalcore.classification.odds import cost as cost_per_row
from evalcore.classification.rates import negative_predictive_value, precision, recall, specificity
from evalcore.classification.scores import ThresholdTable
from evalcore.numeric import Array, ratio, share_of
from evalcore.registry import METRICS


def highest_youden(table: ThresholdTable) -> Choice:
    """Where recall + specificity − 1 is highest."""
    return best(table, youden_j)


def closest_to_corner(table: ThresholdTable) -> Choice:
    """Where the ROC curve comes closest to (0, 1), the perfect test; the value is the distance."""

    def distance(counts: ConfusionCounts) -> Array:
        # Whole numbers up to the root, so that equal distances are equal numbers.
        miss, alarm = counts.fn * counts.actual_negatives, counts.fp * counts.actual_positives
        return ratio(np.sqrt(miss * miss + alarm * alarm), counts.actual_positives * counts.actual_negatives)

    choice = optimum(table, negated(distance), (), monotone=True)
    return with_value(choice, -choice.value)


def weighted_sum(table: ThresholdTable, weight: float) -> Choice:
    """Where weight · sensitivity + (1 − weight) · specificity is highest.

    Raises
    ------
    ValueError
        When the weight is outside 0 … 1.
    """
    if not 0 <= weight <= 1:
        raise ValueError(f"The weight of sensitivity is {weight:g}; it must lie between 0 and 1.")

    def total(counts: ConfusionCounts) -> Array:
        positives, negatives = counts.actual_positives, counts.actual_negatives
        gain = weight * counts.tp * negatives + (1 - weight) * counts.tn * positives
        return ratio(gain, positives * negatives)

    return optimum(table, total, (), monotone=True)


def lowest_cost(
    table: ThresholdTable,
    *,
    fp_cost: float = 1,
    fn_cost: float = 1,
    tp_cost: float = 0,
    tn_cost: float = 0,
    limits: Sequence[Limit] = (),
) -> Choice:
    """Where the mean cost of a row is lowest; negative costs are gains.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> lowest_cost(table, fn_cost=5).threshold
    0.4
    """
    price = partial(cost_per_row, fp_cost=fp_cost, fn_cost=fn_cost, tp_cost=tp_cost, tn_cost=tn_cost)
    usual = tp_cost <= fn_cost and tn_cost <= fp_cost
    choice = optimum(table, negated(price), limits, monotone=usual and not limits)
    return with_value(choice, -choice.value)


def flag_at_most(table: ThresholdTable, *, rows: float | None = None, share: float | None = None) -> Choice:
    """The lowest threshold that calls no more than so many rows, or such a share of them, positive.

    Ties are never split, so fewer may be called; the value is the number of rows that are.

    Raises
    ------
    ValueError
        When not exactly one of `rows` and `share` is given, or it is negative.
    """
    if (rows is None) == (share is None):
        raise ValueError("Give either a number of rows or a share of them.")
    limit = rows if rows is not None else float(share_of(share, float(table.counts[-1].total)))
    if limit < 0:
        raise ValueError("The number of rows to flag cannot be negative.")

    def flagged(counts: ConfusionCounts) -> Array:
        return counts.predicted_positives

    return best(table, flagged, highest=True, limits=(Limit(flagged, at_most=limit),))


def rule_out(table: ThresholdTable, *, sensitivity: float | None = None, npv: float | None = None) -> Choice:
    """The most specific threshold at which a negative result can be trusted to exclude.

    Raises
    ------
    NoThreshold
        When no threshold reaches the sensitivity and the NPV that are asked for.
    """
    limits = _at_least((recall, sensitivity), (negative_predictive_value, npv))
    return best(table, specificity, limits=limits)


def rule_in(table: ThresholdTable, *, specificity_of: float | None = None, ppv: float | None = None) -> Choice:
    """The most sensitive threshold at which a positive result can be trusted to confirm.

    Raises
    ------
    NoThreshold
        When no threshold reaches the specificity and the PPV that are asked for.
    """
    return best(table, recall, limits=_at_least((specificity, specificity_of), (precision, ppv)))


def _at_least(*wanted: tuple[Measure, float | None]) -> tuple[Limit, ...]:
    limits = tuple(Limit(METRICS[m.__name__], at_least=value) for m, value in wanted if value is not None)
    if not limits:
        raise ValueError("Say at least one value that must be reached.")
    return limits
