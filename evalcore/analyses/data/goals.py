"""A goal in words and in Python: what it asks for, what some counts are worth to it, and the call that makes it."""

from evalcore.analyses.data.script import literal
from evalcore.classification import ConfusionCounts, Goal, Limit
from evalcore.registry import MetricDef
from evalcore.wording import THIN, measure_word, number_text, rows_text, threshold_text, value_text

__all__ = ["goal_code", "goal_name", "goal_text", "goal_value_text", "limit_texts"]

_PARAMETERS = {
    "fn_cost": "a miss costs {}",
    "fp_cost": "a false alarm costs {}",
    "tp_cost": "a hit costs {}",
    "tn_cost": "a correct rejection costs {}",
    "weight": "recall has weight {}",
    "rows": "at most {} rows",
    "share": f"at most {{}}{THIN}% of the rows",
}


def goal_text(goal: Goal) -> str:
    """A goal with its numbers and limits, as the end of "The goal is …"; plain text.

    >>> from evalcore import METRICS
    >>> from evalcore.classification import cost_goal
    >>> goal_text(cost_goal(fn_cost=5).within(Limit(METRICS["precision"], at_least=0.4)))
    'the lowest cost per row (a false alarm costs 1, a miss costs 5), with precision at least 0.4'
    """
    numbers = [
        _PARAMETERS[key].format(threshold_text(100 * value if key == "share" else value))
        for key, value in goal.parameters
        if key in _PARAMETERS and (value or key not in ("tp_cost", "tn_cost"))
    ]
    limits = [
        f"{measure_word(limit.measure)} at {side} {threshold_text(value)}"
        for limit in goal.limits
        for side, value in (("least", limit.at_least), ("most", limit.at_most))
        if isinstance(limit.measure, MetricDef) and value is not None
    ]
    brackets = f" ({', '.join(numbers)})" if numbers else ""
    return f"the {goal_name(goal)}{brackets}" + (f", with {' and '.join(limits)}" if limits else "")


def goal_name(goal: Goal) -> str:
    """What a goal is called: "highest precision", "lowest cost per row"."""
    measure = goal.measure
    if isinstance(measure, MetricDef) and goal.name.endswith(f" {measure.label}"):
        return f"{goal.name.removesuffix(measure.label)}{measure_word(measure)}"
    return goal.name


def goal_value_text(goal: Goal, counts: ConfusionCounts) -> str:
    """What some counts are worth to a goal: "recall 90.0 %", "total cost 98.0, 0.172 per row".

    >>> from evalcore.classification import corner_goal
    >>> goal_value_text(corner_goal(), ConfusionCounts(tp=6, fp=3, fn=4, tn=7))
    'distance 0.500 to the corner'
    """
    value = float(goal.measure(counts))
    if isinstance(goal.measure, MetricDef):
        return f"{measure_word(goal.measure)} {value_text(goal.measure, value)}"
    match _kind(goal):
        case "cost":
            return f"total cost {number_text(value * float(counts.total))}, {number_text(value)} per row"
        case "weighted":
            return f"weighted sum {number_text(value)}"
        case "flag":
            return flagged_text(value)
        case "corner":
            return f"distance {number_text(value)} to the corner"
    return number_text(value)


def limit_texts(goal: Goal, limit: Limit) -> tuple[str, str]:
    """What must hold by a limit of a goal, and what it forbids: "precision ≥ 0.90" and "precision < 0.90".

    >>> from evalcore.classification import flag_goal
    >>> goal = flag_goal(rows=3)
    >>> limit_texts(goal, *goal.limits)
    ('at most 3 rows flagged', 'more than 3 rows flagged')
    """
    if isinstance(limit.measure, MetricDef):
        signs = "≤>" if limit.at_least is None else "≥<"
        value = next(value for value in (limit.at_least, limit.at_most) if value is not None)
        # Two decimals at least.
        text = f"{value:.2f}".replace("-", "−") if round(value, 2) == value else threshold_text(value)
        must, forbidden = (f"{measure_word(limit.measure)} {sign} {text}" for sign in signs)
        return must, forbidden
    parameters = dict(goal.parameters)
    if "rows" in parameters:
        most = rows_text(parameters["rows"])
    else:
        most = f"{threshold_text(100 * parameters['share'])}{THIN}% of the rows"
    return f"at most {most} flagged", f"more than {most} flagged"


def flagged_text(rows: float) -> str:
    """So many rows flagged."""
    return f"{rows_text(rows)} flagged"


def goal_code(goal: Goal) -> str:
    """The Python expression that makes a goal again; empty for one of no known kind.

    >>> from evalcore import METRICS
    >>> from evalcore.classification import measure_goal
    >>> goal_code(measure_goal(METRICS["recall"]).within(Limit(METRICS["precision"], at_least=0.4)))
    "measure_goal(METRICS['recall'], highest=True).within(Limit(METRICS['precision'], at_least=0.4))"
    """
    kind = _kind(goal)
    if not kind:
        return ""
    numbers = ", ".join(f"{name}={literal(value)}" for name, value in goal.parameters)
    if isinstance(goal.measure, MetricDef):
        numbers = f"{_measure_code(goal.measure)}, highest={goal.highest}"
    # A number of rows is a limit that its goal makes.
    limits = [_limit_code(limit, limit.measure) for limit in goal.limits if isinstance(limit.measure, MetricDef)]
    return f"{kind}_goal({numbers})" + (f".within({', '.join(limits)})" if limits else "")


def _kind(goal: Goal) -> str:
    """Which of the functions of evalcore makes this goal; empty for none."""
    parameters = dict(goal.parameters)
    if isinstance(goal.measure, MetricDef):
        return "measure"
    kinds = {"weight": "weighted", "rows": "flag", "share": "flag", "fn_cost": "cost"}
    return next((kind for name, kind in kinds.items() if name in parameters), "corner" if "corner" in goal.name else "")


def _limit_code(limit: Limit, measure: MetricDef) -> str:
    sides = (("at_least", limit.at_least), ("at_most", limit.at_most))
    given = ", ".join(f"{side}={literal(value)}" for side, value in sides if value is not None)
    return f"Limit({_measure_code(measure)}, {given})"


def _measure_code(measure: MetricDef) -> str:
    params = ", ".join(f"{name}={literal(value)}" for name, value in measure.arguments.items())
    return f"METRICS[{measure.key!r}]" + (f".with_params({params})" if params else "")
