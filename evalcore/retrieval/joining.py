"""Which documents of a run are judged: found query by query, with a table small enough for the cache.

A table of all judgments would answer most rows from far memory. The lists of some queries need only the judgments of
these queries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evalcore.numeric import over_parts
from evalcore.retrieval.names import Places, mixed

if TYPE_CHECKING:
    from evalcore.retrieval.judgments import Judgments
    from evalcore.retrieval.runs import Run

_LOAD = 8


def joined(judgments: Judgments, run: Run) -> tuple[Places, Places]:
    """The places of the judged documents in the lists of a run, and their judgments.

    Parameters
    ----------
    judgments : Judgments
    run : Run

    Returns
    -------
    tuple of two arrays of int, shape (h,)
        Places in the order of the lists, ascending, and places among the judgments.

    Examples
    --------
    >>> from evalcore.retrieval import Judgments, Run
    >>> judged = Judgments.from_arrays(["q1", "q1", "q2"], ["d1", "d2", "d1"], [1, 0, 2])
    >>> places, judgments = joined(judged, Run.from_arrays(["q2", "q1", "q1"], ["d1", "d3", "d2"], [1, 1, 2]))
    >>> places.tolist(), judgments.tolist()
    ([0, 1], [2, 1])
    """
    queries = judgments.places(run.queries)
    parts = [part for part in run.parts if (queries[part[0] : part[1]] >= 0).any()]
    found = over_parts(lambda part: _found(judgments, run, queries, *part), parts, len(run))
    nothing = np.empty(0, np.int64)
    return tuple(np.concatenate([nothing, *(pair[side] for pair in found)]) for side in (0, 1))  # type: ignore[return-value]


def _found(judgments: Judgments, run: Run, queries: Places, first: int, last: int) -> tuple[Places, Places]:
    """The judged documents in the lists of the queries first … last − 1 of a run."""
    start, end = int(run.starts[first]), int(run.starts[last])
    rows = slice(start, end) if run.order is None else run.order[start:end]
    codes = queries[run.codes[rows]]
    keys = mixed(run.documents.hashes[rows], codes)
    asked = queries[first:last]
    judged = _stretches(judgments.starts, asked[asked >= 0])
    wanted = mixed(judgments.documents.hashes[judged], judgments.codes[judged])

    shift = np.uint64(64 - max((len(judged) * _LOAD).bit_length(), 10))
    seats, own = (keys >> shift).view(np.int64), (wanted >> shift).view(np.int64)
    left = np.arange(len(judged), dtype=np.int32)
    table = np.full(1 << (64 - int(shift)), -1, dtype=np.int32)
    table[own] = left
    near = np.flatnonzero(table[seats] >= 0)
    places, found = [], []
    # Where two judgments have one seat the last one takes it, and the others come in the next round.
    while len(near) and len(left):
        table[own[left]] = left
        who = table[seats[near]]
        same = np.flatnonzero(keys[near] == wanted[who])
        place, which = near[same], judged[who[same]]
        row = start + place if run.order is None else rows[place]
        right = run.documents.equal(row, judgments.documents, which)
        right &= codes[place] == judgments.codes[which]
        places.append(place[right])
        found.append(which[right])
        near = np.delete(near, same[right])
        left = left[table[own[left]] != left]
    if not places:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    place = np.concatenate(places)
    order = np.argsort(place, kind="stable")
    return start + place[order], np.concatenate(found)[order]


def _stretches(starts: Places, groups: Places) -> Places:
    """The rows of some groups, each of which stands in one stretch."""
    lengths = starts[groups + 1] - starts[groups]
    return np.repeat(starts[groups] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
