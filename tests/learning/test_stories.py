"""Stories say what evalcore computes, agree with the print but for its errata, and know the slips they name."""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

import pytest

from evalcore.classification import recall, specificity
from evalcore.learning import Choice
from evalcore.learning.questions import texts_of
from evalcore.learning.stories import STORIES, Story
from evalcore.learning.stories.story import examples
from evalcore.lessons import counts_of

EXAMPLES = examples()
STEPS = {f"{story.id}-{at}": step for story in STORIES.values() for at, step in enumerate(story.steps, 1)}


@pytest.mark.parametrize("key", STEPS)
def test_printed_figures_are_ours_at_the_decimals_of_the_print_unless_an_erratum_says_why(key: str) -> None:
    for one in STEPS[key].comparisons:
        pairs = list(zip_longest(one.printed.split(" · "), one.ours.split(" · ")))
        assert all(map(agrees, *zip(*pairs, strict=True))) or one.erratum, one


@pytest.mark.parametrize("story", [story for story in STORIES.values() if story.id in EXAMPLES], ids=lambda one: one.id)
def test_every_printed_figure_of_an_example_stands_in_its_story(story: Story) -> None:
    shown = [one.printed for step in story.steps for one in step.comparisons]
    values = Counter(value for text in shown for value in text.split(" · "))
    numbers = Counter(float(value) for value in values.elements() if value.replace(".", "").isdecimal())
    for value in figures(EXAMPLES[story.id]["printed"]):
        assert values["undefined"] if value is None else values[value] if isinstance(value, str) else numbers[value]


def figures(part: object) -> Iterator[object]:
    if isinstance(part, (dict, list)):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from figures(inner)
    else:
        yield part


@pytest.mark.parametrize("key", [key for key, step in STEPS.items() if "prevalence" in step.settings])
def test_whole_people_of_another_population_keep_the_rates_of_the_test(key: str) -> None:
    own, moved = ({"data": STEPS[key].settings["data"]}, STEPS[key].settings)
    for rate in (recall, specificity):
        assert float(rate(counts_of(moved).counts)) == pytest.approx(float(rate(counts_of(own).counts)))


def test_all_worked_examples_are_told() -> None:
    assert set(EXAMPLES) <= set(STORIES)


def agrees(printed: str, ours: str) -> bool:
    try:
        left, right = float(printed), float(ours)
    except ValueError:  # words
        return printed == ours
    decimals = len(printed.partition(".")[2])
    return math.isclose(left, right, abs_tol=0.5 * 10**-decimals + 1e-9)


@pytest.mark.parametrize("key", [key for key, step in STEPS.items() if step.question])
def test_a_question_takes_its_solution_and_names_every_slip_that_it_knows(key: str) -> None:
    question = STEPS[key].question
    assert question
    assert question.rule(question.answer.solution).correct
    assert question.solution
    assert len(question.misconceptions) >= 2
    for one in question.misconceptions:
        ruling = question.rule(one.example)
        assert (ruling.correct, ruling.code) == (False, one.code)
        assert ruling.hint
    if isinstance(question.answer, Choice):
        assert len(question.misconceptions) == len(question.answer.options) - 1


def test_stories_have_three_to_five_steps_and_titles_of_their_own() -> None:
    for story in STORIES.values():
        assert 3 <= len(story.steps) <= 5, story.id
        assert len({step.title for step in story.steps}) == len(story.steps)


@pytest.mark.parametrize("id", STORIES)
def test_every_hint_belongs_to_a_slip(id: str) -> None:
    for step, texts in zip(STORIES[id].steps, texts_of("stories.toml")[id]["steps"], strict=True):
        if "hints" in texts:
            assert [one.code for one in step.question.misconceptions] == [*texts["hints"]]
