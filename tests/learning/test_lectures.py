"""Lectures in a link or a file, receipts that are computed again, and rooms on a shared server."""

import base64
import html
import json
import random
import re
import zlib
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from evalcore.learning import (
    LESSONS,
    Lecture,
    LectureProblem,
    Part,
    Rooms,
    lecture_of_file,
    markdown_of,
    questions_of,
    read_number,
    read_receipts,
    receipt_of,
    seed_of,
    verified,
)
from evalcore.learning.stories import STORIES
from evalcore.lessons import lesson, lesson_html
from evalcore.registry import PAGES

CHOICE = Part("Base rates", question="What is PPV?", options=("TP / (TP + FP)", "TP / (TP + FN)", "TN / N"), right=0)
NUMBER = Part(
    text="A test finds {tp} ill people.\nIt raises {fp} false alarms.",
    question="Precision?",
    number="tp / (tp + fp)",
    drawn={"tp": (20, 60), "fp": (100, 400)},
    page="classify/confusion",
    settings={"data": "cancer_test"},
)
LECTURE = Lecture("Precision & prevalence “½”", (CHOICE, Part(text="Read on."), NUMBER))


def test_a_lecture_is_the_same_after_its_link_and_its_file() -> None:
    assert Lecture.from_link(LECTURE.link()) == LECTURE == Lecture.from_json(LECTURE.json())
    assert set(LECTURE.link()) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    assert Lecture.from_link(LECTURE.link()).digest == LECTURE.digest


def test_students_have_numbers_and_an_order_of_answers_of_their_own() -> None:
    answers = [[question.answer.solution for question in questions_of(LECTURE, seed)] for seed in range(1, 40)]
    assert {first for first, _ in answers} == {0, 1, 2}
    assert len({second for _, second in answers}) > 30
    assert questions_of(LECTURE, 0)[1].answer.solution == 20 / 120
    assert "20 ill people&#46;\n\nIt raises 100" in LECTURE.steps(0)[2].text


@pytest.mark.parametrize("id", LESSONS)
def test_the_questions_of_lessons_know_their_wrong_answers(id: str) -> None:
    for part in LESSONS[id].parts:
        if not part.question:
            continue
        for seed in (0, 7):
            (step,) = part.steps(seed)
            assert step.question
            for one in step.question.misconceptions:
                ruling = step.question.rule(one.example)
                assert (ruling.correct, ruling.code, bool(ruling.hint)) == (False, one.code, True)
            least = len(part.options) - 1 if part.options else 2
            assert len(step.question.misconceptions) >= least


def test_a_mistake_follows_the_numbers_and_the_order_of_each_student() -> None:
    part = replace(
        NUMBER, mistakes={"fp / (tp + fp)": "That is the share of {fp} false alarms.", "tp / (fp - fp)": "Never."}
    )
    assert Lecture.from_link(Lecture("", (part,)).link()).parts == (part,)
    for seed in range(5):
        (step,) = part.steps(seed)
        assert step.question
        (complement,) = step.question.misconceptions  # the other one divides by 0
        assert step.question.rule(complement.example).hint == complement.hint != ""
        assert not step.question.rule(1.0).hint
    choice = replace(CHOICE, mistakes={"TN / N": "That is specificity."})
    for seed in range(5):
        question = choice.steps(seed)[0].question
        assert question
        hints = [question.rule(place).hint for place in range(3)]
        assert [bool(hint) for hint in hints] == ["TN" in option for option in question.answer.options]


@pytest.mark.parametrize("mistakes", [{"FN": "?"}, {"TP / (TP + FP)": "Right."}, {"TN / N": ""}, ["TN / N"]])
def test_a_mistake_that_is_no_wrong_answer_is_refused(mistakes: object) -> None:
    with pytest.raises(LectureProblem):
        replace(CHOICE, mistakes=mistakes)
    with pytest.raises(LectureProblem):
        replace(NUMBER, mistakes={"cases": "There is no such number."})


