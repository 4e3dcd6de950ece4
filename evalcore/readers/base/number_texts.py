"""Numbers that are written as text: with signs of percent or currency, separators of thousands, a long minus sign."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module

import numpy as np
import pandas as pd
import pyarrow as pa

from evalcore.numeric import Array
from evalcore.readers.base.column_names import COUNT_NAMES, simple
from evalcore.readers.base.problems import Finding, named
from evalcore.readers.base.values import text_of

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

    "1,234" alone may be a thousand or a decimal comma: None, as for any other text. "67.4 %" is 0.674.

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
                return _parse(name, column, cells, separator, percent="%" in whole)
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
    return None if numbers is None else pd.Series(_whole(numbers), column.index)


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


def _whole(numbers: Array) -> np.ndarray:
    """Convert numbers to integers, if all are whole."""
    is_whole = np.isfinite(numbers).all() and (numbers == np.rint(numbers)).all() and np.abs(numbers).max() < _EXACT
    return numbers.astype(np.int64) if is_whole else numbers


def _parse(
    name: str, column: pd.Series, cells: pa.Array, separator: str, *, percent: bool
) -> tuple[pd.Series, Finding] | None:
    """Numbers in cells that fit, unless their decimal mark is ambiguous."""
    pattern, texts = _SEPARATORS[separator], _trimmed(column)
    marked = pc.or_(pc.match_substring_regex(texts, rf"{pattern}|%|\x{{2212}}"), pc.not_equal(cells, texts))
    if not pc.any(marked).as_py():
        return None
    if separator in ".," and pc.any(pc.match_substring_regex(cells, pattern)).as_py():
        # the other mark shows what this one is, unless it may separate thousands itself
        other = {".": ",", ",": r"\."}[separator]
        sure = rf"%|{pattern}\d{{2,3}}{pattern}|{pattern}\d{{3}}{other}\d"
        sure += rf"|{other}(?:\d{{1,2}}|\d{{4,}})$|^{_SIGN}0?{other}\d"
        if not pc.any(pc.match_substring_regex(cells, sure)).as_py():
            return None
    bare = pc.replace_substring_regex(cells, rf"{pattern}|[%{_BLANKS}]", "")
    # shifted as text, as 59.2 / 100 is not 0.592
    numbers = _as_numbers(pc.replace_substring_regex(bare, "$", "e-2") if percent else bare)
    if numbers is None:
        return None
    numbers = _whole(numbers)
    first = int(pc.fill_null(marked, False).to_numpy(zero_copy_only=False).argmax())
    read = text_of(numbers[first]).replace("-", "\u2212")
    sentence = f"Column {named(name)} holds numbers such as {named(column.iloc[first])}, which is read as {read}."
    finding = Finding("info", sentence, len(column), name, code="marked numbers")
    return pd.Series(numbers, column.index), finding


def thousands_in_counts(
    frame: pd.DataFrame, rows: Sequence[Sequence[str]]
) -> tuple[pd.DataFrame, list[Finding]] | None:
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
