"""A lecturer composes a lecture, and it plays from its link."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.learning import LESSONS, Lecture, Rooms
from pages.widgets.learn.lecture import opened
from tests.words import sentence_with

ROOT = Path(__file__).parents[3]


def lecture_page(**parameters: str) -> AppTest:
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.query_params.update(parameters)
    return test.switch_page("pages/learn/lecture.py").run()


def field(test: AppTest, label: str):
    fields = (*test.text_input, *test.text_area)
    return next(one for one in fields if one.label.startswith(label))


def press(test: AppTest, label: str) -> AppTest:
    next(button for button in test.button if button.label == label).click()
    test.run()
    assert not test.exception
    return test


def composed(test: AppTest) -> Lecture:
    link = test.query_params["lecture"]
    return Lecture.from_link(link if isinstance(link, str) else link[0])


def test_steps_are_added_changed_moved_and_removed() -> None:
    test = press(lecture_page(), "Compose a lecture")
    field(test, "Question").input("Precision?")
    field(test, "Or a number").input("tp / (tp + 180)")
    field(test, "Drawn numbers").input("tp many")
    press(test, "Add the step")
    assert sentence_with(test.error[0].value, "two limits")
    field(test, "Drawn numbers").input("tp 20 60")
    field(test, "Wrong numbers").input("tp / 60")
    press(test, "Add the step")
    assert "a bar and its hint" in test.error[0].value
    field(test, "Wrong numbers").input("tp / 60 | That is recall.")
    field(test, "Link of a page").input("http://localhost:8501/confusion?data=cancer_test&present=1")
    press(press(press(test, "Add the step"), "Add the example"), "Add the challenge")
    own, example, challenge = composed(test).parts
    assert (own.page, own.settings) == ("classify/confusion", {"data": "cancer_test"})
    assert example.story
    assert challenge.challenge
    test.button(key="move down 0").click().run()
    test.button(key="remove part 0").click().run()
    assert composed(test).parts == (own, challenge)
    test.button(key="edit part 0").click().run()
    assert field(test, "Drawn numbers").value == "tp 20 60"
    field(test, "Question").input("PPV?")
    press(test, "Change the step")
    assert composed(test).parts[0].mistakes == {"tp / 60": "That is recall."}
    assert [part.question for part in composed(test).parts] == ["PPV?", ""]
    field(test, "Title").input("Alarms").run()
    assert composed(test).title == "Alarms"
    assert f"lecture={composed(test).link()}" in test.code[0].value


def test_a_wrong_answer_gets_the_hint_that_stands_behind_it() -> None:
    test = press(lecture_page(), "Compose a lecture")
    field(test, "Question").input("Which one is P(A|B)?")
    field(test, "Answers").input("* P(A|B)\nP(B|A) | You turned it round.\nP(A)")
    press(test, "Add the step")
    (part,) = composed(test).parts
    assert (part.options, part.right) == (("P(A|B)", "P(B|A)", "P(A)"), 0)
    assert part.mistakes == {"P(B|A)": "You turned it round."}
    test.button(key="edit part 0").click().run()
    assert field(test, "Answers").value == "* P(A|B)\nP(B|A) | You turned it round.\nP(A)"
    assert not field(test, "Wrong numbers").value
    student = lecture_page(lecture=composed(test).link(), student="1")
    next(one for one in student.radio if one.label == "Your answer").set_value(1)
    press(student, "Check")
    assert sentence_with(student.warning[0].value, "turned it round")


def test_a_students_link_plays_the_lecture_without_the_tools_of_its_lecturer() -> None:
    test = press(press(lecture_page(), "Compose a lecture"), "Add the challenge")
    assert test.code[0].value.endswith("&student=1")
    tools = {"Present", "A room for the class", "Notes for the lecturer", "Lecture"}
    for mark, shown in (({}, tools), ({"student": "1"}, set())):
        test = lecture_page(lecture="roc", **mark)
        there = {one.label for kind in ("button", "expander", "button_group") for one in test.get(kind)}
        assert there & tools == shown
        assert "Start with my own numbers" in there
        assert mark.keys() == {"student"} & {*test.query_params}


def test_a_server_for_one_machine_says_how_a_class_reaches_it_and_asks_for_no_room() -> None:
    test = lecture_page(lecture="roc")
    (fold,) = (one for one in test.expander if one.label == "A room for the class")
    assert "allowedHosts" in "".join(one.value for one in fold.markdown)
    assert not [one for one in lecture_page().text_input if one.label == "Room code"]


def test_a_lesson_opens_by_its_name_and_a_broken_link_gets_a_sentence() -> None:
    test = lecture_page(lecture="costs", lecture_step="2")
    assert LESSONS["costs"].steps()[1].title in [one.value for one in test.header]
    assert "It may be cut" in lecture_page(lecture="1.cut").error[0].value
    assert "is open" in lecture_page(room="ABCDE").warning[0].value


def test_a_mark_is_asked_for_and_shown_from_a_projector() -> None:
    test = press(lecture_page(lecture="roc", present="1", lecture_step="4"), "Show the answer")
    assert not test.error
    assert any("true positive rate 50.0" in one.value for one in test.success)
    (plane,) = (one for one in test.get("bidi_component") if one.key.startswith("mark-"))
    assert '"here"' in plane.proto.json


@pytest.mark.parametrize("lesson", ["roc", "micro-macro", "ndcg", "interpolation"])
def test_no_picture_of_other_data_stands_beside_an_answer(lesson: str) -> None:
    last = str(len(LESSONS[lesson].steps()))
    test = press(lecture_page(lecture=lesson, lecture_step=last), "Show the solution")
    assert not test.get("plotly_chart")
    assert "Open an example on its page" in [link.proto.label for link in test.main.get("page_link")]
    own = press(lecture_page(lecture="prevalence", lecture_step="7"), "Show the solution")
    assert "Open this on its page" in [link.proto.label for link in own.main.get("page_link")]


def test_the_roc_curve_is_gone_through_before_all_of_it_is_shown() -> None:
    steps = LESSONS["roc"].steps()
    whole = next(at for at, step in enumerate(steps) if step.settings.get("data") == "roc_20" and not step.shown)
    assert steps[whole].title == "Row by row"
    test = lecture_page(lecture="roc", lecture_step=str(whole + 1))
    for gone in (4, 5):
        (chart,) = test.get("plotly_chart")
        assert f"after {gone} of 20 steps" in chart.proto.alt
        test.button(key="step Next").click().run()


def test_the_101st_room_is_refused_and_a_room_that_has_closed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = Rooms()
    monkeypatch.setattr(opened, "is_shared", lambda: True)
    monkeypatch.setattr(opened, "ROOMS", rooms)
    test = press(lecture_page(lecture="costs"), "Open a room")
    assert not test.warning
    code = test.query_params["room"]
    code, key = code if isinstance(code, str) else code[0], test.session_state["remembered by the tab"]["room keys"]
    for number in range(100):
        rooms.state(code if number == 99 else rooms.open(LESSONS["costs"], f"{number}")[0], "student")
    refused = press(lecture_page(lecture="costs"), "Open a room")
    assert "100 rooms are open" in refused.warning[0].value
    rooms.close(code, key[code])
    press(test, "Close the room")


def test_a_guest_follows_a_room_that_goes_on_while_the_page_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms = Rooms()
    code, key = rooms.open(LESSONS["costs"], "lecturer")
    monkeypatch.setattr(opened, "ROOMS", rooms)
    monkeypatch.setattr(opened, "note_page", lambda page, index: rooms.show(code, key, 1))
    assert any(one.value.startswith("Step 2 of") for one in lecture_page(room=code).caption)


def test_a_form_without_its_text_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "is_shared", lambda: True)
    assert sentence_with(press(lecture_page(), "Join").warning[0].value, "code of the room")
    assert "your name" in press(lecture_page(lecture="costs"), "Start with my own numbers").warning[0].value
