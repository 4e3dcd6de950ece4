"""What the page says at the threshold in use; when that moves, this is drawn again and the rest of the page stays."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ..cockpit import Sheet, show_cockpit
from ..counted import count_at_threshold
from ..intervals import IntervalChoice
from ..measures import NO_PARAMS, show_formulas
from ..sidebar import show_drawn_again
from ..states import Scores, threshold_of
from .certainty import bands_of, show_certainty, spread_of
from .decisions import show_decision_curve
from .goals import allowed_ranges, choose_goal
from .next_month import show_next_month
from .purpose import purpose_of
from .subgroups import show_subgroups
from .takeaway import show_takeaway
from .two_thresholds import show_two_thresholds
from .unknown_costs import show_unknown_costs

PARTS = ("Goals", "How sure", "If costs are not known", "Next month", "Two thresholds", "Groups", "Take away")


# What is asked in here may change nothing outside: a fragment draws only its own places anew.
@st.fragment
def show_at_threshold(
    scores: Scores,
    intervals: IntervalChoice,
    sheet: Sheet,
    parts: Sequence[DeltaGenerator],
    formulas: DeltaGenerator,
) -> None:
    """Draw the surface here, the goal and the open part into their tabs, and the formulas into their place.

    Parameters
    ----------
    scores : Scores
    intervals : IntervalChoice
        Of the rates.
    sheet : Sheet
        What of the surface stays while the threshold moves.
    parts : sequence of tabs
        One for each of `PARTS`.
    formulas : container
    """
    threshold, counted = threshold_of(scores), count_at_threshold(scores)
    goals, certainty, costs, month, band, groups, takeaway = parts
    with goals:
        # The goal is drawn on the surface whichever part is open.
        decision = choose_goal(scores, threshold)
    show_cockpit(
        scores,
        threshold,
        counted,
        intervals,
        sheet,
        allowed=allowed_ranges(scores, decision.limits),
        limits_words=decision.limits_words,
        spread=spread_of(scores, decision),
        bands=lambda measures: bands_of(scores, measures),
        goal_at=scores.turned(decision.choice.threshold) if decision.choice else None,
    )
    if certainty.open:
        with certainty:
            show_certainty(scores, threshold, decision)
    if costs.open:
        with costs:
            show_unknown_costs(scores, threshold)
    if month.open:
        with month:
            show_next_month(scores, threshold, counted)
            st.divider()
            show_decision_curve(scores, threshold)
    if band.open:
        with band:
            show_two_thresholds(scores, threshold)
    if groups.open:
        with groups:
            show_subgroups(scores, threshold, intervals)
    if takeaway.open:
        with takeaway:
            show_takeaway(scores, threshold, counted, intervals, purpose_of(decision.goal, decision.choice))
    with formulas:
        show_formulas(counted.counts, NO_PARAMS)
    show_drawn_again()
