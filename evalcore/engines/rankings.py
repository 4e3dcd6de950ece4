"""The judged documents of a run with their ranks, which an engine finds; all that measures of rankings need of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from evalcore.engines.frames import MOST_ROWS, collected, columns, one_engine
from evalcore.engines.summaries import Summary
from evalcore.readers.problems import ReadProblem, listed, named
from evalcore.registry import MetricDef
from evalcore.retrieval import Duplicate, Hits, Judgments, PerQuery, evaluate_hits

__all__ = ["JudgedHits", "judgments_of"]

_IDS = ("system", "query", "document")
_RANKS = ("rank", "first", "last", "grade")


@dataclass(frozen=True, eq=False)
class JudgedHits:
    """The judged documents that runs retrieved. ``a + b`` holds the lists of both, of other queries or systems.

    Attributes
    ----------
    rows : dict of str to array, shape (h,)
        "system", "query" and "document" of each hit as texts, its "rank" from 1, the "first" and the "last" rank that
        the documents of its score share, and its "grade".
    lists : Summary
        The length of each list, retrieved documents, by "system" and "query".
    left_out : float
        Rows without a query, a document or a score.
    """

    rows: dict[str, np.ndarray]
    lists: Summary
    left_out: float = 0.0

    @classmethod
    def of(
        cls,
        run: Any,
        judged: Any,
        *,
        query: str = "query",
        document: str = "document",
        score: str = "score",
        grade: str = "grade",
        system: str | None = None,
        most: int = MOST_ROWS,
    ) -> JudgedHits:
        """Rank the lists of a run and join them to the judgments, on the engine of both.

        A list is ordered by score, highest first, and equal scores by the bytes of the document, highest first, as in
        `Run`.

        Parameters
        ----------
        run, judged : tables of one engine
            The run has a query, a document and a score in each row; the judgments have a query, a document and a grade.
        system : str, optional
            The column that names the system, where a table holds the runs of several.

        Raises
        ------
        ReadProblem
            If a column is missing or of another type, a document stands twice in a list, or there are too many hits.

        Examples
        --------
        >>> import pyarrow as pa
        >>> run = pa.table({"query": ["q", "q", "q"], "document": ["a", "b", "c"], "score": [3.0, 2.0, 2.0]})
        >>> judged = pa.table({"query": ["q", "q"], "document": ["b", "x"], "grade": [1, 1]})
        >>> hits = JudgedHits.of(run, judged)
        >>> hits.rows["rank"].tolist(), hits.evaluate(judgments_of(judged), ["P@5", "R@5"]).means()
        ([3.0], {'P@5': 0.2, 'R@5': 0.5})
        """
        run, judged = one_engine(run, judged)
        forms = {"query": (query, "id"), "document": (document, "id"), "score": (score, "number")}
        keys = ["query"] if system is None else ["system", "query"]
        table = columns(run, forms if system is None else {"system": (system, "id"), **forms})
        truth = columns(judged, {"query": (query, "id"), "document": (document, "id"), "grade": (grade, "number")})
        used = ~nw.col("score").is_null() & ~nw.col("score").is_nan()
        for name in (*keys, "document"):
            used = used & ~nw.col(name).is_null()
        counted = table.with_columns(used=nw.when(used).then(1).otherwise(0))
        left_out = Summary.of(counted.filter(nw.col("used") == 0), (), what="number of rows that lack an id").sums[
            "count"
        ]
        # Adding 0 makes −0 and 0 one score on every engine.
        table = table.filter(used).with_columns(score=nw.col("score") + 0.0)
        _refuse_duplicates(table, keys)
        lists = Summary.of(table, keys, most=most, what="lengths of the lists")
        hits = _joined(table, truth) if table.implementation.is_dask() else _by_window(table, truth, keys)
        arrays = collected(hits.select(*keys, "document", *_RANKS), most, "list of judged hits")
        return cls._of(arrays, lists, float(left_out.sum()))

    @classmethod
    def of_table(cls, hits: Any, lists: Any, *, system: str | None = None) -> JudgedHits:
        """From two tables made elsewhere.

        Parameters
        ----------
        hits : table, or mapping of str to array
            Columns query, document, rank, first, last and grade: the judged documents that were retrieved.
        lists : table, or mapping of str to array
            Columns query and count: the length of each list.
        system : str, optional
            The column of both that names the system.
        """
        keys = {"query": "query"} if system is None else {"system": system, "query": "query"}
        summary = Summary.of_table(lists, keys, {"count": "count"}, form="id")
        ids = keys | {"document": "document"}
        table = Summary.of_table(hits, ids, {name: name for name in _RANKS}, form="id", merge=False)
        return cls._of({**table.keys, **table.sums}, summary, 0.0)

    @classmethod
    def _of(cls, arrays: dict[str, np.ndarray], lists: Summary, left_out: float) -> JudgedHits:
        if "system" not in lists.keys:
            arrays = {"system": np.full(len(arrays["query"]), "", dtype=object), **arrays}
            none = np.full(len(lists), "", dtype=object)
            lists = Summary({"system": none, **lists.keys}, lists.sums)
        lists = lists.merged()
        numbers = {name: arrays[name].astype(np.float64) for name in _RANKS}
        if len(lists) and len(numbers["rank"]) and numbers["last"].max() > lists.sums["count"].max():
            raise ReadProblem("A rank is larger than the longest list. Count all documents of each list.")
        return cls({**{name: arrays[name] for name in _IDS}, **numbers}, lists, left_out)

    @classmethod
    def joined(cls, parts: Iterable[JudgedHits]) -> JudgedHits:
        """The lists of several parts, as their sum; of many shards it takes a fraction of the time.

        Raises
        ------
        ValueError
            If a list is in two parts.
        """
        parts = list(parts)
        lists = Summary.joined([part.lists for part in parts])
        if len(lists) < sum(len(part.lists) for part in parts):
            raise ValueError("Some list is in both parts; keep the rows of one query and system in one part.")
        rows = {name: np.concatenate([part.rows[name] for part in parts]) for name in parts[0].rows}
        return cls(rows, lists, sum(part.left_out for part in parts))

    def __add__(self, other: JudgedHits) -> JudgedHits:
        return JudgedHits.joined([self, other])

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems by name; one with the name "" where there is no column of them."""
        return tuple(sorted(set(self.lists.keys["system"].tolist())))

    def hits(self, judgments: Judgments, system: str | None = None) -> Hits:
        """The state that every measure of rankings reads, of one system, by default the first.

        Raises
        ------
        ReadProblem
            If there is no such system, or a query of the hits is not judged.
        """
        system = self._chosen(system)
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
        grade = self.rows["grade"][rows]
        return Hits(
            *(query[order], rank[order], grade[order], retrieved, judgments.pool), first=first[order], last=last[order]
        )

    def evaluate(
        self,
        judgments: Judgments,
        measures: Iterable[str | MetricDef],
        *,
        system: str | None = None,
        only_common: bool = False,
    ) -> PerQuery:
        """The value of each measure for each judged query, as `evaluate` gives it of a run in memory."""
        system = self._chosen(system)
        names = self.lists.keys["query"][self.lists.keys["system"] == system].tolist()
        unjudged = [name for name, place in zip(names, judgments.indices(names), strict=True) if place < 0]
        return evaluate_hits(self.hits(judgments, system), judgments.queries, measures, unjudged, only_common)

    def _chosen(self, system: str | None) -> str:
        if not self.systems:
            raise ReadProblem("The run has no rows. Choose another table.")
        system = self.systems[0] if system is None else system
        if system not in self.systems:
            raise ReadProblem(f"There is no system {named(system)}. Choose {listed(self.systems)}.")
        return system


