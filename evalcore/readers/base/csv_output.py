"""Tables out: the values per query as a frame, any table as the bytes of a CSV, or as text to paste."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from evalcore.wording import TABLE_FORMATS, UNDEFINED, count_text, spreadsheet_cell, table_texts

__all__ = ["columns_text", "columns_texts", "csv_of"]

_MOST_ROWS = 10_000
"""Rows of a table that is read by people; all are in the CSV."""


def frame_of(queries: Sequence[str], values: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """Values per query as a frame with one column per measure."""
    return pd.DataFrame(dict(values), index=pd.Index(list(queries), name="query", dtype="str"))


def csv_of(columns: Mapping[str, Sequence] | pd.DataFrame) -> bytes:
    """Write a table as the bytes of a CSV that a spreadsheet reads without changing or running anything.

    >>> csv_of({"name": ["=1+2"], "n": [3]}).decode("utf-8-sig").split()
    ['name,n', "'=1+2,3"]
    """
    table = pd.DataFrame(columns).copy()
    words = table.select_dtypes(exclude="number")
    table[words.columns] = words.map(spreadsheet_cell)
    safe = table.rename(columns=spreadsheet_cell)
    return safe.to_csv(index=False).encode("utf-8-sig")


def columns_text(columns: Mapping[str, Sequence] | pd.DataFrame, format: str) -> str:
    """A table of columns in one of `TABLE_FORMATS`, numbers in four digits; the CSV has every digit.

    >>> print(columns_text({"class": ["a"], "n": [1820], "recall": [2 / 3]}, "Markdown"))
    | class | n | recall |
    | --- | ---: | ---: |
    | a | 1820 | 0.6667 |
    """
    return columns_texts(columns, [format])[format]


def columns_texts(
    columns: Mapping[str, Sequence] | pd.DataFrame, formats: Sequence[str] = tuple(TABLE_FORMATS)
) -> dict[str, str]:
    """Write columns as a table in several formats."""
    table = pd.DataFrame(columns)
    texts = {"CSV": csv_of(table).decode("utf-8-sig")} if "CSV" in formats else {}
    if texts.keys() == {*formats}:
        return texts
    shown = table.head(_MOST_ROWS)
    rows = [[_text(value) for value in row] for row in shown.itertuples(index=False, name=None)]
    if (more := len(table.index) - len(shown.index)) > 0:
        rows.append([f"… and {count_text(more)} more rows, which the CSV has"])
    return texts | table_texts([*map(str, table.columns)], rows, [format for format in formats if format != "CSV"])


def _text(value: object) -> str:
    if isinstance(value, (float, np.floating)):
        if np.isnan(value):
            return UNDEFINED
        if np.isinf(value):
            return "∞" if value > 0 else "−∞"
        return f"{value:.0f}" if 1e4 <= abs(value) < 1e15 or float(value).is_integer() else f"{value:.4g}"
    return "" if value is None or value is pd.NA or value is pd.NaT else str(value)
