"""Judged documents of a run with their ranks, computed by an engine: all that measures of rankings need."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.frames import ASKING, MOST_ROWS, Summary, chosen, collected, columns, one_engine
from evalcore.readers import DataSet, Finding, Unloaded, roles_of
from evalcore.readers.base import column_names as names
from evalcore.readers.base.problems import ReadProblem, listed, named
from evalcore.registry import MetricDef
from evalcore.retrieval import Duplicate, Hits, Judgments, PerQuery, evaluate_hits
from evalcore.wording.numbers import count_text, rows_text

__all__ = ["JudgedHits", "RunTables", "guessed_columns", "is_lowest_first", "judgments_of", "ranked_dataset"]
__all__ += ["ranking_dataset"]

_RANKS = ("rank", "first", "last", "grade")


@dataclass(frozen=True, eq=False)
class JudgedHits:
    """The judged documents that runs retrieved. ``a + b`` holds the lists of both, of other queries or systems.

    The rows have "system", "query" and "document" of each hit as texts, its "rank" from 1, the "first" and the "last"
    rank that the documents of its score share, and its "grade", shape (h,). `lists` counts the retrieved documents by
    "system" and "query". Left out are rows without a query, a document or a score.
    """

    rows: dict[str, np.ndarray]
    lists: Summary
    left_out: float = 0.0

    @classmethod
    def of(
        cls, run: Any, judged: Any, *, query: str = "query", document: str = "document", score: str = "score",
        grade: str = "grade", system: str | None = None,
    ) -> "JudgedHits":  # fmt: skip
        """Rank the lists of a run and join them to the judgments, on the engine of both.

        A list is ordered by score, highest first, and equal scores by the bytes of the document, highest first, as in
        `Run`. A column may name the system, where a table holds the runs of several. Raises ReadProblem if a column is
        missing or of another type, a document stands twice in a list, or there are too many hits.

        >>> import pyarrow as pa
        >>> run = pa.table({"query": ["q", "q", "q"], "document": ["a", "b", "c"], "score": [3.0, 2.0, 2.0]})
        >>> judged = pa.table({"query": ["q", "q"], "document": ["b", "x"], "grade": [1, 1]})
        >>> hits = JudgedHits.of(run, judged)
        >>> hits.rows["rank"].tolist(), hits.evaluate(judgments_of(judged), ["P@5", "R@5"]).means()
        ([3.0], {'P@5': 0.2, 'R@5': 0.5})
        """
        run, judged = one_engine(run, judged)
        keys = ["query"] if system is None else ["system", "query"]
        table = _listed(run, system, query, document, score=score)
        truth = _listed(judged, None, query, document, grade=grade)
        used = _is_number("score")
        for name in (*keys, "document"):
            used = used & ~nw.col(name).is_null()
        lacking = table.with_columns(used=nw.when(used).then(1).otherwise(0)).filter(nw.col("used") == 0)
        left_out = Summary.of(lacking, (), what="number of rows that lack an id").sums["count"]
        # Adding 0 makes −0 and 0 one score on every engine.
        table = table.filter(used).with_columns(score=nw.col("score") + 0.0)
        _refuse_duplicates(table, keys)
        lists = Summary.of(table, keys, what="lengths of the lists")
        hits = _joined(table, truth, keys) if table.implementation.is_dask() else _by_window(table, truth, keys)
        arrays = collected(hits.select(*keys, "document", *_RANKS), "list of judged hits")
        return cls._of(arrays, lists, float(left_out.sum()))

    @classmethod
    def of_table(cls, hits: Any, lists: Any, *, system: str | None = None) -> "JudgedHits":
        """Build the hits from two tables made elsewhere; a column of both may name the system.

        The hits have query, document, rank, first, last and grade; the lists have query and count, their lengths.
        """
        keys = chosen(system=system, query="query")
        summary = Summary.of_table(lists, keys, {"count": "count"}, form="id")
        ids = keys | {"document": "document"}
        table = Summary.of_table(hits, ids, {name: name for name in _RANKS}, form="id", merge=False)
        return cls._of({**table.keys, **table.sums}, summary, 0.0)

    @classmethod
    def _of(cls, arrays: dict[str, np.ndarray], lists: Summary, left_out: float) -> "JudgedHits":
        if "system" not in lists.keys:
            arrays = {"system": np.full(len(arrays["query"]), "", dtype=object), **arrays}
            lists = Summary({"system": np.full(len(lists), "", dtype=object), **lists.keys}, lists.sums)
        lists = lists.merged()
        numbers = {name: arrays[name].astype(np.float64) for name in _RANKS}
        if len(lists) and len(numbers["rank"]) and numbers["last"].max() > lists.sums["count"].max():
            raise ReadProblem("A rank is larger than the longest list. Count all documents of each list.")
        return cls({name: arrays[name] for name in ("system", "query", "document")} | numbers, lists, left_out)

    @classmethod
    def joined(cls, parts: "Iterable[JudgedHits]") -> "JudgedHits":
        """Add up several parts, much faster than one by one. Raises ValueError if a list is in two parts."""
        parts = list(parts)
        lists = Summary.joined([part.lists for part in parts])
        if len(lists) < sum(len(part.lists) for part in parts):
            raise ValueError("Some list is in both parts; keep the rows of one query and system in one part.")
        rows = {name: np.concatenate([part.rows[name] for part in parts]) for name in parts[0].rows}
        return cls(rows, lists, sum(part.left_out for part in parts))

    def __add__(self, other: "JudgedHits") -> "JudgedHits":
        return JudgedHits.joined([self, other])

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems by name; one with the name "" where there is no column of them."""
        return tuple(sorted(set(self.lists.keys["system"].tolist())))

    def hits(self, judgments: Judgments, system: str | None = None) -> Hits:
        """State of one system, by default the first. ReadProblem if there is none, or a query is not judged."""
        system = self._system_of(system)
        rows = self.rows["system"] == system
        query = judgments.indices(self.rows["query"][rows].tolist()).astype(np.int64)
        if (query < 0).any():
            raise ReadProblem("A query of the hits is not among the judgments. Use those that the run was joined to.")
        rank, first, last = (self.rows[name][rows].astype(np.int64) for name in ("rank", "first", "last"))
        order = np.lexsort((rank, query))
        retrieved = np.zeros(len(judgments.queries), dtype=np.int64)
        lists = self.lists[self.lists.keys["system"] == system]
        judged = judgments.indices(lists.keys["query"].tolist())
        retrieved[judged[judged >= 0]] = lists.sums["count"][judged >= 0]
        placed = query[order], rank[order], self.rows["grade"][rows][order]
        return Hits(*placed, retrieved, judgments.pool, first=first[order], last=last[order])

    def evaluate(
        self, judgments: Judgments, measures: Iterable[str | MetricDef], *, system: str | None = None,
        only_common: bool = False,
    ) -> PerQuery:  # fmt: skip
        """Value of each measure for each judged query, equal to `evaluate` of a run in memory."""
        system = self._system_of(system)
        names = self.lists.keys["query"][self.lists.keys["system"] == system].tolist()
        unjudged = [name for name, place in zip(names, judgments.indices(names), strict=True) if place < 0]
        return evaluate_hits(self.hits(judgments, system), judgments.queries, measures, unjudged, only_common)

    def _system_of(self, system: str | None) -> str:
        if not self.systems:
            raise ReadProblem("The run has no rows. Choose another table.")
        system = self.systems[0] if system is None else system
        if system not in self.systems:
            raise ReadProblem(f"There is no system {named(system)}. Choose {listed(self.systems)}.")
        return system


