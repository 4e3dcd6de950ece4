"""A step of shaping a table: what it changes, its text in a link, and its words on the screen."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, NoReturn, Self
from urllib.parse import quote, unquote

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.numeric import Array, Flags
from evalcore.readers.base.problems import ReadProblem, named
from evalcore.readers.base.values import MOST_LABELS, parsed_value, text_of

__all__ = ["MENDED_ON_DATA", "Step", "Title", "holds"]


MENDED_ON_DATA = "Remove this step on the Data page, or change it."

_EMPTY = "*"  # an empty text in a link, as two marks beside each other begin the next step


@dataclass(frozen=True, eq=False)
class Change:
    """A table after one step: the rows that it keeps (None: all of them), and a sentence about it.

    It is `fresh` if its columns hold other values than before, so that their roles are to be recognized again.
    """

    frame: pd.DataFrame
    note: str
    rows: npt.NDArray[np.int64] | None = None
    fresh: bool = False


@dataclass(frozen=True)
class Step:
    """A change of a table. Its fields are names, lists of names (at least one each), and numbers."""

    word: ClassVar[str]
    """First word of its text: the name of its class."""

    def __init_subclass__(cls) -> None:
        cls.word = cls.__name__.lower()

    def apply(self, frame: pd.DataFrame) -> Change:
        """The table after this step. Raises ReadProblem if it does not fit the table."""
        raise NotImplementedError

    @property
    def sentence(self) -> str:
        """Describe the step in a sentence, with names from the file: escape them."""
        raise NotImplementedError

    @property
    def target(self) -> tuple:
        """Key of the cell or column that the step edits, so that a later edit replaces it; else empty."""
        return ()

    @property
    def names(self) -> Mapping[str, str]:
        """The new name of each column that it renames."""
        return {}

    @property
    def labels(self) -> Mapping[str, str]:
        """The new text of each label that it replaces."""
        return {}

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
    """The column with some labels replaced by another, in how many cells, and whether it has fewer labels now.

    It becomes text if the new label is none of its type.
    """
    if is_number(column) and (value := parsed_value(into, column)) is not None:
        hit = holds(column, labels)
        fewer = column[hit].nunique() > 1 or bool((holds(column, [into]) & ~hit).any())
        return column.where(~hit, value), int(hit.sum()), fewer
    codes, values = pd.factorize(column)
    if column.dtype != "str" and len(values) > MOST_LABELS:
        refuse(f"Column {named(column.name)} holds numbers, so {named(into)} cannot be one of its labels.")
    texts = np.array([text_of(value) for value in values], dtype=object)
    replaced = np.array([text in labels for text in texts], dtype=bool)
    count = int(np.bincount(codes[codes >= 0], minlength=len(texts))[replaced].sum())
    if not count:
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

    @property
    def sentence(self) -> str:
        return f"The data set is named {named(self.title)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        if not self.title.strip():
            refuse("The data set needs a name.")
        return Change(frame, "")
