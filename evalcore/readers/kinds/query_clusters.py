"""Queries that belong together: what each belongs to, and findings about the column that says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from evalcore.readers.base import column_names as names
from evalcore.readers.base.problems import Finding, ReadProblem, named
from evalcore.readers.base.values import Column, Columns, text_of
from evalcore.readers.pictures.faces import FaceColumns, Side, id_texts
from evalcore.readers.table.findings import LEAST_IDS, without_effect
from evalcore.readers.table.table import Table
from evalcore.retrieval.id_table import coded
from evalcore.wording.numbers import count_text

_UNIT = ("query", "queries")


def query_clusters(table: Table[Any]) -> dict[str, int]:
    """What each query of the table belongs to, as a code by its id; empty where each is on its own.

    A query without a value is on its own. Raises ReadProblem for a query with two.

    >>> from evalcore.readers import DataSet, roles_of
    >>> columns = {"query": [1, 2, 3], "document": ["d", "d", "d"], "grade": [1, 0, 1], "score": [3, 2, 1]}
    >>> data = DataSet.of(pd.DataFrame({**columns, "user": ["ann", None, "ann"]}))
    >>> data.with_roles(data.roles.to_text() + "~~cluster~user").state("query_clusters")
    {'1': 0, '2': 1, '3': 0}
    """
    name = table.roles.get("cluster")
    return {} if name is None else table.once("query clusters", None, lambda: _clusters(table, name))


def _clusters(table: Table[Any], name: str) -> dict[str, int]:
    queries = table.frame[table.roles.query]
    rows = np.flatnonzero(queries.notna().to_numpy(bool))
    ids, of_rows = coded(id_texts(queries.iloc[rows]))
    codes, values = pd.factorize(table.frame[name].iloc[rows])
    known = np.flatnonzero(codes >= 0)
    of_queries = np.full(len(ids), -1)
    of_queries[of_rows[known[::-1]]] = codes[known[::-1]]  # the first row of a query is assigned last, and stays
    if len(differing := known[codes[known] != of_queries[of_rows[known]]]):
        query, other = of_rows[differing[0]], values[codes[differing[0]]]
        raise ReadProblem(
            f"Query {named(ids[query])} belongs to {named(text_of(values[of_queries[query]]))} by column "
            f"{named(name)}, but in {table.lines.at(rows[differing[0]])} to {named(text_of(other))}. Give each query "
            'one value, or choose another column under "Queries belong to".'
        )
    alone = np.flatnonzero(of_queries < 0)
    of_queries[alone] = len(values) + np.arange(len(alone))
    if len(np.unique(of_queries)) == len(ids):
        return {}
    return dict(zip(ids, of_queries.tolist(), strict=True))


def query_cluster_findings(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """About the column that queries belong to or, where none is chosen, about one that could be."""
    if (name := table.roles.get("cluster")) is None:
        yield from _queries_together(table, columns)
    else:
        yield from _about_clusters(table, columns[name])


def _queries_together(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Queries of the same topic, user, session or other id, which are not independent."""
    parts = (value for part, value in table.roles.parts.items() if part not in table.roles.faces)
    used = {name for part in parts for name in (part if isinstance(part, tuple) else (part,))}
    candidates = [one for one in columns if one.name not in used]
    by_name = [one for one in candidates if names.is_query_case(one.name)]
    for column in [*by_name, *(one for one in candidates if one not in by_name and names.has_id_suffix(one.name))]:
        try:
            codes = list(_clusters(table, column.name).values())
        except ReadProblem:
            continue
        sizes = np.unique(codes, return_counts=True)[1]
        cases, queries = len(sizes), len(codes)
        if cases < (2 if column in by_name else LEAST_IDS) or 2 * int(sizes[sizes > 1].sum()) < queries:
            continue
        sentence = (
            f"By column {named(column.name)} the {count_text(queries)} queries are of "
            f"{names.case_words(column.name, cases)}. Intervals and tests treat queries as independent; where queries "
            'that belong together are alike, that makes them too confident. Choose the column under "Queries belong '
            'to" to have them take whole clusters.'
        )
        level = "warning" if column in by_name else "info"
        yield Finding(level, sentence, cases, column.name, code="queries together", role="cluster")
        return


def case_columns(frame: pd.DataFrame, query: str) -> list[str]:
    """Columns that say what queries belong to, with one value per query, some of which repeat over queries.

    >>> frame = pd.DataFrame({"qid": [1, 2, 3], "user": ["ann", "bob", "ann"], "session": ["a", "b", "c"]})
    >>> case_columns(frame, "qid")
    ['user']
    """
    named = [name for name in frame.columns if names.is_query_case(name) or names.has_id_suffix(name)]
    known = names.DOCUMENT | names.RETRIEVAL_SYSTEM
    others = [name for name in named if name != query and names.simple(name) not in known]
    if not others:
        return []
    per_query = frame.groupby(query)[others].agg(["nunique", "first"])
    return [
        name
        for name in others
        if per_query[name]["nunique"].max() == 1 < per_query[name]["first"].nunique() < per_query[name]["first"].count()
    ]


def query_column(frame: pd.DataFrame) -> str | None:
    """The column of ids of queries beside what they belong to, by its name; None where there is none."""
    known = [name for name in frame.columns if names.simple(name) in names.QUERY]
    return next((name for name in sorted(known, key=names.is_query_case) if case_columns(frame, name)), None)


def cases_of_rows(frame: pd.DataFrame, query: str, side: Side, ids: pd.Series) -> dict[str, pd.Series]:
    """The `case_columns` of a table, in each row of rankings with these ids of queries; empty if it names none."""
    match = FaceColumns.by("", frame, side, query, {})
    columns: dict[str, pd.Series] = {}
    for name in case_columns(frame, query) if len(match.rows) else ():
        first = frame.groupby(query)[name].transform("first").iloc[match.rows]
        columns[name] = ids.map(pd.Series(first.array, index=ids.iloc[match.places].to_numpy()))
    return columns


def _about_clusters(table: Table[Any], column: Column) -> Iterator[Finding]:
    """Where a query belongs to two or to none, and where the clusters change nothing or bear no interval."""
    try:
        clusters = query_clusters(table)
    except ReadProblem as problem:
        yield Finding("error", str(problem), 1, column.name, code="two clusters")
        return
    queries = table.frame[table.roles.query]
    count = int(queries.nunique())
    if missing := count - int(queries[~column.missing].nunique()):
        subject = "1 query; it counts" if missing == 1 else f"{count_text(missing)} queries; each of them counts"
        sentence = f"Column {named(column.name)} is empty for {subject} as a cluster of its own."
        yield Finding("info", sentence, missing, column.name, code="no cluster")
    cases = len(set(clusters.values())) if clusters else count
    yield from without_effect(column.name, cases, count, _UNIT)