def judgments_of(
    judged: Any, *, query: str = "query", document: str = "document", grade: str = "grade", most: int = MOST_ROWS
) -> Judgments:
    """The judgments themselves, which are few beside the rows of runs; rows without a grade are left out.

    Raises
    ------
    ReadProblem
        If a column is missing or of another type, a document is judged twice for a query, or there are too many.
    """
    forms = {"query": (query, "id"), "document": (document, "id"), "grade": (grade, "number")}
    arrays = collected(columns(judged, forms), most, "list of judgments")
    grades = arrays["grade"].astype(np.float64)
    rows = ~np.isnan(grades)
    try:
        return Judgments.from_arrays(arrays["query"][rows].tolist(), arrays["document"][rows].tolist(), grades[rows])
    except ValueError as error:
        raise ReadProblem(str(error)) from None


def _refuse_duplicates(table: nw.LazyFrame[Any], keys: list[str]) -> None:
    """Raise when a document stands twice in a list."""
    rows = table.group_by(*keys, "document").agg(nw.len().alias("count"))
    twice = collected(rows.filter(nw.col("count") > 1).head(1), what="documents that stand twice in a list")
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


def _joined(table: nw.LazyFrame[Any], truth: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """The same for an engine without windows: by counting the rows of each list that stand above a hit."""
    keys = [name for name in ("system", "query") if name in table.collect_schema()]
    others = table.rename({"document": "other", "score": "its"})
    pairs = table.join(truth, on=["query", "document"], how="inner").join(others, on=keys, how="inner")
    above, alike = nw.col("its") > nw.col("score"), nw.col("its") == nw.col("score")
    counted = {"rank": above | (alike & (nw.col("other") >= nw.col("document"))), "above": above, "last": above | alike}
    pairs = pairs.with_columns(**{name: nw.when(rows).then(1).otherwise(0) for name, rows in counted.items()})
    hits = pairs.group_by(*keys, "document", "grade").agg(*(nw.col(name).sum() for name in counted))
    return hits.with_columns(first=nw.col("above") + 1)
