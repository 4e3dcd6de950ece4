"""Properties of columns (numbers or text, few values or many, missing cells), each computed once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import pandas as pd

from evalcore.readers.arrow_ids import ids_of
from evalcore.readers.values import Value, plain, text_of

# A column with more distinct values does not hold labels, and coding its rows would waste time.
MOST_LABELS = 2_000

_SAMPLE = 10_000


class Column:
    """One column; its properties are computed when they are first used."""

    def __init__(self, name: str, values: pd.Series) -> None:
        self.name = name
        self.values = values
        self.is_number = values.dtype.kind in "iuf"
        self.is_bool = values.dtype.kind == "b"

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def missing(self) -> np.ndarray:
        """Which rows have no value, shape (rows,)."""
        return self.values.isna().to_numpy(bool)

    @cached_property
    def missing_count(self) -> int:
        return int(self.missing.sum())

    @cached_property
    def numbers(self) -> np.ndarray:
        """The numbers as floats, nan where missing, shape (rows,)."""
        return self.values.to_numpy(np.float64, na_value=np.nan)

    @cached_property
    def is_few(self) -> bool:
        """Whether it has few enough distinct values for labels."""
        return self._is_narrow or (self._sampled_few and len(self._coded[1]) <= MOST_LABELS)

    @property
    def codes(self) -> np.ndarray:
        """The index of each row's value in `labels`, -1 where it is missing, shape (rows,)."""
        return self._coded[0]

    @cached_property
    def labels(self) -> tuple[Value, ...]:
        """The distinct values, in the order of their first row."""
        return tuple(plain(value) for value in self._coded[1])

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of `labels`."""
        return tuple(text_of(value) for value in self.labels)

    @cached_property
    def label_counts(self) -> dict[Value, int]:
        """Number of rows with each value."""
        counts = np.bincount(self.codes[self.codes >= 0], minlength=len(self.labels))
        return {label: int(count) for label, count in zip(self.labels, counts, strict=True)}

    @cached_property
    def distinct(self) -> int:
        """The number of distinct values."""
        if self._sampled_few:
            return len(self._coded[1])
        if self.is_number:
            return distinct_of(self.ascending)
        if self.values.dtype != "str":
            return int(self.values.nunique())
        import pyarrow as pa

        # to sort hashes takes a quarter of the time of a table of all texts, and less memory
        texts = pa.array(self.values[~self.missing] if self.missing_count else self.values, pa.large_string())
        return distinct_of(np.sort(ids_of(texts).hashes))

    @cached_property
    def ascending(self) -> np.ndarray:
        """Its numbers in ascending order, without the missing."""
        return np.sort(self.numbers[~self.missing] if self.missing_count else self.numbers)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all its numbers are whole."""
        if not self.is_number or self.values.dtype.kind in "iu":
            return self.is_number
        numbers = self.numbers[np.isfinite(self.numbers)]
        return bool((numbers == np.rint(numbers)).all())

    @cached_property
    def is_quantity(self) -> bool:
        """Whether its numbers measure something, like a score or a length, rather than name a class."""
        if not self.is_number or self._is_narrow or self.missing_count == len(self):
            return False
        if not self.is_few or not self.is_whole:
            return True
        if self.distinct > 30:
            return self.distinct * 5 > len(self)
        # few rows, all different and far apart: prices, not digits
        return self.distinct > 5 and self.distinct == len(self) and bool(np.ptp(self.numbers) > 2 * len(self))

    @cached_property
    def numbers_rows(self) -> bool:
        """Whether its values only number or name the rows: 1, 2, 3, … or a different text in each."""
        if self.missing_count or len(self) < 3 or self.is_bool:
            return False
        if self.is_number:
            numbers = self.numbers
            with np.errstate(invalid="ignore", over="ignore"):
                return bool(numbers[0] in (0, 1) and (np.diff(numbers) == 1).all())
        return len(self) > 20 and not self._sampled_few and self.distinct == len(self)

    @cached_property
    def _is_narrow(self) -> bool:
        """Whether it holds so few different whole numbers, such as 0 and 1, that none has to be looked up."""
        is_whole = self.values.dtype.kind in "iu" and len(self) > 30 and not self.missing_count
        return is_whole and int(self.values.max()) - int(self.values.min()) < 30

    @cached_property
    def _sampled_few(self) -> bool:
        return len(self) <= MOST_LABELS or self.values.iloc[:_SAMPLE].nunique() <= MOST_LABELS

    @cached_property
    def _coded(self) -> tuple[np.ndarray, pd.Index]:
        return pd.factorize(self.values)


def distinct_of(ascending: np.ndarray) -> int:
    """Number of distinct values in a sorted array."""
    return int(np.count_nonzero(ascending[1:] != ascending[:-1])) + 1 if ascending.size else 0


class Columns:
    """The columns of one frame by name."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame
        self._columns = {name: Column(name, frame[name]) for name in frame.columns}
        self.rows, self.count = frame.shape

    def are_distinct(self, names: list[str]) -> bool:
        """Whether no two rows have the same values in some columns."""
        return not self._frame.duplicated(names).any()

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[Column]:
        return iter(self._columns.values())
