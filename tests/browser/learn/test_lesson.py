"""A lesson as one file: its numbers are Python's; it plays from disk, by keyboard, on a phone, without a network."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

from evalcore import lessons
from evalcore.classification import ConfusionCounts, average_precision, roc_auc
from evalcore.figures.threshold_view import ELEMENT, WORDS, text_of_files
from evalcore.learning import (
    LESSONS,
    DrawnBars,
    Playground,
    Question,
    ScoreModel,
    SkewNormal,
    Values,
    read_number,
    read_receipts,
    receipt_of,
    seed_of,
    verified,
)
from evalcore.learning.challenges import CHALLENGES
from evalcore.learning.stories import STORIES
from evalcore.lessons.lesson import MEASURES, _question
from evalcore.registry import METRICS
from evalcore.reports.parts import markdown_html
from evalcore.wording import count_text, number_text, share_text, threshold_text
from tests.browser.test_accessibility import AXE

SETTINGS = 500
FOLDER = Path(lessons.__file__).parent
PROGRAM = lessons.measures_script() + text_of_files(WORDS, str(FOLDER / "judge.js"))
ASK = """
const reply = ([question, typed]) => {
  const { answer } = question
  let value
  try { value = readAnswer(answer, typed) } catch (error) { return error.message }
  const { right, hint } = rulingOf(question, value)
  return [jsonOf(answer, value), right, hint, answerText(answer, value),
    BUILT[answer.rule]?.(value, answer.known) ?? []]
}
return asked.map(reply)"""


def run(page: Page, program: str, asked: object) -> Any:
    """What the program of the file makes of something, in a page of its own."""
    return page.evaluate(f"asked => {{ {PROGRAM}\n{program} }}", asked)


def inline(text: str) -> str:
    return markdown_html(text).removeprefix("<p>").removesuffix("</p>")


def reply(question: Question, typed: Any) -> Any:
    """What Python says of an answer that was typed."""
    answer = question.answer
    try:
        value, ruling = answer.read(typed), question.rule(typed)
    except ValueError as error:
        return str(error)
    built = [*map(list, answer.numbers(value))] if isinstance(answer, Values) and answer.numbers else []
    text = answer.text(value)
    choice = hasattr(answer, "options")
    return [json.dumps(value), ruling.correct, inline(ruling.hint), inline(text) if choice else text, built]


def typed_answers(question: Question, source: random.Random) -> Any:
    """An answer as somebody might type it: right, known to be wrong, near one of them, or anything."""
    answer = question.answer
    if hasattr(answer, "options"):
        return str(source.randrange(len(answer.options)))
    examples = [answer.solution, *(one.example for one in question.misconceptions)]
    example = source.choice([one for one in examples if one == one])
    if not isinstance(example, (tuple, list)):
        value = float(example) * source.choice((1, 1, 1.003, 0.9, source.random()))
        if not answer.is_share or abs(value) > 1:
            return f"{value:.6f}"
        return source.choice(
            (
                f"{value:.5f}",
                f"{100 * value:.3f} %",
                f"{value:.4f}".replace(".", ","),
                f"~{value:.3f} of them",
                f"{100 * value:.2f} per cent",
                "2/3",
                "2 million",
                "x",
                " ",
            )
        )
    values = [float(one) for one in example]
    if source.random() < 0.5:
        place = source.randrange(len(values))
        values[place] += source.choice((1, -1, 2, 0.01, 5))
    if source.random() < 0.1:
        source.shuffle(values)
    return [f"{value:g}" for value in values]


def test_rulings_hints_and_numbers_of_a_file_are_those_of_python(page: Page) -> None:
    source = random.Random(1)
    questions = [step.question for story in STORIES.values() for step in story.steps if step.question]
    built = [one for one in CHALLENGES.values() if isinstance(one.question().answer, Values)]
    drawn = [
        source.choice(some).question(source.randrange(101))
        for some in (built, [*CHALLENGES.values()])
        for _ in range(SETTINGS)
    ]
    asked = [(one, typed_answers(one, source)) for one in drawn + questions]
    sent = json.loads(json.dumps([[_question(one), typed] for one, typed in asked], default=float, allow_nan=False))
    answers = run(page, ASK, sent)
    for (question, typed), answer in zip(asked, answers, strict=True):
        assert answer == reply(question, typed), (question.text, typed)
    assert {len(answer[2]) > 0 for answer in answers if isinstance(answer, list) and not answer[1]} == {True, False}


def test_measures_and_written_numbers_of_a_file_are_those_of_python(page: Page) -> None:
    source = random.Random(2)
    cells = [
        [source.choice((0.0, 1.0, float(source.randrange(3000)), source.random())) for _ in range(4)]
        for _ in range(SETTINGS)
    ]
    computed = run(page, "return asked.map(c => Object.values(MEASURES).map(one => String(one(c))))", cells)
    for counts, values in zip(cells, computed, strict=True):
        expected = [float(METRICS[key](ConfusionCounts(*counts))) for key in MEASURES]
        assert list(map(float, values)) == pytest.approx(expected, rel=1e-12, nan_ok=True)
    sizes = [source.uniform(-1, 1) * 10.0 ** source.randrange(-7, 9) for _ in range(SETTINGS)]
    numbers = [*sizes, *(n / 8 for n in range(-40, 40)), *(n / 1000 for n in range(1000)), 0.99999, 1e-7]
    program = "return asked.map(x => [shareText(x), numberText(x), countText(x), thresholdText(x), floatText(x)])"
    texts = run(page, program, numbers)
    for number, text in zip(numbers, texts, strict=True):
        usual = share_text(number), number_text(number), text[2] if 0 < abs(number) < 0.1 else count_text(number)
        assert text == [*usual, threshold_text(number), repr(number)]


def test_names_have_the_seeds_of_python_and_receipts_of_a_file_verify(page: Page) -> None:
    source = random.Random(3)
    letters = "abzßſςσΣİıŉﬁÄé e\u0301ÇЖж日本😀 \t-'\"\\\x7f"
    names = ["".join(source.choices(letters, k=source.randrange(1, 80))).strip() or "Ada" for _ in range(SETTINGS)]
    lecture = LESSONS["micro-macro"]
    assert run(page, "return asked.map(name => seedOf(name, 'digest'))", names) == [seed_of(n, "digest") for n in names]
    for name in names[:20]:
        seed = seed_of(name, lecture.digest)
        questions = [step.question for step in lecture.steps(seed) if step.question]
        sent = {
            "name": name, "title": lecture.title, "digest": lecture.digest, "seed": seed,
            "questions": json.loads(json.dumps(list(map(_question, questions)), default=float)),
            "answers": [source.choice((q.answer.solution, q.misconceptions[0].example, None)) for q in questions],
        }  # fmt: skip
        receipt = run(page, "return receiptOf(asked)", sent)
        (read,) = read_receipts(receipt["text"])
        answers = [
            None
            if a is None
            else q.answer.read(str(a) if isinstance(a, int) else a if isinstance(a, float) else [*map(str, a)])
            for q, a in zip(questions, sent["answers"], strict=True)
        ]
        assert (verified(lecture, read).problem, read.check) == ("", receipt["check"])
        assert read.score == receipt_of(lecture, name, answers).score


MODELS = """
const reply = lists => {
  const state = stateFrom(lists)
  const model = modelOf(state)
  const sample = sampleOf(model, state.rows, state.seed)
  const { auc, ap } = areasUnder(sample)
  const stop = stopOf(state.threshold)
  const { recall, fall_out, precision } = model.at(thresholdAt(stop))
  const counts = [sample.tp[stop], sample.fp[stop]]
  return [model.auc, model.ap, model.error(...sample.sizes), auc, ap, recall, fall_out, precision, ...counts]
}
return asked.map(lists => reply(lists).map(String))"""


def drawn_playground(source: random.Random) -> Playground:
    """Hills or bars of any settings that can be made on the screen."""
    if source.random() < 0.3:
        one, other = (
            DrawnBars(tuple(float(source.choice((0, 3, 9, 30))) for _ in range(19)) + (1.0,)) for _ in range(2)
        )
    else:
        one, other = (
            SkewNormal(source.randrange(50, 151) / 2, source.randrange(4, 21) / 2, source.randrange(-18, 19) / 20)
            for _ in range(2)
        )
    prevalence, threshold = source.randrange(1, 200) / 200, source.randrange(1001) / 10
    return Playground(
        ScoreModel(one, other, prevalence), source.randrange(10, 400, 10), source.randrange(1, 9999), threshold
    )


def test_playgrounds_of_a_file_have_the_numbers_of_python(page: Page) -> None:
    source = random.Random(4)
    drawn = [drawn_playground(source) for _ in range(SETTINGS)]
    element, model = text_of_files(ELEMENT), text_of_files(str(FOLDER / "playground" / "model.js"))
    answers = page.evaluate(f"asked => {{ {element}\n{model}\n{MODELS} }}", [one.lists for one in drawn])
    for one, answer in zip(drawn, answers, strict=True):
        model, counts = one.model, one.sample.counts_at([one.cut])
        expected = [
            model.roc_auc, model.average_precision, model.auc_error(*model.class_sizes(one.rows)),
            roc_auc(one.sample), average_precision(one.sample), model.recall_at(one.cut), model.fall_out_at(one.cut),
            model.precision_at(one.cut), counts.tp[0], counts.fp[0],
        ]  # fmt: skip
        if expected[5] + expected[6] < 1e-12:  # beyond both hills, their quotient is one of rounding errors
            answer[7] = expected[7]
        numbers, exact = (list(map(float, values)) for values in (answer, expected))
        assert numbers == pytest.approx(exact, rel=1e-8, abs=1e-7, nan_ok=True), one


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    folder = tmp_path_factory.mktemp("lessons")
    return lambda name: lessons.lesson(name, folder / f"{name}.html").as_uri()


def test_a_lesson_plays_from_disk_by_keyboard_on_a_phone(
    visitor: Callable[..., Page], file: Callable[[str], str]
) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, offline=True)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file("prevalence"))
    keys, article = page.keyboard, page.locator("article")

    def press(name: str) -> None:
        page.get_by_role("button", name=name, exact=True).focus()
        keys.press("Enter")

    page.get_by_label("Your name").focus()
    keys.type("Ada Lovelace")
    keys.press("Enter")
    told = page.locator("article [role=status]").first
    for option, words in (("About 95 %", "You know the alarm, not the illness"), ("About 2 %", "Right: About 2 %.")):
        page.get_by_label(option).focus()
        keys.press("Space")
        keys.press("Enter")
        expect(told).to_contain_text(words)
    press("Next")
    expect(article).to_contain_text("Step 2 of 7")
    assert page.url.endswith("#2")
    page.get_by_label("Your answer").focus()
    keys.type("20/30")
    keys.press("Enter")
    expect(told).to_contain_text("66.7\u202f%: That is the share of the ill who get an alarm.")
    assert not article.get_by_text("What it teaches").count()
    page.get_by_label("Your answer").fill("10%")
    keys.press("Enter")
    expect(told).to_contain_text("Right: 10.0\u202f%.")
    slider = page.get_by_role("slider")
    slider.focus()
    for _ in range(5):
        keys.press("PageUp")
    share = float(slider.input_value()) / 100
    precision = (share * 2 / 3) / (share * 2 / 3 + (1 - share) * 0.09)
    expect(page.locator(".values .chosen")).to_contain_text(share_text(precision))
    page.reload()  # what was answered stays
    expect(told).to_contain_text("Right: 10.0\u202f%.")
    page.goto(page.url.partition("#")[0] + "#7")
    expect(article).to_contain_text("Step 7 of 7")
    lecture = LESSONS["prevalence"]
    question = lecture.steps(seed_of("Ada Lovelace", lecture.digest))[6].question
    assert question
    asked = page.locator(".question > div").first.inner_text()
    assert read_number(asked.partition("recall of ")[2].split()[0]) == read_number(
        question.text.partition("recall of ")[2].split()[0]
    )
    page.get_by_label("Your answer").fill(f"{100 * question.answer.solution:.2f} %")
    keys.press("Enter")
    expect(told).to_contain_text("Right")
    press("Finish")
    (receipt,) = read_receipts(page.get_by_label("Receipt", exact=True).inner_text())
    assert (verified(lecture, receipt).problem, receipt.name) == ("", "Ada Lovelace")
    assert receipt.right == [False, False, False, False, False, False, True]
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.evaluate(AXE_SCRIPT)
    assert page.evaluate(AXE, None) == []
    page.get_by_role("link", name="Step 2").click()
    assert page.evaluate(AXE, None) == []
    assert [url for url in requests if not url.startswith(("file:", "blob:"))] == []


def test_what_ifs_of_a_file_follow_the_hand(visitor: Callable[..., Page], file: Callable[[str], str]) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, offline=True)
    what_if = page.locator(".what-if")
    page.goto(f"{file('roc')}#3")
    expect(what_if).to_contain_text("Score 0.6: a row that is positive")
    what_if.get_by_role("button", name="Next").click()
    expect(what_if).to_contain_text("Score 0.55: ")
    page.goto(file("costs"))
    expect(page.get_by_role("heading")).to_have_text("A miss, or a false alarm")
    page.goto(f"{file('costs')}#6")
    page.get_by_role("spinbutton", name="Cost of a miss").focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    cost = page.get_by_role("spinbutton", name="Cost of a miss")
    expect(cost).to_have_attribute("aria-valuetext", re.compile(r"^10; 0\.3 costs least: 450 per"))
    page.locator(".live-view .grip").focus()
    page.keyboard.press("End")
    expect(page.locator(".live-view .count.on-tp")).to_have_text("0")
    page.goto(f"{file('micro-macro')}#6")
    page.get_by_label("actual Fish, called Cat").fill("0")
    expect(what_if.locator("tr", has_text="Fish").last).to_contain_text("50.0\u202f%")
    page.goto(f"{file('ndcg')}#6")
    page.get_by_label("Discount of rank i").select_option("none")
    expect(what_if).to_contain_text("nDCG@10 is 0.600")
    page.goto(file("playground"))
    page.get_by_role("button", name="Well apart").click()
    expect(page.locator(".playground .numbers")).to_contain_text("1.000")


def test_a_lecturer_presents_a_file_with_the_keys_of_a_clicker(
    visitor: Callable[..., Page], file: Callable[[str], str]
) -> None:
    page = visitor(viewport={"width": 1280, "height": 860}, offline=True, color_scheme="dark")
    page.goto(file("cancer-test"))
    page.get_by_role("button", name="Present").click()
    article = page.locator("article")
    assert article.locator("h1").evaluate("node => parseFloat(getComputedStyle(node).fontSize)") > 30
    page.keyboard.press("PageDown")
    expect(article).to_contain_text("10.0\u202f%. Of 200 alarms")
    page.keyboard.press("PageDown")
    expect(article).to_contain_text("Step 2 of 4")
    page.keyboard.press("PageUp")
    expect(article).to_contain_text("Step 1 of 4")
    share, told = page.get_by_role("slider"), page.locator("article [role=status]").first
    page.set_viewport_size({"width": 700, "height": 420})
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    expect(told).to_be_in_viewport(ratio=1)
    page.goto(page.url.partition("#")[0] + "#1")
    start = share.input_value()
    share.press("ArrowRight")
    assert share.input_value() > start
    moved = share.input_value()
    share.press("PageDown")
    expect(article).to_contain_text("Step 2 of 4")
    page.keyboard.press("PageUp")
    assert share.input_value() == moved
    page.keyboard.press("Escape")
    expect(article).to_contain_text("Step 1 of 4")
    assert page.get_by_role("button", name="Present").get_attribute("aria-pressed") == "false"


def test_everybody_at_a_computer_finds_their_own_answers(
    visitor: Callable[..., Page], file: Callable[[str], str]
) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, offline=True)
    page.goto(file("prevalence"))
    start, nav = page.get_by_role("button", name="Start with my own numbers"), page.locator("nav")
    start.click()
    expect(page.get_by_text("Type your name.", exact=True)).to_be_visible()

    def answer(name: str, *options: str) -> None:
        page.get_by_label("Your name").fill(name)
        start.click()
        expect(page.locator("article")).to_contain_text("Step 1 of 7")
        for option in options:
            page.get_by_label(option).check()
            page.get_by_role("button", name="Check").click()

    def finish() -> str:
        nav.get_by_role("link", name="End").click()
        marks = nav.inner_text().count("✓")
        said = page.get_by_text("right at the first answer.").first.inner_text()
        page.get_by_text("Start again under another name").click()
        return f"{said} {marks}"

    answer("Mia", "About 2 %", "About 95 %")
    assert finish() == "1 of 7 right at the first answer. 1"  # a later wrong try takes nothing away
    answer("Tom", "About 95 %", "About 2 %")
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Show the solution").click()
    assert finish() == "0 of 7 right at the first answer. 0"
    for name in ("mia", "Mia"):
        answer(name)
        assert finish() == "1 of 7 right at the first answer. 1"
    page.reload()
    assert finish() == "1 of 7 right at the first answer. 1"


def test_a_what_if_keeps_the_answer_of_its_question_and_a_near_answer_is_told_the_exact_one(
    visitor: Callable[..., Page], file: Callable[[str], str]
) -> None:
    page = visitor(viewport={"width": 390, "height": 844}, offline=True)
    page.goto(f"{file('prevalence')}#6")
    expect(page.locator(".question")).to_contain_text("Which two numbers stay as they are?")
    expect(page.locator(".what-if")).to_contain_text("or move the prevalence.")
    page.goto(f"{file('prevalence')}#2")
    told = page.locator("article [role=status]").first
    for typed, words in (
        ("", "Type a number."),
        ("10.4 %", "Near enough: the answer is 10.0\u202f%. You answered 10.4\u202f%."),
    ):
        page.get_by_label("Your answer").fill(typed)
        page.keyboard.press("Enter")
        expect(told).to_contain_text(words)
    expect(page.locator(".what-if")).to_contain_text("or move the prevalence: recall and specificity stay.")
