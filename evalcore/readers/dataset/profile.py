"""Profile of a data set: one line per column in use."""

from __future__ import annotations

import base64
import binascii
import struct

import numpy as np
import pandas as pd

from evalcore.readers.base.column_names import free_name
from evalcore.readers.base.values import text_of
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.kinds import KINDS
from evalcore.readers.shapes.part_rules import PNG
from evalcore.wording import count_text, marked, one_line

__all__ = ["counted_note", "marked_frame", "named_pictures", "numbered_rows", "profile_of"]

BARS = 24
_LISTED = 12
"""Distinct numbers up to which each is counted."""


def profile_of(data: DataSet) -> pd.DataFrame:
    """Distinct values, missing cells, range and a small distribution of each column in use.

    >>> data = DataSet.of(pd.DataFrame({"actual": ["ill", "well", "well"], "score": [0.9, 0.2, None]}))
    >>> profile_of(data)[["column", "role", "distinct", "missing"]].values.tolist()
    [['actual', 'true label', 2, 0], ['score', 'score', 2, 1]]

    Of a table that was counted and not loaded, all its rows are counted.
    """
    if data.is_counted:
        return pd.DataFrame(_counted_lines(data)).astype({"distinct": "Int64"})
    return pd.DataFrame([_line(data.frame[column], column, role) for column, role in _columns_in_use(data)])


def counted_note(data: DataSet) -> str:
    """Say what the profile of a counted table shows, and how exact it is.

    >>> import pyarrow as pa
    >>> from evalcore.engines import summary_dataset
    >>> from evalcore.readers import roles_of
    >>> table = pa.table({"actual": ["ill", "well", "well"], "predicted": ["ill", "ill", "well"]})
    >>> counted_note(summary_dataset(table, roles_of(actual="actual", predicted=("predicted",))))
    'Of all 3 rows that were counted.'
    """
    if (unloaded := data.unloaded) is None:
        return ""
    if unloaded.judged:
        return "Of the judged documents in the lists, of lists without one, and of the judgments."
    whole = f"Of all {count_text(unloaded.rows)} rows that were counted"
    note = f"{'Of the rows that were counted, with your changes' if data.shape.steps else whole}."
    if "~~weight~" in unloaded.roles:
        note += " Counts are sums of weights."
    if data.kind == "estimates":
        note += " Numbers are those of cells, each the mean of its rows."
    if unloaded.ends:
        note += " Medians and bars of scores are accurate to a bin."
    return note


def _counted_lines(data: DataSet) -> list[dict]:
    """Describe the columns of a table of counts by how many rows have each value."""
    weight, ends = data.roles.get("weight"), {} if data.unloaded is None else data.unloaded.ends
    rows = pd.Series(1, data.frame.index) if weight is None else data.frame[weight]
    lines = []
    for column, role in _columns_in_use(data):
        if column == weight:
            continue
        line = _line(data.frame[column], column, role, rows, data.frame.get(ends.get(column, "")))
        del line["missing"]
        if column in ends or (data.kind == "estimates" and line["distinct"] > _LISTED):
            line["distinct"] = None  # of bins and cells, not of the values in them
        lines.append(line)
    return lines


def _columns_in_use(data: DataSet) -> list[tuple[str, str]]:
    """Every column in use with its part in words, the truth first and the systems last."""
    parts = [(part, data.roles.get(name)) for name, part in KINDS[data.kind].parts.items() if not part.is_face]
    columns = [(value, part.word) for part, value in parts if part.form == "column" and value is not None]
    for part, value in parts:
        if part.form == "columns":
            columns += [(column, part.word) for column in value]
        elif part.form == "classes":
            columns += [(column, f"{part.word} of {one_line(text, 30)}") for column, text in value]
    return columns


def named_pictures(values: pd.Series) -> pd.Series:
    """The cells of a column, PNGs in base64 as their format and size.

    >>> named_pictures(pd.Series(["iVBORw0KGgoAAAANSUhEUgAAACAAAAAYCAAAAAC"])).tolist()
    ['PNG 32 × 24']
    """
    if values.dtype != "str" or not values.head(1).str.startswith(PNG).all():
        return values
    return values.map(_picture_text, na_action="ignore")


