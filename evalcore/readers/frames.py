"""Arrow tables and sheets as plain frames: columns of bool, int64, float64 and str, and findings about the rest."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from evalcore.readers.column_names import COUNT_NAMES, GRADE, RANK, is_score, simple
from evalcore.readers.headers import tidy_names
from evalcore.readers.number_texts import are_words, marked_numbers
from evalcore.readers.problems import Finding, Lines, listed, named
from evalcore.readers.steps import Exclude
from evalcore.readers.values import text_of
from evalcore.wording.numbers import rows_text

if TYPE_CHECKING:
    import pyarrow as pa

# Larger whole numbers lose digits as floats, which a column of ints with missing cells becomes.
_EXACT = 2**53
# Names of numeric columns of rankings; a label may be anything.
_NUMERIC = (RANK | GRADE) - {"label", "labels"}
_MOST_WORDS, _MOST_CODES = 20, 5
_NUMBER = r"[-+]?\d+(?:[.,]\d*)?"
# a sign or a currency before a number, and a unit behind it
_SIGNED = r"[^\w\s]{0,3}\s?(?:[A-Z]{1,3}[^\w\s]?\s?)?[^\w\s]?\d+(?:[,'’ \u00a0\u202f.]\d{2,3})*(?:[.,]\d+)?"
_SIGNED += r"\s?[^\d\s]{0,8}"
_QUANTITY = r"\d[.,]\d|^[<>≤≥~(€$£¥₹%−–-]"
_THOUSANDS = r"[-+]?\d{1,3}(?:([ .,'’\u00a0\u202f])\d{3}(?:\1\d{3})*)(?:[.,]\d+)?"


def _plain_frame(table: pa.Table, names: list[str]) -> tuple[pd.DataFrame, list[Finding]]:
    import pyarrow as pa

    findings: list[Finding] = []
    columns, readable = [], []
    for name, column in zip(names, table.columns, strict=True):
        plain = _plain_column(column)
        if plain is None:
            sentence = (
                f"Column {named(name)} holds values of type {column.type}, neither labels nor numbers; it is left out."
            )
            findings.append(Finding("warning", sentence, len(column), name, code="left-out column"))
        else:
            columns.append(plain)
            readable.append(name)
    plain_table = pa.table(columns, names=[f"c{index}" for index in range(len(readable))])
    frame = plain_table.to_pandas(split_blocks=True, self_destruct=True)
    frame.columns = pd.Index(readable, dtype="str")
    return frame, findings


def content_of(
    table: pa.Table, header: list[str] | None, lines: Lines, findings: list[Finding]
) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """An Arrow table as a plain frame with tidy names, and findings about what was changed."""
    if header is not None and not all(map(str.strip, header)):  # such as the last of lines that end with a delimiter
        full = [index for index, name in enumerate(header) if name.strip() or _has_values(table.column(index))]
        table, header = table.select(full), [header[index] for index in full]
    names, renamed = tidy_names(header, table.num_columns, lines)
    frame, changed = _plain_frame(table, names)
    for name in frame.columns:
        if frame[name].dtype.kind not in "iufb" and (read := marked_numbers(name, frame[name])) is not None:
            frame[name] = read[0]
            changed.append(read[1])
    return frame, lines, [*findings, *renamed, *changed, *_numbers_among_words(frame, lines), *in_units(frame, lines)]


def _has_values(column: pa.ChunkedArray) -> bool:
    """Whether a column has a cell that is neither missing nor blank."""
    from pyarrow import types

    if types.is_string(column.type):
        pc = import_module("pyarrow.compute")
        return bool(pc.any(pc.not_equal(pc.utf8_trim_whitespace(column), "")).as_py())
    return column.null_count < len(column)


def column_of(cells: Sequence[Any], name: str) -> tuple[pd.Series, list[Finding]]:
    """The cells of a sheet as a column of one type; text among numbers makes all of it text, with a finding."""
    present = [cell for cell in cells if not _is_empty(cell)]
    kinds = {_kind(cell) for cell in present}
    if not kinds:
        return pd.Series(np.full(len(cells), np.nan)), []
    if kinds == {"number"}:
        return _numbers(cells), []
    if kinds == {"truth value"} and len(present) == len(cells):
        return pd.Series(cells, dtype=bool), []
    if kinds <= {"number", "text"} and all(_reads_as_number(cell) for cell in present):
        sentence = f"Column {named(name)} holds numbers written as text; they are read as numbers."
        numbers = [None if _is_empty(cell) else float(str(cell).replace(",", ".")) for cell in cells]
        return _numbers(numbers), [Finding("info", sentence, len(present), name, code="numbers as text")]
    column = pd.Series([None if _is_empty(cell) else _cell_text(cell) for cell in cells], dtype="str")
    if kinds <= {"number", "text"} and (read := marked_numbers(name, column)) is not None:
        return read[0], [read[1]]
    if len(kinds) == 1:
        return column, []
    odd = next((cell for cell in present if _kind(cell) == "text"), present[0])
    mixed = " and ".join(f"{kind}s" if kind != "text" else kind for kind in sorted(kinds))
    sentence = f"Column {named(name)} mixes {mixed} (for example {named(_cell_text(odd))}) and is read as text."
    return column, [Finding("warning", sentence, len(present), name, code="mixed column")]


def _numbers_among_words(frame: pd.DataFrame, lines: Lines) -> list[Finding]:
    """Findings about text columns that were meant as numbers, but for a few cells such as "1.5*", or for "50%"."""
    findings = []
    for name in frame.columns:
        column = frame[name]
        if column.dtype.kind in "iufb":
            continue
        head = column.iloc[:200].dropna()
        numbers = sum(map(_reads_as_number, head))
        # A name that promises numbers needs less evidence.
        promised = is_score(name) or simple(name) in _NUMERIC
        if finding := _ambiguous_thousands(name, column, head, lines):
            findings.append(finding)
        elif numbers > 5 or (numbers and promised):
            no_number = are_words(column)
            words = column[no_number]
            texts = words.unique()
            # numbers but for a few words: "<0.01", "n.d."
            many = len(words) * 10 < len(column) and column.nunique() > 20
            many = many or (len(words) * 3 < len(column) and len(texts) <= _MOST_CODES and column.nunique() > 20)
            if len(words) and (many or (promised and len(words) * 2 <= len(column))):
                sentence = f"Column {named(name)} is read as text because {rows_text(len(words))} "
                sentence += f"{'holds' if len(words) == 1 else 'hold'} no number: {listed(texts, 3)} "
                sentence += f"(first: {lines.at(no_number.argmax())}). Clear these cells to use it as numbers."
                action = Exclude((name,), tuple(texts)).to_text() if len(texts) <= _MOST_WORDS else None
                findings.append(Finding("warning", sentence, len(words), name, action, code="words"))
    return findings


def transposed_counts(frame: pd.DataFrame) -> pd.DataFrame | None:
    """A list of four lines, "tp, 20" and so on, as one row of four columns; None for any other table."""
    if frame.shape[1] != 2 or len(frame) not in (3, 4):
        return None
    labels, values = frame.iloc[:, 0], frame.iloc[:, 1]
    if values.dtype.kind not in "iuf" or labels.dtype.kind in "iufb":
        return None
    pairs = [(text_of(label), value) for label, value in zip(labels, values, strict=True)]
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
    row = pd.DataFrame({key: [counts[key]] for key in COUNT_NAMES})
    whole = all(float(value).is_integer() for value in counts.values())
    return row.astype(np.int64 if whole else np.float64)


def _ambiguous_thousands(name: str, column: pd.Series, head: pd.Series, lines: Lines) -> Finding | None:
    """A finding about a column of numbers whose marks may be of decimals or of thousands."""
    texts = head.astype(str).str.strip()
    grouped = texts.str.fullmatch(_THOUSANDS)
    if not (grouped.any() and (grouped | texts.str.fullmatch(_NUMBER)).all()):
        return None
    first = int(np.flatnonzero(column.index == grouped.idxmax())[0])
    sentence = f"Column {named(name)} holds numbers such as {named(column.iloc[first])} (first: {lines.at(first)}), "
    sentence += "whose mark may separate decimals or thousands, and is read as text. "
    return Finding("warning", f"{sentence}Remove the marks to use it as numbers.", len(column), name, code="marks")


def in_units(frame: pd.DataFrame, lines: Lines) -> list[Finding]:
    """Findings about columns of numbers whose signs or units are not all the same, such as 1.2K and 3M."""
    findings = []
    for name in frame.columns:
        if frame[name].dtype.kind in "iufb":
            continue
        texts = frame[name].iloc[:200].dropna().str.strip()
        signed = texts.str.fullmatch(_SIGNED).astype(bool)
        odd = texts[signed & ~texts.map(_reads_as_number).astype(bool)]
        many = 10 * len(odd) >= len(texts) and odd.nunique() > _MOST_CODES and 10 * signed.sum() >= 9 * len(texts)
        # whole numbers with a letter are often names
        if not many or texts.str.fullmatch(_THOUSANDS).any() or not odd.str.contains(_QUANTITY).any():
            continue
        sentence = f"Column {named(name)} holds numbers with signs or units, such as {named(odd.iloc[0])} (first: "
        sentence += f"{lines.at(odd.index[0])}), and is read as text. Write plain numbers, all in one unit, to use it "
        findings.append(Finding("warning", f"{sentence}as numbers.", len(frame), name, code="marks"))
    return findings


def _plain_column(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """A column as one of the four types, or None if it holds lists, structures or raw bytes."""
    import pyarrow as pa

    pc = import_module("pyarrow.compute")
    from pyarrow import types

    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        column = column.cast(kind.storage_type)
        kind = column.type
    if types.is_dictionary(kind):
        column = column.cast(kind.value_type)
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
    import pyarrow as pa

    pc = import_module("pyarrow.compute")

    lowest_highest = pc.min_max(column).as_py()
    lowest, highest = lowest_highest["min"] or 0, lowest_highest["max"] or 0
    if highest >= 2**63 or (column.null_count and max(-lowest, highest) > _EXACT):
        return column.cast(pa.string())
    return column.cast(pa.float64() if column.null_count else pa.int64())


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text without the blanks around each delimiter, if every cell has one, and with empty cells as missing."""
    import pyarrow as pa

    pc = import_module("pyarrow.compute")

    first = next((cell.as_py() for cell in column if cell.is_valid), "") if column.num_chunks else ""
    if first.startswith(" ") and pc.all(pc.starts_with(column, " ")).as_py():
        column = pc.utf8_ltrim(column, " ")
    if first.endswith(" ") and pc.all(pc.ends_with(column, " ")).as_py():
        column = pc.utf8_rtrim(column, " ")
    shortest = pc.min(pc.binary_length(column)).as_py()
    if shortest == 0:
        column = pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)
    # a text column without text has no type of its own
    return column.cast(pa.float64()) if column.null_count == len(column) else column


def _is_empty(cell: object) -> bool:
    return cell is None or cell is pd.NaT or (isinstance(cell, str) and not cell.strip()) or cell != cell


def _kind(cell: object) -> str:
    if isinstance(cell, (bool, np.bool_)):
        return "truth value"
    if isinstance(cell, (int, float, np.number)):
        return "number"
    if isinstance(cell, (datetime.date, datetime.time, datetime.timedelta)):
        return "date"
    return "text"


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
    numbers = np.array([np.nan if _is_empty(cell) else float(cell) for cell in cells], dtype=np.float64)
    if np.isfinite(numbers).all() and (numbers == np.rint(numbers)).all() and (np.abs(numbers) < _EXACT).all():
        return pd.Series(numbers.astype(np.int64))
    return pd.Series(numbers)
