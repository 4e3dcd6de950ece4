"""Is acting on the scores better than treating all or treating none?"""

import math
from dataclasses import dataclass

import numpy as np

from evalcore.analyses.scores import Scores
from evalcore.classification import DecisionCurve, decision_curve
from evalcore.wording.escaping import plain
from evalcore.wording.numbers import UNDEFINED, alarms_text, cost_text, number_text, share_text

__all__ = ["NetBenefit", "net_benefit_of"]

_STEPS, _WIDEST = 199, 0.99


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """Decision curves of the scores, and what they say at one risk threshold.

    Attributes
    ----------
    ratio : float
        Cost of a miss in false alarms.
    curves : dict of str to DecisionCurve
        By what each way to decide is called: with the scores as risks where they can be, and at the fixed threshold.
    at_risk : dict of str to DecisionCurve
        The same at the risk threshold alone.
    marks : list of (name, risk)
        Risks worth marking.
    """

    scores: Scores
    ratio: float
    curves: dict[str, DecisionCurve]
    at_risk: dict[str, DecisionCurve]
    marks: list[tuple[str, float]]

    @property
    def risk(self) -> float:
        """The risk from which acting costs less than not acting, 1 / (1 + ratio)."""
        return 1 / (1 + self.ratio)

    @property
    def verdict(self) -> str:
        """From which risk to act, and what each way to decide is worth there; Markdown."""
        treat_all = _benefit_text(float(next(iter(self.at_risk.values())).treat_all[0]))
        lines = [f"{name}: {_worth(curve)}" for name, curve in self.at_risk.items()]
        return (
            f"If a miss costs as much as {alarms_text(self.ratio)}, act when the risk is at least "
            f"**{share_text(self.risk)}** = 1 / (1 + {cost_text(self.ratio)}).\n\n"
            + "\n".join(f"- {line}" for line in [*lines, f"treat all: {treat_all}; treat none: 0"])
        )

    @property
    def note(self) -> str:
        """How to read the curves; Markdown."""
        reading = "These scores are no probabilities, so only the fixed threshold has a curve."
        if len(self.curves) > 1:
            reading = (
                f"The first line takes a score as the risk of {plain(self.scores.positive, 30)}; uncalibrated scores "
                "lie lower than they could."
            )
        return (
            "Net benefit: true positives per case, minus false positives weighted by the threshold odds. At your risk "
            f"threshold, choose the highest line. {reading}"
        )

    @property
    def summary(self) -> str:
        """The net benefits at the risk threshold in a line of plain text."""
        values = (f"{name} {_benefit_text(float(curve.model[0]))}" for name, curve in self.at_risk.items())
        return f"at {share_text(self.risk)} {', '.join(values)}"


def net_benefit_of(scores: Scores, threshold: float, ratio: float, share: float) -> NetBenefit:
    """The net benefit of a threshold, and of the scores as risks where they can be read as such.

    The ratio is the cost of a miss in false alarms, above 0; the share is the prevalence, above 0 and below 1.
    """
    at = None if share == scores.prevalence else share
    risk, thresholds = 1 / (1 + ratio), scores.table.thresholds
    are_risks = scores.higher and len(thresholds) > 1 and thresholds[-1] >= 0 and thresholds[1] <= 1
    end = min(_WIDEST, max(4 * share, 2 * risk, 1.2 * threshold if are_risks else 0, 0.2))
    ways: dict[str, float | None] = {"scores as risks": None} if are_risks else {}
    ways[f"fixed threshold {scores.rule} {scores.text(threshold)}"] = threshold
    curves, at_risk = (
        {name: decision_curve(scores.scored, risks, cut, at) for name, cut in ways.items()}
        for risks in (np.linspace(0, end, _STEPS), [risk])
    )
    marks = [("your costs", risk)]
    if are_risks and 0 < threshold < end and abs(threshold - risk) > 1e-9:
        marks.append(("threshold", threshold))
    return NetBenefit(scores, ratio, curves, at_risk, marks)


def _worth(curve: DecisionCurve) -> str:
    value, avoided = float(curve.model[0]), 100 * float(curve.avoided[0])
    text = f"net benefit **{_benefit_text(value)}**"
    if math.isnan(avoided):
        return text
    if avoided < 0:
        return f"{text}; treating all is better by {number_text(-avoided)} interventions per 100"
    return f"{text}, {number_text(avoided)} interventions avoided per 100, compared with treating all"


def _benefit_text(value: float) -> str:
    return f"{UNDEFINED} (a class is absent, so its rate is unknown)" if math.isnan(value) else number_text(value)
