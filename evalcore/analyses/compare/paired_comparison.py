"""Differences between two systems with their tests, their tables and verdicts, and of two multilabel systems."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from evalcore.analyses.data import Source, check, interval_heading, literal, script, system_name
from evalcore.analyses.data.label_pairs import pair_names
from evalcore.analyses.data.measure_table import group_lines, other_names
from evalcore.analyses.multilabel import LabelTable, LabelThresholds
from evalcore.classification import LabelScores, LabelSets, averages, f_beta
from evalcore.inference import MICRO_F1, label_ranking_differences, label_set_differences
from evalcore.inference.base import METHODS, Comparison, PairedComparison, adjusted, one_sided_p
from evalcore.numeric import at_rows, rows_behind
from evalcore.readers import ordered, roles_of
from evalcore.readers.base.values import plain as plain_value
from evalcore.readers.base.values import positive_value
from evalcore.readers.shapes.label_columns import paired_columns
from evalcore.registry import METRICS, RETRIEVAL, MetricDef
from evalcore.wording import UNDEFINED, Cell, Row, count_text, measure_word, p_cell, p_text, plain, rows_text
from evalcore.wording.numbers import bounds_text, difference_text, level_text, number_text, range_text, value_text

__all__ = ["AGAINST", "QUESTIONS", "Difference", "LabelComparison", "Margin", "MarginResult", "answer"]
__all__ += ["compare_label_systems", "difference_rows", "difference_sides"]
__all__ += ["label_comparison_roles"]

AGAINST = {"first": "all against A", "pairs": "all pairs"}
"""Which pairs are compared where there are more than two systems."""

QUESTIONS = {"better": "Is B better?", "noninferior": "Is B non-inferior?", "equivalent": "Are A and B equivalent?"}
"""Questions that a comparison answers."""


@dataclass(frozen=True, eq=False)
class Difference:
    """Difference between systems B and A in one measure, with its test; tables show it under `heading`.

    The names of the systems come from a file: escape them. The p-value `corrected` for all comparisons is nan where
    there was no correction.
    """

    a: str
    b: str
    measure: MetricDef
    heading: str
    value_a: float
    value_b: float
    test: Comparison
    corrected: float = math.nan

    @property
    def estimate(self) -> float:
        """B minus A; B over A for quotients such as likelihood ratios."""
        return self.test.estimate

    @property
    def is_ratio(self) -> bool:
        """Whether the values are compared by their ratio, which is 1 for equal values."""
        return self.test.null == 1

    @property
    def operation(self) -> str:
        """Operation on the two values, as a phrase: "B minus A"."""
        return "B over A" if self.is_ratio else "B minus A"

    @property
    def alike(self) -> bool:
        """Whether both values are equal."""
        return self.estimate == self.test.null

    @property
    def excludes_none(self) -> bool:
        """Whether the interval excludes equality: 0, or 1 for a ratio."""
        return self.low > self.test.null or self.high < self.test.null

    @property
    def low(self) -> float:
        """Lower bound of its interval."""
        return float(self.test.interval.low)

    @property
    def high(self) -> float:
        """Upper bound of its interval."""
        return float(self.test.interval.high)

    @property
    def p(self) -> float:
        """p-value, corrected if a correction was applied."""
        return self.test.p_value if math.isnan(self.corrected) else self.corrected

    @property
    def noun(self) -> str:
        """Name of the measure within a sentence of plain text."""
        return self.heading if self.measure.family == RETRIEVAL else measure_word(self.measure)

    @property
    def undefined(self) -> str:
        """Reason for an undefined difference; empty if it is defined."""
        if not math.isnan(self.estimate):
            return ""
        known = not (math.isnan(self.value_a) or math.isnan(self.value_b))
        return "infinite for both" if known else self.measure.undefined_when

    def beyond_chance(self, level: float) -> bool:
        """Whether the difference is significant, after the correction if there is one."""
        # What floats leave of 1 − 0.95 does not decide.
        return self.p <= 1 - level + 1e-12 and not self.alike

    def better(self, level: float) -> int:
        """1 if B is significantly better, -1 if A is, else 0."""
        if not self.beyond_chance(level) or self.measure.better is None:
            return 0
        return int(np.sign(self.estimate - self.test.null)) * (-1 if self.measure.better == "lower" else 1)

    @property
    def record(self) -> tuple[int, int, int] | None:
        """Numbers of queries that B wins, ties and loses; None for rows."""
        if not isinstance(self.test, PairedComparison):
            return None
        won, lost = self.test.wins, self.test.losses
        return (lost, self.test.ties, won) if self.measure.better == "lower" else (won, self.test.ties, lost)

    @property
    def effect_size(self) -> float:
        """Cohen's d_z of a mean over queries; nan for rows."""
        return self.test.effect_size if isinstance(self.test, PairedComparison) else math.nan

    @property
    def text(self) -> str:
        """The difference, or the ratio: "+3.3 pt", "×1.31"."""
        return self.lead(1)

    def lead(self, side: int) -> str:
        """The difference as B minus A (side 1), or as A minus B (−1); of a ratio as B over A, or as A over B."""
        if self.is_ratio:
            over = self.estimate if side > 0 else 1 / self.estimate if self.estimate else math.inf
            return f"×{number_text(over)}"
        return difference_text(self.measure, side * self.estimate, self.high - self.low)

    @property
    def bounds(self) -> str:
        """Its interval: "+1.5 to +6.7"."""
        return self.written(self.low, self.high)

    def written(self, *ends: float) -> str:
        """One value of the difference with its unit, or two bounds: "−2.0 pt", "+1.5 to +6.7", "×0.8 to ×1.25"."""
        if self.is_ratio:
            return "no interval" if math.isnan(ends[0]) else range_text(*(f"×{number_text(end)}" for end in ends))
        return difference_text(self.measure, *ends) if len(ends) == 1 else bounds_text(self.measure, *ends)

    @property
    def values(self) -> tuple[str, str]:
        """The measure of A and of B."""
        return value_text(self.measure, self.value_a), value_text(self.measure, self.value_b)

    @property
    def sides(self) -> str:
        """Both systems with their values, in Markdown: "old (A) 0.81, new (B) 0.84"."""
        sides = zip(pair_names(self.a, self.b), (" (A)", " (B)"), self.values, strict=True)
        return ", ".join(f"{name.removesuffix(letter)}{letter} {value}" for name, letter, value in sides)

    def result(self, level: float, correction: str, comparisons: int) -> str:
        """The difference with its interval and its p-value, in Markdown."""
        bounds = f"{level_text(level)} interval {self.bounds}" if not math.isnan(self.low) else "no interval"
        words = f"**{self.text}** ({bounds}), **{p_text(self.p)}**"
        if comparisons == 1 or math.isnan(self.p):
            return words
        return f"{words}, {correction_text(correction, comparisons)}"


