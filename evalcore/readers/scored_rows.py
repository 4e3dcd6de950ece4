"""Rows with a true label and a score: one class against the rest, row by row or sorted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from evalcore.classification import ScoredLabels
from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.rows import Rows, codes_of, kept_rows, numbers_of
from evalcore.readers.table import Table
from evalcore.readers.values import Value, text_of

__all__ = ["ScoredArrays"]

NO_GROUP = "(no group)"
"""The name of the rows without a group."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoredArrays(Rows):
    """Labels and scores of the rows that have both.

    Parameters
    ----------
    labels : array of bool, shape (kept rows,)
        True for the positive class.
    scores : Array, shape (kept rows,)
        As in the file, whatever their direction.
    group_column : pandas.Series, optional
        The groups of the whole table; coded only when they are used.
    """

    labels: np.ndarray
    scores: np.ndarray
    group_column: pd.Series | None = None

    @property
    def groups(self) -> np.ndarray | None:
        """The group of each kept row, shape (kept rows,); None without a group column."""
        coded = self.group_codes
        return None if coded is None else np.array(coded[1], dtype=object)[coded[0]]

    @property
    def group_codes(self) -> tuple[np.ndarray, tuple[str, ...]] | None:
        """The code of each kept row's group and the names of the groups; None without a group column.

        Rows without a group are a group of their own, `NO_GROUP`.
        """
        if self.group_column is None:
            return None
        codes, names = codes_of(self.group_column[self.kept])
        if not (codes < 0).any():
            return codes, names
        missing = NO_GROUP
        while missing in names:  # a group may really have this name
            missing = f"({missing})"
        return np.where(codes < 0, len(names), codes), (*names, missing)


def arrays_of_column(table: Table[Any], column: str, positive: Value | None) -> ScoredArrays:
    """Labels and scores with a column as the scores, and a label as the positive class."""
    actual = table.roles.actual
    codes, texts = codes_of(table.frame[actual])
    if positive is None and len(texts) > 1:
        raise ReadProblem(f"Column {named(actual)} has {len(texts)} labels. Choose which of them is positive.")
    scores = numbers_of(table, column)
    kept = kept_rows(table, codes >= 0, np.isfinite(scores))
    # if no row has the positive class, all rows are negative
    code = texts.index(text_of(positive)) if text_of(positive) in texts else -2
    group = None if table.roles.group is None else table.frame[table.roles.group]
    rows = kept["kept"]
    return ScoredArrays(labels=codes[rows] == code, scores=scores[rows], group_column=group, **kept)


def sorted_once(
    table: Table[Any], column: str, positive: Value | None, higher_is_positive: bool = True
) -> tuple[ScoredLabels, int]:
    """The sorted state of `arrays_of_column`, and the number of rows it leaves out."""

    def build() -> tuple[ScoredLabels, int]:
        rows = arrays_of_column(table, column, positive)
        state = ScoredLabels.from_arrays(
            rows.labels, rows.scores, weights=rows.weights, higher_is_positive=higher_is_positive
        )
        return state, rows.left_out

    return table.once("scored", column, build)
