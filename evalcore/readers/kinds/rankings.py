"""Ranked lists with their judgments: one row per query and document, with scores of systems, a grade, or both."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from evalcore.numeric import Array, distinct
from evalcore.readers.base import Column, Columns, Finding, ReadProblem, listed, named, pictures, text_of
from evalcore.readers.base import column_names as names
from evalcore.readers.kinds.kind import MOST_SYSTEMS, Candidates, Kind, states, unlisted_systems
from evalcore.readers.table.findings import LEAST_IDS, infinite_numbers, unused_cases, without_effect
from evalcore.readers.table.table import Roles, Table, choose, kept, numbers_of, part
from evalcore.retrieval import Duplicate, Hits, Judgments, Run, check_match
from evalcore.retrieval.hits import joined
from evalcore.retrieval.id_table import IdTable, Places, coded
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["RANKINGS", "RankingRoles"]

_UNIT = ("query", "queries")
_GRADES = ("_rating", "_grade", "_relevance", "_judgment", "_judgement")
_MOST_SAID = 12
NO_LISTS = (
    "The lists of this data set were summed up: it holds the ranks of judged documents and the length of each list. "
    "Open the runs themselves to see every document."
)


def query_clusters(table: Table[Any]) -> dict[str, int]:
    """The cluster of each query as a code by its id, one without is on its own; empty if all are independent."""
    name = table.roles.get("cluster")
    return {} if name is None else table.once("query clusters", None, lambda: _clusters(table, name))


def _clusters(table: Table[Any], name: str) -> dict[str, int]:
    queries = table.frame[table.roles.query]
    rows = np.flatnonzero(queries.notna().to_numpy(bool))
    ids, of_rows = coded(pictures.id_texts(queries.iloc[rows]))
    codes, values = pd.factorize(table.frame[name].iloc[rows])
    known = np.flatnonzero(codes >= 0)
    of_queries = np.full(len(ids), -1)
    of_queries[of_rows[known[::-1]]] = codes[known[::-1]]  # the first row of a query is assigned last, and stays
    if len(differing := known[codes[known] != of_queries[of_rows[known]]]):
        query, other = of_rows[differing[0]], values[codes[differing[0]]]
        sentence = f"Query {named(ids[query])} belongs to {named(text_of(values[of_queries[query]]))} by column "
        sentence += f"{named(name)}, but in {table.lines.at(rows[differing[0]])} to {named(text_of(other))}. Give each "
        sentence += 'query one value, or choose another column under "Queries belong to".'
        raise ReadProblem(sentence)
    alone = np.flatnonzero(of_queries < 0)
    of_queries[alone] = len(values) + np.arange(len(alone))
    return {} if len(distinct(of_queries)) == len(ids) else dict(zip(ids, of_queries.tolist(), strict=True))


def query_cluster_findings(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Findings about the cluster column of queries or, if none is chosen, about a possible one."""
    if (name := table.roles.get("cluster")) is None:
        yield from _queries_together(table, columns)
    else:
        yield from _about_clusters(table, columns[name])


def _queries_together(table: Table[Any], columns: Columns) -> Iterator[Finding]:
    """Find queries of the same topic, user, session or other id, which are not independent."""
    for column, is_case in unused_cases(table, columns, table.roles.faces, names.is_query_case, names.has_id_suffix):
        try:
            codes = list(_clusters(table, column.name).values())
        except ReadProblem:
            continue
        sizes = np.unique(codes, return_counts=True)[1]
        cases, queries = len(sizes), len(codes)
        if cases < (2 if is_case else LEAST_IDS) or 2 * int(sizes[sizes > 1].sum()) < queries:
            continue
        sentence = f"By column {named(column.name)} the {count_text(queries)} queries belong to "
        sentence += f"{names.case_words(column.name, cases)}. Intervals and tests treat queries as independent; if "
        sentence += "queries that belong together are alike, they are too confident. Choose the column under "
        sentence += '"Queries belong to" so that they use whole clusters.'
        level = "warning" if is_case else "info"
        yield Finding(level, sentence, cases, column.name, code="queries together", role="cluster")
        return


