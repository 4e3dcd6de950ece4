"""A challenge: a question made from drawn numbers, the textbook's for seed 0 and others for each student."""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from evalcore.learning.questions import (
    Answer,
    Mark,
    Number,
    Question,
    Settings,
    Values,
    Wrong,
    near,
    texts_of,
    written_question,
)
from evalcore.wording import number_text

__all__ = ["CHALLENGES", "ROUNDING", "TOPICS", "Challenge", "Draw", "challenge", "clash_of", "number"]

Option = TypeVar("Option")
ROUNDING = "rounding"
_CLOSE = "Nearly. Give as many digits as the question asks for, and round only at the end."

TOPICS = {
    "tables": "2×2 table",
    "scores": "Scores and thresholds",
    "classes": "Several classes",
    "rankings": "Ranked lists",
    "estimates": "Agreement and errors",
}
"""Names of the topics, in the order in which they are offered."""


class Draw:
    """The numbers of one variant of a challenge: those of the textbook for seed 0, else drawn."""

    def __init__(self, challenge: str, seed: int) -> None:
        self._random = random.Random(f"{challenge} {seed}") if seed else None

    def whole(self, book: int, lowest: int, highest: int, step: int = 1) -> int:
        """A whole number from the lowest to the highest."""
        return self.one_of(book, range(lowest, highest + 1, step))

    def one_of(self, book: Option, options: Sequence[Option]) -> Option:
        """Choose one of some options."""
        return book if self._random is None else options[int(self._random.random() * len(options))]

    def shuffled(self, book: Sequence[Option]) -> list[Option]:
        """Shuffle the options."""
        return list(book) if self._random is None else sorted(book, key=lambda _: self._random.random())  # type: ignore[union-attr]


@dataclass(frozen=True)
class Challenge:
    """A question that the application checks, of a topic that is a key of `TOPICS`."""

    id: str
    title: str
    topic: str
    make: Callable[[Draw], Question]

    @lru_cache(maxsize=256)  # noqa: B019 (challenges live as long as the program)
    def question(self, seed: int = 0) -> Question:
        """The question with the numbers of a seed, drawn until no wrong way leads to the answer of another way."""
        draw = Draw(self.id, seed)
        for _ in range(2_000):
            question = self.make(draw)
            if not (clash := clash_of(question)):
                return question
        raise RuntimeError(f"Challenge {self.id}, seed {seed}: {clash}. Change its numbers, or what is recognised.")


CHALLENGES: dict[str, Challenge] = {}
"""All challenges by id, in the order in which they are offered."""


def challenge(id: str) -> Callable[[Callable[[Draw], "Asked"]], None]:
    """Add the function that draws and asks to the challenges; its texts stand in ``challenges.toml``."""

    def add(make: Callable[[Draw], Asked]) -> None:
        texts = texts_of("challenges.toml")[id]
        CHALLENGES[id] = Challenge(id, texts["title"], texts["topic"], lambda draw: make(draw).question(id, texts))

    return add


def clash_of(question: Question) -> str:
    """Two answers that cannot be distinguished, in words; empty if each example is recognised as its own mistake."""
    answer = question.answer
    if not answer.right(answer.solution):
        return f"the solution {answer.text(answer.solution)} counts as wrong"
    written = {one.code: f"“{one.code}” ({answer.text(answer.read(one.example))})" for one in question.misconceptions}
    for one in question.misconceptions:
        ruling = question.rule(one.example)
        if ruling.correct:
            return f"{written[one.code]} is taken for the solution ({answer.text(answer.solution)})"
        if ruling.code != one.code:
            return f"{written[one.code]} is taken for {written.get(ruling.code, 'no known mistake')}"
    return ""


@dataclass(frozen=True)
class Asked:
    """Values that stand in the texts of a challenge, its answer, and its wrong answers: code, test and example."""

    values: Mapping[str, Any]
    answer: Answer
    wrong: Wrong
    settings: Settings | None = None

    def question(self, id: str, texts: Mapping[str, Any]) -> Question:
        """Question of a challenge with its texts, into which the values are filled."""
        texts = {**texts, "hints": texts["hints"] | {ROUNDING: _CLOSE}}
        answer = self.answer
        if isinstance(answer, Values):
            known = {name: value for name, value in self.values.items() if _is_known(value)}
            answer = replace(answer, rule=id, known=known)
        settings = self.settings or texts.get("settings")
        return written_question(texts, self.values, answer, self.wrong, texts.get("page", ""), settings)


def _is_known(value: Any) -> bool:
    """Whether a value is a finite number or some of them."""
    some = value if isinstance(value, (tuple, list)) else [value]
    return all(isinstance(one, (int, float)) and math.isfinite(one) for one in some)


def built(
    values: Mapping[str, Any], names: Sequence[str], right: Callable[[Any], bool], solution: Sequence[float],
    wrong: Mapping[str, tuple[Callable[[Any], bool], Any]], settings: Settings | None = None, **look: Any,
) -> Asked:  # fmt: skip
    """Ask for a construction; each kind of wrong one has, by its code, the test that recognises it and an example."""
    answer = Values(tuple(names), right, solution, **look)
    return Asked(values, answer, [(code, *kind) for code, kind in wrong.items()], settings)


def marked(
    values: Mapping[str, Any], point: tuple[float, float], axes: tuple[str, str], wrong: Mapping[str, Sequence[float]]
) -> Asked:
    """Ask for a point of a plane."""
    return Asked(values, Mark(*point, axes=axes), [(code, near(at, 0.05), at) for code, at in wrong.items()])


def written(names: Sequence[str], values: Sequence[float]) -> list[tuple[str, str]]:
    """Measures and their values as text."""
    return [(name, number_text(value)) for name, value in zip(names, values, strict=True)]


def number(
    values: Mapping[str, Any], value: float, wrong: Mapping[str, float], is_share: bool = True, percent: bool = True,
    tolerance: float = 0.005, settings: Settings | None = None,
) -> Asked:  # fmt: skip
    """Ask for one number; slips are recognised by their numbers, read as percent where a share is above 1."""
    answer = Number(value, is_share, tolerance, percent)
    # How near a number above 1 has to be typed, once it is read as percent.
    reach = {code: 0.0005 if is_share and one > 1 else tolerance for code, one in wrong.items()}
    known = [(code, near(answer.read(one), reach[code]), one) for code, one in wrong.items()]
    # Last, so that it stands back behind a wrong way that happens to end close by.
    close = value + (-2 if value > 0.5 else 2) * tolerance
    return Asked(values, answer, [*known, (ROUNDING, near(value, 4 * tolerance), close)], settings)
