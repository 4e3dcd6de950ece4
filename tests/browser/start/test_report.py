"""A report in a browser that reaches nothing: opened from disk, dragged, read without JavaScript, and printed."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from evalcore import METRICS, report
from evalcore.analyses import Scores, Source
from evalcore.readers import read_sample
from evalcore.reports import ReportSettings
from evalcore.wording import count_text, value_text
from tests.browser.conftest import WIDE
from tests.browser.screen import TWO_FRAMES, act, arrive, follow, visit
from tests.browser.threshold_view import drag, handle

# The line goes through stops by keys; what stands in the 2×2 and beside the rates is read at each.
WALK = """async stops => {
  const root = document.getElementById("live").shadowRoot
  const grip = root.querySelector(".grip")
  const press = key => grip.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
  const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
  const seen = []
  press("Home")
  for (let stop = 0; stop < stops; stop++) {
    await frame()
    const cells = ["tp", "fp", "fn", "tn"].map(cell => root.querySelector(`.count.on-${cell}`).textContent)
    seen.push([root.querySelector(".threshold-view").dataset.threshold, ...cells,
      ...[...root.querySelectorAll("text.rate")].map(one => one.textContent)])
    press("ArrowRight")
  }
  return seen
}"""
CUT = """[...document.querySelectorAll("main table, main figure, main p")]
  .filter(one => one.getBoundingClientRect().right > innerWidth + 1).map(one => one.innerText.slice(0, 80))"""
SMALLEST = """Math.min(...[...document.querySelectorAll("figure svg")].filter(one => one.checkVisibility())
  .map(one => one.getBoundingClientRect().width / one.viewBox.baseVal.width * 11))"""
PAGE = re.compile(rb"/Type\s*/Page\b")
SHOWN = ("precision", "negative_predictive_value", "recall", "specificity", "accuracy")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    settings = ReportSettings(threshold=0.4)
    return report(read_sample("breast_cancer"), tmp_path_factory.mktemp("report") / "report.html", settings=settings)


def pages(opened: Page) -> int:
    """How many pages of A4 are printed."""
    return len(PAGE.findall(opened.pdf(format="A4")))


@pytest.fixture(scope="module")
def opened(browser: Browser, file: Path) -> Iterator[Page]:
    context = browser.new_context(viewport=WIDE, offline=True)
    page, problems = context.new_page(), []
    page.on(
        "request",
        lambda request: None if request.url.startswith(("file:", "data:", "blob:")) else problems.append(request.url),
    )
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(file.as_uri())
    yield page
    assert problems == []
    context.close()


def test_every_stop_shows_the_digits_of_the_server(opened: Page) -> None:
    scores = Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression")
    expect(handle(opened)).to_be_visible()
    by_text = {scores.text(t): t for t in scores.table.thresholds.tolist()}
    seen = opened.evaluate(WALK, 200)
    assert len({line[0] for line in seen}) == 200
    for text, *shown in seen:
        counts = scores.counts_at(by_text[text])
        cells = [count_text(float(getattr(counts, cell))) for cell in ("tp", "fp", "fn", "tn")]
        rates = [value_text(METRICS[key], float(METRICS[key](counts))) for key in SHOWN]
        assert shown == [*cells, *(rate for rate in rates if rate != "undefined")]


def test_the_line_is_dragged_typed_and_printed_without_a_server(opened: Page) -> None:
    heard = drag(opened, handle(opened), 120)
    opened.mouse.up()
    assert len(set(heard)) > 4
    grip = handle(opened)
    grip.focus()
    opened.keyboard.press("Enter")
    field = opened.locator(".threshold-view .field input")
    field.fill("recall = 0.9")
    field.press("Enter")
    expect(opened.locator(".threshold-view .field p")).to_have_text("Only thresholds can be typed here: type a number.")
    field.fill("0,5")
    field.press("Enter")
    expect(opened.locator(".threshold-view")).to_have_attribute("data-threshold", "0.5005")
    # The dark ground changes the colours and leaves the line where it is.
    opened.emulate_media(color_scheme="dark")
    expect(opened.locator(".threshold-view")).to_have_css("color", "rgb(232, 237, 242)")
    expect(opened.locator(".threshold-view")).to_have_attribute("data-threshold", "0.5005")
    opened.emulate_media(color_scheme="light")
    assert pages(opened) <= 2
    # What is open is printed too, and the contents open what they lead to.
    opened.get_by_role("link", name="Curves").click()
    appendix = opened.locator(".appendix", has=opened.get_by_role("heading", name="Appendix: Curves"))
    expect(appendix).to_have_attribute("open", "")
    expect(appendix.locator("summary").first).to_be_in_viewport()
    assert 2 < (some := pages(opened)) < 10
    opened.get_by_label("Open all").check()
    expect(opened.locator(".appendix:not([open])")).to_have_count(0)
    assert pages(opened) > some
    # On the way the last step has taken the line back to where the report's numbers are.
    expect(opened.locator(".threshold-view")).to_have_attribute("data-threshold", "0.4")
    # On A4 nothing is cut at the side, and no letter of a picture is smaller than six points.
    opened.emulate_media(media="print")
    opened.set_viewport_size({"width": 688, "height": 1000})
    assert opened.evaluate(CUT) == []
    assert opened.evaluate(SMALLEST) * 0.75 >= 6
    for control in (".camera", ".hint"):
        expect(opened.locator(f".threshold-view {control}").first).to_have_css("display", "none")
    opened.emulate_media(media="screen")
    opened.set_viewport_size({"width": 390, "height": 844})
    # The threshold view is drawn anew in the frame after.
    opened.wait_for_function("document.scrollingElement.scrollWidth <= 390")


PASSED = """() => new Promise(done => {
  const view = document.getElementById("live").shadowRoot.querySelector(".threshold-view")
  const seen = new Set()
  const start = performance.now()
  const look = () => {
    seen.add(view.dataset.threshold)
    if (performance.now() - start < 900) requestAnimationFrame(look)
    else done([...seen])
  }
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "j" }))
  look()
})"""


@pytest.fixture
def steps(browser: Browser, file: Path) -> Iterator[Callable[..., Page]]:
    """Open the report at one of its steps."""
    contexts = []

    def arrive(step: str, **options: Any) -> Page:
        contexts.append(browser.new_context(**{"viewport": WIDE, "offline": True} | options))
        page = contexts[-1].new_page()
        page.goto(f"{file.as_uri()}#{step}")
        expect(page.locator(".step.here")).to_have_id(step)
        return page

    yield arrive
    for context in contexts:
        context.close()


def test_scrolling_through_the_steps_moves_the_view_beside_them(steps: Callable[..., Page]) -> None:
    page = steps("numbers")
    view, here = page.locator(".threshold-view"), page.locator(".step.here")
    expect(view).to_have_attribute("data-threshold", "0.4")
    # The line glides to the best threshold, which the next step is about.
    seen = page.evaluate(PASSED)
    assert (seen[0], seen[-1]) == ("0.4", "0.3648")
    assert len(seen) > 3
    expect(here).to_have_id("goal")
    expect(here).to_be_focused()
    # It stays there while resamples are laid over it.
    assert page.evaluate(PASSED) == ["0.3648"]
    expect(page).to_have_url(re.compile("#certain$"))
    expect(view).to_contain_text("Where the best threshold falls")
    expect(view).to_be_in_viewport(ratio=0.9)
    # What a hand has chosen stays until the next step.
    drag(page, page.locator(".threshold-view .knob"), 150)
    page.mouse.up()
    chosen = view.get_attribute("data-threshold")
    page.mouse.wheel(0, 20)
    page.evaluate(TWO_FRAMES)
    expect(here).to_have_id("certain")
    assert chosen == view.get_attribute("data-threshold") != "0.3648"
    page.keyboard.press("j")
    expect(here).to_have_id("costs")
    # The cheapest one at these costs is the same.
    expect(view).to_have_attribute("data-threshold", "0.3648")
    expect(view).to_contain_text("costs least")
    expect(view).not_to_contain_text("Where the best threshold falls")
    page.keyboard.press("k")
    expect(here).to_have_id("certain")
    assert page.evaluate("document.activeElement.id") == "certain"
    # On paper the numbers and the view are of one threshold.
    assert pages(page) <= 2
    expect(view).to_have_attribute("data-threshold", "0.4")


def test_keys_go_through_short_steps_one_by_one_and_on_to_the_appendices(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, offline=True)
    page.goto(report(read_sample("two_methods"), tmp_path / "report.html").as_uri())
    for key, focused in zip("jjjjkj", ("data", "numbers", "made", "", "made", ""), strict=True):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.id") == focused
        expect(page.locator(".step.here")).to_have_id(focused or "made")
    expect(page.locator(".appendix > summary").first).to_be_focused()
    page.close()


def test_the_line_jumps_where_motion_is_not_wanted(steps: Callable[..., Page]) -> None:
    assert set(steps("numbers", reduced_motion="reduce").evaluate(PASSED)) == {"0.4", "0.3648"}


@pytest.mark.parametrize("width", [390, 800])
def test_where_there_is_no_room_beside_them_the_distributions_stay_above_the_steps(
    steps: Callable[..., Page], width: int
) -> None:
    page = steps("certain", viewport={"width": width, "height": 844})
    expect(page.locator(".threshold-view")).to_have_attribute("data-threshold", "0.3648")
    top, heading = page.locator("#live").bounding_box(), page.locator("#certain h3").bounding_box()
    assert (top["y"], page.evaluate("document.scrollingElement.scrollWidth")) == (0, width)
    assert 300 < top["height"] <= heading["y"] < 500
    drag(page, page.locator(".threshold-view .knob"), 60)
    page.mouse.up()
    expect(page.locator(".threshold-view")).not_to_have_attribute("data-threshold", "0.3648")
    page.locator(".appendix").last.scroll_into_view_if_needed()
    expect(page.locator(".scene.above")).to_have_count(0)


def test_without_javascript_the_pictures_stand_at_the_threshold(browser: Browser, file: Path) -> None:
    context = browser.new_context(viewport=WIDE, java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.locator("#live")).to_be_hidden()
    static = page.locator(".static svg")
    expect(static).to_have_count(3)
    expect(static.first).to_be_visible()
    expect(static.first).to_contain_text("0.4")
    counts = Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression").counts_at(0.4)
    expect(page.locator(".static .frame td.tp b")).to_have_text(count_text(float(counts.tp)))
    context.close()


def test_going_back_does_not_stop_at_a_report_that_was_drawn_anew(visitor: Callable[..., Page], server: str) -> None:
    page = visitor()
    arrive(page, f"{server}/data?data=cancer_test")
    follow(page, "Report")
    act(page, page.locator(".st-key-included button").filter(has_text="Classes").click)
    expect(page).to_have_url(re.compile("included="))
    act(page, page.go_back)
    expect(page).not_to_have_url(re.compile("included="))


def test_the_page_shows_the_report_in_a_sandbox_and_saves_it(visitor: Callable[..., Page], server: str) -> None:
    page = visitor()
    visit(page, f"{server}/report?data=breast_cancer&t=0.4#groups")
    frame = page.locator("iframe[title=Report]")
    expect(frame).to_have_attribute("sandbox", "allow-scripts allow-downloads")
    report = frame.content_frame
    expect(report.locator(".step.here")).to_have_id("groups")
    expect(report.locator(".threshold-view")).to_have_attribute("data-threshold", "0.4")
    report.locator(".grip").press("ArrowRight")
    expect(report.locator(".threshold-view")).not_to_have_attribute("data-threshold", "0.4")
    report.get_by_role("link", name="Curves").click()
    expect(report.locator(".appendix[open]")).to_have_count(1)
    assert report.locator("body").evaluate("() => location.href") == "about:srcdoc"
    act(page, page.get_by_role("button", name="Curves").click)
    expect(report.get_by_role("link", name="Curves")).to_have_count(0)
    assert len(page.locator("[data-testid=stMain]").inner_text().split()) <= 60
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert text == frame.get_attribute("srcdoc")
