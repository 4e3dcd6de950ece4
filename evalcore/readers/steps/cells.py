"""Steps that change the cells or the name of columns: rename, merge labels, exclude codes, scale scores, add up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from evalcore.readers.base.number_texts import MARK_WAYS, read_numbers, with_mark_as
from evalcore.readers.base.problems import listed, named
from evalcore.readers.base.values import text_of
from evalcore.readers.steps.step import (
    Change,
    Step,
    existing,
    holds,
    is_number,
    numbers_in,
    refuse,
    with_columns,
    with_label,
)
from evalcore.wording.numbers import count_text

__all__ = ["SCALES", "Add", "Exclude", "Marks", "Merge", "Reach", "Rename", "Scale", "Toward"]


SCALES = {"percent": "÷ 100", "logistic": "1 ÷ (1 + e⁻ˣ)"}
"""How scores can be made probabilities, and the formula of each way."""

_SCALINGS = SCALES | {"mixed": "÷ 100 above 1", "opposite": "× (−1)"}


@dataclass(frozen=True)
class Rename(Step):
    """Give a column, which may be a system, another name."""

    word: ClassVar[str] = "rename"
    column: str
    to: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"Column {named(self.column)} is named {named(self.to)}"

    @property
    def names(self) -> dict[str, str]:
        """See `Step`."""
        return {self.column: self.to}

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, self.column)
        if not self.to.strip():
            refuse(f"Column {named(self.column)} needs a name.")
        if self.to != self.column and self.to in frame.columns:
            refuse(f"Another column is named {named(self.to)}.")
        return Change(frame.rename(columns=self.names), "")


@dataclass(frozen=True)
class Merge(Step):
    """Write some labels of columns as one label; a single label is renamed."""

    word: ClassVar[str] = "merge"
    columns: tuple[str, ...]
    values: tuple[str, ...]
    into: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{listed(self.values)} {_count(self.values)} as {named(self.into)} in {listed(self.columns, 3)}"

    @property
    def labels(self) -> dict[str, str]:
        """See `Step`."""
        return dict.fromkeys(self.values, self.into)

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, *self.columns)
        if not self.into.strip():
            refuse(f"The label that {listed(self.values)} become needs a name.")
        changed, cells, fewer = {}, 0, False
        for name in self.columns:
            changed[name], count, is_fewer = with_label(frame[name], self.values, self.into)
            cells, fewer = cells + count, fewer | is_fewer
        # the label may occur in another of the columns
        fewer |= cells > 0 and any(holds(frame[name], (self.into,)).any() for name in self.columns)
        return Change(with_columns(frame, changed), _cells_text(cells), fresh=fewer)


@dataclass(frozen=True)
class Exclude(Step):
    """Make the cells with some values missing; a column whose other cells are all numbers becomes one of numbers."""

    word: ClassVar[str] = "exclude"
    columns: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{listed(self.values)} {_count(self.values)} as missing in {listed(self.columns, 3)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, *self.columns)
        changed, cells = {}, 0
        for name in self.columns:
            hit = holds(frame[name], self.values)
            if count := int(hit.sum()):
                changed[name], cells = _without(frame[name], hit), cells + count
        return Change(with_columns(frame, changed), _cells_text(cells), fresh=cells > 0)


@dataclass(frozen=True)
class Scale(Step):
    """Turn percentages (all, or in a mixed column those above 1) or log-odds into probabilities, or reverse scores."""

    word: ClassVar[str] = "scale"
    columns: tuple[str, ...]
    way: str  # one of `_SCALINGS`

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{listed(self.columns, 3)} {_SCALINGS.get(self.way, '')}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        if self.way not in _SCALINGS:
            refuse(f"Scores cannot be scaled by {named(self.way)}. Choose {listed(_SCALINGS)}.")
        changed = {}
        for name in self.columns:
            numbers = numbers_in(frame, name)
            if self.way == "logistic":
                with np.errstate(over="ignore"):
                    scaled = 1 / (1 + np.exp(-numbers))
            elif self.way == "opposite":
                scaled = -numbers
            else:
                scaled = np.where((numbers > 1) | (self.way == "percent"), numbers / 100, numbers)
            changed[name] = pd.Series(scaled, frame.index)
        return Change(with_columns(frame, changed), "", fresh=True)


@dataclass(frozen=True)
class Marks(Step):
    """Read the mark in numbers such as 1.013, beside 992, as one of thousands or of decimals."""

    word: ClassVar[str] = "marks"
    columns: tuple[str, ...]
    way: str  # one of `MARK_WAYS`

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"The mark in {listed(self.columns, 3)} separates {self.way.split()[-1]}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, *self.columns)
        if self.way not in MARK_WAYS:
            refuse(f"A mark cannot be read as {named(self.way)}. Choose {listed(MARK_WAYS)}.")
        read = {name: with_mark_as(frame[name], self.way) for name in self.columns}
        numbers = {name: column for name, column in read.items() if column is not None}
        if len(numbers) < len(read):
            words = next(name for name in read if name not in numbers)
            refuse(f"Column {named(words)} holds text, where numbers are needed.")
        return Change(with_columns(frame, numbers), "", fresh=True)


@dataclass(frozen=True)
class Add(Step):
    """Replace columns of numbers, such as the probabilities of merged classes, by their sum."""

    word: ClassVar[str] = "add"
    columns: tuple[str, ...]
    into: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{named(self.into)} is the sum of {listed(self.columns)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        total = np.sum([numbers_in(frame, name) for name in self.columns], axis=0)
        first, *rest = self.columns
        if self.into in frame.columns.difference(list(self.columns)):
            refuse(f"Another column is named {named(self.into)}.")
        added = with_columns(frame, {first: pd.Series(total, frame.index)})
        return Change(added.drop(columns=rest).rename(columns={first: self.into}), "", fresh=True)


def _without(column: pd.Series, hit: np.ndarray) -> pd.Series:
    """The column with some cells missing, as numbers if all others read as numbers."""
    if is_number(column):
        return column.astype(np.float64).mask(hit)
    texts = column.map(text_of).astype("str") if column.dtype.kind == "b" else column
    texts = texts.mask(hit)
    numbers = read_numbers(texts)
    return texts if numbers is None else numbers


def _count(values: tuple[str, ...]) -> str:
    return "counts" if len(values) == 1 else "count"


def _cells_text(cells: int) -> str:
    return "1 cell" if cells == 1 else f"{count_text(cells)} cells"


@dataclass(frozen=True)
class Reach(Step):
    """Replace each number of a column by whether it reaches a limit: "≥ 150" or "< 150".

    >>> Reach("y", 150.0).apply(pd.DataFrame({"y": [150.0, 20.0, None]})).frame["y"].tolist()
    ['≥ 150', '< 150', None]
    """

    word: ClassVar[str] = "reach"
    column: str
    least: float

    @property
    def classes(self) -> tuple[str, str]:
        """The two classes: not reached, reached."""
        return f"< {text_of(self.least)}", f"≥ {text_of(self.least)}"

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{named(self.column)} is replaced by whether it reaches {text_of(self.least)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        if not np.isfinite(self.least):
            refuse("The limit is no number.")
        numbers = numbers_in(frame, self.column)
        labels = np.where(numbers >= self.least, *reversed(self.classes)).astype(object)
        labels[np.isnan(numbers)] = None
        return Change(with_columns(frame, {self.column: pd.Series(labels, frame.index, dtype=object)}), "", fresh=True)


@dataclass(frozen=True)
class Toward(Step):
    """Turn the confidence in the predicted label, of two, into the probability of one of them: 1 − it for the other."""

    word: ClassVar[str] = "toward"
    column: str
    predicted: str
    positive: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        what = f"{named(self.column)} is the probability of {named(self.positive)}"
        return f"{what}: 1 − it where {named(self.predicted)} is another label"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, self.predicted)
        numbers, labels = numbers_in(frame, self.column), frame[self.predicted]
        other = ~holds(labels, (self.positive,))
        turned = np.where(labels.isna(), np.nan, np.where(other, 1 - numbers, numbers))
        changed = with_columns(frame, {self.column: pd.Series(turned, frame.index)})
        return Change(changed, f"{count_text(int(other.sum()))} cells", fresh=True)
