"""Questions of stories, each with its slips: a number to work out, an option to choose, a point to mark."""

from collections.abc import Mapping, Sequence

from evalcore.numeric import Array

from ..answers import Choice, Mark, Number, Values
from ..questions import Question
from .story import slip

__all__ = ["choose", "count", "fill_in", "mark", "work_out"]

Figure = float | Array
Point = Sequence[float]
Slip = tuple[str, Figure, str]


def work_out(
    text: str, value: Figure, solution: str, *slips: Slip, tolerance: float = 0.005, is_share: bool = True
) -> Question:
    """A question for a number. A slip is its name, the number it leads to, and a hint.

    >>> work_out("Recall?", 0.65, "13 of 20.", ("precision", 13 / 19, "Divide by the women.")).rule("0.684").code
    'precision'
    """
    known = tuple(slip(code, float(wrong), hint, tolerance) for code, wrong, hint in slips)
    return Question(text, Number(float(value), is_share, tolerance), known, solution)


def count(text: str, value: Figure, solution: str, *slips: Slip, tolerance: float = 0.05) -> Question:
    """The same for a number that is no share."""
    return work_out(text, value, solution, *slips, tolerance=tolerance, is_share=False)


def choose(text: str, right: str, wrong: Mapping[str, str], solution: str, at: int = 0) -> Question:
    """A question with options: the right one stands at an index among the wrong ones, each of which has its hint."""
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
