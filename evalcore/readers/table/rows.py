"""Rows that can be used: their labels as codes, their numbers and their weights."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
import pandas as pd

from evalcore.classification import ScoredLabels
from evalcore.numeric import Array, Flags, Indices
from evalcore.readers.base import ReadProblem, listed, named, text_of
from evalcore.readers.table.findings import weight_problem
from evalcore.readers.table.table import State, Table, each_counts_alike, numbers_of

__all__ = ["NO_GROUP", "ScoredArrays", "clusters_at", "clusters_of", "codes_of", "group_codes", "in_bands", "ordered"]


@dataclass(frozen=True, eq=False)
class Rows:
    """Complete rows of a table: rows with all values that the state needs."""

    complete: Flags
    weights: Array | None
    clusters: Indices | None  # what each of them belongs to, as codes from 0; None: each is on its own

    @property
    def left_out(self) -> int:
        """Number of rows that are not complete."""
        return int(self.complete.size - np.count_nonzero(self.complete))


def complete_rows(table: Table[Any], *present: np.ndarray) -> tuple[Flags, Array | None, Indices | None]:
    """Which rows have everything, and their weights and clusters. Raises ReadProblem for unusable weights."""
    complete, weights, clusters = np.logical_and.reduce(present), None, clusters_of(table)
    if (name := table.roles.get("weight")) is not None:
        weights = numbers_of(table, name)
        if problem := weight_problem(table, weights):
            raise ReadProblem(problem.sentence)
        complete = complete & ~np.isnan(weights)
        weights = weights[complete]
    if clusters is not None:
        clusters = np.unique(clusters[complete], return_inverse=True)[1].astype(np.intp)
    return complete, weights, clusters


def clusters_of(table: Table[Any]) -> Indices | None:
    """The cluster of each row of the table as a code from 0; None if rows are independent.

    Rows without a cluster belong to themselves, and so do all rows whose weights are no counts, so that what each of
    them adds is what varies.
    """
    if (name := table.roles.get("cluster")) is not None:
        return table.once("clusters", name, lambda: _clusters(table, name))
    if each_counts_alike(table):
        return None
    unloaded = getattr(table, "unloaded", None)
    if unloaded is not None and unloaded.pieces in table.frame:
        return np.unique(table.frame[unloaded.pieces], return_inverse=True)[1].astype(np.intp)
    return np.arange(len(table))


def _clusters(table: Table[Any], name: str) -> Indices | None:
    codes, values = pd.factorize(table.frame[name])
    missing = np.flatnonzero(codes < 0)
    codes = codes.astype(np.intp)
    codes[missing] = len(values) + np.arange(len(missing))
    if len(values) + len(missing) < len(codes):
        return codes
    # A row that counts several times is a cluster of as many.
    return None if each_counts_alike(table) and table.roles.get("weight") is None else np.arange(len(codes))


def clusters_at(table: Table[Any], rows: np.ndarray) -> Indices | None:
    """Return the clusters of some rows of the table, given by number or as flags; None if rows are independent."""
    codes = clusters_of(table)
    return None if codes is None else codes[rows]


def codes_of(column: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """The code of each row's label, -1 where it is missing, and the text of each code."""
    codes, values = pd.factorize(column)
    texts = tuple(text_of(value) for value in values)
    distinct = tuple(dict.fromkeys(texts))
    if len(distinct) == len(texts):
        return codes, texts
    # a column made by hand may hold 1 and "1", which are one label
    indices = np.array([distinct.index(text) for text in texts], dtype=np.int64)
    return np.where(codes >= 0, indices[codes], -1), distinct


