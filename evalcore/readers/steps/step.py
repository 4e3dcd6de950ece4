"""A step of shaping a table, and the steps that change cells, columns' names or one ranked list."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, NoReturn, Self
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.numeric import Array, Flags
from evalcore.readers.base.problems import ReadProblem, listed, named
from evalcore.readers.base.values import MARK_WAYS, MOST_LABELS, parsed_value, read_numbers, text_of, with_mark_as
from evalcore.wording.numbers import count_text

__all__ = ["MENDED_ON_DATA", "SCALES", "Add", "Cells", "Exclude", "Grade", "Marks", "Merge", "Order", "Reach", "Rename"]
__all__ += ["Scale", "Step", "Title", "Toward", "holds"]


MENDED_ON_DATA = "Remove this step on the Data page, or change it."
_EMPTY = "*"  # an empty text in a link, as two marks beside each other begin the next step


@dataclass(frozen=True, eq=False)
class Change:
    """A table after a step, the rows that stay (None: all), a note, and whether roles are recognized again."""

    frame: pd.DataFrame
    note: str
    rows: npt.NDArray[np.int64] | None = None
    fresh: bool = False


@dataclass(frozen=True)
class Step:
    """A change of a table. Its fields are names, lists of names (at least one each), and numbers."""

    word: ClassVar[str]
    """First word of its text: the name of its class."""
    target = property(lambda self: ())
    """Key of the cell or column that the step edits, so that a later edit replaces it; else empty."""
    names = property(lambda self: {})
    """The new name of each column that it renames."""
    labels = property(lambda self: {})
    """The new text of each label that it replaces."""

    def __init_subclass__(cls) -> None:
        cls.word = cls.__name__.lower()

    def apply(self, frame: pd.DataFrame) -> Change:
        """The table after this step. Raises ReadProblem if it does not fit the table."""
        raise NotImplementedError

    @property
    def sentence(self) -> str:
        """Describe the step in a sentence, with names from the file: escape them."""
        raise NotImplementedError

    def to_text(self) -> str:
        """The step as a short text for a link; `Shape.from_text` reads it."""
        texts = [",".join(map(_quoted, _texts(getattr(self, field.name)))) for field in fields(self)]
        return "~".join([self.word, *texts])

    @classmethod
    def of_texts(cls, texts: Sequence[str]) -> Self:
        """The step with these texts in its fields. Raises ValueError if they do not fit."""
        values = []
        for field, text in zip(fields(cls), texts, strict=True):
            several = tuple(map(_unquoted, text.split(",")))
            if field.type != tuple[str, ...] and len(several) != 1:
                raise ValueError(text)
            if field.type is float:
                values.append(float(several[0]) if several[0] else np.nan)
            else:
                values.append(several[0] if field.type is str else several)
        return cls(*values)


def steps_text(steps: Iterable[Step]) -> str:
    """Some steps as a short text for a link; `Shape.from_text` reads it."""
    return "~~".join(step.to_text() for step in steps)


def existing(frame: pd.DataFrame, *names: str) -> None:
    """Raise ReadProblem if a column does not exist."""
    for name in names:
        if name not in frame.columns:
            refuse(f"There is no column {named(name)} in this table.")


def refuse(reason: str) -> NoReturn:
    """Raise the problem of a step that does not fit its table."""
    raise ReadProblem(f"{reason} {MENDED_ON_DATA}")


def is_number(column: pd.Series) -> bool:
    """Whether a column holds numbers."""
    return column.dtype.kind in "iuf"


def numbers_in(frame: pd.DataFrame, name: str) -> Array:
    """A column of numbers as floats. Raises ReadProblem if it holds text."""
    existing(frame, name)
    if not is_number(frame[name]):
        refuse(f"Column {named(name)} holds text, where numbers are needed.")
    return frame[name].to_numpy(np.float64, na_value=np.nan)


def holds(column: pd.Series, texts: Iterable[str]) -> Flags:
    """Cells with a value of one of these texts (see `text_of`), as flags, shape (rows,)."""
    values = [value for value in (parsed_value(text, column) for text in texts) if value is not None]
    return column.isin(values).to_numpy(bool)


def with_label(column: pd.Series, labels: Collection[str], into: str) -> tuple[pd.Series, int, bool]:
    """The column with some labels as another, or as text; in how many cells, and whether it has fewer labels now."""
    if is_number(column) and (value := parsed_value(into, column)) is not None:
        hit = holds(column, labels)
        fewer = column[hit].nunique() > 1 or bool((holds(column, [into]) & ~hit).any())
        return column.where(~hit, value), int(hit.sum()), fewer
    codes, values = pd.factorize(column)
    if column.dtype != "str" and len(values) > MOST_LABELS:
        refuse(f"Column {named(column.name)} holds numbers, so {named(into)} cannot be one of its labels.")
    texts = np.array([text_of(value) for value in values], dtype=object)
    replaced = np.array([text in labels for text in texts], dtype=bool)
    if not (count := int(np.bincount(codes[codes >= 0], minlength=len(texts))[replaced].sum())):
        return column, 0, False
    fewer = int(replaced.sum()) > 1 or into in texts[~replaced]
    texts[replaced] = into
    return pd.Series(pd.array(texts, dtype="str").take(codes, allow_fill=True), column.index), count, fewer


def with_columns(frame: pd.DataFrame, columns: Mapping[str, pd.Series]) -> pd.DataFrame:
    """The table with other columns under the same names; the rest is shared."""
    return pd.DataFrame({name: columns.get(name, frame[name]) for name in frame.columns}, index=frame.index, copy=False)


def values_at(column: pd.Series, rows: np.ndarray) -> pd.Series:
    """Values of a column in some rows; missing where the row is -1."""
    if column.dtype.kind == "b" and (rows < 0).any():
        column = column.map(text_of).astype("str")
    return pd.Series(pd.api.extensions.take(column.array, rows, allow_fill=True))


def _texts(value: object) -> Sequence[str]:
    if isinstance(value, (int, float)):
        return ["" if np.isnan(value) else text_of(value)]
    return [value] if isinstance(value, str) else value  # type: ignore[return-value]


def _quoted(text: str) -> str:
    return quote(text, safe="", errors="replace").replace("~", "%7E") or _EMPTY


def _unquoted(text: str) -> str:
    if not text:  # cut off
        raise ValueError(text)
    return "" if text == _EMPTY else unquote(text, errors="strict")


@dataclass(frozen=True)
class Title(Step):
    """Give the data set a name; its file keeps its own."""

    title: str
    sentence = property(lambda self: f"The data set is named {named(self.title)}")

    def apply(self, frame: pd.DataFrame) -> Change:
        if not self.title.strip():
            refuse("The data set needs a name.")
        return Change(frame, "")


SCALES = {"percent": "÷ 100", "logistic": "1 ÷ (1 + e⁻ˣ)"}
"""How scores can be made probabilities, and the formula of each way."""

_SCALINGS = SCALES | {"mixed": "÷ 100 above 1", "opposite": "× (−1)"}


@dataclass(frozen=True)
class Rename(Step):
    """Give a column, which may be a system, another name."""

    column: str
    to: str
    sentence = property(lambda self: f"Column {named(self.column)} is named {named(self.to)}")
    names = property(lambda self: {self.column: self.to})

    def apply(self, frame: pd.DataFrame) -> Change:
        existing(frame, self.column)
        if not self.to.strip():
            refuse(f"Column {named(self.column)} needs a name.")
        if self.to != self.column and self.to in frame.columns:
            refuse(f"Another column is named {named(self.to)}.")
        return Change(frame.rename(columns=self.names), "")


@dataclass(frozen=True)
class Merge(Step):
    """Write some labels of columns as one label; a single label is renamed."""

    columns: tuple[str, ...]
    values: tuple[str, ...]
    into: str

    @property
    def sentence(self) -> str:
        return f"{listed(self.values)} {_count(self.values)} as {named(self.into)} in {listed(self.columns, 3)}"

    labels = property(lambda self: dict.fromkeys(self.values, self.into))

    def apply(self, frame: pd.DataFrame) -> Change:
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

    columns: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def sentence(self) -> str:
        return f"{listed(self.values)} {_count(self.values)} as missing in {listed(self.columns, 3)}"

    def apply(self, frame: pd.DataFrame) -> Change:
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

    columns: tuple[str, ...]
    way: str  # one of `_SCALINGS`
    sentence = property(lambda self: f"{listed(self.columns, 3)} {_SCALINGS.get(self.way, '')}")

    def apply(self, frame: pd.DataFrame) -> Change:
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

    columns: tuple[str, ...]
    way: str  # one of `MARK_WAYS`
    sentence = property(lambda self: f"The mark in {listed(self.columns, 3)} separates {self.way.split()[-1]}")

    def apply(self, frame: pd.DataFrame) -> Change:
        existing(frame, *self.columns)
        if self.way not in MARK_WAYS:
            refuse(f"A mark cannot be read as {named(self.way)}. Choose {listed(MARK_WAYS)}.")
        numbers = {}
        for name in self.columns:
            if (column := with_mark_as(frame[name], self.way)) is None:
                refuse(f"Column {named(name)} holds text, where numbers are needed.")
            numbers[name] = column
        return Change(with_columns(frame, numbers), "", fresh=True)


@dataclass(frozen=True)
class Add(Step):
    """Replace columns of numbers, such as the probabilities of merged classes, by their sum."""

    columns: tuple[str, ...]
    into: str
    sentence = property(lambda self: f"{named(self.into)} is the sum of {listed(self.columns)}")

    def apply(self, frame: pd.DataFrame) -> Change:
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

    column: str
    least: float

    @property
    def classes(self) -> tuple[str, str]:
        """The two classes: not reached, reached."""
        return f"< {text_of(self.least)}", f"≥ {text_of(self.least)}"

    sentence = property(lambda self: f"{named(self.column)} is replaced by whether it reaches {text_of(self.least)}")

    def apply(self, frame: pd.DataFrame) -> Change:
        if not np.isfinite(self.least):
            refuse("The limit is not a number.")
        numbers = numbers_in(frame, self.column)
        labels = np.where(numbers >= self.least, *reversed(self.classes)).astype(object)
        labels[np.isnan(numbers)] = None
        return Change(with_columns(frame, {self.column: pd.Series(labels, frame.index, dtype=object)}), "", fresh=True)


@dataclass(frozen=True)
class Toward(Step):
    """Turn the confidence in the predicted label, of two, into the probability of one of them: 1 − it for the other."""

    column: str
    predicted: str
    positive: str

    @property
    def sentence(self) -> str:
        what = f"{named(self.column)} is the probability of {named(self.positive)}"
        return f"{what}: 1 − it where {named(self.predicted)} is another label"

    def apply(self, frame: pd.DataFrame) -> Change:
        existing(frame, self.predicted)
        numbers, labels = numbers_in(frame, self.column), frame[self.predicted]
        other = ~holds(labels, (self.positive,))
        turned = np.where(labels.isna(), np.nan, np.where(other, 1 - numbers, numbers))
        changed = with_columns(frame, {self.column: pd.Series(turned, frame.index)})
        return Change(changed, f"{count_text(int(other.sum()))} cells", fresh=True)


def _where(frame: pd.DataFrame, where: Sequence[str]) -> Flags:
    """The rows with a value in each column, given as column, value, column, value …; shape (rows,)."""
    existing(frame, *where[::2])
    pairs = zip(where[::2], where[1::2], strict=True)
    return np.logical_and.reduce([np.ones(len(frame), bool), *(holds(frame[name], (value,)) for name, value in pairs)])


@dataclass(frozen=True)
class Order(Step):
    """Deal out the ranks or scores `by` of one list anew, so that its `documents` stand from first to last.

    `first` is "lowest" or "highest", `where` are columns and values that name the list.
    """

    by: str
    first: str
    where: tuple[str, ...]
    column: str
    documents: tuple[str, ...]
    target = property(lambda self: (self.word, self.by, self.where))

    @property
    def sentence(self) -> str:
        return f"List {named(self.where[1])} of {named(self.by)} begins with {listed(self.documents[:3], 3)}"

    def apply(self, frame: pd.DataFrame) -> Change:
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

    column: str
    where: tuple[str, ...]
    value: float
    target = property(lambda self: (self.word, self.column, self.where))

    @property
    def sentence(self) -> str:
        grade = "is unjudged" if np.isnan(self.value) else f"has grade {self.value:g}"
        return f"{named(self.where[-1])} {grade} for {named(self.where[1])}"

    def apply(self, frame: pd.DataFrame) -> Change:
        grades, rows = numbers_in(frame, self.column).copy(), _where(frame, self.where)
        if not rows.any():
            refuse(f"{named(self.where[-1])} is in no list of {named(self.where[1])}.")
        grades[rows] = self.value
        return Change(with_columns(frame, {self.column: pd.Series(grades, frame.index)}), "")


@dataclass(frozen=True)
class Cells(Step):
    """Rename, merge or (with an empty name) drop classes of a square confusion matrix of counts.

    The corner is the column that names the rows; if it is empty, they are in the order of the columns. Merged classes
    add up. Cases of a dropped class are left out; its predictions for other cases stay, as errors.
    """

    corner: str
    rows_are: str  # "actual" or "predicted"
    classes: tuple[str, ...]
    into: str

    @property
    def sentence(self) -> str:
        one = len(self.classes) == 1
        if not self.into:
            return f"{listed(self.classes)} {'is' if one else 'are'} left out"
        return f"{listed(self.classes)} {'counts' if one else 'count'} as {named(self.into)}"

    names = property(lambda self: dict.fromkeys(self.classes, self.into) if self.into else {})

    def apply(self, frame: pd.DataFrame) -> Change:
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
        first, total = int(chosen.argmax()), float(cells[chosen].sum())
        if self.into:
            target = np.where(chosen, first, np.arange(len(names)))
            merged = np.zeros_like(cells)
            np.add.at(merged, (target[:, None], target[None, :]), cells)
            cells, names[first] = merged, self.into
            stays = ~chosen | (np.arange(len(names)) == first)
        else:
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
