"""Which columns of a table make it ranked lists with judgments, by their names or by what played other parts."""

from __future__ import annotations

from typing import Any

from evalcore.readers import column_names as names
from evalcore.readers.columns import Column, Columns
from evalcore.readers.faces import recognised_faces
from evalcore.readers.kinds.kind import Candidates

__all__: list[str] = []

_GRADES = ("_rating", "_grade", "_relevance", "_judgment", "_judgement")


def assigned(candidates: Candidates) -> dict[str, Any]:
    """The truth, where it is a number, becomes the grade, and systems stay systems."""
    grade, query = candidates.one("grade"), candidates.one("query")
    document, rank = candidates.one("document", query), candidates.one("rank")
    score = candidates.fitting("score", grade, query, document, rank)
    return {"query": query, "document": document, "grade": grade, "score": score, "rank": rank}


def recognise(columns: Columns) -> dict[str, Any]:
    """The parts of a table of judged rankings; empty if its column names promise none."""
    query = _id_column(columns, names.QUERY) or _id_column(columns, names.FACES["query_text"])
    document = _id_column(columns, names.DOCUMENT)
    if query is not None and query.distinct < len(query):  # of queries with one row each, it is the id of the row
        document = next((c for c in columns if c.name == "_id" and not c.missing_count), document)
    grade = _named(columns, names.GRADE, numbers=True) or next(
        (c for c in columns if names.simple(c.name).endswith(_GRADES) and c.is_number), None
    )
    if query is None or document is None or grade is None:
        return {}
    system = _named(columns, names.RETRIEVAL_SYSTEM)
    rank = _named(columns, names.RANK, numbers=True)
    one = {"query": query, "document": document, "grade": grade, "system": system, "rank": rank}
    parts: dict[str, Any] = {part: column.name for part, column in one.items() if column is not None}
    parts |= recognised_faces(columns, {*parts.values()})
    if rank is not None and (length := _named(columns, names.LIST_LENGTH, numbers=True)) is not None:
        ends = {"first": names.FIRST_RANK, "last": names.LAST_RANK}
        tied = {end: column.name for end, words in ends.items() if (column := _named(columns, words, numbers=True))}
        return {**parts, "length": length.name, **tied}
    free = [c for c in columns if c.name not in parts.values() and c.is_number and c.missing_count < len(c)]
    scores = [c.name for c in free if names.is_score(c.name)]
    # beside ranks, a number of no such name is a price or an id
    scores = scores or [c.name for c in free if rank is None and not names.is_identifier(c.name)]
    scores = scores if system is None else scores[:1]
    if scores:
        lower = all(map(names.is_lower_better, scores))
        return {**parts, "rank": None, "score": tuple(scores), "higher_is_positive": not lower}
    return {} if rank is None else parts


def _id_column(columns: Columns, words: frozenset[str]) -> Column | None:
    """The column of such a name, by preference one that is called an id: beside it, "query" holds the text."""
    fitting = [c for c in columns if names.simple(c.name) in words and c.missing_count < len(c)]
    return min(fitting, key=lambda column: not names.is_id(column.name), default=None)


def _named(columns: Columns, words: frozenset[str], numbers: bool = False) -> Column | None:
    fitting = (c for c in columns if names.simple(c.name) in words and c.missing_count < len(c))
    return next((c for c in fitting if c.is_number or c.is_bool or not numbers), None)
