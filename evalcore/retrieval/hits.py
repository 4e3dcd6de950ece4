"""Ranks of the judged documents of each query in a run: the one state that every measure of a ranking reads.

A document that nobody judged only takes up a rank. So of a run of millions of rows a few judged ones are kept, with
their query, rank and grade, and each measure is a sum over them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Array, Flags, over_parts
from evalcore.retrieval.id_table import Places, mixed, once, ordinals, stretches
from evalcore.retrieval.judgments import Judgments, Pool
from evalcore.retrieval.runs import Run

__all__ = ["Hits", "check_match"]

_LOAD = 16


def joined(judgments: Judgments, run: Run) -> tuple[Places, Places]:
    """Indices of the judged documents in the lists of a run, ascending, and of their judgments, each of shape (h,)."""
    queries = judgments.indices(run.queries)
    parts = [part for part in run.parts if (queries[part[0] : part[1]] >= 0).any()]
    pairs = over_parts(lambda part: _join_part(judgments, run, queries, *part), parts, len(run))
    nothing = np.empty(0, np.int64)
    position, which = (np.concatenate([nothing, *(pair[side] for pair in pairs)]) for side in (0, 1))
    # Two names may have one hash: what looks alike is compared, byte by byte.
    row = position if run.order is None else run.order[position]
    same = run.documents.equal(row, judgments.documents, which) & (queries[run.codes[row]] == judgments.codes[which])
    position, which = position[same], which[same]
    order = np.argsort(position, kind="stable")
    return position[order], which[order]


def _join_part(judgments: Judgments, run: Run, queries: Places, first: int, last: int) -> tuple[Places, Places]:
    """Places in the lists of the queries first … last − 1, and the judgments whose key the document there has."""
    start, end = int(run.starts[first]), int(run.starts[last])
    rows = slice(start, end) if run.order is None else run.order[start:end]
    keys = mixed(run.documents.hashes[rows], queries[run.codes[rows]])
    asked = queries[first:last]
    known = asked[asked >= 0]
    judged = stretches(judgments.starts[known], judgments.starts[known + 1] - judgments.starts[known])
    wanted = mixed(judgments.documents.hashes[judged], judgments.codes[judged])

    shift = np.uint64(64 - max((len(judged) * _LOAD).bit_length(), 10))
    seats, own = (keys >> shift).view(np.int64), (wanted >> shift).view(np.int64)
    left = np.arange(len(judged), dtype=np.int32)
    table = np.full(1 << (64 - int(shift)), -1, dtype=np.int32)
    table[own] = left
    near = np.flatnonzero(table[seats] >= 0)
    positions, matches = [near[:0]], [judged[:0]]
    while len(near):
        who = table[seats[near]]
        same = np.flatnonzero(keys[near] == wanted[who])
        positions.append(near[same])
        matches.append(judged[who[same]])
        # Where two judgments have one seat the last one takes it, and the others come in the next round.
        lost = left[table[own[left]] != left]
        table[own[left]] = -1
        table[own[lost]] = lost
        near, left = near[table[seats[near]] >= 0], lost
    return start + np.concatenate(positions), np.concatenate(matches)


def check_match(judgments: Judgments, run: Run, name: str = "the run") -> str | None:
    """Say in a sentence why judgments and a run do not fit; None if they share queries and documents."""
    if not len(run) or not len(judgments):
        return f"There are no {'judgments' if len(run) else f'rows in {name}'}."
    if (judgments.indices(run.queries) < 0).all():
        return (
            f"No query of the judgments is in {name}. They are called {_few(judgments.queries)} there and "
            f"{_few(run.queries)} here: {_difference(judgments.queries, run.queries)}"
        )
    if not len(joined(judgments, run)[0]):
        both = (names.take(slice(100)).texts() for names in (judgments.documents, run.documents))
        theirs, ours = (list(dict.fromkeys(names)) for names in both)
        return (
            f"No document of {name} is judged. Judged are documents such as {_few(theirs)}, retrieved are "
            f"{_few(ours)}: {_difference(theirs, ours)}"
        )
    return None


def _few(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def _difference(theirs: tuple[str, ...] | list[str], ours: tuple[str, ...] | list[str]) -> str:
    known = set(ours)
    for text in theirs[:100]:
        if text.strip().casefold() in {name.strip().casefold() for name in ours[:1000]}:
            return "do they differ in case or blanks?"
        if {text.lstrip("0"), text.zfill(3), f"{text}.0"} & known:
            return "do they differ by zeros in front, or a point?"
    return "do the ids differ by a prefix?"


_COLUMNS = ("query", "rank", "grade", "first", "last")


@dataclass(frozen=True, eq=False)
class Hits:
    """The judged documents that a run retrieved, by query and rank.

    Every measure of the family "retrieval" takes this state and returns one value a query.
    """

    query: Places  # shape (h,): place of the query among the judged ones, ascending
    rank: Places  # shape (h,): from 1, ascending within a query
    grade: Array  # shape (h,): A negative one is pooled but not judged
    retrieved: Places  # shape (q,): length of each list; 0 where the query is missing from the run
    pool: Pool  # the grades of all judged documents, retrieved or not
    # Shape (h,): the ranks that the document shares with others of its score.
    first: Places
    last: Places
    _memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, judgments: Judgments, run: Run) -> "Hits":
        """The judged documents of a run."""
        return cls.with_places(judgments, run)[0]

    @classmethod
    def with_places(cls, judgments: Judgments, run: Run) -> "tuple[Hits, Places]":
        """Join a run to judgments: its hits, and the index of each hit among the judgments, shape (h,)."""
        positions, judged = joined(judgments, run)
        rank, first, last = run.ranks(positions)
        query = judgments.codes[judged].astype(np.int64)
        order = np.argsort(query << 32 | rank, kind="stable")  # mostly in order already
        retrieved = np.zeros(len(judgments.queries), dtype=np.int64)
        judged_queries = judgments.indices(run.queries)
        retrieved[judged_queries[judged_queries >= 0]] = run.retrieved[judged_queries >= 0]
        judged = judged[order]
        grade = judgments.grades[judged]
        return cls(query[order], rank[order], grade, retrieved, judgments.pool, first[order], last[order]), judged

    @classmethod
    def of_grades(cls, grades: Sequence[float | None], unretrieved: Sequence[float] = ()) -> "Hits":
        """Build the hits of one list from its grades by rank, None for unjudged, and those of documents it lacks."""
        rank = np.array([rank for rank, grade in enumerate(grades, 1) if grade is not None], dtype=np.int64)
        grade = np.array([grade for grade in grades if grade is not None], dtype=np.float64)
        everything = np.concatenate([grade, np.asarray(unretrieved, dtype=np.float64)])
        pool = Pool.of(np.zeros(len(everything), dtype=np.int64), everything, 1)
        return cls(np.zeros(len(rank), dtype=np.int64), rank, grade, np.array([len(grades)]), pool, rank, rank)

    def __len__(self) -> int:
        """Queries."""
        return self.pool.count

    @property
    def missing(self) -> Flags:
        """Queries without a list in the run, as flags, shape (q,)."""
        return self.retrieved == 0

    def relevant(self, level: float) -> "Relevant":
        """The hits whose grade reaches a level."""

        def made() -> Relevant:
            rows = self.grade >= level
            query = self.query[rows]
            return Relevant(query, self.rank[rows], np.bincount(query, minlength=len(self)), self.pool.relevant(level))

        return self.once(("relevant", level), made)

    def irrelevant_above(self, level: float) -> Places:
        """Number of documents judged irrelevant above each relevant hit of a level, shape (r,)."""

        def made() -> Places:
            judged = self.grade >= 0
            query, is_relevant = self.query[judged], self.grade[judged] >= level
            return ordinals(query)[is_relevant] - self.relevant(level).ordinal

        return self.once(("irrelevant above", level), made)

    def pooled_above(self, level: float) -> Places:
        """Number of pooled documents above each relevant hit of a level, judged or not, shape (r,)."""
        return self.once(("pooled above", level), lambda: ordinals(self.query)[self.grade >= level] - 1)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """Cache the result of `make` under a key: several measures begin with the same step."""
        return once(self._memo, key, make)

    def only(self, queries: Flags) -> "Hits":
        """The hits of some queries, chosen by an array of bool of shape (q,), which get new places."""
        index, rows, pooled = np.cumsum(queries) - 1, queries[self.query], queries[self.pool.query]
        pool = Pool(index[self.pool.query[pooled]], self.pool.grade[pooled], int(np.count_nonzero(queries)))
        return self.of_rows(rows, query=index[self.query[rows]], retrieved=self.retrieved[queries], pool=pool)

    def of_rows(self, rows: npt.NDArray[Any] | slice, **changes: Any) -> "Hits":
        """Some of the hits, in the order of their rows, with other fields replaced."""
        return replace(self, **{name: getattr(self, name)[rows] for name in _COLUMNS} | changes)

    def condensed(self) -> "Hits":
        """Lists without unjudged documents; the others close the ranks."""
        judged = self.of_rows(self.grade >= 0)
        rank = ordinals(judged.query)
        retrieved = np.bincount(judged.query, minlength=len(self))
        return replace(judged, rank=rank, retrieved=retrieved, first=rank, last=rank)


@dataclass(frozen=True, eq=False)
class Relevant:
    """The relevant hits of each list at one level."""

    query: Places  # of each relevant hit, shape (r,)
    rank: Places
    retrieved: Places  # relevant documents of each list, shape (q,)
    total: Places  # relevant documents of each query, retrieved or not: R

    @cached_property
    def ordinal(self) -> Places:
        """Number of relevant documents at the rank of each relevant hit or above it, shape (r,): cum(rank)."""
        return np.arange(1, len(self.query) + 1) - np.repeat(self.starts, self.retrieved)

    @cached_property
    def starts(self) -> Places:
        """Index of the first relevant hit of each query, shape (q,)."""
        return np.cumsum(self.retrieved) - self.retrieved

    @cached_property
    def precisions(self) -> Array:
        """Precision at the rank of each relevant hit, shape (r,)."""
        return self.ordinal / self.rank

    @cached_property
    def best_from_here(self) -> Array:
        """The best precision at the rank of each relevant hit or at any rank below it, shape (r,)."""
        values, inverse = np.unique(self.precisions, return_inverse=True)
        # Whole numbers hold the query and the place of the value, so that one running maximum serves all queries.
        turn = self.query[-1] - self.query[::-1] if len(self.query) else self.query
        best = np.maximum.accumulate(turn * len(values) + inverse[::-1])[::-1]
        return values[best % len(values)] if len(values) else self.precisions

    def within(self, k: float) -> Places:
        """Number of relevant documents within rank k, shape (q,): cum(k)."""
        return np.bincount(self.query[self.rank <= k], minlength=len(self.retrieved))

    def summed(self, values: Array, k: float = np.inf) -> Array:
        """Sum of one value a relevant hit over those within rank k, down the ranks, shape (q,)."""
        within = self.rank <= k if k < np.inf else slice(None)
        return np.bincount(self.query[within], values[within], minlength=len(self.retrieved)).astype(np.float64)


def irrelevant(hits: Hits, rel: float, size: float) -> Array:
    """Number of documents of a collection that are not relevant, shape (q,); nan if the collection is too small."""
    relevant = hits.relevant(rel)
    rest = size - relevant.total
    return np.where(rest >= hits.retrieved - relevant.retrieved, rest, np.nan)


def share(numerator: npt.ArrayLike, denominator: npt.ArrayLike) -> Array:
    """Divide, with 0 for a zero denominator: the convention of the field for a query without a hit."""
    above, below = np.broadcast_arrays(np.asarray(numerator, dtype=np.float64), denominator)
    return np.divide(above, below, out=np.zeros(above.shape), where=below != 0)
