"""Predictive values at another prevalence, and expected results of a day, a week or a month of use."""

import math
from dataclasses import dataclass

from evalcore.analyses.data.label_pairs import CELLS, NamedCounts
from evalcore.classification import among, at_prevalence, cost
from evalcore.classification.binary.counts import ConfusionCounts, negative_predictive_value, precision, prevalence
from evalcore.inference import Forecast, Interval
from evalcore.registry import METRICS
from evalcore.wording.escaping import as_noun, plain
from evalcore.wording.numbers import UNDEFINED, count_text, level_text, number_text, range_text, share_text
from evalcore.wording.tables import Cell

__all__ = ["WORKING_HOURS", "PeriodForecast", "Population", "population_of"]

_FEWEST, _MOST = 1000, 10**9
"""Cases in the natural frequencies, and how many they become at most so that each class has one."""

WORKING_HOURS = {"day": 8, "week": 40, "month": 160}
"""Hours that one person works in a period."""

_OUTCOMES = (
    ("alarms", "alarms", "found and false alarms"),
    ("tp", "found", "TP"),
    ("fp", "false alarms", "FP"),
    ("fn", "missed", "FN"),
    ("tn", "dismissed", "TN"),
)
_WORTH = {"Precision": METRICS["precision"], "NPV": METRICS["negative_predictive_value"]}


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
        hits, positives, false = (float(one) for one in (people.tp, people.actual_positives, people.fp))
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
    if not (named.counts.actual_positives and named.counts.actual_negatives):
        return None
    own = float(prevalence(named.counts))
    return Population(named, own if share is None else share, own)


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
        for key, word, note in _OUTCOMES:
            expected = Cell(_expected_text(float(ranges[0][key].estimate)), strong=True)
            rows.append([Cell(word, aside=note), expected, *(_range_text(each[key]) for each in ranges)])
        return ["", "expected", *(f"{level_text(0.95)} range, rates {how}" for how in ("known", "estimated"))], rows

    @property
    def note(self) -> str:
        """Note on the sources of uncertainty in the ranges, and on undefined values of an absent class; Markdown."""
        counts, named = self.named.counts, self.named
        classes = (
            (counts.actual_positives, named.positive, "recall"),
            (counts.actual_negatives, named.negative, "the false positive rate"),
        )
        absent = [
            f"There are no {plain(name, 30)} rows, so {rate} and what follows from it are undefined."
            for rows, name, rate in classes
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
        return {f"Alarms per {self.period}": _expected_text(alarms), **work}

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


def _expected_text(count: float) -> str:
    """Expected count as text: one decimal for small counts, whole for large ones."""
    return number_text(count) if math.isnan(count) or count < 1000 else count_text(round(count))


def _range_text(interval: Interval) -> str:
    low, high = float(interval.low), float(interval.high)
    return UNDEFINED if math.isnan(low) else range_text(count_text(low), count_text(high))