def judgments_of(judged: Any, *, query: str = "query", document: str = "document", grade: str = "grade") -> Judgments:
    """Load the judgments that have a grade, which are few beside the rows of runs.

    Raises ReadProblem for a missing column or one of another type, a document that is judged twice, or too many.
    """
    arrays = collected(_listed(judged, None, query, document, grade=grade), "list of judgments")
    grades = arrays["grade"].astype(np.float64)
    rows = ~np.isnan(grades)
    try:
        return Judgments.from_arrays(arrays["query"][rows].tolist(), arrays["document"][rows].tolist(), grades[rows])
    except ValueError as error:
        raise ReadProblem(str(error)) from None


def _listed(frame: Any, system: str | None, query: str, document: str, **number: str) -> nw.LazyFrame[Any]:
    """The ids of a run or of judgments, and its scores or grades."""
    forms = {part: (column, "id") for part, column in chosen(system=system, query=query, document=document).items()}
    return columns(frame, forms | {part: (column, "number") for part, column in number.items()})


def _is_number(column: str) -> nw.Expr:
    return ~nw.col(column).is_null() & ~nw.col(column).is_nan()


def _refuse_duplicates(table: nw.LazyFrame[Any], keys: list[str]) -> None:
    """Raise when a document stands twice in a list."""
    rows = table.group_by(*keys, "document").agg(nw.len().alias("count"))
    twice = collected(rows.filter(nw.col("count") > 1).head(1), "documents that stand twice in a list")
    if len(twice["count"]):
        problem = Duplicate((0, 0), twice["query"][0], twice["document"][0], "is retrieved twice for")
        raise ReadProblem(f"{str(problem).partition(': rows')[0]}. Keep one of them.")


