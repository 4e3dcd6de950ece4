"""What the weights of rows are: counts of rows, or importances, which tell less than as many rows would."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evalcore.classification.labels import can_be_multiplied, total_weight
from evalcore.numeric import Array, effective_rows
from evalcore.readers.table import Table

__all__ = ["WEIGHTS_ARE", "Weighting", "counted_rows", "each_counts_alike", "line_counts", "weighting", "worth_of"]

WEIGHTS_ARE = {"counts": "counts of rows", "importance": "importance"}
"""What weights can be, in words."""


@dataclass(frozen=True)
class Weighting:
    """The weights of a table: a key of `WEIGHTS_ARE`, their sum and effective number of rows (Kish)."""

    are: str
    total: float
    effective: float
    ones: bool = field(default=False, repr=False)  # whether each of them is 1


def weighting(table: Table[Any]) -> Weighting | None:
    """The weights of a table and what they are: as chosen, else counts where all are whole numbers.

    >>> import pandas as pd
    >>> from evalcore.readers import DataSet
    >>> frame = pd.DataFrame({"actual": [1, 0], "score": [0.9, 0.2], "weight": [1.5, 1.5]})
    >>> weighting(DataSet.of(frame).with_roles("actual~actual~~score~score~~weight~weight~~positive~1"))
    Weighting(are='importance', total=3.0, effective=2.0)
    """
    if (name := table.roles.get("weight")) is None:
        return None

    def build() -> Weighting:
        weights = table.frame[name].to_numpy(np.float64, na_value=np.nan)
        weights = weights[np.isfinite(weights) & (weights >= 0)]
        usual = "counts" if (weights == np.rint(weights)).all() else "importance"
        are, ones = table.roles.get("weights_are") or usual, bool((weights == 1).all())
        return Weighting(are, total_weight(weights), effective_rows(weights), ones)

    return table.once("weighting", None, build)


def worth_of(table: Table[Any], weights: Array | None) -> float:
    """Effective rows per unit of the weights of some rows of a table: 1 without weights, or where they count rows."""
    kind = weighting(table)
    if weights is None or kind is None or kind.are == "counts" or np.isnan(rows := effective_rows(weights)):
        return 1.0
    return rows / float(weights.sum())


def counted_rows(table: Table[Any], *rows: np.ndarray) -> int:
    """The rows of a table for which all masks are true; where weights count rows, their sum.

    A line without a weight that can be used is one row.
    """
    chosen, counts = np.logical_and.reduce((np.ones(len(table), dtype=bool), *rows)), line_counts(table)
    return int(np.count_nonzero(chosen)) if counts is None else round(float(counts[chosen].sum()))


def line_counts(table: Table[Any]) -> Array | None:
    """How many rows each line of a table stands for, shape (lines,); None where it is one each."""
    kind = weighting(table)
    if kind is None or kind.are != "counts":
        return None
    weights = table.frame[table.roles.get("weight")].to_numpy(np.float64, na_value=np.nan)
    usable = np.isfinite(weights) & (weights >= 0) & can_be_multiplied(kind.total)
    return np.where(usable, weights, 1.0)


def complete_in(table: Table[Any], *columns: str | None) -> np.ndarray:
    """Whether each row has a label, or a finite number, in all these columns and in that of weights."""
    names = {name for name in (*columns, table.roles.get("weight")) if name in table.frame}
    known = [np.ones(len(table), dtype=bool)]
    for column in (table.frame[name] for name in names):
        is_number = column.dtype.kind in "iuf"
        known.append(
            np.isfinite(column.to_numpy(np.float64, na_value=np.nan)) if is_number else column.notna().to_numpy(bool)
        )
    return np.logical_and.reduce(known)


def each_counts_alike(table: Table[Any]) -> bool:
    """Whether a row stands for as many rows as its weight: without weights, with counts, or with weights of 1."""
    kind = weighting(table)
    return kind is None or kind.are == "counts" or kind.ones
