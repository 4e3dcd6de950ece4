"""Counts of labels: actual and predicted, of one system or of several on the same rows, by group and by unit."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.classification import ConfusionMatrix
from evalcore.classification.several.matrix import ClusteredPairs
from evalcore.engines.frames import Grouped, Summary, chosen, collected, columns, usable_weights
from evalcore.inference import PairedClasses
from evalcore.numeric import Array, Indices
from evalcore.readers import ReadProblem, named, ordered, text_of
from evalcore.readers.base.problems import listed
from evalcore.wording.numbers import count_text

__all__ = ["LabelCounts", "labels_in"]

MOST_CLASSES = 1_000
MOST_UNIT_ROWS = 20_000_000  # rows that are written out again where rows belong together


@dataclass(frozen=True, eq=False)
class LabelCounts(Grouped):
    """Number of rows of each actual label and prediction. ``a + b`` counts the rows of both.

    The summary has the count by "actual", "predicted 0", "predicted 1", …, and by "group" and "unit" where there are
    such. Where rows have weights the count is their sum, beside "rows" and the sum of "squares". Left out are rows that
    lack a label.
    """

    summary: Summary
    systems: tuple[str, ...]
    left_out: float = 0.0

    @classmethod
    def of(
        cls, frame: Any, actual: str, predicted: str | Sequence[str], *, group: str | None = None,
        unit: str | None = None, weight: str | None = None,
    ) -> "LabelCounts":  # fmt: skip
        """Count the rows of a table of DuckDB, Polars, PySpark, Dask, pandas or pyarrow on its engine.

        There is a column of predictions per system. A unit is what rows belong to; weights are added up instead of
        rows. Raises ReadProblem for a missing or unfit column, more than 1,000 classes, a negative weight, or too large
        a summary.

        >>> import pyarrow as pa
        >>> table = pa.table({"y": ["a", "b", "b"], "p": ["a", "a", "b"]})
        >>> LabelCounts.of(table, "y", "p").matrix().counts.tolist()
        [[1.0, 0.0], [1.0, 1.0]]
        """
        systems = _systems(predicted)
        parts = _parts(actual, systems, group, unit)
        forms = {part: (column, "label") for part, column in parts.items()}
        forms |= {part: (column, "number") for part, column in chosen(weight=weight).items()}
        table, sums, without = usable_weights(columns(frame, forms), weight)
        counts = cls._of(Summary.of(table, parts, sums, what="table of counts by label"), systems)
        return replace(counts, left_out=counts.left_out + without)

    @classmethod
    def of_table(
        cls, table: Any, predicted: str | Sequence[str] = "predicted", *, actual: str = "actual", count: str = "count",
        group: str | None = None, unit: str | None = None,
    ) -> "LabelCounts":  # fmt: skip
        """Build the counts from a summary made elsewhere: one row per combination, with its count.

        >>> table = {"actual": [1, 1, 0], "predicted": [1, 0, 0], "count": [40, 10, 950]}
        >>> LabelCounts.of_table(table).matrix().counts.tolist()
        [[950.0, 0.0], [10.0, 40.0]]
        """
        systems = _systems(predicted)
        return cls._of(Summary.of_table(table, _parts(actual, systems, group, unit), {"count": count}), systems)

    @classmethod
    def _of(cls, summary: Summary, systems: tuple[str, ...]) -> "LabelCounts":
        labels, summary = ["actual", *_predicted(systems)], summary.with_read_keys()
        complete = np.logical_and.reduce([summary.keys[name] != "" for name in labels])
        left_out = float(summary.rows[~complete].sum())
        summary = summary[complete].merged().refuse_without_unit()
        for name, column in zip(labels, ("the true label", *map(named, systems)), strict=True):
            if (classes := len(set(summary.keys[name]))) > MOST_CLASSES:
                sentence = f"There are {count_text(classes)} different values of {column}, and a table of classes "
                raise ReadProblem(f"{sentence}takes at most {count_text(MOST_CLASSES)}. Choose a column of classes.")
        return cls(summary, systems, left_out)

    def __add__(self, other: "LabelCounts") -> "LabelCounts":
        if self.systems != other.systems:
            raise ValueError(f"These are counts of {self.systems} and of {other.systems}; count the same systems.")
        return LabelCounts(self.summary + other.summary, self.systems, self.left_out + other.left_out)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Every label that is true or predicted somewhere, in natural order."""
        names = ["actual", *_predicted(self.systems)]
        return ordered(tuple({label for name in names for label in self.summary.keys[name].tolist()}))

    def matrix(self, system: str | None = None) -> ConfusionMatrix:
        """The confusion matrix of one system, by default the first; with units, intervals take whole units."""
        (actual, predicted), (rows, units, weights) = self._coded(self.systems[0] if system is None else system)
        k = len(self.classes)
        cells = np.bincount(actual * k + predicted, self.summary.sums["count"], k * k).reshape(k, k)
        pairs = None if units is None else ClusteredPairs(actual[rows], predicted[rows], units, weights)
        return ConfusionMatrix(self.classes, cells, pairs)

    def paired(self, a: str, b: str) -> PairedClasses:
        """Two systems on the same rows, for comparisons of labels.

        >>> table = {"actual": ["x", "x", "y"], "a": ["x", "y", "y"], "b": ["x", "x", "x"], "count": [5, 3, 2]}
        >>> LabelCounts.of_table(table, ("a", "b")).paired("a", "b").right().right()
        (5.0, 2.0, 3.0, 0.0)
        """
        (actual, of_a, of_b), (rows, units, weights) = self._coded(a, b)
        return PairedClasses.from_codes(actual[rows], of_a[rows], of_b[rows], self.classes, weights, units)

    def _coded(self, *systems: str) -> tuple[list[Indices], tuple[Any, Indices | None, Array | None]]:
        """Codes of the actual labels and of predictions by entry, and the rows of units; else every entry is a row."""
        keys, counts, names = self.summary.keys, self.summary.sums["count"], ["actual"]
        for system in systems:
            if system not in self.systems:
                raise ReadProblem(f"{named(system)} was not counted. Choose {listed(self.systems)}.")
            names.append(f"predicted {self.systems.index(system)}")
        places = {label: place for place, label in enumerate(self.classes)}
        codes = [np.array([places[label] for label in keys[name].tolist()], dtype=np.intp) for name in names]
        if "unit" not in keys:
            return codes, (slice(None), None, counts)
        return codes, unit_rows(keys["unit"], counts, "rows" in self.summary.sums)


