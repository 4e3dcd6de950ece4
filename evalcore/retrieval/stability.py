"""Stability of the order of systems when judgments are removed step by step, draw after draw."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from math import inf
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, Flags, at_once, ratio
from evalcore.registry import MetricDef
from evalcore.retrieval.hits import Hits, Relevant
from evalcore.retrieval.id_table import Places, once, ordinals
from evalcore.retrieval.incomplete import SEED, Draw, JudgedRuns
from evalcore.retrieval.judgments import Pool

__all__ = ["OrderStability", "order_stability"]

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

    def _above(self, name: str, which: Flags | None, level: float) -> Places:
        """Number of hits (or of some of them) above each relevant hit that remain at its stage."""
        indices, chosen = self._relevant_rows(level)
        starts = self.full.once("starts", lambda: np.searchsorted(self.full.query, np.arange(len(self.full))))
        never = np.iinfo(self.since.dtype).max
        made = lambda: self.since if which is None or which.all() else np.where(which, self.since, never)  # noqa: E731
        since = once(self.cache, ("above", name), made)
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
        above = self.source.irrelevant_above
        return self.once(("relevant", level), lambda: replace(relevant, rank=relevant.ordinal + above(level)))


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


ROWS = 1 << 19
"""Hits that stand side by side at most, stage after stage; fewer than half of them are judged and relevant."""

Measure = Callable[[Hits], Array]


@dataclass(frozen=True, eq=False)
class StepMeans:
    """Means of the measures at each step, with the hits of all systems cut at the rank where a measure ends."""

    judged: JudgedRuns
    measures: Mapping[str, Measure]
    queries: Flags  # which take part, shape (q,)
    _known: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def full(self) -> dict[str, Array]:
        """Mean of each measure with all judgments, shape (m,)."""
        return self._means(self.judged.judgments.pool.highest, self.queries)

    def of(self, draw: Draw, steps: Sequence[float]) -> dict[str, Array]:
        """Mean of each measure at each step of a draw, shape (s, m)."""
        last = [draw.last(step) for step in steps]
        return self._of_queries(draw, last) if draw.way == "queries" else self._of_judgments(draw, last)

    def _of_queries(self, draw: Draw, last: Sequence[float]) -> dict[str, Array]:
        """Means over the queries that remain, which keep their judgments and values."""
        means = []
        for turn in last:
            left = draw.turns <= turn
            means.append(self._means(float(self.judged.judgments.pool.tops[left].max(initial=0)), left & self.queries))
        shape = len(last), len(self.judged.hits)
        return {name: np.array([one[name] for one in means]).reshape(shape) for name in self.measures}

    def _means(self, highest: float, queries: Flags) -> dict[str, Array]:
        """Means over some queries, of which this is the highest grade."""
        count = max(np.count_nonzero(queries), 1)
        values = once(self._known, highest, lambda: self._values(highest))
        return {name: np.array([one[queries].sum() / count for one in rows]) for name, rows in values.items()}

    def _values(self, highest: float) -> dict[str, Array]:
        """Values per system and query of no grade above `highest`, shape (m, q); nan for the other queries."""
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
        pool_cache, caches = {}, [{} for _ in self._cuts]
        for stages, highest in self._blocks(in_pool, number):
            pool = ReducedPool(judged.judgments.pool, in_pool, stages, highest, len(turns), pool_cache)
            for (system, names, hits, rows), cache in zip(self._cuts, caches, strict=True):
                left = ReducedHits(hits, of_hits[system][rows], pool, pooled, cache)
                for name in names:
                    result = self.measures[name](left).reshape(len(stages), -1)
                    values[name][system, stages.start : stages.stop] = result
        count = max(np.count_nonzero(self.queries), 1)
        means = {}
        for name, result in values.items():
            # Each row in one piece, so that its sum rounds as that of one stage alone.
            chosen = result if self.queries.all() else np.compress(self.queries, result, axis=-1)
            means[name] = np.vstack([chosen.sum(axis=-1).T / count, *[self.full[name]] * (len(turns) - number)])
        return {name: result[np.searchsorted(turns, last)] for name, result in means.items()}

    def _blocks(self, since: Since, number: int) -> Iterator[tuple[range, float]]:
        """Stages that can be computed together, and their highest grade: some measures allow only one."""
        longest = max(self.judged.judgments.pool.count, *(len(hits.query) for *_, hits, _ in self._cuts), 1)
        most = max(ROWS // longest, 1)
        highest, start = self._highest(since, number), 0
        for stage in range(1, number + 1):
            if stage == number or stage - start == most or highest[stage] != highest[start]:
                yield range(start, stage), highest[start]
                start = stage

    def _highest(self, since: Since, number: int) -> list[float]:
        """The highest grade at each stage, at least 0."""
        highest = np.zeros(number + 1)
        np.maximum.at(highest, np.minimum(since, number), self.judged.judgments.pool.grade)
        return np.maximum.accumulate(highest[:number]).tolist()

    @cached_property
    def _cuts(self) -> list[tuple[int, list[str], Hits, Places]]:
        """Per system and rank where measures end: the system, their names, the hits down to that rank, and which."""
        names: dict[float, list[str]] = {}
        for name, measure in self.measures.items():
            names.setdefault(cut_of(measure), []).append(name)
        cuts = []
        for (system, hits), (k, asked) in product(enumerate(self.judged.hits), names.items()):
            within = np.flatnonzero(hits.rank <= k)
            cuts.append((system, asked, hits.of_rows(within), within))
        return cuts


def cut_of(measure: Measure) -> float:
    """The rank at which a measure ends, infinite where it reads whole lists."""
    if not isinstance(measure, MetricDef) or measure.cut is None or measure.cut.name != "k":
        return inf
    return float(measure.arguments.get("k", measure.cut.default))


_NEAR = 1e-12


@dataclass(frozen=True, eq=False)
class OrderStability:
    """Stability of the order of systems with fewer judgments, by measure."""

    steps: tuple[float, ...]
    full: dict[str, Array]  # shape (m,): mean of each measure for each system with all judgments
    means: dict[str, Array]  # shape (s, d, m): the same for each step and draw

    @classmethod
    def joined(cls, parts: "Sequence[OrderStability]") -> "OrderStability":
        """Draws that were made one by one, of the same systems, measures and steps."""
        if not parts:
            raise ValueError("There is no seed; give one for each draw.")
        first = parts[0]
        means = {name: np.concatenate([part.means[name] for part in parts], axis=1) for name in first.full}
        return cls(first.steps, first.full, means)

    @cached_property
    def tau(self) -> dict[str, Array]:
        """Kendall's tau-b of `full` with each of the means, shape (s, d); nan where all systems are equal."""
        return {name: kendall_tau(full, self.means[name]) for name, full in self.full.items()}

    @cached_property
    def same_best(self) -> dict[str, Flags]:
        """Test whether the best system is still the only best one, shape (s, d)."""
        return {name: _same_best(full, self.means[name]) for name, full in self.full.items()}

    def mean_tau(self, name: str) -> Array:
        """Mean tau of a measure over the draws in which it is defined, nan where it is in none, shape (s,)."""
        defined = ~np.isnan(self.tau[name])
        return ratio(np.where(defined, self.tau[name], 0.0).sum(axis=1), defined.sum(axis=1))

    def lowest_tau(self, name: str) -> Array:
        """The lowest tau of a measure over the draws, nan where it is undefined in all of them, shape (s,)."""
        return np.fmin.reduce(self.tau[name], axis=1)

    def same_order(self, name: str) -> npt.NDArray[np.int64]:
        """Number of draws with exactly the same order of systems, shape (s,)."""
        return np.count_nonzero(self.tau[name] >= 1 - _NEAR, axis=1)


