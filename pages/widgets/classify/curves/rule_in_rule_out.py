"""What ruling in and ruling out cost on the open scores, in words under the curves."""

import streamlit as st

from evalcore import METRICS
from evalcore.analyses import Scores
from evalcore.classification import Limit, NoThreshold, at_prevalence, best
from evalcore.wording import share_text

from ...session.loaded_scores import put_threshold
from .look import Look, Trust


def show_trusted(scores: Scores, look: Look) -> None:
    """For each value that a result must reach: the threshold that keeps the most, and a button that goes there."""
    for place, trust in enumerate(look.trusted):
        with st.container(key=f"trusted {place}", horizontal=True, vertical_alignment="center"):
            found = _found(scores, look, trust)
            if found is None:
                st.markdown(f"**{_capital(trust.words)}**: no threshold reaches it.", width="content")
                continue
            threshold, kept = found
            what = "recall" if trust.rules_in else "specificity"
            st.markdown(
                f"**{_capital(trust.words)}** holds at {scores.text(threshold)} with {what} {share_text(kept)}.",
                width="content",
            )
            st.button(
                "Cut there", key=f"cut for trust {place}", on_click=put_threshold, args=(threshold,), type="tertiary"
            )


def _found(scores: Scores, look: Look, trust: Trust) -> tuple[float, float] | None:
    measure = METRICS[trust.measure]
    there = measure if look.share is None else lambda counts: measure(at_prevalence(counts, look.share))
    kept = METRICS["recall" if trust.rules_in else "specificity"]
    try:
        choice = best(scores.table, kept, limits=[Limit(there, at_least=trust.least)])
    except NoThreshold:
        return None
    return choice.threshold, choice.value


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]
