"""What the page shows at the current threshold: only this is drawn again when that moves."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.analyses import ThresholdChoice, analyse_confusion
from evalcore.figures.cockpit import Sheet

from ...controls.current_counts import count_at_threshold
from ...controls.threshold_control import show_step
from ...display.measures import show_formulas
from ...display.sidebar import show_drawn_again
from ...session.loaded_scores import threshold_of
from .certainty import bands_of, certainty_of, show_certainty
from .cockpit import show_cockpit
from .cost_sensitivity import show_cost_sensitivity, show_decision_curve, show_forecast
from .referral_band import show_referral_band
from .subgroups import show_subgroups
from .takeaway import show_takeaway

GOALS = "Goals"
PARTS = (GOALS, "How sure", "If costs are not known", "Next month", "Two thresholds", "Groups", "Take away")


def choose_part() -> str:
    """Ask which part stands under the surface."""
    # Tabs would be drawn again several times at every threshold, each with a place of its own.
    return st.segmented_control(
        "Part", PARTS, default=GOALS, key="part", bind="query-params", required=True, label_visibility="collapsed"
    )


# What is asked in here may change nothing outside: a fragment draws only its own places anew.
@st.fragment
def show_at_threshold(
    sheet: Sheet, chosen: ThresholdChoice, part: str, place: DeltaGenerator, formulas: DeltaGenerator
) -> None:
    """Draw the cockpit here, the open one of `PARTS` into its place, and the formulas into theirs."""
    scores, intervals = chosen.scores, sheet.intervals
    threshold, counted = threshold_of(scores), count_at_threshold(scores)
    show_cockpit(threshold, sheet, chosen, certainty_of(chosen), lambda measures: bands_of(scores, measures))
    with place:
        match part:
            case "How sure":
                show_certainty(threshold, chosen)
            case "If costs are not known":
                show_cost_sensitivity(scores, threshold)
            case "Next month":
                show_forecast(scores, threshold, counted)
                st.divider()
                show_decision_curve(scores, threshold)
            case "Two thresholds":
                show_referral_band(scores, threshold)
            case "Groups":
                show_subgroups(scores, threshold, intervals)
            case "Take away":
                show_takeaway(scores, threshold, counted, intervals, chosen)
            case _ if chosen.choice:
                show_best(chosen, threshold)
    show_formulas(analyse_confusion(counted), formulas)
    show_drawn_again()


def show_best(chosen: ThresholdChoice, threshold: float) -> None:
    """The best threshold for the goal, with a button that goes there."""
    with st.container(key="answer", border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(chosen.verdict(threshold), width="stretch")
        there = chosen.status(threshold) == "best"
        show_step(chosen.scores, chosen.choice.threshold, key="go", type="primary", disabled=there)
