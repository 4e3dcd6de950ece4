"""The values of a measure for each query as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd


def frame_of(queries: Sequence[str], values: Mapping[str, np.ndarray]) -> pd.DataFrame:
    """One row per query, one column per measure."""
    return pd.DataFrame(dict(values), index=pd.Index(list(queries), name="query", dtype="str"))
