"""Questions with their answers and the misconceptions of wrong ones; steps of stories and lectures; and traps."""

import json
import math
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from string import Formatter
from typing import Any, Protocol

from evalcore.registry import METRICS, find
from evalcore.wording import count_text, number_text, share_text, threshold_text

__all__ = ["Attempt", "Choice", "Comparison", "Mark", "Misconception", "Near", "Number", "OneOf", "Question", "Ruling"]
__all__ += ["TRAPS", "Step", "Values", "field_names", "near", "read_number"]

LARGEST = 10**9  # the largest number that a lecture may name
_WRITTEN = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?)(?:/(\d+(?:\.\d*)?))?(%?)")
_COUNTED = re.compile(
    r"(?<=[\d.%])\s+(?!(?:hundred|thousand|million|billion|per|[kmb]|bn)\b)[^\W\d_]+(?:[ -][^\W\d_]+)*$", re.IGNORECASE
)
"""The noun after a number, as in "51 false alarms"; not a word that multiplies it, such as "million"."""


def content_of(file: str) -> Any:
    """Texts and numbers of a JSON file of this folder."""
    return json.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


@cache
def texts_of(file: str) -> Mapping[str, Any]:
    """Texts of a TOML file of this folder."""
    return tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))


class _Filled(Formatter):
    """Texts whose values are written as a "share", "count", "number", "list" or a rate of counts, or as in Python.

    A "term" is a number with two digits more, of which a quotient is right at its printed digits.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "list":
            return ", ".join(map(str, value))
        if format_spec in METRICS:
            return share_text(float(METRICS[format_spec](value)))
        written = _WAYS.get(format_spec)
        return written(float(value)) if written else super().format_field(value, format_spec)


_WAYS = {"share": share_text, "count": count_text, "number": number_text, "term": partial(number_text, digits=5)}


def filled(text: str, values: Mapping[str, Any]) -> str:
    """Fill values into a text by the names that stand in braces.

    >>> filled("{n:count} of {total}: {part:share}", {"n": 2.0, "total": 5, "part": 0.4})
    '2 of 5: 40.0\u202f%'
    """
    return _Filled().vformat(text, (), values)


def value_of(state: Any, name: str) -> float:
    """Value of a measure of four counts, classes, scores or estimates, by any of its names."""
    return float(find(name)(state))


class Answer(Protocol):
    """An expected answer. `read` takes what was typed or clicked, or a value of a receipt; it may raise ValueError
    with a sentence for the reader. `right` judges what was read, `text` writes it, `solution` is a right one."""

    def read(self, typed: Any) -> Any: ...
    def right(self, value: Any) -> bool: ...
    def text(self, value: Any) -> str: ...
    @property
    def solution(self) -> Any: ...


def read_number(typed: object, is_share: bool = False) -> float:
    """A number as people type it: 0.67, .67, 0,67, 2/3, ~67 %, 67 percent, 1 820 people; of a share, 67 is 67 %.

    Raises ValueError.

    >>> read_number("2/3") == 2 / 3, read_number("66.7 %"), read_number("0,5"), read_number("67", is_share=True)
    (True, 0.667, 0.5, 0.67)
    """
    if isinstance(typed, float) and math.isfinite(typed):  # read before, such as an answer of a receipt
        return float(typed)
    if not (bare := str(typed).strip()):
        raise ValueError("Type a number.")
    bare = _COUNTED.sub("", re.sub(r"\s*per ?cent$", "%", re.sub("^[~≈]", "", bare), flags=re.IGNORECASE))
    compact = re.sub(r"[\s\u2009\u202f']", "", bare).replace("−", "-")
    if compact.count(",") == 1 and "." not in compact:
        compact = compact.replace(",", ".")
    match = _WRITTEN.fullmatch(compact) if len(compact) <= 80 else None
    if not match or (match[2] and not float(match[2])):
        raise ValueError(f"“{str(typed)[:40]}” is not a number. Type one such as 0.67, 67 % or 2/3.")
    value = Fraction(match[1]) / Fraction(match[2] or 1)
    if match[3] or (is_share and abs(value) > 1):
        value /= 100
    return float(value)


@dataclass(frozen=True)
class Number:
    """A number; right within the tolerance, which is half of the last digit asked for."""

    solution: float
    is_share: bool = True
    tolerance: float = 0.005
    percent: bool = True  # whether a share is written in percent; an index, such as F1, is written as a decimal

    def read(self, typed: object) -> float:
        return read_number(typed, self.is_share)

    def right(self, value: float) -> bool:
        return math.isclose(value, self.solution, rel_tol=1e-9, abs_tol=self.tolerance + 1e-9)

    def text(self, value: float) -> str:
        if self.is_share and self.percent:
            return share_text(value)
        return count_text(value) if value == round(value) else number_text(value)


@dataclass(frozen=True)
class Choice:
    """A choice among options, by its position; one of them is right."""

    options: Sequence[str]
    solution: int

    def read(self, typed: object) -> int:
        for index in range(len(self.options)):
            if typed in (index, str(index)):
                return index
        raise ValueError("Choose one of the answers.")

    def right(self, value: int) -> bool:
        return value == self.solution

    def text(self, value: int) -> str:
        return self.options[value]


@dataclass(frozen=True)
class Values:
    """Several numbers that have to satisfy something: the cells of a table, a threshold, grades in their order."""

    names: Sequence[str]
    satisfies: Callable[[Sequence[float]], bool]
    solution: Sequence[float]
    lowest: float = 0
    highest: float = math.inf
    whole: bool = True
    numbers: Callable[[Sequence[float]], Sequence[tuple[str, str]]] | None = None
    """Names and values, as text, of what comes of the numbers: shown beside the fields while they are filled in."""
    ranked: Sequence[int] = ()
    """Grades of a ranked list from which the numbers are read: its documents are ordered in place of typing them."""
    of_list: Callable[[Sequence[int]], Sequence[float]] = tuple
    """The numbers of the list with these grades."""
    rule: str = ""
    """The challenge whose rule judges them, by its id; without one, only the solution is right."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """Numbers, and lists of numbers, that this rule takes by their names."""

    def read(self, typed: Sequence[object]) -> tuple[float, ...]:
        if isinstance(typed, str) or len(typed) != len(self.names):
            raise ValueError(f"Fill in {', '.join(self.names)}.")
        values = tuple(map(read_number, typed))
        for name, value in zip(self.names, values, strict=True):
            if self.whole and value != round(value):
                raise ValueError(f"{name} is {threshold_text(value)}; type a whole number.")
            if not self.lowest <= value <= self.highest:
                lowest, highest = threshold_text(self.lowest), threshold_text(self.highest)
                raise ValueError(f"{name} is {threshold_text(value)}; type a number from {lowest} to {highest}.")
        return values

    def right(self, value: Sequence[float]) -> bool:
        return bool(self.satisfies(value))

    def text(self, value: Sequence[float]) -> str:
        return ", ".join(f"{name} = {threshold_text(one)}" for name, one in zip(self.names, value, strict=True))


@dataclass(frozen=True)
class Mark:
    """A point on a picture with axes from 0 to 1, right within a distance; `points` are drawn beforehand."""

    solution: tuple[float, float]
    reach: float = 0.05
    axes: tuple[str, str] = ("x", "y")
    points: Sequence[tuple[str, float, float]] = ()
    percent: bool = True  # whether its coordinates are shares, written in percent

    def read(self, typed: Sequence[object]) -> tuple[float, float]:
        if isinstance(typed, str) or len(typed) != 2:
            raise ValueError("Mark a point on the picture, or type both of its coordinates.")
        x, y = (read_number(one, is_share=True) for one in typed)
        if not (0 <= x <= 1 and 0 <= y <= 1):
            raise ValueError("Both coordinates lie between 0 and 1.")
        return x, y

    def right(self, value: Sequence[float]) -> bool:
        return math.dist(value, self.solution) <= self.reach + 1e-9

    def text(self, value: Sequence[float]) -> str:
        written = share_text if self.percent else number_text
        return ", ".join(f"{axis} {written(one)}" for axis, one in zip(self.axes, value, strict=True))


def field_names(answer: Answer) -> Sequence[str]:
    """The names of the fields in which an answer is typed."""
    return answer.names if isinstance(answer, Values) else getattr(answer, "axes", ("Your answer",))


@dataclass(frozen=True)
class Misconception:
    """A known misconception: the test that recognises it, a hint that does not give it away, and an example."""

    code: str
    betrayed_by: Callable[[Any], bool]
    hint: str
    example: Any = None


@dataclass(frozen=True)
class Near:
    """Test for a number, or a point of several numbers, that a misconception leads to."""

    place: Any
    reach: float

    def __call__(self, answer: Any) -> bool:
        far = math.dist(answer, self.place) if isinstance(self.place, Sequence) else abs(answer - self.place)
        return far <= self.reach + 1e-9


def near(place: float | Sequence[float], tolerance: float = 0.005) -> Near:
    """Test for a number, or a point of several numbers, that a misconception leads to."""
    return Near(tuple(map(float, place)) if isinstance(place, Sequence) else float(place), tolerance)


@dataclass(frozen=True)
class OneOf:
    """Test for one of some options, by their positions."""

    options: Sequence[int]

    def __call__(self, answer: Any) -> bool:
        return answer in self.options


@dataclass(frozen=True)
class Ruling:
    """The judgment of an answer: whether it is right, the misconception that it shows, and the hint."""

    correct: bool
    code: str = ""
    hint: str = ""


Settings = Mapping[str, str] | Callable[[Any], Mapping[str, str]]  # of a page; made from an answer, to show it there


@dataclass(frozen=True)
class Question:
    """A question with its expected answer, its explanation, and the page on which an answer can be looked up."""

    text: str
    answer: Answer
    misconceptions: Sequence[Misconception] = ()
    solution: str = ""
    page: str = ""
    settings: Settings = field(default_factory=dict)

    def rule(self, typed: Any) -> Ruling:
        """Judge an answer as typed. Raises ValueError, with a sentence, for what cannot be an answer."""
        value = self.answer.read(typed)
        if self.answer.right(value):
            return Ruling(True)
        for one in self.misconceptions:
            if one.betrayed_by(value):
                return Ruling(False, one.code, one.hint)
        return Ruling(False)

    def guess(self, typed: Any) -> Any:
        """Read an answer to be counted among those of others. Raises ValueError, also for a number out of range."""
        answer, value = self.answer, self.answer.read(typed)
        if isinstance(answer, Number):  # the range of shares, or of lectures, widened to include the answer
            most, least = (1, 0) if answer.is_share else (LARGEST, -LARGEST)
            low, high = min(least, math.floor(answer.solution)), max(most, math.ceil(answer.solution))
            if not low <= value <= high:
                ends = f"{answer.text(low)} to {answer.text(high)}"
                raise ValueError(f"{answer.text(value)} is out of range. Guess from {ends}.")
        return value

    @property
    def shows_example(self) -> bool:
        """Whether its page shows other data than the question asks about."""
        return bool(self.page) and not callable(self.settings) and "cells" not in self.settings

    def settings_of(self, value: Any) -> Mapping[str, str]:
        """The settings that show an answer on its page."""
        return self.settings(value) if callable(self.settings) else self.settings


Wrong = Sequence[tuple[str, Callable[[Any], bool], Any]]  # known wrong answers: code, test and example of each


def written_question(
    texts: Mapping[str, Any], values: Mapping[str, Any], answer: Answer | None, wrong: Wrong = (), page: str = "",
    settings: Settings | None = None,
) -> Question:  # fmt: skip
    """Question of texts filled with values; without an answer, the one of their options that has no hint is right."""
    parts = texts.get("options", {}) | texts.get("hints", {})
    hints = {filled(name, values): filled(hint, values) for name, hint in parts.items()}
    if answer is None:
        answer = Choice([*hints], [*hints.values()].index(""))
        wrong = [(name, OneOf((place,)), place) for place, (name, hint) in enumerate(hints.items()) if hint]
    known = tuple(Misconception(code, test, hints[code], example) for code, test, example in wrong)
    ask, solution = (filled(texts[name], values) for name in ("ask", "solution"))
    return Question(ask, answer, known, solution, page, settings or {})


@dataclass(frozen=True)
class Comparison:
    """A printed figure beside ours; the erratum says why they differ, if they do."""

    name: str
    printed: str
    ours: str
    erratum: str = ""


@dataclass(frozen=True)
class Step:
    """A step of a story, a challenge or a lecture: text, question, and content that is shown after an answer.

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
    shown: Mapping[str, int] = field(default_factory=dict)  # what of the picture is explained by now: `begun_figure`
    page_first: bool = False  # the question is about what the page shows, so that it is opened before the answer

    @property
    def shows_example(self) -> bool:
        """Whether its page shows other data than its question asks about."""
        return self.question is not None and self.question.shows_example


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
    def given(self) -> Any:
        """Answer of the reader, right or wrong; None where only the solution was shown."""
        return self.guess if self.solution_shown else self.value

    @property
    def record(self) -> list[Any]:
        """Return the attempt as values that JSON can hold."""
        return [self.value, self.ruling.correct, self.solution_shown, self.guess]

    @classmethod
    def of_record(cls, record: Any) -> "Attempt | None":
        """Read the attempt of a record, which may be anything; None if it is invalid. `judged_by` adds its hint."""
        match record:
            case [value, bool(correct), bool(shown), guess]:
                return cls(value, Ruling(correct), shown, guess)
        return None

    def judged_by(self, question: Question) -> "Attempt | None":
        """Read and judge this attempt again; None if it is no answer to the question."""
        read = question.answer.read
        with suppress(ValueError, TypeError):
            if self.solution_shown:
                guess = None if self.guess is None else read(self.guess)
                return Attempt(question.answer.solution, Ruling(False), solution_shown=True, guess=guess)
            return Attempt(read(self.value), question.rule(self.value))
        return None


def _trap(text: str, options: Mapping[str, str], solution: str, **step: Any) -> Step:
    """Step with a question whose wrong options map to a hint, and its right option to an empty one."""
    texts = {"ask": f"{text} **What do you expect?**", "options": options, "solution": solution}
    return Step(question=written_question(texts, {}, None), **step)


TRAPS: dict[str, Step] = {id: _trap(**trap) for id, trap in texts_of("traps.toml").items()}
"""Each trap by its id: the question, what to look at, and the state of the page that shows it."""
