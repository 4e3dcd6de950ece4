"""Excel and OpenDocument workbooks: the first sheet that holds a table."""

from __future__ import annotations

import datetime
import pickle
from typing import Any

import pandas as pd

from evalcore.readers.archives import member_names, too_many_bytes, unpacked_size
from evalcore.readers.child import read_in_child
from evalcore.readers.frames import column_of
from evalcore.readers.headers import is_header, refuse_large, tidy_names
from evalcore.readers.problems import Finding, Lines, ReadProblem, listed, named
from evalcore.readers.values import text_of


def is_workbook(data: bytes, name: str) -> bool:
    """Whether some bytes are a workbook: a zip archive of its parts, or the older binary format."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return True
    members = member_names(data, name) if data.startswith(b"PK") else []
    return any(member.startswith("xl/workbook") for member in members) or {"mimetype", "content.xml"} <= set(members)


def read_sheets(data: bytes, name: str, max_rows: int, max_bytes: int) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """The first sheet with a table as a plain frame, how its rows are numbered, and findings."""
    if data.startswith(b"PK") and unpacked_size(data, name) > max_bytes:
        raise too_many_bytes(name, max_bytes)
    with read_in_child("cells", data, name, max_rows, max_bytes) as answer:
        titles, rows, columns = _Cells(answer).load()
    if not titles:
        raise ReadProblem(f"{named(name)} {_NO_TABLE[min(columns, 2)]}")
    refuse_large(name, len(columns), len(rows) - 1, max_rows)
    frame, lines, findings = _table(rows, columns)
    if len(titles) > 1:
        sentence = f"The workbook has {len(titles)} sheets with a table; {named(titles[0])} is open, "
        sentence += f"{listed(titles[1:])} is not. To open another sheet, save it as a file."
        findings.insert(0, Finding("info", sentence, len(titles)))
    return frame, lines, findings


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


def _table(numbers: list[int], cells: list[list[Any]]) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    top = [["" if cell is None or cell != cell else text_of(cell) for cell in column[:3]] for column in cells]
    texts = [list(row) for row in zip(*top, strict=True)]
    # the number of rows decides whether numbers at the top are the classes of a matrix
    body = [*texts[1:], *([[]] * (len(numbers) - len(texts)))]
    header = texts[0] if is_header(texts[0], body) else None
    first = 0 if header is None else 1
    lines = Lines(numbers[first] + 1, "row")
    names, findings = tidy_names(header, len(cells), lines)
    columns = {}
    for name, column in zip(names, cells, strict=True):
        columns[name], more = column_of(column[first:], name)
        findings += more
    return pd.DataFrame(columns), lines, findings
