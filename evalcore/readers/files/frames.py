"""Arrow tables and sheets as plain frames: columns of bool, int64, float64 and str, and findings about the rest."""

import datetime
import re
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import types

from evalcore.readers.base import Finding, Lines, listed, named, values
from evalcore.readers.base.column_names import COUNT_NAMES, GRADE, RANK, is_score, simple
from evalcore.readers.base.values import EitherMark, decimal_marks, either_mark, marked_numbers, text_of, with_mark_as
from evalcore.readers.child.exports import is_full
from evalcore.readers.files.headers import tidy_names
from evalcore.readers.steps import Exclude, Marks
from evalcore.wording.numbers import rows_text

pc: Any = import_module("pyarrow.compute")

_EXACT = 2**53  # Larger whole numbers lose digits as floats, which a column of ints with missing cells becomes.
_NUMERIC = (RANK | GRADE) - {"label", "labels"}  # Names of numeric columns of rankings; a label may be anything.
_MOST_WORDS, _MOST_CODES = 20, 5
_OF_EXCEL = 'Excel may have turned "1.5" into 1 May.'
_DATE = r"\d{4}-\d\d-\d\d(?:[T ]00:00.*)?|\d{1,2}[./]\d{1,2}[./]\d{4}|[A-Za-zä]{3,4}[- ]\d\d"
_DATE += r"|\d{1,2}[-. ]+[A-Za-zä]{3,4}\.?(?:[- ]\d{2,4})?"  # 1-May, 01. Mai, 5-Jan-24
# a day in digits, perhaps with a time: 25.06.2025, 06/25/2025 14:30, 2025-06-25, 25.06.
_DAY = r"(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d\d)|\d{1,2}\.\d{1,2}\.)(?:[T ,]+\d.*)?"
_MARKS = {".": "point", ",": "comma"}
_DIGIT = re.compile(r"\d")
_NUMBER = r"[-+]?\d+(?:[.,]\d*)?"
_SIGNED = r"[^\w\s]{0,3}\s?(?:[A-Z]{1,3}[^\w\s]?\s?)?[^\w\s]?\d+(?:[,'’ \u00a0\u202f.]\d{2,3})*(?:[.,]\d+)?"
_SIGNED += r"\s?[^\d\s]{0,8}"
_QUANTITY = r"\d[.,]\d|^[<>≤≥~(€$£¥₹%−–-]"
_THOUSANDS = r"[-+]?[1-9]\d{0,2}(?:([ .,'’\u00a0\u202f])\d{3}(?:\1\d{3})*)(?:[.,]\d+)?"


Counted = Collection[str] | None
"""Of a table that is not loaded, the columns that are numbers for the engine that counts its rows."""

Content = tuple[pd.DataFrame, Lines, list[Finding]]
"""A plain frame, how its rows are numbered, and what there is to know about the reading."""


def _plain_frame(table: pa.Table, names: list[str]) -> tuple[pd.DataFrame, list[Finding]]:
    findings: list[Finding] = []
    columns, readable = [], []
    for name, column in zip(names, table.columns, strict=True):
        if (plain := _plain_column(column)) is None:
            what = "lists" if types.is_nested(column.type) else f"values of type {column.type}"
            what = "records" if types.is_struct(column.type) else what
            sentence = f"Column {named(name)} holds {what}, neither labels nor numbers; it is left out."
            findings.append(Finding("warning", sentence, len(column), name, code="left-out column"))
        else:
            columns.append(plain)
            readable.append(name)
    frame = pa.table(columns, names=[*map(str, range(len(readable)))]).to_pandas(split_blocks=True, self_destruct=True)
    frame.columns = pd.Index(readable, dtype="str")
    return frame, findings


def content_of(
    table: pa.Table, header: list[str] | None, lines: Lines, findings: list[Finding], decimal: str | None = None,
    delimiter: str = "", counted: Counted = None,
) -> Content:  # fmt: skip
    """An Arrow table as a plain frame with tidy names; the decimal mark is that of other numbers, if they show it."""
    if header is not None and not all(map(str.strip, header)):  # such as the last of lines that end with a delimiter
        full = [index for index, name in enumerate(header) if name.strip() or _has_values(table.column(index))]
        table, header = table.select(full), [header[index] for index in full]
    names, renamed = tidy_names(header, table.num_columns, lines)
    frame, changed = _plain_frame(table, names)
    changed += read_marks(frame, lines, frame.columns, decimal, delimiter, counted)
    changed += [*_numbers_among_words(frame, lines), *namibia(frame, lines)]
    return frame, lines, [*findings, *renamed, *in_units(frame, lines, changed)]


