"""Traps: small data sets in which a number hides something, with a question before they are opened."""

from collections.abc import Mapping
from typing import Any

from evalcore.learning.questions import Step, texts_of, written_question

__all__ = ["TRAPS"]


def _trap(text: str, options: Mapping[str, str], solution: str, **step: Any) -> Step:
    """Step with a question whose wrong options map to a hint, and its right option to an empty one."""
    texts = {"ask": f"{text} **What do you expect?**", "options": options, "solution": solution}
    return Step(question=written_question(texts, {}, None), **step)


TRAPS: dict[str, Step] = {id: _trap(**trap) for id, trap in texts_of("traps.toml").items()}
"""Each trap by its id: the question, what to look at, and the state of the page that shows it."""