def case_columns(frame: pd.DataFrame, query: str) -> list[str]:
    """Columns that may cluster queries: one value per query, and some values in several queries."""
    named = [name for name in frame.columns if names.is_query_case(name) or names.has_id_suffix(name)]
    known = names.DOCUMENT | names.RETRIEVAL_SYSTEM
    if not (others := [name for name in named if name != query and names.simple(name) not in known]):
        return []
    per_query = frame.groupby(query)[others].agg(["nunique", "first"])
    values = {name: per_query[name]["first"] for name in others if per_query[name]["nunique"].max() == 1}
    return [name for name, first in values.items() if 1 < first.nunique() < first.count()]


def query_column(frame: pd.DataFrame) -> str | None:
    """The column of query ids beside a cluster column, by its name; None without one."""
    known = [name for name in frame.columns if names.simple(name) in names.QUERY]
    return next((name for name in sorted(known, key=names.is_query_case) if case_columns(frame, name)), None)


def cases_of_rows(frame: pd.DataFrame, query: str, side: pictures.Side, ids: pd.Series) -> dict[str, pd.Series]:
    """The `case_columns` of a table, in each row of rankings with these ids of queries; empty if it names none."""
    match = pictures.FaceColumns("", frame, side, query, {})
    columns: dict[str, pd.Series] = {}
    for name in case_columns(frame, query) if len(match.rows) else ():
        first = frame.groupby(query)[name].transform("first").iloc[match.rows]
        columns[name] = ids.map(pd.Series(first.array, index=ids.iloc[match.places].to_numpy()))
    return columns


def _about_clusters(table: Table[Any], column: Column) -> Iterator[Finding]:
    """Find queries in two clusters or in none, and clusters that change nothing or allow no interval."""
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
    yield from without_effect(column.name, len(set(clusters.values())) if clusters else count, count, _UNIT)


def assigned(candidates: Candidates) -> dict[str, Any]:
    """Assign parts from another kind: a numeric truth becomes the grade, systems stay systems."""
    grade, query = candidates.one("grade"), candidates.one("query")
    document, rank = candidates.one("document", query), candidates.one("rank")
    score = candidates.fitting("score", grade, query, document, rank)
    return {"query": query, "document": document, "grade": grade, "score": score, "rank": rank}


def recognise(columns: Columns) -> dict[str, Any]:
    """Recognise the parts of a table of judged rankings by column names; empty if it is none."""
    query = _id_column(columns, names.QUERY) or _id_column(columns, names.FACES["query_text"])
    document = _id_column(columns, names.DOCUMENT)
    if query is not None and query.distinct < len(query):  # of queries with one row each, it is the id of the row
        document = next((c for c in columns if c.name == "_id" and not c.missing_count), document)
    graded = (c for c in columns if names.simple(c.name).endswith(_GRADES) and c.is_number)
    grade = _column_named(columns, names.GRADE, numbers=True) or next(graded, None)
    if query is None or document is None or grade is None:
        return {}
    system = _column_named(columns, names.RETRIEVAL_SYSTEM)
    rank = _column_named(columns, names.RANK, numbers=True)
    one = {"query": query, "document": document, "grade": grade, "system": system, "rank": rank}
    parts: dict[str, Any] = {part: column.name for part, column in one.items() if column is not None}
    parts |= pictures.recognised_faces(columns, {*parts.values()})
    if rank is not None and _column_named(columns, names.LIST_LENGTH, numbers=True) is not None:
        ends = {"length": names.LIST_LENGTH, "first": names.FIRST_RANK, "last": names.LAST_RANK}
        tied = {end: _column_named(columns, words, numbers=True) for end, words in ends.items()}
        return parts | {end: column.name for end, column in tied.items() if column is not None}
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


def _column_named(columns: Columns, words: frozenset[str], numbers: bool = False) -> Column | None:
    fitting = (c for c in columns if names.simple(c.name) in words and c.missing_count < len(c))
    return next((c for c in fitting if c.is_number or c.is_bool or not numbers), None)


def of_system(table: Table[Any], system: str) -> np.ndarray:
    """Rows of a system as flags, shape (rows,)."""
    if table.roles.system is None:
        return np.ones(len(table.frame), dtype=bool)
    codes, values = pd.factorize(table.frame[table.roles.system])
    # A missing one has the code -1, which is the last place.
    return np.array([*(text_of(value) == system for value in values), False])[codes]


