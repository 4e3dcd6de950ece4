"""The parts of a lecture: text, question and page of its own, a story or one of its steps, a challenge."""

import ast
import math
import operator
import random
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from evalcore.learning.challenges import CHALLENGES
from evalcore.learning.questions import LARGEST, Choice, Misconception, Number, Question, Step, answered, near
from evalcore.learning.stories import STORIES
from evalcore.wording import plain

__all__ = ["LectureProblem", "Part"]


class LectureProblem(ValueError):
    """Problem with a lecture or a receipt, in a sentence for its reader."""


_LENGTHS = {"title": 120, "text": 3_000, "question": 1_000, "solution": 1_000, "number": 200, "page": 60}
_LENGTHS |= {"story": 60, "challenge": 60}
_MOST_OPTIONS, _LONGEST_OPTION, _MOST_DRAWN = 8, 200, 8


@dataclass(frozen=True)
class Part:
    """A part of a lecture. A story, one `step` of it (from 1) or a challenge is identified by its id.

    Else it is the lecturer's own: title, text and the state of a page, with a question whose answer is one of some
    `options` (`right` is its index; students see them in an order of their own) or a `number`: a value, or arithmetic
    with the names in `drawn`, which have whole numbers drawn from their range for each student and stand in braces in
    the texts. `mistakes` are well-known wrong answers, an option or a number, each with the hint that it gets.
    """

    title: str = ""
    text: str = ""
    page: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    question: str = ""
    options: Sequence[str] = ()
    right: int = 0
    number: str = ""
    is_share: bool = True
    drawn: Mapping[str, Sequence[int]] = field(default_factory=dict)
    solution: str = ""
    mistakes: Mapping[str, str] = field(default_factory=dict)
    story: str = ""
    step: int = 0
    challenge: str = ""

    def __post_init__(self) -> None:
        """Raises LectureProblem for what is too long, of the wrong type, or no question that can be answered."""
        for name, longest in _LENGTHS.items():
            if not isinstance(value := getattr(self, name), str) or len(value) > longest:
                raise LectureProblem(f"The {name} of a step is a text of at most {longest:,} characters.")
        _check_settings(self.page, self.settings)
        _check_options(self.options, self.right)
        _check_drawn(self.drawn)
        if not isinstance(self.step, int) or not isinstance(self.is_share, bool):
            raise LectureProblem("A step of this lecture has a value of the wrong kind.")
        if self.question and bool(self.options) == bool(self.number):
            raise LectureProblem("A question needs answers to choose from, or a number; not both.")
        _check_mistakes(self.mistakes)
        if self.number:
            self._values(0)
        if self.question:
            self.steps()

    def steps(self, seed: int = 0) -> list[Step]:
        """The steps of this part with the numbers of a seed, 0 for those of the lecturer. Raises LectureProblem."""
        if self.story:
            return self._story_steps()
        if self.challenge:
            return [self._challenge_step(seed)]
        values = self._values(seed)
        question = self._question(seed, values) if self.question else None
        text = "\n\n".join(plain(line, 3_000) for line in _filled(self.text, values).split("\n") if line.strip())
        title = plain(self.title, 120) or ("Question" if question else "Step")
        return [Step(title, text, question, page=self.page, settings=self.settings, page_first=True)]

    def _story_steps(self) -> list[Step]:
        if self.story not in STORIES or not 0 <= self.step <= len(STORIES[self.story].steps):
            raise LectureProblem(f"This version of Evalcore has no example {plain(self.story)} with step {self.step}.")
        steps = STORIES[self.story].steps
        return list(steps[self.step - 1 : self.step] if self.step else steps)

    def _challenge_step(self, seed: int) -> Step:
        if self.challenge not in CHALLENGES:
            raise LectureProblem(f"This version of Evalcore has no challenge {plain(self.challenge)}.")
        challenge = CHALLENGES[self.challenge]
        question = challenge.question(seed)
        settings = question.settings_of(question.answer.solution)
        return Step(challenge.title, "", question, page=question.page, settings=settings)

    def _question(self, seed: int, values: Mapping[str, float]) -> Question:
        text, solution = (plain(_filled(words, values), 1_000) for words in (self.question, self.solution))
        if not self.options:
            tolerance = 0.005 * (1 if self.is_share else max(1.0, abs(values[""])))
            return Question(
                text, Number(values[""], self.is_share, tolerance), self._wrong_numbers(values, tolerance), solution
            )
        source = random.Random(seed)
        order = sorted(range(len(self.options)), key=lambda index: source.random() if seed else index)
        options = tuple(plain(_filled(self.options[index], values), _LONGEST_OPTION) for index in order)
        known = self._wrong_options({option: order.index(index) for index, option in enumerate(self.options)}, values)
        return Question(text, Choice(options, order.index(self.right)), known, solution)

    def _wrong_options(self, places: Mapping[str, int], values: Mapping[str, float]) -> list[Misconception]:
        """The mistakes that lead to an option, by where the options stand."""
        if unknown := self.mistakes.keys() - places.keys() | self.mistakes.keys() & {self.options[self.right]}:
            raise LectureProblem(f"“{plain(min(unknown))}” is none of the wrong answers to choose from.")
        return [
            Misconception(option, answered(places[option]), plain(_filled(hint, values), 1_000), places[option])
            for option, hint in self.mistakes.items()
        ]

    def _wrong_numbers(self, values: Mapping[str, float], tolerance: float) -> list[Misconception]:
        """The mistakes that lead to a number, without those that divide by 0 for the numbers drawn."""
        known = []
        for written, hint in self.mistakes.items():
            with suppress(ZeroDivisionError, OverflowError):
                wrong = _computed(written, values)
                known.append(Misconception(written, near(wrong, tolerance), plain(_filled(hint, values), 1_000), wrong))
        return known

    def _values(self, seed: int) -> dict[str, float]:
        """The drawn numbers by their names, and the answer under ""; the first of some draws that has an answer."""
        source = random.Random(seed)
        for draw in range(20):
            lowest = seed == 0 and draw == 0
            values = {
                name: float(low if lowest else low + int(source.random() * (high - low + 1)))
                for name, (low, high) in self.drawn.items()
            }
            try:
                return values | {"": _computed(self.number, values) if self.number else 0.0}
            except (ZeroDivisionError, OverflowError):
                continue
        raise LectureProblem(f"“{plain(self.number)}” divides by 0 for the numbers of this step, or is too large.")


