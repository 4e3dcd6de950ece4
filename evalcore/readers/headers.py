"""Headers: whether a table has one, and column names that are there, tidy and different."""

from __future__ import annotations

from evalcore.readers.problems import Finding, Lines, named
from evalcore.wording.numbers import count_text

# Beyond it a table is a matrix of measurements; 500 classes with their names are well within.
MAX_COLUMNS = 2_000

_MOST_SAID = 3


def is_header(header: list[str], rows: list[list[str]], decimal_comma: bool = False) -> bool:
    """Whether the first line names the columns: not if all of it are numbers, unless they name the classes of a matrix.

    Parameters
    ----------
    header : list of str
        The fields of the first line.
    rows : list of list of str
        The fields of the lines after it.

    Examples
    --------
    >>> is_header(["actual", "score"], []), is_header(["1", "0.9"], [["0", "0.2"]])
    (True, False)
    """
    fields = [field.strip() for field in header]
    if not all(_is_number(field, decimal_comma) for field in fields):
        return True
    whole = all(field.isdigit() for field in fields)
    return whole and len(rows) == len(fields) and len(set(fields)) == len(fields) and fields == sorted(fields, key=int)


def tidy_names(header: list[str] | None, width: int, lines: Lines) -> tuple[list[str], list[Finding]]:
    """Column names stripped of blanks, none empty and none twice, and a finding for each that had to change.

    Parameters
    ----------
    header : list of str, or None
        The names as in the file; None where the file has none.
    width : int
        The number of columns.

    Examples
    --------
    >>> names, findings = tidy_names([" score", "score", ""], 3, Lines())
    >>> names
    ['score', 'score (2)', 'column 3']
    """
    if header is None:
        sentence = f"The first {lines.word} holds numbers, not names, so the columns are called column 1, column 2 …. "
        sentence += "If it is a header, give the columns names in words."
        return [f"column {place + 1}" for place in range(width)], [Finding("warning", sentence, width)]
    tidy: dict[str, int] = {}
    unnamed, renamed = [], []
    wanted = {name.strip() for name in header}
    for place, name in enumerate(header, start=1):
        name = name.strip()
        if not name:
            name = _free(f"column {place}", tidy, wanted)
            sentence = f"Column {place} has no name and is called {named(name)}."
            unnamed.append(Finding("info", sentence, 1, name))
        elif name in tidy:
            again = _free(name, tidy, wanted)
            sentence = f"Two columns are called {named(name)}; the later one, column {place}, is called {named(again)}."
            renamed.append(Finding("warning", sentence, 1, again))
            name = again
        tidy[name] = 1
    return list(tidy), _few(renamed, "names occur twice") + _few(unnamed, "columns have no name")


def _few(findings: list[Finding], what: str) -> list[Finding]:
    """The findings themselves, or the first with a count of the others where there are too many to read."""
    if len(findings) <= _MOST_SAID:
        return findings
    first, count = findings[0], len(findings)
    sentence = f"{first.sentence} So it is with {count_text(count - 1)} more: {count_text(count)} {what}."
    return [Finding(first.level, sentence, count, first.column)]


def _free(name: str, taken: dict[str, int], wanted: set[str]) -> str:
    """The name, with a number where it is taken; the last number of each name is kept, to go on from there."""
    free, again = name, taken.get(name, 1)
    while free in taken or free in wanted:
        again += 1
        free = f"{name} ({again})"
    if name in taken:
        taken[name] = again
    return free


def _is_number(field: str, decimal_comma: bool) -> bool:
    try:
        float(field.replace(",", ".") if decimal_comma else field)
    except ValueError:
        return False
    return "_" not in field and field.lower() not in ("nan", "inf", "infinity")
