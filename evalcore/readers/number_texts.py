"""Numbers that are written as text, and what they are."""

from __future__ import annotations

from importlib import import_module

import pandas as pd


def read_numbers(texts: pd.Series) -> pd.Series | None:
    """A column of text as numbers, if all its cells are numbers or missing; else None."""
    import pyarrow as pa

    pc = import_module("pyarrow.compute")
    cells = pa.array(texts.array).cast(pa.large_string())
    try:
        pc.utf8_trim_whitespace(cells.drop_null()[:100]).cast(pa.float64())  # words show soon
        numbers = pc.utf8_trim_whitespace(cells).cast(pa.float64())
    except pa.ArrowInvalid:
        return None
    return pd.Series(numbers.to_numpy(zero_copy_only=False), texts.index)
