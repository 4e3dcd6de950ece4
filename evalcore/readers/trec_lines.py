"""Files of TREC taken line by line, where they are odd or wrong: the fields of a line, and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NoReturn

from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.trec_columns import QRELS, RUN, Format
from evalcore.retrieval import Duplicate
from evalcore.wording.numbers import count_text


def fields_of(line: bytes, form: Format) -> list[bytes]:
    """The fields of a line: between its tabs where these part as many as the format has, else between white space.

    Between tabs a field that is not read may be empty, or hold blanks.

    Parameters
    ----------
    line : bytes
    form : Format

    Examples
    --------
    >>> fields_of(b"q1\\t\\td7\\t1", QRELS), fields_of(b"q1 0 \\td7 1", QRELS)
    ([b'q1', b'', b'd7', b'1'], [b'q1', b'0', b'd7', b'1'])
    """
    between_tabs = line.split(b"\t")
    if len(between_tabs) == len(form.fields) and all(len(between_tabs[place].split()) == 1 for place in form.places):
        return [field.strip() for field in between_tabs]
    return line.split()


def numbered_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and text of each line that holds anything but a comment, whatever ends the lines."""
    for number, line in enumerate(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"), 1):
        if (text := line.lstrip()) and not text.startswith(b"#"):
            yield number, line


def has_empty_fields(data: bytes) -> bool:
    """Whether some line has two tabs side by side, or one at its end, and some line has a blank.

    Examples
    --------
    >>> has_empty_fields(b"q1\\t0 0\\td7\\t1\\t\\n")
    True
    >>> has_empty_fields(b"q1\\t\\td7\\t1"), has_empty_fields(b"q1 0\\td7 1")
    (False, False)
    """
    return b" " in data and (data.endswith(b"\t") or any(part in data for part in (b"\t\t", b"\t\n", b"\t\r")))


def parted_by_blanks(data: bytes, form: Format) -> bytes:
    """A file whose fields are parted by tabs, written anew with one blank between fields and a dash for the ignored.

    Examples
    --------
    >>> parted_by_blanks(b"q1\\tQ0\\td7\\t1\\t0.5\\tmy run\\n# said", RUN)
    b'q1 - d7 - 0.5 -\\n'
    """
    lines = []
    for _, line in numbered_lines(data):
        fields = fields_of(line, form)
        if len(fields) == len(form.fields):
            fields = [field if place in form.places else b"-" for place, field in enumerate(fields)]
        lines.append(b" ".join(fields) + b"\n")
    return b"".join(lines)


def fits(line: bytes, form: Format) -> bool:
    """Whether a line has the fields of a format, and a number where it should be.

    Examples
    --------
    >>> fits(b"q1 0 d7 1", QRELS), fits(b"query iteration document grade", QRELS)
    (True, False)
    """
    fields = fields_of(line, form)
    return len(fields) == len(form.fields) and _is_number(fields[form.number])


def refuse(data: bytes, name: str, form: Format) -> NoReturn:
    """Raise the problem of the first line that is not in the format.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        What to call it.
    form : Format

    Raises
    ------
    ReadProblem
        Always.
    """
    what, number = form.fields[form.number], 0
    for number, line in numbered_lines(data):
        where, fields = f"Line {count_text(number)} of {named(name)}", fields_of(line, form)
        if b"\0" in line:
            raise ReadProblem(
                f"{where} holds a zero byte, which no text has: the file is packed, damaged or in UTF-16. "
                "Save it as text in UTF-8."
            )
        if len(fields) != len(form.fields):
            raise ReadProblem(f"{where} has {_counted(fields)}{_wanted(form)}: {_shown(form)}. {_hint(fields, form)}")
        text = fields[form.number]
        if not _is_number(text) or (form is QRELS and math.isinf(float(text))):
            raise ReadProblem(
                f"{where} has the {what} {named(text.decode('utf-8', 'replace'))}, which is no number. "
                "Correct it, or leave the line out."
            )
    if number:  # each line fits, but two queries are told apart only by bytes that are no text
        raise ReadProblem(f"{named(name)} has queries whose ids are not in UTF-8 and look the same. Save it as UTF-8.")
    raise ReadProblem(
        f"{named(name)} holds no line of {form.article}{form.what}. Each has {len(form.fields)} fields: {_shown(form)}."
    )


def twice(problem: Duplicate, data: bytes, name: str) -> ReadProblem:
    """The problem of a document that stands twice in a list, with its two lines."""
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


def _counted(fields: list[bytes]) -> str:
    return "1 field" if len(fields) == 1 else f"{len(fields)} fields"


def _wanted(form: Format) -> str:
    return f" where {'a run has' if form is RUN else 'judgments have'} {len(form.fields)}"


def _shown(form: Format) -> str:
    return " ".join(form.fields)


def _hint(fields: list[bytes], form: Format) -> str:
    other = QRELS if form is RUN else RUN
    if len(fields) == len(other.fields):
        return (
            f"With {len(fields)} fields it looks like {other.article}{other.what}; open the {form.what} in its place."
        )
    if len(fields) > len(form.fields):
        return f"No id{' and no tag' if form is RUN else ''} may hold a blank."
    return "Add what is missing, or leave the line out."
