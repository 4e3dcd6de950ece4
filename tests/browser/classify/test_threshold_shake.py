"""Samples like the rows, one after the other on the threshold view: begun, held, stepped, ended, and what they say."""

import re
from collections.abc import Callable
from functools import cache

from playwright.sync_api import Locator, Page, expect

from evalcore import METRICS
from evalcore.analyses import ResamplingPlan, best_threshold
from evalcore.classification import youden_goal
from evalcore.figures.threshold_view import RATES, Drawing, make_threshold_view, shaking_of, view_alone
from evalcore.inference import IntervalChoice, wilson
from evalcore.wording import count_text, share_text, value_text
from tests.analyses.small_scores import scores_of
from tests.browser.conftest import PHONE
from tests.browser.screen import FRAMES, act, go, visit
from tests.browser.threshold_view import drag, said, stand
from tests.figures.view_payload import CELLS, sample_counts, strict_json

REST = "At this threshold"
DRAWN = """root => [root.querySelector(".under path.curve").getAttribute("d"),
  Array.from(root.querySelectorAll("text:is(.count, .rate, .undefined):not(:empty)"), one => one.textContent)]"""
# Twice as slow, so that the end is far away on a busy machine.
SLOW = "() => { const now = performance.now.bind(performance); performance.now = () => now() / 2 }"


def shake(page: Page) -> Locator:
    return page.locator(".threshold-view .shake")


def heading(page: Page) -> Locator:
    return page.locator(".threshold-view text").filter(has_text=re.compile(f"^(Sample|{REST})"))


@cache
def samples() -> tuple:
    scores = scores_of("roc_20")
    view = make_threshold_view(scores, Drawing(), IntervalChoice())
    shaking = shaking_of(view, best_threshold(scores, youden_goal()), ResamplingPlan())
    data = strict_json(shaking.text)
    return scores, sample_counts(data), data["best"]


