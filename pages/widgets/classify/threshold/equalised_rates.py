"""What equality would need: a threshold for each group that makes a rate equal, and what that would change."""

import html
import math
from dataclasses import dataclass, replace

import pandas as pd
import streamlit as st

from evalcore import METRICS, MetricDef
from evalcore.analyses import Scores
from evalcore.classification import Choice, ConfusionCounts, NoThreshold, accuracy, threshold_for_value
from evalcore.wording import UNDEFINED, count_text, one_line, plain, points_text, seen, share_text, signed

from ...export.downloads import csv_of
from .subgroup_rates import SHOWN, Grouped

EQUALITIES = {
    "recall": "recall",
    "fall_out": "false positive rate",
    "precision": "precision",
    "predicted_prevalence": "flagged share",
}
"""Rates that can be made equal by thresholds, by what they are called here."""

NEAR = 0.01
"""How far from the wanted value a group may end and still count as having reached it."""

_SAID = 5


@dataclass(frozen=True, eq=False)
class Equality:
    """The groups before and after each has its own threshold.

    Parameters
    ----------
    measure : MetricDef
    value : float
        What it was to be in every group.
    before, after : ConfusionCounts, shape (g,)
    choices : list of Choice or None
        None where the measure is undefined whatever the threshold, which is then kept.
    """

    measure: MetricDef
    value: float
    before: ConfusionCounts
    after: ConfusionCounts
    choices: list[Choice | None]


def show_equality(scores: Scores, threshold: float, grouped: Grouped) -> None:
    """Ask which rate is to be equal, and show the threshold of each group and what it would cost."""
    st.markdown("**What equality would need**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.segmented_control(
            "Make equal in every group", EQUALITIES, format_func=EQUALITIES.get, key="equal", bind="query-params"
        )
        if chosen not in EQUALITIES:
            chosen = None
        typed = None
        if chosen is not None:
            typed = st.number_input(
                "At, in %",
                0.0,
                100.0,
                None,
                1.0,
                key="equal_at",
                bind="query-params",
                placeholder="as all rows now",
                width=160,
            )
    st.caption(
        "One rate can be made equal by a threshold for each group. Recall and false positive rate both equal cannot, "
        "in general: each group moves along its own ROC curve, and the curves need not meet. Whether equal scores may "
        "be treated unequally is not a question of numbers."
    )
    if chosen is None:
        return
    measure = METRICS[chosen]
    value = float(measure(grouped.whole)) if typed is None else typed / 100
    if math.isnan(value):
        st.markdown(f"The {EQUALITIES[chosen]} of all rows is undefined here; type the value it should have.")
        return
    equality = equality_of(grouped, measure, value)
    st.markdown(_in_all(equality))
    st.html(_table(scores, threshold, grouped, equality))
    short = _short(grouped, equality)
    if short:
        more = f" So it is with {count_text(len(short) - _SAID)} more." if len(short) > _SAID else ""
        st.markdown(" ".join(short[:_SAID]) + more)
    if len(grouped) > SHOWN:
        st.caption(
            f"The {SHOWN} largest of {count_text(len(grouped))} groups are shown; the sums are of all of them, and all "
            "stand in the CSV."
        )
    st.download_button(
        "Thresholds of the groups as CSV",
        lambda: csv_of(equality_frame(threshold, grouped, equality)),
        "thresholds of groups.csv",
        "text/csv",
        key="download equality",
        on_click="ignore",
    )


def equality_of(grouped: Grouped, measure: MetricDef, value: float) -> Equality:
    """The threshold of each group that brings a rate nearest to a value, with the counts before and after."""
    choices = _choices(f"{grouped.key}\n{measure.key}\n{value!r}", grouped, measure.key, value)
    cells = ("tp", "fp", "fn", "tn")
    after = {cell: getattr(grouped.counts, cell).copy() for cell in cells}
    for place, choice in enumerate(choices):
        for cell in cells if choice is not None else ():
            after[cell][place] = float(getattr(choice.counts, cell))
    return Equality(measure, value, grouped.counts, ConfusionCounts(**after), choices)


def equality_frame(threshold: float, grouped: Grouped, equality: Equality) -> pd.DataFrame:
    """Every group with its threshold and its counts before and after, unrounded.

    Every threshold between the two ends of a group gives the counts of the group; `threshold` itself is one of them.
    """
    chosen = [c.threshold if c is not None else threshold for c in equality.choices]
    other = [math.nan if c is None else c.low if c.low != c.threshold else c.high for c in equality.choices]
    label = equality.measure.label
    frame = {"group": list(grouped.names), "threshold": chosen, "same counts until": other}
    for when, counts in (("before", equality.before), ("after", equality.after)):
        frame |= {f"{cell} {when}": getattr(counts, cell) for cell in ("tp", "fp", "fn", "tn")}
        frame |= {f"{label} {when}": equality.measure(counts), f"ACC {when}": accuracy(counts)}
    frame["wanted"] = equality.value
    return pd.DataFrame(frame)


