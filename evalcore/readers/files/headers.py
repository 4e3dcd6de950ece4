"""Headers: whether a table has one, and tidy, unique column names."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import or_

from evalcore.readers.base.problems import Finding, Lines, ReadProblem, few, listed, named
from evalcore.wording.numbers import count_text

MAX_COLUMNS = 2_000  # A table with more columns is a matrix of measurements; 500 classes are well within.
MAX_CELLS = 1 << 27  # In memory, a number takes 8 bytes, however few it takes in the file.
_MOST_LISTED = 3


def refuse_large(name: str, columns: int, rows: int = 0, max_rows: int = 0) -> None:
    """Raise ReadProblem for a table with more rows or columns than the limits."""
    limits = {"rows": (rows, max_rows), "columns": (columns, MAX_COLUMNS), "cells": (rows * columns, MAX_CELLS)}
    for what, (count, limit) in limits.items():
        if count > limit:
            raise too_many(name, limit, what)


def too_many(name: str, limit: int, what: str) -> ReadProblem:
    """The problem of a file with more rows, columns, cells or sheets than the limit."""
    return ReadProblem(f"{named(name)} has too many {what}: at most {count_text(limit)} are read. Open a part of it.")


def is_header(header: list[str], rows: list[list[str]], decimal_comma: bool = False) -> bool:
    """Whether the first line is a header: no data row, and no line of numbers only that name no classes of a matrix."""
    fields = [field.strip() for field in header]
    numbers = [_is_number(field, decimal_comma) for field in fields]
    if not all(numbers):
        columns = ([row[place].strip() for row in rows if place < len(row)] for place in range(len(fields)))
        cases = zip(fields, numbers, columns, strict=True)
        again = [not number and bool(field) and field in column for field, number, column in cases]
        fraction = any(n and not field.lstrip("+-").isdigit() for field, n in zip(fields, numbers, strict=True))
        return not any(again) or not (fraction or all(map(or_, numbers, again)))
    whole = all(field.isdigit() for field in fields)
    return whole and len(rows) == len(fields) and len(set(fields)) == len(fields) and fields == sorted(fields, key=int)


def tidy_names(header: list[str] | None, width: int, lines: Lines) -> tuple[list[str], list[Finding]]:
    """Column names without surrounding blanks, empty names or duplicates, and a finding for each that had to change."""
    if header is None:
        sentence = f"The first {lines.word} holds numbers instead of names, so the columns are named column 1, "
        sentence += "column 2 …. If it is a header, name the columns in words."
        finding = Finding("warning", sentence, width, code="no header")
        return [f"column {index + 1}" for index in range(width)], [finding]
    tidy: dict[str, int] = {}
    unnamed, renamed = [], []
    wanted = {name.strip() for name in header}
    for number, name in enumerate(header, start=1):
        if not (name := name.strip()):
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
    return list(tidy), few(renamed, _MOST_LISTED, like_another) + few(unnamed, _MOST_LISTED, without)


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


MOST_TITLES = 40  # rows in which a header is looked for
MOST_NAMES = 3  # rows that may name the columns
_NUMBER = re.compile(r"\s*[+-]?(?:\d[\d.,'\s]*|[.,]\d+)(?:[eE][+-]?\d+)?\s*%?\s*")
_BLANK_NAME = re.compile(r"|Unnamed: \d+_level_\d+")  # as pandas fills an empty cell of a header
_NO_VALUE = re.compile(r"n\W?[ad]\W?|nan|null|none|missing|unknown|[^\w%]*|#.*", re.IGNORECASE)

_TOTAL = re.compile(
    r"\W*(?:(?:grand |sub)?totals?|sums?|summe|gesamt|insgesamt|averages?|means?)\b"
    r"|\W*(?:n|source|quelle|notes?|legend|end|rows?|count|generated|exported|created|updated|as of|stand)\b\s*[:=]"
    r"|\s*(?:#|--|//|\*\*\*)|\s*[-=*]{3,}\s*$|\s*\(?\d[\d.,]* rows?\b|\W*(?:end of|eof\b)",
    re.IGNORECASE,
)

_COMMENT = re.compile(r"\s*(?:#|--|//)\s+\w")


def header_row(rows: Sequence[Sequence[str]]) -> int:
    """The index of the row that names the columns, among the first rows of a file; empty cells are empty texts.

    It is the first row about as wide as the table, the one before if that is a case, or a later one that names numbers.

    >>> header_row([["Report", "", ""], ["", "", ""], ["actual", "score", "n"], ["ill", "0.9", "1"]])
    2
    """
    filled = [sum(map(bool, row)) for row in rows]
    if not (widths := Counter(width for width in filled if width > 1)):
        return 0
    width = max(widths, key=lambda width: (widths[width], width))
    least = max(2, -(-6 * width // 10))
    wide = [index for index, row in enumerate(rows) if filled[index] >= least and not _is_one_text(row)]
    if not wide:
        return 0
    first = wide[0]
    if _is_case(rows, first):
        return max((index for index in range(first) if filled[index]), default=0)
    for index in wide[1:]:
        other = filled[index] > filled[first] or filled[index] == width != filled[first] or width == 2
        if other and index <= MOST_TITLES and _names_numbers(rows, first, index):
            return index
    return first


def header_names(rows: Sequence[Sequence[str]], line: str) -> tuple[list[str], int, list[Finding]]:
    """The names of the columns from the first rows of a table, how many rows they take, and a finding if several.

    Rows without a number above columns of numbers name them too; below complete names they hold units or types.

    >>> names, taken, (finding,) = header_names([["y", "score", "score"], ["", "a", "b"], ["1", ".2", ".7"]], "line")
    >>> names, taken, finding.sentence
    (['y', 'score a', 'score b'], 2, 'The first 2 lines of the table name its columns, such as "score a".')
    """
    names = [name.strip() for name in rows[0]]
    taken = 1
    while taken < MOST_NAMES and _is_second_header(rows, taken):
        taken += 1
    if taken == 1:
        return list(rows[0]), 1, []
    if all(names) and len(set(names)) == len(names):
        which = f"the {line} below it is" if taken == 2 else f"the {taken - 1} {line}s below it are"
        texts = [" ".join(filter(None, row)) for row in rows[1:taken]]
        sentence = f"The header has all names; {which} left out, as units or types: {listed(texts, 3)}."
        return list(rows[0]), taken, [Finding("info", sentence, taken - 1, code="header rows")]
    levels = [["" if _BLANK_NAME.fullmatch(cell.strip()) else cell.strip() for cell in row] for row in rows[:taken]]
    for column in range(1, len(names)):  # a merged cell stands in its first column only
        if not levels[0][column] and any(level[column] for level in levels[1:]):
            levels[0][column] = levels[0][column - 1]
    joined = [" ".join(dict.fromkeys(filter(None, parts))) for parts in zip(*levels, strict=True)]
    example = next((one for one, name in zip(joined, names, strict=True) if " " in one and one != name), joined[-1])
    sentence = f"The first {taken} {line}s of the table name its columns, such as {named(example)}."
    return joined, taken, [Finding("info", sentence, taken, code="header rows")]


def is_second_level(above: Sequence[str], names: Sequence[str]) -> bool:
    """Whether a row of names needs the row above: it has empty cells, or equal names that the row above distinguishes.

    >>> is_second_level(["", "label", "score", ""], ["", "", "a", "b"]), is_second_level(["Report", ""], ["", "score"])
    (True, False)
    """
    cells = [cell for cell in above if cell]
    fills = any(up and not name for up, name in list(zip(above, names, strict=True))[1:])
    fills |= 0 < len({*names} - {""}) < len([name for name in names if name])
    return fills and len(cells) > 1 and not any(map(is_number, cells))


def is_footer(cells: Sequence[str], width: int, after_blank: bool, cases: Iterable[Sequence[str]] = ()) -> bool:
    """Whether a row at the end of a table of some width is a total, a note or a source, and not data.

    A row as wide as the table is a comment unless a case begins like one, as tweets and lines of code do.

    >>> is_footer(["Total: 200", ""], 2, False), is_footer(["ill", ""], 2, False), is_footer(["Total", "5"], 2, False)
    (True, False, False)
    >>> is_footer(["-- end of export --"], 2, False), is_footer(["(1", "569 rows)"], 3, False)
    (True, True)
    >>> is_footer(["# so true", "spam"], 2, False), is_footer(["# so true", "spam"], 2, False, [["# fun", "ham"]])
    (True, False)
    """
    texts = [cell for cell in cells if cell.strip()]
    is_comment = bool(texts) and _COMMENT.match(texts[0]) is not None and not any(map(is_number, texts))
    if is_comment and not any(_COMMENT.match(case[0]) for case in cases if case):
        return True
    if not texts or (len(texts) >= width and len(cells) == width):
        return False
    return _TOTAL.match(",".join(texts)) is not None or (after_blank and len(texts) == 1 and " " in texts[0].strip())


def findings_around(above: Sequence[str], header: int, below: Sequence[str], lines: Lines) -> list[Finding]:
    """Find the rows that were left out above the header, which has a line number, and at the end."""
    findings = []
    if above:
        rows = f"the {lines.word} above it is" if len(above) == 1 else f"the {count_text(len(above))} above it are"
        sentence = f"The header is in {lines.word} {count_text(header)}; {rows} left out: {listed(above, 3)}."
        findings.append(Finding("info", sentence, len(above), code="titles"))
    if below:
        rows = f"last {lines.word} is" if len(below) == 1 else f"last {count_text(len(below))} {lines.word}s are"
        sentence = f"The {rows} left out, because {'it is' if len(below) == 1 else 'they are'} below the table: "
        findings.append(Finding("info", f"{sentence}{listed(below, 3)}.", len(below), code="footer"))
    return findings


def is_number(text: str) -> bool:
    """Whether a cell shows a number, in any notation."""
    return _NUMBER.fullmatch(text) is not None


def _is_one_text(row: Sequence[str]) -> bool:
    """Whether more than two cells all hold the same text, like those of a merged title."""
    texts = {cell for cell in row if cell}
    return len(row) > 2 and len(texts) == 1 and not any(map(is_number, texts))


def _is_case(rows: Sequence[Sequence[str]], index: int) -> bool:
    """Whether a row is data rather than a header: numbers only, or a text that occurs again below."""
    filled = [(column, cell) for column, cell in enumerate(rows[index]) if cell]
    again = (column < len(row) and row[column] == cell for row in rows[index + 1 :] for column, cell in filled)
    return all(is_number(cell) for _, cell in filled) or any(again)


def _is_second_header(rows: Sequence[Sequence[str]], index: int) -> bool:
    """Whether a row below the header holds names, units or types: unique texts, one of them above numbers only."""
    if len(rows) < index + 2 or len(rows[index]) != len(rows[0]):
        return False
    row, below = rows[index], rows[index + 1 :]
    cells = [cell.strip() for cell in row if cell.strip()]
    if not cells or any(map(is_number, cells)) or (2 * len(cells) < len(row) and all(map(str.strip, rows[0]))):
        return False
    above_numbers = False
    for column, cell in enumerate(row):
        values = [other[column].strip() for other in below if column < len(other) and other[column].strip()]
        if cell.strip() and cell.strip() in values:
            return False
        # the next levels of names stand above the numbers too
        numbers = values[max(0, MOST_NAMES - 1 - index) :] if len(values) > MOST_NAMES else values
        if cell.strip() and numbers and all(map(is_number, numbers)):
            above_numbers = above_numbers or _NO_VALUE.fullmatch(cell.strip()) is None
    return above_numbers


def _names_numbers(rows: Sequence[Sequence[str]], first: int, index: int) -> bool:
    """Whether a row holds texts that occur only once, above a column of numbers that begins below it."""
    row, below = rows[index], rows[index + 1 :]
    if not below or any(map(is_number, filter(None, row))):
        return False
    cells = [[other[column] for other in below if column < len(other) and other[column]] for column in range(len(row))]
    if any(name and name in column for name, column in zip(row, cells, strict=True)):
        return False

    def names_numbers(column: int) -> bool:
        own, name = cells[column], row[column]
        above = [other[column] for other in rows[first:index] if column < len(other)]
        is_name = name and _NO_VALUE.fullmatch(name) is None and not any(map(is_number, above))
        return bool(is_name and own and is_number(own[0]) and 5 * sum(map(is_number, own)) >= 4 * len(own))

    return any(map(names_numbers, range(len(row))))


_ATTRIBUTE = re.compile(rb"@attribute\s+(?:'([^'\n]*)'|\"([^\"\n]*)\"|([^\s{]+))", re.IGNORECASE)
_ARFF = re.compile(rb"\s*(?:%.*\n\s*)*@relation\b", re.IGNORECASE)


def with_arff_names(data: bytes) -> bytes:
    """An ARFF file as CSV with its names in the line of @data, so that lines keep their numbers; else the same text.

    >>> with_arff_names(b"@relation r\\n@attribute y {a,b}\\n@attribute 'p b' numeric\\n@data\\na,0.5\\n'b',?\\n")
    b'\\n\\n\\n"y","p b"\\na,0.5\\n"b",\\n'
    """
    start = re.search(rb"(?im)^[ \t]*@data\b.*$", data) if _ARFF.match(data[: 1 << 14]) else None
    if start is None or data[start.end() :].lstrip().startswith(b"{"):  # sparse rows hold only what is not 0
        return data
    lines = data[: start.start()].splitlines()
    found = [match for line in lines if (match := _ATTRIBUTE.match(line.strip()))]
    names = b",".join(b'"%b"' % (match[1] or match[2] or match[3]) for match in found)
    rows = re.sub(rb"'([^'\n]*)'", rb'"\1"', data[start.end() :])
    rows = re.sub(rb"(?m)^%.*$|(?:(?<=,)|^)[ \t]*\?[ \t]*(?=,|\r?$)", b"", rows)
    return b"\n" * len(lines) + names + rows
