"""Ids of queries and documents as bytes: hashed and compared without making a string of each.

A run has millions of document ids and needs few of them: those that are judged and those that share a score. They stay
in the buffer they were read into and are compared eight bytes at a time; only what is shown becomes a string.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.numeric import Flags, over_blocks

Hashes = npt.NDArray[np.uint64]
Places = npt.NDArray[np.integer]
_WORD = 8
_MIX = np.uint64(0x9E3779B97F4A7C15)
_TURN = np.uint64(29)

# The bytes of a word that belong to the id when so many of them are left; the first byte is the lowest.
_KEPT = np.array([(1 << 8 * left) - 1 for left in range(_WORD + 1)], dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class IdTable:
    """A column of ids, each a slice of one buffer of bytes. Build it with `of`, or from the buffers of a reader."""

    data: npt.NDArray[np.uint8]  # all ids; may hold more
    starts: Places  # where each id begins, shape (n,)
    lengths: Places  # its bytes, shape (n,)
    _words: npt.NDArray[np.uint64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        data = self.data
        if len(data) < _WORD:
            data = np.concatenate([data, np.zeros(_WORD, np.uint8)])
            object.__setattr__(self, "data", data)
        # A word of eight bytes begins at every byte; the machine reads them wherever they lie.
        words = np.ndarray((len(data) - _WORD + 1,), "<u8", data.data, strides=(1,))
        object.__setattr__(self, "_words", words)

    @classmethod
    def of(cls, values: Iterable[object], what: str = "id") -> "IdTable":
        """Ids from strings, bytes or whole numbers."""
        if isinstance(values, IdTable):
            return values
        given = getattr(values, "tolist", lambda: list(values))()
        try:
            encoded = [v.encode() if type(v) is str else _encoded(v, row, what) for row, v in enumerate(given)]
        except UnicodeEncodeError as error:
            row = next(row for row, value in enumerate(given, 1) if value == error.object)
            raise ValueError(f"The {what} of row {row} is {error.object!r}, which holds half a character.") from None
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        if len(lengths) and not lengths.all():
            raise ValueError(f"The {what} of row {int(np.argmin(lengths)) + 1} is empty; give each row one.")
        ends = np.fromiter(accumulate(map(len, encoded)), np.int64, len(encoded))
        return cls(np.frombuffer(b"".join(encoded) + bytes(_WORD), np.uint8), ends - lengths, lengths)

    @classmethod
    def hashed(cls, data: npt.NDArray[np.uint8], starts: Places, lengths: Places, hashes: Hashes) -> "IdTable":
        """Ids whose hashes are known already; for readers."""
        ids = cls(data, starts, lengths)
        vars(ids)["hashes"] = hashes
        return ids

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, rows: Places | slice) -> "IdTable":
        """Some of the ids, in the same buffer."""
        if "hashes" in vars(self):
            return IdTable.hashed(self.data, self.starts[rows], self.lengths[rows], self.hashes[rows])
        return IdTable(self.data, self.starts[rows], self.lengths[rows])

    def text(self, row: int) -> str:
        """Decode an id; bytes that are not UTF-8 are escaped, so that two ids never look the same."""
        start = int(self.starts[row])
        return self.data[start : start + int(self.lengths[row])].tobytes().decode("utf-8", "backslashreplace")

    def texts(self) -> list[str]:
        """All ids."""
        return [self.text(row) for row in range(len(self))]

    def raw(self) -> list[bytes]:
        """All ids as they are."""
        ends = (self.starts + self.lengths).tolist()
        return [self.data[start:end].tobytes() for start, end in zip(self.starts.tolist(), ends, strict=True)]

    @cached_property
    def longest(self) -> int:
        """Number of words that hold the longest id."""
        return -(-int(self.lengths.max(initial=0)) // _WORD)

    def words(self, word: int, rows: Places | slice = slice(None)) -> Hashes:
        """Bytes 8·word … 8·word + 7 of each id as one number, padded with zeros."""
        return self._word(word, self.starts[rows], self.lengths[rows])

    @cached_property
    def hashes(self) -> Hashes:
        """A number per id, equal for equal ids and seldom for others, shape (n,)."""
        parts = over_blocks(self._hashed, len(self))
        return np.concatenate(parts) if parts else np.empty(0, np.uint64)

    def equal(self, rows: Places | slice, others: "IdTable", other_rows: Places | slice) -> Flags:
        """Compare ids pair by pair."""
        same = self.lengths[rows] == others.lengths[other_rows]
        for word in range(min(self.longest, others.longest)):
            same &= self.words(word, rows) == others.words(word, other_rows)
        return same

    def falling(self, rows: Places, groups: Places) -> Places:
        """The order of some rows by group and, within a group, by id in descending byte order."""
        keys = [~self.words(word, rows).byteswap() for word in reversed(range(self.longest))]
        return np.lexsort((*keys, groups))

    def _word(self, word: int, starts: Places, lengths: Places) -> Hashes:
        at = starts if not word else starts + _WORD * word
        left = lengths - _WORD * word
        last = len(self._words) - 1
        over = 0
        if len(at) and at.max() > last:  # the last ids of the buffer: read the word that ends with it, and shift
            over = np.maximum(at - last, 0)
            at = np.minimum(at, last)
        words = self._words[at]
        if not np.isscalar(over):
            words = words >> (8 * np.minimum(over, _WORD - 1)).astype(np.uint64)
        if len(left) and (shortest := left.min()) < _WORD:
            if shortest == left.max():  # as ids of one length are
                return words & _KEPT[max(shortest, 0)]
            words = words & _KEPT[np.clip(left, 0, _WORD)]
        return words

    def _hashed(self, rows: slice) -> Hashes:
        starts, lengths = self.starts[rows], self.lengths[rows]
        hashes = lengths.astype(np.uint64) * _MIX
        shortest = int(lengths.min(initial=0))
        for word in range(-(-int(lengths.max(initial=0)) // _WORD)):
            turned = (hashes ^ self._word(word, starts, lengths)) * _MIX
            turned ^= turned >> _TURN
            # A shorter id is done: what stands beside it must not change its hash.
            hashes = turned if _WORD * word < shortest else np.where(lengths > _WORD * word, turned, hashes)
        return hashes


def coded(ids: IdTable) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
    """Distinct ids in the order of their first row, and the code of each row."""
    hashes = ids.hashes
    # Most files list a query in one stretch, so only the heads of the stretches are looked up.
    heads = np.flatnonzero(np.concatenate([[True], hashes[1:] != hashes[:-1]])[: len(hashes)])
    _, first, back = np.unique(hashes[heads], return_index=True, return_inverse=True)
    codes = np.argsort(np.argsort(first))[back].astype(np.int32)
    return tuple(ids.take(heads[np.sort(first)]).texts()), np.repeat(codes, np.diff(heads, append=len(hashes)))


def natural(ids: Iterable[str]) -> list[str]:
    """Ids in the order people expect: by number where all are whole numbers, else by their bytes."""
    ids = list(ids)
    if all(id.isascii() and id.isdigit() and len(id) < 19 for id in ids):
        return sorted(ids, key=lambda id: (int(id), id))
    return sorted(ids, key=str.encode)


def ordinals(query: Places) -> Places:
    """1, 2, 3, … within each stretch of equal queries."""
    return np.arange(1, len(query) + 1) - firsts(query)


def firsts(query: Places) -> Places:
    """Index of the first row of the query of each row, in rows sorted by query."""
    starts = np.flatnonzero(np.concatenate([np.ones(min(len(query), 1), dtype=bool), query[1:] != query[:-1]]))
    return np.repeat(starts, np.diff(starts, append=len(query)))


def stretches(starts: Places, lengths: Places) -> Places:
    """Places in some stretches, of which these are the first places and the lengths, one stretch after the other."""
    return np.repeat(starts - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())


def mixed(hashes: Hashes, codes: Places) -> Hashes:
    """Hash each pair of document and query to one number."""
    keys = codes.astype(np.uint64)
    keys += np.uint64(1)
    keys *= np.uint64(0xD1B54A32D192ED03)
    keys ^= hashes
    return keys


def _encoded(value: object, row: int, what: str) -> bytes:
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return str(int(value)).encode()
    raise ValueError(
        f"The {what} of row {row + 1} is {value!r}; an id is a text or a whole number. "
        "A column of numbers with gaps becomes floats: read it as text."
    )


MOST = 64  # results that one state keeps; a curve over k asks for an ideal list at some forty cuts
_NOTHING = object()


def once(memo: dict[Hashable, Any], key: Hashable, make: Callable[[], Any]) -> Any:
    """Cache the result of `make` under a key; of too many the oldest is dropped."""
    result = memo.get(key, _NOTHING)
    if result is _NOTHING:
        result = make()
        while len(memo) >= MOST:
            memo.pop(next(iter(memo), None), None)
        memo[key] = result
    return result
