"""Rows with a true label and a score: one class against the rest, row by row or sorted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evalcore.classification import ScoredLabels
from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.rows import Rows, chosen, codes_of, complete_rows, numbers_of
from evalcore.readers.table import Table
from evalcore.readers.values import text_of

__all__ = ["ScoredArrays"]

NO_GROUP = "(no group)"
"""The name of the rows without a group."""


@dataclass(frozen=True, eq=False)
class ScoredArrays(Rows):
    """Labels and scores of the rows that have both.

    Parameters
    ----------
    labels : array of bool, shape (n,)
        True for the positive class.
    scores : Array, shape (n,)
        As in the file, whatever their direction.
    group_column : pandas.Series, optional
        The groups of the whole table; coded only when they are used.
    """

    labels: np.ndarray
    scores: np.ndarray
    group_column: pd.Series | None = None

    @property
    def groups(self) -> np.ndarray | None:
        """The group of each row, shape (n,); None without a group column."""
        coded = self.group_codes
        return None if coded is None else np.array(coded[1], dtype=object)[coded[0]]

    @property
    def group_codes(self) -> tuple[np.ndarray, tuple[str, ...]] | None:
        """The code of each row's group and the names of the groups; None without a group column.

        Rows without a group are a group of their own, `NO_GROUP`.
        """
        if self.group_column is None:
            return None
        codes, names = codes_of(self.group_column[self.complete])
        if not (codes < 0).any():
            return codes, names
        missing = NO_GROUP
        while missing in names:  # a group may really have this name
            missing = f"({missing})"
        return np.where(codes < 0, len(names), codes), (*names, missing)


def scored_arrays(table: Table[Any], system: str | None = None) -> ScoredArrays:
    """See `DataSet.scored_arrays`."""
    classes = table.roles.positive_of_column
    system = chosen(system, classes, "score column")
    actual, positive = table.roles.actual, classes[system]
    codes, texts = codes_of(table.frame[actual])
    if positive is None and len(texts) > 1:
        raise ReadProblem(f"Column {named(actual)} has {len(texts)} labels. Choose which of them is positive.")
    scores = numbers_of(table, system)
    complete, weights = complete_rows(table, codes >= 0, np.isfinite(scores))
    # if no row has the positive class, all rows are negative
    code = texts.index(text_of(positive)) if text_of(positive) in texts else -2
    group = None if table.roles.group is None else table.frame[table.roles.group]
    return ScoredArrays(complete, weights, codes[complete] == code, scores[complete], group)


def scored(table: Table[Any], system: str | None = None) -> ScoredLabels:
    """See `DataSet.scored`."""
    return _state(table, system)[0]


def left_out(table: Table[Any], system: str | None = None) -> int:
    """Number of rows that `scored` leaves out."""
    return _state(table, system)[1]


def _state(table: Table[Any], system: str | None) -> tuple[ScoredLabels, int]:
    system = chosen(system, table.roles.positive_of_column, "score column")
    higher = table.roles.get("higher_is_positive", True)

    def build() -> tuple[ScoredLabels, int]:
        rows = scored_arrays(table, system)
        state = ScoredLabels.from_arrays(rows.labels, rows.scores, weights=rows.weights, higher_is_positive=higher)
        return state, rows.left_out

    return table.once("scored", system, build)
