"""The answer to a goal: the threshold that serves it best, what it gives, what now, and what its limits cost."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from evalcore.classification import Choice, Conflict, ConfusionCounts, Goal, NoThreshold
from evalcore.figures.numbers import count_text
from evalcore.figures.theme import outcome_word

from ..escape import plain
from ..states import Scores, put_threshold
from .limits import Bound

Words = Callable[[ConfusionCounts], str]


def show_choice(
    choice: Choice, words: Words, limits: str, free: Choice | None, scores: Scores, threshold: float
) -> None:
    """Say which threshold serves best, and offer to go there.

    Parameters
    ----------
    choice : Choice
    words : callable
        What some counts are worth to the goal.
    limits : str
        Where the choice was made: "inside the limit", or empty.
    free : Choice or None
        What would be chosen without the limits, where that is worth more.
    scores : Scores
    threshold : float
        Where it stands now, on the scale of the file.
    """
    chosen = scores.turned(choice.threshold)
    at = scores.turned(threshold)
    same = choice.low < at <= choice.high or at == choice.low == -np.inf
    text, button = st.columns([5, 1], vertical_alignment="center")
    now = "That is where the threshold stands."
    if not same:
        counts = scores.counts_at(threshold)
        now = f"Now, at {scores.text(threshold)}: {words(counts)}; {_errors(counts)}."
    lines = [
        f"**{scores.text(chosen)}** serves it best{limits}: {words(choice.counts)}; {_errors(choice.counts)}. {now}"
    ]
    if free is not None:
        without = scores.text(scores.turned(free.threshold))
        lines.append(f"Without {_it(limits)} it would be {without}: {words(free.counts)}; {_errors(free.counts)}.")
    lines.append(f":gray[{_interval(choice, scores)} {_ties(choice, scores)}]")
    text.markdown("  \n".join(lines))
    button.button(
        f"Go to {scores.text(chosen)}", key="go", type="primary", on_click=put_threshold, args=(chosen,),
        disabled=same, width="stretch",
    )  # fmt: skip


def show_conflict(problem: NoThreshold, goal: Goal, bounds: Sequence[Bound], scores: Scores) -> None:
    """Say which limit is in the way and the nearest value that can be met, with a way to it."""
    if not problem.conflicts:
        allowed = " that its limits allow" if bounds else ""
        st.markdown(f"The {plain(goal.name)} is undefined at every threshold{allowed}. {_absent(scores)}".strip())
        return
    alone = len(problem.conflicts) == 1
    st.markdown(f"**{'No threshold meets this limit.' if alone else 'No threshold meets all limits.'}**")
    for place, conflict in enumerate(problem.conflicts):
        bound = next(bound for limit, bound in zip(goal.limits, bounds, strict=True) if limit is conflict.limit)
        _show_one(place, conflict, bound, scores)


def _show_one(place: int, conflict: Conflict, bound: Bound, scores: Scores) -> None:
    while_others = "" if conflict.alone else " while the others hold"
    with st.container(horizontal=True, vertical_alignment="center", key=f"conflict {place}"):
        if math.isnan(conflict.nearest):
            st.markdown(f"{bound.words}: it is undefined everywhere{while_others}.", width="stretch")
            return
        at = scores.turned(conflict.threshold)
        counts = scores.counts_at(at)
        reached = bound.reached(counts)
        st.markdown(
            f"{bound.words}: the nearest it gets{while_others} is {reached}, at {scores.text(at)}.", width="stretch"
        )
        st.button(f"Relax to {reached}", key=f"relax {place}", on_click=bound.relax, args=(counts,))
        st.button(f"Go to {scores.text(at)}", key=f"go near {place}", on_click=put_threshold, args=(at,))


def _absent(scores: Scores) -> str:
    """Which class has no rows, the usual reason why a goal is undefined; empty where both have some."""
    positives, negatives = scores.scored.positives, scores.scored.negatives
    if positives and negatives:
        return ""
    if positives:
        return f"All {count_text(positives)} rows are {plain(scores.positive, 40)}."
    return f"None of {count_text(negatives)} rows is {plain(scores.positive, 40)}."


def _it(limits: str) -> str:
    return "the limits" if limits.endswith("s") else "the limit"


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
