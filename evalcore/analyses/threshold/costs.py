"""Costs of a threshold: optimal cost ratios, cheapest threshold, net benefit, and referral of a band."""

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evalcore import classification
from evalcore.analyses.data.scores import Scores, goal_value, limit_texts
from evalcore.analyses.threshold.choice import ThresholdChoice, best_threshold
from evalcore.registry import METRICS
from evalcore.wording import Cell, one_line, plain, rows_text, share_text, value_text
from evalcore.wording.numbers import THIN, UNDEFINED, alarms_text, cost_text, count_text, number_text, ratio_text

__all__ = ["AmountsInUse", "CostSensitivity", "NetBenefit", "ReferralBand"]
__all__ += ["narrowest_band", "needs_one_cost", "net_benefit_of"]

_NOTHING, _EVERYTHING = "nothing", "everything"
_STEPS, _WIDEST = 199, 0.99


@dataclass(frozen=True, eq=False)
class CostSensitivity:
    """Cost ratios at which a threshold is optimal, and the thresholds that are cheapest for some ratio."""

    scores: Scores
    threshold: float
    cheapest: classification.CheapestThresholds  # of the scores
    ratio: float  # cost of a miss in false alarms, above 0
    share: float  # prevalence at which the threshold is used, above 0 and below 1
    goal: classification.Goal | None = None  # what the threshold was chosen for: its limits may forbid the cheapest

    @cached_property
    def names(self) -> list[str]:
        """Names of the cheapest thresholds: their rules, or "nothing" and "everything" at the ends."""
        names = [f"{self.scores.rule} {self.scores.text(t)}" for t in self.cheapest.thresholds.tolist()]
        names[0], names[-1] = _NOTHING, _EVERYTHING
        return names

    @property
    def verdict(self) -> str:
        """Cost ratios for which the threshold is the best choice in the sample, as a sentence in Markdown."""
        return self._verdict(None)

    @property
    def verdict_elsewhere(self) -> str:
        """The verdict at the assumed prevalence; empty if it equals that of the sample or changes nothing."""
        ratios = self._ratios()
        always_beaten = math.isnan(ratios.low) and (ratios.stricter_below == math.inf or ratios.laxer_above == 0)
        return "" if always_beaten or self.share == self.scores.prevalence else self._verdict(self.share)

    @property
    def better(self) -> list[int]:
        """Indices of the neighbours that are cheaper at some ratio, if the threshold is never the only cheapest."""
        ratios = self._ratios()
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
        """Whether the threshold gives the same counts as one of the cheapest."""
        return bool(self.scores.table.index(self.threshold) == self.cheapest.rows[index])

    @property
    def best_verdict(self) -> str:
        """Cheapest threshold at the ratio and prevalence, with its cost and that of the current one."""
        index, breaks = self.best, self.cheapest.ratios(self.share)
        best, now = (1000 * each for each in self._costs)
        ties = index + 1 < len(self.names) and bool(np.isclose(breaks[index + 1], self.ratio, rtol=1e-9, atol=0))
        also = f"; {_rule(self.names[index + 1])} costs the same" if ties else ""
        same = self.stands_at(index) or now - best <= 1e-9 * now
        current = "" if same else f" The current threshold costs {cost_text(now)}."
        return (
            f"At **{ratio_text(self.ratio)}** and a prevalence of {share_text(self.share)}, "
            f"**{_rule(self.names[index])}** is the cheapest: 1{THIN}000 cases cost as much as {alarms_text(best)}"
            f"{also}.{self._broken_limits}{current}"
        )

    @property
    def saving_verdict(self) -> str:
        """Saving of the cheapest threshold over the current one, as a sentence in Markdown."""
        best, now = self._costs
        if now - best <= 1e-12 * max(now, 1e-300):
            return "No other threshold costs less."
        name, saved = _rule(self.names[self.best].removeprefix(f"{self.scores.rule} ")), share_text(1 - best / now)
        return f"At these costs the cheapest threshold is **{name}**: it costs {saved} less.{self._broken_limits}"

    @property
    def _broken_limits(self) -> str:
        """Limits of the goal that the cheapest threshold breaks in the sample, after a blank; else empty."""
        if (goal := self.goal) is None:
            return ""
        counts = self.cheapest.counts[self.best]
        broken = [limit_texts(goal, one)[0] for one in goal.limits if not replace(goal, limits=(one,)).allowed(counts)]
        many = "limit" if len(broken) == 1 else "limits"
        return f" **It breaks your {many}** {' and '.join(broken)}." if broken else ""

    @property
    def _costs(self) -> tuple[float, float]:
        """Cost per case of the cheapest threshold and of the current one."""
        return self.cost_of(self.cheapest.counts[self.best]), self.cost_of(self.scores.counts_at(self.threshold))

    def _ratios(self, share: float | None = None) -> classification.RatioRange:
        return classification.ratios_of(self.scores.table, self.threshold, self.cheapest, share)

    def cost_of(self, counts: classification.ConfusionCounts) -> float:
        """Cost per case of some counts, in false alarms."""
        return float(classification.cost(classification.at_prevalence(counts, self.share), fn_cost=self.ratio))

    def _verdict(self, share: float | None) -> str:
        ratios = self._ratios(share)
        where = "" if share is None else f"At a prevalence of {share_text(share)}, "
        here = f"**{self.scores.rule} {self.scores.text(self.threshold)}**"
        if math.isnan(ratios.low):
            return f"{where}{here} is **never the cheapest**. {self._dominated_text(ratios)}"
        if ratios.low == ratios.high:
            return f"{where}{here} is the best choice {self._single_ratio_text(ratios)}."
        return f"{where}{here} is the best choice **{_condition(ratios.low, ratios.high)}**."

    def _dominated_text(self, ratios: classification.RatioRange) -> str:
        stricter, laxer = (_rule(self.names[index]) for index in (ratios.stricter, ratios.laxer))
        if ratios.stricter_below == math.inf:
            return f"{_start(stricter)} misses no more with fewer false alarms, so it always costs less."
        if ratios.laxer_above <= 0:
            return f"{_start(laxer)} misses fewer with no more false alarms, so it always costs less."
        below, above = alarms_text(ratios.stricter_below), alarms_text(ratios.laxer_above)
        other = "otherwise" if below == above else f"above {above},"
        return f"If a miss costs less than {below}, {stricter} is cheaper; {other} {laxer}."

    def _single_ratio_text(self, ratios: classification.RatioRange) -> str:
        stricter, laxer = (_rule(self.names[index]) for index in (ratios.stricter, ratios.laxer))
        if ratios.low in (0, math.inf):
            free, other = ("miss", laxer) if ratios.low == 0 else ("false alarm", stricter)
            return f"only if a {free} costs nothing; otherwise {other} is cheaper"
        return f"only if a miss costs exactly {alarms_text(ratios.low)}, and then it ties with {stricter} and {laxer}"


