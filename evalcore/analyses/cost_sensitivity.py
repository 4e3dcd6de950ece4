"""For which costs is the threshold the best choice, and which threshold is the best for given costs?"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.scores import Scores
from evalcore.classification import CheapestThresholds, ConfusionCounts, RatioRange, at_prevalence, cost, ratios_of
from evalcore.wording.numbers import THIN, alarms_text, cost_text, ratio_text, share_text

__all__ = ["CostSensitivity"]

_NOTHING, _EVERYTHING = "nothing", "everything"


@dataclass(frozen=True, eq=False)
class CostSensitivity:
    """A threshold among those that are the cheapest for some cost ratio.

    Parameters
    ----------
    scores : Scores
    threshold : float
    cheapest : CheapestThresholds
        Of the scores.
    ratio : float
        Cost of a miss in false alarms, above 0.
    share : float
        Prevalence at which the threshold is used, above 0 and below 1.

    Examples
    --------
    >>> from evalcore.analyses import Source
    >>> from evalcore.classification import cheapest_thresholds
    >>> from evalcore.readers import read_sample
    >>> scores = Scores.of(Source.of(read_sample("roc_20")), "score")
    >>> CostSensitivity(scores, 0.54, cheapest_thresholds(scores.table), ratio=1, share=0.5).verdict
    '**≥ 0.54** is the best choice **if a miss costs between 0.333 and 1.33 false alarms**.'
    """

    scores: Scores
    threshold: float
    cheapest: CheapestThresholds
    ratio: float
    share: float

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
        return [place for place, is_worth in worth if place >= 0 and is_worth and not self.stands_at(place)]

    @property
    def best(self) -> int:
        """Place of the cheapest threshold at the ratio and the prevalence."""
        return int(self.cheapest.place(self.ratio, self.share))

    def stands_at(self, place: int) -> bool:
        """Whether the threshold gives the counts of one of the cheapest."""
        return bool(self.scores.table.index(self.threshold) == self.cheapest.rows[place])

    @property
    def best_verdict(self) -> str:
        """The cheapest threshold at the ratio and the prevalence, what it costs, and what the current one costs."""
        place = self.best
        best, now = 1000 * self._cost(self.cheapest.counts[place]), 1000 * self._cost(self._counts)
        breaks = self.cheapest.ratios(self.share)
        ties = place + 1 < len(self.names) and bool(np.isclose(breaks[place + 1], self.ratio, rtol=1e-9, atol=0))
        also = f"; {_rule(self.names[place + 1])} costs the same" if ties else ""
        verdict = (
            f"At **{ratio_text(self.ratio)}** and a prevalence of {share_text(self.share)}, "
            f"**{_rule(self.names[place])}** is the cheapest: 1{THIN}000 cases cost as much as {alarms_text(best)}"
            f"{also}."
        )
        same = self.stands_at(place) or now - best <= 1e-9 * now
        return verdict if same else f"{verdict} The current threshold costs {cost_text(now)}."

    @property
    def saving_verdict(self) -> str:
        """How much less the cheapest threshold costs than the current one, in a sentence of Markdown."""
        best, now = self._cost(self.cheapest.counts[self.best]), self._cost(self._counts)
        if now - best <= 1e-12 * max(now, 1e-300):
            return "No other threshold costs less."
        name = _rule(self.names[self.best])
        return f"At these costs the cheapest threshold is **{name}**: it costs {share_text(1 - best / now)} less."

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
        stricter, laxer = (_rule(self.names[place]) for place in (ratios.stricter, ratios.laxer))
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
        ends = " and ".join(_rule(self.names[place]) for place in (ratios.stricter, ratios.laxer))
        return f"only if a miss costs exactly {alarms_text(ratios.low)}, and then it ties with {ends}"


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
