"""The slices of a column: its values, or ranges of its numbers, each as the filter that keeps its rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.numeric import Array
from evalcore.readers.base.column_names import is_identifier
from evalcore.readers.base.values import Column, text_of
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.kinds import KINDS
from evalcore.readers.steps.rows import Days, Filter, Missing, Only, Range, days_in, period_limits

__all__ = ["SliceColumn", "slice_columns"]

_FEWEST = 40
"""Rows of a text that make it a slice."""

_MOST_TEXTS = 30
_MOST_PERIODS = 24
_BINS = 8
_SAMPLE = 20_000


@dataclass(frozen=True, eq=False)
class SliceColumn:
    """A column cut into slices, which may overlap.

    Attributes
    ----------
    codes : uint8 array, shape (rows,)
    members : bool array, shape (slices, codes)
        Which codes belong to each slice.
    filters : tuple of Filter
        One per slice.
    """

    name: str
    codes: npt.NDArray[np.uint8]
    members: npt.NDArray[np.bool_]
    filters: tuple[Filter, ...]


def slice_columns(table: DataSet) -> tuple[tuple[SliceColumn, ...], tuple[str, ...]]:
    """The columns that play no part, or name the group, cut into slices, and the names of those that have none.

    Numbers are cut into ranges at eight quantiles, or at their values where there are at most eight. Dates are cut into
    months, quarters or years. Of texts, the 30 most frequent with at least 40 rows are slices. Missing cells are one
    too. Identifiers, constants and texts that hardly repeat have none.

    Examples
    --------
    >>> import pandas as pd
    >>> from evalcore.readers import DataSet
    >>> data = DataSet.of(pd.DataFrame({"actual": [1, 0] * 50, "score": [0.9, 0.2] * 50, "site": ["a", "b"] * 50}))
    >>> columns, others = slice_columns(data)
    >>> [one.condition for one in columns[0].filters]
    ['site a', 'site b']
    """
    # A code takes a byte, where a row of the cache is one of 32.
    return table.once("slice columns", None, lambda: _slice_columns(table), table.frame.size // 32)


def _slice_columns(table: DataSet) -> tuple[tuple[SliceColumn, ...], tuple[str, ...]]:
    parts = {name: part for name, part in KINDS[table.kind].parts.items() if name != "group" and table.roles.get(name)}
    taken = {column for name, part in parts.items() for column in part.columns(table.roles.get(name))}
    # The other ends of bins are no columns of the table that was counted.
    taken |= set() if table.unloaded is None else {*table.unloaded.ends.values()}
    columns, others = [], []
    for name in table.frame.columns:
        if name in taken:
            continue
        column = Column(name, table.frame[name])
        if (cut := None if _names_rows(column) else (_ranges if column.is_number else _words)(column)) is None:
            others.append(name)
        else:
            columns.append(cut)
    return tuple(columns), tuple(others)


def _names_rows(column: Column) -> bool:
    """Whether a column of numbers only identifies rows."""
    named = is_identifier(column.name) and column.is_whole and column.distinct * 2 > len(column)
    return column.is_number and (named or column.numbers_rows)


def _words(column: Column) -> SliceColumn | None:
    return _periods(column) or _texts(column)


def _periods(column: Column) -> SliceColumn | None:
    """Slices of a date column by month, quarter or year, and all dates from or until each."""
    texts = column.values.dropna().iloc[:_SAMPLE]
    if column.is_bool or days_in(texts) is None:
        return None
    cells = column.values
    if not column.is_few:  # points in time
        cells = cells.str.slice(0, 10) if "-" in texts.iloc[0] else cells.str.split(" ", n=1).str[0]
    codes, texts = pd.factorize(cells)
    days = days_in(pd.Series(texts))
    if days is None or len(np.unique(days)) <= _MOST_PERIODS:
        return None
    months = days.astype("datetime64[M]").astype(np.int64)
    size = next((s for s in (1, 3) if len(np.unique(months // s)) <= _MOST_PERIODS), 12)
    periods, places = np.unique(months // size, return_inverse=True)
    m = len(periods)
    if not 1 < m <= _MOST_PERIODS:
        return None
    filters: list[Filter] = []
    members = [np.eye(m, dtype=bool), np.tri(m, k=0, dtype=bool)[:-1], ~np.tri(m, k=-1, dtype=bool)[1:]]
    ends = [period_limits(np.datetime64(int(period) * size, "M"), size) for period in periods]
    filters += [Days(column.name, first, last) for first, last in ends]
    filters += [Days(column.name, "", last) for _, last in ends[:-1]]
    filters += [Days(column.name, first, "") for first, _ in ends[1:]]
    # The last code is that of missing cells, with the index -1.
    recoded = np.append(places, m).astype(np.uint8)
    return _column(column, recoded[codes], np.pad(np.vstack(members), ((0, 0), (0, 1))), filters)


def _texts(column: Column) -> SliceColumn | None:
    if not column.is_few:
        return None
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.labels))
    frequent = np.argsort(-counts, kind="stable")[:_MOST_TEXTS]
    frequent = frequent[counts[frequent] >= _FEWEST]
    k = len(frequent)
    # The rare texts are one code, which is in no slice; the last one is that of missing cells, with the index -1.
    recoded = np.full(len(counts) + 1, k, np.uint8)
    recoded[frequent], recoded[-1] = np.arange(k), k + 1
    filters: list[Filter] = [Only(column.name, (column.texts[place],)) for place in frequent.tolist()]
    return _column(column, recoded[column.codes], np.eye(k, k + 2, dtype=bool), filters)


def _ranges(column: Column) -> SliceColumn | None:
    numbers = column.numbers
    sample = numbers[:: max(len(numbers) // _SAMPLE, 1)]
    sample = sample[np.isfinite(sample)]
    cuts = np.unique(sample)
    each = len(cuts) <= _BINS
    if not each:
        cuts = _quantiles(sample)
    m = len(cuts)
    if not m:
        return None
    # A range holds both its ends: of whole numbers the next one begins a number higher, else both hold the cut.
    lows, highs = cuts, cuts - 1 if column.is_whole and not each else cuts
    codes = np.zeros(len(numbers), np.uint8)
    for low, high in zip(lows.tolist(), highs.tolist(), strict=True):
        codes += numbers >= low
        codes += numbers > high
    codes[np.isnan(numbers)] = 2 * m + 1
    # Alike in their rows, a value comes before an open range, and that before a closed one.
    ranges = [*((i, i) for i in range(m)), *((-1, j) for j in range(m)), *((i, m) for i in range(m))]
    ranges += combinations(range(m), 2)
    places = np.arange(2 * m + 2)
    first, last = (np.array(ends)[:, None] for ends in zip(*ranges, strict=True))
    members = (places >= 2 * first + 1) & (places <= 2 * last + 1) & (places <= 2 * m)
    filters: list[Filter] = []
    for i, j in ranges:
        low, high = float(lows[i]) if i >= 0 else np.nan, float(highs[j]) if j < m else np.nan
        filters.append(Only(column.name, (text_of(low),)) if low == high else Range(column.name, low, high))
    return _column(column, codes, members, filters)


def _quantiles(sample: Array) -> Array:
    """The quantiles of a sample, in as few digits as keep them within a quarter of the way to their neighbours."""
    cuts = np.unique(np.quantile(sample, np.arange(1, _BINS) / _BINS, method="nearest"))
    gaps = np.diff(cuts, prepend=-np.inf, append=np.inf)
    room = np.minimum(gaps[:-1], gaps[1:]) / 4
    room[~np.isfinite(room)] = 0
    return np.array([_short(*both) for both in zip(cuts.tolist(), room.tolist(), strict=True)])


def _short(value: float, room: float) -> float:
    texts = (f"{value:.{digits}g}" for digits in range(1, 17))
    return next((short for short in map(float, texts) if abs(short - value) <= room), value)


def _column(column: Column, codes: np.ndarray, members: np.ndarray, filters: list[Filter]) -> SliceColumn | None:
    """Add the slice of missing cells, whose code is the last, to slices that have rows; None if none has."""
    members = np.vstack([members, np.arange(members.shape[1]) == members.shape[1] - 1])
    filters = [*filters, Missing(column.name)]
    occurring = members[:, np.bincount(codes, minlength=members.shape[1]) > 0]
    distinct = np.sort(np.unique(occurring, axis=0, return_index=True)[1])
    distinct = distinct[occurring[distinct].any(axis=1) & ~occurring[distinct].all(axis=1)]
    return (
        SliceColumn(column.name, codes, members[distinct], tuple(filters[i] for i in distinct))
        if distinct.size
        else None
    )
