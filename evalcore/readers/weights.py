"""What the weights of rows are: counts of rows, or importances, which tell less than as many rows would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from evalcore.numeric import Array
from evalcore.readers.table import Table

__all__ = ["WEIGHTS_ARE", "Weighting", "counted_weights", "effective_rows", "weighting"]

WEIGHTS_ARE = {"counts": "counts of rows", "importance": "importance"}
"""What weights can be, in words."""


@dataclass(frozen=True)
class Weighting:
    """The weights of a table: a key of `WEIGHTS_ARE`, their sum and the effective number of rows (Kish)."""

    are: str
    total: float
    effective: float


def effective_rows(weights: Array) -> float:
    """How many equally weighted rows tell as much as weighted ones: (Σw)² / Σw², by Kish; nan where all are 0.

    References
    ----------
    L. Kish (1965). Survey Sampling. Wiley, section 11.7.

    Examples
    --------
    >>> effective_rows(np.array([1.0, 1.0, 1.0])), effective_rows(np.array([2.0, 1.0, 1.0]))
    (3.0, 2.6666666666666665)
    """
    # The largest weight in common, so that no square is infinite or 0.
    largest = float(weights.max(initial=0))
    if not 0 < largest < np.inf:
        return float("nan")
    shares = weights / largest
    return float(shares.sum() ** 2 / np.square(shares).sum())


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
        return Weighting(table.roles.get("weights_are") or usual, float(weights.sum()), effective_rows(weights))

    return table.once("weighting", None, build)


def counted_weights(table: Table[Any], weights: Array | None) -> Array | None:
    """The weights of some rows of a table as numbers of rows: as they are, or scaled to their effective number.

    Shares, means and areas stay what they are, and every interval and test of them sees as many rows as the weights
    are worth. What was scaled before is not changed.
    """
    kind = weighting(table)
    if weights is None or kind is None or kind.are == "counts" or np.isnan(rows := effective_rows(weights)):
        return weights
    return weights * (rows / weights.sum())