def _by_window(table: nw.LazyFrame[Any], truth: nw.LazyFrame[Any], keys: list[str]) -> nw.LazyFrame[Any]:
    """Hits with their ranks by row number; `rank("ordinal")` ignores the order of documents on some engines."""
    score = nw.col("score")
    ranked = table.with_columns(one=nw.lit(1)).with_columns(
        rank=nw.col("one").cum_sum(reverse=True).over(*keys, order_by=["score", "document"]),
        first=score.rank("min", descending=True).over(*keys),
        last=score.rank("max", descending=True).over(*keys),
    )
    return ranked.join(truth, on=["query", "document"], how="inner")


def _joined(table: nw.LazyFrame[Any], truth: nw.LazyFrame[Any], keys: list[str]) -> nw.LazyFrame[Any]:
    """Rank the judged documents without window functions: count the rows of each list that stand above a hit."""
    others = table.rename({"document": "other", "score": "its"})
    pairs = table.join(truth, on=["query", "document"], how="inner").join(others, on=keys, how="inner")
    above, alike = nw.col("its") > nw.col("score"), nw.col("its") == nw.col("score")
    counted = {"rank": above | (alike & (nw.col("other") >= nw.col("document"))), "above": above, "last": above | alike}
    pairs = pairs.with_columns(**{name: nw.when(rows).then(1).otherwise(0) for name, rows in counted.items()})
    hits = pairs.group_by(*keys, "document", "grade").agg(*(nw.col(name).sum() for name in counted))
    return hits.with_columns(first=nw.col("above") + 1)


