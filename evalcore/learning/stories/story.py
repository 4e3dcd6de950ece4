"""What a story is made of: its steps, the inputs of its worked example, and printed figures beside computed ones."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..questions import Comparison, Misconception, Step, near

__all__ = ["Story", "compared", "example", "examples", "slip"]

UNDEFINED = "undefined"


@dataclass(frozen=True)
class Story:
    """A worked example of the literature, told in steps that ask first; `topic` groups it among the others."""

    id: str
    title: str
    topic: str
    question: str
    source: str
    steps: tuple[Step, ...]


@cache
def examples() -> Mapping[str, Any]:
    """All worked examples as they were printed, by id."""
    path = Path(__file__).parents[1] / "worked_examples.json"
    return {one["id"]: one for one in json.loads(path.read_text(encoding="utf-8"))}


def example(id: str) -> Mapping[str, Any]:
    """A worked example as it was printed, with its input, by its id. Raises KeyError if there is none.

    >>> example("cancer-test")["input"]
    {'tp': 20, 'fp': 180, 'fn': 10, 'tn': 1820}
    """
    return examples()[id]


def slip(code: str, answer: Any, hint: str, tolerance: float = 0.005) -> Misconception:
    """A misconception that leads to one answer: a number, the position of an option, or a point.

    >>> slip("recall", 2 / 3, "That is recall.").betrayed_by(0.67), slip("corner", (1, 1), "").betrayed_by((0.96, 1))
    (True, True)
    """
    if isinstance(answer, tuple):
        return Misconception(code, lambda point: math.dist(point, answer) <= 0.06, hint, answer)
    return Misconception(code, near(float(answer), tolerance), hint, answer)


def compared(name: str, printed: Any, ours: Any, decimals: int | None = None, erratum: str = "") -> Comparison:
    """A printed figure, or a row of them, beside what we compute; an erratum says why they differ.

    Without decimals a figure was printed with the digits it has, at least two. Ours has two more if they are no zeros.

    >>> compared("Recall", 0.67, 2 / 3)
    Comparison(name='Recall', printed='0.67', ours='0.6667', erratum='')
    """
    pairs = list(zip(_values(printed), _values(ours), strict=True))
    digits = [_decimals(one) if decimals is None else decimals for one, _ in pairs]
    left = (_written(one, places) for (one, _), places in zip(pairs, digits, strict=True))
    right = (_ours(value, places) for (_, value), places in zip(pairs, digits, strict=True))
    return Comparison(name, " · ".join(left), " · ".join(right), erratum)


def _ours(value: float, decimals: int) -> str:
    """A computed value with two digits more than were printed, unless both are zeros; undefined where it is nan."""
    exact = abs(value - round(value, decimals)) < 1e-9
    return _written(value, decimals if exact else decimals + 2)


def _values(figures: Any) -> list[float]:
    return [math.nan if one is None else float(one) for one in (figures if np.ndim(figures) else [figures])]


def _decimals(value: float) -> int:
    return max(len(f"{value:.10f}".rstrip("0").partition(".")[2]), 2)


def _written(value: float, decimals: int) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:.{decimals}f}"
