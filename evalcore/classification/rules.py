"""The named rules for choosing a threshold: each asks a goal of a table."""

from collections.abc import Sequence

from evalcore.classification.choice import Choice, Limit
from evalcore.classification.goals import (
    corner_goal,
    cost_goal,
    flag_goal,
    rule_in_goal,
    rule_out_goal,
    weighted_goal,
    youden_goal,
)
from evalcore.classification.threshold_table import ThresholdTable

__all__ = ["closest_to_corner", "flag_at_most", "highest_youden", "lowest_cost", "rule_in", "rule_out", "weighted_sum"]


def highest_youden(table: ThresholdTable) -> Choice:
    """Where recall + specificity − 1 is highest."""
    return youden_goal().choose(table)


def closest_to_corner(table: ThresholdTable) -> Choice:
    """Where the ROC curve comes closest to (0, 1), the perfect test; the value is the distance."""
    return corner_goal().choose(table)


def weighted_sum(table: ThresholdTable, weight: float) -> Choice:
    """Where weight · sensitivity + (1 − weight) · specificity is highest.

    Raises
    ------
    ValueError
        When the weight is outside 0 … 1.
    """
    return weighted_goal(weight).choose(table)


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

    Raises
    ------
    ValueError
        When a cost is not a finite number.

    Examples
    --------
    >>> from evalcore.classification import ScoredLabels
    >>> table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1], positive=1).table()
    >>> lowest_cost(table, fn_cost=5).threshold
    0.4
    """
    goal = cost_goal(fp_cost=fp_cost, fn_cost=fn_cost, tp_cost=tp_cost, tn_cost=tn_cost)
    return goal.within(*limits).choose(table)


def flag_at_most(table: ThresholdTable, *, rows: float | None = None, share: float | None = None) -> Choice:
    """The lowest threshold that calls no more than so many rows, or such a share of them, positive.

    Ties are never split, so fewer may be called; the value is the number of rows that are.

    Raises
    ------
    ValueError
        When not exactly one of `rows` and `share` is given, or it is negative or not a number.
    """
    return flag_goal(rows=rows, share=share).choose(table)


def rule_out(table: ThresholdTable, *, sensitivity: float | None = None, npv: float | None = None) -> Choice:
    """The most specific threshold at which a negative result can be trusted to exclude.

    Raises
    ------
    NoThreshold
        When no threshold reaches the sensitivity and the NPV that are asked for.
    """
    return rule_out_goal(sensitivity=sensitivity, npv=npv).choose(table)


def rule_in(table: ThresholdTable, *, specificity_of: float | None = None, ppv: float | None = None) -> Choice:
    """The most sensitive threshold at which a positive result can be trusted to confirm.

    Raises
    ------
    NoThreshold
        When no threshold reaches the specificity and the PPV that are asked for.
    """
    return rule_in_goal(specificity_of=specificity_of, ppv=ppv).choose(table)