def _filled(text: str, values: Mapping[str, float]) -> str:
    """Fill the drawn numbers into a text in place of their names in braces."""
    return re.sub(r"\{(\w+)\}", lambda match: f"{values[match[1]]:.0f}" if match[1] in values else match[0], text)


_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


def _computed(written: str, values: Mapping[str, float]) -> float:
    """The value of arithmetic with + − * / and parentheses over numbers and names. Raises LectureProblem."""
    try:
        value = _value(ast.parse(written.strip(), mode="eval").body, values)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        names = ", ".join(values) or "numbers"
        raise LectureProblem(
            f"“{plain(written)}” cannot be computed. Use numbers, + - * / and parentheses"
            + (f", and the names {plain(names, 200)}." if values else ".")
        ) from error
    if not math.isfinite(value):
        raise OverflowError(written)
    return value


def _value(node: ast.expr, values: Mapping[str, float]) -> float:
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, values)
    if isinstance(node, ast.Name) and node.id in values:
        return values[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and abs(node.value) <= LARGEST:
        return float(node.value)
    raise ValueError(node)


def _require(holds: object, rule: str) -> None:
    """Raise LectureProblem with a rule that does not hold."""
    if not holds:
        raise LectureProblem(rule)


def _check_settings(page: str, settings: Any) -> None:
    is_page = not page or re.fullmatch(r"[a-z]+/[a-z_]+", page)
    _require(is_page, "A step names its page by section and name, such as classify/confusion.")
    few = isinstance(settings, Mapping) and len(settings) <= 40
    _require(few, "The settings of a page are at most 40 names with their values.")
    for name, value in settings.items():
        short = isinstance(value, str) and re.fullmatch(r"\w{1,40}", str(name)) and len(value) <= 2_000
        _require(short, "The settings of a page are names with short texts.")


def _check_options(options: Any, right: object) -> None:
    many = isinstance(options, Sequence) and not isinstance(options, str)
    texts = [one for one in options if isinstance(one, str) and 0 < len(one) <= _LONGEST_OPTION] if many else []
    _require(
        many and len(texts) == len(options) and len(texts) != 1 and len(texts) <= _MOST_OPTIONS,
        f"A question has 2 to {_MOST_OPTIONS} answers to choose from, of at most {_LONGEST_OPTION} characters each.",
    )
    known = isinstance(right, int) and 0 <= right < max(len(texts), 1)
    _require(known, "The right answer must be one of the answers.")


def _check_mistakes(mistakes: Any) -> None:
    rule = f"A known mistake is a wrong answer with its hint; at most {_MOST_OPTIONS} of them."
    _require(isinstance(mistakes, Mapping) and len(mistakes) <= _MOST_OPTIONS, rule)
    for wrong, hint in mistakes.items():
        _require(isinstance(wrong, str) and len(wrong) <= _LONGEST_OPTION, rule)
        _require(isinstance(hint, str) and 0 < len(hint) <= _LENGTHS["solution"], rule)


def _check_drawn(drawn: Any) -> None:
    rule = f"A drawn number has a name and two whole limits up to {LARGEST:,}, such as tp from 20 to 60."
    _require(isinstance(drawn, Mapping) and len(drawn) <= _MOST_DRAWN, f"A step draws at most {_MOST_DRAWN} numbers.")
    for name, limits in drawn.items():
        _require(re.fullmatch(r"[a-z]\w{0,19}", str(name), re.ASCII) and isinstance(limits, Sequence), rule)
        _require(len(limits) == 2 and all(type(one) is int and abs(one) <= LARGEST for one in limits), rule)
        _require(limits[0] <= limits[1], rule)
