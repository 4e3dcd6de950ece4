"""Where no threshold serves a goal: which limit is in the way, and the nearest value that can be met."""

import math
from collections.abc import Sequence

import streamlit as st

from evalcore.analyses import Scores
from evalcore.classification import Conflict, Goal, NoThreshold
from evalcore.wording import count_text, plain

from ..session.loaded_scores import put_threshold
from .limits import Bound


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
        at = conflict.threshold
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
