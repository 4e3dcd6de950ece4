"""What a threshold is chosen for: a goal with what it asks for and its limits, and what is in the way of them."""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from evalcore import METRICS, Array, MetricDef, analyses, classification
from evalcore.classification import ConfusionCounts, Goal, Limit
from evalcore.wording import measure_word, plain
from pages.widgets.controls.fields import beside, bound, exact, number, select
from pages.widgets.controls.intervals import choose_level
from pages.widgets.controls.threshold import show_step
from pages.widgets.session import address
from pages.widgets.session.address import LARGEST_COST
from pages.widgets.session.current_dataset import cache
from pages.widgets.session.loaded import with_links
from pages.widgets.session.page_exit import usable

MOST = 5

WITH_DIRECTION = tuple(m.key for m in METRICS.values() if m.family == "counts" and m.better)
"""Measures that have a better side."""

_FIRST = ("precision", "recall", "specificity", "negative_predictive_value", "accuracy")
_START, _LARGEST, _NONE = 0.9, 1e12, "none"
LimitSetting = tuple[str, float]  # key of a measure, and the value it must reach on its better side


def choose_limits(start: Sequence[LimitSetting] = ()) -> list[tuple[Limit, Callable[[ConfusionCounts], None]]]:
    """Ask in a row for limits, each a measure, a value and a way to remove it, and offer another one.

    While the address says nothing, those of the start stand there. With each limit comes what relaxes it to what some
    counts reach.
    """
    limits = _read(start)
    for index in range(len(limits)):
        _ask(index, limits)
    if len(limits) < MOST:
        # Of the usual measures the first that has no limit yet.
        free = [key for key in _FIRST if key not in dict(limits)] or [_FIRST[0]]
        more = "+ another limit" if limits else "+ limit"
        st.button(more, key="add limit", on_click=_put, args=([*limits, (free[0], _START)],))
    return [_limit(index, limits) for index in range(len(limits))]


def _limit(index: int, limits: list[LimitSetting]) -> tuple[Limit, Callable[[ConfusionCounts], None]]:
    key, value = limits[index]
    measure = METRICS[key]
    limit = Limit(measure, at_least=value) if measure.better == "higher" else Limit(measure, at_most=value)
    return limit, lambda counts: _put([*limits[:index], (key, float(measure(counts))), *limits[index + 1 :]])


def _ask(index: int, limits: list[LimitSetting]) -> None:
    key, value = limits[index]

    def replace(new_key: str = key, new_value: float | None = value) -> None:
        new = (new_key, value if new_value is None else float(new_value))
        _put([*limits[:index], new, *limits[index + 1 :]])

    with beside(f"limit {index}", gap="xxsmall", width="content"):
        bound(
            st.selectbox, f"Limit {index + 1}", "", key, WITH_DIRECTION, write=replace, key=f"limit measure {index}",
            format_func=lambda key: f"{measure_word(METRICS[key])} {'≥' if METRICS[key].better == 'higher' else '≤'}",
            width=190,
        )  # fmt: skip
        bound(
            st.number_input, f"Value of limit {index + 1}", "", value, -_LARGEST, _LARGEST, step=0.01,
            write=lambda typed: replace(new_value=typed), key=f"limit value {index}", width=110,
            format="%.2f" if round(value, 2) == value else "%.4g",
        )  # fmt: skip
        click = {"on_click": _put, "args": ([*limits[:index], *limits[index + 1 :]],), "help": "Remove this limit"}
        st.button("✕", key=f"remove limit {index}", type="tertiary", **click)


def _read(start: Sequence[LimitSetting]) -> list[LimitSetting]:
    """The limits of the address, whose measures go by key or symbol: "precision", "PPV ≥"."""
    by_name = {name: key for key in WITH_DIRECTION for name in (key, METRICS[key].label)}
    limits, is_said = [], False
    for n in range(1, MOST + 1):
        text = address.text(f"limit{n}")
        key = by_name.get((text or "").strip(" ≥≤"))
        is_said = is_said or text == _NONE
        if key is not None:
            limits.append((key, address.number(f"value{n}", _START, -_LARGEST, _LARGEST)))
        elif text != _NONE:
            address.refuse(f"limit{n}", f"value{n}")
    return limits if limits or is_said else list(start)


def _put(limits: list[LimitSetting]) -> None:
    for n in range(1, MOST + 1):
        key, value = limits[n - 1] if n <= len(limits) else (None, None)
        address.put(f"limit{n}", key)
        address.put(f"value{n}", None if value is None else float(value))
    if not limits:
        # Said, or a goal that starts with a limit would have it again.
        address.put("limit1", _NONE)


