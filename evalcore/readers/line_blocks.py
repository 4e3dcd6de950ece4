"""A text in blocks of whole lines, processed by two threads if it is long.

Each thread reuses one buffer, because fresh memory for a whole file costs more than reading it, and processes a block
while it is in the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO, FileIO
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numpy as np

Result = TypeVar("Result")

BLOCK = 1 << 22
"""Bytes of a block; it grows for a longer line."""

_BOM = b"\xef\xbb\xbf"
_TWO_BLANKS = 0x2020
_PAIRED = 1 << 18


@dataclass(frozen=True, eq=False)
class Block:
    """Whole lines of a text, the first bytes of a buffer that is reused once they have been processed."""

    buffer: bytearray
    size: int

    def holds(self, part: bytes) -> bool:
        """Whether it contains some bytes."""
        return self.buffer.find(part, 0, self.size) >= 0

    def holds_two_blanks(self) -> bool:
        """Whether it contains two adjacent blanks; looking at pairs of bytes is faster than searching."""
        for start in range(0, self.size - 1, _PAIRED):
            for first in (start, start + 1):
                count = (min(start + _PAIRED + 1, self.size) - first) // 2
                if (np.frombuffer(self.buffer, "<u2", count, first) == _TWO_BLANKS).any():
                    return True
        return False

    def blank(self) -> bool:
        """Whether all its lines are empty."""
        return not bytes(self.buffer[: self.size]).strip(b"\r\n")

    def __len__(self) -> int:
        return self.size


@dataclass(frozen=True, eq=False)
class Text:
    """Bytes of UTF-8, in memory or in a file."""

    source: bytes | Path

    def head(self, most: int = 1 << 16) -> bytes:
        """The first bytes, without a byte order mark."""
        with self._opened() as file:
            return file.read(most)

    def whole(self) -> bytes:
        """The whole text, without a byte order mark."""
        with self._opened() as file:
            return file.read()

    @property
    def size(self) -> int:
        """Size in bytes."""
        return len(self.source) if isinstance(self.source, bytes) else self.source.stat().st_size

    def over_blocks(self, function: Callable[[Block], Result | None], take: Callable[[Result], object]) -> bool:
        """Pass on what a function returns for each block, one at a time, in order.

        Two threads call the function if the text is long. False as soon as it returns None for a block.
        """
        with self._opened() as file:
            return _Turns(file).over(function, take, self.size)

    def _opened(self) -> BytesIO | FileIO:
        file = BytesIO(self.source) if isinstance(self.source, bytes) else FileIO(self.source)
        if file.read(len(_BOM)) != _BOM:
            file.seek(0)
        return file


class _Turns:
    """Blocks of a file handed out one by one, and their results passed on in the same order."""

    def __init__(self, file: BytesIO | FileIO) -> None:
        self._file, self._rest = file, b""
        self._giving, self._taking = Lock(), Lock()
        self._given, self._taken, self._stopped = 0, 0, False
        self._done: dict[int, Any] = {}

    def over(self, function: Callable[[Block], Result | None], take: Callable[[Result], object], size: int) -> bool:
        def work() -> None:
            room = bytearray(min(BLOCK, size + 2))
            try:
                while (turn := self._next(room)) is not None:
                    number, block = turn
                    if (result := function(block)) is None:
                        return
                    self._take(number, result, take)
            finally:
                self._stopped = True  # the end of the text, a block without a result, or an error

        if size <= BLOCK:
            work()
        else:
            with ThreadPoolExecutor(2) as workers:
                for done in [workers.submit(work) for _ in range(2)]:
                    done.result()
        return self._taken == self._given

    def _next(self, room: bytearray) -> tuple[int, Block] | None:
        with self._giving:
            if self._stopped or (block := self._read(room)) is None:
                return None
            number, self._given = self._given, self._given + 1
            return number, block

    def _read(self, room: bytearray) -> Block | None:
        """The next block, read into a buffer that grows until it holds a line."""
        room[: len(self._rest)] = self._rest
        filled, self._rest = len(self._rest), b""
        while True:
            if filled == len(room):
                if end := room.rfind(b"\n") + 1:
                    self._rest = bytes(room[end:])
                    return Block(room, end)
                room.extend(bytes(len(room) or BLOCK))
            with memoryview(room)[filled:] as free:
                got = self._file.readinto(free) or 0
            filled += got
            if not got:  # the end of the file
                return Block(room, filled) if filled else None

    def _take(self, number: int, result: Result, take: Callable[[Result], object]) -> None:
        with self._taking:
            self._done[number] = result
            while self._taken in self._done:
                take(self._done.pop(self._taken))
                self._taken += 1
