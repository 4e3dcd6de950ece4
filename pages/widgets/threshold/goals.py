"""What a threshold is chosen for: a goal with its limits, and the threshold that serves it best."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore.classification import Choice, ConfusionCounts, Goal, Limit, NoThreshold

from ..states import Scores
from .answer import show_choice, show_conflict
from .goal_kinds import choose_wish
from .limits import Bound, choose_limits


@dataclass(frozen=True)
class Decision:
    """A goal, and what it decides on the open scores.

    Attributes
    ----------
    goal : Goal
        With all of its limits.
    words : callable
        What some counts are worth to the goal, in words: "cost 98.0 in all, 0.172 a row".
    bounds : tuple of Bound
        The limits as they were asked for, in the order of those of the goal.
    choice : Choice or None
        On the scale of the state; None where no threshold serves.
    problem : NoThreshold or None
        Why not.
    """

    goal: Goal
    words: Callable[[ConfusionCounts], str]
    bounds: tuple[Bound, ...] = ()
    choice: Choice | None = None
    problem: NoThreshold | None = None

    @property
    def limits(self) -> list[Limit]:
        """What rules thresholds out: limits on measures, and a budget of rows."""
        return list(self.goal.limits)

    @property
    def forbidden(self) -> str:
        """What the limits forbid: "precision < 0.90"; empty without limits."""
        return " or ".join(bound.forbidden for bound in self.bounds)

    @property
    def limits_words(self) -> str:
        """The same as a label of the part of the axis they rule out: "not allowed: precision < 0.90"."""
        return f"not allowed: {self.forbidden}" if self.forbidden else ""


def choose_goal(scores: Scores, threshold: float) -> Decision:
    """Ask for a goal and its limits, and answer with the threshold that serves it and a button that goes there."""
    with st.container(key="goals", horizontal=True, vertical_alignment="bottom"):
        wish = choose_wish()
    bounds = (*wish.bounds, *(asked := choose_limits(wish.start)))
    goal = wish.goal.within(*(bound.limit for bound in asked))
    try:
        decision = Decision(goal, wish.words, bounds, goal.choose(scores.table))
    except NoThreshold as problem:
        decision = Decision(goal, wish.words, bounds, problem=problem)
    with st.container(key="answer", border=True):
        if decision.choice is None:
            show_conflict(decision.problem, goal, bounds, scores)
        else:
            inside = {0: "", 1: " inside the limit"}.get(len(asked), " inside the limits")
            show_choice(decision.choice, wish.words, inside, _without(wish.goal, decision, scores), scores, threshold)
    return decision


def allowed_ranges(scores: Scores, limits: Sequence[Limit]) -> np.ndarray | None:
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


def _without(goal: Goal, decision: Decision, scores: Scores) -> Choice | None:
    """What the goal would choose without the limits that were added to it, where they cost something."""
    if len(goal.limits) == len(decision.goal.limits):
        return None
    free = goal.choose(scores.table)  # with more limits it has a threshold, so it has one with fewer
    # Of equal value it is one number computed along two ways, or a limit that takes nothing away.
    return None if math.isclose(free.value, decision.choice.value, rel_tol=1e-12) else free
