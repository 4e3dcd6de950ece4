"""Costs that are not known: for which the threshold is the best choice, and when acting on the scores pays."""

import streamlit as st

from evalcore.analyses import CostSensitivity, Scores, net_benefit_of
from evalcore.classification import CheapestThresholds, cheapest_thresholds
from evalcore.figures import decision_figure, ratio_map_figure
from evalcore.wording import ratio_text, share_text

from ...controls.threshold_control import show_step
from ...display.figure import page_ink, show_figure
from ...session.cache import cache
from .costs import choose_prevalence, choose_ratio

_cheapest = cache(cheapest_thresholds, 24)


def show_cost_sensitivity(scores: Scores, threshold: float) -> None:
    """For which costs the threshold is the best choice, which one is best for others, and the map of all of them."""
    st.markdown("**For which costs is this threshold the best choice?**")
    try:
        cheapest = cheapest_of(scores)
    except ValueError as problem:
        st.caption(f"Undefined: {problem}")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ratio, share = choose_ratio("unknown"), choose_prevalence("unknown", scores)
    analysis = CostSensitivity(scores, threshold, cheapest, ratio, share)
    picture, words = st.columns([5, 3], gap="large")
    with words:
        st.markdown(analysis.verdict)
        with st.container(horizontal=True):
            for place in analysis.better:
                show_step(scores, float(cheapest.thresholds[place]), key=f"hull {place}")
        if analysis.verdict_elsewhere:
            st.markdown(analysis.verdict_elsewhere)
        st.markdown(analysis.best_verdict)
        show_best_step(analysis, key="cheapest")
    with picture:
        show_figure(
            ratio_map_figure(analysis, page_ink()),
            key="ratio map",
            alt=f"Map of the cheapest threshold over cost ratio and prevalence; at {ratio_text(ratio)} and "
            f"{share_text(share)} it is {analysis.names[analysis.best]}.",
            filename="cost map",
        )
        st.caption(
            "Each band is one threshold, the cheapest there; the stronger its colour, the more rows it calls positive. "
            "The ring marks the ratio and the prevalence set above. A threshold with a wide band needs no exact costs."
        )


def show_decision_curve(scores: Scores, threshold: float) -> None:
    """Net benefit against the risk threshold, with what it says at the typed cost ratio."""
    st.markdown("**Is acting on the scores better than treating all or treating none?**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ratio, share = choose_ratio("decision"), choose_prevalence("decision", scores)
    analysis = net_benefit_of(scores, threshold, ratio, share)
    picture, words = st.columns([5, 3], gap="large")
    with picture:
        show_figure(
            decision_figure(analysis, page_ink()),
            key="decision curve",
            alt=f"Net benefit against the risk threshold; {analysis.summary}",
            filename="decision curve",
        )
    with words:
        st.markdown(analysis.verdict)
        st.caption(analysis.note)


def show_best_step(analysis: CostSensitivity, key: str) -> None:
    """A button that goes to the cheapest threshold, where the current one is another."""
    if not analysis.stands_at(analysis.best):
        show_step(analysis.scores, float(analysis.cheapest.thresholds[analysis.best]), key)


def cheapest_of(scores: Scores) -> CheapestThresholds:
    """The thresholds that are the cheapest for some costs; ValueError when a class is absent."""
    return _cheapest(scores.key, scores.table)
