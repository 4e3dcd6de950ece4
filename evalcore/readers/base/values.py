"""Label values: as text, back from text, and which of two is positive."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from evalcore.classification.binary.labels import is_positive_word, text_of, usual_positive
from evalcore.numeric import Array
from evalcore.readers.base.problems import ReadProblem, named
from evalcore.retrieval.id_table import IdTable

__all__ = ["text_of"]

Value = bool | int | float | str
_HEAD = 1_000
# Words that no class is called, but for a missing value; "none" and "-" may be classes.
_MISSING_WORDS = frozenset(
    ("\\n", "na", "n/a", "n.a.", "n.a", "nan", "null", "nil", "?", "??", ".", "missing", "#n/a", "#na", "#n/v", "#nv")
    + ("not available", "not known", "no data", "no answer", "keine angabe", "k.a.", "k. a.", "fehlt", "nicht bekannt")
)

# Whole numbers that stand for a missing value where they lie far from all others.
CODE = re.compile(r"[-\u2212]?(?:9{1,7}|8{2,7}|7{2,7})(?:\.0+)?")

_COUNTRIES = frozenset(
    (
        "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW "
        "BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET EU "
        "FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM "
        "IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD "
        "ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE "
        "PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST "
        "SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UK UM US UY UZ VA VC VE VG VI VN VU WF "
        "WS XK YE YT ZA ZM ZW"
    ).split()
)
"""The codes of ISO 3166, with the usual EU, UK and XK."""


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
    if kind not in "iuf":
        return {"True": True, "False": False}.get(text) if kind == "b" else text
    try:  # in the type of the column, as a whole number may be too long for a float
        value = column.dtype.type(int(text) if kind in "iu" else text)
    except (ValueError, OverflowError):
        return None
    return value if value == value else None


def plain(value: Any) -> Value:
    """A numpy or pandas scalar as a plain Python value."""
    return value.item() if isinstance(value, np.generic) else value


def are_country_codes(texts: Iterable[str | None]) -> bool:
    """Whether some distinct texts, of which missing ones are None, are codes of at least three countries (ISO 3166)."""
    codes = {text for text in texts if text is not None} - {"NA"}
    return len(codes) > 2 and codes <= _COUNTRIES


def is_missing_word(text: str) -> bool:
    """Whether a text is a usual word or code for a missing value, which no class is called."""
    return text.strip().casefold() in _MISSING_WORDS or (len(text) > 1 and CODE.fullmatch(text.strip()) is not None)


def positive_value(counts: Mapping[Value, int]) -> tuple[Value, str]:
    """The value of a label column that is most likely positive, and the reason in words."""
    if (usual := usual_positive(counts)) is not None:
        own, other = "guessed from its name", "guessed from the name of the other value"
        return usual, own if is_positive_word(usual) else other
    rarest = [value for value in counts if counts[value] == min(counts.values())]
    if len(rarest) == 1:
        return rarest[0], "the rarer value" if len(counts) == 2 else "the rarest value"
    return max(rarest, key=text_of), "both are equally frequent, so the last by name"


def rounding_of(numbers: Array, terms: int) -> float:
    """Largest rounding error of a sum of so many of these numbers; 0 if they are written in full."""
    numbers = np.ravel(numbers)
    numbers = numbers[np.isfinite(numbers)]
    for decimals in range(7):  # numbers with more were written in full
        parts = (numbers[:_HEAD], numbers) if len(numbers) > _HEAD else (numbers,)
        with np.errstate(over="ignore"):  # huge numbers are rounded to infinity
            written = all((np.abs(np.round(part, decimals) - part) <= 1e-9 * 10.0**-decimals).all() for part in parts)
        if written:
            return terms * 0.5 * 10.0**-decimals * (1 + 1e-6)
    return 0.0


def ids_of(column: pa.ChunkedArray | pa.Array) -> IdTable:
    """Arrow's own buffer as an id table; no cell of the column may be missing."""
    whole = column
    if isinstance(column, pa.ChunkedArray):
        whole = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # more text than its small offsets can count
        whole = pa.concat_arrays([chunk.cast(pa.large_binary()) for chunk in whole.chunks])
    _, offsets, text = whole.buffers()
    wide = np.int64 if pa.types.is_large_binary(whole.type) or pa.types.is_large_string(whole.type) else np.int32
    if not len(whole):
        return IdTable(np.empty(0, np.uint8), np.empty(0, wide), np.empty(0, wide))
    ends = np.frombuffer(offsets, wide)[whole.offset : whole.offset + len(whole) + 1]
    return IdTable(
        np.frombuffer(text, np.uint8) if text is not None else np.empty(0, np.uint8), ends[:-1], np.diff(ends)
    )


