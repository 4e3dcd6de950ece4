"""Every challenge can be solved, and knows at least three wrong ways by their answers, whatever numbers are drawn."""

import pytest

from evalcore.learning import Values
from evalcore.learning.challenges import CHALLENGES, TOPICS, sound

SEEDS = range(10)


@pytest.mark.parametrize("id", CHALLENGES)
def test_the_solution_is_right_and_wrong_ways_are_told_apart(id: str) -> None:
    challenge = CHALLENGES[id]
    texts = set()
    for seed in SEEDS:
        question = challenge.question(seed)
        assert sound(question)
        assert question.rule(question.answer.solution).correct
        assert len({one.code for one in question.misconceptions}) == len(question.misconceptions) >= 3
        hints = [one.hint for one in question.misconceptions]
        assert len(set(hints)) == len(hints)
        written = (question.text, question.solution, *hints)
        assert all(text and not set("{}") & set(text.replace("{,}", "")) for text in written)
        assert not any("nan" in text.split() for text in written)
        assert question.answer.text(question.answer.solution)
        if isinstance(question.answer, Values):
            assert question.answer.numbers
            assert dict(question.answer.numbers(question.answer.solution))
        assert bool(question.page) == bool(question.settings_of(question.answer.solution))
        texts.add(question.text)
        assert challenge.question(seed).text == question.text
    assert len(texts) > 3
    assert challenge.topic in TOPICS