def test_it_shakes_until_it_is_held_or_ended_and_then_all_is_as_before(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.5")
    page.evaluate(SLOW)
    root = page.locator(".threshold-view")
    before = root.evaluate(DRAWN)
    expect(heading(page)).to_have_text(REST)
    act(page, shake(page).click)
    expect(heading(page)).to_have_text(re.compile(r"Sample \d+ of 30"))
    expect(page).to_have_url(re.compile("[?&]shake=1(&|$)"))
    shake(page).hover()
    page.mouse.down()
    held = heading(page).text_content()
    expect(root).to_contain_text("intervals (Wilson)")  # the n of the rows do not stand beside a sample's rates
    page.evaluate(FRAMES, 60)
    assert heading(page).text_content() == held
    drawn = root.evaluate(DRAWN)
    assert drawn[0] != before[0]
    page.evaluate(FRAMES, 5)
    assert root.evaluate(DRAWN) == drawn
    page.mouse.up()
    expect(heading(page)).not_to_have_text(held)
    # The line is dragged while it shakes, and the keys of the line are its own.
    assert len(set(drag(page, root.locator(".knob"), -120))) > 1
    page.mouse.up()
    expect(heading(page)).to_have_text(re.compile("^Sample"))
    act(page, lambda: page.keyboard.press("Escape"))
    expect(heading(page)).to_have_text(REST)
    expect(root).to_contain_text("intervals (Wilson, n in grey)")
    expect(page).not_to_have_url(re.compile("shake"))
    expect(shake(page)).to_have_attribute("aria-pressed", "false")
    assert root.evaluate(DRAWN)[0] == before[0]
    counts = re.findall(r"\d+(?= (?:found|missed|false|dis))", said(page))
    assert sorted(root.evaluate(DRAWN)[1][:4]) == sorted(counts)


def test_without_motion_each_press_shows_the_numbers_of_the_next_sample(
    visitor: Callable[..., Page], server: str
) -> None:
    scores, counts, best = samples()
    stop = len(scores.table) - 1 - scores.table.index(0.54)
    page = visitor(reduced_motion="reduce")
    visit(page, f"{server}/threshold?data=roc_20&t=0.54&shake=1")
    # What holds of the rows alone is grey, or goes.
    ahead, sizes = (
        page.locator("html.threshold-ahead"),
        page.locator(".threshold-view text").filter(has_text=re.compile("^20$")),
    )
    expect(ahead).to_have_count(1)
    expect(sizes).to_have_count(0)
    for k, at in enumerate(counts[k, stop] for k in range(30)):
        expect(heading(page)).to_have_text(f"Sample {k + 1} of 30")
        written = [count_text(float(getattr(at, cell))) for cell in CELLS]
        rates = [value_text(METRICS[key], float(METRICS[key](at))) for key in RATES]
        shown = page.locator(".threshold-view").evaluate(DRAWN)[1]
        assert sorted(shown) == sorted([*written, *rates])
        shake(page).click()
    recalls = METRICS["recall"](counts)[:, stop]
    low, high = (share_text(float(end)).removesuffix("\u202f%") for end in (recalls.min(), recalls.max()))
    there = scores.counts_at(0.54)
    interval = wilson(there.tp, there.tp + there.fn)
    ends = [share_text(float(end)) for end in (interval.low, interval.high)]
    expect(page.locator(".threshold-view .samples")).to_have_text(
        f"In 30 samples recall was between {low} and {high}\u202f%; 95\u202f% interval "
        f"{ends[0].removesuffix(chr(0x202F) + '%')}–{ends[1]} (Wilson)."
    )
    expect(heading(page)).to_have_text(REST)
    expect(ahead).to_have_count(0)
    expect(sizes).to_have_count(1)
    ticks = page.locator(".threshold-view .trail").first.get_attribute("d")
    assert ticks.count("M") == sum(stop >= 0 for stop in best)
    act(page, shake(page).click)
    expect(page.locator(".threshold-view .trail")).to_have_count(0)


def test_keys_begin_step_and_end_it(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.5")
    page.evaluate(SLOW)
    page.locator(".threshold-view .grip").focus()
    act(page, lambda: page.keyboard.press("s"))
    expect(heading(page)).to_have_text(re.compile("^Sample"))
    page.keyboard.down(" ")
    held = heading(page).text_content()
    page.evaluate(FRAMES, 60)
    assert heading(page).text_content() == held
    expect(page.locator(".threshold-view .field")).to_be_hidden()
    page.keyboard.up(" ")
    expect(heading(page)).not_to_have_text(held)
    shake(page).focus()
    page.keyboard.press("ArrowLeft")
    stepped = int(re.search(r"\d+", heading(page).text_content())[0])
    page.keyboard.press("ArrowRight")
    expect(heading(page)).to_have_text(f"Sample {stepped + 1} of 30")
    expect(page.get_by_role("status").filter(has_text=f"Sample {stepped + 1} at 0.5: ")).to_contain_text("found")
    act(page, lambda: page.keyboard.press("s"))
    expect(heading(page)).to_have_text(REST)


def test_on_a_phone_a_finger_holds_it(visitor: Callable[..., Page], server: str) -> None:
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    visit(page, f"{server}/threshold?data=roc_20&t=0.5")
    page.evaluate(SLOW)
    box = shake(page).bounding_box()
    assert min(box["width"], box["height"]) >= 40
    act(page, shake(page).tap)
    expect(heading(page)).to_have_text(re.compile("^Sample"))
    box = shake(page).bounding_box()
    touch = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.evaluate(FRAMES, 5)
    held = heading(page).text_content()
    page.evaluate(FRAMES, 60)
    assert heading(page).text_content() == held
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(heading(page)).not_to_have_text(held)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]


def test_what_is_drawn_may_change_while_it_shakes(visitor: Callable[..., Page], server: str) -> None:
    page = visitor()
    address = f"{server}/threshold?data=roc_20&t=0.5&shake=1"
    visit(page, address)
    expect(heading(page)).to_have_text(re.compile("^Sample"))
    # These samples know nothing of the new measure, and those of the next table nothing of these rows.
    for changed in (f"{address}&lines=f_beta&lines=jaccard", f"{server}/threshold?data=breast_cancer&t=0.5&shake=1"):
        go(page, changed)
        expect(heading(page)).to_have_text(re.compile("^Sample"))
    act(page, lambda: page.locator(".threshold-view .grip").press("s"))
    expect(heading(page)).to_have_text(REST)


def test_a_view_that_is_gone_hears_of_no_samples(visitor: Callable[..., Page]) -> None:
    scores = scores_of("roc_20")
    view = make_threshold_view(scores, Drawing(), IntervalChoice())
    chosen = best_threshold(scores, youden_goal())
    page = visitor()
    stand(page, view_alone(scores, 0.5, view, chosen))
    shaking = shaking_of(view, chosen, ResamplingPlan())
    page.evaluate("name => { answer({ shake: { name } }); leave() }", shaking.name)
    page.evaluate(
        """([name, text]) => {
          window.evalcoreTexts.set(name, text)
          dispatchEvent(new Event("evalcore-threshold-view"))
        }""",
        [shaking.name, shaking.text],
    )
    page.evaluate(FRAMES, 60)
    assert heading(page).text_content() == REST