def order_stability(
    judged: JudgedRuns, measures: Mapping[str, Measure], way: str, steps: Sequence[float],
    seeds: Sequence[int] = (SEED,), level: float = 1, queries: Flags | None = None,
) -> Iterator[OrderStability]:  # fmt: skip
    """Hide judgments step by step by one of `WAYS`, and compare the order of the systems with that of all judgments.

    Yields draw by draw, one per seed, each as it is made, for callers that show progress or stop. A pool needs no draw:
    only the first seed is used. Only the order counts, whether higher or lower is better. `queries` flags those that
    take part, by default all. An unknown way is a ValueError, and so is a step that makes no sense.
    """
    queries = np.ones(len(judged.judgments.queries), dtype=bool) if queries is None else queries
    means = StepMeans(judged, measures, queries)
    full = means.full

    def stability(seed: int) -> OrderStability:
        of_steps = means.of(judged.draw(way, seed, level), steps)
        return OrderStability(tuple(steps), full, {name: values[:, None] for name, values in of_steps.items()})

    seeds = tuple(seeds)[:1] if way == "pool" else tuple(seeds)
    rows = len(steps) * sum(len(hits.query) for hits in judged.hits)
    # Two at once; what the first two both ask for, each may work out for itself.
    for one, two in zip(seeds[::2], seeds[1::2], strict=False):
        yield from at_once(partial(stability, one), partial(stability, two), rows)
    if len(seeds) % 2:
        yield stability(seeds[-1])


def kendall_tau(a: npt.ArrayLike, b: npt.ArrayLike) -> Array:
    """Tau-b of one value per system with each of several such lists, shapes (m,) and (…, m); nan where all are equal.

    M. Kendall (1945), The treatment of ties in ranking problems, Biometrika 33.
    """
    one, several = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if one.ndim != 1 or several.shape[-1:] != one.shape:
        raise ValueError(f"The shapes are {one.shape} and {several.shape}; give one value per system in each.")
    i, j = np.triu_indices(len(one), 1)
    first, second = (np.sign(values[..., i] - values[..., j]) for values in (one, several))
    pairs = np.count_nonzero(first) * np.count_nonzero(second, axis=-1).astype(np.float64)
    return ratio((first * second).sum(axis=-1), np.sqrt(pairs))


def _same_best(full: Array, fewer: Array) -> Flags:
    """Test whether the highest of `full`, if unique, is also the only highest along the last axis of `fewer`."""
    best = full == full.max()
    if np.count_nonzero(best) != 1:
        return np.zeros(fewer.shape[:-1], dtype=bool)
    return ((fewer == fewer.max(axis=-1, keepdims=True)) == best).all(axis=-1)
