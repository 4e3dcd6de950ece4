"""Excel and OpenDocument workbooks: the sheet that holds the predictions, without titles and footers."""

from __future__ import annotations

import datetime
import pickle
import re
from dataclasses import replace
from typing import Any

import pandas as pd

from evalcore.readers.base.number_texts import MOST_COUNT_ROWS, thousands_in_counts
from evalcore.readers.base.problems import Finding, Lines, Origin, ReadProblem, listed, named
from evalcore.readers.base.values import Columns, text_of
from evalcore.readers.child.columns import is_full
from evalcore.readers.dataset.assignment import recognise
from evalcore.readers.files.archives import member_names, too_many_bytes, unpacked_size
from evalcore.readers.files.child import read_in_child
from evalcore.readers.files.frames import column_of, in_units, namibia, read_marks
from evalcore.readers.files.headers import (
    MOST_TITLES,
    findings_around,
    header_names,
    header_row,
    is_footer,
    is_header,
    is_second_level,
    refuse_large,
    tidy_names,
)


def is_workbook(data: bytes, name: str) -> bool:
    """Whether some bytes are a workbook: a zip archive of its parts, or the older binary format."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return True
    members = member_names(data, name) if data.startswith(b"PK") else []
    return any(member.startswith("xl/workbook") for member in members) or {"mimetype", "content.xml"} <= set(members)


def read_sheets(
    data: bytes, name: str, max_rows: int, max_bytes: int, sheet: str | None = None, header: int | None = None
) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """A sheet as a plain frame, how its rows are numbered, and findings; by default the first that holds predictions.

    The header is the number of a row, 0 for none.
    """
    if data.startswith(b"PK") and unpacked_size(data, name) > max_bytes:
        raise too_many_bytes(name, max_bytes)
    with read_in_child("cells", data, name, max_rows, max_bytes) as answer:
        titles, width = _Cells(answer).load()
        if not titles:
            raise ReadProblem(f"{named(name)} {_NO_TABLE[min(width, 2)]}")
        if sheet is not None and sheet not in titles:
            raise ReadProblem(f"{named(name)} has no sheet {named(sheet)} with a table, but {listed(titles)}.")
        tables = {}
        for title in titles:
            rows, columns = _Cells(answer).load()
            if sheet in (None, title):
                refuse_large(name, len(columns), len(rows) - 1, max_rows)
                tables[title] = _table(rows, columns, header, name)
                if len(titles) == 1 or sheet == title or _holds_predictions(title, tables[title][0]):
                    break
        else:
            title = titles[0]
    frame, lines, findings = tables[title]
    if len(titles) > 1:
        others = [other for other in titles if other != title]
        sentence = f"The workbook has {len(titles)} sheets with a table; {named(title)} is open, "
        sentence += f"{listed(others)} {'is' if len(others) == 1 else 'are'} not."
        findings.insert(0, Finding("info", sentence, len(titles), code="sheets"))
    chosen = tuple(word for word, value in (("sheet", sheet), ("header", header)) if value is not None)
    is_usual = lines.origin.is_usual and len(titles) == 1 and not chosen
    lines = replace(lines, origin=Origin(tuple(titles), title, lines.origin.header, chosen, is_usual))
    return frame, lines, findings


def _holds_predictions(title: str, frame: pd.DataFrame) -> bool:
    """Whether a sheet is a table of some kind, and its title does not say that it is something else."""
    return not _NOTES.match(title) and recognise(Columns(frame)).kind != "unknown"


_NOTES = re.compile(r"(?i)\W*(?:notes?|read ?me|info|about|legend|codebook|dictionary|settings|parameters)\b")

_NO_TABLE = (
    "is empty. Open a workbook with a header and at least one row.",
    "has only one column. A table needs the true values and at least one system.",
    "has a header but no rows. Open a workbook with at least one row.",
)
"""Why a workbook has no table, by the number of its columns."""


class _Cells(pickle.Unpickler):
    """What the child writes: lists of texts, numbers and dates, and nothing that could run."""

    def find_class(self, module: str, name: str) -> Any:
        if module == "datetime" and name in ("datetime", "time", "timedelta"):
            return getattr(datetime, name)
        raise pickle.UnpicklingError(name)


def _table(
    numbers: list[int], cells: list[list[Any]], header: int | None, name: str
) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """The table in some cells; with an origin, if rows around it were left out."""
    rows, widest = len(numbers), len(cells)
    top = _texts(cells, 0, 2 * MOST_TITLES)
    if header:
        if header - 1 not in numbers[:-1]:
            raise ReadProblem(f"Row {header} of {named(name)} is empty, or the last. Choose another header row.")
        first = numbers.index(header - 1)
        top = _texts(cells, first, first + 2 * MOST_TITLES)
    else:
        first = header_row(top)
        if first and is_second_level(top[first - 1], top[first]):
            first -= 1
        top = top[first:]
    end = rows
    while end > first + 2:
        gap = numbers[end - 1] > numbers[end - 2] + 1
        if not is_footer(_texts(cells, end - 1, end)[0], widest, gap, top[1 : len(top) // 2]):
            break
        end -= 1
    above = [_words(row) for row in _texts(cells, 0, first)]
    below = [_words(row) for row in _texts(cells, end, rows)]
    used = [column for column in cells if any(map(is_full, column[first:end]))]
    names_row, taken, of_names = header_names(_texts(used, first, min(first + 2 * MOST_TITLES, end)), "row")
    # the number of rows decides whether numbers at the top are the classes of a matrix
    body = [*top[1:], *([[]] * (end - first - len(top)))]
    has_names = header != 0 and (bool(header) or is_header(names_row, body))
    start = first + taken if has_names else first
    lines = Lines(numbers[start] + 1, "row")
    findings = findings_around(above, numbers[first] + 1, below, lines) + of_names * has_names
    origin = Origin(header=numbers[first] + 1 if has_names else 0, is_usual=has_names and not findings)
    lines = replace(lines, origin=origin)
    names, more = tidy_names(names_row if has_names else None, len(used), lines)
    findings += more
    columns = {}
    for column_name, column in zip(names, used, strict=True):
        columns[column_name], more = column_of(column[start:end], column_name, lines)
        findings += more
    frame = pd.DataFrame(columns)
    asked = {one.column for one in findings if one.code == "marks"}
    findings += [*read_marks(frame, lines, [each for each in names if each not in asked])]
    findings = in_units(frame, lines, [*findings, *namibia(frame, lines)])
    if (counts := thousands_in_counts(frame, _texts(used, start, min(end, start + MOST_COUNT_ROWS + 1)))) is not None:
        frame, changed = counts
        of_columns = {*frame.columns}
        findings = [one for one in findings if one.column not in of_columns or one.code == "unnamed column"] + changed
    return frame, lines, findings


def _texts(cells: list[list[Any]], start: int, end: int) -> list[list[str]]:
    """Some rows as texts."""
    columns = [[text_of(cell) if is_full(cell) else "" for cell in column[start:end]] for column in cells]
    return [list(row) for row in zip(*columns, strict=True)]


def _words(row: list[str]) -> str:
    return " ".join(filter(None, row))