def ranking_dataset(hits: JudgedHits, judgments: Judgments, name: str = "rankings") -> DataSet:
    """Build the data set of lists that are not loaded, which the pages of rankings use in place of the lists.

    Every measure is that of the lists, given the judgments they were joined to; only unjudged documents are not known.
    Raises ReadProblem if there is no list.

    >>> import pyarrow as pa
    >>> from evalcore.engines import judgments_of
    >>> run = pa.table({"query": ["q", "q", "q"], "document": ["a", "b", "c"], "score": [3.0, 2.0, 1.0]})
    >>> judged = pa.table({"query": ["q", "q"], "document": ["b", "x"], "grade": [1, 1]})
    >>> data = ranking_dataset(JudgedHits.of(run, judged), judgments_of(judged))
    >>> data.kind, data.state("placed_hits")[0].rank.tolist()
    ('run + judgments', [2])
    """
    if not len(hits.lists):
        raise ReadProblem("The run has no rows. Choose another table.")
    names = list(_lists(hits.lists.keys))  # Engines answer in any order; the data set has the lists by name.
    ordered = sorted(range(len(names)), key=names.__getitem__)
    place = {names[at]: number for number, at in enumerate(ordered)}
    of_hits = np.fromiter((place[key] for key in _lists(hits.rows)), np.intp, len(hits.rows["rank"]))
    by_rank = np.lexsort((hits.rows["rank"], of_hits))
    of_hits, rows = of_hits[by_rank], {key: values[by_rank] for key, values in hits.rows.items()}
    lengths, keys = hits.lists.sums["count"][ordered], {key: values[ordered] for key, values in hits.lists.keys.items()}
    empty = np.bincount(of_hits, minlength=len(lengths)) == 0
    queries = np.array(judgments.queries, dtype=object)[judgments.codes]
    documents = np.array(judgments.documents.texts(), dtype=object)
    ends = ("first", "last") if (rows["first"] < rows["last"]).any() else ()
    blocks: list[dict[str, np.ndarray]] = [
        {column: rows[column] for column in ("system", "query", "document", "rank", *ends)}
        | {"list_length": lengths[of_hits]},
        {key: values[empty] for key, values in keys.items()} | {"list_length": lengths[empty]},
        {"query": queries, "document": documents, "grade": judgments.grades},
    ]
    columns = {}
    for column in ("system", "query", "document", "grade", "rank", *ends, "list_length"):
        nothing = None if column in ("system", "query", "document") else np.nan
        pieces = [block.get(column, np.full(len(block["query"]), nothing)) for block in blocks]
        columns[column] = np.concatenate(pieces)
    columns["system"][columns["system"] == ""] = name  # Where nothing names the system, the data set does.
    counted = f"{count_text(lengths.sum())} documents in {count_text(len(lengths))} lists are summed up here: the "
    counted += f"ranks of {count_text(len(of_hits))} judged ones and the length of each list."
    if hits.left_out:
        counted += f" {rows_text(hits.left_out)} without a query, a document or a score are left out."
    finding = Finding("info", counted, int(lengths.sum()), "list_length", code="counted rows")
    parts = {part: part for part in ("query", "document", "grade", "rank", "system", *ends)}
    roles = roles_of(**parts, length="list_length")
    # Lists of numbers would take four times the memory of arrays.
    lists = {column: values.tolist() if values.dtype == object else values for column, values in columns.items()}
    table = nw.from_dict(lists, backend="pandas").to_native()
    del lists, columns, blocks
    return DataSet.of(table, name, roles=roles, read_findings=(finding,))


def _lists(keys: Mapping[str, np.ndarray]) -> Iterable[tuple[str, str]]:
    """The system and the query of each row."""
    return zip(keys["system"].tolist(), keys["query"].tolist(), strict=True)


_AT_ONCE = 5_000_000  # rows of the systems that are ranked by one query: these fit into the memory of an engine


@dataclass(frozen=True, eq=False)
class RunTables:
    """A table of runs and one of judgments, as `open_stored` or a connection opens them: both of one engine."""

    run: Any
    judged: Any

    @property
    def progress(self) -> float | None:
        """The share of the running query of the runs that is done, 0 … 1; None where the engine cannot say."""
        return getattr(self.run, "progress", None)

    def stop(self) -> None:
        """Stop the running query from another thread."""
        self.run.stop()
        self.judged.stop()


def guessed_columns(run: Iterable[str], judged: Iterable[str]) -> dict[str, str | None]:
    """Guess the columns that `ranked_dataset` asks for by their names; None if no name fits.

    >>> guessed = guessed_columns(["run", "qid", "docno", "rank", "score"], ["topic", "docno", "rel"])
    >>> [guessed[part] for part in ("system", "query", "score", "judged_query", "grade")]
    ['run', 'qid', 'score', 'topic', 'rel']
    """
    run, judged = list(run), list(judged)

    def first(columns: list[str], *words: frozenset[str]) -> str | None:
        return next((name for some in words for name in columns if names.simple(name) in some), None)

    ids = {"query": names.QUERY, "document": names.DOCUMENT}
    guessed = {"system": first(run, names.RETRIEVAL_SYSTEM)} | {part: first(run, words) for part, words in ids.items()}
    guessed |= {"score": first(run, names.SCORE, names.RANK), "grade": first(judged, names.GRADE)}
    return guessed | {f"judged_{part}": first(judged, words) for part, words in ids.items()}


