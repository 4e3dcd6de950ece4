"""Whether the order of systems would hold with fewer judgments: hide some of them, in the ways judging is saved on.

Hiding needs no look into the runs: the judged documents stay where they are, and some of them lose their grade. So the
runs are joined to the judgments once, and each draw after that costs as much as the measures do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array
from evalcore.retrieval.hits import Hits
from evalcore.retrieval.id_table import Places, ordinals
from evalcore.retrieval.judgments import Judgments, Pool
from evalcore.retrieval.runs import Run

__all__ = ["WAYS", "JudgedRuns", "RemainingJudgments", "steps_of"]

WAYS = ("random", "queries", "pool", "few")
"""Ways to have fewer judgments.

``random``: a share of them is hidden, of all queries alike. ``queries``: a share of the queries is hidden with all
their judgments, so the others stay densely judged. ``pool``: only what some system ranked high enough was judged.
``few``: of each query only some relevant documents are known, and nothing else.
"""

SEED = 20
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
DEPTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
HIDDEN = -np.inf
"""The grade of what is pooled and not judged any more: below every grade for which a table may name a gain."""


@dataclass(frozen=True, eq=False)
class JudgedRuns:
    """The judged documents of several runs, each with the place of its judgment."""

    judgments: Judgments
    hits: tuple[Hits, ...]  # of each system
    rows: tuple[Places, ...]  # of each system the judgment of each hit, shape (h,)

    @classmethod
    def of(cls, judgments: Judgments, runs: Mapping[str, Run]) -> JudgedRuns:
        """Those of some runs, in their order."""
        joined = [Hits.with_places(judgments, run) for run in runs.values()]
        return cls(judgments, tuple(hits for hits, _ in joined), tuple(rows for _, rows in joined))

    @cached_property
    def depth(self) -> Array:
        """The best rank of each judged document in any of the runs, infinite where none has it, shape (j,)."""
        best = np.full(len(self.judgments), np.inf)
        for hits, rows in zip(self.hits, self.rows, strict=True):
            best[rows] = np.minimum(best[rows], hits.rank)
        return best

    @cached_property
    def by_grade(self) -> Places:
        """The judgments in the order of `Judgments.pool`: by query, the highest grade first."""
        return np.lexsort((-self.judgments.grades, self.judgments.codes))

    def draw(self, way: str, seed: int = SEED, level: float = 1) -> Draw:
        """In which order the judgments are given up by one of the `WAYS`; another one raises a ValueError."""
        if way not in WAYS:
            raise ValueError(f"{way!r} is no way to hide judgments; use one of {', '.join(WAYS)}.")
        judged, random = self.judgments, np.random.default_rng(seed)
        queries = len(judged.queries)
        if way == "pool":
            turns = self.depth
        elif way == "few":
            relevant = np.flatnonzero(judged.grades >= level)
            order = relevant[np.lexsort((random.random(len(relevant)), judged.codes[relevant]))]
            turns = np.full(len(judged), np.inf)
            turns[order] = ordinals(judged.codes[order])
        else:
            length = len(judged) if way == "random" else queries
            turns = np.empty(length, dtype=np.int32)
            turns[random.permutation(length)] = np.arange(length, 0, -1)
        return Draw(way, turns, judged.codes, queries)

    def with_only(self, remaining: RemainingJudgments) -> tuple[Hits, ...]:
        """The hits of each system as if only these judgments had been made."""
        judged, left, systems = self.judgments, remaining.judgments, list(zip(self.hits, self.rows, strict=True))
        if remaining.pooled:
            grades = np.where(left, judged.grades, HIDDEN)
            pool = Pool.of(judged.codes, grades, len(judged.queries))
            return tuple(replace(hits, grade=grades[rows], pool=pool) for hits, rows in systems)
        pool = Pool.of(judged.codes[left], judged.grades[left], len(judged.queries))
        fewer = [hits.of_rows(left[rows], pool=pool) for hits, rows in systems]
        return tuple(fewer if remaining.queries.all() else [hits.only(remaining.queries) for hits in fewer])


@dataclass(frozen=True, eq=False)
class RemainingJudgments:
    """Which judgments are left."""

    judgments: npt.NDArray[np.bool_]  # shape (j,)
    queries: npt.NDArray[np.bool_]  # shape (q,): the means run over these
    # Whether it is still known that the hidden documents were pooled, as it is where a random part of a pool was
    # judged: inferred average precision is made for that.
    pooled: bool


@dataclass(frozen=True, eq=False)
class Draw:
    """In which order judgments are given up: a step keeps those whose turn is late."""

    way: str  # one of `WAYS`
    turns: npt.NDArray[Any]  # the smaller, the longer it is kept; shape (j,), or (q,) where whole queries are hidden
    codes: Places  # place of each judgment's query, shape (j,)
    count: int  # of the queries

    def last(self, step: float) -> float:
        """The largest turn that is kept at a step: the fewer are kept the smaller it is.

        A step is the share that is hidden, the depth of the pool, or the relevant documents that are known of a query;
        one that makes no sense raises a ValueError.
        """
        shares = self.way in ("random", "queries")
        if not 0 <= step <= (1 if shares else np.inf):
            raise ValueError(f"The step is {step:g}; give a share in 0 … 1, or a number of documents.")
        if not shares:
            return step
        length = len(self.turns)
        # One query is left, or there would be nothing to compare.
        return length - min(round(step * length), length - (self.way == "queries"))

    def remaining(self, step: float) -> RemainingJudgments:
        """What is left at a step."""
        left = self.turns <= self.last(step)
        if self.way == "queries":
            return RemainingJudgments(left[self.codes], left, pooled=False)
        return RemainingJudgments(left, np.ones(self.count, dtype=bool), pooled=self.way == "random")


def steps_of(way: str, judged: JudgedRuns, level: float = 1) -> tuple[float, ...]:
    """The steps of one of the `WAYS` that differ for these judgments, from all of them to the fewest.

    >>> judgments = Judgments.from_arrays(["q"] * 3, ["a", "b", "c"], [1, 1, 1])
    >>> judged = JudgedRuns.of(judgments, {"one": Run.from_arrays(["q"] * 3, ["a", "b", "c"], [3, 2, 1])})
    >>> steps_of("pool", judged), steps_of("few", judged), steps_of("random", judged)[:3]
    ((3, 2, 1), (3, 2, 1), (0.0, 0.1, 0.2))
    """
    if way in ("random", "queries"):
        return SHARES
    sizes = judged.depth[np.isfinite(judged.depth)] if way == "pool" else judged.judgments.pool.relevant(level)
    deepest = int(sizes.max(initial=1))
    return tuple(sorted({*(depth for depth in DEPTHS if depth < deepest), deepest}, reverse=True))
