"""Whether the order of systems would hold with fewer judgments: hide some of them, in the ways judging is saved on.

Hiding needs no look into the runs: the judged documents stay where they are, and some of them lose their grade. So the
runs are joined to the judgments once, and each draw after that costs as much as the measures do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array
from evalcore.retrieval.hits import Hits, ordinals
from evalcore.retrieval.judgments import Judgments, Pool
from evalcore.retrieval.names import Places
from evalcore.retrieval.pooling import SEED, kendall_tau
from evalcore.retrieval.runs import Run

WAYS = ("random", "queries", "pool", "few")
"""Ways to have fewer judgments.

``random``: a share of them is hidden, of all queries alike. ``queries``: a share of the queries is hidden with all
their judgments, so the others stay densely judged. ``pool``: only what some system ranked high enough was judged.
``few``: of each query only some relevant documents are known, and nothing else.
"""

SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
_NEAR = 1e-12
DEPTHS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, eq=False)
class JudgedRuns:
    """The judged documents of several runs, each with the place of its judgment.

    Attributes
    ----------
    judgments : Judgments
    hits : tuple of Hits, length m
        One a system.
    places : tuple of arrays of int, length m
        The judgment of each hit.
    """

    judgments: Judgments
    hits: tuple[Hits, ...]
    places: tuple[Places, ...]

    @classmethod
    def of(cls, judgments: Judgments, runs: Mapping[str, Run]) -> JudgedRuns:
        """Those of some runs, in their order."""
        joined = [Hits.with_places(judgments, run) for run in runs.values()]
        return cls(judgments, tuple(hits for hits, _ in joined), tuple(places for _, places in joined))

    @cached_property
    def depth(self) -> Array:
        """The best rank of each judged document in any of the runs, infinite where none has it, shape (j,)."""
        best = np.full(len(self.judgments), np.inf)
        for hits, places in zip(self.hits, self.places, strict=True):
            best[places] = np.minimum(best[places], hits.rank)
        return best

    def kept(self, way: str, step: float, seed: int = SEED, level: float = 1) -> Kept:
        """What is left of the judgments.

        Parameters
        ----------
        way : str
            One of `WAYS`.
        step : float
            The share that is hidden, or the depth of the pool, or the relevant documents that are known of a query.
        seed : int
            A larger share of one seed hides the same and more.
        level : float
            Lowest relevant grade.

        Raises
        ------
        ValueError
            When the way is unknown or the step makes no sense.
        """
        judged, queries = self.judgments, np.ones(len(self.judgments.queries), dtype=bool)
        if way not in WAYS:
            raise ValueError(f"{way!r} is no way to hide judgments; use one of {', '.join(WAYS)}.")
        if not 0 <= step <= (1 if way in ("random", "queries") else np.inf):
            raise ValueError(f"The step is {step:g}; give a share in 0 … 1, or a number of documents.")
        if way == "pool":
            return Kept(self.depth <= step, queries, pooled=False)
        random = np.random.default_rng(seed)
        if way == "random":
            kept = np.ones(len(judged), dtype=bool)
            kept[random.permutation(len(judged))[: round(step * len(judged))]] = False
            return Kept(kept, queries, pooled=True)
        if way == "queries":
            # One query is left, or there would be nothing to compare.
            hidden = min(round(step * len(queries)), len(queries) - 1)
            queries[random.permutation(len(queries))[:hidden]] = False
            return Kept(queries[judged.codes], queries, pooled=False)
        relevant = np.flatnonzero(judged.grades >= level)
        drawn = relevant[np.lexsort((random.random(len(relevant)), judged.codes[relevant]))]
        kept = np.zeros(len(judged), dtype=bool)
        kept[drawn[ordinals(judged.codes[drawn]) <= step]] = True
        return Kept(kept, queries, pooled=False)

    def with_only(self, kept: Kept) -> tuple[Hits, ...]:
        """The hits of each system as if only these judgments had been made."""
        judged = self.judgments
        if kept.pooled:
            grades = np.where(kept.judgments, judged.grades, -1.0)
            pool = Pool.of(judged.codes, grades, len(judged.queries))
            return tuple(
                replace(hits, grade=grades[places], pool=pool)
                for hits, places in zip(self.hits, self.places, strict=True)
            )
        pool = Pool.of(judged.codes[kept.judgments], judged.grades[kept.judgments], len(judged.queries))
        found = []
        for hits, places in zip(self.hits, self.places, strict=True):
            rows = kept.judgments[places]
            parts = {name: getattr(hits, name)[rows] for name in ("query", "rank", "grade", "first", "last")}
            fewer = replace(hits, pool=pool, **parts)
            found.append(fewer if kept.queries.all() else fewer.only(kept.queries))
        return tuple(found)


@dataclass(frozen=True, eq=False)
class Kept:
    """Which judgments are left.

    Attributes
    ----------
    judgments : array of bool, shape (j,)
    queries : array of bool, shape (q,)
        The means run over these.
    pooled : bool
        Whether it is still known that the hidden documents were pooled, as it is where a random part of a pool was
        judged: inferred average precision is made for that.
    """

    judgments: npt.NDArray[np.bool_]
    queries: npt.NDArray[np.bool_]
    pooled: bool


@dataclass(frozen=True, eq=False)
class OrderKept:
    """How some measures order the systems with fewer judgments.

    Attributes
    ----------
    steps : tuple of float, length s
    full : dict of str to Array, shape (m,)
        Mean of each measure for each system with all judgments.
    means : dict of str to Array, shape (s, d, m)
        The same for each step and draw.
    tau : dict of str to Array, shape (s, d)
        Kendall's tau-b of the two; nan where all systems are equal.
    same_best : dict of str to bool Array, shape (s, d)
        Whether the best system is still the only best one.
    """

    steps: tuple[float, ...]
    full: dict[str, Array]
    means: dict[str, Array]
    tau: dict[str, Array]
    same_best: dict[str, npt.NDArray[np.bool_]]

    @classmethod
    def joined(cls, parts: Sequence[OrderKept]) -> OrderKept:
        """Draws that were made one by one, of the same systems, measures and steps."""
        first, names = parts[0], parts[0].full
        means, tau, best = (
            {name: np.concatenate([getattr(part, what)[name] for part in parts], axis=1) for name in names}
            for what in ("means", "tau", "same_best")
        )
        return cls(first.steps, first.full, means, tau, best)

    def mean_tau(self, name: str) -> Array:
        """Mean tau of a measure over the draws in which it is defined, nan where it is in none, shape (s,)."""
        tau = self.tau[name]
        defined = ~np.isnan(tau)
        counts = defined.sum(axis=1)
        sums = np.where(defined, tau, 0.0).sum(axis=1)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def lowest_tau(self, name: str) -> Array:
        """The lowest tau of a measure over the draws, nan where it is undefined in all of them, shape (s,)."""
        return np.fmin.reduce(self.tau[name], axis=1)

    def held(self, name: str) -> npt.NDArray[np.int64]:
        """In how many draws the order is the very same, shape (s,)."""
        return np.count_nonzero(self.tau[name] >= 1 - _NEAR, axis=1)


def order_kept(
    judged: JudgedRuns,
    measures: Mapping[str, Callable[[Hits], Array]],
    way: str,
    steps: Sequence[float],
    seeds: Sequence[int] = (SEED,),
    level: float = 1,
    queries: npt.NDArray[np.bool_] | None = None,
) -> OrderKept:
    """Hide judgments step by step, several times, and compare the order of the systems with that of all judgments.

    Parameters
    ----------
    judged : JudgedRuns
    measures : mapping of str to callable
        Higher is better, or lower is better for all systems alike: only the order counts.
    way : str
        One of `WAYS`.
    steps : sequence of float, length s
    seeds : sequence of int, length d
        One draw each. A pool needs no draw: its first seed stands for all.
    level : float
        Lowest relevant grade.
    queries : array of bool, shape (q,), optional
        Those that take part; by default all.

    Examples
    --------
    >>> judgments = Judgments.from_arrays(["q"] * 4, ["a", "b", "c", "d"], [1, 0, 1, 0])
    >>> runs = {"one": Run.from_arrays(["q"] * 2, ["a", "c"], [2, 1]), "two": Run.from_arrays(["q"], ["b"], [1])}
    >>> from evalcore import find
    >>> found = order_kept(JudgedRuns.of(judgments, runs), {"AP": find("AP", "retrieval")}, "pool", [1, 2])
    >>> found.full["AP"].tolist(), found.means["AP"][0].tolist(), found.tau["AP"].tolist()
    ([1.0, 0.0], [[1.0, 0.0]], [[1.0], [1.0]])
    """
    seeds = tuple(seeds)[:1] if way == "pool" else tuple(seeds)
    everyone = np.ones(len(judged.judgments.queries), dtype=bool) if queries is None else queries
    full = {name: _means(measure, judged.hits, everyone) for name, measure in measures.items()}
    means = {name: np.empty((len(steps), len(seeds), len(judged.hits))) for name in measures}
    for row, step in enumerate(steps):
        # Nothing hidden is the same for every seed.
        draws = seeds[:1] if step == 0 else seeds
        for column, seed in enumerate(draws):
            kept = judged.kept(way, step, seed, level)
            fewer = judged.with_only(kept)
            chosen = everyone[kept.queries]
            for name, measure in measures.items():
                part = slice(column, column + 1) if len(draws) == len(seeds) else slice(None)
                means[name][row, part] = _means(measure, fewer, chosen)
    return OrderKept(
        tuple(steps),
        full,
        means,
        {name: _over(values, lambda one, name=name: kendall_tau(full[name], one)) for name, values in means.items()},
        {name: _over(values, lambda one, name=name: _is_best(full[name], one)) for name, values in means.items()},
    )


def steps_of(way: str, judged: JudgedRuns, level: float = 1) -> tuple[float, ...]:
    """The steps of a way that differ for these judgments, from all of them to the fewest.

    Parameters
    ----------
    way : str
        One of `WAYS`.
    judged : JudgedRuns
    level : float
        Lowest relevant grade.

    Examples
    --------
    >>> judgments = Judgments.from_arrays(["q"] * 3, ["a", "b", "c"], [1, 1, 1])
    >>> judged = JudgedRuns.of(judgments, {"one": Run.from_arrays(["q"] * 3, ["a", "b", "c"], [3, 2, 1])})
    >>> steps_of("pool", judged), steps_of("few", judged), steps_of("random", judged)[:3]
    ((3, 2, 1), (3, 2, 1), (0.0, 0.1, 0.2))
    """
    if way in ("random", "queries"):
        return SHARES
    if way == "pool":
        ranks = judged.depth[np.isfinite(judged.depth)]
        deepest = int(ranks.max(initial=1))
    else:
        deepest = int(judged.judgments.pool.relevant(level).max(initial=1))
    return tuple(sorted({*(depth for depth in DEPTHS if depth < deepest), max(deepest, 1)}, reverse=True))


def _means(measure: Callable[[Hits], Array], hits: Sequence[Hits], queries: npt.NDArray[np.bool_]) -> Array:
    return np.array([values[queries].sum() / max(np.count_nonzero(queries), 1) for values in map(measure, hits)])


def _over(values: Array, make: Callable[[Array], float | bool]) -> Array:
    return np.array([[make(one) for one in draws] for draws in values])


def _is_best(full: Array, fewer: Array) -> bool:
    """Whether the highest of `full`, where it is one, is the only highest of `fewer`."""
    first = np.flatnonzero(full == full.max())
    return bool(len(first) == 1 and (np.flatnonzero(fewer == fewer.max()) == first).all())
