"""The decision curve on a page: is acting on the scores better than treating all or treating none?"""

import streamlit as st

from evalcore.analyses import Scores, net_benefit_of
from evalcore.figures import decision_figure

from ...display.figure import page_ink, show_figure
from .costs import choose_prevalence, choose_ratio


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
