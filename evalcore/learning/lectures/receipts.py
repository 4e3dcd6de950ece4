"""Receipts: what a student answered in a lecture, so that the lecturer can compute it again without a server.

The numbers of a student follow from the name and the lecture. A receipt under another name belongs to other numbers,
and one whose answers, result or name were altered does not agree with itself. It is no signature: whoever reads this
file can write a receipt that verifies, and nothing says who sat at the keyboard.
"""

import base64
import hashlib
import json
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from evalcore.learning.lectures.lectures import Lecture
from evalcore.learning.lectures.parts import LectureProblem
from evalcore.learning.questions import Question

__all__ = ["Receipt", "Verified", "questions_of", "read_receipts", "receipt_of", "seed_of", "verified"]

_FORMAT = "evalcore receipt"
_LONGEST, _LONGEST_NAME = 1_000_000, 80


@dataclass(frozen=True)
class Receipt:
    """What was answered under a name: the first answer to each question, None where there is none, and its rulings."""

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
        """The check code of all else, in three groups."""
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
    """What became of a receipt: its name, the score computed again, and why it fails; "" if it is verified."""

    name: str
    score: str
    problem: str = ""


def seed_of(name: str, digest: str) -> int:
    """The seed of a name's numbers in a lecture, from 1; letter case and blanks make no difference.

    >>> seed_of("Ada  Lovelace", "f00d") == seed_of("ada lovelace ", "f00d") != seed_of("Ada L", "f00d")
    True
    """
    return 1 + int.from_bytes(hashlib.sha256(f"{_tidy(name).casefold()}\0{digest}".encode()).digest()[:4])


def questions_of(lecture: Lecture, seed: int) -> list[Question]:
    """The questions that a lecture asks under a seed."""
    return [step.question for step in lecture.steps(seed) if step.question is not None]


def receipt_of(lecture: Lecture, name: str, answers: Sequence[Any]) -> Receipt:
    """The receipt for the answers to the questions of a lecture, None where one has none. Raises LectureProblem."""
    if not _tidy(name):
        raise LectureProblem("Type your name: the receipt is made out to it.")
    name = _tidy(name)[:_LONGEST_NAME]
    digest = lecture.digest
    seed = seed_of(name, digest)
    right = _rulings(questions_of(lecture, seed), answers)
    made = Receipt(name, lecture.title, digest, seed, list(answers), right, _score(right))
    return replace(made, check=made.code)


def read_receipts(text: str) -> list[Receipt]:
    """The receipts in a text, one after another, whatever stands between them. Raises LectureProblem."""
    if len(text) > _LONGEST:
        raise LectureProblem(f"This is more than {_LONGEST:,} characters. Verify fewer receipts at a time.")
    decoder, receipts, at = json.JSONDecoder(parse_constant=_refuse), [], text.find("{")
    while at >= 0:
        try:
            content, end = decoder.raw_decode(text, at)
            receipts.append(_receipt(content))
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            where = f" after the first {len(receipts)}" if receipts else ""
            raise LectureProblem(f"No whole receipt{where}. Copy each from {{ to }}, or open its file.") from error
        at = text.find("{", end)
    if not receipts:
        raise LectureProblem("Here is no receipt. It starts with { and ends with }.")
    return receipts


def verified(lecture: Lecture, receipt: Receipt) -> Verified:
    """Compute a receipt again from its name and answers, and compare.

    >>> from evalcore.learning import Part
    >>> lecture = Lecture("A", (Part(question="{n} / 4?", number="n / 4", drawn={"n": (1, 400)}, is_share=False),))
    >>> answer = questions_of(lecture, seed_of("Ada", lecture.digest))[0].answer.solution
    >>> made = receipt_of(lecture, "Ada", [answer])
    >>> verified(lecture, made)
    Verified(name='Ada', score='1 of 1', problem='')
    >>> from dataclasses import replace
    >>> verified(lecture, replace(made, name="Bob")).problem
    'The numbers belong to another name: the receipt was copied, or its name or seed was altered.'
    """
    digest = lecture.digest
    if receipt.lecture != digest:
        problem = "It is from another lecture, or from another version of this lecture or of Evalcore."
        return Verified(receipt.name, "", problem)
    if receipt.seed != seed_of(receipt.name, digest):
        problem = "The numbers belong to another name: the receipt was copied, or its name or seed was altered."
        return Verified(receipt.name, "", problem)
    try:
        right = _rulings(questions_of(lecture, receipt.seed), receipt.answers)
    except LectureProblem as error:
        return Verified(receipt.name, "", str(error))
    if list(receipt.right) != right or receipt.score != _score(right):
        problem = f"Its answers give {_score(right)}, not what it states: answers or result were altered."
        return Verified(receipt.name, _score(right), problem)
    if receipt.check != receipt.code:
        return Verified(receipt.name, _score(right), "The check code does not fit: something in it was altered.")
    return Verified(receipt.name, _score(right))


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
    lists = (made.answers, made.right)
    if not all(isinstance(one, str) for one in texts) or not all(isinstance(one, list) for one in lists):
        raise TypeError
    if type(made.seed) is not int or len(made.name) > _LONGEST_NAME:
        raise TypeError
    return made


def _tidy(name: str) -> str:
    return " ".join(unicodedata.normalize("NFC", name).split())


def _refuse(constant: str) -> float:
    raise ValueError(constant)
