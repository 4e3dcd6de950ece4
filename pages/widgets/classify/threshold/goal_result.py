"""The answer to a goal: the threshold that serves it best, what it gives, what now, and what its limits cost."""

import numpy as np
import streamlit as st

from evalcore.analyses import Scores
from evalcore.classification import Choice, ConfusionCounts
from evalcore.figures import outcome_word
from evalcore.wording import count_text

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
        Where it stands now, on the scale of the file.
    """
    choice, free, words = decision.choice, decision.without, decision.words
    chosen = scores.turned(choice.threshold)
    at = scores.turned(threshold)
    same = choice.low < at <= choice.high or at == choice.low == -np.inf
    now = "That is where the threshold stands."
    if not same:
        counts = scores.counts_at(threshold)
        now = f"Now, at {scores.text(threshold)}: {words(counts)}; {_errors(counts)}."
    inside = _inside(decision)
    lines = [
        f"**{scores.text(chosen)}** serves it best{inside}: {words(choice.counts)}; {_errors(choice.counts)}. {now}"
    ]
    if free is not None:
        limits, without = inside.removeprefix(" inside "), scores.text(scores.turned(free.threshold))
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
    ends = [scores.text(scores.turned(end)) for end in (choice.low, choice.high)]
    if scores.higher:
        return f"Every threshold above {ends[0]} up to {ends[1]} gives the same counts."
    return f"Every threshold from {ends[1]} to below {ends[0]} gives the same counts."


def _ties(choice: Choice, scores: Scores) -> str:
    """The other thresholds of the same value: those just as good, and those with more errors of one kind and no fewer
    of the other."""
    counts, highs = choice.tied_counts, choice.ties[:, 1]
    others = highs != choice.high
    worse = (counts.fn >= choice.counts.fn) & (counts.fp >= choice.counts.fp)
    found = (("Just as good", highs[others & ~worse]), ("The same value, with more errors", highs[others & worse]))
    return " ".join(_listed(words, thresholds, scores) for words, thresholds in found if len(thresholds))


def _listed(words: str, thresholds: np.ndarray, scores: Scores) -> str:
    first = ", ".join(scores.text(scores.turned(float(high))) for high in thresholds[:5])
    more = f" and {count_text(len(thresholds) - 5)} more" if len(thresholds) > 5 else ""
    return f"{words}: {first}{more}."