def difference_headline(one: Difference, level: float, falls: str = "") -> str:
    """Headline of a verdict on a defined difference, in Markdown; `falls` names measures on which the winner loses."""
    (a, b), noun, side = pair_names(one.a, one.b), one.noun, one.better(level)
    if not side and one.measure.better is None and one.p <= 1 - level:
        return f"{a} and {b} differ in {noun}; neither direction is better by itself."
    if not side and one.alike:
        return f"No difference: both have the same {noun}."
    return answer(side, (a, b), noun, falls, one.lead(side))


def answer(side: int, names: tuple[str, str], noun: str, falls: str = "", lead: str = "") -> str:
    """Whether B (side 1), A (−1) or neither (0) is better beyond chance by a measure, in Markdown.

    `falls` names what the better one is worse by, `lead` says by how much it is better.

    >>> answer(-1, ("A", "B"), "recall", lead="+2.0 pt")
    'A is better by recall: +2.0 pt.'
    """
    if not side:
        return f"No clear winner by {noun}: the difference could be chance."
    better = f"{names[side > 0]} is better by {noun}"
    if falls:
        return f"No clear winner: {better}, but worse by {falls}."
    return f"{better}: {lead}." if lead else f"{better}."


def with_correction(differences: Sequence[Difference], correction: str) -> list[Difference]:
    """Return the differences with p-values corrected for multiple testing."""
    corrected = adjusted([one.test.p_value for one in differences], correction)
    return [replace(one, corrected=p) for one, p in zip(differences, corrected.tolist(), strict=True)]


