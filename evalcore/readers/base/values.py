"""Cells: labels as text and back from text, and numbers that are written as text, with marks, signs and units."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from evalcore.classification.binary.labels import is_positive_word, text_of, usual_positive
from evalcore.numeric import Array
from evalcore.readers.base.column_names import COUNT_NAMES, simple
from evalcore.readers.base.problems import Finding, ReadProblem, named
from evalcore.retrieval.id_table import IdTable

__all__ = ["text_of"]

Value = bool | int | float | str
_FIRST = 1_000
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
        for rows in (column.iloc[:_FIRST], column):  # most labels occur in the first rows
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
        parts = (numbers[:_FIRST], numbers) if len(numbers) > _FIRST else (numbers,)
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
    data = np.frombuffer(text, np.uint8) if text is not None else np.empty(0, np.uint8)
    return IdTable(data, ends[:-1], np.diff(ends))


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
        codes, labels = pd.factorize(self.values)
        return codes.astype(np.int16 if len(labels) <= MOST_LABELS else np.int32), labels  # a quarter of the memory


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


pc = import_module("pyarrow.compute")
_SIGN = r"[-+\x{2212}]?"
_BLANKS = r" \x{00a0}\x{202f}\x{2009}"
_SEPARATORS = {".": r"\.", ",": ",", " ": f"[{_BLANKS}]", "'": r"['\x{2019}]"}
_CURRENCY = (
    r"(?:[A-Z]{1,2}\$|[$€£¥₹₽₩₺₫₪₴₦฿]|EUR|USD|GBP|CHF|JPY|CNY|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|INR|BRL|kr\.?|zł)"
)
_HEAD, _EXACT, MOST_COUNT_ROWS = 200, 2**53, 100
_EITHER = r"[1-9]\d{0,2}[.,]\d{3}"
_DECIMAL = re.compile(rf"(?!{_EITHER}$)(?:\d*|[1-9]\d{{0,2}}(?:([.,])\d{{3}})+(?!\1))([.,])\d+(?:[eE][-+]?\d+)?\s*%?")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*|\d{1,3}")
_SIGNS = str.maketrans("\u066b\u066c\uff0e\uff0c\uff05\u066a\uff0d\u2013", ".,.,%%\u2212\u2212")
_STARTS = re.compile(r"\W{0,4}\d.{0,40}$")
_UNIT = re.compile(r"\d\s*([^\W\d_]\S{0,7}|[^\w\s.,%'\u2019()+-]\S{0,3})$")
_MAGNITUDES = frozenset("k K M B bn Bn mn Mn T Mio Mio. Mrd Mrd. Tsd Tsd. mil mln lakh crore".split())
_NUMBER = r"^\s*[-+]?(?:(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?|(?i:inf|infinity|nan))\s*$"


def read_numbers(texts: pd.Series) -> pd.Series | None:
    """A column of text as numbers, if all its cells are numbers or missing; else None."""
    cells = pa.array(texts.array).cast(pa.large_string())
    if _have_decimal_commas(cells.drop_null()[:_HEAD]) and _have_decimal_commas(cells):
        cells = pc.replace_substring(cells, ",", ".")
    try:
        pc.utf8_trim_whitespace(cells.drop_null()[:100]).cast(pa.float64())  # words show soon
        numbers = pc.utf8_trim_whitespace(cells).cast(pa.float64())
    except pa.ArrowInvalid:
        return None
    return pd.Series(numbers.to_numpy(zero_copy_only=False), texts.index)


def _have_decimal_commas(cells: pa.Array) -> bool:
    """Whether all texts are numbers with decimal commas, and not all commas may separate thousands."""
    numbers, either = r"^\s*[-+]?(?:\d+|\d*,\d+)\s*$", r"^\s*[-+]?(?:0|[1-9]\d{0,2}(?:,\d{3})?)\s*$"
    return _all_match(cells, numbers) and not _all_match(cells, either)


def marked_numbers(name: str, column: pd.Series) -> tuple[pd.Series, Finding] | None:
    """A column of text as numbers, where all its cells are numbers with such marks, and a finding that says so.

    None for any other text, such as "1,234", a thousand or a decimal comma. "67.4 %" is 0.674.

    >>> numbers, finding = marked_numbers("amount", pd.Series(["75.748,40", "999,5", None]))
    >>> numbers.tolist(), finding.sentence
    ([75748.4, 999.5, nan], 'Column "amount" holds numbers such as "75.748,40", which is read as 75748.4.')
    """
    cells = _bare(column)
    head = cells.drop_null()[:_HEAD]
    if not len(head) or either_mark(column) is not None:
        return None
    for separator, pattern in _SEPARATORS.items():
        decimal = {".": ",", ",": r"\."}.get(separator, "[.,]")
        # 1,23,456.7 is a lakh and more
        groups = r"(?:,\d{2,3})*,\d{3}" if separator == "," else rf"(?:{pattern}\d{{3}})+"
        number = rf"(?:\d*|[1-9]\d{{0,2}}{groups})(?:{decimal}\d+)?"
        for whole in (f"^{_SIGN}{number}$", f"^{_SIGN}{number}[{_BLANKS}]*%$", f"^{_SIGN}%[{_BLANKS}]*{number}$"):
            if _all_match(head, whole) and _all_match(cells, whole):
                return _parse(name, column, cells, separator, "%" in whole)
    return None


def decimal_marks(rows: Iterable[Sequence[str]]) -> set[str]:
    """The marks that separate decimals for certain in some cells; in "1.013" the point may separate thousands."""
    cells = (cell.strip().lstrip("+-\u2212") for row in rows for cell in row)
    return {match[2] for cell in cells if (match := _DECIMAL.fullmatch(cell))}


@dataclass(frozen=True)
class EitherMark:
    """The mark that may separate decimals or thousands in all numbers of a column of text, and what is around it."""

    mark: str
    some_lack_it: bool
    has_zeros: bool
    has_currency: bool = False


def either_mark(column: pd.Series) -> EitherMark | None:
    """The mark of a column of text that may separate decimals or thousands in all; None if one begins with 0."""
    cells = _bare(column)
    for mark in ".,":
        pattern = rf"^{_SIGN}(?:0|[1-9]\d{{0,2}}(?:{re.escape(mark)}\d{{3}})?)$"
        if all(pc.all(pc.match_substring_regex(some, pattern)).as_py() for some in (cells.drop_null()[:_HEAD], cells)):
            has_mark = pc.match_substring(cells, mark)
            if not pc.any(has_mark).as_py():
                return None
            has_zeros = pc.any(pc.and_(has_mark, pc.ends_with(cells, "0"))).as_py()
            return EitherMark(mark, not pc.all(has_mark).as_py(), has_zeros, _currency(_trimmed(column)) is not None)
    return None


def may_be_thousands(column: pa.ChunkedArray) -> bool:
    """Whether numbers that were read with decimals may be written with separators of thousands: 1.013 beside 992."""
    some = np.zeros(0)
    for numbers in (column[:_HEAD], column):
        some = np.abs(numbers.drop_null().to_numpy())
        if not ((some < 1000) & ((some > 1) | (some == np.rint(some)))).all():
            return False
        if not (np.abs(some * 1000 % 1 - 0.5) > 0.499).all():
            return False
    return bool((some != np.rint(some)).any())


MARK_WAYS = ("thousands", "all thousands", "marked thousands", "decimals")


def with_mark_as(column: pd.Series, way: str) -> pd.Series | None:
    """A column of numbers whose mark may separate thousands or decimals, read one way; None if it cannot be.

    It holds text, or numbers that were read the other way: "decimals" of thousands, where those from 1000 on had a
    mark, or thousands of decimals, where all numbers had a mark ("all thousands") or those with decimals ("marked
    thousands"). Numbers stay as they are where they were read as "thousands", and from "decimals" below 1000.
    """
    if column.dtype.kind not in "iuf":
        cells = _bare(column)
        if way != "decimals":
            grouped = pc.match_substring_regex(cells, rf"^{_SIGN}[1-9]\d{{0,2}}(?:(?:\.\d{{3}})+|(?:,\d{{3}})+)$")
            cells = pc.if_else(grouped, pc.replace_substring_regex(cells, "[.,]", ""), cells)
        numbers = _as_numbers(cells)
    else:
        numbers = column.to_numpy(np.float64, na_value=np.nan)
        if way == "decimals":
            numbers = np.where(np.abs(numbers) >= 1000, numbers / 1000, numbers)
        elif way != "thousands":
            has_mark = (numbers != np.rint(numbers)) | (way == "all thousands")
            numbers = np.where(has_mark, np.rint(numbers * 1000), numbers)
    return None if numbers is None else pd.Series(whole(numbers), column.index)


def _bare(column: pd.Series) -> pa.Array:
    """Strip blanks and currency signs from the texts of a column and normalise them (`_as_usual`)."""
    cells = _trimmed(column)
    if (currency := _currency(cells)) is not None:
        sign = re.escape(currency)
        cells = pc.replace_substring_regex(cells, f"^({_SIGN})[{_BLANKS}]*{sign}[{_BLANKS}]*({_SIGN})", r"\1\2")
        cells = pc.replace_substring_regex(cells, f"[{_BLANKS}]*{sign}$", "")
    return _as_usual(cells)


def _trimmed(column: pd.Series) -> pa.Array:
    return pc.utf8_trim_whitespace(pa.array(column.array).cast(pa.large_string()))


def _currency(cells: pa.Array) -> str | None:
    """The first sign of currency before or behind a number in the first cells; None if there is none."""
    amount = re.compile(rf"[-+\u2212]?\s*({_CURRENCY})\s*[-+\u2212]?\d.*|.*\d\s*({_CURRENCY})")
    found = next((match for cell in cells.drop_null()[:_HEAD] if (match := amount.fullmatch(cell.as_py()))), None)
    return found and (found[1] or found[2])


def _all_match(cells: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(cells, pattern)).as_py())


def _as_usual(cells: pa.Array) -> pa.Array:
    """Normalise number texts: digits 0 to 9, a leading minus for brackets or a minus behind, no common unit."""
    head = [cell.as_py() for cell in cells.drop_null()[:_HEAD]]
    if not head or not all(map(_STARTS.match, head)):
        return cells
    if any(ord(sign) in _SIGNS or (sign.isdecimal() and not sign.isascii()) for text in head for sign in text):
        texts = [None if text is None else text.translate(_SIGNS) for text in cells.to_pylist()]
        digits = [text and "".join(str(int(one)) if one.isdecimal() else one for one in text) for text in texts]
        cells = pa.array(digits, pa.large_string())
    unit = _UNIT.search(head[0])
    if unit and unit[1] not in _MAGNITUDES and all(text.endswith(unit[1]) for text in head):
        has_decimals = pc.any(pc.match_substring_regex(cells, r"\d[.,]\d")).as_py()
        if has_decimals and pc.all(pc.ends_with(cells, unit[1])).as_py():
            cells = pc.utf8_rtrim_whitespace(pc.utf8_slice_codeunits(cells, 0, -len(unit[1])))
    if all(text.startswith("(") for text in head):
        return cells
    return pc.replace_substring_regex(cells, rf"^\(([\d.,{_BLANKS}]+)\)$|^(\d[\d.,{_BLANKS}]*)-$", "\u2212\\1\\2")


def _as_numbers(cells: pa.Array) -> Array | None:
    """Convert texts without thousands separators to numbers, if all are numbers."""
    cells = pc.replace_substring_regex(pc.replace_substring_regex(cells, r"\x{2212}", "-"), ",", ".")
    try:
        return pc.replace_substring_regex(cells, r"^\+", "").cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:
        return None


def whole(numbers: Array) -> np.ndarray:
    """Convert numbers to integers, if all are whole."""
    is_whole = np.isfinite(numbers).all() and (numbers == np.rint(numbers)).all() and np.abs(numbers).max() < _EXACT
    return numbers.astype(np.int64) if is_whole else numbers


def _parse(name: str, column: pd.Series, cells: pa.Array, mark: str, percent: bool) -> tuple[pd.Series, Finding] | None:
    """Numbers in cells that fit, unless their decimal mark is ambiguous."""
    pattern, texts = _SEPARATORS[mark], _trimmed(column)
    marked = pc.or_(pc.match_substring_regex(texts, rf"{pattern}|%|\x{{2212}}"), pc.not_equal(cells, texts))
    if not pc.any(marked).as_py():
        return None
    if mark in ".," and pc.any(pc.match_substring_regex(cells, pattern)).as_py():
        # the other mark shows what this one is, unless it may separate thousands itself
        other = {".": ",", ",": r"\."}[mark]
        sure = rf"%|{pattern}\d{{2,3}}{pattern}|{pattern}\d{{3}}{other}\d"
        sure += rf"|{other}(?:\d{{1,2}}|\d{{4,}})$|^{_SIGN}0?{other}\d"
        if not pc.any(pc.match_substring_regex(cells, sure)).as_py():
            return None
    bare = pc.replace_substring_regex(cells, rf"{pattern}|[%{_BLANKS}]", "")
    # shifted as text, as 59.2 / 100 is not 0.592
    if (numbers := _as_numbers(pc.replace_substring_regex(bare, "$", "e-2") if percent else bare)) is None:
        return None
    numbers = whole(numbers)
    first = int(pc.fill_null(marked, False).to_numpy(zero_copy_only=False).argmax())
    read = text_of(numbers[first]).replace("-", "\u2212")
    sentence = f"Column {named(name)} holds numbers such as {named(column.iloc[first])}, which is read as {read}."
    return pd.Series(numbers, column.index), Finding("info", sentence, len(column), name, code="marked numbers")


def thousands_in_counts(frame: pd.DataFrame, rows: list[list[str]]) -> tuple[pd.DataFrame, list[Finding]] | None:
    """A small table of counts or square matrix with "1.499" for 1,499, from its cells as written; else None."""
    if len(rows) != len(frame) or len(frame) > MOST_COUNT_ROWS or any(len(row) != frame.shape[1] for row in rows):
        return None
    columns = _count_columns(list(frame.columns), [row[0] for row in rows])
    texts = {frame.columns[index]: [row[index].strip() for row in rows] for index in columns}
    cells = [cell for column in texts.values() for cell in column if cell]
    matches = [_GROUPED.fullmatch(cell) for cell in cells]
    marks = {match[1] for match in matches if match and match[1]}
    if not columns or not all(matches) or len(marks) != 1:
        return None
    first = next(cell for cell, match in zip(cells, matches, strict=True) if match and match[1])
    read = frame.copy(deep=False)
    for name, column in texts.items():
        counts = pd.Series([float(re.sub(r"\D", "", cell)) if cell else np.nan for cell in column], frame.index)
        read[name] = counts if counts.isna().any() else counts.astype(np.int64)
    number = re.sub(r"\D", "", first)
    sentence = f"{named(first)} is read as {number}, because every count fits: the mark "
    sentence += "separates thousands. If these are fractions, write them with two or four decimals."
    return read, [Finding("info", sentence, len(cells), next(iter(texts)), code="marked numbers")]


def _count_columns(names: list[str], first: list[str]) -> list[int]:
    """The columns of counts in such a table; none in any other."""
    four = [[index for index, name in enumerate(names) if simple(name) in words] for words in COUNT_NAMES.values()]
    if all(len(places) == 1 for places in four):
        return [index for (index,) in four]
    # without the words for actual or predicted in the names of classes
    ends = [sorted(re.split(r"[\s_:.-]", text.strip().casefold())[-1] for text in side) for side in (names[1:], first)]
    return list(range(1, len(names))) if len(first) > 1 and ends[0] == ends[1] else []


def are_words(texts: pd.Series) -> np.ndarray:
    """Cells of a column of text that are neither numbers nor missing, as flags, shape (rows,)."""
    is_number = pc.match_substring_regex(pa.array(texts.array).cast(pa.large_string()), _NUMBER)
    return pc.invert(is_number).fill_null(False).to_numpy(zero_copy_only=False)
