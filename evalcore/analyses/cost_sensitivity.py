"""For which costs is a threshold the best choice, which is the best for given costs, and does acting on it pay?"""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evalcore.analyses.goal_text import limit_texts
from evalcore.analyses.scores import Scores
from evalcore.classification import (
    CheapestThresholds,
    ConfusionCounts,
    DecisionCurve,
    Goal,
    RatioRange,
    at_prevalence,
    cost,
    decision_curve,
    ratios_of,
)
from evalcore.wording import THIN, UNDEFINED, alarms_text, cost_text, number_text, plain, ratio_text, share_text

__all__ = ["CostSensitivity", "NetBenefit", "net_benefit_of"]

_NOTHING, _EVERYTHING = "nothing", "everything"
_STEPS, _WIDEST = 199, 0.99


@dataclass(frozen=True, eq=False)
class CostSensitivity:
    """A threshold among those that are the cheapest for some cost ratio.

    >>> from evalcore.analyses import Source
    >>> from evalcore.classification import cheapest_thresholds
    >>> from evalcore.readers import read_sample
    >>> scores = Scores.of(Source.of(read_sample("roc_20")), "score")
    >>> CostSensitivity(scores, 0.54, cheapest_thresholds(scores.table), ratio=1, share=0.5).verdict
    '**≥ 0.54** is the best choice **if a miss costs between 0.333 and 1.33 false alarms**.'
    """

    scores: Scores
    threshold: float
    cheapest: CheapestThresholds  # of the scores
    ratio: float  # cost of a miss in false alarms, above 0
    share: float  # prevalence at which the threshold is used, above 0 and below 1
    goal: Goal | None = None  # what the threshold was chosen for: its limits may forbid the cheapest

    @cached_property
    def names(self) -> list[str]:
        """What each of the cheapest thresholds is called: its rule, or "nothing" and "everything" at the ends."""
        names = [f"{self.scores.rule} {self.scores.text(t)}" for t in self.cheapest.thresholds.tolist()]
        names[0], names[-1] = _NOTHING, _EVERYTHING
        return names

    @property
    def verdict(self) -> str:
        """For which cost ratios the threshold is the best choice in the sample; a sentence of Markdown."""
        return self._verdict(None)

    @property
    def verdict_elsewhere(self) -> str:
        """The same at the prevalence; empty where that is the one of the sample or changes nothing."""
        ratios = self._range
        always_beaten = math.isnan(ratios.low) and (ratios.stricter_below == math.inf or ratios.laxer_above == 0)
        return "" if always_beaten or self.share == self.scores.prevalence else self._verdict(self.share)

    @property
    def better(self) -> list[int]:
        """Places of the neighbours that are cheaper for some ratio, where the threshold is never the cheapest alone."""
        ratios = self._range
        if not math.isnan(ratios.low) and ratios.low != ratios.high:
            return []
        # One that another beats at every cost is not worth going to.
        worth = (
            (ratios.stricter, ratios.stricter_below > 0 and ratios.laxer_above != 0),
            (ratios.laxer, ratios.laxer_above < math.inf and ratios.stricter_below != math.inf),
        )
        return [index for index, is_worth in worth if index >= 0 and is_worth and not self.stands_at(index)]

    @property
    def best(self) -> int:
        """Place of the cheapest threshold at the ratio and the prevalence."""
        return int(self.cheapest.index(self.ratio, self.share))

    def stands_at(self, index: int) -> bool:
        """Whether the threshold gives the counts of one of the cheapest."""
        return bool(self.scores.table.index(self.threshold) == self.cheapest.rows[index])

    @property
    def best_verdict(self) -> str:
        """The cheapest threshold at the ratio and the prevalence, what it costs, and what the current one costs."""
        index = self.best
        best, now = 1000 * self._cost(self.cheapest.counts[index]), 1000 * self._cost(self._counts)
        breaks = self.cheapest.ratios(self.share)
        ties = index + 1 < len(self.names) and bool(np.isclose(breaks[index + 1], self.ratio, rtol=1e-9, atol=0))
        also = f"; {_rule(self.names[index + 1])} costs the same" if ties else ""
        verdict = (
            f"At **{ratio_text(self.ratio)}** and a prevalence of {share_text(self.share)}, "
            f"**{_rule(self.names[index])}** is the cheapest: 1{THIN}000 cases cost as much as {alarms_text(best)}"
            f"{also}."
        )
        verdict += self._broken_limits
        same = self.stands_at(index) or now - best <= 1e-9 * now
        return verdict if same else f"{verdict} The current threshold costs {cost_text(now)}."

    @property
    def saving_verdict(self) -> str:
        """How much less the cheapest threshold costs than the current one, in a sentence of Markdown."""
        best, now = self._cost(self.cheapest.counts[self.best]), self._cost(self._counts)
        if now - best <= 1e-12 * max(now, 1e-300):
            return "No other threshold costs less."
        name = _rule(self.names[self.best])
        saving = f"At these costs the cheapest threshold is **{name}**: it costs {share_text(1 - best / now)} less."
        return saving + self._broken_limits

    @property
    def _broken_limits(self) -> str:
        """Which limits of the goal the cheapest threshold breaks in the sample, with a blank before; else empty."""
        if (goal := self.goal) is None:
            return ""
        counts = self.cheapest.counts[self.best]
        broken = [one for one in goal.limits if not replace(goal, limits=(one,)).allowed(counts)]
        if not broken:
            return ""
        limits = " and ".join(limit_texts(goal, limit)[0] for limit in broken)
        return f" **It breaks your {'limit' if len(broken) == 1 else 'limits'}** {limits}."

    @property
    def _counts(self) -> ConfusionCounts:
        return self.scores.counts_at(self.threshold)

    @property
    def _range(self) -> RatioRange:
        return ratios_of(self.scores.table, self.threshold, self.cheapest)

    def _cost(self, counts: ConfusionCounts) -> float:
        return float(cost(at_prevalence(counts, self.share), fn_cost=self.ratio))

    def _verdict(self, share: float | None) -> str:
        ratios = ratios_of(self.scores.table, self.threshold, self.cheapest, share)
        where = "" if share is None else f"At a prevalence of {share_text(share)}, "
        here = f"**{self.scores.rule} {self.scores.text(self.threshold)}**"
        if math.isnan(ratios.low):
            none = "no cost ratio" if where else "No cost ratio"
            return f"{where}**{none}** makes {here} the best choice. {self._beaten(ratios)}"
        if ratios.low == ratios.high:
            return f"{where}{here} is the best choice {self._only(ratios)}."
        return f"{where}{here} is the best choice **{_condition(ratios.low, ratios.high)}**."

    def _beaten(self, ratios: RatioRange) -> str:
        stricter, laxer = (_rule(self.names[index]) for index in (ratios.stricter, ratios.laxer))
        if ratios.stricter_below == math.inf:
            return f"{_start(stricter)} misses no more and raises fewer false alarms, so it always costs less."
        if ratios.laxer_above <= 0:
            return f"{_start(laxer)} misses fewer and raises no more false alarms, so it always costs less."
        return (
            f"{_start(stricter)} costs less if a miss costs less than {alarms_text(ratios.stricter_below)}, {laxer} if "
            f"it costs more than {cost_text(ratios.laxer_above)}; one of the two always does."
        )

    def _only(self, ratios: RatioRange) -> str:
        if ratios.low == 0:
            return f"only if a miss costs nothing; otherwise {_rule(self.names[ratios.laxer])} is cheaper"
        if ratios.low == math.inf:
            return f"only if a false alarm costs nothing; otherwise {_rule(self.names[ratios.stricter])} is cheaper"
        ends = " and ".join(_rule(self.names[index]) for index in (ratios.stricter, ratios.laxer))
        return f"only if a miss costs exactly {alarms_text(ratios.low)}, and then it ties with {ends}"


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """Decision curves of the scores, and what they say at one risk threshold."""

    scores: Scores
    ratio: float  # cost of a miss in false alarms
    # By what each way to decide is called: with the scores as risks where they can be, and at the fixed threshold.
    curves: dict[str, DecisionCurve]
    at_risk: dict[str, DecisionCurve]  # the same at the risk threshold alone
    marks: list[tuple[str, float]]  # risks worth marking

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


def _condition(low: float, high: float) -> str:
    if low == 0 and high == math.inf:
        return "whatever a miss costs"
    if low == 0:
        return f"if a miss costs less than {alarms_text(high)}"
    if high == math.inf:
        return f"if a miss costs more than {alarms_text(low)}"
    return f"if a miss costs between {cost_text(low)} and {alarms_text(high)}"


def _rule(name: str) -> str:
    return f"calling {name} positive" if name in (_NOTHING, _EVERYTHING) else name


def _start(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]


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
