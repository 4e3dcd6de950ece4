"""Tables out: the values per query as a frame, and any table as the bytes of a CSV."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from evalcore.wording import spreadsheet_cell

__all__ = ["csv_of"]


def frame_of(queries: Sequence[str], values: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """One row per query, one column per measure."""
    return pd.DataFrame(dict(values), index=pd.Index(list(queries), name="query", dtype="str"))


def csv_of(columns: Mapping[str, Sequence] | pd.DataFrame) -> bytes:
    """A table as the bytes of a CSV that a spreadsheet reads as it is meant, and runs nothing of.

    >>> csv_of({"name": ["=1+2"], "n": [3]}).decode("utf-8-sig").split()
    ['name,n', "'=1+2,3"]
    """
    table = pd.DataFrame(columns).copy()
    words = table.select_dtypes(exclude="number")
    table[words.columns] = words.map(spreadsheet_cell)
    safe = table.rename(columns=spreadsheet_cell)
    return safe.to_csv(index=False).encode("utf-8-sig")
