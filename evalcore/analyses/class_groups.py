"""Several classes in each group of rows: how often the prediction is right, and the rates of one class."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from evalcore.analyses.classes import ClassTable
from evalcore.analyses.measure_table import interval_text
from evalcore.analyses.row_groups import RowGroups
from evalcore.analyses.script import check, literal, script
from evalcore.classification import ConfusionCounts, ConfusionMatrix
from evalcore.inference import IntervalChoice
from evalcore.readers import samples
from evalcore.registry import METRICS, MetricDef
from evalcore.wording import Cell, Row, count_text, label_markdown, label_text, level_text, value_text

__all__ = ["ClassGroups"]

_RATES = ("recall", "precision", "specificity", "f_beta")


@dataclass(frozen=True, eq=False)
class ClassGroups:
    """The groups of the rows of a class table; the name is that of the class that is set against the rest.

    >>> from evalcore.analyses import ClassTable, LabelPairs, Source
    >>> from evalcore.readers import DataSet
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"actual": ["a", "b", "b"], "predicted": ["a", "a", "b"], "group": ["60+", "<40", "<40"]})
    >>> source = Source.of(DataSet.of(frame))
    >>> table = ClassTable.of(source, "predicted", LabelPairs.of(source, "predicted"))
    >>> ClassGroups(table, "a").table["accuracy"]
    [0.5, 1.0]
    """

    of_table: ClassTable
    name: str
    intervals: IntervalChoice = IntervalChoice()  # noqa: RUF009 (frozen)

    @classmethod
    def offered(cls, table: ClassTable) -> bool:
        """Whether a column says which group a row belongs to, and the rows are known."""
        return table.pairs is not None and table.current.roles.get("group") is not None

    @cached_property
    def groups(self) -> RowGroups:
        """The groups of the rows that take part."""
        return RowGroups(self.of_table.current, np.flatnonzero(self.of_table.rows.actual >= 0))

    @property
    def heads(self) -> list[Cell | str]:
        """Headings over `rows`."""
        names = {key: f"{METRICS[key].short} of {label_text(self.name)[:20]}" for key in _RATES}
        named = [Cell(name, heading=True, measure=key) for key, name in {"accuracy": "accuracy", **names}.items()]
        return ["group", "n", *named]

    @property
    def rows(self) -> list[Row]:
        """A row per group: each rate over its interval."""
        rows = []
        for group, (right, counts) in zip(self.groups.names, self._counts, strict=True):
            cells = [self._cell(measure, of) for measure, of in self._measures(right, counts)]
            rows.append(Row([label_text(group), count_text(float(counts.total)), *cells]))
        return rows

    @property
    def note(self) -> str:
        """What the rates are of, in Markdown."""
        others = f" {count_text(self.groups.left_out)} smaller groups are not shown." if self.groups.left_out else ""
        level = level_text(self.intervals.level)
        return (
            f"Accuracy is that of all classes; the other rates set {label_markdown(self.name)} against the rest. "
            f"Small print: {level} intervals ({self.intervals.method_name}).{others}"
        )

    @property
    def table(self) -> dict[str, list[Any]]:
        """A row per group, unrounded."""
        columns: dict[str, list[Any]] = {"group": self.groups.names, "n": [float(c.total) for _, c in self._counts]}
        for index, key in enumerate(("accuracy", *_RATES)):
            each = [self._measures(*both)[index] for both in self._counts]
            results = [self.intervals.of(measure, of) for measure, of in each]
            columns[METRICS[key].short] = [float(measure(of)) for measure, of in each]
            for end in ("low", "high"):
                bounds = [math.nan if one is None else float(getattr(one[0], end)) for one in results]
                columns[f"{METRICS[key].short} {end}"] = bounds
        return columns

    @property
    def code(self) -> str:
        """Python that counts the same groups and asserts the rates."""
        table, current = self.of_table, self.of_table.current
        sample = f", sample={current.id!r}" if current.id in samples() else ""
        lines, at = [f"pairs = LabelPairs.of(source, {table.prediction!r})"], ""
        if table.at is not None:
            at = f"(scores, {literal(table.at[1])})"
            lines = [f"scores = Scores.of(source, {table.at[0].system!r})", f"pairs = LabelPairs.at{at}"]
        merged = [(new, *(old for old in table.groups if table.groups[old] == new)) for new in {*table.groups.values()}]
        return script(
            table.code,
            f"source = Source.of(data, {current.system!r}{sample})",
            *lines,
            f"table = ClassTable.of(source, {table.prediction!r}, pairs, {sorted(merged)!r}, {at or None})",
            f"groups = ClassGroups(table, {self.name!r}, IntervalChoice({self.intervals.method!r}, "
            f"{literal(self.intervals.level)})).table",
            "print(pd.DataFrame(groups))",
            *(check(f"groups[{name!r}]", self.table[name]) for name in ("n", "accuracy", METRICS["recall"].short)),
        )

    @cached_property
    def _counts(self) -> list[tuple[ConfusionCounts, ConfusionCounts]]:
        """Of each group the rows that are right and wrong, as counts, and the class against the rest."""
        table, pairs = self.of_table, self.of_table.rows
        used = pairs.actual >= 0
        actual, predicted = (codes[used] for codes in table.coded)
        weights = None if pairs.weights is None else pairs.weights[used]
        counts = []
        for group in self.groups.names:
            mask = self.groups.mask(group)
            own = None if weights is None else weights[mask]
            units = None if pairs.clusters is None else pairs.clusters[used][mask]
            matrix = ConfusionMatrix.from_labels(actual[mask], predicted[mask], range(len(table.classes)), own, units)
            right = actual[mask] == predicted[mask]
            as_counts = ConfusionCounts.from_labels(np.ones(len(right), bool), right, True, own, units)
            counts.append((as_counts, matrix.one_vs_rest()[table.classes.index(self.name)]))
        return counts

    @staticmethod
    def _measures(right: ConfusionCounts, counts: ConfusionCounts) -> list[tuple[MetricDef, ConfusionCounts]]:
        return [(METRICS["accuracy"], right), *((METRICS[key], counts) for key in _RATES)]

    def _cell(self, measure: MetricDef, counts: ConfusionCounts) -> Cell:
        value = float(measure(counts))
        if math.isnan(value):
            return Cell("undefined", kind="undefined", title=measure.undefined_when)
        return Cell(value_text(measure, value), strong=True, below=interval_text(measure, counts, self.intervals)[0])