@dataclass(frozen=True, eq=False)
class AmountsInUse:
    """Cost of errors by the amounts of their rows, at the prevalence at which the threshold is used."""

    scores: Scores
    goal: classification.Goal  # by amounts
    share: float  # prevalence, above 0 and below 1

    @cached_property
    def chosen(self) -> ThresholdChoice | None:
        """The cheapest threshold within the limits of the goal; None where a class has no row with an amount."""
        prices = self.goal.priced
        assert prices is not None
        if prices.labels.all() or not prices.labels.any():
            return None
        there = classification.amount_goal(prices.at_prevalence(self.share), **dict(self.goal.parameters))
        return best_threshold(self.scores, there.within(*self.goal.limits))

    def cost(self, threshold: float) -> float:
        """Cost per case."""
        return math.nan if self.chosen is None else goal_value(self.scores, self.chosen.goal, threshold)

    def better_than(self, threshold: float) -> float | None:
        """The cheapest threshold, unless it costs no less than another."""
        best, now = self.chosen and self.chosen.choice, self.cost(threshold)
        return best.threshold if best is not None and now - best.value > 1e-12 * max(now, 1e-300) else None

    def saving_verdict(self, threshold: float) -> str:
        """Saving of the cheapest threshold over another, as a sentence in Markdown; empty where there is none."""
        if self.chosen is None or self.chosen.choice is None:
            return ""
        best, now = self.chosen.choice, self.cost(threshold)
        if self.better_than(threshold) is None:
            return f"No other threshold{' within the limits' if self.goal.limits else ''} costs less."
        name, saved = self.scores.text(best.threshold), share_text(1 - best.value / now)
        return f"By these amounts the cheapest threshold is **{name}**: it costs {saved} less."


def needs_one_cost(goal: classification.Goal) -> str:
    """Why what knows only one cost of a miss says nothing, in Markdown; empty unless each row has its own."""
    if goal.priced is None:
        return ""
    return (
        f"Your goal takes the cost of each miss from {plain(goal.priced.name, 40)}; this needs one cost for all rows. "
        "Under *Costs*, choose that a miss costs the same for all."
    )