def correction_text(correction: str, comparisons: int) -> str:
    """Name of the correction for multiple testing, as a phrase."""
    if comparisons == 1:
        return "one comparison"
    how = "uncorrected" if correction == "none" else f"{METHODS[correction]}-corrected"
    return f"{how} for {comparisons} comparisons"


def difference_sides(measures: Iterable[MetricDef], subject: str = "B", than: str = "") -> tuple[str, str]:
    """Captions left and right of 0 in a figure of differences: worse and better if the measures agree, else values."""
    better = {measure.better for measure in measures}
    words = ("worse", "better") if better == {"higher"} else ("lower", "higher")
    left, right = ("better", "worse") if better == {"lower"} else words
    return f"{subject} {left}{than}".strip(), f"{subject} {right}{than}".strip()


def pairs_of(systems: Sequence[str], first: str, all_pairs: bool) -> list[tuple[str, str]]:
    """Pairs of systems to compare: all pairs, or the first with each other one."""
    return list(combinations(systems, 2)) if all_pairs else [(first, other) for other in systems if other != first]


def difference_rows(differences: Sequence[Difference], level: float, corrected: bool) -> tuple[list[str], list[Row]]:
    """Headings, and a row per measure in its group, with the better system beside the p that says so."""
    rows = group_lines([one.measure for one in differences], [_cells(one, level, corrected) for one in differences])
    heads = ["measure", "A", "B", "B − A", interval_heading(level), "p", "corrected p" if corrected else "n"]
    return heads, rows


def differences_table(differences: Sequence[Difference], level: float, correction: str) -> dict[str, list[Any]]:
    """A row per difference, unrounded."""
    tests, columns = [one.test for one in differences], {"measure": "heading", "A": "a", "B": "b"}
    columns |= {"value of A": "value_a", "value of B": "value_b"}
    columns |= {"difference": "estimate", "low": "low", "high": "high"}
    table: dict[str, list[Any]] = {key: [getattr(one, name) for one in differences] for key, name in columns.items()}
    table |= {"p": [test.p_value for test in tests], "corrected p": [one.corrected for one in differences]}
    table |= {"n": [test.n for test in tests], "test": [test.method for test in tests]}
    table |= {"level": [level] * len(tests), "correction": [METHODS[correction]] * len(tests)}
    if any(test.interval.caution for test in tests):
        table["note"] = [test.interval.caution for test in tests]
    if any(one.is_ratio for one in differences):
        table["compared as"] = [one.operation for one in differences]
    if any(one.record for one in differences):
        wins, ties, losses = zip(*(one.record for one in differences), strict=True)
        table |= {"statistic": [test.statistic for test in tests], "d_z": [one.effect_size for one in differences]}
        table |= {"wins": list(wins), "ties": list(ties), "losses": list(losses)}
    return table


def cautions(differences: Sequence[Difference]) -> str:
    """Cautions about the intervals of some differences, each sentence once."""
    return " ".join(dict.fromkeys(one.test.interval.caution for one in differences)).strip()


def _cells(one: Difference, level: float, corrected: bool) -> list[Cell]:
    names = Cell(one.measure.name, aside=other_names(one.measure, one.measure.label), measure=one.measure.key)
    cells = [names, *map(Cell, one.values)]
    if one.undefined:
        return [*cells, Cell(f"{UNDEFINED}: {one.undefined}", kind="undefined", span=4)]
    side = {1: "B", -1: "A", 0: ""}[one.better(level)]
    p, single = map(p_cell, (one.p, one.test.p_value))
    deciding = Cell(f"{p} · {side}" if side else p, kind=side.lower())
    last = [Cell(single), deciding] if corrected else [deciding, Cell(count_text(one.test.n))]
    bounds = Cell(one.bounds, title=". ".join(filter(None, (one.test.method, one.test.interval.caution))))
    return [*cells, Cell(one.text, strong=True), bounds, *last]


