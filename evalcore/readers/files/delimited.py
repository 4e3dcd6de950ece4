"""Delimited text: comma, semicolon, tab or pipe, read by pyarrow; names the line where it fails."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import takewhile
from pathlib import PurePath
from typing import Any, NoReturn

import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import types

from evalcore.readers.base import values
from evalcore.readers.base.encodings import USUAL_FORMATS, no_table, utf8
from evalcore.readers.base.problems import Finding, Lines, Origin, ReadProblem, named
from evalcore.readers.base.values import decimal_marks, either_mark, may_be_thousands, thousands_in_counts
from evalcore.readers.child.exports import EXPORTS
from evalcore.readers.files import headers
from evalcore.readers.files.frames import Content, content_of
from evalcore.wording.numbers import count_text

pc: Any = import_module("pyarrow.compute")

_DELIMITERS = "\t;|,"
_SAMPLE, _SAMPLED_ROWS, _MOST_FOOTERS = 1 << 16, 100, 20
_RULE = re.compile(r"\s*|\s*:?[-+=]{3,}:?\s*")  # below the names, as psql and Markdown draw it
_EITHER_COMMA = re.compile(r"\s*[+-]?[1-9]\d{0,2},\d{3}\s*")
_QUOTED = re.compile(r'(?<![^\t;|,\r\n])"(?:[^"]|"")*+"(?=[\t;|,\r\n]|\Z)')


@dataclass(frozen=True)
class Layout:
    """Layout of a text file: delimiter, decimal mark, first lines, start and end of the rows, lines left out."""

    delimiter: str
    decimal_comma: bool
    header: list[str] | None
    start: int
    first_line: int
    sample: list[list[str]]
    end: int = 0
    findings: tuple[Finding, ...] = ()
    origin: Origin | None = None


def layout_of(data: bytes, name: str, wanted: int | None = None) -> Layout:
    """The layout of a text file, from its first and last lines; its header is the wanted line (0: none) if given."""
    start, line, forced = _before_table(data)
    above: list[str] = []
    if wanted:
        start, line = _start_of(data, wanted, name), wanted
    else:
        start, line, above = _after_comments(data, start, line)
    text = _head(data, start)
    if not text.strip():
        raise ReadProblem(f"{named(name)} is empty. Open a file with a header and at least one row.")
    delimiter = forced or _delimiter(text)
    if not (records := _records(text, delimiter)):
        sentence = f"The first line of {named(name)} has a field that is too long. Perhaps a quote is not closed."
        raise ReadProblem(sentence)
    commented = _commented_header(above, records, delimiter)
    titles = records[: 0 if wanted or commented else _header_index(records)]
    above += [" ".join(filter(None, fields)) for fields, _, _ in titles]
    start, line = start + sum(size for *_, size in titles), line + sum(lines for _, lines, _ in titles)
    (header, lines, length), *following = records[len(titles) :]
    if following and "---" in "".join(following[0][0]) and all(map(_RULE.fullmatch, following[0][0])):
        lines, length = lines + following[0][1], length + following[0][2]
        following = following[1:]
    rows = [fields for fields, _, _ in following]
    if commented:
        header, lines, length, rows = commented, 0, 0, [header, *rows]
        above.pop()
    header = [header[0].lstrip("# "), *header[1:]] if wanted else header
    number = line + lines - 1
    below_header: list[Finding] = []
    if not commented and wanted != 0:
        header, taken, below_header = headers.header_names([header, *rows], "line")
        lines += sum(more for _, more, _ in following[: taken - 1])
        length += sum(more for *_, more in following[: taken - 1])
        rows = rows[taken - 1 :]
    header = _with_row_numbers(header, rows)
    if len(header) < 2:
        _refuse_one_column(data, name, number, following)
    headers.refuse_large(name, len(header))
    if delimiter == ",":
        comma = _quoted_commas(rows)
    elif not (comma := _decimal_comma([header, *rows])) and "." not in decimal_marks(rows) and b"," in data:
        mark = re.escape(delimiter.encode())  # further down, where the first lines are all whole numbers
        comma = re.search(rb"[\n%b][ ]*[+-]?\d*,\d+[ ]*[\r\n%b]" % (mark, mark), data) is not None
    end, below = _footers(data, start + length, delimiter, len(header), rows[: len(rows) // 2])
    names = wanted != 0 and (bool(wanted) or headers.is_header(header, rows, comma))
    around = (*headers.findings_around(above, number, below, Lines(1, "line")), *below_header)
    chosen = () if wanted is None else ("header",)
    origin = Origin(header=number if names else 0, chosen=chosen, is_usual=names and not around and not chosen)
    if not names:
        return Layout(delimiter, comma, None, start, line, [header, *rows], end, around, origin)
    if not rows and not data[start + length : end].strip():
        raise ReadProblem(f"{named(name)} has a header but no rows. Open a file with at least one row.")
    return Layout(delimiter, comma, header, start + length, line + lines, rows, end, around, origin)


_Record = tuple[list[str], int, int]
"""The fields of a record, and the lines and bytes that it takes with the blank lines before it."""

_PRINTED = ("precision", "recall", "accuracy", "kappa", "sensitivity", "specificity", "area under the curve")


def _refuse_one_column(data: bytes, name: str, line: int, following: list[_Record]) -> NoReturn:
    """Raise the problem of a printed report of measures, of rows that are wider than their header, or of one column."""
    text = " ".join(data[:_SAMPLE].decode("utf-8", "replace").casefold().split())
    found = [word for word in _PRINTED if re.search(rf"\b{word}\b", text)]
    widths = [len(fields) for fields, _, _ in following]
    width = Counter(widths).most_common(1)[0][0] if widths else 1
    if len(found) > 1 or _PRINTED[-1] in found:
        sentence = f"{named(name)} holds measures ({', '.join(found[:3])}), not what they were computed from. Open the "
        sentence += "labels with their predictions or scores, or a table of TP, FP, FN and TN, or type them into the "
        sentence += "matrix on the Confusion page."
    elif width > 1:
        first = line + sum(many for _, many, _ in following[: widths.index(width) + 1])
        sentence = f"{named(name)} has no line that names its {width} columns, as many as line {count_text(first)} "
        sentence += "has. Write above the rows one line with a name for each column."
    else:
        sentence = f"{named(name)} has only one column, or its columns are not separated by a comma, semicolon, tab or "
        sentence += "pipe. Save it as CSV with at least two columns."
    raise ReadProblem(sentence)


def _start_of(data: bytes, line: int, name: str) -> int:
    """Position of the beginning of a line."""
    start = 0
    for _ in range(line - 1):
        if not (start := data.find(b"\n", start) + 1):
            break
    if line < 1 or (line > 1 and not start) or not data[start:].strip():
        raise ReadProblem(f"{named(name)} has no line {line} with a line after it. Choose another header line.")
    return start


def _after_comments(data: bytes, start: int, line: int) -> tuple[int, int, list[str]]:
    """Position and number of the first line that is neither blank nor a comment ("# …"), and the comments."""
    comments = []
    while data[start : start + 1] == b"#" and (end := data.find(b"\n", start)) >= 0:
        comments.append(data[start:end].decode("utf-8", "replace").strip())
        start, line = end + 1, line + 1
        blank = re.match(rb"(?:[ \t]*\r?\n)*", data[start : start + _SAMPLE])
        start, line = start + len(blank[0]), line + blank[0].count(b"\n")  # type: ignore[index]
    return start, line, comments


def _commented_header(comments: list[str], records: list[_Record], delimiter: str) -> list[str] | None:
    """The names in the last comment, if rows of values and no names follow it."""
    names = next(csv.reader([comments[-1].lstrip("# ")], delimiter=delimiter), []) if comments else []
    rows = [fields for fields, _, _ in records]
    if not len(names) == len(rows[0]) > 1 or any(map(headers.is_number, names)):
        return None
    again = any(field in column for field, *column in zip(*rows, strict=False))
    return names if again or any(map(headers.is_number, rows[0])) else None


def _header_index(records: list[_Record]) -> int:
    """The index of the record with the names; 0 unless nearly all that follow it are as wide."""
    rows = [[field.strip() for field in fields] for fields, _, _ in records]
    index = headers.header_row(rows)
    while len(rows) > index + 2 and headers.is_footer(rows[-1], len(rows[index]), True):
        rows.pop()
    if index and len(rows[index - 1]) == len(rows[index]) and headers.is_second_level(rows[index - 1], rows[index]):
        index -= 1
    same = sum(len(row) == len(rows[index]) for row in rows[index:])
    return index if 5 * same >= 4 * (len(rows) - index) else 0


def _with_row_numbers(header: list[str], rows: list[list[str]]) -> list[str]:
    """The header with an empty name for a first column of consecutive numbers that it leaves out, as R writes it."""
    numbers = [row[0] for row in rows if len(row) == len(header) + 1]
    first = int(numbers[0]) if numbers and numbers[0].isdecimal() else None
    if first is None or len(numbers) < max(2, len(rows)):
        return header
    return ["", *header] if numbers == [str(first + index) for index in range(len(numbers))] else header


def _footers(data: bytes, start: int, delimiter: str, width: int, cases: list[list[str]]) -> tuple[int, list[str]]:
    """Position of the end of the rows, and the lines after them that are totals or notes."""
    end, below = len(data), []
    while len(below) < _MOST_FOOTERS:
        base = max(end - _SAMPLE, start)
        before, gap, last = data[base:end].rstrip(b" \r\n\x1a").rpartition(b"\n")
        try:
            cells = next(csv.reader([last.decode("utf-8", "replace").strip()], delimiter=delimiter), [])
        except csv.Error:  # a line that no table ends with
            break
        after_blank = before.rstrip(b" \t\r").endswith(b"\n")
        if not gap or last.count(b'"') % 2 or not headers.is_footer(cells, width, after_blank, cases):
            break
        below.insert(0, " ".join(filter(None, cells)))
        end = base + len(before.rstrip(b" \r\n")) + 1
    return end, below


def _before_table(data: bytes) -> tuple[int, int, str | None]:
    """Position of the header, its line number, and the delimiter if Excel wrote it into a line "sep=;"."""
    start, line = 0, 1
    if blank := re.match(rb"(?:[ \t]*\r?\n)+", data):
        start, line = blank.end(), 1 + blank[0].count(b"\n")
    excel = re.match(rb"sep=([,;\t|])\r?\n", data[start : start + 16])
    return (start + excel.end(), line + 1, excel[1].decode()) if excel else (start, line, None)


def _head(data: bytes, start: int) -> str:
    """The first lines as text, without a last line that is cut off."""
    size = _SAMPLE
    while size < len(data) - start and b"\n" not in data[start : start + size]:
        size *= 4
    head = data[start : start + size]
    if len(data) - start > size:
        head = head[: head.rfind(b"\n") + 1]
    return head.decode("utf-8", errors="replace")


def _records(text: str, delimiter: str) -> list[_Record]:
    """The first records of a text."""
    lines = io.StringIO(text, newline="").readlines()
    reader = csv.reader(lines, delimiter=delimiter)
    records, used = [], 0
    with suppress(csv.Error):
        for fields in filter(None, reader):
            block, used = lines[used : reader.line_num], reader.line_num
            records.append((fields, len(block), len("".join(block).encode())))
            if len(records) > _SAMPLED_ROWS:
                break
    return records


def _delimiter(text: str) -> str:
    """The delimiter that splits half of the lines or more into as many fields as the first, else most lines equally."""
    # nothing in quotes is a delimiter; with another delimiter a quote could begin in the middle of a field
    text = _QUOTED.sub('""', text)
    widths = {mark: [len(fields) for fields, _, _ in _records(text, mark)] for mark in _DELIMITERS}
    best, share = ",", 0.0
    for ignores_first in (False, True):  # which may be a title
        for mark, own in widths.items():
            of_width = Counter(width for width in own if width > 1)
            alike = max(of_width.values(), default=0) if ignores_first else of_width[own[0]] if own else 0
            if alike and alike / len(own) > share:
                best, share = mark, alike / len(own)
        if share >= 0.5:
            break
        share = 0.5
    return best


def _decimal_comma(records: list[list[str]]) -> bool:
    """Whether numbers have a decimal comma; no if one has a point that cannot separate thousands."""
    marks = decimal_marks(records)
    return marks == {","} or (not marks and any(_EITHER_COMMA.fullmatch(cell) for record in records for cell in record))


def _quoted_commas(rows: list[list[str]]) -> bool:
    """Whether a column holds only quoted numbers with a decimal comma, as "0,5"; "1,234" may be a thousand."""
    if not _decimal_comma(rows):
        return False
    number, thousands = re.compile(r"[+-]?\d*(?:,\d+)?"), re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+|\d{1,3}")
    for column in zip(*rows, strict=False):
        fields = [field.strip() for field in column]
        has_comma = all(map(number.fullmatch, fields)) and any("," in field for field in fields)
        if has_comma and not all(map(thousands.fullmatch, fields)):
            return True
    return False


_SEPARATOR = re.compile(rb"[\t;|,]")
_HEAD, _LINES = 1 << 14, 50
_QUOTED_BYTES = rb'"[^"\n]*"'
_NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|nan|NaN|NA")
_FIELD = re.compile(rb'(?:"[^"\n]*"|[^\s"])+')


def printed_matrix(data: bytes) -> bytes | None:
    r"""A square table as R prints it, with tabs and a corner that names rows and columns; None for other text.

    >>> printed_matrix(b"Statistics\n\n      Truth\nSaid  a  b\n   a  4  1\n   b  0  5\n\n Accuracy : 0.9\n")
    b'\n\n\nSaid \\ Truth\ta\tb\na\t4\t1\nb\t0\t5\n'
    """
    lines = data[:_HEAD].decode("utf-8", "replace").splitlines()
    for at, line in enumerate(lines[:_LINES]):
        rows = [fields.split() for fields in takewhile(_ENDS_IN_NUMBER.search, lines[at + 1 :])]
        names = [row[: -len(rows)] for row in rows]
        header, classes = line.split(), [word for name in names for word in name]
        if len(rows) < 2 or not all(names) or header[-len(classes) :] != classes or _SEPARATOR.search(line.encode()):
            continue
        if not all(_NUMBER.fullmatch(cell.encode()) for row in rows for cell in row[-len(rows) :]):
            continue
        above = lines[at - 1].strip() if at and lines[at - 1][:1].isspace() else ""
        corner = " ".join(header[: -len(classes)]) + (f" \\ {above}" if above else "")
        table = [[corner, *map(" ".join, names)], *([" ".join(row[: -len(rows)]), *row[-len(rows) :]] for row in rows)]
        return ("\n" * at + "".join("\t".join(cells) + "\n" for cells in table)).encode()
    return None


_ENDS_IN_NUMBER = re.compile(r"\S\s+[\d.]+\s*$")


def tabbed(data: bytes) -> bytes:
    """Replace the blanks between fields by tabs if blanks separate the columns; else return the text unchanged.

    >>> tabbed(b'"actual" "score"\\n"1" "very ill" 0.5\\n"2" "well" .25\\n')
    b'\\t"actual"\\t"score"\\n"1"\\t"very ill"\\t0.5\\n"2"\\t"well"\\t.25\\n'
    >>> tabbed(b"a,b\\n1 2,3\\n"), tabbed(b"Some words\\nthat are no table\\n")
    (b'a,b\\n1 2,3\\n', b'Some words\\nthat are no table\\n')
    """
    if (matrix := printed_matrix(data)) is not None:
        return matrix
    head = data[:_HEAD]
    lines = [line for line in head.splitlines()[: _LINES + 1] if line.strip() and line[:1] != b"#"]
    lines = lines[:-1] if len(data) > len(head) and len(lines) > 1 else lines
    bare = re.sub(_QUOTED_BYTES, b'""', b"\n".join(lines))
    if len(lines) < 2 or _SEPARATOR.search(bare):
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


_LONGEST_LINE, _PIECE = 4_000_000, 1 << 20
_MISSING = ["", "NA", "N/A", "n/a", "NaN", "nan", "-nan", "-NaN", "null", "NULL", "#N/A", "#NA", "<NA>", "None"]
_MISSING += ["#DIV/0!", "#VALUE!", "#REF!", "#NUM!", "#NAME?", "#NULL!"]  # what a spreadsheet writes for an error

_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "pipes"}
_CODE = re.compile(r"\s*(?:0\d+|[+-]?\d{19,})\s*")  # 007 would lose its zeros as a number, another is too long for one

_KNOWN = (
    (b"%PDF", "a PDF document"), (b"\x89PNG", "a PNG image"), (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"), (b"\x89HDF", "an HDF5 file"), (b"SQLite format 3", "an SQLite database"),
    (b"BZh", "a bzip2 archive"), (b"\xfd7zXZ", "an xz archive"), (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"), (b"\x93NUMPY", "a NumPy array"), (b"<!doctype html", "a web page"),
    (b"<html", "a web page"), (b"<?xml", "an XML document"),
)  # fmt: skip


def read_delimited(data: bytes, name: str, max_rows: int, max_bytes: int, header: int | None = None) -> Content:
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
        sentence = 'Commas in numbers are read as decimal marks: "0,5" is one half.'
        changed.append(Finding("info", sentence, 1, code="decimal commas"))
    return frame, lines, changed


def _parsed(data: bytes, name: str, max_rows: int, header: int | None) -> tuple[pa.Table, Layout]:
    """UTF-8 text as an Arrow table, and how it is written."""
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")  # as an old Mac ends its lines
    data = tabbed(headers.with_arff_names(_without_blank_end(data)))
    _refuse_long_lines(data, name)
    layout = layout_of(data, name, header)
    if data.count(layout.delimiter.encode()) + data.count(b"\n") > headers.MAX_CELLS:
        raise headers.too_many(name, headers.MAX_CELLS, "cells")
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
            arrow_csv.ReadOptions(column_names=columns, block_size=1 << 22),
            arrow_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=quotes),
            arrow_csv.ConvertOptions(
                decimal_point="," if layout.decimal_comma else ".", null_values=missing, strings_can_be_null=True,
                true_values=["true", "True", "TRUE"], false_values=["false", "False", "FALSE"],
                column_types=dict.fromkeys(names, pa.string()), include_columns=names if only else None,
            ),
        )  # fmt: skip

    try:
        coded = {at for row in layout.sample for at, cell in enumerate(row[:width]) if _CODE.fullmatch(cell)}
        table = _with_texts(read(coded), read)
    except (pa.ArrowException, ValueError, OverflowError) as error:
        _refuse_ragged(data, layout, width, name)
        raise ReadProblem(f"{named(name)} cannot be read as a table. Save it again as CSV (UTF-8).") from error
    headers.refuse_large(name, width, table.num_rows, max_rows)
    return table, layout


def _with_texts(table: pa.Table, read: Callable[..., pa.Table]) -> pa.Table:
    """Replace cells whose text was lost in parsing: thousands marks, and NA among country codes."""
    columns = [*enumerate(table.columns)]
    doubtful = [at for at, column in columns if types.is_floating(column.type) and may_be_thousands(column)]
    countries = [at for at, column in columns if types.is_string(column.type) and column.null_count]
    countries = [at for at in countries if pc.max(pc.binary_length(table.column(at))).as_py() == 2]
    countries = [at for at in countries if values.are_country_codes(table.column(at).unique().to_pylist())]
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
            sentence = f"Line {line} of {named(name)} is longer than {count_text(_LONGEST_LINE // 1_000_000)} MB, so "
            raise ReadProblem(f"{sentence}it is not a row of a table. Check its line ends.")
        start = end + 1


def _without_blank_end(data: bytes) -> bytes:
    """Strip blank lines, and the end mark of old DOS programs, after the last row."""
    end, rest = len(data), b""
    while end and not rest:  # piece by piece, as what is left would be a copy of the whole
        rest = data[max(end - _PIECE, 0) : end].rstrip(b" \r\n\x1a")
        end = max(end - _PIECE, 0) + len(rest)
    line_end = data.find(b"\n", end)
    return data if line_end < 0 else data[: line_end + 1]


def _refuse_ragged(data: bytes, layout: Layout, width: int, name: str) -> None:
    """Raise the problem of a text that is not a table, of its first line that does not fit, or of an open quote."""
    rows, widths = len(layout.sample), Counter(map(len, layout.sample))
    if rows > 1 and 2 * widths[width] < rows and (len(widths) > 1 or 1 in widths):
        sentence = f"{named(name)} does not look like a table: its lines hold different numbers of fields. Open a file "
        raise ReadProblem(f"{sentence}with a header line and one line per case, as {USUAL_FORMATS}.")
    rest = io.BytesIO(data[layout.start : layout.end])
    text = io.TextIOWrapper(rest, "utf-8", errors="replace", newline="")  # piece by piece: text takes much memory
    reader = csv.reader(text, delimiter=layout.delimiter, strict=True)
    before = layout.first_line
    try:
        for fields in reader:
            if fields and width and len(fields) != width:
                only = "only " if len(fields) < width else ""
                fields_there = "1 field" if len(fields) == 1 else f"{count_text(len(fields))} fields"
                sentence = f"Line {count_text(before)} of {named(name)} has {only}{fields_there} where the first line "
                sentence += f"has {count_text(width)}, separated by {_NAMES[layout.delimiter]}. Correct that line."
                raise ReadProblem(sentence)
            before = layout.first_line + reader.line_num
    except csv.Error as error:
        sentence = f"The quoted field that begins in line {count_text(before)} of {named(name)} is not closed "
        sentence += 'correctly. Close the quote, or double each quote inside a field ("").'
        raise ReadProblem(sentence) from error


def _refuse_known(data: bytes, name: str) -> None:
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"<") and re.search(rb"<annotations?[\s>]", head):  # of CVAT and Pascal VOC
        raise ReadProblem(f"{named(name)} {EXPORTS['boxes']}")
    for mark, what in _KNOWN:
        if head[: len(mark)].lower() == mark.lower():
            raise no_table(name, f"{what}, not a table")
    if PurePath(name).suffix.lower() in (".pkl", ".pickle"):
        raise no_table(name)
