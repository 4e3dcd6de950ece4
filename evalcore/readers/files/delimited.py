"""Delimited text: comma, semicolon, tab or pipe, read by pyarrow; names the line where it fails."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING

import pandas as pd

from evalcore.readers.base.encodings import USUAL_FORMATS, no_table, utf8
from evalcore.readers.base.number_texts import decimal_marks, either_mark, may_be_thousands, thousands_in_counts
from evalcore.readers.base.problems import Finding, Lines, ReadProblem, named
from evalcore.readers.base.values import are_country_codes
from evalcore.readers.child.exports import EXPORTS
from evalcore.readers.files.frames import content_of
from evalcore.readers.files.headers import MAX_CELLS, refuse_large, too_many
from evalcore.readers.files.layouts import Layout, layout_of
from evalcore.wording.numbers import count_text

if TYPE_CHECKING:
    import pyarrow as pa


_DELIMITERS = re.compile(rb"[\t;|,]")

_SAMPLE, _LINES = 1 << 14, 50

_QUOTED = rb'"[^"\n]*"'

_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|NaN|NA")

_FIELD = re.compile(rb'(?:"[^"\n]*"|[^\s"])+')

_ATTRIBUTE = re.compile(rb"@attribute\s+(?:'([^'\n]*)'|\"([^\"\n]*)\"|([^\s{]+))", re.IGNORECASE)

_ARFF = re.compile(rb"\s*(?:%.*\n\s*)*@relation\b", re.IGNORECASE)


def with_arff_names(data: bytes) -> bytes:
    """An ARFF file as CSV with its names in the line of @data, so that lines keep their numbers; else the same text.

    >>> with_arff_names(b"@relation r\\n@attribute y {a,b}\\n@attribute 'p b' numeric\\n@data\\na,0.5\\n'b',?\\n")
    b'\\n\\n\\n"y","p b"\\na,0.5\\n"b",\\n'
    """
    start = re.search(rb"(?im)^[ \t]*@data\b.*$", data) if _ARFF.match(data[:_SAMPLE]) else None
    if start is None or data[start.end() :].lstrip().startswith(b"{"):  # sparse rows hold only what is not 0
        return data
    lines = data[: start.start()].splitlines()
    found = [match for line in lines if (match := _ATTRIBUTE.match(line.strip()))]
    names = b",".join(b'"%b"' % (match[1] or match[2] or match[3]) for match in found)
    rows = re.sub(rb"'([^'\n]*)'", rb'"\1"', data[start.end() :])
    rows = re.sub(rb"(?m)^%.*$|(?:(?<=,)|^)[ \t]*\?[ \t]*(?=,|\r?$)", b"", rows)
    return b"\n" * len(lines) + names + rows


def tabbed(data: bytes) -> bytes:
    """Replace the blanks between fields by tabs if blanks separate the columns; else return the text unchanged.

    >>> tabbed(b'"actual" "score"\\n"1" "very ill" 0.5\\n"2" "well" .25\\n')
    b'\\t"actual"\\t"score"\\n"1"\\t"very ill"\\t0.5\\n"2"\\t"well"\\t.25\\n'
    >>> tabbed(b"a,b\\n1 2,3\\n"), tabbed(b"Some words\\nthat are no table\\n")
    (b'a,b\\n1 2,3\\n', b'Some words\\nthat are no table\\n')
    """
    head = data[:_SAMPLE]
    lines = [line for line in head.splitlines()[: _LINES + 1] if line.strip() and not line.startswith(b"#")]
    lines = lines[:-1] if len(data) > len(head) and len(lines) > 1 else lines
    bare = re.sub(_QUOTED, b'""', b"\n".join(lines))
    if len(lines) < 2 or _DELIMITERS.search(bare):
        return data
    fields = [_FIELD.findall(line) for line in lines]
    names, rows = fields[0], fields[1:]
    width = len(rows[0])
    if width < 2 or any(len(row) != width for row in rows) or len(names) not in (width, width - 1):
        return data
    numbers = [field for line in fields for field in line if _NUMBER.fullmatch(field)]
    has_names = len({*names}) == len(names) and not any(map(_NUMBER.fullmatch, names))
    if not numbers or not (has_names or len(numbers) == width * len(fields)):
        return data
    data = re.sub(rb"(?m)^[ ]+|[ ]+(?=\r?$)", b"", data)
    if b'"' in data:
        data = re.sub(rb'("[^"\n]*")|[ ]+', lambda match: match[1] or b"\t", data)
    else:
        data = re.sub(rb"[ ]+", b"\t", data)
    if len(names) == width:
        return data
    start = re.match(rb"(?:#.*\n|\s*\n)*", data)  # the header leaves out the names of the rows
    return data[: start.end()] + b"\t" + data[start.end() :] if start else data


_LONGEST_LINE = 4_000_000

_PIECE = 1 << 20

_MISSING = ["", "NA", "N/A", "n/a", "NaN", "nan", "-nan", "-NaN", "null", "NULL", "#N/A", "#NA", "<NA>", "None"]

_MISSING += ["#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"]  # what a spreadsheet writes for an error

_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes"}

_KNOWN = (
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"\x89HDF", "an HDF5 file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"<!doctype html", "a web page"),
    (b"<html", "a web page"),
    (b"<?xml", "an XML document"),
)


def read_delimited(
    data: bytes, name: str, max_rows: int, max_bytes: int, header: int | None = None
) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """Text with a delimiter, in any usual encoding; the header is the number of a line, 0 for none."""
    _refuse_known(data, name)
    text, findings = utf8(data, name)
    table, layout = _parsed(text, name, max_rows, header)
    findings += layout.findings
    numbering = Lines(layout.first_line, origin=layout.origin)
    marks = decimal_marks(layout.sample)
    decimal = next(iter(marks)) if len(marks) == 1 else None
    frame, lines, changed = content_of(table, layout.header, numbering, findings, decimal, layout.delimiter)
    if (counts := thousands_in_counts(frame, layout.sample)) is not None:
        return counts[0], lines, [*findings, *counts[1]]
    if layout.decimal_comma:
        changed.append(
            Finding("info", 'Commas in numbers are read as decimal marks: "0,5" is one half.', 1, code="decimal commas")
        )
    return frame, lines, changed


def _parsed(data: bytes, name: str, max_rows: int, header: int | None) -> tuple[pa.Table, Layout]:
    """UTF-8 text as an Arrow table, and how it is written."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")  # as an old Mac ends its lines
    data = tabbed(with_arff_names(_without_blank_end(data)))
    _refuse_long_lines(data, name)
    layout = layout_of(data, name, header)
    if data.count(layout.delimiter.encode()) + data.count(b"\n") > MAX_CELLS:
        raise too_many(name, MAX_CELLS, "cells")
    width = len(layout.header or layout.sample[0])
    columns = [f"c{index}" for index in range(width)]
    quotes = b'"' in data
    if quotes and data.count(b'"') % 2:
        _refuse_ragged(data, layout, width, name)

    def read(texts: Iterable[int], only: bool = False, missing: Sequence[str] = _MISSING) -> pa.Table:
        """The table, or only some columns of it, with these as texts."""
        names = [columns[index] for index in texts]
        return arrow_csv.read_csv(
            pa.BufferReader(pa.py_buffer(memoryview(data)[layout.start : layout.end])),
            read_options=arrow_csv.ReadOptions(column_names=columns, block_size=1 << 22),
            parse_options=arrow_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=quotes),
            convert_options=arrow_csv.ConvertOptions(
                decimal_point="," if layout.decimal_comma else ".",
                null_values=missing,
                strings_can_be_null=True,
                true_values=["true", "True", "TRUE"],
                false_values=["false", "False", "FALSE"],
                column_types=dict.fromkeys(names, pa.string()),
                include_columns=names if only else None,
            ),
        )

    try:
        table = _with_texts(read(_coded_columns(layout.sample, width)), read)
    except (pa.ArrowException, ValueError, OverflowError) as error:
        _refuse_ragged(data, layout, width, name)
        raise ReadProblem(f"{named(name)} cannot be read as a table. Save it again as CSV (UTF-8).") from error
    refuse_large(name, width, table.num_rows, max_rows)
    return table, layout


