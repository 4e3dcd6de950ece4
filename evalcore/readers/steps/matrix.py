"""The step that changes the classes of a square matrix of counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from evalcore.readers.problems import listed, named
from evalcore.readers.steps.step import Change, Step, existing, numbers_in, refuse
from evalcore.readers.values import text_of
from evalcore.wording.numbers import count_text

__all__ = ["Cells"]


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
