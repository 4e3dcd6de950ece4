"""Rooms: a class guesses on a shared server, and sees how its guesses spread. Nothing about a person is kept.

A room is in the memory of one process and holds a lecture, the step that is shown, and guesses without their givers.
"""

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .lectures import Lecture
from .parts import LectureProblem

__all__ = ["RoomState", "Rooms"]

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like digits
_CODE_LENGTH, _MOST_ROOMS, _MOST_GUESSES, _HOURS = 5, 100, 1_000, 4


@dataclass
class RoomState:
    """What everybody in a room may see."""

    lecture: Lecture
    step: int = 0
    revealed: bool = False
    guesses: Sequence[Any] = ()


@dataclass
class _Room:
    lecture: Lecture
    key: str
    expires: float
    step: int = 0
    revealed: set[int] = field(default_factory=set)
    guesses: dict[int, list[Any]] = field(default_factory=dict)


class Rooms:
    """The open rooms of a process. Every method may be called by several threads; those of the lecturer take the key.

    >>> rooms = Rooms()
    >>> code, key = rooms.open(Lecture("Precision"))
    >>> rooms.guess(code, 0, 0.1)
    >>> rooms.show(code, key, step=0, revealed=True)
    >>> rooms.state(code).guesses
    (0.1,)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock, self._rooms = clock, threading.Lock(), dict[str, _Room]()

    def open(self, lecture: Lecture) -> tuple[str, str]:
        """Open a room; its code for everybody and the lecturer's key. Raises LectureProblem where all are taken."""
        with self._lock:
            self._sweep()
            if len(self._rooms) >= _MOST_ROOMS:
                raise LectureProblem(f"{_MOST_ROOMS} rooms are open on this server. Try again when one has closed.")
            code = self._free_code()
            key = secrets.token_urlsafe(9)
            self._rooms[code] = _Room(lecture, key, self._clock() + _HOURS * 3600)
            return code, key

    def state(self, code: str) -> RoomState:
        """What a room shows now; its guesses only once they are revealed. Raises LectureProblem without such a room."""
        with self._lock:
            room = self._room(code)
            revealed = room.step in room.revealed
            guesses = tuple(room.guesses.get(room.step, ())) if revealed else ()
            return RoomState(room.lecture, room.step, revealed, guesses)

    def count(self, code: str) -> int:
        """How many have guessed at the step that is shown."""
        with self._lock:
            room = self._room(code)
            return len(room.guesses.get(room.step, ()))

    def guess(self, code: str, step: int, value: Any) -> None:
        """Add a guess at a step that is shown and not yet revealed. Raises LectureProblem where it comes too late."""
        with self._lock:
            room = self._room(code)
            if step != room.step or step in room.revealed:
                raise LectureProblem("The answer is shown already: your guess came too late to be counted.")
            guesses = room.guesses.setdefault(step, [])
            if len(guesses) >= _MOST_GUESSES:
                raise LectureProblem(f"This room has {_MOST_GUESSES:,} guesses already and takes no more.")
            guesses.append(value)

    def show(self, code: str, key: str, step: int, revealed: bool = False) -> None:
        """Show a step to everybody, and its guesses once revealed. Raises LectureProblem for a wrong key."""
        with self._lock:
            room = self._own(code, key)
            room.step, room.expires = step, self._clock() + _HOURS * 3600
            if revealed:
                room.revealed.add(step)

    def is_host(self, code: str, key: str) -> bool:
        """Whether the key is that of the room's lecturer."""
        try:
            with self._lock:
                return self._own(code, key) is not None
        except LectureProblem:
            return False

    def close(self, code: str, key: str) -> None:
        """Close a room and forget all of it. Raises LectureProblem for a wrong key."""
        with self._lock:
            self._own(code, key)
            del self._rooms[code]

    def _room(self, code: str) -> _Room:
        self._sweep()
        try:
            return self._rooms[code.strip().upper()]
        except KeyError:
            raise LectureProblem(
                f"No room with this code is open. A room closes {_HOURS} hours after its lecturer's last step."
            ) from None

    def _own(self, code: str, key: str) -> _Room:
        room = self._room(code)
        if not secrets.compare_digest(room.key.encode(), key.encode(errors="replace")):
            raise LectureProblem("Only the lecturer who opened this room can do that.")
        return room

    def _sweep(self) -> None:
        now = self._clock()
        for code in [code for code, room in self._rooms.items() if room.expires <= now]:
            del self._rooms[code]

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
            if code not in self._rooms:
                return code
