"""The decision curve on a page: is acting on the scores worth more than acting on everybody or on nobody?"""

import numpy as np
import streamlit as st

from evalcore.analyses import Scores
from evalcore.classification import DecisionCurve, decision_curve
from evalcore.figures import decision_figure
from evalcore.wording import UNDEFINED, alarms_text, cost_text, number_text, plain, share_text

from ...display.figure import page_ink, show_figure
from .costs import choose_prevalence, choose_ratio

_STEPS = 199
_WIDEST = 0.99


def show_decision_curve(scores: Scores, threshold: float) -> None:
    """Net benefit against the risk from which one would act, with what it says at the typed cost ratio.

    Parameters
    ----------
    scores : Scores
    threshold : float
    """
    st.markdown("**Is acting on the scores worth more than acting on everybody, or on nobody?**")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        ratio = choose_ratio("decision")
        share = choose_prevalence("decision", scores)
    there = None if share == scores.prevalence else share
    risk = 1 / (1 + ratio)
    are_risks = _are_risks(scores)
    name = f"cut at {scores.rule} {scores.text(threshold)}"
    risks = np.linspace(0, min(_WIDEST, max(4 * share, 2 * risk, 1.2 * threshold if are_risks else 0, 0.2)), _STEPS)
    lines: list[tuple[str, DecisionCurve]] = [(name, decision_curve(scores.scored, risks, threshold, there))]
    now: list[tuple[str, DecisionCurve]] = [(name, decision_curve(scores.scored, [risk], threshold, there))]
    if are_risks:
        lines.insert(0, ("scores cut at the risk", decision_curve(scores.scored, risks, prevalence=there)))
        now.insert(0, ("the scores cut at this risk", decision_curve(scores.scored, [risk], prevalence=there)))
    marks = [("your prices", risk)]
    if are_risks and 0 < threshold < risks[-1] and abs(threshold - risk) > 1e-9:
        marks.append(("threshold", threshold))
    picture, words = st.columns([5, 3], gap="large")
    with picture:
        show_figure(
            decision_figure(lines, marks, page_ink()),
            key="decision curve",
            alt=f"Net benefit against the risk from which one would act; at {share_text(risk)} "
            + ", ".join(f"{label} {_benefit(float(curve.model[0]))}" for label, curve in now),
            filename="decision curve",
        )
    with words:
        st.markdown(
            f"Whoever holds a miss to be as bad as {alarms_text(ratio)} acts from a risk of "
            f"**{share_text(risk)}**, which is 1 / (1 + {cost_text(ratio)}): there the harm "
            "of acting in vain and that of not acting are even."
        )
        st.markdown("\n".join(f"- {_worth(label, curve)}" for label, curve in now) + f"\n- {_all(now[0][1])}")
        st.caption(
            "Net benefit counts hits a case and takes off false alarms at those odds; acting on nobody is 0. The "
            f"highest line at your risk is the way to decide. {_reading(scores, are_risks)}"
        )


def _are_risks(scores: Scores) -> bool:
    """Whether the scores can be read as probabilities of the positive class."""
    thresholds = scores.table.thresholds
    return scores.higher and len(thresholds) > 1 and thresholds[-1] >= 0 and thresholds[1] <= 1


def _reading(scores: Scores, are_risks: bool) -> str:
    if are_risks:
        return (
            f"The first line takes a score as the risk of {plain(scores.positive, 30)}; where scores are not "
            "calibrated it cuts at the wrong place and lies lower than it could."
        )
    return "These scores are no probabilities, so only the present threshold has a line."


def _worth(label: str, curve: DecisionCurve) -> str:
    value, avoided = float(curve.model[0]), 100 * float(curve.avoided[0])
    said = f"{label}: net benefit **{_benefit(value)}**"
    if avoided != avoided:
        return said
    if avoided < 0:
        return f"{said}; acting on everybody is better by {number_text(-avoided)} interventions of 100"
    return f"{said}, {number_text(avoided)} of 100 interventions avoided beside acting on everybody"


def _all(curve: DecisionCurve) -> str:
    return f"acting on everybody: {_benefit(float(curve.treat_all[0]))}; on nobody: 0"


def _benefit(value: float) -> str:
    return number_text(value) if value == value else f"{UNDEFINED} (a class is absent here, so its rate is not known)"