def _has_values(column: pa.ChunkedArray) -> bool:
    """Whether a column has a cell that is neither missing nor blank."""
    if types.is_string(column.type):
        return bool(pc.any(pc.not_equal(pc.utf8_trim_whitespace(column), "")).as_py())
    return column.null_count < len(column)


def read_marks(
    frame: pd.DataFrame, lines: Lines, names: Iterable[str], decimal: str | None = None, delimiter: str = "",
    counted: Counted = None,
) -> list[Finding]:  # fmt: skip
    """Read text columns as numbers in place if marks show that they are, and report it.

    Where a mark may separate decimals or thousands, as in 1.013 beside 992, columns with the same mark are read alike,
    and the finding asks: as thousands, unless every number has the mark and decimals have it in such files, or the
    decimals of other columns do and no zero at the end speaks against it. No currency has three decimals.
    """
    findings: list[Finding] = []
    asked: dict[tuple[str, str], dict[str, EitherMark]] = {}
    for name in names:
        if frame[name].dtype.kind in "iufb" or not all(map(_DIGIT.search, frame[name].iloc[:200].dropna())):
            continue
        if (read := marked_numbers(name, frame[name])) is not None:
            frame[name] = read[0]
            findings.append(read[1])
        elif (either := either_mark(frame[name])) is not None:
            if decimal == either.mark and not (either.some_lack_it or either.has_currency):
                frame[name] = with_mark_as(frame[name], "decimals")
            else:
                which = "marked" if decimal == either.mark and not either.has_zeros else "all"
                asked.setdefault((either.mark, which), {})[name] = either
        elif counted is None and (fractions := _fractions(frame[name])) is not None:
            frame[name] = fractions
            findings.append(_as_text(name, int(fractions.notna().sum())))
    for (mark, which), columns in asked.items():
        some = columns.values()
        is_usual = mark == (decimal or ("," if delimiter == ";" else ".")) and not any(one.some_lack_it for one in some)
        is_usual &= decimal is not None or not any(one.has_currency for one in some)
        is_rounded = is_usual and decimal is None and delimiter == ","
        is_decimal = which == "marked" or is_usual or counted is not None
        way = f"{which} thousands" if is_decimal else "thousands"
        known = "every number has three decimals and commas separate the columns" if is_rounded else ""
        if decimal not in (None, mark):
            known = f"other columns write decimals with a {_MARKS[decimal or '']}"
        finding = _read_either_way(frame, lines, tuple(columns), mark, way, known, counted)
        findings += [] if counted is not None and is_rounded else [finding]
    return findings


def _fractions(column: pd.Series) -> pd.Series | None:
    """A column of text as numbers, where all are and some have decimals: JSON and Parquet may hold "0.5"; not codes."""
    cells = column.dropna()
    if not cells.str.contains(r"[.,]\d").any() or cells.str.match(r"\s*[-+]?0\d").any():
        return None
    return values.read_numbers(column)


def _as_text(name: str, count: int) -> Finding:
    sentence = f"Column {named(name)} holds numbers written as text; they are read as numbers."
    return Finding("info", sentence, count, name, code="numbers as text")


def _read_either_way(
    frame: pd.DataFrame, lines: Lines, names: tuple[str, ...], mark: str, way: str, why: str, counted: Counted
) -> Finding:
    """Read columns in place as thousands or decimals; the finding offers the other, unless an engine counts them."""
    texts = frame[names[0]]
    first = int(texts.str.contains(mark, regex=False).fillna(False).to_numpy(bool).argmax())
    sentence = f"{_subject(names, 'hold')} numbers such as {named(texts.iloc[first])} (first: {lines.at(first)}). "
    for name in names:
        frame[name] = with_mark_as(frame[name], "thousands" if way == "thousands" else "decimals")
    number = frame[names[0]].iloc[first]
    may_be = f"The {_MARKS[mark]} may separate thousands or decimals; the"
    if counted is not None:
        decimals, thousands = text_of(number), text_of(np.rint(number * 1000))
        if names[0] in counted:
            sentence += f"{may_be} rows are counted with {decimals}. If it is {thousands}, write that"
        else:
            sentence += f"{may_be} rows cannot be counted while this is unclear. Write {thousands} or {decimals}"
        return Finding("warning", f"{sentence} in the table and open it again.", len(frame), names[0], code="marks")
    read = f"read as {text_of(number)}"
    choose = "Choose which it is on the Data page."
    sentence += f"It is {read}, because {why}." if why else f"{may_be} number is {read}. {choose}"
    offers = [Marks(names, each).to_text() for each in (way, "decimals")]
    level = "info" if why else "warning"
    return Finding(level, sentence, len(frame), names[0], offers[0], code="marks", other=offers[1])


