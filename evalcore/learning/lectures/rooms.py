"""Rooms: a class guesses on a shared server, and sees how its guesses spread. No name is kept.

A room is in the memory of one process and holds a lecture, the step that is shown, and guesses. Who gave a guess is
known only as a digest that differs from room to room, so that each visitor guesses once.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from evalcore.learning.lectures.lectures import Lecture, LectureProblem, refuse
from evalcore.learning.questions import Question

__all__ = ["RECEIPT_LIMITS", "RoomState", "Rooms", "Verified", "questions_of", "read_receipts", "receipt_of", "seed_of"]
__all__ += ["verified"]

_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"  # without I and O, which look like digits
_CODE_LENGTH, _MOST_ROOMS, _MOST_OWN_ROOMS, _MOST_GUESSES, _HOURS = 5, 100, 3, 1_000, 4


@dataclass
class RoomState:
    """Public state of a room, with the guess of the visitor who asks, if there is one."""

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
        """Anonymous id of a visitor in a room: the key of the room keeps rooms from being compared."""
        return hashlib.blake2b(visitor.encode(), key=self.key.encode(), digest_size=16).digest()


class Rooms:
    """Open rooms of a process, thread-safe; methods of the lecturer take the key, `visitor` tells visitors apart."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock, self._rooms = clock, threading.Lock(), dict[str, _Room]()

    def open(self, lecture: Lecture, visitor: str) -> tuple[str, str]:
        """Open a room: its code and the lecturer's key. Beyond a limit, the oldest room without guests is closed."""
        with self._lock:
            self._sweep()
            own = [code for code, room in self._rooms.items() if room.owner == visitor]
            if len(own) >= _MOST_OWN_ROOMS:
                hint = f"Close one, or wait until {_HOURS} hours after its last step."
                self._close_one(own, f"Your {_MOST_OWN_ROOMS} open rooms all have guests. {hint}")
            elif len(self._rooms) >= _MOST_ROOMS:
                full = f"{_MOST_ROOMS} rooms are open on this server. Try again when one has closed."
                self._close_one([*self._rooms], full)
            code, key = "", secrets.token_urlsafe(9)
            while not code or code in self._rooms:
                code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
            self._rooms[code] = _Room(lecture, key, visitor, self._clock() + _HOURS * 3600)
            return code, key

    def state(self, code: str, visitor: str) -> RoomState:
        """Return the state of a room, with guesses once revealed. Raises LectureProblem if there is no such room."""
        with self._lock:
            room = self._room(code)
            room.has_guests |= visitor != room.owner
            revealed = room.step in room.revealed
            guesses = room.guesses.get(room.step, {})
            seen = tuple(guesses.values()) if revealed else ()
            return RoomState(room.lecture, room.step, revealed, seen, guesses.get(room.guest(visitor)))

    def count(self, code: str) -> int:
        """Number of guesses at the current step."""
        with self._lock:
            room = self._room(code)
            return len(room.guesses.get(room.step, ()))

    def guess(self, code: str, step: int, typed: Any, visitor: str) -> None:
        """Add a typed guess at a step that is not yet revealed. Raises ValueError or LectureProblem."""
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
        with self._lock, suppress(LectureProblem):
            return self._own(code, key) is not None
        return False

    def close(self, code: str, key: str) -> None:
        """Close a room and forget all of it. Raises LectureProblem for a wrong key."""
        with self._lock:
            self._own(code, key)
            del self._rooms[code]

    def _room(self, code: str) -> _Room:
        self._sweep()
        if (room := self._rooms.get(code.strip().upper())) is None:
            closes = f"A room closes {_HOURS} hours after its lecturer's last step."
            raise LectureProblem(f"No room with this code is open. {closes}")
        return room

    def _own(self, code: str, key: str) -> _Room:
        room = self._room(code)
        if not secrets.compare_digest(room.key.encode(), key.encode(errors="replace")):
            raise LectureProblem("Only the lecturer who opened this room can do that.")
        return room

    def _close_one(self, codes: Sequence[str], full: str) -> None:
        """Close the oldest of some rooms without guests; raises LectureProblem with this sentence if all have some."""
        empty = [code for code in codes if not self._rooms[code].has_guests]
        if not empty:
            raise LectureProblem(full)
        del self._rooms[empty[0]]

    def _sweep(self) -> None:
        now = self._clock()
        self._rooms = {code: room for code, room in self._rooms.items() if room.expires > now}


RECEIPT_LIMITS = (
    "A receipt proves that its numbers belong to its name and that nothing in it was altered. It cannot prove who sat "
    "at the keyboard, what help they had, or that they did not start again under the same name; and because Evalcore "
    "is open, somebody who reads its code can write a receipt that verifies. Use it for practice, not for grades."
)

_FORMAT = "evalcore receipt"
_LONGEST, _LONGEST_NAME = 1_000_000, 80


