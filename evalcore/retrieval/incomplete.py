"""Incomplete judgments and ties: measures of judged documents only, and bounds of a measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, Flags
from evalcore.registry import MetricDef, metric
from evalcore.retrieval.evaluation import Measures, definitions_of
from evalcore.retrieval.hits import Hits, share
from evalcore.retrieval.id_table import Places, ordinals
from evalcore.retrieval.judgments import Judgments, Pool
from evalcore.retrieval.ranked import CUT, LEVEL, gains
from evalcore.retrieval.runs import Run

__all__ = ["WAYS", "JudgedRuns", "Range", "RemainingJudgments", "bpref", "inferred_average_precision", "judged_at"]
__all__ += ["steps_of", "tie_ranges", "unjudged_ranges"]

EPSILON = 1e-5  # added to counts so that the inferred precision is defined where nothing was judged yet


@metric(
    name="Binary preference", symbol="bpref", family="retrieval",
    formula=r"\frac{1}{R} \sum_{rel} \left(1 - \frac{\min(N_{before}, R)}{\min(N, R)}\right)", lowest=0, highest=1,
    best=1, params=(LEVEL,), reference="buckley2004",
)  # fmt: skip
def bpref(hits: Hits, rel: float = 1) -> Array:
    """How rarely a document judged irrelevant ranks above a relevant one.

    How to read it: it uses judged documents only, so unjudged ones neither help nor hurt. N is the number of documents
    judged irrelevant. With complete judgments it behaves much like average precision.

    >>> bpref(Hits.of_grades([1, None, 0, 1], unretrieved=[0])).tolist()
    [0.75]
    """
    relevant, before = hits.relevant(rel), hits.irrelevant_above(rel)
    query, total = relevant.query, relevant.total
    # Where nothing was judged irrelevant, nothing stands above either.
    most = np.maximum(np.minimum(hits.pool.judged - total, total), 1)
    terms = 1.0 - np.minimum(before, total[query]) / most[query]
    return share(np.bincount(query, terms, minlength=len(hits)), total)


@metric(
    name="Inferred average precision", symbol="infAP", family="retrieval",
    formula=r"\frac{1}{R} \sum_{rel} \left(\frac{1}{i} + \frac{i-1}{i} \cdot \frac{r+s+u}{i-1} \cdot "
    r"\frac{r + \epsilon}{r + s + 2\epsilon}\right)", lowest=0, highest=1, best=1, params=(LEVEL,),
    aliases=("inferred AP",), reference="yilmaz2006",
)  # fmt: skip
def inferred_average_precision(hits: Hits, rel: float = 1) -> Array:
    """Average precision, estimated when only a random part of the pool was judged.

    How to read it: above rank i, r documents are relevant, s are irrelevant and u were pooled but not judged (their
    grade is negative); the u are assumed to be relevant as often as the judged ones. With everything judged it is
    average precision but for a trace of ε = 0.00001.

    >>> inferred_average_precision(Hits.of_grades([1, -1, 1])).round(4).tolist()
    [1.0]
    """
    known = hits.relevant(rel)
    rank, r, above = known.rank.astype(np.float64), known.ordinal - 1, hits.pooled_above(rel)
    judged_above = r + hits.irrelevant_above(rel)
    j = rank - 1
    # At rank 1, where j is 0, nothing is added.
    parts = 1.0 / rank + (j / rank) * (above / np.maximum(j, 1.0)) * ((r + EPSILON) / (judged_above + 2 * EPSILON))
    return share(known.summed(parts), known.total)


@metric(
    name="Judged at k", symbol="judged", family="retrieval", formula=r"\frac{|judged_{i \le k}|}{\min(k, n)}", lowest=0,
    highest=1, best=1, params=(CUT,), reference="lu2016", percent=True,
)  # fmt: skip
def judged_at(hits: Hits, k: float = 10) -> Array:
    """Share of the first k documents that were judged.

    How to read it: how far the other measures at this depth can be trusted. A system whose documents were not pooled
    has a low share, and is underrated by every measure that counts unjudged documents as irrelevant.

    >>> judged_at(Hits.of_grades([1, None, 0, None]), k=4).tolist()
    [0.5]
    """
    judged = np.bincount(hits.query[(hits.rank <= k) & (hits.grade >= 0)], minlength=len(hits))
    return share(judged, np.minimum(hits.retrieved, k))


@dataclass(frozen=True, eq=False)
class Range:
    """Lowest and highest possible value of a measure for each query, of shape (q,)."""

    value: Array  # by the rule: ties by document, unjudged irrelevant
    low: Array
    high: Array


def tie_ranges(hits: Hits, measures: Measures) -> dict[str, Range]:
    """The lowest and the highest value of each measure over all orders of documents with equal scores.

    In the best order the higher grades come first within each tie, in the worst they come last. That is the extreme of
    every measure which gains when two neighbours are put into the order of their grades: P, R, AP, RR, nDCG, ERR, RBP,
    bpref and their kin. What only asks whether a document was judged (judged@k, the residual of RBP) has its extremes
    with all judged documents first or last; these orders are looked at too. Where a table says what grades are worth,
    the gains take the place of the grades. The inferred AP may leave the range a little where documents are pooled but
    not judged, so its own value is always taken in.
    """
    ends = (True, False)
    orders = [_reordered(hits, hits.grade, b, gaining) for b in ends for gaining in (hits.grade > 0, hits.grade >= 0)]
    ranges = {}
    for name, definition in definitions_of(measures).items():
        gain, own = str(definition.arguments.get("gain", "linear")), orders
        if gain not in ("linear", "exp"):
            worth = gains(hits.grade, gain)
            own = [_reordered(hits, worth, best, worth > 0) for best in ends]
        ranges[name] = _range(definition, hits, own)
    return ranges


def unjudged_ranges(hits: Hits, measures: Measures) -> dict[str, Range]:
    """Bounds of each measure: with all unjudged documents irrelevant, and with all of them relevant.

    Relevant ones get the highest grade of the judgments. A measure over all relevant documents, such as AP, may be
    lower then, because they count among R; `low` and `high` are in order.
    """
    filled = _filled(hits, hits.pool.highest or 1.0)
    return {name: _range(definition, hits, [filled]) for name, definition in definitions_of(measures).items()}


def _range(measure: MetricDef, hits: Hits, others: Sequence[Hits]) -> Range:
    values = np.stack([measure(one) for one in (hits, *others)])
    return Range(values[0], values.min(axis=0), values.max(axis=0))


def _reordered(hits: Hits, worth: Array, best: bool, gaining: Flags) -> Hits:
    """Hits with each tie in its best or worst order: gains at one end, unjudged documents in the middle."""
    upward = worth if best else -worth
    ahead = gaining == best
    order = np.lexsort((-upward, hits.first, hits.query))
    query, first, last, ahead = hits.query[order], hits.first[order], hits.last[order], ahead[order]
    heads = np.append(True, (query[1:] != query[:-1]) | (first[1:] != first[:-1]))[: len(order)]
    tie, start = np.cumsum(heads) - 1, np.flatnonzero(heads)
    size = np.diff(np.append(start, len(order)))
    offset = np.arange(len(order)) - start[tie]
    rank = np.where(ahead, first + offset, last - (size[tie] - 1 - offset))
    sorted_by = np.lexsort((rank, query))
    return hits.of_rows(order[sorted_by], rank=rank[sorted_by])


def _filled(hits: Hits, grade: float) -> Hits:
    """Hits at every rank of every list, with a grade for unjudged documents."""
    query = np.repeat(np.arange(len(hits)), hits.retrieved)
    starts: Places = np.cumsum(hits.retrieved) - hits.retrieved
    judged, mask, rank = hits.grade >= 0, hits.pool.grade >= 0, ordinals(query)
    at = (starts[hits.query] + hits.rank - 1)[judged]
    grades, new = np.full(len(query), grade, dtype=np.float64), np.ones(len(query), dtype=bool)
    grades[at], new[at] = hits.grade[judged], False
    queries, pooled = (hits.pool.query[mask], query[new]), (hits.pool.grade[mask], grades[new])
    pool = Pool.of(np.concatenate(queries), np.concatenate(pooled), len(hits))
    return replace(hits, query=query, rank=rank, grade=grades, pool=pool, first=rank, last=rank)


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
    def of(cls, judgments: Judgments, runs: Mapping[str, Run]) -> "JudgedRuns":
        """Join each run to the judgments, in the order of the runs."""
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
        """Judgments in the order of `Judgments.pool`: by query, the highest grade first."""
        return np.lexsort((-self.judgments.grades, self.judgments.codes))

    def draw(self, way: str, seed: int = SEED, level: float = 1) -> "Draw":
        """Draw the order in which judgments are removed by one of the `WAYS`; another one raises a ValueError."""
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

    def with_only(self, remaining: "RemainingJudgments") -> tuple[Hits, ...]:
        """Hits of each system if only these judgments had been made."""
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
    """Judgments that remain after some were removed."""

    judgments: Flags  # shape (j,)
    queries: Flags  # shape (q,): the means run over these
    # Whether it is still known that the hidden documents were pooled, as it is where a random part of a pool was
    # judged: inferred average precision is made for that.
    pooled: bool


@dataclass(frozen=True, eq=False)
class Draw:
    """Random order in which judgments are removed; a step keeps the last ones."""

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
        """Return the judgments that remain at a step."""
        left = self.turns <= self.last(step)
        if self.way == "queries":
            return RemainingJudgments(left[self.codes], left, pooled=False)
        return RemainingJudgments(left, np.ones(self.count, dtype=bool), pooled=self.way == "random")


def steps_of(way: str, judged: JudgedRuns, level: float = 1) -> tuple[float, ...]:
    """The steps of one of the `WAYS` that differ for these judgments, from all of them to the fewest."""
    if way in ("random", "queries"):
        return SHARES
    sizes = judged.depth[np.isfinite(judged.depth)] if way == "pool" else judged.judgments.pool.relevant(level)
    deepest = int(sizes.max(initial=1))
    return tuple(sorted({*(depth for depth in DEPTHS if depth < deepest), deepest}, reverse=True))