def is_lowest_first(column: str) -> bool:
    """Whether a column of scores ranks by its lowest values, by its name, such as ranks or distances.

    >>> is_lowest_first("rank"), is_lowest_first("score")
    (True, False)
    """
    return names.is_lower_better(column) or names.simple(column) in names.RANK


def ranked_dataset(
    run: Any, judged: Any, *, query: str = "query", document: str = "document", score: str = "score",
    grade: str = "grade", system: str | None = None, judged_query: str | None = None,
    judged_document: str | None = None, lowest_first: bool = False, name: str = "rankings",
    unloaded: Unloaded | None = None,
) -> DataSet:  # fmt: skip
    """The data set of lists that are not loaded, ranked and joined to their judgments on their engine.

    The tables are stored or of one connection; systems are ranked some at a time, as memory allows. Scores are ranks
    with `lowest_first`; the columns of the judgments may have other names. Raises ReadProblem for a missing or unfit
    column, a document twice in a list, more than 1,000 systems, or too many judged documents, or none.

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
    table = _listed(run.frame, system, query, document, score=score)
    if lowest_first:
        table = table.with_columns(score=nw.col("score") * -1.0)
    if hasattr(run, "connection"):
        truth = _beside(run, judgments)
    else:
        truth = _listed(judged.frame, None, *ids, grade=grade).filter(_is_number("grade"))
    parts, judged_documents = [], 0
    for shard, place in _shards(table, system):
        with _named_in_questions(place):
            parts.append(JudgedHits.of(shard, truth, system=None if system is None else "system"))
        judged_documents += len(parts[-1].rows["rank"])
        if judged_documents > MOST_ROWS:
            sentence = f"The lists have more than {count_text(MOST_ROWS)} judged documents, which is the most that one "
            raise ReadProblem(f"{sentence}data set holds. Use a table of fewer systems.")
    hits = JudgedHits.joined(parts)
    if not judged_documents:
        shown = [listed(sorted(set(ids))[:2]) for ids in (hits.lists.keys["query"].tolist(), judgments.queries)]
        sentence = "No list has a document that is judged for its query, so nothing can be measured. Queries of the "
        sentence += f"runs are such as {shown[0]}, those of the judgments {shown[1]}. Choose other columns, or write "
        raise ReadProblem(f"{sentence}queries and documents alike in both tables.")
    data = ranking_dataset(hits, judgments, name)
    rows = int(hits.lists.sums["count"].sum() + hits.left_out)
    return replace(data, unloaded=replace(unloaded or Unloaded("", name), rows=rows, roles=data.roles.to_text()))


def _beside(run: Any, judgments: Judgments) -> Any:
    """Copy the judgments into the run's own connection, because tables of two files cannot be joined."""
    queries = np.array(judgments.queries, dtype=object)[judgments.codes]
    parts = {"query": queries.tolist(), "document": judgments.documents.texts(), "grade": judgments.grades}
    return run.connection.from_arrow(nw.from_dict(parts, backend="pyarrow").to_native())


def _shards(table: nw.LazyFrame[Any], system: str | None) -> Iterator[tuple[nw.LazyFrame[Any], str]]:
    """Yield the rows of some systems at a time, with a label of the part; all at once if they are few."""
    parts: list[list[str | None]] = [[]]
    if system is not None:
        rows = Summary.of(table, ["system"], most=1_000, what="list of systems")
        counts, size = zip(rows.keys["system"].tolist(), rows.sums["count"].tolist(), strict=True), 0.0
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
    """Rows of consecutive systems by name; None stands for rows without a system."""
    known, system = [name for name in systems if name is not None], nw.col("system")
    rows = (system >= known[0]) & (system <= known[-1]) if known else system.is_null()
    return table.filter(rows | system.is_null() if None in systems else rows)


@contextmanager
def _named_in_questions(place: str) -> Iterator[None]:
    """Add the name of the part to the questions to the engine within the context."""
    hears = ASKING.get()
    token = ASKING.set(lambda what: hears(f"{what} ({place})" if place else what))
    try:
        yield
    finally:
        ASKING.reset(token)
