"""Parts of a story: its steps, the inputs of its worked example, and printed figures beside computed ones."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from evalcore.learning.questions import (
    Answer,
    Choice,
    Comparison,
    Mark,
    Misconception,
    Number,
    Question,
    Step,
    Values,
    content_of,
    filled,
    near,
    texts_of,
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


STORIES: dict[str, Story] = {}
"""The stories by id, in the order in which they are offered."""

Answers = tuple[Mapping[str, Any], Sequence["Asked"]]
"""Values that stand in the texts of a story, by name, and what its steps ask for."""


def story(id: str) -> Callable[[Callable[[], Answers]], None]:
    """Add a story with its texts in ``stories.toml``; its source is that of the worked example, unless it has one."""

    def add(make: Callable[[], Answers]) -> None:
        texts, (values, answers) = texts_of("stories.toml")[id], make()
        steps = tuple(one.step(text, values) for text, one in zip(texts["steps"], answers, strict=True))
        source = texts.get("source") or example(id)["source"]
        STORIES[id] = Story(id, texts["title"], texts["topic"], texts["question"], source, steps)

    return add


@dataclass(frozen=True)
class Asked:
    """Answer that a step asks for (None: an option), wrong ones by their codes, and printed figures beside ours."""

    answer: Answer | None
    wrong: Mapping[str, Callable[[str], Misconception]]
    comparisons: tuple[Comparison, ...]

    def step(self, texts: Mapping[str, Any], values: Mapping[str, Any]) -> Step:
        """Step with its texts, into which the values are filled."""

        def told(text: str) -> str:
            return filled(text, values)

        options = {told(name): told(hint) for name, hint in texts.get("options", {}).items()}
        answer = self.answer or Choice([*options], [*options.values()].index(""))
        known = [make(told(texts["hints"][code])) for code, make in self.wrong.items()]
        known += [slip(name, index, hint) for index, (name, hint) in enumerate(options.items()) if hint]
        return Step(
            told(texts["title"]), told(texts.get("text", "")),
            Question(told(texts["ask"]), answer, tuple(known), told(texts["solution"])), told(texts["lesson"]),
            texts["page"], {name: told(value) for name, value in texts["settings"].items()}, self.comparisons,
            texts.get("measure", "precision"),
        )  # fmt: skip


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

Wrong = Mapping[str, Figure | tuple[Figure, float]]
"""Numbers that slips lead to by the codes of the slips, with a tolerance where one has its own."""


def number(
    value: Figure, wrong: Wrong, *comparisons: Comparison, tolerance: float = 0.005, is_share: bool = True
) -> Asked:
    """Ask for a number."""

    def known(code: str, figure: Any) -> Callable[[str], Misconception]:
        own = figure if isinstance(figure, tuple) else (figure, tolerance)
        return lambda hint: slip(code, float(own[0]), hint, own[1])

    slips = {code: known(code, figure) for code, figure in wrong.items()}
    return Asked(Number(float(value), is_share, tolerance), slips, comparisons)


def count(value: Figure, wrong: Wrong, *comparisons: Comparison, tolerance: float = 0.05) -> Asked:
    """Ask for a number that is no share."""
    return number(value, wrong, *comparisons, tolerance=tolerance, is_share=False)


def choice(*comparisons: Comparison) -> Asked:
    """Ask for one of the options in the texts, of which the right one has no hint."""
    return Asked(None, {}, comparisons)


def _tuples(wrong: Mapping[str, Sequence[float]]) -> dict[str, Callable[[str], Misconception]]:
    return {code: partial(slip, code, tuple(map(float, values))) for code, values in wrong.items()}


def mark(
    point: Sequence[float], axes: tuple[str, str], wrong: Mapping[str, Sequence[float]], *comparisons: Comparison,
    points: Sequence[tuple[str, float, float]] = (),
) -> Asked:  # fmt: skip
    """Ask for a point of a plane; `points` are there to start with."""
    x, y = map(float, point)
    return Asked(Mark(x, y, axes=axes, points=points), _tuples(wrong), comparisons)


def fill_in(
    names: Sequence[str], values: Sequence[float], wrong: Mapping[str, Sequence[float]], *comparisons: Comparison
) -> Asked:
    """Ask for several whole numbers."""
    answer = Values(names, lambda given: tuple(given) == tuple(values), values)
    return Asked(answer, _tuples(wrong), comparisons)
