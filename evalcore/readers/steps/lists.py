"""Steps that change one ranked list: the order of its documents, and the grade of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.readers.problems import listed, named
from evalcore.readers.steps.step import Change, Step, existing, holds, numbers_in, refuse, with_columns
from evalcore.readers.values import text_of

__all__ = ["Grade", "Order"]


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