@dataclass(frozen=True)
class Margin:
    """A question of non-inferiority or equivalence, and the largest difference that does not matter.

    The size is above 0, in the unit of the measure: 0.02 is two percentage points; of a ratio 0.25 allows ×0.8 to
    ×1.25.
    """

    question: str = "better"  # a key of `QUESTIONS`
    size: float = 0.02

    def limits(self, one: Difference) -> tuple[float, ...]:
        """Values that the interval of a difference must exclude; empty if no margin is tested.

        The lower limit comes before the upper one; of non-inferiority only that on the side of the worse values.
        """
        both = (1 / (1 + self.size), 1 + self.size) if one.is_ratio else (-self.size, self.size)
        if self.question == "noninferior":
            return both[1:] if one.measure.better == "lower" else both[:1]
        return both if self.question == "equivalent" else ()


_HEADLINES = {
    ("noninferior", "Yes"): "{b} is non-inferior to {a} in {noun}, with a margin of {size}.",
    ("noninferior", "No"): "{b} is worse than {a} by more than {size} in {noun}.",
    ("noninferior", "Not shown"): "{b} may be worse than {a} by more than {size} in {noun}.",
    ("equivalent", "Yes"): "{a} and {b} are equivalent in {noun}, with a margin of {size}.",
    ("equivalent", "No"): "{a} and {b} differ by more than {size} in {noun}.",
    ("equivalent", "Not shown"): "{a} and {b} may differ by more than {size} in {noun}.",
}


@dataclass(frozen=True)
class MarginResult:
    """The answer for one difference, in numbers and words."""

    margin: Margin
    difference: Difference
    p: float  # one-sided; of equivalence the larger of two
    corrected: float  # the same, corrected for all comparisons; nan where there is one
    level: float  # confidence of the page: non-inferiority leaves out half of the rest on one side
    correction: str  # a key of `evalcore.inference.METHODS`
    comparisons: int

    @property
    def interval_level(self) -> float:
        """Level of the interval that must lie within the margin: for equivalence 90 % if the page has 95 %."""
        return 2 * self.level - 1 if self.margin.question == "equivalent" else self.level

    @property
    def holds(self) -> bool:
        """Whether non-inferiority or equivalence is shown."""
        return (self.p if math.isnan(self.corrected) else self.corrected) <= (1 - self.interval_level) / 2 + 1e-12

    @property
    def verdict(self) -> str:
        """The answer and its reason, in Markdown."""
        one = self.difference
        (a, b), noun = pair_names(one.a, one.b), plain(one.noun)
        if self.margin.question == "noninferior" and one.measure.better is None:
            return f"**Neither direction of the {noun} is better by itself**, so only equivalence can be asked."
        if math.isnan(self.p):
            why = "they are identical here" if one.alike else "there is no interval"
            return f"**The margin cannot be tested** for the {noun} of {a} and {b}: {why}."
        size = f"a factor of {1 + self.margin.size:g}" if one.is_ratio else one.written(self.margin.size).lstrip("+")
        at = one.test.interval_at
        interval = one.test.interval if at is None else at(self.interval_level)
        low, high, limits = float(interval.low), float(interval.high), self.margin.limits(one)
        above, below = low > max(limits), high < min(limits)
        beyond = above or below if len(limits) > 1 else above if one.measure.better == "lower" else below
        shown = "Yes" if self.holds else "No" if beyond else "Not shown"
        headline = _HEADLINES[self.margin.question, shown].format(a=a, b=b, noun=noun, size=size)
        tests = "two one-sided tests of equivalence" if len(limits) > 1 else "one-sided test of non-inferiority"
        p = self.p if math.isnan(self.corrected) else self.corrected
        many = f", {correction_text(self.correction, self.comparisons)}" if self.comparisons > 1 else ""
        return (
            f"**{shown}: {headline}**  \n{level_text(self.interval_level)} interval of {one.operation}: "
            f"{one.written(low, high)}; margin {one.written(*limits)} ({tests}, {p_text(p)}{many})."
        )


