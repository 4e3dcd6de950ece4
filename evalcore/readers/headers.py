"""Headers: whether a table has one, and tidy, unique column names."""

from __future__ import annotations

from operator import or_

from evalcore.readers.problems import Finding, Lines, ReadProblem, few, named
from evalcore.wording.numbers import count_text

# A table with more columns is a matrix of measurements; 500 classes are well within.
MAX_COLUMNS = 2_000
# In memory, a number takes 8 bytes, however few it takes in the file.
MAX_CELLS = 1 << 27

_MOST_SAID = 3


def refuse_large(name: str, columns: int, rows: int = 0, max_rows: int = 0) -> None:
    """Raise ReadProblem for a table with more rows or columns than the limits."""
    cells = rows * columns
    for count, limit, what in (
        (rows, max_rows, "rows"),
        (columns, MAX_COLUMNS, "columns"),
        (cells, MAX_CELLS, "cells"),
    ):
        if count > limit:
            raise too_many(name, limit, what)


def too_many(name: str, limit: int, what: str) -> ReadProblem:
    """The problem of a file with more rows, columns, cells or sheets than the limit."""
    return ReadProblem(f"{named(name)} has too many {what}: at most {count_text(limit)} are read. Open a part of it.")


def is_header(header: list[str], rows: list[list[str]], decimal_comma: bool = False) -> bool:
    """Whether the first line is a header: not if it is a case, or only numbers that name no classes of a matrix."""
    fields = [field.strip() for field in header]
    numbers = [_is_number(field, decimal_comma) for field in fields]
    if not all(numbers):
        again = [
            not number and bool(field) and any(row[place].strip() == field for row in rows if place < len(row))
            for place, (field, number) in enumerate(zip(fields, numbers, strict=True))
        ]
        fraction = any(
            number and not field.lstrip("+-").isdigit() for field, number in zip(fields, numbers, strict=True)
        )
        return not any(again) or not (fraction or all(map(or_, numbers, again)))
    whole = all(field.isdigit() for field in fields)
    return whole and len(rows) == len(fields) and len(set(fields)) == len(fields) and fields == sorted(fields, key=int)


def tidy_names(header: list[str] | None, width: int, lines: Lines) -> tuple[list[str], list[Finding]]:
    """Column names without surrounding blanks, empty names or duplicates, and a finding for each that had to change."""
    if header is None:
        sentence = f"The first {lines.word} holds numbers instead of names, so the columns are named column 1, "
        sentence += "column 2 …. If it is a header, name the columns in words."
        return [f"column {index + 1}" for index in range(width)], [
            Finding("warning", sentence, width, code="no header")
        ]
    tidy: dict[str, int] = {}
    unnamed, renamed = [], []
    wanted = {name.strip() for name in header}
    for number, name in enumerate(header, start=1):
        name = name.strip()
        if not name:
            name = _free(f"column {number}", tidy, wanted)
            sentence = f"Column {number} has no name; it is named {named(name)}."
            unnamed.append(Finding("info", sentence, 1, name, code="unnamed column"))
        elif name in tidy:
            again = _free(name, tidy, wanted)
            sentence = f"Two columns are named {named(name)}; the second, column {number}, is renamed {named(again)}."
            renamed.append(Finding("warning", sentence, 1, again, code="renamed column"))
            name = again
        tidy[name] = 1
    like_another = f"In all, {count_text(len(renamed))} columns have the name of another."
    without = f"In all, {count_text(len(unnamed))} columns have no name."
    return list(tidy), few(renamed, _MOST_SAID, like_another) + few(unnamed, _MOST_SAID, without)


def _free(name: str, used: dict[str, int], wanted: set[str]) -> str:
    """The name, with a number if it is taken; the last number of each name is stored, to continue from it."""
    free, again = name, used.get(name, 1)
    while free in used or free in wanted:
        again += 1
        free = f"{name} ({again})"
    if name in used:
        used[name] = again
    return free


def _is_number(field: str, decimal_comma: bool) -> bool:
    try:
        float(field.replace(",", ".") if decimal_comma else field)
    except ValueError:
        return False
    return "_" not in field and field.lower() not in ("nan", "inf", "infinity")
