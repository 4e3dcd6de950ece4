"""Tables joined by the ids of their rows: the truth in one file, predictions in others."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import itemgetter
from pathlib import PurePath

import numpy as np
import pandas as pd

from evalcore.numeric import distinct
from evalcore.readers.base import Column, Columns, Finding, KeysNeeded, ReadProblem, listed, named, text_of
from evalcore.readers.base import column_names as names
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.shapes.matrices import names_systems
from evalcore.readers.steps.step import values_at
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["JoinKey", "join_tables"]

JoinKey = tuple[tuple[str, ...], tuple[str, ...]]
"""The columns of ids in the first table and in another. Without columns, rows are joined in their order."""

Keys = Mapping[str, str | JoinKey] | None
"""For other tables by name, the column of ids that both tables have, or the columns of both."""

# The share of ids that must match for columns to be taken as keys: with names that speak for it, and without.
_ENOUGH, _MOST = 0.5, 0.8
_MOST_PAIRS = 40


def proposed_key(first: DataSet, other: DataSet) -> JoinKey:
    """The columns of ids, by their names and by how many ids match."""
    pairs = product(_candidates(first), _candidates(other))
    tiers = [(tier, a, b) for a, b in pairs if (tier := _tier(a, b)) is not None]
    ranked = sorted(tiers, key=itemgetter(0))[:_MOST_PAIRS]
    shares: dict[tuple[int, str, str], float] = {}
    for tier, a, b in ranked:
        if shares and tier > min(shares)[0]:
            break
        share = _share(*codes_of_ids([a.values], [b.values]))
        if share >= (_ENOUGH if tier != 2 else _MOST):
            shares[tier, a.name, b.name] = share
    if not shares:
        sentence = f"No column of ids in {named(first.name)} matches one in {named(other.name)}. "
        sentence += "Choose the columns to join by."
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
    """Rank how clearly the names of two columns say that they hold ids: 0 is clearest, None is not at all."""
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
    are_numbers = [ids.dtype.kind in "iuf" for ids in (a, b)]
    both = zip((a, b), are_numbers, strict=True)
    columns = [ids if is_number else ids.astype("str").str.strip() for ids, is_number in both]
    if all(are_numbers):
        return [column.astype(np.float64) for column in columns]
    if not any(are_numbers):
        return columns
    numbers = [pd.to_numeric(column, errors="coerce") for column in columns]
    if all((number.isna() == column.isna()).all() for number, column in zip(numbers, columns, strict=True)):
        return [number.astype(np.float64) for number in numbers]
    return [column.map(text_of, na_action="ignore").astype("str") for column in columns]


def _share(codes: np.ndarray, others: np.ndarray) -> float:
    """The share of the ids that both tables hold, of the table with fewer."""
    ids, other_ids = (distinct(part[part >= 0]) for part in (codes, others))
    return len(np.intersect1d(ids, other_ids, assume_unique=True)) / max(min(len(ids), len(other_ids)), 1)


_ALIKE = 0.9  # The share of cells from which a column of two tables is the same in both.
_SYSTEMS = names.LONG_SYSTEM | names.SYSTEM - {"id"}
_OF_PREDICTIONS = re.compile(r"submission|pred|output|result|model", re.IGNORECASE)


def join_tables(tables: Sequence[DataSet], keys: Keys = None, digest: str = "") -> DataSet:
    """Join several tables to the rows of the one that holds the truth (or else of the first).

    Ids that only one table holds are counted in the findings, and their cells are missing. A column that several tables
    fill differently, such as one score per file, is named after its file; those of a joined table keep theirs.

    The keys give, for each other table by name, its column of ids where both tables have it, or the columns of ids of
    the first and of this table. By default they are recognised by name and by how many ids match. The digest is the
    hash of the content, by default of the joined frame. Raises KeysNeeded if no columns of ids are alike, and
    ReadProblem if an id occurs twice in a table that is joined to another, or there is no such column.

    >>> truth = DataSet.of(pd.DataFrame({"id": ["a", "b", "c"], "actual": ["ill", "well", "ill"]}), "truth.csv")
    >>> model = DataSet.of(pd.DataFrame({"case": ["c", "a", "d"], "score": [0.9, 0.8, 0.1]}), "model.csv")
    >>> data = join_tables([truth, model], {"model.csv": (("id",), ("case",))})
    >>> data.kind, data.frame["score"].tolist(), data.name
    ('scores', [0.8, nan, 0.9], 'truth.csv with model.csv')
    """
    first = min(tables, key=lambda table: (not table.joined, *_truth_order(table)))
    others = [table for table in tables if table is not first]
    if twice := [name for name, count in Counter(table.name for table in tables).items() if count > 1]:
        raise ReadProblem(f"Two files are named {named(twice[0])}. Give each its own name.")
    keys = keys or {}
    given: dict[str, JoinKey] = {
        name: ((key,), (key,)) if isinstance(key, str) else (tuple(key[0]), tuple(key[1])) for name, key in keys.items()
    }
    if unknown := [name for name in given if name not in [table.name for table in others]]:
        raise ReadProblem(f"There is no file named {named(unknown[0])} to join to {named(first.name)}.")
    matches = []
    for other in others:
        key = given.get(other.name) or proposed_key(first, other)
        matches += _matches(first, other, _checked(key, first, other))
    columns, findings = _columns(first, matches)
    if clash := {name for stage in first.joined for name, _ in stage} & {other.name for other in others}:
        raise ReadProblem(f"{listed(clash)} is already part of this data set. Give the new file another name.")
    name = first.name + (", " if first.joined else " with ") + ", ".join(other.name for other in others)
    read = (*findings, *(finding for table in tables for finding in table.read_findings))
    joined = DataSet.of(pd.DataFrame(columns), name, digest=digest, lines=first.lines, read_findings=read)
    files = tuple((match.file, match.key) for match in matches if match.is_first)
    stages = (*first.joined, files) if first.joined else (((first.name, ((), ())), *files),)
    origins = [(table.name, table.lines.origin) for table in tables if not table.joined and table.lines.origin]
    given_to = [(name, *item) for name, origin in origins for item in origin.arguments().items()]
    options = [item for item in given_to if item[2] is not None]
    return replace(joined, joined=stages, joined_with=(*first.joined_with, *options))


@dataclass(frozen=True, eq=False)
class _Match:
    """The rows of another table that match the rows of the first."""

    first: DataSet
    other: DataSet
    key: JoinKey
    index: np.ndarray  # of the row of the other table, -1 where there is none; shape (rows of the first,)
    file: str  # the file of the other table, of which it may be a part
    is_first: bool = True  # whether no other part of that file stands before

    def column(self, name: str) -> pd.Series:
        """A column of the other table, in the rows of the first."""
        return values_at(self.other.frame[name], self.index)


def _truth_order(table: DataSet) -> tuple[int, bool]:
    """Rank how surely a table holds the truth (lower is surer), by the names of solution and submission."""
    truths = [Column(name, table.frame[name]) for name in table.frame.columns if names.is_actual(name)]
    holds_labels = any(column.is_few and not column.is_quantity for column in truths)
    order = 0 if holds_labels or table.kind not in ("unknown", "estimates") else 1 if truths else 2
    return order, _OF_PREDICTIONS.search(table.name) is not None


def _checked(key: JoinKey, first: DataSet, other: DataSet) -> JoinKey:
    for table, columns in zip((first, other), key, strict=True):
        for column in columns:
            if column not in table.frame.columns:
                raise ReadProblem(f"{named(table.name)} has no column {named(column)}. Choose one of its columns.")
    if len(key[0]) != len(key[1]) or (not key[0] and len(first) != len(other)):
        sentence = f"{named(other.name)} has {rows_text(len(other))} and {named(first.name)} {rows_text(len(first))}, "
        raise ReadProblem(f"{sentence}so they cannot be joined in their order. Choose the columns of ids.")
    return key


def _matches(first: DataSet, other: DataSet, key: JoinKey) -> Iterator[_Match]:
    """Match the rows of a table, for each of its systems if it lists one after the other."""
    if not key[0]:
        yield _Match(first, other, key, np.arange(len(first)), other.name)
        return
    for number, part in enumerate(_parts(other, list(key[1]))):
        codes, others = codes_of_ids([first.frame[name] for name in key[0]], [part.frame[name] for name in key[1]])
        rows = np.full(max(codes.max(initial=-1), others.max(initial=-1)) + 2, -1)
        present = np.flatnonzero(others >= 0)
        rows[others[present]] = present
        yield _Match(first, part, key, np.where(codes >= 0, rows[codes], -1), other.name, number == 0)


def _parts(other: DataSet, key: list[str]) -> list[DataSet]:
    """The table, or the rows of each of its systems where only ids and systems together are unique."""
    again = (other.frame.duplicated(key) & other.frame[key].notna().all(axis=1)).to_numpy()
    if not again.any():
        return [other]
    for column in Columns(other.frame):
        name = column.name
        if names_systems(column, _SYSTEMS) and not other.frame.duplicated([*key, name]).any():
            groups = other.frame.groupby(name, sort=False)
            parts = ((text_of(value), rows.drop(columns=name).reset_index(drop=True)) for value, rows in groups)
            return [DataSet.of(rows, value, lines=other.lines) for value, rows in parts]
    second = int(again.argmax())
    first = int((other.frame[key] == other.frame[key].iloc[second]).all(axis=1).to_numpy().argmax())
    value = " and ".join(named(text_of(other.frame[name].iloc[second])) for name in key)
    sentence = f"{value} occurs twice in column {listed(key)} of {named(other.name)}, in {other.lines.at(first)} and "
    sentence += f"{other.lines.at(second)}. Keep one row per id, or choose another column of ids."
    raise ReadProblem(sentence)


def _columns(first: DataSet, matches: list[_Match]) -> tuple[dict[str, pd.Series], list[Finding]]:
    """Columns of the joined table, and findings about the ids and about columns that differ."""
    findings = [finding for match in matches for finding in _ids_findings(match)]
    shared: set[str] = set()
    for match in matches:
        in_both = match.other.frame.columns.intersection(first.frame.columns)
        for name in in_both.drop(list(match.key[1]), errors="ignore"):
            differing = _differing(first.frame[name], match.column(name), match.index >= 0)
            is_output = names.is_score(name) or names.is_predicted(name)
            # named like the truth but the only output of its file, as in a submission beside its solution
            is_output |= names.is_actual(name) and {*match.other.frame.columns} == {name, *match.key[1]}
            if not is_output and (names.is_actual(name) or differing.mean() <= 1 - _ALIKE):
                shared.add(name)
                if differing.any():
                    sentence = f"Column {named(name)} of {named(match.other.name)} differs from that of "
                    sentence += f"{named(first.name)} in {first.lines.among(differing)}; the latter is used."
                    findings.append(Finding("warning", sentence, int(differing.sum()), name, code="differing values"))
    tables = [(first, shared), *((match.other, shared | set(match.key[1])) for match in matches)]
    count = Counter(name for table, taken in tables for name in table.frame.columns if name not in taken)
    columns: dict[str, pd.Series] = {}
    for (table, taken), match in zip(tables, [None, *matches], strict=True):
        for name in table.frame.columns:
            if match is not None and name in taken:
                continue
            keeps = count[name] < 2 or (match is None and (bool(first.joined) or names.is_actual(name)))
            file = PurePath(table.name).stem if "." in table.name else table.name
            title = names.free_name(name if keeps else f"{name} {file}", columns)
            columns[title] = table.frame[name] if match is None else match.column(name)
    return columns, findings


def _differing(values: pd.Series, others: pd.Series, compared: np.ndarray) -> np.ndarray:
    both = compared & values.notna().to_numpy() & others.notna().to_numpy()
    differing = np.zeros(len(values), bool)
    differing[both] = values[both].map(text_of).to_numpy() != others[both].map(text_of).to_numpy()
    return differing


def _ids_findings(match: _Match) -> Iterator[Finding]:
    """Count the ids that match, and those that are in one table only."""
    first, other, (key, other_key) = match.first, match.other, match.key
    if not key:
        sentence = f"{named(other.name)} is joined to {named(first.name)} in the order of the rows; nothing confirms "
        yield Finding("warning", sentence + "that they belong together.", len(first), code="row order")
        return
    by = listed(key) if key == other_key else f"{listed(key)} and {listed(other_key)}"
    alone, lost = match.index < 0, ~np.isin(np.arange(len(other)), match.index)
    sentence = f"{named(other.name)} is joined by {by}: {count_text(int((~alone).sum()))} of {rows_text(len(first))} "
    sentence += f"of {named(first.name)} have a match."
    if alone.any():
        sentence += f" The first without one is {_row(first, key, alone)}."
    if lost.any():
        many = f"{rows_text(int(lost.sum()))} of {named(other.name)} "
        sentence += f" {many}{'matches' if lost.sum() == 1 else 'match'} nothing and "
        sentence += f"{'is' if lost.sum() == 1 else 'are'} left out, first {_row(other, other_key, lost)}."
    level = "warning" if alone.any() or lost.any() else "info"
    yield Finding(level, sentence, int(alone.sum()) or int(lost.sum()) or len(first), key[0], code="joined")


def _row(table: DataSet, key: Sequence[str], rows: np.ndarray) -> str:
    index = int(rows.argmax())
    return f"{' and '.join(named(text_of(table.frame[name].iloc[index])) for name in key)} in {table.lines.at(index)}"