def heads_of(ids: IdTable) -> npt.NDArray[np.integer]:
    """Rows whose id differs from that of the row before, if equal ids are contiguous."""
    first = np.ones(min(len(ids), 1), dtype=bool)
    bounds = np.flatnonzero(np.concatenate([first, ids.lengths[1:] != ids.lengths[:-1], first]))
    if len(bounds) * 16 > len(ids):
        return np.flatnonzero(np.concatenate([first, ~ids.equal(slice(1, None), ids, slice(-1))]))
    heads = []
    # Ids of one length are compared with the next by shifting all their bytes by that length.
    for low, high in pairwise(bounds.tolist()):
        start, length = int(ids.starts[low]), int(ids.lengths[low])
        text = ids.data[start : start + (high - low) * length]
        other = np.flatnonzero(text[length:] != text[: len(text) - length])
        heads += [np.array([low]), np.unique(other // max(length, 1)) + 1 + low]
    return np.concatenate(heads) if heads else np.empty(0, np.int64)


def texts_of(ids: IdTable) -> pa.Array:
    """An id table as a column of texts, the same as `IdTable.texts`."""
    lengths = ids.lengths.astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    data, first = ids.data, int(ids.starts[0]) if len(ids) else 0
    if (ids.starts == first + ends[:-1]).all():
        data = data[first : first + int(ends[-1])]
    else:
        data = data[np.repeat(ids.starts - ends[:-1], lengths) + np.arange(ends[-1])]
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(data))]
    try:
        return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(ids), buffers).cast(pa.large_string())
    except pa.ArrowInvalid:  # bytes that are no UTF-8
        return pa.array(ids.texts(), pa.large_string())


# A column with more distinct values does not hold labels, and coding its rows would waste time.
MOST_LABELS, _SAMPLE = 2_000, 10_000


class Column:
    """A column; its properties are computed when they are first used."""

    def __init__(self, name: str, values: pd.Series) -> None:
        self.name, self.values = name, values
        self.is_number = values.dtype.kind in "iuf"
        self.is_bool = values.dtype.kind == "b"

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def missing(self) -> np.ndarray:
        """Rows without a value, as flags, shape (rows,)."""
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
        """Whether it has few enough distinct values to hold labels."""
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
        # to sort hashes takes a quarter of the time of a table of all texts, and less memory
        texts = pa.array(self.values[~self.missing] if self.missing_count else self.values, pa.large_string())
        return distinct_of(np.sort(ids_of(texts).hashes))

    @cached_property
    def ascending(self) -> np.ndarray:
        """Its numbers in ascending order, without the missing."""
        return np.sort(self.numbers[~self.missing] if self.missing_count else self.numbers)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all its numbers are whole numbers."""
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
        """Whether its values only number or name the rows: 1, 2, 3, … or a distinct text in each."""
        if self.missing_count or len(self) < 3 or self.is_bool:
            return False
        if self.is_number:
            numbers = self.numbers
            with np.errstate(invalid="ignore", over="ignore"):
                return bool(numbers[0] in (0, 1) and (np.diff(numbers) == 1).all())
        return len(self) > 20 and not self._sampled_few and self.distinct == len(self)

    @cached_property
    def _is_narrow(self) -> bool:
        """Whether it holds whole numbers in a span below 30, such as 0 and 1."""
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
        """Whether every row has a distinct combination of values in some columns."""
        return not self._frame.duplicated(names).any()

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[Column]:
        return iter(self._columns.values())
