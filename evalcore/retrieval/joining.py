"""Which documents of a run are judged: found query by query, with a table small enough for the cache.

A table of all judgments would answer most rows from far memory. The lists of some queries need only the judgments of
these queries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evalcore.numeric import over_parts
from evalcore.retrieval.id_table import Places, mixed

if TYPE_CHECKING:
    from evalcore.retrieval.judgments import Judgments
    from evalcore.retrieval.runs import Run

__all__ = ["check_match"]

_LOAD = 16


def joined(judgments: Judgments, run: Run) -> tuple[Places, Places]:
    """Places of the judged documents in the lists of a run, ascending, and of their judgments, each of shape (h,)."""
    queries = judgments.indices(run.queries)
    parts = [part for part in run.parts if (queries[part[0] : part[1]] >= 0).any()]
    pairs = over_parts(lambda part: _alike(judgments, run, queries, *part), parts, len(run))
    nothing = np.empty(0, np.int64)
    position, which = (np.concatenate([nothing, *(pair[side] for pair in pairs)]) for side in (0, 1))
    # Two names may have one hash: what looks alike is compared, byte by byte.
    row = position if run.order is None else run.order[position]
    same = run.documents.equal(row, judgments.documents, which) & (queries[run.codes[row]] == judgments.codes[which])
    position, which = position[same], which[same]
    order = np.argsort(position, kind="stable")
    return position[order], which[order]


def _alike(judgments: Judgments, run: Run, queries: Places, first: int, last: int) -> tuple[Places, Places]:
    """Places in the lists of the queries first … last − 1, and the judgments whose key the document there has."""
    start, end = int(run.starts[first]), int(run.starts[last])
    rows = slice(start, end) if run.order is None else run.order[start:end]
    keys = mixed(run.documents.hashes[rows], queries[run.codes[rows]])
    asked = queries[first:last]
    judged = _stretches(judgments.starts, asked[asked >= 0])
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


def _stretches(starts: Places, groups: Places) -> Places:
    """The rows of some groups, each of which stands in one stretch."""
    lengths = starts[groups + 1] - starts[groups]
    return np.repeat(starts[groups] - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())


def check_match(judgments: Judgments, run: Run, name: str = "the run") -> str | None:
    """What is wrong when judgments and a run do not fit, in a sentence; None when they share queries and documents.

    >>> from evalcore.retrieval import Judgments, Run
    >>> judged = Judgments.from_arrays(["301"], ["a"], [1])
    >>> check_match(judged, Run.from_arrays(["q301"], ["a"], [1]))
    'No query of the judgments is in the run. They are called 301 there and q301 here: do the ids differ by a prefix?'
    """
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
