"""Threshold: where do I cut?"""

import streamlit as st

from pages.widgets.certainty import bands_of, show_certainty, spread_of
from pages.widgets.cockpit import show_cockpit
from pages.widgets.counted import count_at_threshold
from pages.widgets.decisions import show_decision_curve
from pages.widgets.direction import offer_direction
from pages.widgets.goals import allowed_ranges, choose_goal
from pages.widgets.heading import title
from pages.widgets.intervals import choose_intervals
from pages.widgets.measures import NO_PARAMS, show_formulas
from pages.widgets.next_month import show_next_month
from pages.widgets.purpose import purpose_of
from pages.widgets.reading import show_reading
from pages.widgets.states import open_scores, threshold_of
from pages.widgets.subgroups import show_subgroups
from pages.widgets.takeaway import show_takeaway
from pages.widgets.two_thresholds import show_two_thresholds
from pages.widgets.unknown_costs import show_unknown_costs

PARTS = ("Goals", "How sure", "If costs are not known", "Next month", "Two thresholds", "Groups", "Take away")

title("Threshold", question="Where do I cut?")
scores = open_scores()
offer_direction(scores)
counted = count_at_threshold(scores)
threshold = threshold_of(scores)
surface = st.container()
bar = st.container(key="cockpit-bar", horizontal=True, vertical_alignment="center")
with bar, st.popover("Intervals", icon=":material/straighten:"):
    intervals = choose_intervals()
parts = st.tabs(PARTS, key="part", on_change="rerun", bind="query-params")
goals, certainty, costs, month, band, groups, takeaway = parts
with goals:
    # The goal is drawn on the surface whichever part is open.
    decision = choose_goal(scores, threshold)
with surface:
    show_cockpit(
        scores,
        threshold,
        counted,
        intervals,
        allowed=allowed_ranges(scores, decision.limits),
        limits_words=decision.limits_words,
        spread=spread_of(scores, decision),
        bands=lambda measures: bands_of(scores, measures),
        goal_at=scores.turned(decision.choice.threshold) if decision.choice else None,
        bar=bar,
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
show_reading("threshold")
show_formulas(counted.counts, NO_PARAMS)
