"""Profile of a data set: one line per column in use."""

from __future__ import annotations

import base64
import binascii
import struct

import numpy as np
import pandas as pd

from evalcore.readers.datasets import DataSet
from evalcore.readers.kinds import KINDS
from evalcore.readers.kinds.masks import PNG
from evalcore.readers.values import text_of
from evalcore.wording import count_text, one_line

__all__ = ["named_pictures", "numbered_rows", "profile_of"]

BARS = 24


def profile_of(data: DataSet) -> pd.DataFrame:
    """Distinct values, missing cells, range and a small distribution of each column in use.

    >>> data = DataSet.of(pd.DataFrame({"actual": ["ill", "well", "well"], "score": [0.9, 0.2, None]}))
    >>> profile_of(data)[["column", "role", "distinct", "missing"]].values.tolist()
    [['actual', 'true label', 2, 0], ['score', 'score', 2, 1]]
    """
    return pd.DataFrame([_line(data.frame[column], column, role) for column, role in _columns_in_use(data)])


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


def _line(values: pd.Series, column: str, role: str) -> dict:
    present = named_pictures(values.dropna())
    distinct = present.nunique() if values.dtype.kind in "iuf" else 0  # counting texts would count them twice
    if distinct > 12:
        finite = present[np.isfinite(present)]
        bars = _bars(finite.to_numpy(np.float64))
        # the lower of two middle values, as the sum of two huge ones is infinite
        middle = finite.quantile(0.5, interpolation="lower")
        spread = f"{finite.min():.4g} … {middle:.4g} … {finite.max():.4g}"
    else:
        counts = present.value_counts()
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


def _bars(finite: np.ndarray) -> np.ndarray:
    # Halved first, because the range from -1e308 to 1e308 is too wide for a float.
    half = finite / 2
    low, high = half.min(), half.max()
    return np.histogram((half - low) / (high - low), bins=BARS, range=(0, 1))[0]


def numbered_rows(frame: pd.DataFrame, numbers: np.ndarray) -> pd.DataFrame:
    """Some rows of a table with their numbers, counted from 1; the numbers given count from 0."""
    rows = frame.iloc[numbers]
    name = "row" if "row" not in rows.columns else "row of the file"
    return pd.concat([pd.Series(numbers + 1, index=rows.index, name=name), rows], axis=1)
