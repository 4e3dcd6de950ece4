"""Parts of a story: its steps, the inputs of its worked example, and printed figures beside computed ones."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from evalcore.learning.questions import (
    Answer,
    Comparison,
    Mark,
    Number,
    Step,
    Values,
    Wrong,
    content_of,
    filled,
    near,
    texts_of,
    written_question,
)
from evalcore.numeric import Array
from evalcore.wording import UNDEFINED

__all__ = ["STORIES", "Story", "example"]


@dataclass(frozen=True)
class Story:
    """A worked example of the literature in steps that ask before they explain; `topic` groups it with others."""

    id: str
    title: str
    topic: str
    question: str
    level: str  # "easy", "medium" or "hard"
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
        STORIES[id] = Story(id, texts["title"], texts["topic"], texts["question"], texts["level"], source, steps)

    return add


@dataclass(frozen=True)
class Asked:
    """Answer that a step asks for (None: an option), wrong ones by their codes, and printed figures beside ours."""

    answer: Answer | None
    wrong: Wrong
    comparisons: tuple[Comparison, ...]

    def step(self, texts: Mapping[str, Any], values: Mapping[str, Any]) -> Step:
        """Step with its texts, into which the values are filled."""

        def told(text: str) -> str:
            return filled(text, values)

        return Step(
            told(texts["title"]), told(texts.get("text", "")), written_question(texts, values, self.answer, self.wrong),
            told(texts["lesson"]), texts["page"], {name: told(value) for name, value in texts["settings"].items()},
            self.comparisons, texts.get("measure", "precision"), texts.get("shown", {}),
        )  # fmt: skip


@cache
def examples() -> Mapping[str, Any]:
    """All worked examples as they were printed, by id."""
    return {one["id"]: one for one in content_of("worked_examples.json")}


def example(id: str) -> Mapping[str, Any]:
    """A worked example as it was printed, with its input, by its id. Raises KeyError if there is none."""
    return examples()[id]


def compared(name: str, printed: Any, ours: Any, decimals: int | None = None, erratum: str = "") -> Comparison:
    """Compare a printed figure, or a row of them, with the computed one; an erratum says why they differ.

    Without decimals a figure was printed with the digits it has, at least two. Ours has two more if they are no zeros.

    >>> compared("Recall", 0.67, 2 / 3)
    Comparison(name='Recall', printed='0.67', ours='0.6667', erratum='')
    """
    left, right = list[str](), list[str]()
    for figure, value in zip(*(np.atleast_1d(np.array(one, float)).tolist() for one in (printed, ours)), strict=True):
        places = decimals
        if places is None:
            places = max(len(f"{figure:.10f}".rstrip("0").partition(".")[2]), 2)
        left.append(_format(figure, places))
        is_exact = abs(value - round(value, places)) < 1e-9
        right.append(_format(value, places if is_exact else places + 2))
    return Comparison(name, " · ".join(left), " · ".join(right), erratum)


def _format(value: float, decimals: int) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:.{decimals}f}"


Slips = Mapping[str, float | Array | tuple[float | Array, float]]
"""Numbers that slips lead to by the codes of the slips, with a tolerance where one has its own."""


def number(
    value: float | Array, slips: Slips, *comparisons: Comparison, tolerance: float = 0.005, is_share: bool = True,
    percent: bool = True,
) -> Asked:  # fmt: skip
    """Ask for a number."""
    own = {code: one if isinstance(one, tuple) else (one, tolerance) for code, one in slips.items()}
    wrong = [(code, near(float(figure), reach), float(figure)) for code, (figure, reach) in own.items()]
    return Asked(Number(float(value), is_share, tolerance, percent), wrong, comparisons)


index = partial(number, percent=False)
"""Ask for an index from 0 to 1, such as F1, or a rate of a ranked list: a decimal, as on the pages."""

count = partial(number, is_share=False, tolerance=0.05)
"""Ask for a number that is no share."""


def choice(*comparisons: Comparison) -> Asked:
    """Ask for one of the options in the texts, of which the right one has no hint."""
    return Asked(None, (), comparisons)


def _near_points(wrong: Mapping[str, Sequence[float]]) -> Wrong:
    return [(code, near(values, 0.06), tuple(map(float, values))) for code, values in wrong.items()]


def mark(
    point: Sequence[float], axes: tuple[str, str], wrong: Mapping[str, Sequence[float]], *comparisons: Comparison,
    points: Sequence[tuple[str, float, float]] = (), percent: bool = True,
) -> Asked:  # fmt: skip
    """Ask for a point of a plane; `points` are there to start with."""
    x, y = map(float, point)
    return Asked(Mark(x, y, axes=axes, points=points, percent=percent), _near_points(wrong), comparisons)


def fill_in(
    names: Sequence[str], values: Sequence[float], wrong: Mapping[str, Sequence[float]], *comparisons: Comparison
) -> Asked:
    """Ask for several whole numbers."""
    answer = Values(names, lambda given: tuple(given) == tuple(values), values)
    return Asked(answer, _near_points(wrong), comparisons)
