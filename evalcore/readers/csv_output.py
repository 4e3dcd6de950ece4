"""Tables out: as the bytes of a CSV."""

from collections.abc import Mapping, Sequence

import pandas as pd

from evalcore.wording import spreadsheet_cell

__all__ = ["csv_of"]


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
