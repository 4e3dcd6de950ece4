"""What a threshold is chosen for: a goal with its limits, and the threshold that serves it best."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore.analyses import Scores
from evalcore.classification import Choice, ConfusionCounts, Goal, Limit, NoThreshold

from .conflict import show_conflict
from .goal_form import choose_wish
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
        None where no threshold serves.
    added : int
        How many of the limits do not belong to the goal itself.
    without : Choice or None
        What the goal would choose without the limits that were added to it, where they cost something.
    """

    goal: Goal
    words: Callable[[ConfusionCounts], str]
    bounds: tuple[Bound, ...] = ()
    choice: Choice | None = None
    added: int = 0
    without: Choice | None = None

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


def choose_goal(scores: Scores) -> Decision:
    """Ask for a goal and its limits, and decide; where no threshold serves, say what is in the way."""
    with st.container(key="goals", horizontal=True, vertical_alignment="bottom"):
        wish = choose_wish()
    asked = choose_limits(wish.start)
    bounds = (*wish.bounds, *asked)
    goal = wish.goal.within(*(bound.limit for bound in asked))
    try:
        choice = goal.choose(scores.table)
    except NoThreshold as problem:
        with st.container(key="conflict", border=True):
            show_conflict(problem, goal, bounds, scores)
        return Decision(goal, wish.words, bounds, added=len(asked))
    without = _without(wish.goal, choice, scores) if asked else None
    return Decision(goal, wish.words, bounds, choice, len(asked), without)


def allowed_ranges(scores: Scores, goal: Goal) -> np.ndarray | None:
    """Ranges of thresholds, rising, shape (m, 2), in which all limits hold; None without limits."""
    return _allowed(scores.current.key_of(scores.system), goal.key, scores, goal) if goal.limits else None


# Asked for at every threshold, and of ten million rows it takes a second.
@st.cache_resource(max_entries=64, show_spinner=False)
def _allowed(data: str, limits: str, _scores: Scores, _goal: Goal) -> np.ndarray:
    table = _scores.table
    met = _goal.allowed(table.counts)
    change = np.flatnonzero(np.diff(np.concatenate([[False], met, [False]]).astype(int)))
    ranges = table.ranges(change[::2], change[1::2] - 1)
    return ranges[::-1] if _scores.higher else ranges


def _without(goal: Goal, choice: Choice, scores: Scores) -> Choice | None:
    free = goal.choose(scores.table)  # with more limits it has a threshold, so it has one with fewer
    # Of equal value it is one number computed along two ways, or a limit that takes nothing away.
    return None if math.isclose(free.value, choice.value, rel_tol=1e-12) else free
