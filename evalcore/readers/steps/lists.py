"""Steps that change one ranked list: the order of its documents, and the grade of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.readers.base.problems import listed, named
from evalcore.readers.base.values import text_of
from evalcore.readers.steps.step import Change, Step, existing, holds, numbers_in, refuse, with_columns
from evalcore.wording.numbers import count_text

__all__ = ["Cells", "Grade", "Order"]


def _where(frame: pd.DataFrame, where: Sequence[str]) -> npt.NDArray[np.bool_]:
    """The rows with a value in each column, given as column, value, column, value …; shape (rows,)."""
    if len(where) % 2:
        raise ValueError(where)
    existing(frame, *where[::2])
    rows = np.ones(len(frame), dtype=bool)
    for column, value in zip(where[::2], where[1::2], strict=True):
        rows &= holds(frame[column], (value,))
    return rows


@dataclass(frozen=True)
class Order(Step):
    """Put the documents of one list in another order: their ranks, or their scores, are dealt out anew.

    `by` is the column of ranks or scores, `first` says which comes first, "lowest" or "highest"; `where` are columns
    and values that name the list, `documents` all of its documents from first to last.
    """

    word: ClassVar[str] = "order"
    by: str
    first: str
    where: tuple[str, ...]
    column: str
    documents: tuple[str, ...]

    @property
    def target(self) -> tuple:
        """See `Step`."""
        return self.word, self.by, self.where

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"List {named(self.where[1])} of {named(self.by)} begins with {listed(self.documents[:3], 3)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        values = numbers_in(frame, self.by)
        existing(frame, self.column)
        rows = np.flatnonzero(_where(frame, self.where) & ~np.isnan(values))
        documents = pd.Series(frame[self.column].to_numpy()[rows], rows).map(text_of)
        rank = {document: place for place, document in enumerate(self.documents)}
        if len(rank) != len(documents) or set(rank) != set(documents):
            refuse(f"The list {named(self.where[1])} of {named(self.by)} holds other documents than it did.")
        dealt = np.sort(values[rows])
        if len(np.unique(dealt)) < len(dealt):
            dealt = np.arange(1.0, len(dealt) + 1)
        dealt = dealt if self.first == "lowest" else dealt[::-1]
        changed = values.copy()
        changed[rows] = dealt[documents.map(rank).to_numpy()]
        moved = int(np.count_nonzero(changed[rows] != values[rows]))
        return Change(with_columns(frame, {self.by: pd.Series(changed, frame.index)}), f"{moved} documents")


@dataclass(frozen=True)
class Grade(Step):
    """Give one document of one query another grade; `where` are columns and values that name it."""

    word: ClassVar[str] = "grade"
    column: str
    where: tuple[str, ...]
    value: float

    @property
    def target(self) -> tuple:
        """See `Step`."""
        return self.word, self.column, self.where

    @property
    def sentence(self) -> str:
        """See `Step`."""
        grade = "is unjudged" if np.isnan(self.value) else f"has grade {self.value:g}"
        return f"{named(self.where[-1])} {grade} for {named(self.where[1])}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        grades, rows = numbers_in(frame, self.column).copy(), _where(frame, self.where)
        if not rows.any():
            refuse(f"{named(self.where[-1])} is in no list of {named(self.where[1])}.")
        grades[rows] = self.value
        return Change(with_columns(frame, {self.column: pd.Series(grades, frame.index)}), "")


@dataclass(frozen=True)
class Cells(Step):
    """Rename, merge or (with an empty name) drop classes of a square confusion matrix of counts.

    The corner is the column that names the rows; if it is empty, the rows are in the order of the columns. Merged
    classes add up. Cases of a dropped class are left out; its predictions for other cases stay, as errors.
    """

    word: ClassVar[str] = "cells"
    corner: str
    rows_are: str  # "actual" or "predicted"
    classes: tuple[str, ...]
    into: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        one = len(self.classes) == 1
        if not self.into:
            return f"{listed(self.classes)} {'is' if one else 'are'} left out"
        return f"{listed(self.classes)} {'counts' if one else 'count'} as {named(self.into)}"

    @property
    def names(self) -> dict[str, str]:
        """See `Step`."""
        return dict.fromkeys(self.classes, self.into) if self.into else {}

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        names = [name for name in frame.columns if name != self.corner]
        existing(frame, *self.classes, *([self.corner] if self.corner else []))
        if len(names) != len(frame):
            refuse("The table is not a square matrix of classes.")
        if self.into in set(names).difference(self.classes):
            refuse(f"Another class is named {named(self.into)}. Merge the two.")
        rows = self._rows(frame, names)
        cells = np.column_stack([numbers_in(frame, name) for name in names])[rows]
        if not np.isfinite(cells).all():
            refuse("A cell of the matrix has no number.")
        if self.rows_are == "predicted":
            cells = cells.T
        chosen = np.isin(names, self.classes)
        first = int(chosen.argmax())
        if self.into:
            total = float(cells[chosen].sum())
            target = np.where(chosen, first, np.arange(len(names)))
            merged = np.zeros_like(cells)
            np.add.at(merged, (target[:, None], target[None, :]), cells)
            cells, names[first] = merged, self.into
            stays = ~chosen | (np.arange(len(names)) == first)
        else:
            total = float(cells[chosen].sum())
            cells[chosen] = 0
            stays = ~chosen | (cells.sum(axis=0) != 0)
        kept = np.flatnonzero(stays)
        if len(kept) < 2:
            refuse("At least two classes must stay.")
        cells = cells[np.ix_(kept, kept)]
        if self.rows_are == "predicted":
            cells = cells.T
        whole = np.isfinite(cells).all() and (cells == np.rint(cells)).all()
        left = [names[index] for index in kept]
        shaped = pd.DataFrame(cells.astype(np.int64) if whole else cells, columns=pd.Index(left, dtype="str"))
        if self.corner:
            shaped.insert(0, self.corner, pd.Series(left, dtype="str"))
        return Change(shaped, f"{count_text(round(total))} cases", np.asarray(rows)[kept])

    def _rows(self, frame: pd.DataFrame, names: list[str]) -> list[int]:
        """The row of each class."""
        if not self.corner:
            return list(range(len(names)))
        rows = {text_of(name).strip().casefold(): row for row, name in enumerate(frame[self.corner])}
        if len(rows) < len(names) or not rows.keys() >= {name.strip().casefold() for name in names}:
            refuse("The rows and columns of the matrix have different names.")
        return [rows[name.strip().casefold()] for name in names]