GOALS = {
    "youden": "Highest recall + specificity (Youden)", "measure": "Best of a measure", "cost": "Lowest cost",
    "corner": "Closest to the perfect corner of the ROC curve", "weighted": "Weighted recall and specificity",
    "limits": "Best of a measure within limits", "promise": "Keep limits on new rows",
    "rows": "Flag at most n rows", "share": "Flag at most a share of the rows",
    "rule out": "Rule out: trust a negative result", "rule in": "Rule in: trust a positive result",
}  # fmt: skip

_PARAMS = {
    "beta": ("beta", "Beta of F and E", 0.0, 1000.0, 1.0, 0.5, "2: recall counts double"),
    "fn_cost": ("miss", "Cost of a miss", -LARGEST_COST, LARGEST_COST, 1.0, None, None),
    "fp_cost": ("alarm", "Cost of a false alarm", -LARGEST_COST, LARGEST_COST, 1.0, None, None),
    "probability": ("risk", "Risk to act from", 0.0, 0.99, 0.5, 0.05, "For the net benefit"),
    "tp_cost": ("hit", "Cost of a hit", -LARGEST_COST, LARGEST_COST, 0.0, None, None),
    "tn_cost": ("dismissal", "Cost of a correct rejection", -LARGEST_COST, LARGEST_COST, 0.0, None, None),
}
"""Numbers that some measures are asked with: key, label, limits, usual value, step, and help."""

OF_COUNTS, _COSTS = tuple(_PARAMS)[:4], ("fn_cost", "fp_cost", "tp_cost", "tn_cost")


def choose_params(names: Collection[str], prefix: str = "", **look: Any) -> dict[str, float]:
    """Ask for some of them; with a prefix of their keys they belong to one measure, which needs no help."""
    chosen = {}
    for name in [name for name in _PARAMS if name in names]:
        key, label, *limits, words = _PARAMS[name]
        label = label.removesuffix(" of F and E") if prefix else label
        chosen[name] = number(label, prefix + key, *limits, help=None if prefix else words, **look)
    return chosen


class GoalSettings(NamedTuple):
    """A goal with its own limit, what relaxes that limit to what some counts reach, and other limits it starts with.

    With `on_new_rows` only thresholds are chosen that are promised to keep the limits on new rows.
    """

    goal: Goal
    relax: Callable[[ConfusionCounts], None] | None = None
    start: tuple[LimitSetting, ...] = ()
    on_new_rows: bool = False


def choose_goal(scores: analyses.Scores) -> analyses.ThresholdChoice:
    """Ask for a goal and its limits, and choose; where no threshold meets them, show what is in the way.

    With limits, ask how sure they shall hold on new rows, and show where they do.
    """
    with beside("goals"):
        settings = ask_goal(scores)
        limits = choose_limits(settings.start)
    added, promise = tuple(limit for limit, _ in limits), None
    whole = settings.goal.within(*added)
    if whole.limits:
        place = beside("promise")
        with place:
            level = choose_level("confidence", "Confidence on new rows", width=180)
        promise = _promise((scores.key, whole.key, level), scores, whole, level)
    chosen = analyses.best_threshold(scores, settings.goal, added, promise, settings.on_new_rows)
    if chosen.of_sample is not None and promise is not None:
        place.markdown(with_links(promise.verdict(chosen.of_sample)), width="stretch")
    elif chosen.of_sample is None:
        with st.container(key="conflict", border=True):
            _show_conflict(chosen, [*filter(None, [settings.relax]), *(relax for _, relax in limits)])
    return chosen


def allowed_ranges(chosen: analyses.ThresholdChoice) -> Array | None:
    """Ranges of thresholds, rising, shape (m, 2), in which all limits hold; None without limits."""
    return _allowed((chosen.scores.key, chosen.goal.key), chosen) if chosen.goal.limits else None


_promise = cache(analyses.promise_limits, 64)
_allowed = cache(lambda chosen: chosen.allowed, 64)  # of ten million rows it takes a second


def _show_conflict(chosen: analyses.ThresholdChoice, relax: Sequence[Callable[[ConfusionCounts], None]]) -> None:
    st.markdown(with_links(chosen.verdict()))
    for index, conflict in enumerate(chosen.conflicts):
        with st.container(horizontal=True, vertical_alignment="center", key=f"conflict {index}"):
            st.markdown(chosen.conflict_text(conflict), width="stretch")
            if math.isnan(conflict.nearest):
                continue
            counts = chosen.scores.counts_at(conflict.threshold)
            act = next(do for do, limit in zip(relax, chosen.goal.limits, strict=False) if limit is conflict.limit)
            st.button(f"Relax to {chosen.reached(conflict)}", key=f"relax {index}", on_click=act, args=(counts,))
            show_step(chosen.scores, conflict.threshold, key=f"go near {index}")


def _goal() -> str:
    """The goal of the address, which has its words."""
    words = address.choice(_GOAL, list(GOALS.values()), GOALS["youden"])
    return next(key for key, one in GOALS.items() if one == words)


