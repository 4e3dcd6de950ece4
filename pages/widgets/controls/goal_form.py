"""The goals that can be chosen, and what each asks: prices, weights, a budget, what a result must be trusted with."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.classification import (
    ConfusionCounts,
    Goal,
    corner_goal,
    cost_goal,
    flag_goal,
    measure_goal,
    rule_in_goal,
    rule_out_goal,
    weighted_goal,
    youden_goal,
)
from evalcore.wording import THIN, count_text, number_text, threshold_text, value_text

from ..session import address
from .limits import WITH_DIRECTION, Asked, Bound, bound_of, word

GOALS = {
    "youden": "Highest recall + specificity (Youden)",
    "measure": "Best of a measure",
    "cost": "Lowest cost",
    "corner": "Closest to the perfect corner of the ROC curve",
    "weighted": "Weighted recall and specificity",
    "limits": "Best of a measure within limits",
    "rows": "Flag at most so many rows",
    "share": "Flag at most a share of the rows",
    "rule out": "Rule out: trust a negative result",
    "rule in": "Rule in: trust a positive result",
}
_PRICES = {
    "fn_cost": ("A miss costs", 1.0, "miss"),
    "fp_cost": ("A false alarm", 1.0, "alarm"),
    "tp_cost": ("A hit", 0.0, "hit"),
    "tn_cost": ("A dismissal", 0.0, "dismissal"),
}
_WAYS = {"ratio": "a ratio", "four": "four prices"}


@dataclass(frozen=True)
class Wish:
    """A goal as it was asked for.

    Attributes
    ----------
    goal : Goal
        With the limits that belong to it.
    words : callable
        What some counts are worth to it, in words: "Youden's J 0.400".
    bounds : tuple of Bound
        Its own limits.
    start : sequence of (key of a measure, value)
        Other limits it starts with.
    """

    goal: Goal
    words: Callable[[ConfusionCounts], str]
    bounds: tuple[Bound, ...] = ()
    start: Sequence[Asked] = ()


def choose_wish() -> Wish:
    """Ask for a goal and for what it needs to know; all of it stays in the address."""
    chosen = st.selectbox("Goal", list(GOALS), format_func=GOALS.get, key="goal", bind="query-params", width=300)
    return _ASKED.get(chosen, _ask_youden)()


def _ask_youden() -> Wish:
    goal = youden_goal()
    return Wish(goal, lambda counts: f"Youden's J {number_text(float(goal.measure(counts)))}")


def _ask_corner() -> Wish:
    goal = corner_goal()
    return Wish(goal, lambda counts: f"distance {number_text(float(goal.measure(counts)))} to the corner")


def _ask_measure() -> Wish:
    measure = _measure("Measure", "best", "f_beta")
    return Wish(measure_goal(measure), _worth(measure))


def _ask_limits() -> Wish:
    measure = _measure("Best", "best_of", "recall")
    return Wish(measure_goal(measure), _worth(measure), start=(("precision", 0.9),))


def _ask_weighted() -> Wish:
    weight = st.number_input("Weight of recall", 0.0, 1.0, 0.5, 0.05, key="weight", bind="query-params", width=140)
    goal = weighted_goal(weight)
    return Wish(goal, lambda counts: f"weighted sum {number_text(float(goal.measure(counts)))}")


def _ask_cost() -> Wish:
    prices = _ask_ratio() if _choose_way() == "ratio" else _ask_prices()
    goal = cost_goal(**prices)

    def words(counts: ConfusionCounts) -> str:
        each = float(goal.measure(counts))
        return f"cost {number_text(each * float(counts.total))} in all, {number_text(each)} a row"

    return Wish(goal, words)


def _choose_way() -> str:
    """Ask whether the costs are one ratio or four prices; an address that holds another price than that of a miss means
    the four."""
    others = [key for _, _, key in _PRICES.values() if key != "miss" and key in st.query_params]
    way = address.choice("costs", list(_WAYS), "four" if others else "ratio")
    st.session_state["cost way"] = way
    st.segmented_control(
        "Costs",
        list(_WAYS),
        format_func=_WAYS.get,
        key="cost way",
        required=True,
        on_change=lambda: address.put("costs", st.session_state["cost way"]),
    )
    return way


def _ask_ratio() -> dict[str, float]:
    help_text = "How many false alarms are as bad as one miss. Hits and dismissals cost nothing."
    times = st.number_input(
        "A miss costs as many false alarms", -1e9, 1e9, 1.0, key="miss", bind="query-params", width=230, help=help_text
    )
    return {"fn_cost": times}


def _ask_prices() -> dict[str, float]:
    return {
        name: st.number_input(label, -1e9, 1e9, start, key=key, bind="query-params", width=130)
        for name, (label, start, key) in _PRICES.items()
    }


def _ask_rows() -> Wish:
    rows = _number("Rows at most", "rows", 100.0, (0.0, 1e12), step=1.0, format="%.0f")
    most = f"{count_text(rows)} row{'' if rows == 1 else 's'}"
    return _flagging(flag_goal(rows=rows), most, lambda counts: address.put("rows", float(counts.predicted_positives)))


def _ask_share() -> Wish:
    percent = _number("Percent at most", "percent", 10.0, (0.0, 100.0), format="%.6g")

    def relax(counts: ConfusionCounts) -> None:
        # Rounded up, so that no digit left out takes a row away.
        share = float(counts.predicted_positives / counts.total)
        address.put("percent", min(math.ceil(1e8 * share) / 1e6, 100.0))

    return _flagging(flag_goal(share=percent / 100), f"{threshold_text(percent)}{THIN}% of the rows", relax)


def _flagging(goal: Goal, most: str, relax: Callable[[ConfusionCounts], None]) -> Wish:
    bound = Bound(goal.limits[0], f"at most {most} flagged", f"more than {most} flagged", _flagged, relax)
    return Wish(goal, _flagged, (bound,))


def _flagged(counts: ConfusionCounts) -> str:
    rows = float(counts.predicted_positives)
    return f"{count_text(rows)} row{'' if rows == 1 else 's'} flagged"


def _ask_rule_out() -> Wish:
    names = {"recall": "sensitivity", "negative_predictive_value": "npv"}
    by, value = _asked_for({"recall": "sensitivity", "negative_predictive_value": "NPV"}, "out")
    return Wish(rule_out_goal(**{names[by]: value}), _worth(METRICS["specificity"]), (_trusted(by, value, "out"),))


def _ask_rule_in() -> Wish:
    names = {"specificity": "specificity_of", "precision": "ppv"}
    by, value = _asked_for({"specificity": "specificity", "precision": "PPV"}, "in")
    return Wish(rule_in_goal(**{names[by]: value}), _worth(METRICS["recall"]), (_trusted(by, value, "in"),))


def _trusted(by: str, value: float, key: str) -> Bound:
    return bound_of(by, value, lambda reached: address.put(f"least {key}", reached))


def _asked_for(options: dict[str, str], key: str) -> tuple[str, float]:
    by = st.selectbox("By", list(options), format_func=options.get, key=f"by {key}", bind="query-params", width=160)
    value = _number("At least", f"least {key}", 0.95, (0.0, 1.0), step=0.01, format="%.4g")
    return (by if by in options else next(iter(options))), value


def _measure(label: str, key: str, start: str) -> MetricDef:
    chosen = st.selectbox(
        label,
        WITH_DIRECTION,
        index=WITH_DIRECTION.index(start),
        format_func=lambda k: METRICS[k].name,
        key=key,
        bind="query-params",
        width=180,
    )
    return METRICS.get(chosen, METRICS[start])


def _worth(measure: MetricDef) -> Callable[[ConfusionCounts], str]:
    return lambda counts: f"{word(measure)} {value_text(measure, float(measure(counts)))}"


def _number(label: str, key: str, start: float, ends: tuple[float, float], **looks: object) -> float:
    """Ask for a number that a conflict may move too: it stands in the address, and the field shows what is there."""
    value = address.number(key, start, *ends)
    field = f"field {key}"
    st.session_state[field] = value
    st.number_input(label, *ends, key=field, width=160, on_change=_keep, args=(key, field), **looks)
    return value


def _keep(key: str, field: str) -> None:
    if st.session_state[field] is not None:
        address.put(key, float(st.session_state[field]))


_ASKED: dict[str, Callable[[], Wish]] = {
    "youden": _ask_youden,
    "measure": _ask_measure,
    "cost": _ask_cost,
    "corner": _ask_corner,
    "weighted": _ask_weighted,
    "limits": _ask_limits,
    "rows": _ask_rows,
    "share": _ask_share,
    "rule out": _ask_rule_out,
    "rule in": _ask_rule_in,
}
