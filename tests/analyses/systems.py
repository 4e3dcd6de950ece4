"""Data sets with several systems: samples, tables as text, and scores made by a seed."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from evalcore.analyses import Source
from evalcore.readers import read_sample, read_table


def sample(name: str) -> Source:
    return replace(Source.of(read_sample(name)), id=name)


def source_of(table: str | pd.DataFrame) -> Source:
    text = table if isinstance(table, str) else table.to_csv(index=False)
    return Source.of(read_table(text.encode(), "table.csv"))


def scored(n: int = 400, **columns: Callable) -> Source:
    """Labels, two systems of scores and more columns, each a function of (labels, random, frame)."""
    random = np.random.default_rng(1)
    labels, noise = random.random(n) < 0.3, random.normal(size=(3, n))
    old = 1 / (1 + np.exp(-(noise[0] + noise[1] + 1.5 * labels - 0.5)))
    new = 1 / (1 + np.exp(-(noise[0] + noise[2] + 2.5 * labels - 0.5)))
    frame = pd.DataFrame({"actual": np.where(labels, "ill", "healthy"), "old": old, "new": new})
    for name, column in columns.items():
        frame[name] = column(labels, random, frame)
    return source_of(frame)
