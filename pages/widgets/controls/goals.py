"""What a threshold is chosen for: a goal with its limits, and which limit is in the way where none meets them."""

import math
from collections.abc import Callable, Sequence

import streamlit as st

from evalcore import Array
from evalcore.analyses import Scores, ThresholdChoice, best_threshold
from evalcore.classification import ConfusionCounts

from .goal_form import ask_goal
from .limits import choose_limits
from .threshold_control import show_step


def choose_goal(scores: Scores) -> ThresholdChoice:
    """Ask for a goal and its limits, and choose; where no threshold meets them, show what is in the way."""
    with st.container(key="goals", horizontal=True, vertical_alignment="bottom"):
        settings = ask_goal()
    limits = choose_limits(settings.start)
    chosen = best_threshold(scores, settings.goal, tuple(limit for limit, _ in limits))
    if chosen.choice is None:
        with st.container(key="conflict", border=True):
            _show_conflict(chosen, [*filter(None, [settings.relax]), *(relax for _, relax in limits)])
    return chosen


def allowed_ranges(chosen: ThresholdChoice) -> Array | None:
    """Ranges of thresholds, rising, shape (m, 2), in which all limits hold; None without limits."""
    return _allowed(chosen.scores.key, chosen.goal.key, chosen) if chosen.goal.limits else None


# Asked for at every threshold, and of ten million rows it takes a second.
@st.cache_resource(max_entries=64, show_spinner=False)
def _allowed(data: str, goal: str, _chosen: ThresholdChoice) -> Array | None:
    return _chosen.allowed


def _show_conflict(chosen: ThresholdChoice, relax: Sequence[Callable[[ConfusionCounts], None]]) -> None:
    st.markdown(chosen.verdict())
    for place, conflict in enumerate(chosen.conflicts):
        with st.container(horizontal=True, vertical_alignment="center", key=f"conflict {place}"):
            st.markdown(chosen.conflict_text(conflict), width="stretch")
            if math.isnan(conflict.nearest):
                continue
            counts = chosen.scores.counts_at(conflict.threshold)
            which = next(i for i, limit in enumerate(chosen.goal.limits) if limit is conflict.limit)
            st.button(
                f"Relax to {chosen.reached(conflict)}", key=f"relax {place}", on_click=relax[which], args=(counts,)
            )
            show_step(chosen.scores, conflict.threshold, key=f"go near {place}")