def _subject(names: Sequence[str], verb: str) -> str:
    """Begin a sentence about one or several columns with its verb."""
    verb = {"hold": "holds", "are": "is"}[verb] if len(names) == 1 else verb
    return f"{'Column' if len(names) == 1 else 'Columns'} {listed(names, 3)} {verb}"


def column_of(cells: Sequence[Any], name: str, lines: Lines) -> tuple[pd.Series, list[Finding]]:
    """The cells of a sheet as a column of one type; text among numbers makes all of it text, with a finding."""
    present = [cell for cell in cells if is_full(cell)]
    if not (kinds := {_kind(cell) for cell in present}):
        return pd.Series(np.full(len(cells), np.nan)), []
    if kinds == {"number"}:
        return _numbers(cells), []
    if kinds == {"truth value"} and len(present) == len(cells):
        return pd.Series(cells, dtype=bool), []
    texts = [cell for cell in present if isinstance(cell, str)] if kinds <= {"number", "text"} else []
    grouped = {match[1] for text in texts if (match := re.fullmatch(_THOUSANDS, text.strip()))}
    if texts and grouped <= decimal_marks([texts]) and all(_reads_as_number(cell) for cell in present):
        numbers = [float(str(cell).replace(",", ".")) if is_full(cell) else None for cell in cells]
        return _numbers(numbers), [_as_text(name, len(present))]
    column = pd.Series([_cell_text(cell) if is_full(cell) else None for cell in cells], dtype="str")
    if len(kinds) == 1 or (texts and either_mark(column) is not None):
        return column, []
    # numbers of other cells, as in 12.5, do not show how texts are written
    if grouped and not decimal_marks([texts]) and (finding := _marks_finding(name, column, column.dropna(), lines)):
        return column, [finding]
    if texts and marked_numbers(name, column) is not None:
        return column, []
    is_date = np.array([is_full(cell) and isinstance(cell, datetime.date) for cell in cells])
    if "number" in kinds and 0 < 2 * is_date.sum() < len(present):
        dates = tuple(column[is_date].unique())
        sentence = f"Column {named(name)} is read as text because it holds a date among numbers, "
        sentence += f"{named(dates[0][:10])}, in {lines.among(is_date)}. {_OF_EXCEL} "
        sentence += "Correct these cells, or count them as missing."
        action = Exclude((name,), dates).to_text() if len(dates) <= _MOST_WORDS else None
        return column, [Finding("warning", sentence, int(is_date.sum()), name, action, code="mixed column")]
    odd = next((cell for cell in present if _kind(cell) == "text"), present[0])
    mixed = " and ".join(f"{kind}s" if kind != "text" else kind for kind in sorted(kinds))
    sentence = f"Column {named(name)} mixes {mixed} (for example {named(_cell_text(odd))}) and is read as text."
    return column, [Finding("warning", sentence, len(present), name, code="mixed column")]


def _numbers_among_words(frame: pd.DataFrame, lines: Lines) -> list[Finding]:
    """Find text columns of numbers but for a few cells such as "1.5*"; those with the same words share a finding."""
    findings = []
    alike: dict[tuple[str, ...], list[str]] = {}
    for name in frame.columns:
        column = frame[name]
        if column.dtype.kind in "iufb":
            continue
        head = column.iloc[:200].dropna()
        if finding := _marks_finding(name, column, head, lines):
            findings.append(finding)
        elif words := _words_among_numbers(name, column, head):
            alike.setdefault(words, []).append(name)
    for words, names in alike.items():
        # such as \\N, which MySQL and Hive write for a missing value of any column
        others = [name for name in frame.columns if name not in names and frame[name].dtype.kind not in "iufb"]
        others = [name for name in others if all(map(values.is_missing_word, words)) and frame[name].isin(words).any()]
        findings.append(_words_finding(frame, tuple(names), others, words, lines))
    return findings


