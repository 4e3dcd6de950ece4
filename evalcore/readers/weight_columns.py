"""Whether a column holds the weights of rows, told by its name and its values."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from evalcore.numeric import Array
from evalcore.readers import column_names as names
from evalcore.readers.columns import Column, Columns
from evalcore.readers.problems import Finding, named
from evalcore.wording.numbers import number_text

# People weigh 40 to 120 kg; weights of a survey spread wider, or lie around 1.
_LOWEST_MEASURED = 10
_WIDEST_MEASURED = 20
# Such as "weight_final" and "survey_wt"; a name alone does not tell them from "weight_change".
_AFFIXED = re.compile(r"^(?:weights?|wt|pweight|pw)_|_(?:weights?|wts?|wgt|gewicht)$|^(?:pweight|finalwt|fnlwgt|wgt)$")
# A table of counted rows has a few columns of labels or scores and the count.
_MOST_COLUMNS = 6


def weight_of(columns: Columns) -> Column | None:
    """The column of weights, if both its name and its values speak for one."""
    return next((c for c in columns if _is_named(c) and not _is_measured(c)), None) or _row_counts(columns)


def weight_findings(columns: Columns, used: str | None) -> Iterator[Finding]:
    """Say which column named like a weight is not used as one, and offer it; and which column counts rows."""
    if used is not None:
        if names.simple(used) in names.ROW_COUNT:
            sentence = f"Column {named(used)} holds whole numbers and is used as how many times each row counts. "
            yield Finding(
                "info",
                sentence + 'If it is not, clear "Weight" on the Data page.',
                len(columns[used]),
                used,
                code="counted rows",
            )
        return
    for column in columns:
        if _is_named(column):
            middle = number_text(_middle(column.numbers[np.isfinite(column.numbers)]))
            sentence = f"Column {named(column.name)} is not used as weights of the rows: its numbers, around {middle}, "
            sentence += 'look measured, such as a body weight. If they are weights, choose it under "Weight".'
            yield Finding("info", sentence, len(column), column.name, code="no weight", role="weight")
        elif column.is_number and _AFFIXED.search(names.simple(column.name)) and (column.numbers >= 0).all():
            sentence = f"Column {named(column.name)} is named like weights of the rows, but not used as weights. "
            sentence += 'If it holds them, choose it under "Weight".'
            yield Finding("info", sentence, len(column), column.name, code="no weight", role="weight")


def _is_named(column: Column) -> bool:
    return names.simple(column.name) in names.WEIGHT and column.is_number and column.missing_count < len(column)


def _is_measured(column: Column) -> bool:
    name, numbers = names.simple(column.name), column.numbers[np.isfinite(column.numbers)]
    if name in names.SURE_WEIGHT or not numbers.size:
        return False
    if name in names.ROW_COUNT:
        return not column.is_whole
    low, high = numbers.min(), numbers.max()
    return bool(_middle(numbers) >= _LOWEST_MEASURED and 0 < low < high <= _WIDEST_MEASURED * low)


def _middle(numbers: Array) -> float:
    """The lower of the two middle numbers, as the sum of two huge ones is infinite."""
    return float(np.partition(numbers, (numbers.size - 1) // 2)[(numbers.size - 1) // 2])


def _row_counts(columns: Columns) -> Column | None:
    """A column called "n" or "count" of a table that lists each combination of labels and scores once."""
    others = {c.name: c for c in columns}
    if len(others) > _MOST_COLUMNS:
        return None
    counting = [c for c in columns if names.simple(c.name) in names.ROW_COUNT and c.is_number and c.is_whole]
    if len(counting) != 1 or counting[0].missing_count or counting[0].numbers.min(initial=0) < 0:
        return None
    del others[counting[0].name]
    if counting[0].numbers_rows or not any(map(names.is_actual, others)):
        return None
    is_system = [names.is_score(name) or names.is_predicted(name) for name in others]
    return counting[0] if any(is_system) and columns.are_distinct([*others]) else None
