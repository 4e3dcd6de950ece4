"""The same test among other people: a prevalence to move, what the answers are worth there, and a thousand people."""

import math

import streamlit as st

from evalcore.classification import (
    ConfusionCounts,
    among,
    at_prevalence,
    fall_out,
    negative_predictive_value,
    precision,
    prevalence,
    recall,
)
from evalcore.figures import dots_figure, tree_figure
from evalcore.wording import as_noun, count_text, number_text, plain, share_text

from ...display.figure import page_ink, show_figure
from ...session import address
from ...session.current_counts import Counted

PEOPLE = 1000
_STEPS = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35)
_SHARES = (*_STEPS, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
_SLIDER = "prevalence slider"


def show_population(counted: Counted) -> None:
    """A thousand such people, and the slider that makes the positive class rarer or more common among them."""
    counts, own = counted.counts, float(prevalence(counted.counts))
    if math.isnan(own) or math.isnan(float(recall(counts))) or math.isnan(float(fall_out(counts))):
        st.caption("Once both classes have rows, this place shows the test among a thousand people.")
        return
    share = address.number("prevalence", own, 0, 1)
    there = at_prevalence(counts, share)
    st.markdown(f"**Of {count_text(PEOPLE)} such people**  \n:gray[{_story(there, counted)}]")
    view = st.segmented_control(
        "Picture", ("dots", "tree"), default="dots", key="people", bind="query-params", label_visibility="collapsed"
    )
    draw = tree_figure if view == "tree" else dots_figure
    people = among(there, PEOPLE)
    show_figure(
        draw(people, (counted.positive, counted.negative), page_ink()),
        key="crowd",
        alt=f"Of {PEOPLE} people: {people.tp:.0f} found, {people.fn:.0f} missed, {people.fp:.0f} false alarms, "
        f"{people.tn:.0f} dismissed.",
        filename="people",
    )
    _choose_prevalence(counted, share, own)
    ppv, npv = float(precision(there)), float(negative_predictive_value(there))
    with st.container(horizontal=True):
        st.metric("precision", share_text(ppv), width="content")
        st.metric("NPV", share_text(npv), width="content")
        st.metric("alarms per hit", number_text(1 / ppv) if ppv > 0 else "∞", width="content")
    st.caption("Recall and specificity stay the same; what an answer is worth does not.")


def _choose_prevalence(counted: Counted, share: float, own: float) -> None:
    steps = sorted({*_SHARES, own, share})
    st.session_state[_SLIDER] = share
    st.select_slider(
        f"The same test where “{plain(counted.positive, 30)}” is more or less common",
        steps,
        key=_SLIDER,
        format_func=lambda step: f"{share_text(step)}{' (as here)' if step == own else ''}",
        on_change=lambda: _put(st.session_state[_SLIDER], own),
    )


def _put(share: float, own: float) -> None:
    address.put("prevalence", None if share == own else share)


def _story(there: ConfusionCounts, counted: Counted) -> str:
    """The thousand in a sentence."""
    people = among(there, PEOPLE)
    sick = f"{count_text(float(people.actual_positives))} are {as_noun(counted.positive, 30)}"
    found = f"the test finds {count_text(float(people.tp))} of them"
    return f"{sick}; {found} and alarms {count_text(float(people.fp))} that are {as_noun(counted.negative, 30)}"
