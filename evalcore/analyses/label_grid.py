"""Two labels at a time: which are true together, and which one is predicted where another is missed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evalcore.analyses.multilabel import LabelTable
from evalcore.analyses.source import Source
from evalcore.classification import ConfusionMatrix, LabelSets, cooccurrence, missed_and_extra
from evalcore.numeric import ratio
from evalcore.wording import label_markdown

__all__ = ["GRID", "LabelGrid"]

GRID = 60
"""Labels of a grid; of more, the most frequent."""


@dataclass(frozen=True, eq=False)
class LabelGrid:
    """Two labels per cell: which are true together, or which one is predicted where another is missed."""

    table: LabelTable
    missed: bool  # whether the rows are missed labels and the columns wrong ones; else both are true labels

    @property
    def current(self) -> Source:
        """The open data."""
        return self.table.current

    @property
    def key(self) -> str:
        """Cache key of the picture."""
        return f"{self.table.key}\n{self.missed}"

    @cached_property
    def labels(self) -> np.ndarray:
        """Places of the labels in the grid: all, or of very many the most frequent."""
        support = self.table.sets.one_vs_rest().actual_positives
        return np.sort(np.argsort(-support, kind="stable")[:GRID])

    @property
    def classes(self) -> tuple[str, ...]:
        """The labels in the grid."""
        return tuple(self.table.sets.classes[index] for index in self.labels)

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """The cells; those on the diagonal are the rows whose label is found, or the rows of the label."""
        cells = (missed_and_extra if self.missed else cooccurrence)(self.table.sets)
        return ConfusionMatrix(self.classes, cells[np.ix_(self.labels, self.labels)])

    @cached_property
    def shares(self) -> np.ndarray:
        """The cells as shares of the rows that have the label of the line."""
        support = self.table.sets.one_vs_rest().actual_positives[self.labels]
        return ratio(self.matrix.counts, support[:, None])

    @property
    def pairs(self) -> LabelSets:
        """The rows behind the cells."""
        return self.table.sets

    @property
    def axes(self) -> tuple[str, str]:
        """What lines and columns are."""
        return ("missed", "wrongly predicted") if self.missed else ("true", "also true")

    def picked(self, pick: object, actual_in_rows: bool = True) -> Sequence[str | None]:
        """The two labels that were clicked; a pick comes from a browser, so it may be anything."""
        indices = (pick.get("row"), pick.get("column")) if isinstance(pick, dict) else (None, None)
        k = len(self.classes)
        return [self.classes[index] if isinstance(index, int) and 0 <= index < k else None for index in indices]

    def rows_of(self, one: str, two: str) -> np.ndarray:
        """Numbers of the rows behind a cell, counted from 0 in the table as it was read."""
        sets, k = self.table.sets, len(self.table.sets.classes)

        def has(pairs: np.ndarray, label: str) -> np.ndarray:
            mask = np.zeros(sets.rows, bool)
            mask[pairs[pairs % k == sets.classes.index(label)] // k] = True
            return mask

        if not self.missed:
            mask = has(sets.actual, one) & has(sets.actual, two)
        elif one == two:
            mask = has(sets.actual, one) & has(sets.predicted, one)
        else:
            mask = has(sets.actual, one) & ~has(sets.predicted, one)
            mask &= has(sets.predicted, two) & ~has(sets.actual, two)
        return np.flatnonzero(self.current.dataset.label_rows().complete)[mask]

    def cell_text(self, one: str, two: str, count: str) -> str:
        """How many rows a cell holds, in Markdown."""
        first, second = label_markdown(one), label_markdown(two)
        if one == two:
            return f"**{count}** rows have {first}{', and it is predicted' if self.missed else ''}."
        if self.missed:
            return f"**{count}** rows have {first}, which is missed, and are given {second}, which is wrong."
        return f"**{count}** rows have both {first} and {second}."

    @property
    def largest(self) -> list[tuple[str, str, float, float]]:
        """The two labels of the largest cells off the diagonal, their rows, and their share of the first label."""
        counts = np.where(np.eye(len(self.classes), dtype=bool), 0.0, self.matrix.counts)
        if not self.missed:
            counts = np.triu(counts)
        order = np.argsort(-counts, axis=None, kind="stable")[:8]
        pairs = ((*divmod(int(index), len(self.classes)), float(counts.flat[index])) for index in order)
        return [(self.classes[a], self.classes[b], n, float(self.shares[a, b])) for a, b, n in pairs if n]

    @property
    def columns(self) -> dict[str, list]:
        """The grid as columns, the first naming the label of the line."""
        corner = self.axes[0]
        while corner in self.classes:
            corner += " label"
        return {corner: list(self.classes)} | dict(zip(self.classes, self.matrix.counts.T.tolist(), strict=True))