def points(difference: float) -> str:
    """A difference of shares in percentage points, with its sign unless it is written as 0."""
    return signed(points_text)(round(difference, 3))


def _in_all(equality: Equality) -> str:
    """The sum of what changes, in a sentence."""
    before, after = _together(equality.before), _together(equality.after)
    missed, alarms = float(after.fn - before.fn), float(after.fp - before.fp)
    old, new = float(accuracy(before)), float(accuracy(after))
    name = EQUALITIES[equality.measure.key]
    return (
        f"As near to a {name} of **{share_text(equality.value)}** in every group as its scores allow: "
        f"**{_change(missed, 'missed')}** and **{_change(alarms, 'false alarms')}** in all; the accuracy goes from "
        f"{share_text(old)} to {share_text(new)} ({points(new - old)})."
    )


def _change(by: float, word: str) -> str:
    if not by:
        return f"as many {word}"
    if word == "missed":
        return f"{count_text(abs(by))} {'more' if by > 0 else 'fewer'} missed"
    return f"{count_text(abs(by))} {'more' if by > 0 else 'fewer'} {word.removesuffix('s') if abs(by) == 1 else word}"


def _table(scores: Scores, threshold: float, grouped: Grouped, equality: Equality) -> str:
    """The thresholds and what they change as HTML; the names are escaped."""
    name = EQUALITIES[equality.measure.key]
    lines = [
        f"<tr><th>group</th><th>threshold</th><th>{name}</th><th>missed</th><th>false alarms</th><th>accuracy</th></tr>"
    ]
    for place, group in list(enumerate(grouped.names))[:SHOWN]:
        before, after = equality.before[place], equality.after[place]
        choice = equality.choices[place]
        rates = (
            _arrow(share_text(float(m(before))), share_text(float(m(after)))) for m in (equality.measure, accuracy)
        )
        rate, right = rates
        at = f"<b>{scores.text(threshold)}</b><small>as now</small>"
        if choice is not None:
            reach = scores.range_text(choice.low, choice.high)
            at = f"<b>{scores.text(choice.threshold)}</b><small>{reach}</small>"
        counts = "".join(
            f"<td>{_arrow(count_text(float(getattr(before, cell))), count_text(float(getattr(after, cell))))}</td>"
            for cell in ("fn", "fp")
        )
        written = html.escape(one_line(seen(group), 40))
        lines.append(f"<tr><td>{written}</td><td>{at}</td><td>{rate}</td>{counts}<td>{right}</td></tr>")
    return f'<table class="groups">{"".join(lines)}</table>'


def _arrow(old: str, new: str) -> str:
    return f"<b>{new}</b><small>as now</small>" if old == new else f"<b>{new}</b><small>now {old}</small>"


def _short(grouped: Grouped, equality: Equality) -> list[str]:
    """A sentence of Markdown for each group that cannot reach the value."""
    found, name = [], EQUALITIES[equality.measure.key]
    rows = sum(getattr(equality.after, cell) for cell in equality.measure.denominator)
    hits = sum(getattr(equality.after, cell) for cell in equality.measure.numerator)
    for place, choice in enumerate(equality.choices):
        group = f"**{plain(seen(grouped.names[place]), 40)}**"
        if choice is None:
            found.append(f"{group} keeps its threshold, as its {name} is {UNDEFINED} everywhere.")
        elif abs(choice.value - equality.value) > NEAR:
            of = f"{count_text(float(hits[place]))} of {count_text(float(rows[place]))}"
            found.append(f"{group} cannot reach it: the nearest its scores allow is {share_text(choice.value)} ({of}).")
    return found


def _together(counts: ConfusionCounts) -> ConfusionCounts:
    return ConfusionCounts(*(getattr(counts, cell).sum() for cell in ("tp", "fp", "fn", "tn")))


@st.cache_resource(max_entries=32, show_spinner="A threshold for each group …")
def _choices(key: str, _grouped: Grouped, measure: str, value: float) -> list[Choice | None]:
    choices: list[Choice | None] = []
    for state in _grouped.states:
        try:
            # Of a copy, so that the table is dropped again: it is five times the size of the scores.
            choices.append(threshold_for_value(replace(state).table(), METRICS[measure], value))
        except NoThreshold:
            choices.append(None)
    return choices
