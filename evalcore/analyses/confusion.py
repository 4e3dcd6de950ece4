"""Confusion matrix of two classes: whether it is a good test, and what it will bring in another population."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from evalcore.analyses.data import CELLS, NamedCounts, Scores, has_name, script
from evalcore.analyses.data.measure_table import group_lines, interval_text, measure_line, written_formula
from evalcore.classification import ConfusionCounts, accuracy, negative_predictive_value, precision, prevalence
from evalcore.classification.binary.axis import region_over_pr, region_over_roc
from evalcore.classification.binary.choice import Limit, NoThreshold, best
from evalcore.classification.binary.counts import among, at_prevalence, with_margin
from evalcore.classification.binary.indices import cost, positive_likelihood_ratio
from evalcore.inference import Forecast, Interval, IntervalChoice, predictive_value_at
from evalcore.numeric import Array, ratio
from evalcore.registry import METRICS, MetricDef, measures_of
from evalcore.wording import UNDEFINED, Cell, Row, as_noun, cost_text, measure_word, plain
from evalcore.wording.numbers import count_text, level_text, number_text, range_text, share_text, threshold_text

__all__ = ["WORKING_HOURS", "Confusion", "PeriodForecast", "Population", "Requirement", "Ruling", "analyse_confusion"]
__all__ += ["cells_after_typing", "is_count", "population_of", "rulings", "what_if"]

# Predictive value required by default; and where a share as high is right without a test.
REQUIRED, REQUIRED_OF_FEW = 0.9, 0.99
_RULES = {
    ("out", "NPV"): "negative_predictive_value", ("out", "sensitivity"): "recall",
    ("in", "PPV"): "precision", ("in", "specificity"): "specificity",
}  # fmt: skip

_PREDICTIVE = {"out": "NPV", "in": "PPV"}
_NOTHING = Interval(math.nan, math.nan, math.nan)
_FEWEST, _MOST = 1000, 10**9
"""Cases in the natural frequencies, and how many they become at most so that each class has one."""
WORKING_HOURS = {"day": 8, "week": 40, "month": 160}  # hours that one person works in a period
_OUTCOMES = {"alarms": "alarms", "tp": "found", "fp": "false alarms", "fn": "missed", "tn": "dismissed"}
_WORTH = {"Precision": METRICS["precision"], "NPV": METRICS["negative_predictive_value"]}


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
        """Whether it requires a predictive value."""
        return self.name == _PREDICTIVE[self.side]

    @property
    def lower_least(self) -> float:
        """Value that the lower bound of its interval must reach."""
        return self.least if self.lowest is None else self.lowest

    @property
    def words(self) -> str:
        """The requirement in words: "rule in: PPV ≥ 0.9"."""
        return f"rule {self.side}: {self.name} ≥ {threshold_text(self.least)}"

    def region(self, own: float, share: float | None = None, over_roc: bool = True) -> tuple[Array, Array]:
        """Boundary of the region of the ROC (or precision–recall) plane that meets it, at a prevalence."""
        share = own if share is None else share
        key, least = self.measure.key, self.least
        return region_over_roc(key, least, share) if over_roc else region_over_pr(key, least, own, share)

    def best_threshold(self, scores: Scores, share: float | None = None) -> tuple[float | None, str]:
        """Threshold that meets it and rules out or in the most cases, or None, and a sentence in Markdown."""
        measure, retained = self.measure, METRICS["recall" if self.side == "in" else "specificity"]
        there = measure if share is None else lambda counts: measure(at_prevalence(counts, share))
        title = f"**{self.words[0].upper()}{self.words[1:]}**"
        try:
            choice = best(scores.table, retained, limits=[Limit(there, at_least=self.least)])
        except NoThreshold:
            return None, f"{title}: no threshold reaches it."
        ruling = Ruling.of(self.side, scores.counts_at(choice.threshold), [self], share)
        at = f"{scores.text(choice.threshold)} with {measure_word(retained)} {share_text(choice.value)}"
        return choice.threshold, f"{title} holds in this sample at {at}. {ruling.sentence}"


@dataclass(frozen=True, eq=False)
class Ruling:
    """Judgement whether a test rules a condition "out" or "in" at a prevalence, by its predictive value."""

    side: str
    parts: Sequence[tuple[Requirement, Interval]]  # with the intervals of their values, the predictive value first
    without: float  # how often the same answer would be right without a test

    @classmethod
    def of(
        cls, side: str, counts: ConfusionCounts, requirements: Sequence[Requirement] = (),
        share: float | None = None, intervals: IntervalChoice | None = None,
    ) -> "Ruling":  # fmt: skip
        """Judge whether a test rules in or out, from counts of shape () at a prevalence, by default that of the counts.

        Where no predictive value is required, one of 90 % is, by its whole interval; where 90 % are right without a
        test, one of 99 %, beyond chance above that share.
        """
        choice, chosen = intervals or IntervalChoice(), [one for one in requirements if one.side == side]
        same = counts.actual_positives if side == "in" else counts.actual_negatives
        # One division, so that equal shares are equal numbers.
        without = float(ratio(same, counts.total)) if share is None else share if side == "in" else 1 - share
        if not any(one.is_predictive for one in chosen):
            least = REQUIRED_OF_FEW if without >= REQUIRED else REQUIRED
            chosen.append(Requirement(side, _PREDICTIVE[side], least, REQUIRED))

        def interval_of(key: str) -> Interval:
            return (choice.of(METRICS[key], counts) or (_NOTHING, 0))[0]

        parts = [(one, interval_of(one.measure.key)) for one in sorted(chosen, key=lambda one: not one.is_predictive)]
        if share is not None:
            rates = ("recall", "fall_out") if side == "in" else ("specificity", "miss_rate")
            moved = predictive_value_at(without, *map(interval_of, rates))
            parts = [(one, moved if one.is_predictive else interval) for one, interval in parts]
        return cls(side, parts, without)

    @property
    def value(self) -> Interval:
        """The predictive value."""
        return self.parts[0][1]

    @property
    def status(self) -> str:
        """Outcome of the judgement: it "holds", "value" or "rows" do not suffice, or the result "never" occurs."""
        if math.isnan(self.value.estimate):
            return "never"
        if self._short_of is not None or not self.value.estimate > self.without:
            return "value"
        return "holds" if self._doubtful is None and self.beats_guessing else "rows"

    @property
    def beats_guessing(self) -> bool:
        """Whether the lower bound of the predictive value exceeds the share of the class without a test."""
        return float(self.value.low) > self.without

    @property
    def sentence(self) -> str:
        """Judgement with its deciding number, as plain text."""
        return f"It {self.clause}."

    @property
    def clause(self) -> str:
        """The verdict as a clause without its subject, which is the test."""
        status, part = self.status, self._short_of or self._doubtful or self.parts[0]
        required, guessed = level_text(part[0].least), share_text(self.without)
        match status:
            case "never":
                return f"can't rule {self.side}: such a result never occurs"
            case "holds":
                return f"rules {self.side}: {_text(*part)}, and {required} is needed"
            case "rows":
                # A value may be high enough only because nearly all rows are of the class that the result names.
                beyond = f"above {guessed}, the share without a test"
                if self._doubtful is not None:
                    beyond = f"at least {level_text(part[0].lower_least)}"
                return f"has too few rows to rule {self.side}: {_text(*part)}, and its whole interval must be {beyond}"
        reason = f"no more than the {guessed} without a test"
        reason = reason if self._short_of is None else f"and {required} is needed"
        return f"can't rule {self.side}: {_text(*part)}, {reason}"

    @property
    def _short_of(self) -> tuple[Requirement, Interval] | None:
        """The first requirement that the value itself misses."""
        return next((part for part in self.parts if not float(part[1].estimate) >= part[0].least), None)

    @property
    def _doubtful(self) -> tuple[Requirement, Interval] | None:
        """The first requirement that the lower bound misses."""
        return next((part for part in self.parts if not float(part[1].low) >= part[0].lower_least), None)


def rulings(
    counts: ConfusionCounts, requirements: Sequence[Requirement] = (),
    share: float | None = None, intervals: IntervalChoice | None = None,
) -> tuple[Ruling, Ruling]:  # fmt: skip
    """Judge ruling out and ruling in by one test; parameters as in `Ruling.of`."""
    out, into = (Ruling.of(side, counts, requirements, share, intervals) for side in ("out", "in"))
    return out, into


def requirements_in(limits: Sequence[Limit]) -> list[Requirement]:
    """Requirements for ruling in or out among the limits of a goal."""
    by_measure = {key: rule for rule, key in _RULES.items()}
    least = [(getattr(limit.measure, "key", ""), limit.at_least) for limit in limits]
    return [Requirement(*by_measure[key], value) for key, value in least if key in by_measure and value is not None]


def _text(requirement: Requirement, interval: Interval) -> str:
    """A value with its interval: "PPV is 10.0 % (6.6–14.9 %)"."""
    low, high = (share_text(float(end)) for end in (interval.low, interval.high))
    bounds = "no interval" if math.isnan(float(interval.low)) else range_text(low, high)
    return f"{requirement.name} is {share_text(float(interval.estimate))} ({bounds})"


# The verdict by the status of ruling out and of ruling in.
_HEADLINES = {
    ("holds", "holds"): "Good for ruling out ({npv} right) and for ruling in ({ppv}).",
    ("holds", "value"): "Good for ruling out ({npv} right), not for ruling in ({ppv}).",
    ("value", "holds"): "Good for ruling in ({ppv} right), not for ruling out ({npv}).",
    ("holds", "rows"): "Good for ruling out ({npv} right); too few rows for ruling in.",
    ("rows", "holds"): "Good for ruling in ({ppv} right); too few rows for ruling out.",
    ("rows", "rows"): "Too few rows to rule in or out.",
    ("rows", "value"): "Not for ruling in ({ppv} right); too few rows for ruling out.",
    ("value", "rows"): "Not for ruling out ({npv} right); too few rows for ruling in.",
    ("value", "value"): "Informative, but can't rule in or out: {ppv} of positive results are right.",
}


@dataclass(frozen=True, eq=False)
class Confusion:
    """Measures, intervals and verdict from four counts; `params` are parameters such as beta, costs and risk."""

    named: NamedCounts
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)
    params: dict[str, float] = field(default_factory=dict)
    share: float | None = None  # prevalence, 0 … 1, that the verdict is made for; None for that of the counts
    requirements: Sequence[Requirement] = ()

    @property
    def counts(self) -> ConfusionCounts:
        """The four counts."""
        return self.named.counts

    @cached_property
    def measures(self) -> list[MetricDef]:
        """Every measure of counts with its parameters set, in the order of their groups."""
        return measures_of("counts", **self.params)

    def rows(self, search: str = "") -> list[Row]:
        """The measures that go by a name, as lines of a table."""
        found, counts = [measure for measure in self.measures if has_name(measure, search)], self.counts
        lines = [measure_line(m, float(m(counts)), *interval_text(m, counts, self.intervals)) for m in found]
        return group_lines(found, lines)

    @property
    def table(self) -> dict[str, list]:
        """The measures with their intervals as columns, unrounded."""
        intervals = [self.intervals.of(measure, self.counts) or (_NOTHING, math.nan) for measure in self.measures]
        return {
            "measure": [measure.name for measure in self.measures],
            "symbol": [measure.label for measure in self.measures],
            "value": [float(measure(self.counts)) for measure in self.measures],
            **{end: [float(getattr(interval, end)) for interval, _ in intervals] for end in ("low", "high")},
            "n": [n for _, n in intervals],
        }

    @property
    def formulas(self) -> str:
        """Formulas with their numbers, in Markdown."""
        return "\n\n".join(written_formula(measure, self.counts) for measure in self.measures)

    @property
    def code(self) -> str:
        """Python that prints every measure of the counts with the same parameters."""
        numbers = {key: float(getattr(self.counts, key)) for key in CELLS}
        cells = ", ".join(f"{key}={f'{n:.0f}' if n.is_integer() else repr(n)}" for key, n in numbers.items())
        return script(
            f"counts = ConfusionCounts({cells})",
            f'for measure in measures_of("counts", **{self.params!r}):',
            "    print(measure.label, float(measure(counts)))",
        )

    @property
    def verdict(self) -> str:
        """A headline, which says of a what-if that it is one, and its reasons, in Markdown."""
        headline = self.headline
        if self.named.is_what_if:
            headline = f"What if: {headline[0].lower()}{headline[1:]}"
        return f"**{headline}**  \n{self.reasons}"

    @cached_property
    def there(self) -> ConfusionCounts:
        """Expected counts at the assumed prevalence."""
        one_class = not self.counts.actual_positives or not self.counts.actual_negatives
        return self.counts if self.share is None or one_class else at_prevalence(self.counts, self.share)

    @cached_property
    def rulings(self) -> tuple[Ruling, Ruling]:
        """Judgements on ruling out by a negative and ruling in by a positive result."""
        return rulings(self.counts, self.requirements, self.share, self.intervals)

    @property
    def predictive_texts(self) -> list[str]:
        """Predictive values with their intervals, as texts: "NPV is 93.2 % (90.2–95.3 %)"."""
        return [_text(*ruling.parts[0]) for ruling in self.rulings if not math.isnan(float(ruling.value.estimate))]

    @property
    def note(self) -> str:
        """Note on the parts of a page that do not use the assumed prevalence; empty without one."""
        if self.there is self.counts:
            return ""
        own, share = (share_text(float(prevalence(counts))) for counts in (self.counts, self.there))
        follow = f"the finding and the picture of {self.named.unit} follow"
        return f"Prevalence {share} instead of {own}: {follow}; matrix, measures and formulas stay."

    @property
    def headline(self) -> str:
        """Headline of the verdict: does a result rule out or rule in?"""
        counts = self.counts
        if not counts.actual_positives or not counts.actual_negatives:
            return "These data cannot tell." if counts.total else "Nothing to judge yet."
        if not counts.predicted_positives or not counts.predicted_negatives:
            return "It always gives the same answer, so it tells you nothing."
        if (up := float(positive_likelihood_ratio(counts))) <= 1:
            return "Worse than guessing: the opposite answer would be better." if up < 1 else "No better than guessing."
        out, into = self.rulings
        npv, ppv = (share_text(float(ruling.value.estimate)) for ruling in (out, into))
        if not (out.beats_guessing or into.beats_guessing):
            return "Not shown to be better than guessing: too few rows."
        return _HEADLINES[out.status, into.status].format(npv=npv, ppv=ppv)

    @property
    def reasons(self) -> str:
        """Predictive values of both results, and accuracy beside always predicting the larger class; in Markdown."""
        counts, named = self.counts, self.named
        if not counts.total:
            return "All four counts are 0."
        if not counts.actual_positives or not counts.actual_negatives:
            only = plain(named.positive if counts.actual_positives else named.negative)
            return (
                f"The true label of every row is “{only}”: there is no other class to tell it from. The prediction is "
                f"right in {share_text(float(accuracy(counts)))} of the rows."
            )
        moved = "" if self.share is None else f" ({share_text(float(prevalence(counts)))} in the data)"
        before = f"Before the test, {share_text(float(prevalence(self.there)))}{moved} are {as_noun(named.positive)}."
        both = all(ruling.status != "never" for ruling in self.rulings)
        # What is good for ruling in or out by the usual requirement is told already.
        told = {one.side for one in self.rulings if one.status == "holds"} - {one.side for one in self.requirements}
        rules = [ruling.sentence for ruling in self.rulings if both and ruling.side not in told]
        ppv, npv = float(precision(self.there)), float(negative_predictive_value(self.there))
        positive, negative = (f"“{plain(name)}”" for name in (named.positive, named.negative))
        yes, no = f"{'only ' if ppv < 0.5 else ''}{share_text(ppv)}", share_text(npv)
        answers = f"The result {negative} is right {no} of the time; {positive} {yes}."
        if not both:
            answer, right = (negative, no) if math.isnan(ppv) else (positive, yes)
            answers = f"The result {answer} is right {right} of the time; the other never occurs."
        return " ".join([answers, *rules, before, self._accuracy])

    @property
    def _accuracy(self) -> str:
        counts = self.there
        larger = np.maximum(counts.actual_positives, counts.actual_negatives)
        # One division each, so that equal shares are equal numbers.
        right, majority = float(accuracy(counts)), float(ratio(larger, counts.total))
        name = self.named.positive if counts.actual_positives > counts.actual_negatives else self.named.negative
        always = f"always answering “{plain(name)}” would reach {share_text(majority)}"
        if right > majority:
            return f"Accuracy is {share_text(right)}; {always}."
        verdict = f"misleads: {always}" if right < majority else f"says nothing: {always} too"
        return f"Accuracy ({share_text(right)}) {verdict}."


def analyse_confusion(
    counts: ConfusionCounts | NamedCounts, intervals: IntervalChoice | None = None,
    share: float | None = None, requirements: Sequence[Requirement] = (), **params: float,
) -> Confusion:  # fmt: skip
    """Evaluate a 2×2 table: measures with intervals, formulas and a verdict.

    Counts are of shape (); intervals are Wilson's at 95 % by default; `params` are such as ``beta=2``. The verdict is
    made for a prevalence (`share`, 0 … 1), by default that of the counts; all else is of the counts as they are.
    """
    named = counts if isinstance(counts, NamedCounts) else NamedCounts(counts)
    return Confusion(named, intervals or IntervalChoice(), params, share, requirements)


def cells_after_typing(counts: ConfusionCounts, typed: object) -> tuple[float, ...]:
    """Four counts after one cell or margin is changed; empty if the input is invalid.

    What was typed comes from a browser, so it may be anything; it should be a dict with "cell" (a key of `CELLS` or a
    margin of `with_margin`) and "value".

    >>> cells_after_typing(ConfusionCounts(1, 2, 3, 4), {"cell": "fp", "value": "7"})
    (1.0, 7.0, 3.0, 4.0)
    """
    try:
        value, cell = float(typed["value"]), typed["cell"]  # type: ignore[index]
        changed = replace(counts, **{cell: value}) if cell in CELLS else with_margin(counts, cell, value)
    except (KeyError, TypeError, ValueError):
        return ()
    return tuple(float(getattr(changed, key)) for key in CELLS)


def what_if(named: NamedCounts, counts: ConfusionCounts) -> NamedCounts:
    """Other counts in place of those of the data, with the numbers of both classes that they change or keep."""
    told = []
    for name, margin in ((named.positive, "actual_positives"), (named.negative, "actual_negatives")):
        own, now = (float(getattr(one, margin)) for one in (named.counts, counts))
        before = "as in the data" if now == own else f"data: {count_text(own)}"
        told.append(f"{count_text(now)}{'' if told else f' {named.unit}'} of “{plain(name, 30)}” ({before})")
    origin = f":orange-badge[What if] {', '.join(told)}."
    return replace(named, counts=counts, typed=True, is_what_if=True, pairs=None, origin=origin)


def is_count(value: float) -> bool:
    """Whether a number is a valid count: 0, or of a size whose products neither overflow nor vanish."""
    return value == 0 or 1e-9 <= value <= 1e15


@dataclass(frozen=True)
class Population:
    """Counts of a test at another prevalence (`share`, 0 … 1); `own` is the prevalence of the sample."""

    named: NamedCounts
    share: float
    own: float

    @property
    def counts(self) -> ConfusionCounts:
        """Expected counts at the prevalence."""
        return at_prevalence(self.named.counts, self.share)

    @property
    def size(self) -> int:
        """Number of cases drawn: 1,000, multiplied by ten until each class has a case."""
        rarer, size = min(self.share, 1 - self.share), _FEWEST
        while 0 < rarer * size < 1 and size < _MOST:
            size *= 10
        return size

    @property
    def people(self) -> ConfusionCounts:
        """Outcomes of `size` cases, in whole numbers."""
        return among(self.counts, self.size)

    @property
    def heading(self) -> str:
        """Number and noun of the cases; people only if the rows are people. Escape it."""
        return f"Of {count_text(self.size)} {self.named.unit}"

    @property
    def verdict(self) -> str:
        """Hits and false alarms among the cases, as a sentence in Markdown."""
        people = self.people
        hits, positives, false = map(float, (people.tp, people.actual_positives, people.fp))
        positive, negative = (as_noun(name, 30) for name in (self.named.positive, self.named.negative))
        return (
            f"{count_text(positives)} {'is' if positives == 1 else 'are'} {positive}; the test finds "
            f"{count_text(hits)} of them and raises a false alarm for {count_text(false)} that "
            f"{'is' if false == 1 else 'are'} {negative}"
        )

    @property
    def moved(self) -> float | None:
        """The assumed prevalence if it differs from that of the sample, else None."""
        return None if self.share == self.own else self.share

    @property
    def note(self) -> str:
        """Note on the quantities that do not change with the prevalence, and on the meaning of a dot."""
        each = f" A dot stands for up to {count_text(self.size / _FEWEST)}." if self.size > _FEWEST else ""
        return f"Recall and specificity stay the same; precision and NPV change with prevalence.{each}"

    @property
    def description(self) -> str:
        """Text alternative of the figure."""
        counts = ", ".join(f"{getattr(self.people, cell):.0f} {CELLS[cell]}" for cell in ("tp", "fn", "fp", "tn"))
        return f"{self.heading}: {counts}."

    @property
    def table(self) -> dict[str, str]:
        """Predictive values of both results as text."""
        ppv, npv = float(precision(self.counts)), float(negative_predictive_value(self.counts))
        alarms = UNDEFINED if math.isnan(ppv) else number_text(1 / ppv if ppv else math.inf)
        return {"precision": share_text(ppv), "NPV": share_text(npv), "alarms per hit": alarms}


def population_of(named: NamedCounts, share: float | None = None) -> Population | None:
    """Counts of a test at a prevalence, by default that of the sample; None if a class has no rows."""
    own, both = float(prevalence(named.counts)), named.counts.actual_positives and named.counts.actual_negatives
    return Population(named, own if share is None else share, own) if both else None


@dataclass(frozen=True, eq=False)
class PeriodForecast:
    """The counts, the work and the costs of a coming period at a threshold."""

    named: NamedCounts  # the counts at the threshold in the sample
    coming: Forecast  # of the same counts
    period: str = "day"  # "day", "week" or "month"
    minutes: float = 5  # work per alarm
    miss: float = 1  # cost of a miss
    alarm: float = 1  # cost of a false alarm
    per_case: float | None = None  # cost per case where the rows say what an error costs

    @property
    def table(self) -> tuple[list[str], list[list[Cell | str]]]:
        """Heads and rows of the expected counts with their ranges, by outcome."""
        ranges, rows = (self.coming.by_chance, self.coming.with_rates), list[list[Cell | str]]()
        for key, word in _OUTCOMES.items():
            expected = Cell(expected_text(float(ranges[0][key].estimate)), strong=True)
            name = Cell(word, aside="found and false alarms" if key == "alarms" else key.upper())
            rows.append([name, expected, *(_range_text(each[key]) for each in ranges)])
        return ["", "expected", *(f"{level_text(0.95)} range, rates {how}" for how in ("known", "estimated"))], rows

    @property
    def note(self) -> str:
        """Note on the sources of uncertainty in the ranges, and on undefined values of an absent class; Markdown."""
        counts, named = self.named.counts, self.named
        rates = {"recall": (counts.actual_positives, named.positive)}
        rates["the false positive rate"] = counts.actual_negatives, named.negative
        absent = [
            f"There are no {plain(name, 30)} rows, so {rate} and what follows from it are undefined."
            for rate, (rows, name) in rates.items()
            if not rows
        ]
        return " ".join(absent) or (
            "*Rates known*: the range for one period if recall and the false positive rate are exactly those of the "
            "sample. *Rates estimated*: the same, allowing for the sampling error of both. Neither allows for another "
            "prevalence or another kind of case."
        )

    @property
    def work(self) -> dict[str, str]:
        """Alarms, hours and people, by what they are called."""
        alarms, hours, people, _ = self.numbers.values()
        work = {"Hours": number_text(hours), "People": number_text(people)}
        return {f"Alarms per {self.period}": expected_text(alarms), **work}

    @property
    def numbers(self) -> dict[str, float]:
        """Alarms, hours, people and cost of misses and false alarms in the period, by what they are called."""
        expected = self.coming.expected
        alarms = float(expected.predicted_positives)
        hours = alarms * self.minutes / 60
        each = cost(expected, fn_cost=self.miss, fp_cost=self.alarm) if self.per_case is None else self.per_case
        total = float(each * expected.total)
        return {"alarms": alarms, "hours": hours, "people": hours / WORKING_HOURS[self.period], "cost": total}

    @property
    def worth(self) -> dict[str, str]:
        """Precision and NPV at the prevalence of the period, by what they are called."""
        return {name: share_text(float(measure(self.coming.expected))) for name, measure in _WORTH.items()}

    @property
    def work_note(self) -> str:
        """Work load per person, and the reason for an undefined measure."""
        hours = f"One person works {WORKING_HOURS[self.period]} hours per {self.period}."
        undefined = (m for m in _WORTH.values() if math.isnan(float(m(self.coming.expected))))
        return " ".join([hours, *(f"{m.name} is {UNDEFINED}: {m.undefined_when}." for m in undefined)])

    @property
    def verdict(self) -> str:
        """Cost of misses and false alarms in the period, in Markdown."""
        total = self.numbers["cost"]
        cases = "" if math.isnan(total) else f" of {count_text(round(float(self.coming.expected.total)))} cases"
        return f"Misses and false alarms cost **{number_text(total)}** per {self.period}{cases}."


def expected_text(count: float) -> str:
    """Expected count as text: at most three digits of a small one, whole for a large one."""
    return cost_text(count) if abs(count) < 999.5 else count_text(round(count) if math.isfinite(count) else count)


def _range_text(interval: Interval) -> str:
    low, high = float(interval.low), float(interval.high)
    return UNDEFINED if math.isnan(low) else range_text(count_text(low), count_text(high))