def test_parts_are_put_in_order() -> None:
    titles = [part.title for part in LECTURE.with_part_moved(0, 1).parts]
    assert titles == ["", "Base rates", ""]
    assert LECTURE.with_part_moved(0, -1) == LECTURE == LECTURE.with_part(NUMBER, 2)
    assert LECTURE.without_part(1).parts == (CHOICE, NUMBER)


def packed(content: object) -> str:
    return "1." + base64.urlsafe_b64encode(zlib.compress(json.dumps(content).encode(), wbits=-15)).decode().rstrip("=")


@pytest.mark.parametrize(
    "text",
    [
        *("", "1.", "1.!!", "2.abc", "9" * 7000, LECTURE.link()[:-20], packed([]), packed({"title": 1}), packed([1])),
        packed(["A", 3]),
        packed(["A", {"question": "?", "number": "__import__('os')"}]),
        packed(["A", {"question": "?", "number": "2 ** 9 ** 9 ** 9"}]),
        packed(["A", {"question": "?", "number": "(" * 200}]),
        packed(["A", {"question": "?", "options": ["yes", "no"], "right": 5}]),
        packed(["A", {"question": "?", "options": "yes"}]),
        packed(["A", {"number": "1 / (a - a)", "drawn": {"a": [1, 5]}}]),
        packed(["A", {"number": "a", "drawn": {"a": [5, 1]}}]),
        packed(["A", {"page": "../../etc/passwd"}]),
        packed(["A", {"settings": {"data": 3}}]),
        packed(["A", {"title": ["x"]}]),
        packed(["A", {"colour": "red"}]),
        packed(["A", *[{"text": "x"}] * 61]),
        packed(["x" * 200]),
        packed(["A", {"text": "x" * 4_000_000}])[:6000],
        packed(["A", {"text": "0" * 100_000}]),
        "1." + base64.urlsafe_b64encode(zlib.compress(b"[" * 50_000, wbits=-15)).decode(),
    ],
    ids=lambda text: text[:24],
)
def test_a_link_that_is_no_lecture_gets_a_sentence(text: str) -> None:
    with pytest.raises(LectureProblem, match=r"^[A-Z“].*\.$"):
        Lecture.from_link(text).steps(3)


def test_a_long_lecture_is_for_a_file_alone() -> None:
    words = " ".join(str(number**3) for number in range(4_000))
    long = Lecture("Long", tuple(Part(text=words[3000 * page :][:3000]) for page in range(9)))
    with pytest.raises(LectureProblem, match="Give students the file"):
        long.link()
    assert Lecture.from_json(long.json()) == long


def test_names_in_texts_are_shown_and_do_nothing() -> None:
    step = Lecture("x", (replace(CHOICE, text="[a](http://e.com) :red[b] <b>"),)).steps()[0]
    assert not set("[](<>") & set(step.text)


RECEIPT = receipt_of(LECTURE, "Ada Lovelace", [2, 0.25])


def test_a_receipt_is_verified_from_its_text_among_others() -> None:
    (one, other) = read_receipts(f"Dear all,\n{RECEIPT.text()}\nand {RECEIPT.text()}")
    assert one == other
    assert verified(LECTURE, one).problem == ""
    right = [question.answer.solution for question in questions_of(LECTURE, seed_of("Bob", LECTURE.digest))]
    best = verified(LECTURE, receipt_of(LECTURE, " Bob ", right))
    assert (best.name, best.score, best.problem) == ("Bob", "2 of 2", "")
    assert verified(LECTURE, receipt_of(LECTURE, "Bob", [None, None])).score == "0 of 2"


