"""What a threshold is chosen for: goals, costs and limits, and the threshold that serves them best."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.classification import (
    Choice,
    ConfusionCounts,
    Limit,
    NoThreshold,
    ThresholdTable,
    best,
    closest_to_corner,
    flag_at_most,
    lowest_cost,
    rule_in,
    rule_out,
    weighted_sum,
)
from evalcore.figures.numbers import count_text, number_text, value_text
from evalcore.figures.theme import outcome_word

from .states import Scores, put_threshold

_GOALS = {
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
_WITH_DIRECTION = [m.key for m in METRICS.values() if m.family == "counts" and m.better]


def choose_goal(scores: Scores, threshold: float) -> list[Limit]:
    """Ask for a goal, answer with its threshold and a button that goes there; the limits are returned, to be drawn."""
    with st.container(key="goals", horizontal=True, vertical_alignment="bottom"):
        goal = st.selectbox("Goal", list(_GOALS), format_func=_GOALS.get, key="goal", bind="query-params", width=300)
        rule, limits, words = _ASKED[goal if goal in _GOALS else "youden"]()
    with st.container(key="answer"):
        try:
            choice = rule(scores.table)
        except NoThreshold as problem:
            _show_conflict(problem, scores)
        else:
            _show_choice(choice, words, scores, threshold)
    return limits


def allowed_ranges(scores: Scores, limits: list[Limit]) -> np.ndarray | None:
    """Ranges of thresholds of the file, rising, shape (m, 2), in which all limits hold; None without limits."""
    if not limits:
        return None
    table = scores.table
    met = np.logical_and.reduce([limit.met(np.asarray(limit.measure(table.counts))) for limit in limits])
    change = np.flatnonzero(np.diff(np.concatenate([[False], met, [False]]).astype(int)))
    starts, ends = change[::2], change[1::2]
    # Rows run from high to low thresholds; row k holds down to just above the next score.
    below = np.append(table.thresholds[1:], -np.inf)
    ranges = np.column_stack([below[ends - 1], table.thresholds[starts]])
    return ranges[::-1] if scores.higher else 0.0 - ranges[:, ::-1]


Rule = Callable[[ThresholdTable], Choice]
Asked = tuple[Rule, list[Limit], Callable[[Choice], str]]


def _ask_youden() -> Asked:
    return (lambda table: best(table, METRICS["youden_j"])), [], lambda c: f"Youden's J {number_text(c.value)}"


def _ask_corner() -> Asked:
    return closest_to_corner, [], lambda c: f"distance {number_text(c.value)} to the corner"


def _ask_measure() -> Asked:
    measure = _measure("Measure", "best", "f_beta")
    return (lambda table: best(table, measure)), [], lambda c: f"{measure.label} {value_text(measure, c.value)}"


def _ask_weighted() -> Asked:
    weight = st.number_input("Weight of recall", 0.0, 1.0, 0.5, 0.05, key="weight", bind="query-params", width=140)
    return (lambda table: weighted_sum(table, weight)), [], lambda c: f"weighted sum {number_text(c.value)}"


def _ask_cost() -> Asked:
    prices = {
        name: st.number_input(label, -1e9, 1e9, start, key=key, bind="query-params", width=130)
        for name, label, start, key in (
            ("fn_cost", "A miss costs", 1.0, "miss"),
            ("fp_cost", "A false alarm", 1.0, "alarm"),
            ("tp_cost", "A hit", 0.0, "hit"),
            ("tn_cost", "A dismissal", 0.0, "dismissal"),
        )
    }
    measure = METRICS["cost"].with_params(**prices)
    return (
        lambda table: lowest_cost(table, **prices),
        [],
        lambda c: f"cost {number_text(float(measure(c.counts) * c.counts.total))} in all, {number_text(c.value)} a row",
    )


def _ask_limits() -> Asked:
    measure = _measure("Best", "best_of", "recall")
    limits = [_ask_limit(1, "precision", 0.9), _ask_limit(2, None, 0.9)]
    wanted = [limit for limit in limits if limit is not None]
    return (
        lambda table: best(table, measure, limits=wanted),
        wanted,
        lambda c: f"{measure.label} {value_text(measure, c.value)}",
    )


def _ask_limit(number: int, start: str | None, value: float) -> Limit | None:
    options = ["none", *_WITH_DIRECTION]
    key = st.selectbox(
        f"Limit {number}",
        options,
        index=options.index(start or "none"),
        format_func=lambda k: "none" if k == "none" else f"{METRICS[k].label} {_side(METRICS[k])}",
        key=f"limit{number}",
        bind="query-params",
        width=130,
    )
    if key not in METRICS:
        return None
    bound = st.number_input(
        f"Value {number}", value=value, step=0.01, format="%.3f", key=f"value{number}", bind="query-params", width=120
    )
    measure = METRICS[key]
    return Limit(measure, at_least=bound) if measure.better == "higher" else Limit(measure, at_most=bound)


def _ask_rows() -> Asked:
    # Not of whole numbers: Streamlit cannot turn an infinity in the address into one.
    rows = st.number_input(
        "Rows at most", 0.0, 1e12, 100.0, 1.0, format="%.0f", key="rows", bind="query-params", width=160
    )
    return (lambda table: flag_at_most(table, rows=rows)), [], _flagged


def _ask_share() -> Asked:
    share = st.number_input("Percent at most", 0.0, 100.0, 10.0, key="percent", bind="query-params", width=160)
    return (lambda table: flag_at_most(table, share=share / 100)), [], _flagged


def _flagged(choice: Choice) -> str:
    return f"{count_text(choice.value)} row{'' if choice.value == 1 else 's'} flagged"


def _ask_rule_out() -> Asked:
    by, value = _asked_for({"recall": "sensitivity", "negative_predictive_value": "NPV"}, "out")
    names = {"recall": "sensitivity", "negative_predictive_value": "npv"}
    return (
        lambda table: rule_out(table, **{names[by]: value}),
        [Limit(METRICS[by], at_least=value)],
        lambda c: f"specificity {value_text(METRICS['specificity'], c.value)}",
    )


def _ask_rule_in() -> Asked:
    by, value = _asked_for({"specificity": "specificity", "precision": "PPV"}, "in")
    names = {"specificity": "specificity_of", "precision": "ppv"}
    return (
        lambda table: rule_in(table, **{names[by]: value}),
        [Limit(METRICS[by], at_least=value)],
        lambda c: f"sensitivity {value_text(METRICS['recall'], c.value)}",
    )


_ASKED: dict[str, Callable[[], Asked]] = {
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


def _measure(label: str, key: str, start: str) -> MetricDef:
    chosen = st.selectbox(
        label,
        _WITH_DIRECTION,
        index=_WITH_DIRECTION.index(start),
        format_func=lambda k: METRICS[k].name,
        key=key,
        bind="query-params",
        width=180,
    )
    return METRICS.get(chosen, METRICS[start])


def _asked_for(options: dict[str, str], key: str) -> tuple[str, float]:
    by = st.selectbox("By", list(options), format_func=options.get, key=f"by {key}", bind="query-params", width=160)
    value = st.number_input("At least", 0.0, 1.0, 0.95, 0.01, key=f"least {key}", bind="query-params", width=120)
    return (by if by in options else next(iter(options))), value


def _side(measure: MetricDef) -> str:
    return "≥" if measure.better == "higher" else "≤"


def _show_choice(choice: Choice, words: Callable[[Choice], str], scores: Scores, threshold: float) -> None:
    chosen = scores.turned(choice.threshold)
    at = scores.turned(threshold)
    same = choice.low < at <= choice.high or at == choice.low == -np.inf
    text, button = st.columns([5, 1], vertical_alignment="center")
    now = (
        "That is where the threshold stands."
        if same
        else f"Now, at {scores.text(threshold)}: {_errors(scores.counts_at(threshold))}."
    )
    text.markdown(
        f"**{scores.text(chosen)}** serves it best: {words(choice)}; {_errors(choice.counts)}. {now}  \n"
        f":gray[{_interval(choice, scores)} {_ties(choice, scores)}]"
    )
    button.button(
        f"Go to {scores.text(chosen)}", key="go", type="primary", on_click=put_threshold, args=(chosen,),
        disabled=same, width="stretch",
    )  # fmt: skip


def _errors(counts: ConfusionCounts) -> str:
    missed, alarms = float(counts.fn), float(counts.fp)
    return f"{count_text(missed)} missed and {count_text(alarms)} {outcome_word('fp', alarms)}"


def _interval(choice: Choice, scores: Scores) -> str:
    ends = [scores.text(scores.turned(end)) for end in (choice.low, choice.high)]
    if scores.higher:
        return f"Every threshold above {ends[0]} up to {ends[1]} gives the same counts."
    return f"Every threshold from {ends[1]} to below {ends[0]} gives the same counts."


def _ties(choice: Choice, scores: Scores) -> str:
    """The other thresholds of the same value: those just as good, and those with more errors of one kind and no fewer
    of the other."""
    counts, highs = choice.tied_counts, choice.ties[:, 1]
    others = highs != choice.high
    worse = (counts.fn >= choice.counts.fn) & (counts.fp >= choice.counts.fp)
    found = (("Just as good", highs[others & ~worse]), ("The same value, with more errors", highs[others & worse]))
    return " ".join(_listed(words, thresholds, scores) for words, thresholds in found if len(thresholds))


def _listed(words: str, thresholds: np.ndarray, scores: Scores) -> str:
    first = ", ".join(scores.text(scores.turned(float(high))) for high in thresholds[:5])
    more = f" and {count_text(len(thresholds) - 5)} more" if len(thresholds) > 5 else ""
    return f"{words}: {first}{more}."


def _show_conflict(problem: NoThreshold, scores: Scores) -> None:
    """Say which limit is in the way and the nearest value that can be met."""
    if not problem.conflicts:
        st.markdown(str(problem))
        return
    lines = []
    for conflict in problem.conflicts:
        measure, asked = conflict.limit.measure, conflict.limit.at_least
        side = "≥" if asked is not None else "≤"
        asked = conflict.limit.at_most if asked is None else asked
        while_others = "" if conflict.alone else " while the other limits hold"
        nearest = f"the nearest it gets{while_others} is {value_text(measure, conflict.nearest)}"
        if conflict.nearest != conflict.nearest:
            nearest = f"it is undefined everywhere{while_others}"
        at = scores.turned(conflict.threshold)
        where = f", at {scores.text(at)}" if np.isfinite(at) else ""
        lines.append(f"- {measure.label} {side} {asked:g}: {nearest}{where}")
    head = "No threshold meets this limit." if len(lines) == 1 else "No threshold meets all limits."
    st.markdown(f"**{head}**\n" + "\n".join(lines))