class Compared:
    """A comparison of B with A, on rows or queries: what follows from its `system_differences`."""

    @property
    def difference(self: Any) -> Difference:
        """B minus A by the measure of the verdict, corrected for all pairs that are compared."""
        return self.system_differences[0]

    @cached_property
    def margin_result(self: Any) -> MarginResult | None:
        """Result of the test of non-inferiority or equivalence, corrected for all pairs; None if neither is tested."""
        if self.margin.question == "better":
            return None
        differences = self.system_differences
        p_values = [_p_value(one, self.margin) for one in differences]
        corrected = float(adjusted(p_values, self.correction)[0]) if len(differences) > 1 else math.nan
        own = differences[0], p_values[0], corrected
        return MarginResult(self.margin, *own, self.level, self.correction, len(differences))

    @property
    def finding(self: Any) -> str:
        """The answer about a margin, where one was asked, and the verdict, in Markdown."""
        result = self.margin_result
        return self.verdict if result is None else f"{result.verdict}  \n{self.verdict}"

    @property
    def margin_code(self) -> tuple[str, ...]:
        """Python that asserts p of a `comparison` with this margin and prints the answer; none without a margin."""
        if self.margin_result is None:
            return ()
        return check("comparison.margin_result.p", self.margin_result.p), "print(comparison.margin_result.verdict)"


def _p_value(one: Difference, margin: Margin) -> float:
    limits = margin.limits(one)
    if margin.question == "equivalent":
        return max(one_sided_p(one.test, limits[0]), one_sided_p(one.test, limits[1], above=False))
    if one.measure.better is None:
        return math.nan
    return one_sided_p(one.test, limits[0], above=one.measure.better == "higher")