@dataclass(frozen=True, eq=False)
class NetBenefit:
    """Decision curves of the scores, and what they say at one risk threshold."""

    scores: Scores
    ratio: float  # cost of a miss in false alarms
    # By way to decide: scores as risks where they can be, and the fixed threshold.
    curves: dict[str, classification.DecisionCurve]
    at_risk: dict[str, classification.DecisionCurve]  # the same at the risk threshold alone
    marks: list[tuple[str, float]]  # risks worth marking

    @property
    def risk(self) -> float:
        """Risk above which acting costs less than not acting, 1 / (1 + ratio)."""
        return 1 / (1 + self.ratio)

    @property
    def fixed(self) -> float:
        """Net benefit of the fixed threshold at the risk threshold."""
        return float([*self.at_risk.values()][-1].model[0])

    @property
    def verdict(self) -> str:
        """Risk threshold and net benefit of each strategy there, in Markdown."""
        treat_all = _benefit_text(float(next(iter(self.at_risk.values())).treat_all[0]))
        lines = "".join(f"- {name}: {_net_benefit_text(curve)}\n" for name, curve in self.at_risk.items())
        return (
            f"If a miss costs as much as {alarms_text(self.ratio)}, act when the risk is at least "
            f"**{share_text(self.risk)}** = 1 / (1 + {cost_text(self.ratio)}).\n\n"
            f"{lines}- treat all: {treat_all}; treat none: 0"
        )

    @property
    def note(self) -> str:
        """Reading guide to the curves, in Markdown."""
        reading = "These scores are not probabilities, so only the fixed threshold has a curve."
        if len(self.curves) > 1:
            reading = "The first line treats scores as probabilities; if they aren't calibrated, it is too low."
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
    """Net benefit of a threshold at a cost ratio and a prevalence, and of the scores as risks if they lie in 0 … 1."""
    at = None if share == scores.prevalence else share
    risk, are_risks = 1 / (1 + ratio), scores.are_risks
    end = min(_WIDEST, max(4 * share, 2 * risk, 1.2 * threshold if are_risks else 0, 0.2))
    ways: dict[str, float | None] = {"scores as risks": None} if are_risks else {}
    ways[f"fixed threshold {scores.rule} {scores.text(threshold)}"] = threshold
    curves, at_risk = (
        {name: classification.decision_curve(scores.scored, risks, cut, at) for name, cut in ways.items()}
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


def _net_benefit_text(curve: classification.DecisionCurve) -> str:
    avoided = 100 * float(curve.avoided[0])
    more = f", {number_text(avoided)} interventions avoided per 100, compared with treating all"
    if avoided < 0:
        more = f"; treating all is better by {number_text(-avoided)} interventions per 100"
    return f"net benefit **{_benefit_text(float(curve.model[0]))}**{'' if math.isnan(avoided) else more}"


def _benefit_text(value: float) -> str:
    return f"{UNDEFINED} (a class is absent, so its rate is unknown)" if math.isnan(value) else number_text(value)


_MEASURES = ("error_rate", "recall", "precision", "specificity", "negative_predictive_value")


@dataclass(frozen=True, eq=False)
class ReferralBand:
    """Three zones of scores beside one threshold that decides all cases."""

    scores: Scores
    threshold: float
    second: float  # on either side of the threshold; no case is referred where both are equal
    miss: float = 1  # cost of a miss, as below of a false alarm and of a referral
    alarm: float = 1
    referral: float = 0.1

    @cached_property
    def band(self) -> classification.Referral:
        """Counts decided and referred by both thresholds."""
        return classification.refer(self.scores.table, *sorted((self.threshold, self.second)))

    @cached_property
    def alone(self) -> classification.Referral:
        """Counts decided by the single threshold, which refers none."""
        return classification.refer(self.scores.table, self.threshold, self.threshold)

    @property
    def zones(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Heads and rows of the counts in the three zones."""
        band, decided = self.band, self.band.decided
        positive, negative = (one_line(name, 24) for name in (self.scores.positive, self.scores.negative))
        heads = ["", f"actual {positive}", f"actual {negative}", "rows", f"per 1{THIN}000"]
        left, right = (self.scores.text(float(edge)) for edge in (band.low, band.high))
        up, down = (f"≥ {right}", f"< {left}") if self.scores.higher else (f"≤ {left}", f"> {right}")
        total = float(decided.total + band.referred)
        called = f"predicted {positive}", up, decided.tp, decided.fp
        others = f"predicted {negative}", down, decided.fn, decided.tn
        rows = []
        for name, where, *counts in (called, ("referred", "between", band.positives, band.negatives), others):
            both = float(sum(counts))
            share = UNDEFINED if not total else number_text(1000 * both / total) if both else "0"
            texts = [count_text(float(count)) for count in counts]
            rows.append([Cell(name, aside=where), *texts, Cell(count_text(both), strong=True), share])
        return heads, rows

    @property
    def measures(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Heads and rows of the measures of decided rows, beside a single threshold that decides all."""
        decided, every = (share_text(float(referral.coverage)) for referral in (self.band, self.alone))
        rows: list[list[Cell | str]] = [["decided", Cell(decided, strong=True), every]]
        for measure in (METRICS[key] for key in _MEASURES):
            cells: list[Cell | str] = [Cell(measure.name.lower(), measure=measure.key)]
            for counts, strong in ((self.band.decided, True), (self.alone.decided, False)):
                value = float(measure(counts))
                title, kind = (measure.undefined_when, "undefined") if math.isnan(value) else ("", "")
                cells.append(Cell(value_text(measure, value), strong=strong and not kind, title=title, kind=kind))
            rows.append(cells)
        return ["", "decided rows", "one threshold"], rows

    @property
    def verdict(self) -> str:
        """Cost of a thousand cases with and without the band, and the break-even cost of a referral."""
        total, referred = float(self.alone.decided.total), float(self.band.referred)
        wrong, wrong_alone = self._errors(self.band), self._errors(self.alone)
        with_band = number_text(1000 * (wrong + self.referral * referred) / total if total else math.nan)
        without = number_text(1000 * self.cost_alone)
        if not referred:
            return f"1{THIN}000 cases cost **{without}**; no case is referred."
        pays = "This band removes no errors, so it never pays off."
        if wrong_alone > wrong:
            limit = number_text((wrong_alone - wrong) / referred)
            pays = f"The band pays off while a referral costs less than **{limit}**."
        at = self.scores.text(self.threshold)
        return f"1{THIN}000 cases cost **{with_band}** with the band and **{without}** at {at} alone. {pays}"

    @property
    def cost_alone(self) -> float:
        """Cost per case of the single threshold."""
        total = float(self.alone.decided.total)
        return self._errors(self.alone) / total if total else math.nan

    def curve(self, grid: classification.ThresholdTable | None = None) -> tuple[float, classification.Referral]:
        """Error among decided rows for bands that widen around the middle, on a grid of thresholds."""
        table, middle = self.scores.table, float(self.band.low) / 2 + float(self.band.high) / 2
        centre = middle if math.isfinite(middle) else self.threshold
        grid = grid or classification.threshold_grid(table)
        row = float(table.thresholds[table.index(centre)])
        thresholds = np.unique(np.append(grid.thresholds, row))[:: -1 if self.scores.higher else 1]
        if len(thresholds) != len(grid):
            grid = classification.ThresholdTable(thresholds, self.scores.scored.counts_at(thresholds))
        return centre, classification.nested_bands(grid, centre)

    def _errors(self, referral: classification.Referral) -> float:
        decided = referral.decided
        each = classification.cost(decided, fn_cost=self.miss, fp_cost=self.alarm) if decided.total else 0.0
        return float(each * decided.total)


def narrowest_band(
    scores: Scores, threshold: float, error: float | None = None, npv: float = 0.0, precision: float = 0.0
) -> tuple[classification.Referral | None, str]:
    """Narrowest referral band with at most some share of errors among decided rows, or else with both values reached.

    The threshold stays alone where it meets the share of errors by itself. All shares are in 0 … 1. None if no band
    meets them; and the verdict in Markdown.
    """
    try:
        if error is None:
            band = classification.band_of_values(scores.table, npv, precision)
        else:
            band = classification.refer(scores.table, threshold, threshold)
            band = band if float(band.error) <= error + 1e-12 else classification.band_of_error(scores.table, error)
    except classification.NoBand as problem:
        nearest = " ".join(_nearest_text(*one) for one in problem.nearest)
        return None, f"**No band meets this.** {nearest}"
    low, high = (f"**{scores.text(float(edge))}**" for edge in (band.low, band.high))
    verdict = f"Refer the {rows_text(float(band.referred))} from {low} to {high}, the fewest that meet this"
    if float(band.low) == float(band.high):
        verdict = f"One threshold meets this without referrals: {low}"
    decided = f"{share_text(float(band.coverage))} are decided, {share_text(float(band.error))} of them wrongly"
    return band, f"{verdict}; {decided}."


def _nearest_text(name: str, nearest: float) -> str:
    if name == "order":
        return "Each target can be met alone, but their thresholds overlap."
    end = "least" if name == "error" else "most"
    name = {"PPV": "Precision", "error": "The error rate"}.get(name, name)
    reached = f"is {UNDEFINED} at every threshold" if math.isnan(nearest) else f"reaches {share_text(nearest)} at {end}"
    return f"{name} {reached}."
