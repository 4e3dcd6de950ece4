"""Traps: small data sets in which a number hides something, with a question before they are opened."""

from collections.abc import Mapping
from typing import Any

from evalcore.learning.questions import Choice, Misconception, Question, Step, answered, content_of

__all__ = ["TRAPS"]


def _trap(text: str, options: Mapping[str, str], solution: str, **step: Any) -> Step:
    """Step with a question whose wrong options map to a hint, and its right option to an empty one."""
    known = enumerate(options.items())
    wrong = [Misconception(name, answered(place), hint, place) for place, (name, hint) in known if hint]
    answer = Choice([*options], [*options.values()].index(""))
    return Step(question=Question(f"{text} **What do you expect?**", answer, tuple(wrong), solution), **step)


TRAPS: dict[str, Step] = {id: _trap(**trap) for id, trap in content_of("traps.json").items()}
"""Each trap by its id: the question, what to look at, and the state of the page that shows it."""
