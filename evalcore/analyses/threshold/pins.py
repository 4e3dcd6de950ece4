"""Pinned thresholds, differences of other counts to them, and paired tests of two on the same rows."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from evalcore.analyses.compare import Difference, difference_rows
from evalcore.analyses.compare.paired_comparison import difference_headline, with_correction
from evalcore.analyses.compare.paired_systems import RATES, pair_note, row_differences
from evalcore.analyses.confusion import PeriodForecast, expected_text
from evalcore.analyses.data.label_pairs import PairedRows, rows_called_at
from evalcore.analyses.data.scores import Scores, goal_value, goal_value_text
from evalcore.analyses.data.script import literal
from evalcore.analyses.subgroups import GROUP_RATES, Subgroups
from evalcore.analyses.threshold.choice import CASES
from evalcore.classification import ConfusionCounts, Goal, ScoredLabels, rest_of
from evalcore.inference import PairedChoice
from evalcore.readers import Filter, ReadProblem, Shape
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import Cell, Row, measure_word, one_line, plain, rows_text, signed
from evalcore.wording.numbers import THIN, UNDEFINED, count_text, difference_text, number_text, outcome_word, p_text

__all__ = ["MOST_PINS", "Pin", "PinComparison", "Pinned", "count_change", "filters_text", "number_change", "pinned"]
__all__ += ["Table", "coming_changes", "cost_change", "expected_changes", "value_change", "with_changes"]

Table = tuple[Sequence[Cell | str], Sequence[Row | Sequence[Cell | str]]]
MOST_PINS = 6  # pins that a view holds; a further one takes the place of the oldest
_NONE = "–"


@dataclass(frozen=True, repr=False)
class Pin:
    """A threshold to look back at, with its score column, its filter of the rows and its name."""

    threshold: float
    system: str = ""  # the score column, which comes from a file: escape it; empty for the one that is shown
    filters: str | None = ""  # steps as `filters_text` writes them; None for those of the table that is shown
    name: str = ""  # as typed; without one it is called by its threshold

    @classmethod
    def of(cls, value: "Pin | float") -> "Pin":
        """A pin of a number: a threshold of the scores that are shown."""
        return value if isinstance(value, Pin) else cls(float(value), filters=None)

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> "Pin | None":
        """A pin from the texts of a link; None where they are none."""
        with suppress(ValueError):
            threshold, *others = texts
            if len(others) == 3 and not math.isnan(float(threshold)):
                return cls(float(threshold), *others)
        return None

    @property
    def texts(self) -> list[str]:
        """Its texts for a link, which `of_texts` reads."""
        return [repr(self.threshold), self.system, self.filters or "", self.name]

    def __repr__(self) -> str:
        return f"Pin({', '.join(map(literal, (self.threshold, self.system, self.filters, self.name)))})"

    def at(self, scores: Scores) -> "Pinned":
        """The pin on a table of which some scores are shown.

        Raises ReadProblem if the table has no such score column, or its filters no longer fit.
        """
        source, filters = scores.current, self.filters
        if filters is not None and filters != filters_text(source.dataset.shape):
            steps = Shape(source.dataset.shape.unfiltered.steps).and_then(filters)
            dataset = source.dataset
            own_rows = lambda: dataset.shaped(steps).with_roles(dataset.roles)  # noqa: E731
            source = replace(source, dataset=dataset.once(f"pinned rows\n{filters}", None, own_rows))
        system = self.system or scores.system
        is_shown = system == scores.system
        is_here = is_shown and source is scores.current
        if not is_here and system not in source.dataset.systems:
            raise ReadProblem(f"There is no score column {system}.")
        own = scores if is_here else Scores.of(source.of_system(system), system)
        return Pinned(self, own, is_shown, is_here)


def filters_text(shape: Shape) -> str:
    """The filters of the rows among the steps of a table, as a short text."""
    return Shape(tuple(step for step in shape.steps if isinstance(step, Filter))).to_text()


@dataclass(frozen=True, eq=False)
class Pinned:
    """A pin with its scores."""

    pin: Pin
    scores: Scores
    is_shown: bool  # whether it is of the score column that is shown, so that it lies on the same axis
    is_here: bool  # whether it is of the same rows too

    @cached_property
    def label(self) -> str:
        """Name of the pin, unescaped: "0.5", "B at 0.37", "0.5, age ≥ 40", or as it was named, "last year (B)"."""
        return self.label_with(not self.is_shown)

    def label_with(self, system: bool) -> str:
        """Name of the pin, with its system or without, unescaped."""
        column = one_line(self.scores.system, 24)
        if name := one_line(self.pin.name, 40):
            return f"{name} ({column})" if system else name
        text = self.scores.text(self.pin.threshold)
        words = f"{column} at {text}" if system else text
        return one_line(", ".join((words, *self.scores.current.dataset.shape.filters)), 60)

    @cached_property
    def counts(self) -> ConfusionCounts:
        """The four outcomes at it."""
        return self.scores.counts_at(self.pin.threshold)

    def count_changes(self, counts: ConfusionCounts, cells: Iterable[str] = ("tp", "fn", "fp", "tn")) -> dict[str, str]:
        """Differences of other counts to those at the pin, by what they are called."""
        both = {cell: (float(getattr(counts, cell)), float(getattr(self.counts, cell))) for cell in cells}
        return {outcome_word(cell, 2): count_change(*pair) for cell, pair in both.items()}

    def measure_change(self, key: str, counts: ConfusionCounts) -> str:
        """Difference of a measure of other counts to that at the pin."""
        return value_change(METRICS[key], float(METRICS[key](counts)), float(METRICS[key](self.counts)))

    def goal_changes(self, scores: Scores, goal: Goal, threshold: float) -> dict[str, str]:
        """Differences of the errors and of the value of a goal at a threshold to those at the pin."""
        changes = self.count_changes(scores.counts_at(threshold), ("fn", "fp"))
        is_known = goal.priced is None or self.is_here  # amounts are of the rows and the score column that are shown
        before = goal_value(self.scores, goal, self.pin.threshold) if is_known else math.nan
        value = goal_value(scores, goal, threshold)
        if isinstance(goal.measure, MetricDef):
            changes[measure_word(goal.measure)] = value_change(goal.measure, value, before)
        elif "fp_cost" in dict(goal.parameters):
            changes |= cost_change(value, before)
        return changes

    def row_changes(self, rows: Sequence[Sequence[Cell | str]], counts: ConfusionCounts) -> list[list[str]]:
        """Differences of the measures that the first cells of the rows of a table name, for `with_changes`."""
        keys = [getattr(row[0], "measure", "") for row in rows]
        return [[self.measure_change(key, counts) if key else ""] for key in keys]

    def group_changes(self, groups: Subgroups, states: Mapping[str, ScoredLabels]) -> list[list[str]]:
        """Differences of `GROUP_RATES`, in points, of all rows and each group shown; empty for areas and equal ones."""
        measures = [METRICS[key] if METRICS[key].family == "counts" else None for key in GROUP_RATES]
        pairs: list[tuple[ConfusionCounts, ConfusionCounts | None]] = [(groups.whole, self.counts)]
        for place, name in enumerate(groups.names[: groups.shown]):
            then = states[name].counts_at(self.pin.threshold) if name in states else None
            pairs.append((groups.counts[place], then))
        return [
            [
                "" if then is None or one is None else _in_points(one, float(one(now)), float(one(then)))
                for one in measures
            ]
            for now, then in pairs
        ]

    def rest_changes(
        self, groups: Subgroups, states: Mapping[str, ScoredLabels], measure: MetricDef
    ) -> list[list[str]]:
        """Differences of the rate of the rest and of the difference to it, in points, for `group_differences`.

        There are none for areas, which no threshold changes.
        """
        then = replace(groups, scores=self.scores, threshold=self.pin.threshold, states=dict(states))
        now, before = (_beside_rest(one, measure) if measure.family == "counts" else {} for one in (groups, then))
        names = groups.names[: groups.shown]
        pairs = [list(zip(now.get(name, ()), before.get(name, ()), strict=False)) for name in names]
        return [[_in_points(measure, *pair) for pair in each] for each in pairs]

    def change_text(self, counts: ConfusionCounts) -> str:
        """Differences of other counts, recall and precision to those at the pin, as a sentence in Markdown."""
        rates = {key: self.measure_change(key, counts) for key in ("recall", "precision")}
        return self.changes_text(self.count_changes(counts) | rates)

    def changes_text(self, changes: Mapping[str, str]) -> str:
        """Differences of numbers to those at the pin, by what they are called, as a sentence in Markdown."""
        differing = ", ".join(f"{name} {change}" for name, change in changes.items() if change)
        return f"Compared with the pin {plain(self.label)}: {differing or 'no difference'}."


def _in_points(measure: MetricDef, value: float, before: float) -> str:
    return value_change(measure, value, before).removesuffix(f"{THIN}pt")


def _beside_rest(groups: Subgroups, measure: MetricDef) -> dict[str, tuple[float, float]]:
    """The rate of all other rows and the difference to it, of each group in which it is defined."""
    rest = np.asarray(measure(rest_of(groups.whole, groups.counts)))
    differences = np.asarray(measure(groups.counts)) - rest
    known = zip(groups.names, rest.tolist(), differences.tolist(), strict=True)
    return {name: (of_rest, apart) for name, of_rest, apart in known if not math.isnan(apart)}


def pinned(scores: Scores, pins: Iterable[Pin | float]) -> list[Pinned]:
    """The pins on these scores, the one that others are compared with first; without those that do not fit."""
    found = []
    for pin in pins:
        with suppress(ReadProblem):
            found.append(Pin.of(pin).at(scores))
    return found[:MOST_PINS]


def with_changes(table: Table, changes: Iterable[Sequence[str]], column: int = 1) -> Table:
    """A table with differences to a pin beside its cells from a column on, row by row; as it is if nothing differs."""
    (heads, rows), listed = table, list(changes)
    if not any(map(any, listed)):
        return table
    changed = []
    for row, texts in zip(rows, listed, strict=True):
        cells, kind = (row.cells, row.kind) if isinstance(row, Row) else (row, "")
        cells = [cell if isinstance(cell, Cell) else Cell(cell) for cell in cells]
        for place, text in enumerate(texts, column):
            cells[place] = replace(cells[place], aside=text)
        changed.append(Row(cells, kind))
    return heads, changed


def number_change(number: float, before: float, write: Callable[[float], str] = number_text) -> str:
    """Difference of two numbers with its sign: "+1.25", empty for equal ones, "–" for an undefined one."""
    if abs(number - before) <= 1e-12 * max(abs(number), abs(before)):
        return ""
    return _NONE if math.isnan(number - before) else signed(write)(number - before)


def expected_changes(now: PeriodForecast, then: PeriodForecast) -> list[list[str]]:
    """Differences of the expected counts of a period, in the order of its table."""
    cells = ("predicted_positives", "tp", "fp", "fn", "tn")
    both = ([float(getattr(one.coming.expected, cell)) for cell in cells] for one in (now, then))
    return [[number_change(number, before, expected_text)] for number, before in zip(*both, strict=True)]


def coming_changes(now: PeriodForecast, then: PeriodForecast) -> dict[str, str]:
    """Differences of the work, the cost and the predictive values of a period, by what they are called."""
    changes = {name: number_change(number, then.numbers[name]) for name, number in now.numbers.items()}
    for rate in (METRICS["precision"], METRICS["negative_predictive_value"]):
        changes[measure_word(rate)] = value_change(rate, *(float(rate(one.coming.expected)) for one in (now, then)))
    return changes


def cost_change(cost: float, before: float) -> dict[str, str]:
    """Difference of two costs per case, by what it is called."""
    return {f"cost {CASES}": number_change(1000 * cost, 1000 * before)}


def count_change(count: float, before: float) -> str:
    """Difference of two counts with its sign: "+12", "−3", empty for equal ones."""
    return number_change(count, before, count_text)


def value_change(measure: MetricDef, value: float, before: float) -> str:
    """Difference of two values with its sign: "+1.3 pt", "−0.050", empty for equal ones, "–" for an undefined one."""
    if value == before or abs(value - before) <= 1e-12:
        return ""
    written = difference_text(measure, value - before)
    return _NONE if written == UNDEFINED else written


@dataclass(frozen=True, eq=False)
class PinComparison:
    """Two pinned thresholds, of one score column or of two, with their paired tests."""

    a: Pinned
    b: Pinned
    level: float
    goal: Goal | None = None  # what the threshold is chosen for, by which both are compared too

    @cached_property
    def labels(self) -> list[str]:
        """Names of both, unescaped; with their systems where these differ."""
        differ = self.a.scores.system != self.b.scores.system
        return [one.label_with(differ or not one.is_shown) for one in (self.a, self.b)]

    @property
    def reason(self) -> str:
        """Why no paired test compares them; empty if one does."""
        a, b = self.a.scores, self.b.scores
        if filters_text(a.current.dataset.shape) != filters_text(b.current.dataset.shape):
            return "They are based on different rows, so no paired test can compare them."
        if not {a.system, b.system} <= {*a.current.dataset.systems}:
            return "Only counts are known, and a paired test needs the rows behind them."
        if a.positive != b.positive or (a.system != b.system and a.current.scored_by != "system"):
            return "They predict different classes, so no paired test can compare them."
        return "" if len(self.rows) else "No row has a label and both scores, so there is nothing to test."

    @cached_property
    def rows(self) -> PairedRows:
        """The decisions of both on the rows that have both scores."""
        pairs = [(one.scores.system, one.pin.threshold) for one in (self.a, self.b)]
        return rows_called_at(self.a.scores.current, *zip(*pairs, strict=True))

    @cached_property
    def differences(self) -> list[Difference]:
        """Differences B minus A of the rates, accuracy first, with p-values corrected for their number."""
        measures = [METRICS[key] for key in dict.fromkeys(("accuracy", *RATES))]
        how = PairedChoice(self.level), self.rows.classes[1]
        found = row_differences(self.a.scores.current, self.rows, measures, *how, stored=False)
        a, b = self.labels
        return with_correction([replace(one, a=a, b=b) for one in found], "holm")

    @property
    def _goal_verdict(self) -> str:
        """Which one is better by the goal, which no paired test asks; empty where that is accuracy or unknown."""
        goal, both = self.goal, (self.a, self.b)
        if goal is None or goal.measure is METRICS["accuracy"] or (goal.priced and not all(p.is_here for p in both)):
            return ""
        names, by = [*map(plain, self.labels)], "By the goal without its limits" if goal.limits else "By the goal"
        value_a, value_b = (goal_value(one.scores, goal, one.pin.threshold) for one in both)
        texts = (goal_value_text(one.scores, goal, one.pin.threshold) for one in both)
        sides = "; ".join(map(" ".join, zip(names, texts, strict=True)))
        if math.isnan(value_a - value_b) or math.isclose(value_a, value_b, rel_tol=1e-12, abs_tol=1e-12):
            return f"{by}, neither is better ({sides}). "
        better = names[(value_b > value_a) == goal.highest]
        return f"**{by}, {better} is better in this sample** ({sides}; not tested). "

    @property
    def verdict(self) -> str:
        """Which one is better by the goal and which one is right more often, on how many rows, in Markdown."""
        if self.reason:
            return self.reason
        first = replace(self.differences[0], corrected=math.nan)
        _, only_a, only_b, _ = self.rows.counts(self.rows.classes[1]).right()
        total = rows_text(self.rows.size)
        if not only_a + only_b:
            return f"**Both make the same decision on all {total}.**"
        headline = difference_headline(first, self.level)
        return (
            f"{self._goal_verdict}**{headline}** {first.sides}. They differ on {count_text(only_a + only_b)} "
            f"of {total}: {count_text(only_a)} right only at A, {count_text(only_b)} only at B "
            f"(paired test, {p_text(first.p)})."
        )

    @property
    def note(self) -> str:
        """Note on the tests and on what is not known exactly, in Markdown; empty without a test."""
        if self.reason:
            return ""
        tests = f"Accuracy: {self.differences[0].test.method}. "
        tests += f"Corrected p: Holm, for {count_text(len(self.differences))} measures."
        return f"{tests} {pair_note(self.a.scores.current, self.rows)[0]}".strip()

    @property
    def table(self) -> tuple[list[str], list[Row]] | None:
        """Headings and a row per rate; None without a test."""
        if self.reason:
            return None
        return difference_rows(self.differences, self.level, True)
