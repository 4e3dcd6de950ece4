"""Runs and judgments in tables that are not loaded: ranked and joined on their engine, some systems at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.frames import ASKING, MOST_ROWS, columns
from evalcore.engines.ranking_datasets import ranking_dataset
from evalcore.engines.rankings import JudgedHits, judgments_of
from evalcore.engines.summaries import Summary
from evalcore.readers import DataSet, ReadProblem, Unloaded
from evalcore.readers import column_names as names
from evalcore.readers.problems import listed
from evalcore.retrieval import Judgments
from evalcore.wording.numbers import count_text

__all__ = ["RunTables", "guessed_columns", "is_lowest_first", "ranked_dataset"]

_AT_ONCE = 5_000_000
"""Rows of the systems that are ranked by one query: these fit into the memory of an engine."""

_MOST_SYSTEMS = 1_000


@dataclass(frozen=True, eq=False)
class RunTables:
    """A table of runs and one of judgments, as `open_stored` or a connection opens them: both of one engine."""

    run: Any
    judged: Any

    @property
    def progress(self) -> float | None:
        """The share of the running query of the runs that is done, 0 … 1; None where the engine cannot say."""
        return self.run.progress

    def stop(self) -> None:
        """Stop the running query from another thread."""
        self.run.stop()
        self.judged.stop()


def guessed_columns(run: Iterable[str], judged: Iterable[str]) -> dict[str, str | None]:
    """Which columns seem to hold what `ranked_dataset` asks for, by their names; None where no name says so.

    >>> guessed = guessed_columns(["run", "qid", "docno", "rank", "score"], ["topic", "docno", "rel"])
    >>> [guessed[part] for part in ("system", "query", "score", "judged_query", "grade")]
    ['run', 'qid', 'score', 'topic', 'rel']
    """
    run, judged = list(run), list(judged)

    def first(columns: list[str], *words: frozenset[str]) -> str | None:
        return next((name for some in words for name in columns if names.simple(name) in some), None)

    return {
        "system": first(run, names.RETRIEVAL_SYSTEM),
        "query": first(run, names.QUERY),
        "document": first(run, names.DOCUMENT),
        "score": first(run, names.SCORE, names.RANK),
        "judged_query": first(judged, names.QUERY),
        "judged_document": first(judged, names.DOCUMENT),
        "grade": first(judged, names.GRADE),
    }


def is_lowest_first(column: str) -> bool:
    """Whether a column of scores seems to rank by its lowest values, by its name, as one of ranks or distances does.

    >>> is_lowest_first("rank"), is_lowest_first("score")
    (True, False)
    """
    return names.is_lower_better(column) or names.simple(column) in names.RANK


def ranked_dataset(
    run: Any,
    judged: Any,
    *,
    query: str = "query",
    document: str = "document",
    score: str = "score",
    grade: str = "grade",
    system: str | None = None,
    judged_query: str | None = None,
    judged_document: str | None = None,
    lowest_first: bool = False,
    name: str = "rankings",
    unloaded: Unloaded | None = None,
) -> DataSet:
    """The data set of lists that are not loaded, ranked and joined to their judgments on their engine.

    Systems are ranked some at a time, so that the memory of an engine is enough for any number of them.

    Parameters
    ----------
    run, judged : StoredTable, or a table of a connection; both of one engine
        The run has a query, a document and a score in each row; the judgments have a query, a document and a grade.
    score : str
        The column of scores, or of ranks with `lowest_first`.
    system : str, optional
        The column that names the system, where the table holds the runs of several.
    judged_query, judged_document : str, optional
        The columns of the judgments, where they have other names than those of the run.
    unloaded : Unloaded, optional
        Where the tables lie, which the data set then tells.

    Raises
    ------
    ReadProblem
        If a column is missing or of another type, a document stands twice in a list, there are more than 1,000
        systems or too many judged documents, or no list has a judged one.

    Examples
    --------
    >>> import duckdb, tempfile
    >>> from evalcore.engines import open_stored
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = "select * from (values ('q', 'a', 1), ('q', 'b', 2)) as run(qid, docno, rank)"
    ...     judged = "select 'q' as topic, 'b' as docno, 1 as rel"
    ...     for table, rows in {"run": run, "judged": judged}.items():
    ...         _ = duckdb.connect().execute(f"copy ({rows}) to '{folder}/{table}.parquet'")
    ...     tables = (open_stored(f"{folder}/{table}.parquet") for table in ("run", "judged"))
    ...     parts = {"query": "qid", "document": "docno", "judged_query": "topic", "grade": "rel"}
    ...     data = ranked_dataset(*tables, score="rank", lowest_first=True, **parts)
    >>> data.kind, data.state("placed_hits")[0].rank.tolist()
    ('run + judgments', [2])
    """
    ids = judged_query or query, judged_document or document
    judgments = judgments_of(judged.frame, query=ids[0], document=ids[1], grade=grade)
    if not len(judgments.grades):
        raise ReadProblem("The table of judgments has no document with a grade. Choose another one.")
    forms = {"query": (query, "id"), "document": (document, "id"), "score": (score, "number")}
    table = columns(run.frame, forms if system is None else {"system": (system, "id"), **forms})
    if lowest_first:
        table = table.with_columns(score=nw.col("score") * -1.0)
    if hasattr(run, "connection"):
        truth = _beside(run, judgments)
    else:
        forms = {"query": (ids[0], "id"), "document": (ids[1], "id"), "grade": (grade, "number")}
        truth = columns(judged.frame, forms).filter(~nw.col("grade").is_null() & ~nw.col("grade").is_nan())
    parts, judged_documents = [], 0
    for shard, place in _shards(table, system):
        with _heard(place):
            parts.append(JudgedHits.of(shard, truth, system=None if system is None else "system"))
        judged_documents += len(parts[-1].rows["rank"])
        if judged_documents > MOST_ROWS:
            raise ReadProblem(
                f"The lists have more than {count_text(MOST_ROWS)} judged documents, which is the most that one data "
                "set holds. Use a table of fewer systems."
            )
    hits = JudgedHits.joined(parts)
    if not judged_documents:
        shown = [listed(sorted(set(ids))[:2]) for ids in (hits.lists.keys["query"].tolist(), judgments.queries)]
        raise ReadProblem(
            "No list has a document that is judged for its query, so nothing can be measured. "
            f"Queries of the runs are such as {shown[0]}, those of the judgments {shown[1]}. Choose other columns, or "
            "write queries and documents alike in both tables."
        )
    data = ranking_dataset(hits, judgments, name)
    rows = int(hits.lists.sums["count"].sum() + hits.left_out)
    return replace(data, unloaded=replace(unloaded or Unloaded("", name), rows=rows, roles=data.roles.to_text()))


def _beside(run: Any, judgments: Judgments) -> Any:
    """The judgments as a table of the run's own connection, as one of another file cannot be joined there."""
    queries = np.array(judgments.queries, dtype=object)[judgments.codes]
    parts = {"query": queries.tolist(), "document": judgments.documents.texts(), "grade": judgments.grades}
    return run.connection.from_arrow(nw.from_dict(parts, backend="pyarrow").to_native())