@dataclass(frozen=True)
class Receipt:
    """Answers under a name: the first one to each question, None where there is none, and how they were judged."""

    name: str
    title: str
    lecture: str  # its digest
    seed: int
    answers: Sequence[Any]
    right: Sequence[bool]
    score: str
    check: str = ""

    @property
    def code(self) -> str:
        """Check code of all other fields, in three groups."""
        content = json.dumps(asdict(self) | {"check": ""}, sort_keys=True)
        letters = base64.b32encode(hashlib.sha256(content.encode()).digest()).decode()
        return "-".join((letters[:4], letters[4:8], letters[8:12]))

    def text(self) -> str:
        """The receipt as a file, one line for each entry."""
        entries = ({_FORMAT: 1} | asdict(self)).items()
        lines = (f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in entries)
        return "{\n" + ",\n".join(lines) + "\n}"


@dataclass(frozen=True)
class Verified:
    """Result of verifying a receipt: name, score computed again, and why it fails ("" if it is verified)."""

    name: str
    score: str
    problem: str = ""


def seed_of(name: str, digest: str) -> int:
    """The seed of a name's numbers in a lecture, from 1; letter case and blanks make no difference."""
    return 1 + int.from_bytes(hashlib.sha256(f"{_tidy(name).upper().lower()}\0{digest}".encode()).digest()[:4])


def questions_of(lecture: Lecture, seed: int) -> list[Question]:
    """The questions that a lecture asks under a seed."""
    return [step.question for step in lecture.steps(seed) if step.question is not None]


def receipt_of(lecture: Lecture, name: str, answers: Sequence[Any]) -> Receipt:
    """The receipt for the answers to the questions of a lecture, None where one has none. Raises LectureProblem."""
    if not _tidy(name):
        raise LectureProblem("Type your name: the receipt is made out to it.")
    name = _tidy(name)[:_LONGEST_NAME]
    seed = seed_of(name, lecture.digest)
    right = _rulings(questions_of(lecture, seed), answers)
    made = Receipt(name, lecture.title, lecture.digest, seed, list(answers), right, _score(right))
    return replace(made, check=made.code)


def read_receipts(text: str) -> list[Receipt]:
    """Read the receipts in a text, ignoring what stands between them. Raises LectureProblem."""
    if len(text) > _LONGEST:
        raise LectureProblem(f"This is more than {_LONGEST:,} characters. Verify fewer receipts at a time.")
    decoder, receipts, at = json.JSONDecoder(parse_constant=refuse), [], text.find("{")
    while at >= 0:
        try:
            content, end = decoder.raw_decode(text, at)
            receipts.append(_receipt(content))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            where = f" after the first {len(receipts)}" if receipts else ""
            raise LectureProblem(f"No whole receipt{where}. Copy each from {{ to }}, or open its file.") from error
        at = text.find("{", end)
    if not receipts:
        raise LectureProblem("This is not a receipt, which starts with { and ends with }.")
    return receipts


def verified(lecture: Lecture, receipt: Receipt) -> Verified:
    """Compute a receipt again from its name and answers, and compare."""
    score, problem = "", ""
    if receipt.lecture != lecture.digest:
        problem = "It is from another lecture, or from another version of this lecture or of Evalcore."
    elif receipt.seed != seed_of(receipt.name, lecture.digest):
        problem = "The numbers belong to another name: the receipt was copied, or its name or seed was altered."
    else:
        try:
            right = _rulings(questions_of(lecture, receipt.seed), receipt.answers)
        except LectureProblem as error:
            return Verified(receipt.name, "", str(error))
        score = _score(right)
        if list(receipt.right) != right or receipt.score != score:
            problem = f"Its answers give {score}, not what it states: answers or result were altered."
        elif receipt.check != receipt.code:
            problem = "The check code does not fit: something in it was altered."
    return Verified(receipt.name, score, problem)


def _rulings(questions: Sequence[Question], answers: Sequence[Any]) -> list[bool]:
    if len(answers) != len(questions):
        raise LectureProblem(f"It has {len(answers)} answers, and the lecture asks {len(questions)} questions.")
    try:
        pairs = zip(questions, answers, strict=True)
        return [answer is not None and question.rule(answer).correct for question, answer in pairs]
    except (ValueError, TypeError, OverflowError) as error:
        raise LectureProblem("One of its answers is none that the lecture takes: answers were altered.") from error


def _score(right: Sequence[bool]) -> str:
    return f"{sum(right)} of {len(right)}"


def _receipt(content: Any) -> Receipt:
    if content.pop(_FORMAT) != 1:
        raise ValueError(_FORMAT)
    made = Receipt(**content)
    texts = (made.name, made.title, made.lecture, made.score, made.check)
    if not all(isinstance(one, str) for one in texts) or not isinstance(made.answers, list):
        raise TypeError
    if not isinstance(made.right, list) or type(made.seed) is not int or len(made.name) > _LONGEST_NAME:
        raise TypeError
    return made


def _tidy(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())
