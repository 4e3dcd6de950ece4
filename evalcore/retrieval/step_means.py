"""The means of some measures for several systems at each step of a draw that hides ever more judgments.

The steps of a draw hide ever more of the same judgments. So all of them are worked out side by side, from the judged
documents alone, by the measures as they are defined: see `evalcore.retrieval.judgment_reduction`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import BLOCK, Array
from evalcore.registry import MetricDef
from evalcore.retrieval.hiding import Draw, JudgedRuns
from evalcore.retrieval.hits import Hits
from evalcore.retrieval.id_table import Places
from evalcore.retrieval.judgment_reduction import ReducedHits, ReducedPool, Since
from evalcore.retrieval.judgments import Pool
from evalcore.retrieval.memo import once

ROWS = 1 << 19
"""Hits that stand side by side at most, stage after stage; fewer than half of them are judged and relevant."""

Measure = Callable[[Hits], Array]


@dataclass(frozen=True, eq=False)
class StepMeans:
    """The means, and what all draws share: the systems with all judgments, each cut where a measure ends."""

    judged: JudgedRuns
    measures: Mapping[str, Measure]
    queries: npt.NDArray[np.bool_]  # which take part, shape (q,)
    _known: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def full(self) -> dict[str, Array]:
        """With all judgments, shape (m,)."""
        return self._means(self.judged.judgments.pool.highest, self.queries)

    def of(self, draw: Draw, steps: Sequence[float]) -> dict[str, Array]:
        """At each step of a draw, shape (s, m)."""
        last = [draw.last(step) for step in steps]
        return self._of_queries(draw, last) if draw.way == "queries" else self._of_judgments(draw, last)

    def _of_queries(self, draw: Draw, last: Sequence[float]) -> dict[str, Array]:
        """Over the queries that are left: they keep their judgments, and so their values."""
        means = []
        for turn in last:
            left = draw.turns <= turn
            means.append(self._means(float(self.judged.judgments.pool.tops[left].max(initial=0)), left & self.queries))
        return {
            name: np.array([one[name] for one in means]).reshape(len(last), len(self.judged.hits))
            for name in self.measures
        }

    def _means(self, highest: float, queries: npt.NDArray[np.bool_]) -> dict[str, Array]:
        """Over some queries, among which this grade is the highest."""
        count = max(np.count_nonzero(queries), 1)
        values = once(self._known, highest, lambda: self._values(highest))
        return {name: np.array([one[queries].sum() / count for one in rows]) for name, rows in values.items()}

    def _values(self, highest: float) -> dict[str, Array]:
        """One a system and query that has no grade above this one, shape (m, q); nan for the others."""
        some = self.judged.judgments.pool.tops <= highest
        values = {name: np.full((len(self.judged.hits), len(some)), np.nan) for name in self.measures}
        for system, hits in enumerate(self.judged.hits):
            part = hits if some.all() else hits.only(some)
            for name, measure in self.measures.items():
                values[name][system, some] = measure(part)
        return values

    def _of_judgments(self, draw: Draw, last: Sequence[float]) -> dict[str, Array]:
        judged, pooled, turns = self.judged, draw.way == "random", np.unique(last)
        since = np.zeros(len(draw.turns), dtype=np.uint8 if len(turns) < 255 else np.uint32)
        for turn in turns:
            since += draw.turns > turn
        # A stage that hides nothing is known already.
        number = len(turns) - int(pooled and len(since) in turns[-1:])
        in_pool, of_hits = since[judged.by_grade], [since[rows] for rows in judged.rows]
        shape = (len(judged.hits), number, len(self.queries))
        values = {name: np.empty(shape) for name in self.measures}
        blocks = list(self._blocks(in_pool, number))
        for part in self._parts:
            pool_cache, caches = {}, [{} for _ in part.cut]
            for stages, highest in blocks:
                pool = ReducedPool(part.pool, in_pool[part.rows], stages, highest, len(turns), pool_cache)
                for one, cache in zip(part.cut, caches, strict=True):
                    left = ReducedHits(one.hits, of_hits[one.system][one.rows], pool, pooled, cache)
                    for name in one.names:
                        result = self.measures[name](left).reshape(len(stages), -1)
                        values[name][one.system, stages.start : stages.stop, part.queries] = result
        count = max(np.count_nonzero(self.queries), 1)
        means = {}
        for name, result in values.items():
            # Each row in one piece, so that its sum rounds as that of one stage alone.
            chosen = result if self.queries.all() else np.compress(self.queries, result, axis=-1)
            means[name] = np.vstack([chosen.sum(axis=-1).T / count, *[self.full[name]] * (len(turns) - number)])
        return {name: result[np.searchsorted(turns, last)] for name, result in means.items()}

    def _blocks(self, since: Since, number: int) -> Iterator[tuple[range, float]]:
        """Stages that go side by side, and their highest grade: some measures know only one of it."""
        longest = max((len(one.hits.query) for part in self._parts for one in part.cut), default=0)
        most = max(ROWS // max(longest, *(part.pool.count for part in self._parts), 1), 1)
        highest, start = self._highest(since, number), 0
        for stage in range(1, number + 1):
            if stage == number or stage - start == most or highest[stage] != highest[start]:
                yield range(start, stage), highest[start]
                start = stage

    def _highest(self, since: Since, number: int) -> list[float]:
        """The highest grade at each stage, at least 0."""
        (rows, starts), grade = self._falling, self.judged.judgments.pool.grade
        highest, known = [0.0] * number, number
        for start, end in pairwise(starts.tolist()):
            first = int(since[rows[start:end]].min())
            if first < known:
                highest[first:known] = [float(grade[rows[start]])] * (known - first)
                known = first
            if not known:
                break
        return highest

    @cached_property
    def _parts(self) -> list[_Part]:
        """The queries in stretches, whose hits stay in the cache."""
        names: dict[float, list[str]] = {}
        for name, measure in self.measures.items():
            names.setdefault(cut_of(measure), []).append(name)
        count, pool, systems = len(self.queries), self.judged.judgments.pool, self.judged.hits
        sizes = [np.bincount(hits.query, minlength=count) for hits in systems]
        ends = np.cumsum(np.maximum.reduce([np.ones(count, dtype=np.int64), *sizes])) // BLOCK
        bounds = [0, *(np.flatnonzero(np.diff(ends)) + 1).tolist(), count]
        return [_Part.of(pool, systems, slice(start, stop), names) for start, stop in pairwise(bounds) if start < stop]

    @cached_property
    def _falling(self) -> tuple[Places, Places]:
        """Rows of the pool from the highest grade to the lowest above 0, and where each grade begins and all end."""
        grade = self.judged.judgments.pool.grade
        rows = np.flatnonzero(grade > 0)
        rows = rows[np.argsort(-grade[rows], kind="stable")]
        return rows, np.append(np.flatnonzero(np.diff(grade[rows], prepend=inf)), len(rows))


@dataclass(frozen=True, eq=False)
class _Cut:
    """The hits of one system for a stretch of queries down to the rank where some measures end."""

    names: list[str]
    system: int
    hits: Hits
    rows: Any

    @classmethod
    def of(cls, names: list[str], system: int, hits: Hits, rows: slice, k: float) -> _Cut:
        within = hits.rank <= k
        if within.all():
            return cls(names, system, hits, rows)
        return cls(names, system, hits.of_rows(within), rows.start + np.flatnonzero(within))


@dataclass(frozen=True, eq=False)
class _Part:
    """A stretch of queries: their pool, which rows of the whole pool it is, and their hits."""

    queries: slice
    pool: Pool
    rows: slice
    cut: list[_Cut]

    @classmethod
    def of(cls, pool: Pool, systems: Sequence[Hits], queries: slice, names: Mapping[float, list[str]]) -> _Part:
        rows = _stretch(pool.query, queries)
        own = Pool(pool.query[rows] - queries.start, pool.grade[rows], queries.stop - queries.start)
        cut = []
        for system, hits in enumerate(systems):
            some = _stretch(hits.query, queries)
            query = hits.query[some] - queries.start
            part = hits.of_rows(some, query=query, retrieved=hits.retrieved[queries], pool=own)
            cut += [_Cut.of(asked, system, part, some, k) for k, asked in names.items()]
        return cls(queries, own, rows, cut)


def _stretch(query: Places, queries: slice) -> slice:
    """The rows of a stretch of queries, which ascend."""
    return slice(*np.searchsorted(query, [queries.start, queries.stop]).tolist())


def cut_of(measure: Measure) -> float:
    """The rank at which a measure ends, infinite where it reads whole lists."""
    if not isinstance(measure, MetricDef) or measure.cut is None or measure.cut.name != "k":
        return inf
    return float(measure.arguments.get("k", measure.cut.default))