def _shards(table: nw.LazyFrame[Any], system: str | None) -> Iterator[tuple[nw.LazyFrame[Any], str]]:
    """The rows of some systems after each other, and which of how many parts they are; at once where they are few."""
    if system is None:
        yield table, ""
        return
    rows = Summary.of(table, ["system"], most=_MOST_SYSTEMS, what="list of systems")
    counts = zip(rows.keys["system"].tolist(), rows.sums["count"].tolist(), strict=True)
    parts: list[list[str | None]] = [[]]
    size = 0.0
    for name, count in sorted(counts, key=lambda one: one[0] or ""):
        if parts[-1] and size + count > _AT_ONCE:
            parts.append([])
            size = 0.0
        parts[-1].append(name)
        size += count
    if len(parts) == 1:
        yield table, ""
        return
    for number, part in enumerate(parts, 1):
        yield _of_systems(table, part), f"part {count_text(number)} of {count_text(len(parts))}"


def _of_systems(table: nw.LazyFrame[Any], systems: Sequence[str | None]) -> nw.LazyFrame[Any]:
    """The rows of systems that follow each other by name; None stands for rows that name none."""
    known = [name for name in systems if name is not None]
    system = nw.col("system")
    rows = (system >= known[0]) & (system <= known[-1]) if known else system.is_null()
    return table.filter(rows | system.is_null() if None in systems else rows)


@contextmanager
def _heard(place: str) -> Iterator[None]:
    """Say with everything that is asked in here which part it is of."""
    hears = ASKING.get()
    token = ASKING.set(lambda what: hears(f"{what} ({place})" if place else what))
    try:
        yield
    finally:
        ASKING.reset(token)