@pytest.mark.parametrize(
    ("altered", "words"),
    [
        ({"name": "Bob"}, "another name"),
        ({"name": "Bob", "seed": seed_of("Bob", LECTURE.digest)}, "check code|Its answers"),
        ({"seed": RECEIPT.seed + 1}, "another name"),
        ({"answers": [0, 0.25]}, "Its answers|check code"),
        ({"answers": [2]}, "1 answers"),
        ({"answers": [2, {"a": 1}]}, "none"),
        ({"answers": [2, 10**400]}, "none|check code"),
        ({"score": "2 of 2"}, "answers or result"),
        ({"right": [True, True], "score": "2 of 2"}, "answers or result"),
        ({"title": "Another"}, "check code"),
        ({"lecture": "0" * 16}, "another lecture"),
        ({"check": "AAAA-AAAA-AAAA"}, "check code"),
    ],
    ids=str,
)
def test_an_altered_or_copied_receipt_fails(altered: dict, words: str) -> None:
    (read,) = read_receipts(replace(RECEIPT, **altered).text())
    with pytest.raises(AssertionError, match=words):
        assert not verified(LECTURE, read).problem


def test_a_copy_whose_code_was_made_anew_belongs_to_other_numbers() -> None:
    right = [question.answer.solution for question in questions_of(LECTURE, RECEIPT.seed)]
    best = receipt_of(LECTURE, "Ada Lovelace", right)
    copied = replace(best, name="Bob", seed=seed_of("Bob", LECTURE.digest))
    assert "Its answers give" in verified(LECTURE, replace(copied, check=copied.code)).problem


@pytest.mark.parametrize("content", [{}, {"name": 3}, {"answers": "[]"}, {"seed": "1"}, {"more": 1}], ids=str)
def test_a_text_that_is_no_receipt_gets_a_sentence(content: dict) -> None:
    whole = {"evalcore receipt": 1} | asdict(RECEIPT) if content else {}
    with pytest.raises(LectureProblem, match="No whole receipt"):
        read_receipts(json.dumps(whole | content))


def test_an_answer_of_a_receipt_is_read_as_it_was_written() -> None:
    assert read_number(1.5, is_share=True) == 1.5
    for text in ("1e999999999", "9" * 5000):
        with pytest.raises(ValueError, match="is not a number"):
            read_number(text)


def test_three_students_guess_and_see_the_guesses_at_the_reveal() -> None:
    rooms = Rooms()
    code, key = rooms.open(LECTURE, "lecturer")
    for visitor, guess in (("a", 0), ("b", 2), ("c", 2)):
        rooms.guess(f" {code.lower()} ", 0, guess, visitor)
    assert (rooms.count(code), rooms.state(code, "b").guesses, rooms.state(code, "b").own_guess) == (3, (), 2)
    with pytest.raises(LectureProblem, match="Only the lecturer"):
        rooms.show(code, "another key", 0, revealed=True)
    rooms.show(code, key, 0, revealed=True)
    assert rooms.state(code, "d").guesses == (0, 2, 2)
    assert rooms.state(code, "d").own_guess is None
    with pytest.raises(LectureProblem, match="too late"):
        rooms.guess(code, 0, 1, "d")
    rooms.show(code, key, 2)
    assert (rooms.state(code, "d").step, rooms.state(code, "d").revealed, rooms.count(code)) == (2, False, 0)
    rooms.close(code, key)
    with pytest.raises(LectureProblem, match="No room"):
        rooms.state(code, "a")


def test_rooms_expire_and_have_limits() -> None:
    now = [0.0]
    rooms = Rooms(clock=lambda: now[0])
    code, key = rooms.open(LECTURE, "lecturer")
    for number in range(1_000):
        rooms.guess(code, 0, 1, f"student {number}")
    with pytest.raises(LectureProblem, match="takes no more"):
        rooms.guess(code, 0, 1, "one more")
    for number in range(99):
        rooms.state(rooms.open(LECTURE, f"lecturer {number}")[0], "student")
    rooms.state(code, "student")
    with pytest.raises(LectureProblem, match="100 rooms"):
        rooms.open(LECTURE, "one more")
    now[0] = 3.9 * 3600
    rooms.show(code, key, 0)  # the lecturer is still there
    now[0] = 4.1 * 3600
    assert rooms.is_host(code, key)
    rooms.open(LECTURE, "one more")
    now[0] = 8 * 3600
    assert not rooms.is_host(code, key)


