"""Parts of a story: its steps, the inputs of its worked example, and printed figures beside computed ones."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from evalcore.learning.questions import (
    Choice,
    Comparison,
    Mark,
    Misconception,
    Number,
    Question,
    Step,
    Values,
    content_of,
    near,
)
from evalcore.numeric import Array

__all__ = ["STORIES", "Story", "example"]


UNDEFINED = "undefined"


@dataclass(frozen=True)
class Story:
    """A worked example of the literature in steps that ask before they explain; `topic` groups it with others."""

    id: str
    title: str
    topic: str
    question: str
    source: str
    steps: tuple[Step, ...]


Steps = tuple[Step, ...]

STORIES: dict[str, Story] = {}
"""The stories by id, in the order in which they are offered."""


def story(id: str, title: str, topic: str, question: str, source: str = "") -> Callable[[Callable[[], Steps]], None]:
    """Add the steps that a function makes to the stories; their source is that of the worked example of the id."""

    def add(make: Callable[[], Steps]) -> None:
        STORIES[id] = Story(id, title, topic, question, source or example(id)["source"], make())

    return add


@cache
def examples() -> Mapping[str, Any]:
    """All worked examples as they were printed, by id."""
    return {one["id"]: one for one in content_of("worked_examples.json")}


def example(id: str) -> Mapping[str, Any]:
    """A worked example as it was printed, with its input, by its id. Raises KeyError if there is none."""
    return examples()[id]


def slip(code: str, answer: Any, hint: str, tolerance: float = 0.005) -> Misconception:
    """A misconception that leads to one answer: a number, the position of an option, or a point."""
    if isinstance(answer, tuple):
        return Misconception(code, lambda point: math.dist(point, answer) <= 0.06, hint, answer)
    return Misconception(code, near(float(answer), tolerance), hint, answer)


def compared(name: str, printed: Any, ours: Any, decimals: int | None = None, erratum: str = "") -> Comparison:
    """Compare a printed figure, or a row of them, with the computed one; an erratum says why they differ.

    Without decimals a figure was printed with the digits it has, at least two. Ours has two more if they are no zeros.

    >>> compared("Recall", 0.67, 2 / 3)
    Comparison(name='Recall', printed='0.67', ours='0.6667', erratum='')
    """
    pairs = list(zip(_values(printed), _values(ours), strict=True))
    digits = [_decimals(one) if decimals is None else decimals for one, _ in pairs]
    left = (_format(one, places) for (one, _), places in zip(pairs, digits, strict=True))
    right = (_ours(value, places) for (_, value), places in zip(pairs, digits, strict=True))
    return Comparison(name, " · ".join(left), " · ".join(right), erratum)


def _ours(value: float, decimals: int) -> str:
    """A computed value with two more digits than printed, unless both are zeros; "undefined" if it is nan."""
    exact = abs(value - round(value, decimals)) < 1e-9
    return _format(value, decimals if exact else decimals + 2)


def _values(figures: Any) -> list[float]:
    return [math.nan if one is None else float(one) for one in (figures if np.ndim(figures) else [figures])]


def _decimals(value: float) -> int:
    return max(len(f"{value:.10f}".rstrip("0").partition(".")[2]), 2)


def _format(value: float, decimals: int) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:.{decimals}f}"


Figure = float | Array

Point = Sequence[float]

Slip = tuple[str, Figure, str] | tuple[str, Figure, str, float]


def work_out(
    text: str, value: Figure, solution: str, *slips: Slip, tolerance: float = 0.005, is_share: bool = True
) -> Question:
    """Ask for a number. A slip is its code, the number it leads to, a hint, and a tolerance where it has its own."""
    known = tuple(slip(code, float(wrong), hint, *own or [tolerance]) for code, wrong, hint, *own in slips)
    return Question(text, Number(float(value), is_share, tolerance), known, solution)


def count(text: str, value: Figure, solution: str, *slips: Slip, tolerance: float = 0.05) -> Question:
    """Ask for a number that is no share."""
    return work_out(text, value, solution, *slips, tolerance=tolerance, is_share=False)


def choose(text: str, right: str, wrong: Mapping[str, str], solution: str, at: int = 0) -> Question:
    """Ask a question with options: the right one is at an index among the wrong ones, each of which has its hint."""
    options = [*wrong]
    options.insert(at, right)
    known = tuple(slip(option, options.index(option), hint) for option, hint in wrong.items())
    return Question(text, Choice(options, at), known, solution)


def mark(
    text: str, point: Point, axes: tuple[str, str], solution: str, *slips: tuple[str, Point, str],
    points: Sequence[tuple[str, float, float]] = (),
) -> Question:  # fmt: skip
    """A question for a point of a plane; `points` are there to start with."""
    x, y = map(float, point)
    known = tuple(slip(code, (float(wrong[0]), float(wrong[1])), hint) for code, wrong, hint in slips)
    return Question(text, Mark(x, y, axes=axes, points=points), known, solution)


def fill_in(
    text: str, names: Sequence[str], values: Sequence[float], solution: str,
    *slips: tuple[str, Sequence[float], str],
) -> Question:  # fmt: skip
    """A question for several whole numbers."""
    known = tuple(slip(code, tuple(wrong), hint) for code, wrong, hint in slips)
    return Question(text, Values(names, lambda given: tuple(given) == tuple(values), values), known, solution)