def ask_goal(scores: analyses.Scores) -> GoalSettings:
    """Ask for a goal and for what it needs to know; all of it stays in the address."""
    address.choice(_AMOUNTS, analyses.amount_columns(scores))  # another goal leaves it where it can be used
    chosen = _goal()
    bound(
        st.selectbox, "Goal", _GOAL, chosen, list(GOALS), key=_GOAL, format_func=GOALS.get, width=300,
        write=lambda goal: address.put(_GOAL, None if goal == "youden" else GOALS[goal]),
    )  # fmt: skip
    match chosen:
        case "measure":
            return GoalSettings(classification.measure_goal(_measure("Measure", "best", "f_beta")))
        case "limits" | "promise":
            best = classification.measure_goal(_measure("Best", "best_of", "recall"))
            return GoalSettings(best, start=(("precision", 0.9),), on_new_rows=chosen == "promise")
        case "cost":
            return GoalSettings(_cost_goal(scores))
        case "corner":
            return GoalSettings(classification.corner_goal())
        case "weighted":
            weight = number("Weight of recall", "weight", 0.0, 1.0, 0.5, 0.05, width=140)
            return GoalSettings(classification.weighted_goal(weight))
        case "rows":
            rows = _number("Rows at most", "rows", 100.0, (0.0, 1e12), step=1.0, format="%.0f")
            goal = classification.flag_goal(rows=rows)
            return GoalSettings(goal, lambda counts: address.put("rows", float(counts.predicted_positives)))
        case "share":
            percent = _number("Percent at most", "percent", 10.0, (0.0, 100.0), format="%.6g")
            return GoalSettings(classification.flag_goal(share=percent / 100), _relax_percent)
        case "rule out":
            by, value, relax = _trusted({"recall": "sensitivity", "negative_predictive_value": "NPV"}, "out")
            least = {"sensitivity" if by == "recall" else "npv": value}
            return GoalSettings(classification.rule_out_goal(**least), relax)
        case "rule in":
            by, value, relax = _trusted({"specificity": "specificity", "precision": "PPV"}, "in")
            least = {"ppv" if by == "precision" else "specificity_of": value}
            return GoalSettings(classification.rule_in_goal(**least), relax)
    return GoalSettings(classification.youden_goal())


def _cost_goal(scores: analyses.Scores) -> Goal:
    """The lowest cost: by a column of amounts, or by four costs, with which the parts under the view count too."""
    columns = analyses.amount_columns(scores)
    column = address.choice(_AMOUNTS, columns) or ""
    with st.popover("Costs", key="costs", icon=":material/balance:"):
        if columns:
            bound(
                st.selectbox, "A miss costs", _AMOUNTS, column, ["", *columns], key="amounts",
                format_func=lambda name: f"its {plain(name, 30)}" if name else "the same for all",
                write=lambda chosen: _put_amounts(scores, chosen, share=False),
            )  # fmt: skip
        for name, why in analyses.refused_amounts(scores).items():
            st.caption(f"Column {plain(name, 30)}: {why}. A miss costs 0 or more; correct the file to choose it.")
        if not column:
            return classification.cost_goal(**_four_costs())
        share = address.number(_SHARE, None, 0, LARGEST_COST)
        key, alarm = (_CHECK, address.number(_CHECK, 1.0, 0, LARGEST_COST)) if share is None else (_SHARE, share)
        times, ways = 1 if share is None else 100, ["each", "% of its amount"]
        with st.container(horizontal=True, vertical_alignment="bottom"):
            exact(
                "A false alarm costs", key, times * alarm, lambda typed: address.put(key, typed / times), "goal check",
                (0.0, times * LARGEST_COST),
                help="Starts where an average miss costs as many false alarms as before. Type what one costs.",
            )  # fmt: skip
            bound(
                st.selectbox, "How a false alarm costs", _SHARE, ways[share is not None], ways, key="alarm by share",
                label_visibility="collapsed", width=180,
                write=lambda way: _put_amounts(scores, column, share=way != "each"),
            )  # fmt: skip
    with usable():
        prices = _prices((scores.key, column, share is not None), scores, column, share is not None)
    return classification.amount_goal(prices, fp_cost=alarm)


_GOAL, _AMOUNTS, _CHECK, _SHARE = "goal", "amounts", "check", "check_share"
_prices = cache(
    lambda scores, column, share: analyses.prices_of(scores.current.dataset, scores.system, column, by_share=share), 24
)


def _four_costs() -> dict[str, float]:
    costs = {}
    for name in _COSTS:
        key, label, *ends, start = _PARAMS[name][:5]
        # Links from before the knob have the keys of measures.
        if key in st.query_params:
            address.put_all(**{f"{key}_cost": address.number(key, None, *ends), key: None})
        costs[name] = address.number(f"{key}_cost", start, *ends)
        exact(label, f"{key}_cost", costs[name], partial(address.put, f"{key}_cost"), f"goal {key}", ends)
    return costs


