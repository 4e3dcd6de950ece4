"""Every challenge can be solved, and knows at least three wrong ways by their answers, whatever numbers are drawn."""

import pytest

from evalcore.learning import Question, Values
from evalcore.learning.challenges import CHALLENGES, ROUNDING, TOPICS, Challenge, clash_of, number, question_of
from evalcore.learning.questions import texts_of
from tests.words import sentence_with

SEEDS = range(10)


@pytest.mark.parametrize("id", CHALLENGES)
def test_the_solution_is_right_and_wrong_ways_are_told_apart(id: str) -> None:
    challenge = CHALLENGES[id]
    texts = set()
    for seed in SEEDS:
        question = challenge.question(seed)
        assert not clash_of(question), clash_of(question)
        assert question.rule(question.answer.solution).correct
        codes = [one.code for one in question.misconceptions]
        assert len(set(codes)) == len(codes)
        assert len(set(codes) - {ROUNDING}) >= 3
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


def test_answers_that_cannot_be_told_apart_are_named() -> None:
    """Both of them, so that who writes a challenge knows which numbers to change."""

    def question(**wrong: float) -> Question:
        texts = {"ask": "?", "solution": "½", "hints": dict.fromkeys(wrong, "No.")}
        return question_of("", texts, *number({}, 0.5, wrong))

    def clash(**wrong: float) -> str:
        made = Challenge("made up", "Made up", "tables", lambda draw: question(**wrong))
        with pytest.raises(RuntimeError) as error:
            made.question()
        return str(error.value)

    assert sentence_with(clash(a=0.3, b=0.302), "0", "b", "30.2%", "a", "30.0%")
    assert sentence_with(clash(a=0.502, b=0.3), "a", "50.2%", "50.0%")
    assert not clash_of(question(a=0.3, b=0.32))


@pytest.mark.parametrize("id", [id for id, one in CHALLENGES.items() if isinstance(one.question().answer, Values)])
def test_whatever_is_built_is_ruled_and_has_numbers(id: str) -> None:
    question = CHALLENGES[id].question()
    answer = question.answer
    lowest, highest = answer.lowest, min(answer.highest, 1e6)
    many = len(answer.names)
    for built in (
        *([end] * many for end in (lowest, highest, 1)),
        *([*[lowest] * place, highest, *[lowest] * (many - place - 1)] for place in range(many)),
        [1, *[min(2, highest)] * (many - 1)],
    ):
        assert question.rule(built).correct in (True, False)
        assert all(name and value for name, value in answer.numbers(answer.read(built)))


@pytest.mark.parametrize("id", CHALLENGES)
def test_every_hint_belongs_to_a_wrong_way(id: str) -> None:
    codes = {one.code for one in CHALLENGES[id].question().misconceptions}
    assert codes - {ROUNDING} == set(texts_of("challenges.toml")[id]["hints"])