def test_a_visitor_has_three_rooms_and_the_oldest_without_guests_goes_first() -> None:
    rooms = Rooms()
    (old, key), second, third = (rooms.open(LECTURE, "lecturer") for _ in range(3))
    rooms.state(old, "student")
    rooms.state(second[0], "lecturer")  # who is no guest of their own
    fourth = rooms.open(LECTURE, "lecturer")
    assert [rooms.is_host(*each) for each in ((old, key), second, third, fourth)] == [True, False, True, True]
    for code, _ in (third, fourth):
        rooms.state(code, "student")
    with pytest.raises(LectureProblem, match="3 open rooms"):
        rooms.open(LECTURE, "lecturer")
    rooms.close(old, key)
    rooms.open(LECTURE, "lecturer")


def test_a_hundred_rooms_without_guests_keep_nobody_out() -> None:
    rooms = Rooms()
    visited, key = rooms.open(LECTURE, "lecturer")
    rooms.state(visited, "student")
    flood = [rooms.open(LECTURE, f"{number // 3}") for number in range(99)]
    late = rooms.open(LECTURE, "late")
    assert [rooms.is_host(*each) for each in ((visited, key), flood[0], flood[1], late)] == [True, False, True, True]


def test_a_visitor_guesses_once_per_step_and_is_known_in_one_room_only() -> None:
    rooms = Rooms()
    (code, key), (other, _) = (rooms.open(LECTURE, "lecturer") for _ in range(2))
    rooms.guess(code, 0, 1, "student")
    with pytest.raises(LectureProblem, match="first guess counts"):
        rooms.guess(code, 0, 2, "student")
    rooms.guess(other, 0, 2, "student")
    rooms.show(code, key, 0, revealed=True)
    assert rooms.state(code, "x").guesses == (1,)
    first, second = ([*each.guesses[0]] for each in rooms._rooms.values())
    assert first != second
    assert "student" not in repr(rooms._rooms)


@pytest.mark.parametrize(
    ("part", "typed", "words"),
    [
        (Part(question="Precision?", number="0.1"), "1e99", "from 0.0"),
        (Part(question="Precision?", number="0.1"), "-5 %", "from 0.0"),
        (Part(question="Precision?", number="0.1"), float("inf"), "not a number"),
        (Part(question="Kappa?", number="0 - 0.2"), "-101 %", "from −100"),
        (Part(question="How many?", number="30", is_share=False), "1e10", "from −1"),
        (Part(question="How many?", number="30", is_share=False), "nan", "not a number"),
        (Part(question="Which?", options=("a", "b")), 2, "Choose one"),
        (Part(text="No question."), "1", "asks no question"),
    ],
)
def test_a_guess_that_is_no_possible_answer_is_not_counted(part: Part, typed: object, words: str) -> None:
    rooms = Rooms()
    code, _ = rooms.open(Lecture("Range", (part,)), "lecturer")
    with pytest.raises(ValueError, match=words):
        rooms.guess(code, 0, typed, "student")
    with pytest.raises(LectureProblem, match="asks no question"):
        rooms.guess(code, 1, typed, "student")
    assert rooms.count(code) == 0


def test_a_guess_may_be_as_far_out_as_the_answer() -> None:
    rooms = Rooms()
    for part, typed in (
        (Part(question="Kappa?", number="0 - 0.2"), "-30 %"),
        (Part(question="Lift?", number="7 / 2"), 3.9),
        (Part(question="How many?", number="1000000000 * 30", is_share=False), "3e10"),
    ):
        code, _ = rooms.open(Lecture("Range", (part,)), "lecturer")
        rooms.guess(code, 0, typed, "student")
        assert rooms.count(code) == 1


def test_a_question_without_a_finite_answer_is_refused() -> None:
    with pytest.raises(LectureProblem, match="or is too large"):
        Part(question="How many?", number="*".join(["1e9"] * 40), is_share=False)


