"""Pools: the documents that some runs ranked high enough to be shown to assessors."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evalcore.retrieval.judgments import Judgments
from evalcore.retrieval.runs import Run

__all__ = ["PoolSize", "pool_size"]


@dataclass(frozen=True)
class PoolSize:
    """How many documents of the judged queries some runs retrieved to a depth, and how many different ones."""

    retrieved: int
    pooled: int


def pool_size(judgments: Judgments, runs: Iterable[Run], depth: float = np.inf) -> PoolSize:
    """The pool that runs make for the judged queries with their documents down to a rank.

    >>> judged = Judgments.from_arrays(["q"], ["a"], [1])
    >>> runs = [Run.from_arrays(["q"] * 2, pair, [2, 1]) for pair in (["a", "b"], ["c", "a"])]
    >>> pool_size(judged, runs), pool_size(judged, runs, depth=1)
    (PoolSize(retrieved=4, pooled=3), PoolSize(retrieved=2, pooled=2))
    """
    queries, hashes = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
    for run in runs:
        positions = np.arange(len(run))
        positions = positions[run.ranks(positions)[0] <= depth]
        rows = positions if run.order is None else run.order[positions]
        query = judgments.indices(run.queries)[run.codes[rows]]
        queries.append(query[query >= 0].astype(np.int64))
        hashes.append(run.documents.hashes[rows[query >= 0]])
    query, document = np.concatenate(queries), np.concatenate(hashes)
    # Within a query, two of some thousand documents share none of 2⁶⁴ hashes.
    order = np.lexsort((document, query))
    again = (np.diff(query[order]) == 0) & (np.diff(document[order]) == 0)
    return PoolSize(len(query), len(query) - int(np.count_nonzero(again)))
