"""Scores that are counted in bins: whether the counts at the threshold are exact, and asking the table again."""

import streamlit as st

from evalcore.analyses import Scores, bounds_note, refined_at, threshold_note
from evalcore.readers import ReadProblem
from evalcore.wording import plain

from ..session.unloaded_tables import reach
from .shape import put_shape


def show_exactness(scores: Scores, threshold: float, *measures: str) -> None:
    """Say whether the counts are exact and what measures lie between, by their keys; nothing of scores without bins."""
    note, can_ask = threshold_note(scores, threshold)
    if not note:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="exactness"):
        st.caption(f"{note} {bounds_note(scores, *measures)}", width="stretch")
        unloaded = scores.current.dataset.unloaded
        if can_ask and unloaded is not None and st.button("Count exactly here", key="refine", icon=":material/target:"):
            try:
                with st.spinner("Counting the rows of this bin …"):
                    step = refined_at(scores, threshold, reach(scores.current.id, unloaded)())
            except ReadProblem as problem:
                st.error(plain(problem, limit=600), icon=":material/error:")
                return
            put_shape(scores.current, scores.current.dataset.shape.edited(step))
            st.rerun()
