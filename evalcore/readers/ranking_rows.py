"""Rows of ranked lists: the columns of a run and of judgments, without a text for each row where that can be."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from evalcore.readers.arrow_ids import names_of
from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.table import Table
from evalcore.readers.values import text_of
from evalcore.retrieval import Duplicate, Judgments, Run
from evalcore.retrieval.names import Names, coded

Triples = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Queries, documents (texts) and numbers, one of each per row."""


def run_of(table: Table[Any], system: str) -> Run:
    """What one system retrieved."""
    kept, scores = _rows(table, system)
    queries, documents = (_ids(table.frame[name], kept) for name in (table.roles.query, table.roles.document))
    if queries is not None and documents is not None:
        with suppress(Duplicate):  # said below, with the lines of the file
            return Run.from_codes(*coded(queries), documents, scores[kept])
    return Run.from_arrays(*run_arrays(table, system))


def judgments_of(table: Table[Any]) -> Judgments:
    """What was judged."""
    kept, grades = _graded(table)
    queries, documents = (_ids(table.frame[name], kept) for name in (table.roles.query, table.roles.document))
    if queries is not None and documents is not None:
        names, codes = coded(queries)
        again = pd.DataFrame(
            {"q": codes, "d": pd.factorize(table.frame[table.roles.document][kept])[0], "g": grades[kept]}
        )
        once = np.flatnonzero(~again.duplicated().to_numpy(bool))
        with suppress(Duplicate):
            return Judgments.from_codes(names, codes[once], documents.take(once), grades[kept][once])
    return Judgments.from_arrays(*judgment_arrays(table))


def run_arrays(table: Table[Any], system: str) -> Triples:
    """The columns of `Run.from_arrays`, with a text for each row; names the lines of a document that stands twice."""
    kept, scores = _rows(table, system)
    queries, documents = (
        texts(table.frame[table.roles.query][kept]),
        texts(table.frame[table.roles.document][kept]),
    )
    by = "" if table.roles.system is None and len(table.roles.score) < 2 else f" by {named(system)}"
    _refuse_repeated(table, queries, documents, np.flatnonzero(kept), f"is retrieved twice{by} for")
    return queries, documents, scores[kept]


def judgment_arrays(table: Table[Any]) -> Triples:
    """The columns of `Judgments.from_arrays`; a grade that several systems repeat counts once."""
    roles, frame = table.roles, table.frame
    kept, grades = _graded(table)
    rows = np.flatnonzero(kept)
    triples = pd.DataFrame(
        {"q": texts(frame[roles.query][kept]), "d": texts(frame[roles.document][kept]), "g": grades[kept]}
    )
    # Every system repeats the grade of a document that it retrieved.
    once = ~triples.duplicated().to_numpy(bool)
    triples, rows = triples[once], rows[once]
    queries, documents = triples["q"].to_numpy(dtype=object), triples["d"].to_numpy(dtype=object)
    _refuse_repeated(table, queries, documents, rows, "has two grades for")
    return queries, documents, triples["g"].to_numpy()


def texts(column: pd.Series) -> np.ndarray:
    """The ids of a column as texts, shape (rows,): whole numbers without a point, whatever they were read as.

    Examples
    --------
    >>> texts(pd.Series([7.0, 12.0])).tolist(), texts(pd.Series(["07"])).tolist()
    (['7', '12'], ['07'])
    """
    if isinstance(column.dtype, pd.StringDtype) and not column.hasnans:
        return column.to_numpy(dtype=object)
    codes, values = pd.factorize(column)
    return np.array([text_of(value) for value in values], dtype=object)[codes]


def _rows(table: Table[Any], system: str) -> tuple[np.ndarray, np.ndarray]:
    """Which rows a system retrieved, and the scores of all rows."""
    roles, frame = table.roles, table.frame
    column = roles.score[0] if roles.score else roles.rank
    if roles.score and roles.system is None:
        column = system
    scores = frame[column].to_numpy(np.float64, na_value=np.nan)
    if not roles.score or not roles.higher_is_positive:
        scores = -scores
    kept = ~np.isnan(scores) & _named_rows(table)
    if roles.system is not None:
        codes, values = pd.factorize(frame[roles.system])
        # A missing one has the code -1, which is the last place.
        kept &= np.array([*(text_of(value) == system for value in values), False])[codes]
    return kept, scores


def _graded(table: Table[Any]) -> tuple[np.ndarray, np.ndarray]:
    """Which rows have a grade, and the grades of all rows."""
    grades = table.frame[table.roles.grade].to_numpy(np.float64, na_value=np.nan)
    return np.isfinite(grades) & _named_rows(table), grades


def _named_rows(table: Table[Any]) -> np.ndarray:
    roles, frame = table.roles, table.frame
    return frame[roles.query].notna().to_numpy(bool) & frame[roles.document].notna().to_numpy(bool)


def _ids(column: pd.Series, kept: np.ndarray) -> Names | None:
    """The ids of some rows of a column of texts; None where they are anything else, or one is empty."""
    import pyarrow as pa

    if not isinstance(column.dtype, pd.StringDtype) or column.dtype.storage != "pyarrow":
        return None
    column = column if kept.all() else column[kept]
    names = names_of(pa.array(column.array))
    return names if names.lengths.all() else None


def _refuse_repeated(
    table: Table[Any], queries: np.ndarray, documents: np.ndarray, rows: np.ndarray, does: str
) -> None:
    pairs = pd.DataFrame({"q": queries, "d": documents})
    again = np.flatnonzero(pairs.duplicated().to_numpy(bool))
    if len(again):
        query, document = queries[again[0]], documents[again[0]]
        first = np.flatnonzero((queries == query) & (documents == document))[0]
        at = table.lines.at
        raise ReadProblem(
            f"Document {named(document)} {does} query {named(query)}: {at(rows[first])} and {at(rows[again[0]])} of "
            f"{named(table.name)}. Keep one of them."
        )