def asks_for_costs() -> bool:
    """Whether the goal is the lowest cost of errors that cost alike, whose form or knob asks for the costs."""
    return _goal() == "cost" and address.text(_AMOUNTS) is None


def put_cost_goal(scores: analyses.Scores, sent: Mapping[str, object]) -> bool:
    """Make the lowest cost the goal, as the knob of the view says it: a number, or a column of amounts.

    The number is what a miss costs in false alarms, and beside amounts what a false alarm costs. False where it says
    nothing that could be used: it comes from a browser.
    """
    cost, column = sent.get("cost"), sent.get("amounts")
    if isinstance(column, str) and (not column or column in analyses.amount_columns(scores)):
        _put_amounts(scores, column, bool(sent.get("share")))
    elif isinstance(cost, int | float) and 0 < cost < math.inf:
        value = min(max(float(cost), 1 / LARGEST_COST), LARGEST_COST)
        if address.text(_AMOUNTS) is None:
            address.put("miss_cost", value * address.number("alarm_cost", 1.0, 1 / LARGEST_COST, LARGEST_COST))
        else:
            address.put(_CHECK if address.text(_SHARE) is None else _SHARE, value)
    else:
        return False
    address.put(_GOAL, GOALS["cost"])
    return True


def _put_amounts(scores: analyses.Scores, column: str, share: bool) -> None:
    """Count with a column of amounts, or with none; a false alarm costs on average what it did beside the mean miss."""
    start = None
    if column:
        prices = analyses.prices_of(scores.current.dataset, scores.system, column)
        both = prices.amounts[prices.labels], prices.amounts[~prices.labels]
        missed, alarmed = (float(part.mean()) or 1.0 if len(part) else 1.0 for part in both)
        ends = 1 / LARGEST_COST, LARGEST_COST
        alarm = missed * address.number("alarm_cost", 1.0, *ends) / address.number("miss_cost", 1.0, *ends)
        if address.text(_AMOUNTS) is not None:
            alarm = address.number(_CHECK, address.number(_SHARE, alarm / alarmed) * alarmed)
        start = min(float(f"{alarm / (alarmed if share else 1.0):.2g}") or 1.0, LARGEST_COST)
    address.put_all(**{_AMOUNTS: column or None, _CHECK: None if share else start, _SHARE: start if share else None})


def _relax_percent(counts: ConfusionCounts) -> None:
    # Rounded up, so that no digit left out takes a row away.
    address.put("percent", min(math.ceil(1e8 * float(counts.predicted_positives / counts.total)) / 1e6, 100.0))


def _trusted(options: dict[str, str], key: str) -> tuple[str, float, Callable[[ConfusionCounts], None]]:
    by = select("By", options, f"by {key}", width=160)
    value = _number("At least", f"least {key}", 0.95, (0.0, 1.0), step=0.01, format="%.4g")
    return by, value, lambda counts: address.put(f"least {key}", float(METRICS[by](counts)))


def _measure(label: str, key: str, start: str) -> MetricDef:
    return METRICS[select(label, WITH_DIRECTION, key, start, format_func=lambda key: METRICS[key].name, width=180)]


def _number(label: str, key: str, start: float, ends: tuple[float, float], **options: object) -> float:
    """Ask for a number that relaxing a limit may move too."""
    value = address.number(key, start, *ends)
    return bound(st.number_input, label, key, value, *ends, key=f"field {key}", width=160, **options)


def choose_requirements() -> tuple[analyses.Requirement, ...]:
    """Ask what a test must reach to rule in or out."""
    chosen, sides = [], {("out", "negative"): ("sensitivity", "NPV"), ("in", "positive"): ("specificity", "PPV")}
    for (side, result), names in sides.items():
        st.markdown(f"Rule {side}: a {result} result can be trusted")
        with st.container(horizontal=True):
            for name in names:
                least = number(
                    f"{name[0].upper()}{name[1:]} at least", f"{side}_{name.lower()}", 0.0, 1.0, None, 0.01,
                    placeholder="0.9" if name.isupper() else "off", width=160,
                )  # fmt: skip
                if least is not None:
                    chosen.append(analyses.Requirement(side, name, least))
    return tuple(chosen)


def choose_share() -> float | None:
    """Ask for another prevalence, which all pages share; None for that of the data."""
    share = address.number("prevalence", None, 0, 1)
    bound(
        st.number_input, "At a prevalence of", "prevalence", share, 0.0, 1.0, step=0.01, format="%.4g",
        placeholder="as here", help="PPV, NPV, cost and others depend on it; recall and specificity do not",
    )  # fmt: skip
    return share if share is not None and 0 < share < 1 else None