def ids_of_rows(table: Table[Any], usable: np.ndarray) -> tuple[np.ndarray, IdTable, IdTable]:
    """The rows among some that have a query and a document, and these ids."""
    columns = [table.frame[name] for name in (table.roles.query, table.roles.document)]
    rows = np.flatnonzero(usable & columns[0].notna().to_numpy(bool) & columns[1].notna().to_numpy(bool))
    used = (column if len(rows) == len(column) else column.iloc[rows] for column in columns)
    queries, documents = map(pictures.id_texts, used)
    for column, ids in zip(columns, (queries, documents), strict=True):
        if len(rows) and not ids.lengths.all():
            line = table.lines.at(rows[np.argmin(ids.lengths)])
            raise ReadProblem(f"Column {named(column.name)} is empty in {line}. Fill in the id.")
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
    sentence = f"Document {named(problem.document)} {does} query {named(problem.query)}: {lines} of "
    return ReadProblem(f"{sentence}{named(table.name)}. Keep one of them.")


def summed_lists(table: Table[Any], system: str) -> dict[str, int]:
    """Lengths of lists whose judged documents alone are known; ReadProblem for two, or one that is not whole."""
    roles = table.roles
    queries = table.frame[roles.query]
    lengths = numbers_of(table, roles.length)
    rows = np.flatnonzero(of_system(table, system) & np.isfinite(lengths) & queries.notna().to_numpy(bool))
    names, codes = coded(pictures.id_texts(queries.iloc[rows]))
    lengths = lengths[rows]
    longest = np.zeros(len(names))
    np.maximum.at(longest, codes, lengths)
    wrong = (lengths < 0) | (lengths % 1 != 0) | (lengths != longest[codes])
    if wrong.any():
        at = int(wrong.argmax())
        sentence = f"Column {named(roles.length)} gives the list of query {named(names[codes[at]])} the length "
        sentence += f"{lengths[at]:g} in {table.lines.at(rows[at])}. Give each list of a system one whole number."
        raise ReadProblem(sentence)
    return {name: int(length) for name, length in zip(names, longest.tolist(), strict=True) if length}


def summed_hits(table: Table[Any], system: str, judgments: Judgments) -> tuple[Hits, Places]:
    """Judged documents of such lists and their places among the judgments; ReadProblem for a rank out of its list."""
    roles, lists = table.roles, summed_lists(table, system)
    ranks = numbers_of(table, roles.rank)
    rows, run = run_of_rows(table, system, -ranks)
    ranks = ranks[rows]
    lengths = np.array([lists.get(query, 0) for query in run.queries])[run.codes] if len(rows) else ranks
    if (wrong := (ranks < 1) | (ranks % 1 != 0) | (ranks > lengths)).any():
        at = int(wrong.argmax())
        sentence = f"Column {named(roles.rank)} holds the rank {ranks[at]:g} in {table.lines.at(rows[at])}, in a list "
        sentence += f"of {count_text(lengths[at])} documents. Ranks count from 1 to the length of the list."
        raise ReadProblem(sentence)
    positions, judged = joined(judgments, run)
    at = positions if run.order is None else run.order[positions]
    query, rank = judgments.codes[judged].astype(np.int64), ranks[at].astype(np.int64)
    order = np.lexsort((rank, query))
    at, judged, rank = at[order], judged[order], rank[order]
    ends = (rank if end is None else numbers_of(table, end)[rows][at] for end in (roles.first, roles.last))
    first, last = (np.where(np.isnan(end), rank, end).astype(np.int64) for end in ends)
    retrieved = np.zeros(len(judgments.queries), dtype=np.int64)
    listed = judgments.indices(list(lists))
    retrieved[listed[listed >= 0]] = np.array(list(lists.values()), dtype=np.int64)[listed >= 0]
    grade = judgments.grades[judged]
    return Hits(query[order], rank, grade, retrieved, judgments.pool, first=first, last=last), judged


