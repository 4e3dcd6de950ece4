"""Columns of a data set: a profile of each in use, their slices as filters, and two samples to compare."""

import base64
import re
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.estimation import MOST_BINS, TwoSamples
from evalcore.numeric import Array, Flags, Indices
from evalcore.readers.base import Column, Lines, ReadProblem, distinct_of, named, text_of
from evalcore.readers.base.column_names import free_name, is_identifier, simple
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.kinds import KINDS
from evalcore.readers.shapes.label_columns import PNG
from evalcore.readers.steps.rows import Days, Filter, Missing, Only, Range, days_in, period_limits
from evalcore.readers.table.table import Table, clusters_of, complete_rows, kept, numbers_of, ordered
from evalcore.wording import TURNS, count_text, marked, number_text, one_line

__all__ = ["SliceColumn", "column_pair", "comparable_columns", "count_columns", "counted_note", "group_names"]
__all__ += ["group_pair", "grouping_columns", "marked_frame", "named_pictures", "numbered_rows", "profile_of"]
__all__ += ["slice_columns", "sorted_order"]

BARS = 24
_LISTED = 12  # distinct numbers up to which each is counted
_LONGEST = 1e12  # whole numbers below are written with all their digits


def profile_of(data: DataSet) -> pd.DataFrame:
    """Distinct values, missing cells, range and a small distribution of each column in use, of all rows."""
    if data.is_counted:
        return pd.DataFrame(_counted_lines(data)).astype({"distinct": "Int64"})
    return pd.DataFrame([_line(data, column, role) for column, role in _columns_in_use(data)])


def counted_note(data: DataSet) -> str:
    """Say what the profile of a counted table shows, and how exact it is."""
    if (unloaded := data.unloaded) is None:
        return ""
    if unloaded.judged:
        return "Of the judged documents in the lists, of lists without one, and of the judgments."
    whole = f"Of all {count_text(unloaded.rows)} rows that were counted."
    notes = {
        "Of the rows that were counted, with your changes." if data.shape.steps else whole: True,
        "Counts are sums of weights.": "~~weight~" in unloaded.roles,
        "Numbers are those of cells, each the mean of its rows.": data.kind == "estimates",
        "Medians and bars of scores are accurate to a bin.": bool(unloaded.ends),
    }
    return " ".join(note for note, applies in notes.items() if applies)


def _counted_lines(data: DataSet) -> list[dict]:
    """Describe the columns of a table of counts by how many rows have each value."""
    weight, ends = data.roles.get("weight"), {} if data.unloaded is None else data.unloaded.ends
    rows = pd.Series(1, data.frame.index) if weight is None else data.frame[weight]
    lines = []
    for column, role in (pair for pair in _columns_in_use(data) if pair[0] != weight):
        line = _line(data, column, role, rows, data.frame.get(ends.get(column, "")))
        del line["missing"]
        if column in ends or (data.kind == "estimates" and line["distinct"] > _LISTED):
            line["distinct"] = None  # of bins and cells, not of the values in them
        lines.append(line)
    return lines


def _columns_in_use(data: DataSet) -> list[tuple[str, str]]:
    """Every column in use with its part in words, the truth first and the systems last."""
    parts = [(part, data.roles.get(name)) for name, part in KINDS[data.kind].parts.items() if not part.is_face]
    single = [(value, part.word) for part, value in parts if part.form == "column" and value is not None]
    several = [(column, part.word) for part, value in parts if part.form == "columns" for column in value]
    classes = [(part.word, *pair) for part, value in parts if part.form == "classes" for pair in value]
    return single + several + [(column, f"{word} of {one_line(text, 30)}") for word, column, text in classes]


def named_pictures(values: pd.Series) -> pd.Series:
    """The cells of a column, a PNG in base64 as its format and size, such as "PNG 32 × 24"."""
    if values.dtype != "str" or not values.head(1).str.startswith(PNG).all():
        return values
    return values.map(_picture_text, na_action="ignore")


def _picture_text(cell: str) -> str:
    with suppress(struct.error, ValueError):
        width, height = struct.unpack(">II", base64.b64decode(cell[:32])[16:24])
        return f"PNG {width} × {height}" if cell.startswith(PNG) else cell
    return cell


