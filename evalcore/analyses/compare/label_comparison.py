"""Comparison of two multilabel systems on their common rows."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.compare.paired_comparison import Difference, answer, differences_table, with_correction
from evalcore.analyses.data import Source, check, literal, script, system_name
from evalcore.analyses.multilabel import LabelTable, LabelThresholds
from evalcore.classification import LabelScores, LabelSets, averages, f_beta
from evalcore.inference import MICRO_F1, Comparison, label_ranking_differences, label_set_differences
from evalcore.numeric import at_rows, rows_behind
from evalcore.readers import ordered, roles_of
from evalcore.readers.base.values import plain, positive_value
from evalcore.readers.shapes.label_columns import paired_columns
from evalcore.registry import METRICS
from evalcore.wording import count_text, rows_text

__all__ = ["LabelComparison", "compare_label_systems", "label_comparison_roles"]


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
    counts = {plain(value): int(count) for value, count in source.frame[truth].value_counts().items()}
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