def _with_texts(table: pa.Table, read: Callable[..., pa.Table]) -> pa.Table:
    """Replace cells whose text was lost in parsing: thousands marks, and NA among country codes."""
    from pyarrow import types

    pc = import_module("pyarrow.compute")
    doubtful = [
        index
        for index, column in enumerate(table.columns)
        if types.is_floating(column.type) and may_be_thousands(column)
    ]
    countries = [
        index
        for index, column in enumerate(table.columns)
        if types.is_string(column.type)
        and column.null_count
        and pc.max(pc.binary_length(column)).as_py() == 2
        and are_country_codes(column.unique().to_pylist())
    ]
    for texts, missing in ((doubtful, _MISSING), (countries, [word for word in _MISSING if word != "NA"])):
        columns = read(texts, True, missing).columns if texts else []
        for index, column in zip(texts, columns, strict=True):
            if texts is countries or either_mark(column.to_pandas()) is not None:
                table = table.set_column(index, table.field(index).name, column)
    return table


def _refuse_long_lines(data: bytes, name: str) -> None:
    """Raise ReadProblem for a line that is too long for a table, because a parser takes many times its size."""
    start = 0
    while start + _LONGEST_LINE < len(data):
        end = data.rfind(b"\n", start, start + _LONGEST_LINE)
        if end < 0:
            line = count_text(data.count(b"\n", 0, start) + 1)
            raise ReadProblem(
                f"Line {line} of {named(name)} is longer than {count_text(_LONGEST_LINE // 1_000_000)} MB, so it is "
                "not a row of a table. Check its line ends."
            )
        start = end + 1