def test_six_lessons_have_notes_with_the_minutes_of_every_step() -> None:
    notes = Path(__file__).parents[2] / "sample_data" / "lessons"
    assert {path.stem for path in notes.glob("*.md")} == set(LESSONS)
    assert len(LESSONS) == 6
    for id, one in LESSONS.items():
        assert Lecture.from_link(one.link()) == one
        rows = re.findall(r"^\| (\d+) \| (.+?) \|", (notes / f"{id}.md").read_text(encoding="utf-8"), re.MULTILINE)
        assert [name for _, name in rows] == [html.unescape(step.title) for step in one.steps()]
        assert sum(int(minutes) for minutes, _ in rows) == 20
        for question in questions_of(one, 0):
            assert question.rule(question.answer.solution).correct
        receipt = receipt_of(one, "Ada", [None] * len(questions_of(one, 0)))
        assert verified(one, receipt).problem == ""


def test_half_a_character_opens_no_room_and_breaks_no_lecture() -> None:
    rooms = Rooms()
    code, _ = rooms.open(LECTURE, "lecturer")
    assert not rooms.is_host(code, "half \ud800")
    title = Lecture.from_json(json.dumps(json.loads(LECTURE.json()) | {"title": "half \ud800"})).title
    assert title == Lecture.from_link(packed(["half \ud800"])).title == "half ?"


WRITTEN = """# Base rates

## How far can you trust an alarm?

A test finds {tp} ill people
and raises {fp} false alarms.

\\page: is a word here.

page: /confusion?data=cancer_test

```question
What is the precision?
draw: tp 20 60
draw: fp 100 400
answer: tp / (tp + fp)
wrong: fp / (tp + fp)
  hint: That is the share of false alarms.
why: Of all alarms, {tp} are true.
```

## Which one?

```question
Which rate does not depend on the prevalence?
- [ ] Precision
  hint: It divides by the alarms.
- [x] Recall
```

## A step of an example

example: cancer-test 2

## And a challenge

challenge: ppv_below_half
"""


def test_a_lecture_is_read_from_markdown_and_written_again() -> None:
    lecture = lecture_of_file(WRITTEN.replace("\\\\", "\\"))
    own, choice, example, challenge = lecture.parts
    assert own.text == "A test finds {tp} ill people and raises {fp} false alarms.\npage: is a word here."
    assert (own.page, own.settings, own.drawn) == ("classify/confusion", {"data": "cancer_test"}, NUMBER.drawn)
    assert own.mistakes == {"fp / (tp + fp)": "That is the share of false alarms."}
    assert (choice.options, choice.right, choice.mistakes) == (
        ("Precision", "Recall"), 1, {"Precision": "It divides by the alarms."},
    )  # fmt: skip
    assert (example.story, example.step, challenge.challenge) == ("cancer-test", 2, "ppv_below_half")
    assert lecture_of_file(markdown_of(lecture)) == lecture


@pytest.mark.parametrize("lecture", [LECTURE, *LESSONS.values()], ids=lambda lecture: lecture.title)
def test_every_file_of_a_lecture_is_the_same_lecture(lecture: Lecture) -> None:
    for written in (markdown_of(lecture), lecture.json(), lesson_html(lecture)):
        read = lecture_of_file(written)
        assert [step.question and step.question.text for step in read.steps(7)] == [
            step.question and step.question.text for step in lecture.steps(7)
        ]
    assert lecture_of_file(lesson_html(lecture)).digest == lecture.digest


