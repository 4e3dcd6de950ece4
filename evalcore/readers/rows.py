"""Rows that can be used: their labels as codes, their numbers and their weights."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from evalcore.numeric import Array
from evalcore.readers.problems import ReadProblem, listed, named
from evalcore.readers.row_findings import weight_problem
from evalcore.readers.table import Table
from evalcore.readers.values import text_of

__all__ = ["codes_of", "ordered"]


@dataclass(frozen=True, eq=False)
class Rows:
    """The complete rows of a table: those that have all they need.

    Parameters
    ----------
    complete : array of bool, shape (rows,)
        Which rows of the table they are.
    weights : Array, shape (n,), or None
        Of the complete rows; None without a weight column.
    """

    complete: npt.NDArray[np.bool_]
    weights: Array | None

    @property
    def left_out(self) -> int:
        """Number of rows that are not complete."""
        return int(self.complete.size - np.count_nonzero(self.complete))


def complete_rows(table: Table[Any], *present: np.ndarray) -> tuple[npt.NDArray[np.bool_], Array | None]:
    """The rows in which everything is present, and their weights. Raises ReadProblem for unusable weights."""
    complete = np.logical_and.reduce(present)
    if (name := table.roles.get("weight")) is None:
        return complete, None
    weights = numbers_of(table, name)
    if problem := weight_problem(table, weights):
        raise ReadProblem(problem.sentence)
    complete = complete & ~np.isnan(weights)
    return complete, weights[complete]


def numbers_of(table: Table[Any], column: str) -> Array:
    """A column as floats, nan where it is missing, shape (rows,)."""
    return table.frame[column].to_numpy(np.float64, na_value=np.nan)


def codes_of(column: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """The code of each row's label, -1 where it is missing, and the text of each code.

    Examples
    --------
    >>> codes_of(pd.Series([1.0, 0.0, None]))
    (array([ 0,  1, -1]), ('1', '0'))
    """
    codes, values = pd.factorize(column)
    texts = tuple(text_of(value) for value in values)
    if len(set(texts)) < len(texts):  # a column made by hand may hold 1 and "1", which are one label
        distinct = tuple(dict.fromkeys(texts))
        places = np.array([distinct.index(text) for text in texts], dtype=np.int64)
        return np.where(codes >= 0, places[codes], -1), distinct
    return codes, texts


def ordered(texts: set[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Labels in natural order: by number if all are numbers, else by name.

    Examples
    --------
    >>> ordered(("10", "9")), ordered(("b", "a", "10"))
    (('9', '10'), ('10', 'a', 'b'))
    """
    try:
        return tuple(sorted(texts, key=lambda text: (float(text), text)))
    except ValueError:
        return tuple(sorted(texts))


def chosen(system: str | None, choices: Iterable[str], part: str) -> str:
    """The requested system, by default the first. Raises ReadProblem if it is not among the choices."""
    names = list(choices)
    if not names:
        raise ReadProblem(f"This data set has no {part}. Choose one of its columns.")
    if system is None:
        return names[0]
    if system not in names:
        raise ReadProblem(f"{named(system)} is not a {part} of this data set. Choose {listed(names)}.")
    return system