def ordered(texts: set[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Labels in natural order: by number if all are numbers or bands of one, else by name.

    >>> ordered(("10", "9")), ordered(("b", "a", "10")), ordered(("18-39", "<18", "40+"))
    (('9', '10'), ('10', 'a', 'b'), ('<18', '18-39', '40+'))
    """
    try:
        return tuple(sorted(texts, key=lambda text: (float(text), text)))
    except ValueError:
        return tuple(in_bands(texts) or sorted(texts))


def in_bands(texts: Iterable[str]) -> list[str] | None:
    """Sort the bands of a number, such as ages, from the lowest; None if a text is no band, or two begin alike."""
    lowest: dict[str, tuple[float, int]] = {}
    for text in texts:
        if not (band := _BAND.fullmatch(text.strip())):
            return None
        below, number = band["below"], float(band["number"].replace(",", "."))
        lowest[text] = (number, -1 if below else 1 if band["above"] else 0)
    return sorted(lowest, key=lambda text: lowest[text]) if len(set(lowest.values())) == len(lowest) > 1 else None


# "<40", "under 40", "40-59", "40 to 59", "[40, 60)", "60+", "≥ 60", "over 60", "60 and older", or a number alone
_BAND = re.compile(
    r"(?:(?P<below><=?|≤|under|below|up to)|(?P<above>>=?|≥|over|above))?\s*[\[(]?\s*(?P<number>\d+(?:[.,]\d+)?)"
    r"(?:\s*(?:-|–|—|to|\.\.|…|,)\s*\d+(?:[.,]\d+)?\s*[\])]?|\s*\+|\s+(?:and|or)\s+(?:older|over|more|above|up))?"
    r"(?:\s*(?:years?|yrs?|y))?",
    re.IGNORECASE,
)


def choose(system: str | None, choices: Iterable[str], part: str) -> str:
    """The requested system, by default the first. Raises ReadProblem if it is not among the choices."""
    names = list(choices)
    if not names:
        raise ReadProblem(f"This data set has no {part}. Choose one of its columns.")
    if system is None:
        return names[0]
    if system not in names:
        raise ReadProblem(f"{named(system)} is not a {part} of this data set. Choose {listed(names)}.")
    return system


def built_once(
    state: str, systems: Callable[[Any], Iterable[str]], part: str
) -> Callable[[Callable[[Any, str], State]], Callable[..., State]]:
    """Decorate a function of a table and one of its systems to build its result once; see `choose` and `Table.once`."""

    def decorate(build: Callable[[Any, str], State]) -> Callable[..., State]:
        @wraps(build)
        def of_system(table: Table[Any], system: str | None = None) -> State:
            name = choose(system, systems(table), part)
            return table.once(state, name, lambda: build(table, name))

        return of_system

    return decorate


NO_GROUP = "(no group)"
"""The name of the rows without a group."""


def group_codes(column: pd.Series) -> tuple[np.ndarray, tuple[str, ...]]:
    """The code of each row's group and the names of the groups; rows without one are the group `NO_GROUP`."""
    codes, names = codes_of(column)
    if not (codes < 0).any():
        return codes, names
    missing = NO_GROUP
    while missing in names:  # a group may really have this name
        missing = f"({missing})"
    return np.where(codes < 0, len(names), codes), (*names, missing)


@dataclass(frozen=True, eq=False)
class ScoredArrays(Rows):
    """Labels (true for the positive class) and scores, as in the file, of the rows that have both, shape (n,)."""

    labels: np.ndarray
    scores: np.ndarray
    group_column: pd.Series | None = None

    @property
    def group_codes(self) -> tuple[np.ndarray, tuple[str, ...]] | None:
        """Group codes and names of the rows (see the function `group_codes`); None without a group column."""
        return None if self.group_column is None else group_codes(self.group_column[self.complete])


def scored_arrays(table: Table[Any], system: str | None = None) -> ScoredArrays:
    """See `DataSet.scored_arrays`."""
    classes = table.roles.positive_of_column
    system = choose(system, classes, "score column")
    actual, positive = table.roles.actual, classes[system]
    codes, texts = codes_of(table.frame[actual])
    if positive is None and len(texts) > 1:
        raise ReadProblem(f"Column {named(actual)} has {len(texts)} labels. Choose which of them is positive.")
    scores = numbers_of(table, system)
    complete, weights, clusters = complete_rows(table, codes >= 0, np.isfinite(scores))
    # if no row has the positive class, all rows are negative
    code = texts.index(text_of(positive)) if text_of(positive) in texts else -2
    group = None if table.roles.group is None else table.frame[table.roles.group]
    return ScoredArrays(complete, weights, clusters, codes[complete] == code, scores[complete], group)


def scored(table: Table[Any], system: str | None = None) -> ScoredLabels:
    """See `DataSet.scored`."""
    return _scored(table, system)[0]


def left_out(table: Table[Any], system: str | None = None) -> int:
    """Number of rows that `scored` leaves out."""
    return _scored(table, system)[1]


@built_once("scored", lambda table: table.roles.positive_of_column, "score column")
def _scored(table: Table[Any], system: str) -> tuple[ScoredLabels, int]:
    rows, higher = scored_arrays(table, system), table.roles.get("higher_is_positive", True)
    beside = {"weights": rows.weights, "clusters": rows.clusters, "higher_is_positive": higher}
    return ScoredLabels.from_arrays(rows.labels, rows.scores, **beside), rows.left_out
