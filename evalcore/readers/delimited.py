"""Delimited text: comma, semicolon, tab or pipe, read by pyarrow, and the line named where it fails."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from typing import TYPE_CHECKING

from evalcore.readers.layouts import Layout, found_layout
from evalcore.readers.problems import ReadProblem, named
from evalcore.wording.numbers import count_text

if TYPE_CHECKING:
    import pyarrow as pa

_MISSING = ["", "NA", "N/A", "n/a", "NaN", "nan", "-nan", "-NaN", "null", "NULL", "#N/A", "#NA", "<NA>", "None"]
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes"}


def read_delimited(data: bytes, name: str, max_rows: int) -> tuple[pa.Table, Layout]:
    """A delimited text as an Arrow table, and how it is written.

    Parameters
    ----------
    data : bytes
        UTF-8 text without a byte order mark.
    name : str
        The name of the file, for problems.
    max_rows : int
        The limit of rows.

    Raises
    ------
    ReadProblem
        If it is empty, has a header or a column only, a line with too few or too many fields, a quote that never
        ends, or too many rows.
    """
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")  # as an old Mac ends its lines
    data = _without_blank_end(data)
    layout = found_layout(data, name)
    width = len(layout.header or layout.sample[0])
    columns = [f"c{place}" for place in range(width)]
    quotes = b'"' in data
    if quotes and data.count(b'"') % 2:
        _refuse_ragged(data, layout, width, name)
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(pa.py_buffer(memoryview(data)[layout.start :])),
            read_options=arrow_csv.ReadOptions(column_names=columns, block_size=1 << 22),
            parse_options=arrow_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=quotes),
            convert_options=arrow_csv.ConvertOptions(
                decimal_point="," if layout.decimal_comma else ".",
                null_values=_MISSING,
                strings_can_be_null=True,
                true_values=["true", "True", "TRUE"],
                false_values=["false", "False", "FALSE"],
                column_types={columns[place]: pa.string() for place in _coded_columns(layout.sample, width)},
            ),
        )
    except (pa.ArrowException, ValueError, OverflowError) as error:
        _refuse_ragged(data, layout, width, name)
        raise ReadProblem(f"{named(name)} cannot be read as a table. Save it again as CSV (UTF-8).") from error
    if table.num_rows > max_rows:
        raise ReadProblem(f"{named(name)} has more than the limit of {count_text(max_rows)} rows. Open a part of it.")
    return table, layout


def _without_blank_end(data: bytes) -> bytes:
    """Without lines of blanks, and the end mark of old DOS programs, after the last row."""
    end = len(data.rstrip(b" \r\n\x1a"))
    line_end = data.find(b"\n", end)
    return data if line_end < 0 else data[: line_end + 1]


def _coded_columns(sample: list[list[str]], width: int) -> list[int]:
    """The columns of codes such as 007, which would lose their zeros as numbers, or are too long for one."""
    code = re.compile(r"\s*(?:0\d+|[+-]?\d{19,})\s*")
    return [place for place in range(width) if any(len(row) > place and code.fullmatch(row[place]) for row in sample)]


def _looks_like_a_table(rows: list[list[str]], width: int) -> bool:
    """Whether at least half of the rows are as wide as the first line, or all as wide as each other."""
    widths = Counter(map(len, rows))
    return len(rows) < 2 or 2 * widths[width] >= len(rows) or (len(widths) == 1 and 1 not in widths)


def _refuse_ragged(data: bytes, layout: Layout, width: int, name: str) -> None:
    """Raise the problem of a text that is no table, of its first line that does not fit, or of an open quote."""
    if not _looks_like_a_table(layout.sample, width):
        raise ReadProblem(
            f"{named(name)} does not look like a table: its lines hold different numbers of fields. "
            "Open a file with a line of names and under it a line a case, as CSV, Excel or Parquet."
        )
    text = io.StringIO(data[layout.start :].decode("utf-8", errors="replace"), newline="")
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
            f"A quoted field that begins in line {count_text(before)} of {named(name)} is never closed rightly. "
            'Close the quote, or write a quote inside a field as "".'
        ) from error