def test_any_text_of_a_step_comes_back_from_markdown() -> None:
    source = random.Random(5)
    words = [
        "#",
        "##",
        "- [x]",
        "hint:",
        "page: x",
        "```",
        "\\page:",
        "\\#",
        "a",
        "{n}",
        "|",
        "why: so",
        "wy: so",
        "* [] so",
        "| hint",
        "* 1",
    ]
    for _ in range(300):
        text = ["".join(f"{source.choice(words)} " for _ in range(3)).strip() for _ in range(6)]
        part = Part(
            title=text[0], text=f"{text[1]}\n{text[2]}", question=text[3], options=(f"b {text[4]}", "c"), right=1,
            mistakes={f"b {text[4]}": text[5]}, solution=text[1], drawn={"n": (1, 2)},
        )  # fmt: skip
        lecture = Lecture(text[2], (part, replace(part, question="", options=(), right=0, mistakes={})))
        assert lecture_of_file(markdown_of(lecture)) == lecture


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("# A\nText", ("2", "##")),
        ("# A\n## B\n```python\n```", ("3", "```question")),
        ("# A\n## B\n```question\nWhat?", ("not closed",)),
        ("# A\n## B\n```question\nWhat?\nhint: no\n```", ("5", "wrong answer")),
        ("# A\n## B\n```question\nWhat?\n- [ ] a\n- [ ] b\n```", ("4", "[x]")),
        ("# A\n## B\nexample: cancer-test two", ("3", "cancer-test 2")),
        ("# A\n## B\npage: /nowhere", ("3", "page")),
        ("# A\n## B\n```question\nWhat?\nanswer: a / b\n```", ("Line 5", "a / b")),
        ("# A\n## B\n```question\nWhat?\n- [ ] a\n  hnt: no\n- [x] b\n```", ("6", "“hnt”", "hint", "why")),
        ("# A\n## B\n```question\nWhat?\n- [ ] a\n- [x] b\ntip: no\n```", ("7", "“tip”", "hint", "why")),
        ("# A\n## B\n```question\nwy: so\nWhat?\n- [ ] a\n- [x] b\n```", ("4", "“wy”", "draw", "answer")),
        ("# A\n## B\npge: /threshold", ("3", "“pge”", "page", "example")),
        ("# A\n## B\npage: /threshold?data=a.csv&thr=0.4", ("3", "“thr”", "“t”")),
        ("# A\n## B\npage: /threshold?daat=a.csv", ("3", "“daat”", "“data”")),
        ("# A\n## B\n```question\nWhat?\n-[x] a\n- [ ] b\n```", ("5", "“-[x]”", "- [ ]")),
        ("# A\n## B\n```question\nWhat?\n- [x] a\n- [] b\n- [ ] c\n```", ("6", "“- []”", "- [ ]")),
        ("# A\n## B\n- [x] a", ("3", "“- [x]”", "page")),
        ("# A\n## B\nchallange: x", ("3", "“challange”", "challenge")),
        ("# A\n## B\nhint: no", ("3", "“hint”", "page", "example")),
        ("# A\n## B\nFind {fb} of {tp}.\n```question\nWhat?\ndraw: tp 2 6\nanswer: tp / 9\n```", ("Line 3: {fb}",)),
        ("# A\n## B\n```question\nWhat?\nanswer: 1 / 4\nwrong: 0.25\n  hint: no\n```", ("6", "“0.25” counts as right")),
        ("# A\n## B\n```question\nWhat?\nanswer: 12\n```", ("5", "unit: number")),
        ("# A\n## B\n```question\nWhat?\ndraw: a 1 9\nanswer: 5 / a\n```", ("6", "unit: number")),
        (
            "# A\n## B\n```question\nWhat?\n- [ ] a\n- [x] b\n  hint: no\n```",
            ("Line 7: a right option takes no hint.",),
        ),
        ("# A\n## B\n```question\nWhat?\n- [x] a\n- [ ] b\n- [x] c\n```", ("7", "[x]")),
        ("# A\n## B\n```question\nWhat?\n```", ("from, or a number.",)),
        ("# A\n## B\n```question\nWhat?\n- [ ] a\n- [x] b\nanswer: 0.5\n```", ("from, or a number; not both.",)),
        ("", ("The file is empty", "#")),
        ("\n## B\nText", ("2", "# and its title")),
        ("# A\n## B\n# C", ("3", "one title")),
    ],
)
def test_what_is_wrong_in_markdown_is_told_with_its_line(text: str, facts: tuple[str, ...]) -> None:
    with pytest.raises(LectureProblem) as problem:
        lecture_of_file(text).steps()
    said = html.unescape(str(problem.value))
    assert all(fact in said for fact in facts), said
    assert re.match(r"(Line|The|Step)\b.*\.$", said), said


