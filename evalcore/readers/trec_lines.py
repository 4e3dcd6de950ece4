"""TREC files line by line, for those that are unusual or wrong: the fields of a line, and what is wrong with it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NoReturn

import numpy as np

from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.trec_columns import QRELS, RANKS, RUN, LineFormat
from evalcore.retrieval import Duplicate
from evalcore.wording.numbers import count_text


def fields_of(line: bytes, form: LineFormat) -> list[bytes]:
    """The fields of a line: separated by tabs if that gives as many as the format has, else by white space.

    Between tabs, an ignored field may be empty or hold blanks.
    """
    between_tabs = line.split(b"\t")
    if len(between_tabs) == len(form.fields) and all(len(between_tabs[column].split()) == 1 for column in form.columns):
        return [field.strip() for field in between_tabs]
    return line.split()


def numbered_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and text of each line that is neither empty nor a comment, with any line ending."""
    for number, line in enumerate(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), 1):
        if (text := line.lstrip()) and not text.startswith(b"#"):
            yield number, line


def has_empty_fields(data: bytes) -> bool:
    """Whether a line has two adjacent tabs or ends with one, and a line has a blank."""
    return b" " in data and (data.endswith(b"\t") or any(part in data for part in (b"\t\t", b"\t\n", b"\t\r")))


def tabs_to_blanks(data: bytes, form: LineFormat) -> bytes:
    """A file of tabs rewritten with one blank between fields and a dash for each ignored field."""
    lines = []
    for _, line in numbered_lines(data):
        fields = fields_of(line, form)
        if len(fields) == len(form.fields):
            fields = [field if column in form.columns else b"-" for column, field in enumerate(fields)]
        lines.append(b" ".join(fields) + b"\n")
    return b"".join(lines)


def fits(line: bytes, form: LineFormat) -> bool:
    """Whether a line has the fields of a format, a number where there must be one, and no fraction second.

    >>> fits(b"q Q0 d 1 0.5 x", RUN), fits(b"0 0.41 0.77 0.1 0.2 0.93", RUN)
    (True, False)
    """
    fields = fields_of(line, form)
    if len(fields) != len(form.fields) or (form is not RANKS and b"." in fields[1]):
        return False
    return form.number is None or _is_number(fields[form.number])


def counts_ranks(lines: Sequence[bytes]) -> bool:
    """Whether lines of query, document and rank list each document once and count from 1, for more than one rank."""
    if not all(fits(line, RANKS) for line in lines):
        return False
    rows = [fields_of(line, RANKS) for line in lines]
    due: dict[bytes, int] = {}
    for query, _, rank in rows:
        if rank != b"%d" % due.setdefault(query, 1):
            return False
        due[query] += 1
    return max(due.values(), default=0) > 2 and len({(query, document) for query, document, _ in rows}) == len(rows)


def refuse(data: bytes, name: str, form: LineFormat) -> NoReturn:
    """Raise ReadProblem for the first line of a file that is not in the format."""
    number = 0
    for number, line in numbered_lines(data):
        where, fields = f"Line {count_text(number)} of {named(name)}", fields_of(line, form)
        if b"\0" in line:
            raise ReadProblem(
                f"{where} contains a zero byte, so the file is compressed, damaged or in UTF-16. "
                "Save it as text in UTF-8."
            )
        if len(fields) != len(form.fields):
            has = "a run has" if form.what == "run" else "judgments have"
            count = "1 field" if len(fields) == 1 else f"{len(fields)} fields"
            raise ReadProblem(
                f"{where} has {count} where {has} {len(form.fields)}: {' '.join(form.fields)}. {_hint(fields, form)}"
            )
        if form.number is None:
            continue
        what, text = form.fields[form.number], fields[form.number]
        if not _is_number(text) or (form.what == "judgments" and math.isinf(float(text))):
            raise ReadProblem(
                f"{where} has the {what} {named(text.decode('utf-8', 'replace'))}, which is not a number. "
                "Correct or delete the line."
            )
    if number:  # every line fits, but two queries differ only in bytes that are not text
        raise ReadProblem(f"{named(name)} has query ids that are not in UTF-8 and look the same. Save it as UTF-8.")
    raise ReadProblem(
        f"{named(name)} contains no line of {form.article}{form.what}: {len(form.fields)} fields, "
        f"{' '.join(form.fields)}."
    )


def duplicate_problem(problem: Duplicate, data: bytes, name: str) -> ReadProblem:
    """The problem of a document that a query lists twice, with the two lines."""
    last = max(problem.rows)
    lines = []
    for row, (number, _) in enumerate(numbered_lines(data)):
        if row in problem.rows:
            lines.append(count_text(number))
        if row >= last:
            break
    return ReadProblem(problem.sentence(f"lines {' and '.join(lines)} of {named(name)}"))


def _is_number(field: bytes) -> bool:
    try:
        return b"_" not in field and not math.isnan(float(field))
    except ValueError:
        return False


def _hint(fields: list[bytes], form: LineFormat) -> str:
    other = QRELS if form is RUN else RUN
    if len(fields) == len(other.fields):
        return f"With {len(fields)} fields, it looks like {other.article}{other.what}; open the {form.what} instead."
    if len(fields) > len(form.fields):
        return f"Ids{' and the tag' if form is RUN else ''} must not contain blanks."
    return "Add the missing fields or delete the line."


_BLOCK = 1 << 24
_BLANK = np.zeros(256, dtype=bool)
_BLANK[list(b" \t\v\f\r")] = True
_NEWLINE = 10


def single_blanks(data: bytes) -> bytes:
    """Lines with one blank between fields and none around them; comments become empty lines."""
    # Line endings of Windows and of old Macs; a file may have both.
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    parts, start = [], 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK)
        end = len(data) if end < 0 else end + 1
        parts.append(_tidied(np.frombuffer(data, np.uint8, end - start, start)))
        start = end
    return re.sub(rb"(?m)^#[^\n]*", b"", b"".join(parts))


def _tidied(text: np.ndarray) -> bytes:
    blank = _BLANK[text]
    before = np.empty_like(blank)
    before[0], before[1:] = True, blank[:-1] | (text[:-1] == _NEWLINE)
    # First every blank after another or at the start of a line, then those left at the ends of lines.
    keep = ~(blank & before)
    text, blank = text[keep], blank[keep]
    behind = np.empty_like(blank)
    behind[-1], behind[:-1] = True, text[1:] == _NEWLINE
    keep = ~(blank & behind)
    return np.where(blank, ord(" "), text)[keep].astype(np.uint8).tobytes()