def _words_among_numbers(name: str, column: pd.Series, head: pd.Series) -> tuple[str, ...]:
    """List the words in a text column that is otherwise numbers, in alphabetical order; else empty."""
    numbers = sum(map(_reads_as_number, head))
    promised = is_score(name) or simple(name) in _NUMERIC  # A name that promises numbers needs less evidence.
    if numbers <= 5 and not (numbers and promised):
        return ()
    words = column[values.are_words(column)]
    texts = tuple(sorted(words.unique()))
    many = len(words) * 10 < len(column) and column.nunique() > 20  # numbers but for a few words: "<0.01", "n.d."
    many = many or (len(words) * 3 < len(column) and len(texts) <= _MOST_CODES and column.nunique() > 20)
    # fractions of which Excel made dates
    are_dates = len(words) * 2 <= len(column) and all(re.fullmatch(_DATE, text.strip()) for text in texts)
    many = many or (are_dates and bool(head.str.contains(r"^\s*[-+]?\d+[.,]\d+\s*$").any()))
    return texts if many or (promised and len(words) * 2 <= len(column)) else ()


def _words_finding(
    frame: pd.DataFrame, names: tuple[str, ...], others: list[str], words: tuple[str, ...], lines: Lines
) -> Finding:
    """Build the finding about number columns that the same words turn into text."""
    no_number = np.column_stack([frame[name].isin(words) for name in (*names, *others)]).any(axis=1)
    count = int(no_number.sum())
    first = frame.iloc[[int(no_number.argmax())]][[*names, *others]]
    shown = [*dict.fromkeys([*(cell for cell in first.iloc[0] if cell in words), *words])]
    sentence = f"{_subject(names, 'are')} read as text because {rows_text(count)} {'holds' if count == 1 else 'hold'} "
    sentence += f"no number: {listed(shown, 3)} (first: {lines.at(no_number.argmax())}). "
    if others:
        sentence += f"{_subject(others, 'hold')} the same. "
    if all(re.fullmatch(_DATE, word.strip()) for word in words):
        sentence += f"{_OF_EXCEL} "
    sentence += f"Clear these cells to use {'it' if len(names) == 1 else 'them'} as numbers."
    action = Exclude((*names, *others), words).to_text() if len(words) <= _MOST_WORDS else None
    return Finding("warning", sentence, count, names[0], action, code="words")


def namibia(frame: pd.DataFrame, lines: Lines) -> list[Finding]:
    """Findings about columns of country codes in which NA is no missing value."""
    findings = []
    for name in frame.columns:
        column = frame[name]
        if column.dtype.kind in "iufb" or not (is_na := column == "NA").any():
            continue
        if values.are_country_codes(column.dropna().unique()):
            sentence = f'Column {named(name)} holds country codes, so "NA" in {lines.among(is_na.to_numpy(bool))} is '
            sentence += "read as Namibia. If the value is missing there, count it as missing."
            action = Exclude((name,), ("NA",)).to_text()
            findings.append(Finding("info", sentence, int(is_na.sum()), name, action, code="country codes"))
    return findings


def transposed_counts(frame: pd.DataFrame) -> pd.DataFrame | None:
    """A list of four lines, "tp, 20" and so on, as one row of four columns; None for any other table."""
    if frame.shape[1] != 2 or len(frame) not in (3, 4):
        return None
    labels, numbers = frame.iloc[:, 0], frame.iloc[:, 1]
    if numbers.dtype.kind not in "iuf" or labels.dtype.kind in "iufb":
        return None
    pairs = [(text_of(label), value) for label, value in zip(labels, numbers, strict=True)]
    if len(frame) == 3:  # without a header the first pair was read as the names
        try:
            pairs.insert(0, (frame.columns[0], float(frame.columns[1])))
        except ValueError:
            return None
    counts = {}
    for label, value in pairs:
        key = next((key for key, words in COUNT_NAMES.items() if simple(label) in words), None)
        if key is None or key in counts:
            return None
        counts[key] = value
    whole = all(float(value).is_integer() for value in counts.values())
    return pd.DataFrame({key: [counts[key]] for key in COUNT_NAMES}).astype(np.int64 if whole else np.float64)


def _marks_finding(name: str, column: pd.Series, head: pd.Series, lines: Lines) -> Finding | None:
    """Build the finding about a number column whose marks may separate decimals or thousands."""
    texts = head.astype(str).str.strip()
    grouped = texts.str.fullmatch(_THOUSANDS)
    if not (grouped.any() and (grouped | texts.str.fullmatch(_NUMBER)).all()):
        return None
    first = int(np.flatnonzero(column.index == grouped.idxmax())[0])
    sentence = f"Column {named(name)} holds numbers such as {named(column.iloc[first])} (first: {lines.at(first)}), "
    sentence += "whose mark may separate decimals or thousands, and is read as text. "
    ways = [way for way in ("thousands", "decimals") if with_mark_as(column, way) is not None]
    offers = [Marks((name,), way).to_text() for way in ways] + [None, None]
    sentence += "Choose which it is on the Data page." if ways else "Remove the marks to use it as numbers."
    return Finding("warning", sentence, len(column), name, offers[0], code="marks", other=offers[1])


