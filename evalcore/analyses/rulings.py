"""Rule in, rule out: which of the two results of a test can be trusted, and what is missing where one cannot."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.analyses.scores import Scores
from evalcore.classification import (
    ConfusionCounts,
    Limit,
    NoThreshold,
    at_prevalence,
    best,
    region_over_pr,
    region_over_roc,
)
from evalcore.inference import Interval, IntervalChoice, predictive_value_at
from evalcore.numeric import Array, ratio
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import THIN, level_text, measure_word, share_text, threshold_text

__all__ = ["Requirement", "Ruling", "rulings"]

REQUIRED, REQUIRED_OF_FEW = 0.9, 0.99
"""What a predictive value must reach where nothing else is asked for; and where it would reach that without a test."""

_RULES = {
    ("out", "NPV"): "negative_predictive_value", ("out", "sensitivity"): "recall",
    ("in", "PPV"): "precision", ("in", "specificity"): "specificity",
}  # fmt: skip
_PREDICTIVE = {"out": "NPV", "in": "PPV"}
_NOTHING = Interval(math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Requirement:
    """A value, 0 … 1, that a test must reach: sensitivity or NPV to rule "out", specificity or PPV to rule "in"."""

    side: str
    name: str
    least: float
    lowest: float | None = None  # what the lower bound of its interval must reach; None for the same

    @property
    def measure(self) -> MetricDef:
        """The measure that must reach the value."""
        return METRICS[_RULES[self.side, self.name]]

    @property
    def is_predictive(self) -> bool:
        """Whether it asks for a predictive value."""
        return self.name == _PREDICTIVE[self.side]

    @property
    def words(self) -> str:
        """The requirement in words: "rule in: PPV ≥ 0.9"."""
        return f"rule {self.side}: {self.name} ≥ {threshold_text(self.least)}"

    def region(self, own: float, share: float | None = None, over_roc: bool = True) -> tuple[Array, Array]:
        """Edge of the part of the ROC (or precision–recall) plane where it holds, of a sample with a prevalence."""
        share = own if share is None else share
        if over_roc:
            return region_over_roc(self.measure.key, self.least, share)
        return region_over_pr(self.measure.key, self.least, own, share)

    def best_threshold(self, scores: Scores, share: float | None = None) -> tuple[float | None, str]:
        """The threshold that meets it and keeps the most, with a sentence in Markdown; None where none meets it.

        >>> from evalcore.analyses import Source
        >>> from evalcore.readers.samples import read_sample
        >>> scores = Scores.of(Source.of(read_sample("roc_20")), "score")
        >>> threshold, sentence = Requirement("in", "PPV", 0.8).best_threshold(scores)
        >>> threshold, sentence.replace(chr(0x202f), " ").split(". ")[0]
        (0.54, '**Rule in: PPV ≥ 0.8** holds in this sample at 0.54 with recall 50.0 %')
        """
        measure, retained = self.measure, METRICS["recall" if self.side == "in" else "specificity"]
        there = measure if share is None else lambda counts: measure(at_prevalence(counts, share))
        title = f"**{self.words[0].upper()}{self.words[1:]}**"
        try:
            choice = best(scores.table, retained, limits=[Limit(there, at_least=self.least)])
        except NoThreshold:
            return None, f"{title}: no threshold reaches it."
        with_rate = f"with {measure_word(retained)} {share_text(choice.value)}"
        ruling = Ruling.of(self.side, scores.counts_at(choice.threshold), [self], share)
        at = f"{title} holds in this sample at {scores.text(choice.threshold)} {with_rate}"
        return choice.threshold, f"{at}. {ruling.sentence}"


@dataclass(frozen=True, eq=False)
class Ruling:
    """Whether a test rules "out" or "in" at a prevalence, by what its result is worth and by what the rows can tell."""

    side: str
    # What is required with the interval of its value, the predictive value first.
    parts: Sequence[tuple[Requirement, Interval]]
    # How often the same answer would be right without a test.
    without: float

    @classmethod
    def of(
        cls,
        side: str,
        counts: ConfusionCounts,
        requirements: Sequence[Requirement] = (),
        share: float | None = None,
        intervals: IntervalChoice | None = None,
    ) -> "Ruling":
        """Of counts of shape (), where a share (0 … 1) is positive, by default that of the counts.

        Where no predictive value is required, one of 90 % is, by its whole interval; where 90 % are right without a
        test, one of 99 %, beyond chance above that share.

        >>> cancer = ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)
        >>> [Ruling.of(side, cancer).status for side in ("out", "in")]
        ['holds', 'value']
        >>> Ruling.of("out", ConfusionCounts(tp=1, fp=0, fn=0, tn=9)).status
        'rows'
        """
        intervals, chosen = intervals or IntervalChoice(), [one for one in requirements if one.side == side]
        same = counts.actual_positives if side == "in" else counts.actual_negatives
        # One division, so that equal shares are equal numbers.
        without = float(ratio(same, counts.total)) if share is None else share if side == "in" else 1 - share
        if not any(one.is_predictive for one in chosen):
            least = REQUIRED_OF_FEW if without >= REQUIRED else REQUIRED
            chosen.append(Requirement(side, _PREDICTIVE[side], least, REQUIRED))

        def interval_of(key: str) -> Interval:
            result = intervals.of(METRICS[key], counts)
            return _NOTHING if result is None else result[0]

        parts = []
        for one in sorted(chosen, key=lambda one: not one.is_predictive):
            if one.is_predictive and share is not None:
                right, wrong = ("recall", "fall_out") if side == "in" else ("specificity", "miss_rate")
                parts.append((one, predictive_value_at(without, interval_of(right), interval_of(wrong))))
            else:
                parts.append((one, interval_of(one.measure.key)))
        return cls(side, parts, without)

    @property
    def value(self) -> Interval:
        """The predictive value."""
        return self.parts[0][1]

    @property
    def status(self) -> str:
        """What decides: it "holds", a "value" or "rows" are missing, or such a result "never" occurs."""
        if math.isnan(self.value.estimate):
            return "never"
        if self._short_of is not None or not self.value.estimate > self.without:
            return "value"
        return "holds" if self._doubtful is None and self.beats_guessing else "rows"

    @property
    def beats_guessing(self) -> bool:
        """Whether even the lower bound of the predictive value is more than the answer is worth without a test."""
        return float(self.value.low) > self.without

    @property
    def sentence(self) -> str:
        """The answer with what decides it; plain text.

        >>> Ruling.of("in", ConfusionCounts(tp=20, fp=180, fn=10, tn=1820)).sentence.replace(chr(0x202f), " ")
        'Does not rule in: PPV 10.0 % (6.6 – 14.9), required 90 %.'
        """
        return f"{self.clause[0].upper()}{self.clause[1:]}."

    @property
    def clause(self) -> str:
        """The same as part of a sentence."""
        status, part = self.status, self._short_of or self._doubtful or self.parts[0]
        if status == "never":
            return f"does not rule {self.side}: such a result never occurs"
        required, guessed = _percent(part[0].least), share_text(self.without)
        if status == "holds":
            return f"rules {self.side}: {_text(*part)}, required {required}"
        if status == "rows":
            # A value may be high enough only because nearly all rows are of the class that the result names.
            beyond = f"above {guessed}, the share without a test"
            if self._doubtful is not None:
                beyond = f"at least {_percent(_lowest(part[0]))}"
            return f"too few rows to rule {self.side}: {_text(*part)}, and the whole interval must be {beyond}"
        if self._short_of is None:
            return f"does not rule {self.side}: {_text(*part)}, no more than the {guessed} without a test"
        return f"does not rule {self.side}: {_text(*part)}, required {required}"

    @property
    def _short_of(self) -> tuple[Requirement, Interval] | None:
        """The first requirement that the value itself misses."""
        return next((part for part in self.parts if not float(part[1].estimate) >= part[0].least), None)

    @property
    def _doubtful(self) -> tuple[Requirement, Interval] | None:
        """The first requirement that the lower bound misses."""
        return next((part for part in self.parts if not float(part[1].low) >= _lowest(part[0])), None)


def rulings(
    counts: ConfusionCounts,
    requirements: Sequence[Requirement] = (),
    share: float | None = None,
    intervals: IntervalChoice | None = None,
) -> tuple[Ruling, Ruling]:
    """Whether a test rules out, and whether it rules in; parameters as `Ruling.of`."""
    out, into = (Ruling.of(side, counts, requirements, share, intervals) for side in ("out", "in"))
    return out, into


def required_by(limits: Sequence[Limit]) -> list[Requirement]:
    """What some limits of a goal require to rule in or out, of those that do.

    >>> from evalcore.classification import rule_out_goal
    >>> [one.words for one in required_by(rule_out_goal(npv=0.95).limits)]
    ['rule out: NPV ≥ 0.95']
    """
    by_measure = {key: rule for rule, key in _RULES.items()}
    least = [(getattr(limit.measure, "key", ""), limit.at_least) for limit in limits]
    return [Requirement(*by_measure[key], value) for key, value in least if key in by_measure and value is not None]


def _lowest(requirement: Requirement) -> float:
    return requirement.least if requirement.lowest is None else requirement.lowest


def _percent(share: float) -> str:
    return level_text(share)


def _text(requirement: Requirement, interval: Interval) -> str:
    """A value with its interval: "PPV 10.0 % (6.6 – 14.9)"."""
    value, low, high = (share_text(float(end)) for end in (interval.estimate, interval.low, interval.high))
    if math.isnan(float(interval.low)):
        return f"{requirement.name} {value} (no interval)"
    return f"{requirement.name} {value} ({low.removesuffix(f'{THIN}%')} – {high.removesuffix(f'{THIN}%')})"
