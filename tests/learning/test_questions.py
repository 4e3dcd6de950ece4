"""Answers are read as people type them, judged, and what a wrong one betrays is named."""

import re

import pytest

from evalcore.learning import Choice, Mark, Misconception, Number, OneOf, Question, Values, near, read_number
from evalcore.learning.challenges import CHALLENGES
from evalcore.learning.stories import STORIES

QUESTIONS = [step.question for story in STORIES.values() for step in story.steps if step.question]
QUESTIONS += [challenge.question(seed) for challenge in CHALLENGES.values() for seed in range(10)]
QUOTIENT = re.compile(r"(?<![\w.)]\s)([\d.]+) / ([\d.]+) = (\d[\d.]*\d)(\u202f%)?")


@pytest.mark.parametrize(
    ("typed", "value"),
    [("0.67", 0.67), (".67", 0.67), ("0,67", 0.67), ("2/3", 2 / 3), ("67 %", 0.67), ("67\u202f%", 0.67)]
    + [("1 820", 1820), ("1'820", 1820), ("−0.5", -0.5), ("1e-3", 0.001), (" 3 ", 3)]
    + [("10 percent", 0.1), ("~10 %", 0.1), ("≈ 0.1", 0.1), ("10 per cent", 0.1), ("51 false alarms", 51)]
    + [("10% of the ill", 0.1), ("1 820 people", 1820)],
)  # fmt: skip
def test_numbers_are_read_as_people_type_them(typed: str, value: float) -> None:
    assert read_number(typed) == value


@pytest.mark.parametrize(
    "typed", ["3 million", "5 k", "10 per mille", "2 of 3", "10x", "two thirds", "1/0", "1.2.3", "nan", "inf", "<b>"]
)
def test_what_is_no_number_gets_a_sentence(typed: str) -> None:
    with pytest.raises(ValueError, match="not a number"):
        read_number(typed)


def test_an_empty_answer_asks_for_a_number() -> None:
    with pytest.raises(ValueError, match=r"^Type a number\.$"):
        read_number(" ")


def test_an_answer_is_right_to_the_digits_asked_for() -> None:
    question = Question("Recall of 20 TP and 10 FN?", Number(2 / 3), (Misconception("half", near(0.5), "No."),))
    assert [question.rule(one).correct for one in ("67", "0.67", "66.7 %", "2/3", "0.66", "6.7")] == [
        True, True, True, True, False, False,
    ]  # fmt: skip
    assert question.rule("50 %").code == "half"
    assert question.rule("0.9").hint == ""


def test_a_quotient_in_a_solution_is_right_at_its_printed_digits() -> None:
    found = [match for question in QUESTIONS for match in QUOTIENT.findall(question.solution)]
    assert ("5.8809", "12.036", "0.489", "") in found
    for above, below, quotient, percent in found:
        if float(below):
            decimals = len(quotient.partition(".")[2])
            assert f"{float(above) / float(below) * (100 if percent else 1):.{decimals}f}" == quotient


def test_what_is_asked_for_in_decimals_is_written_in_decimals_and_typed_in_either_way() -> None:
    asked = [one for one in QUESTIONS if "decimals" in one.text and isinstance(one.answer, Number)]
    assert len(asked) > 20
    assert not [one.text for one in asked if "%" in one.answer.text(one.answer.solution)]
    f1 = Question("What is F1? (to two decimals)", Number(0.489, percent=False))
    assert [f1.rule(one).correct for one in ("49 %", ".49", "0,49", "49")] == [True, True, True, True]
    assert f1.answer.text(0.489) == "0.489"


def test_rates_of_ranked_lists_areas_and_f1_are_decimals_as_on_their_pages() -> None:
    steps = [step for story in STORIES.values() for step in story.steps]
    texts = [step.question.solution + step.lesson for step in steps if "area" in step.title or "unit" in step.title]
    ranked = [step.question for step in steps if step.page == "retrieve/ranking"]
    ranked += [one.question() for one in CHALLENGES.values() if one.question().page == "retrieve/ranking"]
    for question in (*ranked, CHALLENGES["micro_f1"].question()):
        texts += [question.solution, question.answer.text(question.answer.solution)]
    assert len(texts) > 20
    assert not [text for text in texts if "%" in text]


def test_choices_marks_and_several_values_are_judged() -> None:
    for typed in ("", "2", "-1", "9" * 5_000, 10**5_000, None, [1]):  # what a link or a receipt may hold
        with pytest.raises(ValueError, match="one of the answers"):
            Choice(("A", "B"), 1).read(typed)
    which = Question("Which?", Choice(("A", "B"), 1), (Misconception("larger", OneOf((0,)), "Look again."),))
    assert which.rule(1).correct
    assert which.rule("0").hint == "Look again."
    with pytest.raises(ValueError, match="Choose one"):
        which.rule("")
    corner = Question("Where is the ideal point?", Mark((0, 1), axes=("FPR", "TPR")))
    assert corner.rule((0.03, 0.97)).correct
    assert not corner.rule((1, 0)).correct
    with pytest.raises(ValueError, match="between 0 and 1"):
        corner.rule((-1, 1))
    table = Values(("TP", "FN"), lambda cells: cells[0] > cells[1], (2, 1))
    assert Question("More found than missed?", table).rule(["3", "1"]).correct
    with pytest.raises(ValueError, match=r"FN is 0\.5"):
        table.read(["3", "0.5"])
    with pytest.raises(ValueError, match="TP is −1"):
        table.read(["-1", "2"])