def _without_blank_end(data: bytes) -> bytes:
    """Strip blank lines, and the end mark of old DOS programs, after the last row."""
    end, rest = len(data), b""
    while end and not rest:  # piece by piece, as what is left would be a copy of the whole
        rest = data[max(end - _PIECE, 0) : end].rstrip(b" \r\n\x1a")
        end = max(end - _PIECE, 0) + len(rest)
    line_end = data.find(b"\n", end)
    return data if line_end < 0 else data[: line_end + 1]


def _coded_columns(sample: list[list[str]], width: int) -> list[int]:
    """Columns of codes such as 007, which would lose their zeros as numbers, or are too long for a number."""
    code = re.compile(r"\s*(?:0\d+|[+-]?\d{19,})\s*")
    return [index for index in range(width) if any(len(row) > index and code.fullmatch(row[index]) for row in sample)]


def _looks_like_a_table(rows: list[list[str]], width: int) -> bool:
    """Whether at least half of the rows are as wide as the first line, or all rows are equally wide."""
    widths = Counter(map(len, rows))
    return len(rows) < 2 or 2 * widths[width] >= len(rows) or (len(widths) == 1 and 1 not in widths)


def _refuse_ragged(data: bytes, layout: Layout, width: int, name: str) -> None:
    """Raise the problem of a text that is not a table, of its first line that does not fit, or of an open quote."""
    if not _looks_like_a_table(layout.sample, width):
        raise ReadProblem(
            f"{named(name)} does not look like a table: its lines hold different numbers of fields. "
            f"Open a file with a header line and one line per case, as {USUAL_FORMATS}."
        )
    rest = io.BytesIO(data[layout.start : layout.end])
    text = io.TextIOWrapper(rest, "utf-8", errors="replace", newline="")  # piece by piece: text takes much memory
    reader = csv.reader(text, delimiter=layout.delimiter, strict=True)
    before = layout.first_line
    try:
        for fields in reader:
            if fields and width and len(fields) != width:
                only = "only " if len(fields) < width else ""
                fields_there = "1 field" if len(fields) == 1 else f"{count_text(len(fields))} fields"
                raise ReadProblem(
                    f"Line {count_text(before)} of {named(name)} has {only}{fields_there} where the first line has "
                    f"{count_text(width)}, separated by {_NAMES[layout.delimiter]}. Correct that line."
                )
            before = layout.first_line + reader.line_num
    except csv.Error as error:
        raise ReadProblem(
            f"The quoted field that begins in line {count_text(before)} of {named(name)} is not closed correctly. "
            'Close the quote, or double each quote inside a field ("").'
        ) from error


def _refuse_known(data: bytes, name: str) -> None:
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<") and re.search(rb"<annotations?[\s>]", head):  # of CVAT and Pascal VOC
        raise ReadProblem(f"{named(name)} {EXPORTS['boxes']}")
    for mark, what in _KNOWN:
        if head[: len(mark)].lower() == mark.lower():
            raise no_table(name, f"{what}, not a table")
    if PurePath(name).suffix.lower() in (".pkl", ".pickle"):
        raise no_table(name)