def _line(data: DataSet, name: str, role: str, rows: pd.Series | None = None, ends: pd.Series | None = None) -> dict:
    """Describe a column in one line, from the rows per cell; cells may be bins with another end."""
    cells = data.frame[name]
    present = named_pictures(filled := cells.dropna())
    # texts are counted below
    ascending = np.sort(present.to_numpy()) if cells.dtype.kind in "iuf" else np.empty(0)
    distinct = distinct_of(ascending)
    if distinct > _LISTED:
        finite = present if rows is not None else pd.Series(ascending)
        if not np.isfinite(ascending[[0, -1]]).all():
            finite = finite[np.isfinite(finite)]
        weights = None if rows is None else rows[finite.index].to_numpy(np.float64)
        bars = _bars(finite.to_numpy(np.float64), weights)
        # the lower of two middle values, as the sum of two huge ones is infinite
        middle = finite.iloc[(len(finite) - 1) // 2]
        if weights is not None:
            order = np.argsort(finite.to_numpy(), kind="stable")
            below = np.cumsum(weights[order])
            middle = float(finite.to_numpy()[order][below.searchsorted(below[-1] / 2)])
        both = finite if ends is None else pd.concat([finite, ends])
        marks = (both.min(), middle, both.max())
        are_whole = max(map(abs, marks)) < _LONGEST and (both == both.round()).all()
        written = number_text if not are_whole else text_of if _are_years(name, marks) else count_text
        spread = " … ".join(map(written, marks))
    else:
        if rows is None:
            counts = data.value_counts(name) if present is filled else present.value_counts()
        else:  # weights may leave a fraction
            sums = rows[present.index].groupby(present, observed=True).sum()
            counts = sums.sort_values(ascending=False, kind="stable").round().astype(np.int64)
        distinct = len(counts)
        bars = counts.to_numpy()[:BARS]
        commonest = counts.head(3).items()
        spread = ", ".join(
            f"{one_line(text_of(value), 20)}: {count_text(count)}" for value, count in commonest
        ) + ", …" * (len(counts) > 3)
    counts = {"distinct": int(distinct), "missing": int(cells.isna().sum())}
    return {"column": one_line(name), "role": role, **counts, "values": spread, "distribution": bars.tolist()}


def _are_years(column: str, marks: Sequence[float]) -> bool:
    """Whether whole numbers are years, by their range and the name of their column."""
    lowest, highest = (1000, 2999) if _YEAR.search(simple(column)) else (1500, 2100)
    return lowest <= min(marks) and max(marks) <= highest


_YEAR = re.compile(r"(?:^|_)(?:year|yr|jahr|annee|ano|anno)s?(?:_|$)|jahr$")


def _bars(finite: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    share = finite / 2  # Halved first, because the range from -1e308 to 1e308 is too wide for a float.
    low, high = share.min(), share.max()
    share -= low
    share /= high - low
    return np.histogram(share, bins=BARS, range=(0, 1), weights=weights)[0]


def marked_frame(frame: pd.DataFrame) -> pd.DataFrame:
    r"""A table of a file to be shown, its texts and headings with controls of the writing direction as marks."""
    columns: dict[str, pd.Series] = {}
    for name, cells in frame.items():
        is_clean = cells.dtype.kind != "O" or (cells.dtype == "str" and not cells.str.contains(TURNS).any())
        columns[free_name(marked(name), columns)] = cells if is_clean else cells.map(marked, na_action="ignore")
    return pd.DataFrame(columns, frame.index)


def numbered_rows(frame: pd.DataFrame, numbers: np.ndarray, lines: Lines, **beside: np.ndarray) -> pd.DataFrame:
    """Some rows of a table, behind their numbers in the file; the numbers given count from 0."""
    rows = frame.iloc[numbers]
    first = lines.word if lines.word not in rows.columns else f"{lines.word} of the file"
    ahead = {free_name(name, rows.columns): cells for name, cells in {first: lines.numbers(numbers), **beside}.items()}
    return pd.concat([pd.DataFrame(ahead, rows.index), rows], axis=1)


def sorted_order(cells: pd.Series | np.ndarray, falling: bool) -> np.ndarray:
    """The places of cells in their order, missing ones last; equal ones stay as they were."""
    column = pd.Series(cells).reset_index(drop=True)
    if column.dtype == object:
        column = column.map(text_of, na_action="ignore")
    return column.sort_values(ascending=not falling, kind="stable").index.to_numpy()


_FEWEST, _MOST_TEXTS = 40, 30  # rows of a text that make it a slice, and how many texts are slices
_MOST_PERIODS, _BINS, _SAMPLE = 24, 8, 20_000


@dataclass(frozen=True, eq=False)
class SliceColumn:
    """A column cut into slices, which may overlap: which codes belong to each slice, and the filter of each."""

    name: str
    codes: npt.NDArray[np.uint8]
    members: Flags
    filters: tuple[Filter, ...]


@kept("slice columns", rows=lambda table: table.frame.size // 32)  # a code is a byte, a row of the cache 32
def slice_columns(table: DataSet) -> tuple[tuple[SliceColumn, ...], tuple[str, ...]]:
    """The columns that play no part, or name the group, cut into slices, and the names of those that have none.

    Numbers are cut into ranges at eight quantiles, or at their values where there are at most eight. Dates are cut into
    months, quarters or years. Of texts, the 30 most frequent with at least 40 rows are slices. Missing cells are one
    too. Identifiers, constants and texts that hardly repeat have none.
    """
    parts = {name: part for name, part in KINDS[table.kind].parts.items() if name != "group" and table.roles.get(name)}
    taken = {column for name, part in parts.items() for column in part.columns(table.roles.get(name))}
    # The other ends of bins are no columns of the table that was counted.
    taken |= set() if table.unloaded is None else {*table.unloaded.ends.values()}
    cuts = {name: _cut(Column(name, table.frame[name])) for name in table.frame.columns if name not in taken}
    return tuple(filter(None, cuts.values())), tuple(name for name, cut in cuts.items() if cut is None)


def _cut(column: Column) -> SliceColumn | None:
    if not column.is_number:
        return _periods(column) or _texts(column)
    is_id = is_identifier(column.name) and column.is_whole and column.distinct * 2 > len(column)
    return None if is_id or column.numbers_rows else _ranges(column)


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
    members = [np.eye(m, dtype=bool), np.tri(m, k=0, dtype=bool)[:-1], ~np.tri(m, k=-1, dtype=bool)[1:]]
    ends = [period_limits(np.datetime64(int(period) * size, "M"), size) for period in periods]
    ends += [("", last) for _, last in ends[:-1]] + [(first, "") for first, _ in ends[1:]]
    filters = [Days(column.name, first, last) for first, last in ends]
    recoded = np.append(places, m).astype(np.uint8)  # The last code is that of missing cells, with the index -1.
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
    filters = [Only(column.name, (column.texts[place],)) for place in frequent.tolist()]
    return _column(column, recoded[column.codes], np.eye(k, k + 2, dtype=bool), filters)


def _ranges(column: Column) -> SliceColumn | None:
    numbers = column.numbers
    sample = numbers[:: max(len(numbers) // _SAMPLE, 1)]
    sample = sample[np.isfinite(sample)]
    cuts = np.unique(sample)
    each = len(cuts) <= _BINS
    if not each:
        cuts = _quantiles(sample)
    if not (m := len(cuts)):
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


def _column(column: Column, codes: np.ndarray, members: np.ndarray, filters: Sequence[Filter]) -> SliceColumn | None:
    """Add the slice of missing cells, whose code is the last, to slices that have rows; None if none has."""
    members = np.vstack([members, np.arange(members.shape[1]) == members.shape[1] - 1])
    filters = [*filters, Missing(column.name)]
    occurring = members[:, np.bincount(codes, minlength=members.shape[1]) > 0]
    distinct = np.sort(np.unique(occurring, axis=0, return_index=True)[1])
    distinct = distinct[occurring[distinct].any(axis=1) & ~occurring[distinct].all(axis=1)]
    if not distinct.size:
        return None
    return SliceColumn(column.name, codes, members[distinct], tuple(filters[i] for i in distinct))


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
    rows, each = _rows_counted(table)  # Each row is a unit of its own, also those that a row counts.
    of_p, of_q = (np.flatnonzero(present[rows]) for _, _, present in sides)
    weights = (None, None) if each is None else (each[of_p], each[of_q])
    return TwoSamples(values[0][rows[of_p]], values[1][rows[of_q]], categories, *weights, of_p, of_q)


def _two_samples(sides: "list[Side]", categories: tuple[str, ...] | None, codes: np.ndarray | None) -> TwoSamples:
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
    of_groups = (np.where(split.codes == split.texts.index(group), values, np.nan) for group in groups)
    sides = [_present(table, value, own, group) for own, group in zip(of_groups, groups, strict=True)]
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