def labels_in(frame: Any, column: str) -> dict[str, int]:
    """The labels in a column of a table, in natural order, each with its number of rows.

    Raises ReadProblem if the column is missing or of another type, or has more than 1,000 labels.

    >>> import pyarrow as pa
    >>> labels_in(pa.table({"actual": [0, 0, 10, 2, None]}), "actual")
    {'0': 2, '2': 1, '10': 1}
    """
    labels: dict[str, int] = {}
    for label, count in distinct_labels(columns(frame, {"label": (column, "label")}), column):
        labels[text_of(label)] = labels.get(text_of(label), 0) + int(count)
    return {label: labels[label] for label in ordered(tuple(labels))}


def distinct_labels(table: nw.LazyFrame[Any], column: str) -> list[tuple[Any, float]]:
    """Values of "label" as the engine has them, with their number of rows, without missing ones."""
    distinct = table.group_by("label", drop_null_keys=False).agg(nw.len().alias("count"))
    # One more may be missing, and one more tells that there are too many.
    counts = collected(distinct.head(MOST_CLASSES + 2), "list of labels")
    labels = [one for one in zip(counts["label"].tolist(), counts["count"].tolist(), strict=True) if text_of(one[0])]
    if len(labels) > MOST_CLASSES:
        sentence = f"Column {named(column)} has more than {count_text(MOST_CLASSES)} different labels, as a column of "
        raise ReadProblem(f"{sentence}identifiers or numbers has. Choose a column of classes as the true label.")
    return labels


UnitRows = tuple[Indices, Indices, Array | None]
"""The entry of a summary that each row is counted in, the code of what the row belongs to, and its weight if any."""


def unit_rows(units: np.ndarray, counts: np.ndarray, is_weighted: bool) -> UnitRows:
    """Expand counts to rows, up to `MOST_UNIT_ROWS`, for better intervals; a row without a unit is alone."""
    if is_weighted:
        used = np.flatnonzero(counts > 0)
        return used, _codes(units[used].astype(str)), counts[used]
    if (total := counts.sum()) > MOST_UNIT_ROWS:
        sentence = f"Rows that belong together can be used up to {count_text(MOST_UNIT_ROWS)} of them; there are "
        raise ReadProblem(f"{sentence}{count_text(int(total))}. Leave out what they belong to, or use fewer rows.")
    rows = np.repeat(np.arange(len(counts)), counts.astype(np.intp))
    codes = _codes(units.astype(str))[rows]
    alone = np.flatnonzero((units == "")[rows])
    codes[alone] = codes.max(initial=0) + 1 + np.arange(len(alone))
    return rows, _codes(codes), None


def _codes(values: np.ndarray) -> Indices:
    """Number the distinct values in their order."""
    return np.unique(values, return_inverse=True)[1].astype(np.intp)


def _parts(actual: str, systems: tuple[str, ...], group: str | None, unit: str | None) -> dict[str, str]:
    if not systems:
        raise ReadProblem("There is no column of predictions. Choose at least one.")
    return chosen(actual=actual, **dict(zip(_predicted(systems), systems, strict=True)), group=group, unit=unit)


def _systems(predicted: str | Sequence[str]) -> tuple[str, ...]:
    return (predicted,) if isinstance(predicted, str) else tuple(predicted)


def _predicted(systems: tuple[str, ...]) -> list[str]:
    return [f"predicted {place}" for place in range(len(systems))]
