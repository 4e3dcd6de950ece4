"""The rows of a table of ranked lists: those of one system, their ids, and lists known by their judged documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from evalcore.numeric import Array
from evalcore.readers.faces import id_texts
from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.rows import numbers_of
from evalcore.readers.table import Table
from evalcore.readers.values import text_of
from evalcore.retrieval import Duplicate, Hits, Judgments, Run
from evalcore.retrieval.id_table import IdTable, Places, coded
from evalcore.retrieval.joining import joined
from evalcore.wording.numbers import count_text

__all__: list[str] = []

NO_LISTS = (
    "The lists of this data set were summed up: it holds the ranks of judged documents and the length of each list. "
    "Open the runs themselves to see every document."
)


def of_system(table: Table[Any], system: str) -> np.ndarray:
    """Which rows are of a system, shape (rows,)."""
    if table.roles.system is None:
        return np.ones(len(table.frame), dtype=bool)
    codes, values = pd.factorize(table.frame[table.roles.system])
    # A missing one has the code -1, which is the last place.
    return np.array([*(text_of(value) == system for value in values), False])[codes]


def ids_of_rows(table: Table[Any], usable: np.ndarray) -> tuple[np.ndarray, IdTable, IdTable]:
    """The rows among some that have a query and a document, and these ids."""
    columns = [table.frame[name] for name in (table.roles.query, table.roles.document)]
    rows = np.flatnonzero(usable & columns[0].notna().to_numpy(bool) & columns[1].notna().to_numpy(bool))
    queries, documents = (id_texts(column if len(rows) == len(column) else column.iloc[rows]) for column in columns)
    for column, ids in zip(columns, (queries, documents), strict=True):
        if len(rows) and not ids.lengths.all():
            line = table.lines.at(rows[np.argmin(ids.lengths)])
            raise ReadProblem(f"Column {named(column.name)} holds an empty text in {line}. Fill in the id.")
    return rows, queries, documents


def run_of_rows(table: Table[Any], system: str, scores: Array, by: str = "") -> tuple[np.ndarray, Run]:
    """The rows of a system that have a score, and the run that they make; `by` names the system in a problem."""
    rows, queries, documents = ids_of_rows(table, ~np.isnan(scores) & of_system(table, system))
    try:
        return rows, Run.from_codes(*coded(queries), documents, scores[rows])
    except Duplicate as twice:
        raise twice_in(table, twice, rows, f"is retrieved twice{by} for") from twice


def twice_in(table: Table[Any], problem: Duplicate, rows: np.ndarray, does: str) -> ReadProblem:
    """The problem that a document stands twice for a query."""
    lines = " and ".join(table.lines.at(row) for row in rows[list(problem.rows)])
    return ReadProblem(
        f"Document {named(problem.document)} {does} query {named(problem.query)}: {lines} of {named(table.name)}. "
        "Keep one of them."
    )


def summed_lists(table: Table[Any], system: str) -> dict[str, int]:
    """The length of each list of a system whose lists are known by their judged documents.

    Raises ReadProblem if a list has two lengths, or one that is no whole number.
    """
    roles = table.roles
    queries = table.frame[roles.query]
    lengths = numbers_of(table, roles.length)
    rows = np.flatnonzero(of_system(table, system) & np.isfinite(lengths) & queries.notna().to_numpy(bool))
    names, codes = coded(id_texts(queries.iloc[rows]))
    lengths = lengths[rows]
    longest = np.zeros(len(names))
    np.maximum.at(longest, codes, lengths)
    wrong = (lengths < 0) | (lengths % 1 != 0) | (lengths != longest[codes])
    if wrong.any():
        at = int(wrong.argmax())
        raise ReadProblem(
            f"Column {named(roles.length)} gives the list of query {named(names[codes[at]])} the length "
            f"{lengths[at]:g} in {table.lines.at(rows[at])}. Give each list of a system one whole number."
        )
    return {name: int(length) for name, length in zip(names, longest.tolist(), strict=True) if length}


def summed_hits(table: Table[Any], system: str, judgments: Judgments) -> tuple[Hits, Places]:
    """The judged documents of such lists and the place of each among the judgments, as `Hits.with_places` has them.

    Raises ReadProblem if a rank is no place in its list.
    """
    roles, lists = table.roles, summed_lists(table, system)
    ranks = numbers_of(table, roles.rank)
    rows, run = run_of_rows(table, system, -ranks)
    ranks = ranks[rows]
    lengths = np.array([lists.get(query, 0) for query in run.queries])[run.codes] if len(rows) else ranks
    if (wrong := (ranks < 1) | (ranks % 1 != 0) | (ranks > lengths)).any():
        at = int(wrong.argmax())
        raise ReadProblem(
            f"Column {named(roles.rank)} holds the rank {ranks[at]:g} in {table.lines.at(rows[at])}, in a list of "
            f"{count_text(lengths[at])} documents. Ranks count from 1 to the length of the list."
        )
    positions, judged = joined(judgments, run)
    at = positions if run.order is None else run.order[positions]
    query, rank = judgments.codes[judged].astype(np.int64), ranks[at].astype(np.int64)
    order = np.lexsort((rank, query))
    at, judged, rank = at[order], judged[order], rank[order]
    ends = [rank if (name := roles.get(end)) is None else numbers_of(table, name)[rows][at] for end in _ENDS]
    first, last = (np.where(np.isnan(end), rank, end).astype(np.int64) for end in ends)
    retrieved = np.zeros(len(judgments.queries), dtype=np.int64)
    listed = judgments.indices(list(lists))
    retrieved[listed[listed >= 0]] = np.array(list(lists.values()), dtype=np.int64)[listed >= 0]
    grade = judgments.grades[judged]
    return Hits(query[order], rank, grade, retrieved, judgments.pool, first=first, last=last), judged


_ENDS = ("first", "last")