@dataclass(frozen=True, eq=False)
class LabelComparison:
    """Comparison of two multilabel systems on their common rows, from `compare_label_systems`."""

    source: Source
    # The systems, whose names come from a file: escape them.
    a: str
    b: str
    sets: tuple[LabelSets, LabelSets]  # of the same rows and labels
    scores: tuple[LabelScores, LabelScores] | None
    thresholds: tuple[tuple[float, ...], ...] | None
    level: float

    @cached_property
    def differences(self) -> list[Difference]:
        """Differences B minus A by each measure, the one of the verdict first."""
        tests: dict[str, Comparison] = {}
        if self.scores is not None:
            tests |= label_ranking_differences(*self.scores, self.level)
        tests |= label_set_differences(*self.sets, self.level)
        differences = []
        for key, test in tests.items():
            if key == MICRO_F1:
                a, b = (averages(sets, f_beta).micro for sets in self.sets)
                differences.append(Difference(self.a, self.b, METRICS["f_beta"], "Micro F1", a, b, test))
                continue
            measure = METRICS[key]
            a, b = map(measure, self.sets if measure.family == "label sets" else self.scores or ())
            differences.append(Difference(self.a, self.b, measure, measure.name, float(a), float(b), test))
        return differences

    @property
    def verdict(self) -> str:
        """Verdict on B against A with the size of the difference, in Markdown."""
        if not self.sets[0].rows:
            return "**Nothing to compare.** No row has the truth and the labels of both systems."
        a, b, first = system_name(self.a), system_name(self.b), self.differences[0]
        side, by = first.better(self.level), _noun(first)
        numbers = f"{first.sides}: B minus A {first.result(self.level, '', 1)}."
        others = with_correction(self.differences, "holm")[1:] if side else ()  # as in the table
        falls = " and ".join(_noun(one) for one in others if one.better(self.level) == -side)
        same = f"No difference: both have the same {by}."
        return f"**{answer(side, (a, b), by, falls, first.lead(side)) if first.estimate else same}**  \n{numbers}"

    @property
    def note(self) -> str:
        """Note on the rows, the thresholds and the tests."""
        rows = f"Compared on {rows_text(rows_behind(self.sets[0].weights, self.sets[0].rows))} that both systems have."
        tests = f" Subset accuracy: McNemar; other measures of sets: paired bootstrap of the {self.source.units}"
        corrected = f" Corrected p: Holm, for all {count_text(len(self.differences))} measures."
        if self.scores is None:
            return f"{rows}{tests}.{corrected}{self.source.rows_note}"
        tests += "; rankings, which depend on no threshold: paired t."
        return f"{rows} Both have their thresholds by the same choice.{tests}{corrected}{self.source.rows_note}"

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per measure, unrounded, with p-values corrected for their number."""
        return differences_table(with_correction(self.differences, "holm"), self.level, "holm")

    @property
    def code(self) -> str:
        """Python that compares the two again and asserts the numbers."""
        return self.code_after(self.source.code)

    def code_after(self, code: str) -> str:
        """Python that recomputes the comparison after `code`, which has read the data."""
        thresholds = "" if self.thresholds is None else f", thresholds={literal(self.thresholds)}"
        return script(
            code,
            f"comparison = compare_label_systems(\n    Source.of(data), {self.a!r}, {self.b!r}, "
            f"level={literal(self.level)}{thresholds}\n)",
            "for one in comparison.differences:",
            "    print(one.heading, one.value_a, one.value_b, one.estimate, one.low, one.high, one.p)",
            check('comparison.table["difference"]', self.table["difference"]),
            check('comparison.table["low"]', self.table["low"]),
            "print(comparison.verdict)",
        )


def compare_label_systems(
    source: Source, a: str, b: str, *, rule: LabelThresholds | None = None,
    thresholds: tuple[tuple[float, ...], ...] | None = None, level: float = 0.95,
) -> LabelComparison:  # fmt: skip
    """Compare two of `Source.label_systems` on the rows that both have.

    Labels with scores have their thresholds by the rule, by default the usual one of each, or those given for A and for
    B, one per label. Raises KeyError when there is no such system, and ReadProblem when its columns cannot be used.
    """
    tables = []
    for index, system in enumerate((a, b)):
        own = replace(source, dataset=replace(source.dataset, roles=source.label_systems[system]))
        each = None if thresholds is None else thresholds[index]
        if own.scored_by is not None and each is None:
            each = tuple((rule or LabelThresholds()).at(own, label) for label in own.dataset.systems)
        tables.append(LabelTable.of(own, each))
    one, two = tables
    complete = [table.current.dataset.label_rows().complete for table in tables]
    kept = [(complete[0] & complete[1])[mask] for mask in complete]
    same = one.sets.classes == two.sets.classes
    classes = one.sets.classes if same else ordered({*one.sets.classes, *two.sets.classes})
    sets = _aligned(one.sets, kept[0], classes), _aligned(two.sets, kept[1], classes)
    scores = used = None
    if one.scores is not None and two.scores is not None:
        scores = _scores_of(one.scores, kept[0]), _scores_of(two.scores, kept[1])
        used = tuple(table.thresholds or () for table in tables)
    return LabelComparison(source, a, b, sets, scores, used, level)


def label_comparison_roles(source: Source, label: str) -> str | None:
    """Roles that compare the systems of a table on one label; None without columns."""
    part, field = ("score", "label_score") if source.scored_by is not None else ("predicted", "predicted_labels")
    columns = []
    for roles in source.label_systems.values():
        truths, others = roles.get("true_labels", ()), roles.get(field, ())
        if len(truths) == len(others) > 1:
            columns += [pair for name, *pair in paired_columns(truths, others) if name == label]
    if len(columns) < 2:
        return None
    truth = columns[0][0]
    counts = {plain_value(value): int(count) for value, count in source.dataset.value_counts(truth).items()}
    positive = positive_value(counts)[0] if counts else None
    return roles_of(actual=truth, positive=positive, **{part: tuple(other for _, other in columns)}).to_text()


def _noun(one: Difference) -> str:
    return "micro F1" if one.measure.key == "f_beta" else one.noun


def _aligned(sets: LabelSets, mask: np.ndarray, classes: tuple[str, ...]) -> LabelSets:
    """Label sets of the masked rows, with the given labels in the given order."""
    if mask.all() and sets.classes == classes:
        return sets
    place, k = np.cumsum(mask) - 1, max(len(sets.classes), 1)
    index = np.array([classes.index(name) for name in sets.classes] or [0], dtype=np.int64)

    def moved(pairs: np.ndarray) -> np.ndarray:
        kept = pairs[mask[pairs // k]]
        return place[kept // k] * len(classes) + index[kept % k]

    beside = at_rows(sets.weights, mask), at_rows(sets.clusters, mask)
    return LabelSets(classes, int(mask.sum()), moved(sets.actual), moved(sets.predicted), *beside)


def _scores_of(scores: LabelScores, mask: np.ndarray) -> LabelScores:
    if mask.all():
        return scores
    actual, values = tuple(one[mask] for one in scores.actual), tuple(one[mask] for one in scores.scores)
    return LabelScores(scores.classes, actual, values, at_rows(scores.weights, mask), at_rows(scores.clusters, mask))
