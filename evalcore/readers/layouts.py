"""The layout of a delimited text: its delimiter, its decimal mark, its header and where the rows begin."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from evalcore.readers.headers import is_header, refuse_large
from evalcore.readers.problems import ReadProblem, named

_DELIMITERS = "\t;|,"
_SAMPLE = 1 << 16
_SAMPLED_ROWS = 100
_QUOTED = re.compile(r'(?<![^\t;|,\r\n])"(?:[^"]|"")*+"(?=[\t;|,\r\n]|\Z)')


@dataclass(frozen=True)
class Layout:
    """The layout of a text file: its delimiter, its decimal mark, its first lines, and where the rows begin."""

    delimiter: str
    decimal_comma: bool
    header: list[str] | None
    start: int
    first_line: int
    sample: list[list[str]]


def layout_of(data: bytes, name: str) -> Layout:
    """The layout of a text file, from its first lines."""
    start, line, forced = _before_table(data)
    text = _head(data, start)
    if not text.strip():
        raise ReadProblem(f"{named(name)} is empty. Open a file with a header and at least one row.")
    delimiter = forced or _delimiter(text)
    records = _records(text, delimiter)
    if not records:
        raise ReadProblem(
            f"The first line of {named(name)} has a field that is too long. Perhaps a quote is not closed."
        )
    (header, lines, length), *following = records
    if len(header) < 2:
        raise ReadProblem(
            f"{named(name)} has only one column, or its columns are not separated by a comma, semicolon, tab or pipe. "
            "Save it as CSV with at least two columns."
        )
    refuse_large(name, len(header))
    rows = [fields for fields, _, _ in following]
    if delimiter == ",":
        comma = _quoted_commas(rows)
    else:
        comma = _decimal_comma([header, *rows]) or (not _decimal_point(rows) and _commas_further_down(data, delimiter))
    if not is_header(header, rows, comma):
        return Layout(delimiter, comma, None, start, line, [header, *rows])
    if not rows and not data[start + length :].strip():
        raise ReadProblem(f"{named(name)} has a header but no rows. Open a file with at least one row.")
    return Layout(delimiter, comma, header, start + length, line + lines, rows)


def _before_table(data: bytes) -> tuple[int, int, str | None]:
    """Where the header begins, its line number, and the delimiter if Excel wrote it into a line "sep=;"."""
    start, line = 0, 1
    blank = re.match(rb"(?:[ \t]*(?:\r\n|\n))+", data)
    if blank:
        start, line = blank.end(), 1 + blank.group().count(b"\n")
    excel = re.match(rb"sep=([,;\t|])\r?\n", data[start : start + 16])
    if excel:
        return start + excel.end(), line + 1, excel[1].decode()
    return start, line, None


def _head(data: bytes, start: int) -> str:
    """The first lines as text, without a last line that is cut off."""
    size = _SAMPLE
    while size < len(data) - start and b"\n" not in data[start : start + size]:
        size *= 4
    head = data[start : start + size]
    if len(data) - start > size:
        head = head[: head.rfind(b"\n") + 1]
    return head.decode("utf-8", errors="replace")


def _records(text: str, delimiter: str) -> list[tuple[list[str], int, int]]:
    """The first records: their fields, and the lines and bytes they take with the blank lines before them."""
    lines = io.StringIO(text, newline="")
    consumed: list[str] = []

    def counted() -> Iterator[str]:
        for line in lines:
            consumed.append(line)
            yield line

    records, used = [], 0
    try:
        for fields in csv.reader(counted(), delimiter=delimiter):
            if not fields:
                continue
            block = consumed[used:]
            used = len(consumed)
            records.append((fields, len(block), len("".join(block).encode())))
            if len(records) > _SAMPLED_ROWS:
                break
    except csv.Error:
        pass
    return records


def _delimiter(text: str) -> str:
    """The delimiter that splits the most lines into as many fields as the first."""
    # nothing in quotes is a delimiter; with another delimiter a quote could begin in the middle of a field
    text = _QUOTED.sub('""', text)
    best, best_share = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = [len(fields) for fields, _, _ in _records(text, delimiter)]
        if widths and widths[0] > 1:
            share = sum(width == widths[0] for width in widths) / len(widths)
            if share > best_share:
                best, best_share = delimiter, share
    return best


def _decimal_comma(records: list[list[str]]) -> bool:
    comma = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*")
    return not _decimal_point(records) and any(comma.fullmatch(field) for record in records for field in record)


def _decimal_point(records: list[list[str]]) -> bool:
    point = re.compile(r"\s*[+-]?\d*\.\d+(?:[eE][+-]?\d+)?\s*")
    return any(point.fullmatch(field) for record in records for field in record)


def _commas_further_down(data: bytes, delimiter: str) -> bool:
    """Whether a decimal comma occurs only below the first lines, which may all be whole numbers."""
    between = re.escape(delimiter.encode())
    pattern = rb"[\n%b][ ]*[+-]?\d*,\d+[ ]*[\r\n%b]" % (between, between)
    return b"," in data and re.search(pattern, data) is not None


def _quoted_commas(rows: list[list[str]]) -> bool:
    """Whether numbers are quoted for their decimal comma: "0,5" between commas, in a column of nothing else.

    In "1,234" the comma may separate thousands, so a column of only such numbers is left as text.
    """
    if not _decimal_comma(rows):
        return False
    number, thousands = re.compile(r"[+-]?\d*(?:,\d+)?"), re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+|\d{1,3}")
    for column in zip(*rows, strict=False):
        fields = [field.strip() for field in column]
        if all(map(number.fullmatch, fields)) and any("," in field for field in fields):
            return not all(map(thousands.fullmatch, fields))
    return False
