"""Scores that rank the wrong way round: the offer to turn their direction, and the way back."""

from dataclasses import replace

import streamlit as st

from evalcore.analyses import Scores
from evalcore.inference import Interval, IntervalChoice
from evalcore.wording import number_text, plain

from ..session import address
from ..session.cache import cache
from .roles import put_roles

FEWEST = 5
"""Rows of each class below which the direction is never questioned."""
_area = cache(IntervalChoice.of_area, 128)


def offer_direction(scores: Scores) -> None:
    """Where the scores surely rank the wrong way round, offer to turn them; where they were turned, the way back.

    Nothing is shown while the interval of the AUC reaches ½.
    """
    area, current = area_of(scores), scores.current
    read_as = (current.detected_roles or current.roles).get("higher_is_positive", True)
    # Scores that rank every pair the wrong way round have no interval.
    reversed_order = float(area.high) < 0.5 or float(area.estimate) == 0
    if min(scores.scored.positives, scores.scored.negatives) >= FEWEST and reversed_order:
        _offer(scores, area)
    elif current.scored_by == "system" and current.higher_is_positive != read_as:
        with st.container(horizontal=True, vertical_alignment="center", key="direction"):
            more = "Higher" if scores.higher else "Lower"
            st.caption(
                f"{more} scores are treated as {plain(scores.positive, 30)}, the reverse of how the file was read "
                f"(AUC {number_text(float(area.estimate))}).",
                width="content",
            )
            st.button("Undo", key="turn back", on_click=turn_direction, args=(scores,), type="tertiary")


def turn_direction(scores: Scores) -> None:
    """Let the other end of the scores be the positive one, in the address; good as a callback."""
    current = scores.current
    put_roles(current, replace(current.roles, higher_is_positive=not current.higher_is_positive))


def area_of(scores: Scores, intervals: IntervalChoice | None = None) -> Interval:
    """The area under the ROC curve with its interval by DeLong."""
    chosen = intervals or IntervalChoice()
    return _area((scores.key, chosen.level, chosen.area), chosen, scores.scored)


def _offer(scores: Scores, area: Interval) -> None:
    auc = float(area.estimate)
    bounds = f" ({number_text(float(area.low))} to {number_text(float(area.high))})" if auc else ""
    with st.container(border=True, key="direction"):
        st.markdown(
            f"**These scores rank the wrong way round:** AUC {number_text(auc)}{bounds}. "
            f"Reversed, it would be {number_text(1 - auc)}."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if scores.current.scored_by == "system":  # a probability has one direction
                label = f"Treat {'lower' if scores.higher else 'higher'} scores as {plain(scores.positive, 30)}"
                st.button(label, key="turn", icon=":material/swap_vert:", on_click=turn_direction, args=(scores,))
            label, params = "Or choose the other class as positive", address.parameters()
            st.page_link("pages/start/data.py", label=label, query_params=params, width="content")
