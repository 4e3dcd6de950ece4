"""Label values: as text, back from text, and which of two is positive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from evalcore.classification.labels import is_positive_word, text_of, usual_positive
from evalcore.readers.problems import ReadProblem, named

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["text_of"]

Value = bool | int | float | str

_HEAD = 1_000


def value_of(text: str, column: pd.Series) -> Value:
    """The value of a column with this text, the inverse of `text_of`."""
    if (value := parsed_value(text, column)) is not None:
        for rows in (column.iloc[:_HEAD], column):  # most labels occur in the first rows
            matches = rows[(rows == value).fillna(False).to_numpy(bool)]
            if len(matches):
                return plain(matches.iloc[0])
    raise ReadProblem(f"No row of column {named(column.name)} holds {named(text)}. Choose a value that occurs in it.")


def parsed_value(text: str, column: pd.Series) -> Any:
    """The value with this text in the type of a column; None if it has none."""
    kind = column.dtype.kind
    if kind == "b":
        return {"True": True, "False": False}.get(text)
    if kind in "iuf":
        # in the type of the column, as a whole number may be too long for a float
        try:
            value = column.dtype.type(int(text) if kind in "iu" else text)
        except (ValueError, OverflowError):
            return None
        return value if value == value else None
    return text


def plain(value: Any) -> Value:
    """A numpy or pandas scalar as a plain Python value."""
    return value.item() if isinstance(value, np.generic) else value


def positive_value(counts: Mapping[Value, int]) -> tuple[Value, str]:
    """The value of a label column that is most likely positive, and the reason in words."""
    if (usual := usual_positive(counts)) is not None:
        own, other = "a usual word for the positive class", "the other value is a usual word for the negative class"
        return usual, own if is_positive_word(usual) else other
    fewest = min(counts.values())
    rarest = [value for value in counts if counts[value] == fewest]
    if len(rarest) == 1:
        return rarest[0], "the rarer value" if len(counts) == 2 else "the rarest value"
    return max(rarest, key=text_of), "both are equally frequent, so the last by name"
