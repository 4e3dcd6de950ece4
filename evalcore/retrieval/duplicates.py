"""A document stands in a list once: the search for one that stands there twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evalcore.numeric import over_parts, where_next
from evalcore.retrieval.id_table import Hashes, IdTable, Places, mixed

__all__ = ["Duplicate"]

_BLOCK = 1 << 16
_LOAD = 2


class Duplicate(ValueError):
    """A document that stands twice in the list of one query, with the two `rows`, from 0."""

    def __init__(self, rows: tuple[int, int], query: str, document: str, does: str) -> None:
        self.rows, self.query, self.document, self.does = rows, query, document, does
        super().__init__(self.sentence(f"rows {rows[0] + 1} and {rows[1] + 1}"))

    def sentence(self, locations: str) -> str:
        """The problem with the two places in the words of whoever read them."""
        return f'Document "{self.document}" {self.does} query "{self.query}": {locations}. Keep one of them.'


def refuse_duplicates(codes: Places, documents: IdTable, queries: Sequence[str], does: str) -> None:
    """Raise when a document stands twice with one query."""
    if len(codes) < 2:
        return
    suspects = _suspects(documents.hashes, codes)
    if not len(suspects):
        return
    keys = mixed(documents.hashes[suspects], codes[suspects])
    order = np.lexsort((suspects, keys))
    suspects, keys = suspects[order], keys[order]
    one, two = suspects[:-1], suspects[1:]
    near = np.flatnonzero((keys[:-1] == keys[1:]) & (codes[one] == codes[two]))
    near = near[documents.equal(one[near], documents, two[near])]
    if len(near):
        first = near[np.argmin(two[near])]
        rows = int(one[first]), int(two[first])
        raise Duplicate(rows, queries[int(codes[rows[0]])], documents.text(rows[0]), does)


def _suspects(hashes: Hashes, codes: Places) -> Places:
    """Rows that may repeat another: all rows but those that are surely alone."""
    heads = where_next(lambda one, two: codes[one] != codes[two], len(codes)) + 1
    starts = np.concatenate([[0], heads, [len(codes)]])
    distinct = int(codes.max()) + 1
    if len(starts) - 1 > distinct:  # a query comes back further down, so all rows stand together
        keys = mixed(hashes, codes)
        ascending = np.sort(keys)
        repeated = ascending[1:][ascending[1:] == ascending[:-1]]
        return np.flatnonzero(np.isin(keys, repeated)) if len(repeated) else np.empty(0, np.int64)
    # Blocks of whole queries, small enough for the cache.
    firsts = np.searchsorted(starts, np.arange(0, len(codes), _BLOCK))
    bounds = np.unique(np.concatenate([starts[np.minimum(firsts, len(starts) - 1)], [0, len(codes)]]))
    parts = [slice(low, high) for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]
    return np.concatenate(over_parts(lambda rows: _repeated(hashes, codes, rows), parts, len(codes)))


def _repeated(hashes: Hashes, codes: Places, rows: slice) -> Places:
    """Rows of one block whose key another row of it has too."""
    keys = mixed(hashes[rows], codes[rows])
    shift = np.uint64(64 - (len(keys) * _LOAD).bit_length())
    seats = (keys >> shift).view(np.int64)
    own = np.arange(len(keys), dtype=np.int32)
    table = np.empty(1 << (64 - int(shift)), dtype=np.int32)
    table[seats] = own
    winners = table[seats]
    left = np.flatnonzero(winners != own)
    duplicates = [left[:0]]
    # Of the rows on one seat the last takes it. The others have its key, or come in the next round.
    while len(left):
        winners = table[seats[left]]
        same = keys[left] == keys[winners]
        duplicates += [left[same], winners[same]]
        left = left[~same]
        table[seats[left]] = left
        left = left[table[seats[left]] != left]
    return rows.start + np.unique(np.concatenate(duplicates))
