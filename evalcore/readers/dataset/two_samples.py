"""Two samples out of a table: two of its columns, or one column in two groups of rows; or two columns of counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from evalcore.estimation import MOST_BINS, TwoSamples
from evalcore.numeric import Array, Flags, Indices
from evalcore.readers.base import Column, ReadProblem, named
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.table.rows import clusters_of, complete_rows, numbers_of, ordered
from evalcore.readers.table.table import Table

__all__ = ["column_pair", "comparable_columns", "count_columns", "group_names", "group_pair", "grouping_columns"]


def comparable_columns(table: DataSet) -> tuple[str, ...]:
    """Columns whose distribution can be compared: numbers, and texts with few different values."""
    return tuple(column.name for column in _own_columns(table) if column.is_number or (column.is_few and column.texts))


_MOST_UNITS = 2_000_000  # rows that are resampled one by one; of more, each is several rows


def grouping_columns(table: DataSet) -> tuple[str, ...]:
    """Columns with 2 to 200 different values, which can split another column."""
    return tuple(c.name for c in _own_columns(table) if c.is_few and 2 <= c.distinct <= MOST_BINS)


def _own_columns(table: DataSet) -> list[Column]:
    """List the columns of the table itself, without those that counting in an engine added."""
    added = set()
    if table.is_counted and table.unloaded is not None:
        added = {table.roles.get("weight"), *table.unloaded.ends.values(), table.unloaded.pieces}
    return [Column(name, table.frame[name]) for name in table.frame.columns if name not in added]


def group_names(table: Table[Any], by: str) -> tuple[str, ...]:
    """The texts of the values of a column that splits others, in natural order."""
    return ordered(Column(by, table.frame[by]).texts)


def column_pair(table: Table[Any], first: str, second: str) -> TwoSamples:
    """Values of two columns, each without its missing ones, with the row of each value."""
    columns = [Column(name, table.frame[name]) for name in (first, second)]
    if columns[0].is_number != columns[1].is_number:
        texts = first if columns[1].is_number else second
        raise ReadProblem(f"Column {named(texts)} holds texts and the other numbers. Choose two columns of one sort.")
    codes = clusters_of(table)
    categories, values = _values_of(columns)
    sides = [_present(table, column.name, part) for column, part in zip(columns, values, strict=True)]
    if codes is not None:
        return _two_samples(sides, categories, codes)
    # Each row is a unit of its own, also those that a row counts.
    rows, each = _rows_counted(table)
    (p, of_p), (q, of_q) = (
        (values[rows[present[rows]]], np.flatnonzero(present[rows]))
        for values, (_, _, present) in zip(values, sides, strict=True)
    )
    weights = (None, None) if each is None else (each[of_p], each[of_q])
    return TwoSamples(p, q, categories, *weights, of_p, of_q)


def _two_samples(sides: list[Side], categories: tuple[str, ...] | None, codes: np.ndarray | None) -> TwoSamples:
    (p, weights_p, rows_p), (q, weights_q, rows_q) = sides
    units = (None, None) if codes is None else (codes[rows_p], codes[rows_q])
    return TwoSamples(p, q, categories, weights_p, weights_q, *units)


def _rows_counted(table: Table[Any]) -> tuple[Indices, Array | None]:
    """Row of the table of each row it counts, and the rows per entry if they are more than two million."""
    if (name := table.roles.get("weight")) is None:
        return np.arange(len(table)), None
    counts = np.nan_to_num(numbers_of(table, name))
    times = np.ceil(counts * min(_MOST_UNITS / max(counts.sum(), 1.0), 1.0))
    rows = np.repeat(np.arange(len(table)), times.astype(np.intp))
    return rows, None if np.array_equal(times, counts) else (counts / np.maximum(times, 1))[rows]


def group_pair(table: Table[Any], value: str, by: str, groups: tuple[str, str]) -> TwoSamples:
    """The values of a column in two groups of rows."""
    column, split = Column(value, table.frame[value]), Column(by, table.frame[by])
    for group in groups:
        if not split.is_few or group not in split.texts:
            raise ReadProblem(f"Column {named(by)} has no group {named(group)}. Choose another one.")
    categories, (values,) = _values_of([column])
    codes = clusters_of(table)
    sides = []
    for group in groups:
        inside = split.codes == split.texts.index(group)
        sides.append(_present(table, value, np.where(inside, values, np.nan), group))
    return _two_samples(sides, categories, codes)


def count_columns(
    table: Table[Any], first: str, second: str, label: str | None
) -> tuple[tuple[str, ...], Array, Array]:
    """Two histograms whose bins are the rows: names of the bins (row numbers without a label), counts of P and of Q."""
    if len(table) > MOST_BINS:
        sentence = f"The table has {len(table)} rows; histograms of counts have at most {MOST_BINS} bins, one per row."
        raise ReadProblem(sentence)
    sides = [np.nan_to_num(numbers_of(table, name), nan=0.0) for name in (first, second)]
    for name, counts in zip((first, second), sides, strict=True):
        if not ((counts >= 0) & (counts < np.inf)).all():
            raise ReadProblem(f"Column {named(name)} has negative or infinite counts. Choose two columns of counts.")
        if not counts.any():
            raise ReadProblem(f"All counts in column {named(name)} are 0. Choose two columns of counts.")
    names = range(1, len(table) + 1) if label is None else table.frame[label].astype(str).tolist()
    return tuple(map(str, names)), sides[0], sides[1]


def _values_of(columns: list[Column]) -> tuple[tuple[str, ...] | None, list[Array]]:
    """The categories of columns of texts, and each column as numbers or as codes of these, nan where it is missing."""
    if all(column.is_number for column in columns):
        return None, [column.numbers for column in columns]
    for column in columns:
        if not column.is_few or len(column.texts) > MOST_BINS:
            sentence = f"Column {named(column.name)} has too many different texts to be compared; choose one with at "
            raise ReadProblem(f"{sentence}most {MOST_BINS}, or a column of numbers.")
    categories = ordered(tuple({text for column in columns for text in column.texts}))
    places = {text: index for index, text in enumerate(categories)}
    own = (np.array([*(places[text] for text in column.texts), np.nan]) for column in columns)
    return categories, [numbers[column.codes] for numbers, column in zip(own, columns, strict=True)]


Side = tuple[Array, Array | None, Flags]  # values, their weights, and which rows of the table they are of


def _present(table: Table[Any], name: str, values: Array, group: str | None = None) -> Side:
    complete, weights, _ = complete_rows(table, np.isfinite(values))
    if not complete.any():
        where = "" if group is None else f" where the group is {named(group)}"
        raise ReadProblem(f"Column {named(name)} has no value{where}. Choose another column or group.")
    return values[complete].astype(np.float64), weights, complete
