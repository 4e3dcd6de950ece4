"""Rooms: a class guesses on a shared server, and sees how its guesses spread. No name is kept.

A room is in the memory of one process and holds a lecture, the step that is shown, and guesses. Who gave a guess is
known only as a digest that differs from room to room, so that each visitor guesses once.
"""

import hashlib
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalcore.learning.lectures.lectures import Lecture
from evalcore.learning.lectures.parts import LectureProblem

__all__ = ["RoomState", "Rooms"]

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like digits
_CODE_LENGTH, _MOST_ROOMS, _MOST_OWN_ROOMS, _MOST_GUESSES, _HOURS = 5, 100, 3, 1_000, 4


@dataclass
class RoomState:
    """What everybody in a room may see, and the guess of the visitor who asks, if there is one."""

    lecture: Lecture
    step: int = 0
    revealed: bool = False
    guesses: Sequence[Any] = ()
    own_guess: Any = None


@dataclass
class _Room:
    lecture: Lecture
    key: str
    owner: str
    expires: float
    has_guests: bool = False
    step: int = 0
    revealed: set[int] = field(default_factory=set)
    guesses: dict[int, dict[bytes, Any]] = field(default_factory=dict)

    def guest(self, visitor: str) -> bytes:
        """A visitor as the guesses know them: the key of the room keeps rooms from being compared."""
        return hashlib.blake2b(visitor.encode(), key=self.key.encode(), digest_size=16).digest()


class Rooms:
    """The open rooms of a process. Every method may be called by several threads; those of the lecturer take the key.

    `visitor` tells visitors apart, in any words.

    >>> from evalcore.learning import Part
    >>> rooms = Rooms()
    >>> code, key = rooms.open(Lecture("Precision", (Part(question="20 of 200?", number="0.1"),)), "lecturer")
    >>> rooms.guess(code, 0, "10 %", "student")
    >>> rooms.show(code, key, step=0, revealed=True)
    >>> rooms.state(code, "student").guesses
    (0.1,)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock, self._rooms = clock, threading.Lock(), dict[str, _Room]()

    def open(self, lecture: Lecture, visitor: str) -> tuple[str, str]:
        """Open a room; its code for everybody and the lecturer's key.

        Where the visitor or the server has too many rooms, the oldest of them without guests is closed. Raises
        LectureProblem where all have guests.
        """
        with self._lock:
            self._sweep()
            own = [code for code, room in self._rooms.items() if room.owner == visitor]
            if len(own) >= _MOST_OWN_ROOMS:
                hint = f"Close one, or wait until {_HOURS} hours after its last step."
                self._close_one(own, f"Your {_MOST_OWN_ROOMS} open rooms all have guests. {hint}")
            elif len(self._rooms) >= _MOST_ROOMS:
                full = f"{_MOST_ROOMS} rooms are open on this server. Try again when one has closed."
                self._close_one([*self._rooms], full)
            code = self._free_code()
            key = secrets.token_urlsafe(9)
            self._rooms[code] = _Room(lecture, key, visitor, self._clock() + _HOURS * 3600)
            return code, key

    def state(self, code: str, visitor: str) -> RoomState:
        """What a room shows now; its guesses only once they are revealed. Raises LectureProblem without such a room."""
        with self._lock:
            room = self._room(code)
            room.has_guests |= visitor != room.owner
            revealed = room.step in room.revealed
            guesses = room.guesses.get(room.step, {})
            own = guesses.get(room.guest(visitor))
            return RoomState(room.lecture, room.step, revealed, tuple(guesses.values()) if revealed else (), own)

    def count(self, code: str) -> int:
        """How many have guessed at the step that is shown."""
        with self._lock:
            room = self._room(code)
            return len(room.guesses.get(room.step, ()))

    def guess(self, code: str, step: int, typed: Any, visitor: str) -> None:
        """Add a guess, as it was typed, at a step that is shown and not yet revealed.

        Raises ValueError for what cannot be an answer, and LectureProblem for a second guess of a visitor and for one
        that comes too late.
        """
        with self._lock:
            lecture = self._room(code).lecture
        question = next((one.question for one in lecture.steps()[step : step + 1]), None)
        if question is None:
            raise LectureProblem("This step asks no question.")
        value = question.guess(typed)
        with self._lock:
            room = self._room(code)
            if step != room.step or step in room.revealed:
                raise LectureProblem("The answer is shown already: your guess came too late to be counted.")
            guesses, guest = room.guesses.setdefault(step, {}), room.guest(visitor)
            if guest in guesses:
                raise LectureProblem("You have guessed at this step already: the first guess counts.")
            if len(guesses) >= _MOST_GUESSES:
                raise LectureProblem(f"This room has {_MOST_GUESSES:,} guesses already and takes no more.")
            guesses[guest] = value

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

    def _close_one(self, codes: Sequence[str], full: str) -> None:
        """Close the oldest of some rooms without guests; raises LectureProblem with this sentence if all have some."""
        code = next((code for code in codes if not self._rooms[code].has_guests), None)
        if code is None:
            raise LectureProblem(full)
        del self._rooms[code]

    def _sweep(self) -> None:
        now = self._clock()
        for code in [code for code, room in self._rooms.items() if room.expires <= now]:
            del self._rooms[code]

    def _free_code(self) -> str:
        while True:
            code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
            if code not in self._rooms:
                return code
