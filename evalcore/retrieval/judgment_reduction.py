"""Hits and pools with fewer and fewer judgments: all stages of a draw at once, with separate queries for each stage.

A stage has all judgments of the stages before it, and some more. So one number says all that can be said of a judgment:
the stage since which it is there. Measures read the hits here as they read any others, and give one value a stage and
query. What most of them ask for, the relevant hits and what stands above these, is worked out without the other rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.retrieval.hits import Hits, Relevant
from evalcore.retrieval.id_table import Places, once, ordinals
from evalcore.retrieval.judgments import Pool

Since = npt.NDArray[np.unsignedinteger]


def _column(name: str) -> Any:
    """A column of the full state at the remaining rows, stage after stage; computed on demand."""
    return cached_property(lambda state: together(getattr(state.full, name), state.rows))


class ReducedPool(Pool):
    """The grades of the judged documents at each of some stages.

    `since` has for each row of the pool the stage since which it is there. Query i of stage s has the place
    ``(s - stages.start) * pool.count + i``. The highest grade is the same at each of these stages, which are some of
    the `number` of stages of the draw; `cache` keeps what all of them share.
    """

    def __init__(
        self, pool: Pool, since: Since, stages: range, highest: float, number: int, cache: dict[Any, Any]
    ) -> None:
        self.full, self.since, self.stages, self.number, self.cache = pool, since, stages, number, cache
        # The fields of the base are frozen, and worked out when they are asked for.
        self.__dict__.update(count=len(stages) * pool.count, highest=highest, _memo={})

    @cached_property
    def rows(self) -> list[Places]:
        """Rows of the full pool that are there, one array a stage."""
        return rows_left(self.since, self.stages)

    @cached_property
    def query(self) -> Places:
        return side_by_side(self.full.query, self.rows, self.full.count)

    grade = _column("grade")

    @cached_property
    def positive(self) -> Pool:
        since = once(self.cache, "positive", lambda: self.since[self.full.grade > 0])
        return ReducedPool(self.full.positive, since, self.stages, self.highest, self.number, {})

    def relevant(self, level: float) -> Places:
        def made() -> Places:
            rows = self.full.once(("rows", level), lambda: np.flatnonzero(self.full.grade >= level))
            return counts_left(self.full.query[rows], self.since[rows], self.number, self.full.count)

        counts = once(self.cache, ("relevant", level), made)
        return self.once(("relevant", level), counts[self.stages.start : self.stages.stop].ravel)


class ReducedHits(Hits):
    """The hits of a system at each of some stages, those of its pool.

    `since` has for each hit the stage since which it is judged; `pooled` tells whether what is not judged yet is known
    to be pooled; `cache` keeps what all stages of the draw share.
    """

    pool: ReducedPool

    def __init__(self, hits: Hits, since: Since, pool: ReducedPool, pooled: bool, cache: dict[Any, Any]) -> None:
        self.full, self.since, self.pooled, self.cache = hits, since, pooled, cache
        self.stages, self.number = pool.stages, pool.number
        self.__dict__.update(pool=pool, _memo={})

    @cached_property
    def rows(self) -> list[Places]:
        """Hits that are judged, one array a stage."""
        return rows_left(self.since, self.stages)

    @cached_property
    def query(self) -> Places:
        return side_by_side(self.full.query, self.rows, len(self.full))

    rank, grade, first, last = (_column(name) for name in ("rank", "grade", "first", "last"))

    @cached_property
    def retrieved(self) -> Places:
        return np.tile(self.full.retrieved, len(self.stages))

    def relevant(self, level: float) -> Relevant:
        def made() -> Relevant:
            full, (_, chosen) = self.full.relevant(level), self._relevant_rows(level)
            query, rank = side_by_side(full.query, chosen, len(self.full)), together(full.rank, chosen)
            return Relevant(query, rank, self._counts(level).ravel(), self.pool.relevant(level))

        return self.once(("relevant", level), made)

    def irrelevant_above(self, level: float) -> Places:
        def made() -> Places:
            return self._above("judged", self.full.grade >= 0, level) + 1 - self.relevant(level).ordinal

        return self.once(("irrelevant above", level), made)

    def pooled_above(self, level: float) -> Places:
        if self.pooled:
            return together(self.full.pooled_above(level), self._relevant_rows(level)[1])
        return self._above("pooled", None, level)

    def condensed(self) -> Hits:
        return _CondensedHits(self)

    def only(self, queries: npt.NDArray[np.bool_]) -> Hits:
        pool = Pool(self.pool.query, self.pool.grade, self.pool.count)
        return Hits(self.query, self.rank, self.grade, self.retrieved, pool, self.first, self.last).only(queries)

    def _relevant_rows(self, level: float) -> tuple[Places, list[Places]]:
        """Places of the relevant among the full hits, and which of them are judged, one array a stage."""
        indices = self.full.once(("rows", level), lambda: np.flatnonzero(self.full.grade >= level))
        since = once(self.cache, ("since", level), lambda: self.since[indices])
        return indices, self.once(("relevant rows", level), lambda: rows_left(since, self.stages))

    def _counts(self, level: float) -> Places:
        """Relevant hits of each stage and query, shape (stages, q)."""

        def made() -> Places:
            indices, _ = self._relevant_rows(level)
            return counts_left(self.full.query[indices], self.since[indices], self.number, len(self.full))

        return once(self.cache, ("counts", level), made)[self.stages.start : self.stages.stop]

    def _above(self, name: str, which: npt.NDArray[np.bool_] | None, level: float) -> Places:
        """Number of hits (or of some of them) above each relevant hit that remain at its stage."""
        indices, chosen = self._relevant_rows(level)
        starts = self.full.once("starts", lambda: np.searchsorted(self.full.query, np.arange(len(self.full))))
        never = np.iinfo(self.since.dtype).max
        since = once(
            self.cache,
            ("above", name),
            lambda: self.since if which is None or which.all() else np.where(which, self.since, never),
        )
        above, before = [], np.zeros(len(since) + 1, dtype=np.int64)
        for stage, rows, counts in zip(self.stages, chosen, self._counts(level), strict=True):
            np.cumsum(since <= stage, out=before[1:])
            above.append(before[indices[rows]] - np.repeat(before[starts], counts))
        return np.concatenate(above)


class _CondensedHits(ReducedHits):
    """Lists without the documents that are unjudged at a stage; the others close the ranks."""

    def __init__(self, source: ReducedHits) -> None:
        full = source.full
        judged = full.once("judged", lambda: full.of_rows(full.grade >= 0) if (full.grade < 0).any() else full)
        since = source.since if judged is full else source.since[full.grade >= 0]
        assert isinstance(source.pool, ReducedPool)
        super().__init__(judged, since, source.pool, False, {})
        self.source = source

    @cached_property
    def rank(self) -> Places:
        """Rank among the judged documents."""
        return ordinals(self.query)

    # Ties are broken by their order.
    first = last = property(lambda self: self.rank)

    @cached_property
    def retrieved(self) -> Places:
        """Number of judged documents in each list."""
        return np.bincount(self.query, minlength=len(self))

    def relevant(self, level: float) -> Relevant:
        """Relevant hits at their ranks in the condensed lists, without the unjudged documents."""
        relevant = self.source.relevant(level)
        return self.once(
            ("relevant", level), lambda: replace(relevant, rank=relevant.ordinal + self.source.irrelevant_above(level))
        )


def rows_left(since: Since, stages: range) -> list[Places]:
    """Rows that remain at each of some stages."""
    return [np.flatnonzero(since <= stage) for stage in stages]


def counts_left(query: Places, since: Since, stages: int, queries: int) -> Places:
    """Number of rows of each query at each of the first stages, shape (stages, queries)."""
    counts = np.bincount(since * np.int64(queries) + query, minlength=stages * queries)
    return counts[: stages * queries].reshape(stages, queries).cumsum(axis=0)


def together(values: npt.NDArray[Any], rows: Sequence[Places]) -> npt.NDArray[Any]:
    """Concatenate values per row, stage after stage."""
    return np.concatenate([values.take(some) for some in rows]) if len(rows) > 1 else values.take(rows[0])


def side_by_side(query: Places, rows: Sequence[Places], queries: int) -> Places:
    """Queries of some rows, stage after stage, numbered separately at each stage."""
    indices = together(query, rows)
    indices += np.repeat(np.arange(len(rows)) * queries, [len(some) for some in rows]) if len(rows) > 1 else 0
    return indices
