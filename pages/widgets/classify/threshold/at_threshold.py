"""What the page shows at the current threshold, drawn again alone when that moves; and all of it to take away."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evalcore.analyses import (
    ClassTable,
    DecisionRecord,
    NamedCounts,
    Scores,
    ThresholdChoice,
    analyse_confusion,
    bounds_note,
    threshold_columns,
)
from evalcore.figures.cockpit import Sheet
from evalcore.inference import IntervalChoice
from evalcore.wording import count_text

from ...controls.current_counts import count_at_threshold
from ...controls.direction import area_of
from ...controls.exactness import show_exactness
from ...controls.orientation import actual_in_rows
from ...controls.slices import has_filtered, show_slices
from ...controls.threshold_control import show_step
from ...display.measures import show_formulas
from ...display.sidebar import show_drawn_again
from ...display.table import show_table
from ...export.downloads import choose_formats, show_all_numbers, show_download
from ...session import address
from ...session.entry_links import with_links
from ...session.loaded_scores import threshold_of
from .certainty import bands_of, certainty_of, show_certainty
from .class_weights import show_class_weights
from .cockpit import show_cockpit
from .cost_sensitivity import show_cost_sensitivity, show_decision_curve, show_forecast
from .records import show_records
from .referral_band import show_referral_band
from .subgroups import show_subgroups

GOALS = "Goals"
PARTS = (GOALS, "How sure", "If costs are not known", "Next month", "Two thresholds", "Resampling", "Groups", "Slices",
         "Records", "Take away")  # fmt: skip

MOST = 1_000_000
"""Thresholds of a table to take away; of more, so many spread evenly."""


def choose_part() -> str:
    """Ask which part stands under the surface."""
    # Tabs would be drawn again several times at every threshold, each with a place of its own.
    return st.segmented_control(
        "Part", PARTS, default=GOALS, key="part", bind="query-params", required=True, label_visibility="collapsed"
    )


# What is asked in here may change nothing outside: a fragment draws only its own places anew.
@st.fragment
def show_at_threshold(
    sheet: Sheet, chosen: ThresholdChoice, part: str, slot: DeltaGenerator, formulas: DeltaGenerator
) -> None:
    """Draw the cockpit here, the open one of `PARTS` into its place, and the formulas into theirs."""
    scores, intervals = chosen.scores, sheet.intervals
    threshold, counted = threshold_of(scores), count_at_threshold(scores)
    promise = chosen.promise if chosen.on_new_rows else None
    certainty = None if chosen.on_new_rows else certainty_of(chosen)
    show_cockpit(threshold, sheet, chosen, certainty, lambda measures: bands_of(scores, measures))
    show_exactness(scores, threshold, "roc_auc", "average_precision")
    with slot:
        match part:
            case "How sure":
                show_certainty(threshold, chosen)
            case "If costs are not known":
                show_cost_sensitivity(chosen, threshold)
            case "Next month":
                show_forecast(chosen, threshold, counted, promise)
                st.divider()
                show_decision_curve(scores, threshold)
            case "Two thresholds":
                show_referral_band(scores, threshold)
            case "Resampling":
                show_class_weights(scores)
            case "Groups":
                show_subgroups(scores, threshold, intervals, promise)
            case "Slices":
                if has_filtered():
                    st.rerun()
                st.markdown("**Is it worse in some slice of the rows?**")
                show_slices(ClassTable.of_scores(scores, threshold), scores.positive, intervals.level)
            case "Records":
                show_records(scores, threshold, intervals, chosen)
            case "Take away":
                show_takeaway(scores, threshold, counted, intervals, chosen)
            case _ if chosen.choice:
                show_best(chosen, threshold)
    show_formulas(analyse_confusion(counted), formulas)
    show_drawn_again()


def show_best(chosen: ThresholdChoice, threshold: float) -> None:
    """The best threshold for the goal, with a button that goes there."""
    with st.container(key="answer", border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(with_links(chosen.verdict(threshold, address.number("prevalence", None, 0, 1))), width="stretch")
        there = chosen.status(threshold) == "best"
        show_step(chosen.scores, chosen.choice.threshold, key="go", type="secondary" if there else "primary")
    if note := bounds_note(chosen.scores, goal=chosen.goal):
        st.caption(note)


def show_takeaway(
    scores: Scores,
    threshold: float,
    counted: NamedCounts,
    intervals: IntervalChoice,
    chosen: ThresholdChoice | None = None,
) -> None:
    """Everything to take away of a threshold and of the goal it was chosen for, each to be copied or saved."""
    decision = DecisionRecord(scores, threshold, intervals, chosen, area_of(scores, intervals))
    json = decision.json
    ways = ["Text", "JSON", "Python", "Tables"]
    report, data, python, tables = st.tabs(ways, key="take_away_as", on_change="rerun", bind="query-params")
    with report:
        st.code(decision.text, language=None, wrap_lines=True)
        show_download("Text as a file", decision.text + "\n", "threshold.txt", "download text")
    with data:
        st.code(json, language="json", wrap_lines=True, height=min(24 * len(json.splitlines()), 420))
        show_download("JSON as a file", json + "\n", "threshold.json", "download json")
        show_all_numbers()
    with python:
        st.caption("Run it where evalcore is installed, with the file beside it; every assertion holds.")
        st.code(decision.code, wrap_lines=True, height=420)
        show_download("Python as a file", decision.code, "threshold.py", "download code")
    numbers = analyse_confusion(counted, intervals)
    with tables:
        show_table(*counted.cells_table(actual_in_rows()))
    with tables, st.container(horizontal=True):
        show_download("Numbers as CSV", lambda: numbers.table, "numbers.csv", "download table")
        distinct = len(scores.table)
        which = "Every threshold" if distinct <= MOST else f"{count_text(MOST)} of {count_text(distinct)} thresholds"
        columns = lambda: threshold_columns(scores, threshold, MOST)  # noqa: E731
        show_download(f"{which} as CSV", columns, "thresholds.csv", "download thresholds")
    choose_formats()
