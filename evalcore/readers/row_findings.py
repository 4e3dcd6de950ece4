"""Findings about rows: missing cells, infinite numbers, duplicates, and weights that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from evalcore.classification.labels import can_be_multiplied, total_weight
from evalcore.numeric import Array
from evalcore.readers.cluster_findings import cluster_findings
from evalcore.readers.columns import Column, Columns, distinct_of
from evalcore.readers.problems import Finding, named
from evalcore.readers.table import Table
from evalcore.readers.values import text_of
from evalcore.wording.numbers import count_text, rows_text, share_text

_RARE = 0.1
"""Share of the rows below which never naming a class is more than 90 % accurate."""


def missing_cells(table: Table[Any], column: Column, what: str) -> Iterator[Finding]:
    """How many rows are left out because a column has no label, score or number for them."""
    count = column.missing_count
    if not count:
        return
    if count == len(column):
        sentence = f"Column {named(column.name)} has no {what} in any row, so nothing can be computed from it."
        yield Finding("error", sentence + " Choose another column.", count, column.name, code="missing")
        return
    sentence = f"Column {named(column.name)} has no {what} in {table.lines.among(column.missing)}; "
    leave = "this row is" if count == 1 else "these rows are"
    yield Finding("warning", f"{sentence}{leave} left out.", count, column.name, code="missing")


def infinite_numbers(table: Table[Any], column: Column) -> Iterator[Finding]:
    """Infinite numbers, which are left out."""
    infinite = np.isinf(column.numbers)
    if count := int(infinite.sum()):
        sentence = f"Column {named(column.name)} holds an infinite number in {table.lines.among(infinite)}; "
        yield Finding(
            "warning",
            f"{sentence}{'it is' if count == 1 else 'they are'} left out.",
            count,
            column.name,
            code="infinite",
        )


def rare_class(share: float, rows: float, positives: str, column: str | None = None) -> Iterator[Finding]:
    """A class that few rows have, from its share (0 … 1) of some rows and its name within a sentence."""
    if 0 < (rarer := min(share, 1 - share)) < _RARE:
        only = "Only " if share == rarer else ""
        sentence = f"{only}{share_text(share)} of {rows_text(rows)} are {positives}: always naming the "
        sentence += f"larger class is {share_text(1 - rarer)} accurate, so accuracy alone says little."
        yield Finding("warning", sentence, round(rarer * rows), column, code="rare class")


def weight_findings(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Missing or unusable weights, and rows without a group."""
    roles = table.roles
    if roles.get("group") is not None and columns[roles.group].missing_count:
        column = columns[roles.group]
        sentence = f"Column {named(column.name)} is empty in {table.lines.among(column.missing)}; "
        sentence += "they count in the total but in no group."
        yield Finding("warning", sentence, column.missing_count, column.name, code="no group")
    if roles.get("weight") is None:
        return
    column = columns[roles.weight]
    yield from missing_cells(table, column, "weight")
    if problem := weight_problem(table, column.numbers):
        yield problem
    elif not total_weight(column.numbers):
        sentence = f"Column {named(column.name)} gives every row the weight 0, so nothing counts. "
        yield Finding(
            "error", sentence + "Choose another weight column, or none.", len(column), column.name, code="bad weights"
        )


def weight_problem(table: Table[Any], weights: Array) -> Finding | None:
    """What is wrong with weights that are negative, infinite, or too large or small to compute with."""
    name = table.roles.weight
    bad = np.flatnonzero((weights < 0) | np.isinf(weights))
    if bad.size:
        sentence = f"Column {named(name)} holds the weight {text_of(weights[bad[0]])} in {table.lines.at(bad[0])}. "
        sentence += "A weight is how many times a row counts, 0 or more; correct the file or choose no weight column."
        return Finding("error", sentence, int(bad.size), name, code="bad weights")
    if not can_be_multiplied(total := total_weight(weights)):
        sentence = f"The weights of column {named(name)} add up to {total:.3g}, which cannot be computed with. "
        return Finding(
            "error", sentence + "Rescale them, or choose no weight column.", len(weights), name, code="bad weights"
        )
    return None


def row_findings(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Rows that belong together, or that are copies of another row."""
    yield from cluster_findings(table, columns)
    yield from _copies(table, columns)


def _copies(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Rows that are copies of another row, where a column has many values."""
    most = None
    for column in columns:
        if column.is_bool or not (column.is_quantity or not column.is_few):
            continue
        most = column if most is None or column.distinct > most.distinct else most
        if most.distinct == len(most):
            return  # it tells all rows apart, so that no other column has to be looked at
    if most is None:
        return
    again = len(most) - most.missing_count - most.distinct
    if not again or most.distinct * 10 < len(most):
        return
    if _most_copies(most, columns) * 2 <= again:
        return
    # equal rows are equal in that column, so only its repeated values need to be looked at
    repeated = most.values.duplicated(keep=False).to_numpy(bool)
    count = int(table.frame[repeated].duplicated().sum())
    # where rows share a value by chance, as with rounded scores, some rows are equal by chance too
    if count * 2 > again:
        copies = "1 row is a copy" if count == 1 else f"{count_text(count)} rows are copies"
        yield Finding("info", f"{copies} of another row. Were some cases entered twice?", count, code="copies")


def _most_copies(column: Column, columns: Columns) -> int:
    """No more rows than these are copies: equal in a column and in all those that have few values."""
    if not column.is_number:
        return len(column)
    # 0 is added since −0 and 0 are equal, and all missing numbers are one; rows that mix to the same only add copies
    numbers = column.numbers + 0.0
    numbers[column.missing] = np.nan
    keys = numbers.view(np.uint64)
    for other in columns:
        if other is not column and other.is_few:
            keys ^= keys >> np.uint64(29)
            keys += other.codes.astype(np.uint64)
            keys *= np.uint64(0x9E3779B97F4A7C15)
    keys.sort()
    return keys.size - distinct_of(keys)