@dataclass(frozen=True, kw_only=True)
class RankingRoles(Roles):
    """Roles of ranked lists with judgments: a column of scores per system, or of scores or ranks and of systems."""

    kind = "run + judgments"
    query: str = part("column", "Query", "query", sole=True)
    document: str = part("column", "Document", "document", sole=True)
    grade: str = part("column", "Grade", "grade", numbers=True, sole=True)
    score: tuple[str, ...] = part(
        "columns", "Score columns (one per system)", "score", default=(), numbers=True, sole=True
    )
    rank: str | None = part("column", "Rank", "rank", default=None, numbers=True, sole=True)
    system: str | None = part("column", "System", "system", default=None, sole=True)
    # Of lists that are known by their judged documents alone: how long they are, and the ranks that ties share.
    length: str | None = part("column", word="list length", default=None, numbers=True, sole=True)
    first: str | None = part("column", word="first tied rank", default=None, numbers=True, sole=True)
    last: str | None = part("column", word="last tied rank", default=None, numbers=True, sole=True)
    higher_is_positive: bool = part("flag", default=True)
    title: str | None = part("column", "Document title", "title", default=None, is_face=True)
    text: str | None = part("column", "Document text", "text", default=None, is_face=True)
    image: str | None = part("column", "Document image", "image", default=None, is_face=True)
    url: str | None = part("column", word="URL", default=None, is_face=True)
    query_text: str | None = part("column", "Query text", "query text", default=None, is_face=True)
    query_image: str | None = part("column", word="query image", default=None, is_face=True)
    cluster: str | None = part("column", "Queries belong to", "queries belong to", default=None)

    @property
    def faces(self) -> dict[str, str]:
        """Columns with titles, texts and images of documents and queries, by part."""
        parts = (*pictures.DOCUMENT_PARTS.values(), *pictures.QUERY_PARTS.values())
        return {part: column for part in parts if (column := self.get(part)) is not None}

    @classmethod
    def lacking(cls, parts: Mapping[str, object]) -> list[str]:
        """List the parts that are missing: a query, a document, a grade, and a score or a rank."""
        return super().lacking(parts) + ["score"] * (not parts.get("score") and not parts.get("rank"))


def systems(table: Table[RankingRoles]) -> tuple[str, ...]:
    """Values of the system column, or columns of scores."""
    roles = table.roles
    if roles.system is not None:
        values = table.frame[roles.system].dropna().unique  # a judged document that no system retrieved names none
        return table.once("systems", None, lambda: tuple(text_of(value) for value in values()[:MOST_SYSTEMS]))
    return roles.score or ((roles.rank,) if roles.rank is not None else ())


@kept("run", systems, "system")
def run(table: Table[RankingRoles], system: str) -> Run:
    """See `DataSet.run`."""
    roles = table.roles
    if roles.length is not None:
        raise ReadProblem(NO_LISTS)
    column = system if roles.score and roles.system is None else (*roles.score, roles.rank or "")[0]
    scores = numbers_of(table, column)
    scores = scores if roles.score and roles.higher_is_positive else -scores
    return run_of_rows(table, system, scores, "" if len(systems(table)) == 1 else f" by {named(system)}")[1]


@kept("hits", systems, "system")
def placed_hits(table: Table[RankingRoles], system: str) -> tuple[Hits, Places]:
    """The judged documents in the lists of a system, and the place of each among the judgments."""
    if table.roles.length is not None:
        return summed_hits(table, system, judgments(table))
    return Hits.with_places(judgments(table), run(table, system))


def listed_queries(table: Table[RankingRoles], system: str | None = None) -> tuple[str, ...]:
    """The queries that a system has a list for, judged or not."""
    name = choose(system, systems(table), "system")
    if table.roles.length is None:
        return run(table, name).queries
    return table.once("listed queries", name, lambda: tuple(summed_lists(table, name)))


@kept("judgments")
def judgments(table: Table[RankingRoles]) -> Judgments:
    """See `DataSet.judgments`."""
    grades = numbers_of(table, table.roles.grade)
    rows, queries, documents = ids_of_rows(table, np.isfinite(grades))
    ids, codes = coded(queries)
    document_codes = pd.factorize(table.frame[table.roles.document].iloc[rows])[0]
    # Every system that retrieved a document repeats its grade.
    repeats = pd.DataFrame({"q": codes, "d": document_codes, "g": grades[rows]}).duplicated().to_numpy(bool)
    once = np.flatnonzero(~repeats)
    try:
        return Judgments.from_codes(ids, codes[once], documents.take(once), grades[rows][once])
    except Duplicate as twice:
        raise twice_in(table, twice, rows[once], "has two grades for") from twice