def test_prose_with_a_colon_stays_prose() -> None:
    text = "Note: it is rare.\nOur aim: to find it.\nWho: all of them.\nPage: 12"
    block = "Note: one of two.\nTask: what is rare?\n- [ ] a\n- [x] b"
    (part,) = lecture_of_file(f"# A\n## B\n{text}\n```question\n{block}\n```").parts
    assert part.text == text.replace("\n", " ")
    assert part.question == "Note: one of two. Task: what is rare?"


def test_a_setting_that_a_page_has_is_never_taken_for_a_mistake() -> None:
    files = (Path(__file__).parents[2] / "pages").rglob("*.py")
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    names = {page.parts for page in PAGES.values() if page.parts}
    names.update(re.findall(r'(?:\bkey=|\baddress\.\w+\(\s*|, )"([a-z]\w*)"', source))
    assert {"t", "bars", "thresholds", "beside", "have"} <= names
    options = {"classes", "none", "of_class", "systems", "threshold"}
    for name in names - options:
        assert lecture_of_file(f"# A\n## B\npage: /threshold?{name}=1").parts


def test_a_percentage_above_100_says_so_and_comes_back() -> None:
    lecture = lecture_of_file("# A\n## B\n```question\nGrowth?\nanswer: 3 / 2\nunit: share\n```")
    assert lecture.parts[0].steps()[0].question.answer.text(1.5) == "150.0\u202f%"
    assert lecture_of_file(markdown_of(lecture)) == lecture


def test_every_lesson_is_one_file_of_at_most_two_megabytes(tmp_path: Path) -> None:
    parts = [part for one in LESSONS.values() for part in one.parts] + [Part(story=id) for id in STORIES]
    assert len(lesson_html(Lecture("All of them", tuple(parts))).encode()) < 1_000_000
    for name in ("prevalence", "roc-20", "playground"):
        assert lesson(name, tmp_path / f"{name}.html").stat().st_size < 400_000, name


def test_a_lesson_of_ones_own_takes_its_data_from_beside_it(tmp_path: Path) -> None:
    own = tmp_path / "mine.md"
    own.write_text("# Mine\n\n## Look\n\npage: /threshold?data=scores.csv&t=0.5\n", encoding="utf-8")
    with pytest.raises(LectureProblem, match=r"scores.*csv"):
        lesson(own, tmp_path / "mine.html")
    (tmp_path / "scores.csv").write_text("actual,score\nyes,0.9\nno,0.2\nyes,0.6\nno,0.7\n", encoding="utf-8")
    assert lesson(own, tmp_path / "mine.html").read_text(encoding="utf-8").count("</html>") == 1
    for settings, words in (("data=../scores.csv", "scores.*csv"), ("data=scores.csv&t=high", "t=high")):
        own.write_text(f"# Mine\n\n## Look\n\npage: /threshold?{settings}\n", encoding="utf-8")
        with pytest.raises(LectureProblem, match=words):
            lesson(own, tmp_path / "mine.html")
    own.write_text("# Mine\n", encoding="utf-8")
    with pytest.raises(LectureProblem, match="no step"):
        lesson(own, tmp_path / "mine.html")
    with pytest.raises(LectureProblem, match=r"nothing.*prevalence"):
        lesson("nothing")


@pytest.mark.parametrize(
    ("page", "lines", "words"),
    [
        ("threshold", "name,town\nMia,Rome", "no scores, which the page Threshold needs"),
        ("curves", "actual,predicted\na,a\nb,a", "no scores, which the page Curves needs; it holds labels"),
        ("classes", "name,town\nMia,Rome", "no labels, which"),
        ("ranking", "name,town\nMia,Rome", "no rankings with judgments, which"),
    ],
)
def test_a_file_that_a_page_cannot_show_is_named(tmp_path: Path, page: str, lines: str, words: str) -> None:
    own = tmp_path / "mine.md"
    own.write_text(f"# Mine\n\n## Look\n\npage: /{page}?data=junk.csv\n", encoding="utf-8")
    (tmp_path / "junk.csv").write_text(f"{lines}\n", encoding="utf-8")
    with pytest.raises(LectureProblem, match=f"junk.*csv has {words}"):
        lesson(own, tmp_path / "mine.html")