def in_units(frame: pd.DataFrame, lines: Lines, earlier: list[Finding]) -> list[Finding]:
    """Add findings about numbers in unequal units, such as 1.2K and 3M, in place of those about words in them."""
    findings: list[Finding] = []
    for name in frame.columns:
        if frame[name].dtype.kind in "iufb":
            continue
        texts = frame[name].iloc[:200].dropna().str.strip()
        signed = (texts.str.fullmatch(_SIGNED) & ~texts.str.fullmatch(_DAY)).astype(bool)
        odd = texts[signed & ~texts.map(_reads_as_number).astype(bool)]
        many = 10 * len(odd) >= len(texts) and odd.nunique() > _MOST_CODES and 10 * signed.sum() >= 9 * len(texts)
        # whole numbers with a letter are often names
        if not many or texts.str.fullmatch(_THOUSANDS).any() or not odd.str.contains(_QUANTITY).any():
            continue
        sentence = f"Column {named(name)} holds numbers with signs or units, such as {named(odd.iloc[0])} (first: "
        sentence += f"{lines.at(odd.index[0])}), and is read as text. Write plain numbers, all in one unit, to use it "
        findings.append(Finding("warning", f"{sentence}as numbers.", len(frame), name, code="marks"))
    names = {one.column for one in findings}
    return [one for one in earlier if one.column not in names or one.code not in ("words", "mixed column")] + findings


def _plain_column(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """A column as one of the four types, or None if it holds lists, structures or raw bytes."""
    if isinstance(column.type, pa.BaseExtensionType):
        column = column.cast(column.type.storage_type)
    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if types.is_null(kind):
        return column.cast(pa.float64())
    if types.is_boolean(kind):
        return column if not column.null_count else pc.if_else(column, "True", "False")
    if types.is_integer(kind):
        return _whole_numbers(column)
    if types.is_floating(kind) or types.is_decimal(kind):
        return column.cast(pa.float64(), safe=False)
    if types.is_temporal(kind):
        return None if types.is_interval(kind) else column.cast(pa.string())
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        try:
            column = column.cast(pa.binary()).cast(pa.string())
        except pa.ArrowException:
            return None
        kind = column.type
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return _texts(column.cast(pa.large_string()))
    return None


def _whole_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    lowest, highest = (end or 0 for end in pc.min_max(column).as_py().values())
    if highest >= 2**63 or (column.null_count and max(-lowest, highest) > _EXACT):
        return column.cast(pa.string())
    return column.cast(pa.float64() if column.null_count else pa.int64())


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text without the blanks around each delimiter, if every cell has one, and with empty cells as missing."""
    first = next((cell.as_py() for cell in column if cell.is_valid), "")
    if first.startswith(" ") and pc.all(pc.starts_with(column, " ")).as_py():
        column = pc.utf8_ltrim(column, " ")
    if first.endswith(" ") and pc.all(pc.ends_with(column, " ")).as_py():
        column = pc.utf8_rtrim(column, " ")
    if pc.min(pc.binary_length(column)).as_py() == 0:
        column = pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)
    # a text column without text has no type of its own
    return column.cast(pa.float64()) if column.null_count == len(column) else column


def _kind(cell: object) -> str:
    if isinstance(cell, (bool, np.bool_)):
        return "truth value"
    if isinstance(cell, (int, float, np.number)):
        return "number"
    return "date" if isinstance(cell, (datetime.date, datetime.time, datetime.timedelta)) else "text"


def _cell_text(cell: object) -> str:
    return cell.isoformat() if isinstance(cell, (datetime.date, datetime.time)) else text_of(cell)


def _reads_as_number(cell: object) -> bool:
    text = str(cell).strip()
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    # 007 is a code, and Python alone reads 1_000
    return "_" not in text and not (len(text) > 1 and text[0] == "0" and text.isdigit())


def _numbers(cells: Sequence[Any]) -> pd.Series:
    return pd.Series(values.whole(np.array([float(cell) if is_full(cell) else np.nan for cell in cells])))
