"""A goal as it is taken away: in words for a report, and as Python that makes the same choice."""

import math

from evalcore import MetricDef
from evalcore.classification import Choice, Goal, Limit
from evalcore.wording import THIN, threshold_text

from ...export.decision_record import Purpose

_ASKED = {
    "fn_cost": "a miss costs {}",
    "fp_cost": "a false alarm costs {}",
    "tp_cost": "a hit costs {}",
    "tn_cost": "a dismissal costs {}",
    "weight": "recall has the weight {}",
    "rows": "at most {} rows",
    "share": f"at most {{}}{THIN}% of the rows",
}


def purpose_of(goal: Goal, choice: Choice | None) -> Purpose:
    """What a threshold is for, as the record of it needs to know.

    Parameters
    ----------
    goal : Goal
        With all of its limits.
    choice : Choice or None
        What it chose from the table of the open scores; None where no threshold meets the limits.
    """
    limits = tuple(limit for limit in goal.limits if isinstance(limit.measure, MetricDef))
    return Purpose(goal_words(goal), choice, limits, "" if choice is None else choice_code(goal))


def goal_words(goal: Goal) -> str:
    """A goal with its numbers and limits, as the end of "The goal is …"; plain text.

    Examples
    --------
    >>> from evalcore import METRICS
    >>> from evalcore.classification import cost_goal
    >>> goal_words(cost_goal(fn_cost=5).within(Limit(METRICS["precision"], at_least=0.4)))
    'the lowest cost per row (a false alarm costs 1, a miss costs 5), with PPV at least 0.4'
    """
    told = [
        _ASKED[name].format(threshold_text(100 * value if name == "share" else value))
        for name, value in goal.parameters
        if name in _ASKED and (value or name not in ("tp_cost", "tn_cost"))
    ]
    asked = f" ({', '.join(told)})" if told else ""
    limits = [_limit_words(limit) for limit in goal.limits if isinstance(limit.measure, MetricDef)]
    return f"the {goal.name}{asked}" + (f", with {' and '.join(limits)}" if limits else "")


def choice_code(goal: Goal) -> str:
    """One Python expression over ``table`` that makes the choice of a goal again; empty for a goal of no known kind.

    Examples
    --------
    >>> from evalcore import METRICS
    >>> from evalcore.classification import measure_goal
    >>> choice_code(measure_goal(METRICS["recall"]).within(Limit(METRICS["precision"], at_least=0.4)))
    "measure_goal(METRICS['recall'], highest=True).within(Limit(METRICS['precision'], at_least=0.4)).choose(table)"
    """
    asked = dict(goal.parameters)
    numbers = ", ".join(f"{name}={_float(value)}" for name, value in asked.items())
    if isinstance(goal.measure, MetricDef):
        made = f"measure_goal({_measure(goal.measure)}, highest={goal.highest})"
    elif "weight" in asked:
        made = f"weighted_goal({numbers})"
    elif "rows" in asked or "share" in asked:
        made = f"flag_goal({numbers})"
    elif "fn_cost" in asked:
        made = f"cost_goal({numbers})"
    elif "corner" in goal.name:
        made = "corner_goal()"
    else:
        return ""
    # The limit of a number of rows is made by its goal.
    limits = [_limit(limit) for limit in goal.limits if isinstance(limit.measure, MetricDef)]
    return made + (f".within({', '.join(limits)})" if limits else "") + ".choose(table)"


def _limit_words(limit: Limit) -> str:
    sides = (("at least", limit.at_least), ("at most", limit.at_most))
    return f"{limit.measure.label} " + " and ".join(f"{w} {threshold_text(v)}" for w, v in sides if v is not None)


def _limit(limit: Limit) -> str:
    sides = (("at_least", limit.at_least), ("at_most", limit.at_most))
    return f"Limit({_measure(limit.measure)}, " + ", ".join(f"{k}={_float(v)}" for k, v in sides if v is not None) + ")"


def _measure(measure: MetricDef) -> str:
    params = ", ".join(f"{name}={_float(value)}" for name, value in measure.arguments.items())
    return f"METRICS[{measure.key!r}]" + (f".with_params({params})" if params else "")


def _float(value: float) -> str:
    return repr(value) if math.isfinite(value) else f'float("{value}")'
