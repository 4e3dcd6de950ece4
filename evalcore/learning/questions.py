"""A question with its answer, the misconceptions a wrong answer betrays, and the steps of stories and lectures."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .answers import Answer, Number

__all__ = ["Comparison", "Misconception", "Question", "Ruling", "Step", "answered", "near"]


@dataclass(frozen=True)
class Misconception:
    """A known wrong way to an answer: how an answer betrays it, and the hint that leads back without the solution.

    `example` is an answer that it leads to.
    """

    code: str
    betrayed_by: Callable[[Any], bool]
    hint: str
    example: Any = None


def near(value: float, tolerance: float = 0.005) -> Callable[[float], bool]:
    """The test for a number that comes out of a wrong way.

    >>> near(2 / 3)(0.67), near(2 / 3)(0.7)
    (True, False)
    """
    return lambda answer: abs(answer - value) <= tolerance + 1e-9


def answered(*options: Any) -> Callable[[Any], bool]:
    """The test for an option, or one of some."""
    return lambda answer: answer in options


@dataclass(frozen=True)
class Ruling:
    """The judgment of an answer: whether it is right, the misconception that it shows, and the hint."""

    correct: bool
    code: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Question:
    """A question, what it expects, and why the right answer is right.

    `page` and `settings` name the state of a real page on which an answer can be looked up, as in a `Step`; what was
    built has its own settings.

    >>> from evalcore.learning import Number
    >>> swapped = Misconception("row for column", near(20 / 30), "You divided by the row, not by the column.")
    >>> precision = Question("Precision of 20 TP, 180 FP and 10 FN?", Number(0.1), (swapped,), "20 of 200 alarms.")
    >>> precision.rule("10 %")
    Ruling(correct=True, code='', hint='')
    >>> precision.rule("2/3").hint
    'You divided by the row, not by the column.'
    """

    text: str
    answer: Answer
    misconceptions: Sequence[Misconception] = ()
    solution: str = ""
    page: str = ""
    settings: Mapping[str, str] | Callable[[Any], Mapping[str, str]] = field(default_factory=dict)

    def rule(self, typed: Any) -> Ruling:
        """Judge an answer as it was typed. Raises ValueError, with a sentence, for what cannot be an answer."""
        value = self.answer.read(typed)
        if self.answer.right(value):
            return Ruling(True)
        for one in self.misconceptions:
            if one.betrayed_by(value):
                return Ruling(False, one.code, one.hint)
        return Ruling(False)

    def guess(self, typed: Any) -> Any:
        """Read an answer to be counted among those of others. Raises ValueError, also for a number out of range."""
        value = self.answer.read(typed)
        if isinstance(self.answer, Number):
            self.answer.check_range(value)
        return value

    def settings_of(self, value: Any) -> Mapping[str, str]:
        """The settings that show an answer on its page."""
        return self.settings(value) if callable(self.settings) else self.settings


@dataclass(frozen=True)
class Comparison:
    """A printed figure beside ours; the erratum says why they differ, where they do."""

    name: str
    printed: str
    ours: str
    erratum: str = ""


@dataclass(frozen=True)
class Step:
    """A step of a story, a challenge or a lecture: text, question, and what is shown once an answer is given.

    `page` and `settings` name the state of the real page that shows it: "classify/confusion" with
    {"data": "cancer_test"}.
    """

    title: str
    text: str = ""
    question: Question | None = None
    lesson: str = ""
    page: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    comparisons: Sequence[Comparison] = ()
    measure: str = "precision"  # the ratio of a 2×2 table that lights up
    page_first: bool = False  # the question is about what the page shows, so that it is opened before the answer
