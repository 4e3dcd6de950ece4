"""Attempts at a question: what was answered, how it was judged, and how a browser remembers it."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .questions import Question, Ruling

__all__ = ["Attempt"]


@dataclass(frozen=True)
class Attempt:
    """The last answer to a question, as it was read, and its judgment.

    Where the solution is shown, the value is a right one, and `guess` what was answered before, if anything.
    """

    value: Any
    ruling: Ruling
    solution_shown: bool = False
    guess: Any = None

    @property
    def finished(self) -> bool:
        return self.ruling.correct or self.solution_shown

    @property
    def record(self) -> list[Any]:
        """What JSON can hold of it."""
        return [self.value, self.ruling.correct, self.solution_shown, self.guess]

    @classmethod
    def of_record(cls, record: Any) -> "Attempt | None":
        """The attempt of a record, which may be anything; None where it is none. Its hint comes by `judged_by`."""
        match record:
            case [value, bool(correct), bool(shown), guess]:
                return cls(value, Ruling(correct), shown, guess)
        return None

    def judged_by(self, question: Question) -> "Attempt | None":
        """The same, read and judged again; None where it is no answer to the question.

        >>> from evalcore.learning import Number, Question
        >>> question = Question("1/2?", Number(0.5))
        >>> Attempt.of_record([0.5, False, False, None]).judged_by(question).finished
        True
        >>> Attempt.of_record([["a"], True, False, None]).judged_by(question)
        """
        read = question.answer.read
        with suppress(ValueError, TypeError):
            if self.solution_shown:
                guess = None if self.guess is None else read(self.guess)
                return Attempt(question.answer.solution, Ruling(False), solution_shown=True, guess=guess)
            return Attempt(read(self.value), question.rule(self.value))
        return None
