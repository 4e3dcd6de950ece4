"""The answer to a goal: the threshold that serves it best, what it gives, what now, and what its limits cost."""

import numpy as np
import streamlit as st

from evalcore.analyses import Scores
from evalcore.classification import Choice, ConfusionCounts
from evalcore.wording import count_text, outcome_word

from ...controls.goals import Decision
from ...session.loaded_scores import put_threshold


def show_choice(decision: Decision, scores: Scores, threshold: float) -> None:
    """Say which threshold serves best, and offer to go there.

    Parameters
    ----------
    decision : Decision
        With a choice.
    scores : Scores
    threshold : float
        The current one.
    """
    choice, free, words = decision.choice, decision.without, decision.words
    chosen = choice.threshold
    same = scores.table.index(threshold) == scores.table.index(chosen)
    now = "That is where the threshold stands."
    if not same:
        counts = scores.counts_at(threshold)
        now = f"Now, at {scores.text(threshold)}: {words(counts)}; {_errors(counts)}."
    inside = _inside(decision)
    lines = [
        f"**{scores.text(chosen)}** serves it best{inside}: {words(choice.counts)}; {_errors(choice.counts)}. {now}"
    ]
    if free is not None:
        limits, without = inside.removeprefix(" inside "), scores.text(free.threshold)
        lines.append(f"Without {limits} it would be {without}: {words(free.counts)}; {_errors(free.counts)}.")
    lines.append(f":gray[{_interval(choice, scores)} {_ties(choice, scores)}]")
    with st.container(key="answer", border=True, horizontal=True, vertical_alignment="center"):
        st.markdown("  \n".join(lines), width="stretch")
        st.button(
            f"Go to {scores.text(chosen)}",
            key="go",
            type="primary",
            on_click=put_threshold,
            args=(chosen,),
            disabled=same,
        )


def _inside(decision: Decision) -> str:
    """Where the choice was made: " inside the limits", or empty without any that were added."""
    return {0: "", 1: " inside the limit"}.get(decision.added, " inside the limits")


def _errors(counts: ConfusionCounts) -> str:
    missed, alarms = float(counts.fn), float(counts.fp)
    return f"{count_text(missed)} missed and {count_text(alarms)} {outcome_word('fp', alarms)}"


def _interval(choice: Choice, scores: Scores) -> str:
    low, high = (scores.text(end) for end in (choice.low, choice.high))
    if scores.higher:
        return f"Every threshold above {low} up to {high} gives the same counts."
    return f"Every threshold from {low} to below {high} gives the same counts."


def _ties(choice: Choice, scores: Scores) -> str:
    """The other thresholds of the same value: those just as good, and those with more errors of one kind and no fewer
    of the other."""
    counts, tied = choice.tied_counts, choice.tied_thresholds
    others = tied != choice.threshold
    worse = (counts.fn >= choice.counts.fn) & (counts.fp >= choice.counts.fp)
    found = (("Just as good", tied[others & ~worse]), ("The same value, with more errors", tied[others & worse]))
    return " ".join(_listed(words, thresholds, scores) for words, thresholds in found if len(thresholds))


def _listed(words: str, thresholds: np.ndarray, scores: Scores) -> str:
    first = ", ".join(scores.text(each) for each in thresholds[:5].tolist())
    more = f" and {count_text(len(thresholds) - 5)} more" if len(thresholds) > 5 else ""
    return f"{words}: {first}{more}."