def faces_of(table: Table[RankingRoles], role: str) -> pictures.Faces:
    """Titles, texts and images of each "document" or "query", where there are such columns."""
    ids, parts = table.roles.get(role), pictures.PARTS[role]
    columns = {part: column for part, role in parts.items() if (column := table.roles.get(role)) is not None}
    # A filter may leave out the row that holds the text, so the rows of the file count.
    file = getattr(table, "file", None) or table
    of_file = file is not table and {ids, *columns.values()} <= {*file.frame.columns}
    frame = file.frame if of_file else table.frame
    cells = {part: frame[name] for part, name in columns.items()}
    return table.once(f"faces {ids} {of_file}", None, lambda: pictures.Faces.of(frame[ids], cells))


def face_findings(table: Table[RankingRoles], columns: Columns) -> Iterator[Finding]:
    """Count the documents and queries with a title, a text or an image."""
    for role, words in (("document", ("document", "documents")), ("query", _UNIT)):
        if counted := pictures.faces_text(faces_of(table, role), columns[table.roles.get(role)].distinct, words):
            yield Finding("info", f"{counted}.", len(table), table.roles.get(role), code="faces")


def ranking_findings(table: Table[RankingRoles], columns: Columns) -> Iterator[Finding]:
    """Findings about the judgments and the run of each system."""
    roles = table.roles
    is_summed = roles.length is not None
    try:
        judged = judgments(table)
        runs = {system: None if is_summed else run(table, system) for system in systems(table)[:_MOST_SAID]}
        lists = {system: set(listed_queries(table, system)) for system in runs}
        if is_summed:
            for system in runs:
                placed_hits(table, system)
    except ValueError as problem:  # also a ReadProblem
        yield Finding("error", str(problem), len(table.frame), code="unusable")
        return
    if roles.system is not None:
        yield from unlisted_systems(table.frame[roles.system].nunique())
    for name in (roles.query, roles.document):
        missing = columns[name].missing_count
        if missing and not is_summed:
            sentence = f"Column {named(name)} is empty in {rows_text(missing)}; they are left out."
            yield Finding("warning", sentence, missing, name, code="missing")
    yield from infinite_numbers(table, columns[roles.grade])
    if not (queries := set(judged.queries)):
        sentence = "No document has a grade, so nothing can be measured."
        yield Finding("error", sentence, len(table.frame), roles.grade, code="no grades")
        return
    if not (judged.grades > 0).any():
        sentence = "No grade is above 0, so no document is relevant and every measure is 0."
        yield Finding("error", sentence, len(judged.grades), roles.grade, code="nothing relevant")
    for system, ranked in runs.items():
        own = lists[system]
        if problem := check_match(judged, ranked, "the run") if ranked is not None else None:
            apart = not own & queries
            shared = "query" if apart else "document"
            sentence = f"System {named(system)} and the judgments share no {shared}. {problem}"
            rows = len(own) if apart else len(ranked or ())
            yield Finding("error" if apart else "warning", sentence, rows, code="no match")
            if apart:
                continue
        if lacking := queries - own:
            sentence = f"System {named(system)} has no list for {count_text(len(lacking))} of "
            sentence += f"{count_text(len(queries))} judged queries ({listed(sorted(lacking), 3)}); they count as 0."
            yield Finding("warning", sentence, len(lacking), code="queries without list")
        if unjudged := own - queries:
            queried = "1 query" if len(unjudged) == 1 else f"{count_text(len(unjudged))} queries"
            sentence = f"System {named(system)} has lists for {queried} without judgments "
            sentence += f"({listed(sorted(unjudged), 3)}); they are left out."
            yield Finding("warning", sentence, len(unjudged), code="queries without judgments")
        if ranked is not None and len(ranked.scores) > 1 and (ranked.scores == ranked.scores[0]).all():
            sentence = f"All documents of system {named(system)} have the same score: they are a set, not a ranking. "
            sentence += "Measures that need ranks order them by document id."
            yield Finding("info", sentence, len(ranked.scores), code="equal scores")


RANKINGS = Kind(
    "rankings with judgments",
    "TREC run and qrels files together, one run per system; or one table of query, document, score and grade",
    RankingRoles, systems=systems, assign=assigned, recognise=recognise, unit=_UNIT,
    states=states(
        judgments, run, placed_hits, listed_queries, query_clusters,
        **{f"{role}_faces": partial(faces_of, role=role) for role in pictures.PARTS},
    ),
    findings=(ranking_findings, face_findings, query_cluster_findings),
    tally=lambda table, system: (table.frame[table.roles.query].nunique(), None),
)  # fmt: skip