def _picture_text(cell: str) -> str:
    if not cell.startswith(PNG):
        return cell
    try:
        width, height = struct.unpack(">II", base64.b64decode(cell[:32])[16:24])
    except (binascii.Error, struct.error, ValueError):
        return cell
    return f"PNG {width} × {height}"


def _line(
    values: pd.Series, column: str, role: str, rows: pd.Series | None = None, ends: pd.Series | None = None
) -> dict:
    """Describe a column in one line, from the rows per cell; cells may be bins with another end."""
    present = named_pictures(values.dropna())
    distinct = present.nunique() if values.dtype.kind in "iuf" else 0  # counting texts would count them twice
    if distinct > _LISTED:
        finite = present[np.isfinite(present)]
        weights = None if rows is None else rows[finite.index].to_numpy(np.float64)
        bars = _bars(finite.to_numpy(np.float64), weights)
        # the lower of two middle values, as the sum of two huge ones is infinite
        middle = finite.quantile(0.5, interpolation="lower") if weights is None else _median(finite, weights)
        both = finite if ends is None else pd.concat([finite, ends])
        spread = f"{both.min():.4g} … {middle:.4g} … {both.max():.4g}"
    else:
        counts = present.value_counts() if rows is None else _sums(present, rows)
        distinct = len(counts)
        bars = counts.to_numpy()[:BARS]
        commonest = counts.head(3).items()
        spread = ", ".join(f"{one_line(text_of(value), 20)} {count_text(count)}" for value, count in commonest)
    return {
        "column": one_line(column),
        "role": role,
        "distinct": int(distinct),
        "missing": int(values.isna().sum()),
        "values": spread,
        "distribution": bars.tolist(),
    }


def _sums(values: pd.Series, rows: pd.Series) -> pd.Series:
    """Number of rows of each value, the most frequent first; weights may leave a fraction."""
    sums = rows[values.index].groupby(values, observed=True).sum().sort_values(ascending=False, kind="stable")
    return sums.round().astype(np.int64)


def _median(finite: pd.Series, weights: np.ndarray) -> float:
    order = np.argsort(finite.to_numpy(), kind="stable")
    below = np.cumsum(weights[order])
    return float(finite.to_numpy()[order][below.searchsorted(below[-1] / 2)])


def _bars(finite: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    # Halved first, because the range from -1e308 to 1e308 is too wide for a float.
    half = finite / 2
    low, high = half.min(), half.max()
    return np.histogram((half - low) / (high - low), bins=BARS, range=(0, 1), weights=weights)[0]


def marked_frame(frame: pd.DataFrame) -> pd.DataFrame:
    r"""A table of a file to be shown, its texts and headings with controls of the writing direction as marks.

    >>> marked_frame(pd.DataFrame({"a\u202eb": ["c\u2066", "d"], "n": [1, 2]})).to_dict("list")
    {'a‹U+202E›b': ['c‹U+2066›', 'd'], 'n': [1, 2]}
    """
    columns: dict[str, pd.Series] = {}
    for name, cells in frame.items():
        shown = cells.map(marked, na_action="ignore") if cells.dtype.kind == "O" else cells
        columns[free_name(marked(name), columns)] = shown
    return pd.DataFrame(columns, frame.index)


def numbered_rows(frame: pd.DataFrame, numbers: np.ndarray, **beside: np.ndarray) -> pd.DataFrame:
    """Some rows of a table with their numbers, counted from 1; the numbers given count from 0.

    >>> numbered_rows(pd.DataFrame({"row": ["a", "b"]}), np.array([1]), outcome=np.array(["TP"])).to_dict("list")
    {'row of the file': [2], 'outcome': ['TP'], 'row': ['b']}
    """
    rows = frame.iloc[numbers]
    first = "row" if "row" not in rows.columns else "row of the file"
    ahead = {free_name(name, rows.columns): cells for name, cells in {first: numbers + 1, **beside}.items()}
    return pd.concat([pd.DataFrame(ahead, rows.index), rows], axis=1)
