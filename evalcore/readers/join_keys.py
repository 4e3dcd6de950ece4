"""Columns of ids that two tables share, by their names and by how many ids match."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from evalcore.readers import column_names as names
from evalcore.readers.columns import Column, Columns
from evalcore.readers.datasets import DataSet
from evalcore.readers.problems import KeysNeeded, named
from evalcore.readers.values import text_of

__all__ = ["JoinKey"]

JoinKey = tuple[tuple[str, ...], tuple[str, ...]]
"""The columns of ids in the first table and in another. Without columns, rows are joined in their order."""

# The share of ids that must match for columns to be taken as keys: with names that speak for it, and without.
_ENOUGH, _MOST = 0.5, 0.8
_MOST_PAIRS = 40


def proposed_key(first: DataSet, other: DataSet) -> JoinKey:
    """The columns of ids, by their names and by how many ids match."""
    pairs = [(a, b) for a, b in product(_candidates(first), _candidates(other)) if _tier(a, b) is not None]
    pairs = sorted(pairs, key=lambda pair: _tier(*pair) or 0)[:_MOST_PAIRS]
    shares: dict[tuple[int, str, str], float] = {}
    for a, b in pairs:
        tier = _tier(a, b) or 0
        if shares and tier > min(shares)[0]:
            break
        share = _share(*codes_of_ids([a.values], [b.values]))
        if share >= (_ENOUGH if tier != 2 else _MOST):
            shares[tier, a.name, b.name] = share
    if not shares:
        sentence = f"No column of ids in {named(first.name)} matches one in {named(other.name)}. Choose the columns to "
        sentence += "join by."
        raise KeysNeeded(sentence, {table.name: list(table.frame.columns) for table in (first, other)})
    best = max(shares, key=lambda key: (not other.frame[key[2]].duplicated().any(), shares[key]))
    key = (best[1],), (best[2],)
    if other.frame[best[2]].duplicated().any():
        for name in first.frame.columns.intersection(other.frame.columns).drop(list(key[1]), errors="ignore"):
            if not other.frame.duplicated([*key[1], name]).any():
                return (*key[0], name), (*key[1], name)  # as patient and visit
    return key


def _candidates(table: DataSet) -> list[Column]:
    """Columns that may hold ids: texts and whole numbers that are no labels or scores by name."""
    columns = (column for column in Columns(table.frame) if not column.is_bool and column.missing_count < len(column))
    others = (names.is_actual, names.is_predicted, names.is_score)
    return [c for c in columns if (not c.is_number or c.is_whole) and not any(is_(c.name) for is_ in others)]


def _tier(a: Column, b: Column) -> int | None:
    """How much the names of two columns speak for ids: 0 is most, None is nothing."""
    if a.is_number != b.is_number and not (_is_id(a) and _is_id(b)):
        return None
    same = names.simple(a.name) == names.simple(b.name)
    if a.is_number and a.numbers_rows and b.is_number and b.numbers_rows:
        return 3 if same and _is_id(a) else None
    if _is_id(a) and _is_id(b):
        return 0 if same else 1
    return None if a.is_number or min(a.distinct / len(a), b.distinct / len(b)) <= _ENOUGH else 2


def _is_id(column: Column) -> bool:
    return names.is_identifier(column.name) or names.simple(column.name) in names.QUERY | names.DOCUMENT


def codes_of_ids(first: list[pd.Series], other: list[pd.Series]) -> tuple[np.ndarray, np.ndarray]:
    """The ids of two tables as numbers, equal where all columns are; -1 where one is missing."""
    codes = np.zeros(len(first[0]) + len(other[0]), np.int64)
    for a, b in zip(first, other, strict=True):
        own = pd.factorize(pd.concat(_comparable(a, b), ignore_index=True))[0]
        missing = (own < 0) | (codes < 0)
        codes = pd.factorize(codes * (own.max(initial=0) + 1) + own)[0]
        codes[missing] = -1
    return codes[: len(first[0])], codes[len(first[0]) :]


def _comparable(a: pd.Series, b: pd.Series) -> list[pd.Series]:
    """Two columns of ids as numbers where both hold them, even written as "007", and else as texts."""
    columns = [column if column.dtype.kind in "iuf" else column.astype("str").str.strip() for column in (a, b)]
    if {column.dtype.kind in "iuf" for column in columns} == {True}:
        return [column.astype(np.float64) for column in columns]
    if {column.dtype.kind in "iuf" for column in columns} == {False}:
        return columns
    numbers = [pd.to_numeric(column, errors="coerce") for column in columns]
    if all((number.isna() == column.isna()).all() for number, column in zip(numbers, columns, strict=True)):
        return [number.astype(np.float64) for number in numbers]
    return [column.map(text_of, na_action="ignore").astype("str") for column in columns]


def _share(codes: np.ndarray, others: np.ndarray) -> float:
    """The share of the ids that both tables hold, of the table with fewer."""
    ids, other_ids = (np.unique(part[part >= 0]) for part in (codes, others))
    return len(np.intersect1d(ids, other_ids, assume_unique=True)) / max(min(len(ids), len(other_ids)), 1)
