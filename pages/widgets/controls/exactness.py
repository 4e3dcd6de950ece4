"""Scores that are counted in bins: whether the counts at the threshold are exact, and asking the table again."""

import streamlit as st

from evalcore.analyses import Scores, SystemComparison, bounds_note, pair_note, paired_at, refined_at, threshold_note
from evalcore.engines import COUNTINGS

from ..session.internals import visit
from ..session.unloaded_tables import reach
from .counting import show_count_problem, show_counting, start_counting
from .shape import put_shape


def show_exactness(of: Scores | SystemComparison, threshold: float = 0.0, *measures: str) -> None:
    """Say whether the counts are exact and what measures lie between, by their keys; nothing of scores without bins.

    Of two systems it is how their calls at the thresholds of the comparison go together.
    """
    source = of.current if isinstance(of, Scores) else of.source
    note, can_ask = threshold_note(of, threshold) if isinstance(of, Scores) else pair_note(source, of.rows)
    if not note:
        return
    note = f"{note} {bounds_note(of, *measures)}" if isinstance(of, Scores) else note
    with st.container(horizontal=True, vertical_alignment="center", key="exactness"):
        st.caption(note, width="stretch")
        unloaded = source.dataset.unloaded
        show_count_problem(key := f"exactly\n{visit()}\n{source.key}\n{threshold}")
        if key in COUNTINGS:
            show_counting(key, lambda step: put_shape(source, source.dataset.shape.edited(step)))
        elif (
            can_ask and unloaded is not None and st.button("Count exactly here", key="refine", icon=":material/target:")
        ):
            start_counting(
                key, lambda: reach(source.id, unloaded),
                lambda stored: refined_at(of, threshold, stored) if isinstance(of, Scores) else paired_at(of, stored),
            )  # fmt: skip
