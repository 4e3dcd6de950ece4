"""Tables of judged lists: a row a document of a query, with the scores of systems, its grade, or both."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pandas as pd

from evalcore.readers import names
from evalcore.readers.arrays import chosen
from evalcore.readers.arrow_names import names_of
from evalcore.readers.columns import Column, Columns
from evalcore.readers.problems import ReadProblem, named
from evalcore.readers.table import Table
from evalcore.readers.values import text_of
from evalcore.retrieval import Duplicate, Judgments, Run
from evalcore.retrieval.names import Names, coded

Triples = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Queries, documents (texts) and numbers, one of each per row."""


def recognise_judged(columns: Columns) -> dict[str, object] | None:
    """The roles of a table of judged lists, or None where the names of its columns promise none.

    Parameters
    ----------
    columns : Columns

    Examples
    --------
    >>> frame = pd.DataFrame({"qid": [1, 1], "docno": ["a", "b"], "bm25": [0.9, 0.2], "grade": [1, 0]})
    >>> recognise_judged(Columns(frame))
    {'query': 'qid', 'document': 'docno', 'grade': 'grade', 'score': ('bm25',)}
    """
    query, document = _named(columns, names.QUERY), _named(columns, names.DOCUMENT)
    grade = _named(columns, names.GRADE, numbers=True)
    if query is None or document is None or grade is None:
        return None
    system = _named(columns, names.RETRIEVAL_SYSTEM)
    rank = _named(columns, names.RANK, numbers=True)
    found: dict[str, object] = {"query": query.name, "document": document.name, "grade": grade.name}
    if system is not None:
        found["system"] = system.name
    taken = {c.name for c in (query, document, grade, system, rank) if c is not None}
    free = [c for c in columns if c.name not in taken and c.is_number and c.missing_count < len(c)]
    scores = [c for c in free if names.is_score(c.name)] or free
    if scores:
        found["score"] = tuple(c.name for c in (scores if system is None else scores[:1]))
        if all(map(names.is_lower_better, found["score"])):
            found["higher_is_positive"] = False
    elif rank is not None:
        found["rank"] = rank.name
    else:
        return None
    return found


def systems_of(table: Table) -> tuple[str, ...]:
    """The systems of a table of judged lists: values of the system column, or columns of scores."""
    roles = table.roles
    if roles.system is not None:
        # a row of a judged document that nobody retrieved names no system
        names = table.frame[roles.system]
        return table.once("systems", None, lambda: tuple(text_of(value) for value in names.dropna().unique()))
    return roles.score or ((roles.rank,) if roles.rank is not None else ())


def run_arrays(table: Table, system: str) -> Triples:
    """The columns of `Run.from_arrays`, with a text for each row; names the lines of a document that stands twice."""
    kept, scores = _rows(table, system)
    queries, documents = (
        texts(table.frame[table.roles.query][kept]),
        texts(table.frame[table.roles.document][kept]),
    )
    by = "" if len(systems_of(table)) == 1 else f" by {named(system)}"
    _refuse_repeated(table, queries, documents, np.flatnonzero(kept), f"is retrieved twice{by} for")
    return queries, documents, scores[kept]


def _rows(table: Table, system: str) -> tuple[np.ndarray, np.ndarray]:
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


def judgment_arrays(table: Table) -> Triples:
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


def _graded(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Which rows have a grade, and the grades of all rows."""
    _need(table)
    grades = table.frame[table.roles.grade].to_numpy(np.float64, na_value=np.nan)
    return np.isfinite(grades) & _named_rows(table), grades


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


def run_of(table: Table, system: str | None = None) -> Run:
    """See `DataSet.run`."""
    _need(table)
    system = chosen(system, systems_of(table), "system")
    return table.once("run", system, lambda: _run(table, system))


def judgments_of(table: Table) -> Judgments:
    """See `DataSet.judgments`."""
    return table.once("judgments", None, lambda: _judgments(table))


def _run(table: Table, system: str) -> Run:
    kept, scores = _rows(table, system)
    queries, documents = (_ids(table.frame[name], kept) for name in (table.roles.query, table.roles.document))
    if queries is not None and documents is not None:
        with suppress(Duplicate):  # said below, with the lines of the file
            return Run.from_codes(*coded(queries), documents, scores[kept])
    return Run.from_arrays(*run_arrays(table, system))


def _judgments(table: Table) -> Judgments:
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


def _ids(column: pd.Series, kept: np.ndarray) -> Names | None:
    """The ids of some rows of a column of texts; None where they are anything else, or one is empty."""
    import pyarrow as pa

    if not isinstance(column.dtype, pd.StringDtype) or column.dtype.storage != "pyarrow":
        return None
    column = column if kept.all() else column[kept]
    names = names_of(pa.array(column.array))
    return names if names.lengths.all() else None


def _named(columns: Columns, words: frozenset[str], numbers: bool = False) -> Column | None:
    fitting = (c for c in columns if names.simple(c.name) in words and c.missing_count < len(c))
    return next((c for c in fitting if c.is_number or c.is_bool or not numbers), None)


def _need(table: Table) -> None:
    if table.kind != "run + judgments":
        raise ReadProblem(
            "This data set holds no judged lists. Choose the columns of the query, the document, the grade, and a "
            "score or a rank."
        )


def _named_rows(table: Table) -> np.ndarray:
    roles, frame = table.roles, table.frame
    return frame[roles.query].notna().to_numpy(bool) & frame[roles.document].notna().to_numpy(bool)


def _refuse_repeated(table: Table, queries: np.ndarray, documents: np.ndarray, rows: np.ndarray, does: str) -> None:
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
