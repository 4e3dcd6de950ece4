"""Views of notebooks in a browser that reaches nothing: opened from disk, and with the widget beside them."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pytest
from playwright.sync_api import Browser, Frame, FrameLocator, Locator, Page, expect

from evalcore import METRICS, notebook
from evalcore.analyses import Scores, Source
from evalcore.notebook import show
from evalcore.readers import DataSet, read_sample
from evalcore.wording import count_text, value_text
from tests.browser.conftest import WIDE
from tests.browser.screen import TWO_FRAMES
from tests.browser.start.test_report import SHOWN, WALK

KINDS = ("breast_cancer", "digits", "digits_label_sets", "cancer_test", "image_retrieval", "diabetes", "60 classes")
WIDGET = Path(notebook.__file__).with_name("widget.js")
# A model of a widget as a notebook gives it to both ends of a view, which tells what it has heard.
MODEL = """
const listeners = {}
window.model = {
  state: STATE, saved: [],
  get: name => model.state[name],
  set(name, value) { model.state[name] = value; (listeners[`change:${name}`] ?? []).forEach(hear => hear()) },
  save_changes: () => model.saved.push(model.state.stop),
  on: (name, hear) => (listeners[name] ??= []).push(hear),
  off: (name, hear) => { listeners[name] = listeners[name].filter(other => other !== hear) },
}
"""


def view_of(name: str, **settings: object) -> notebook.View:
    if name == "60 classes":
        actual = [f"class {row % 60}" for row in range(600)]
        predicted = [f"class {row * 7 % 60}" for row in range(600)]
        return show(Source.of(DataSet.of(pd.DataFrame({"actual": actual, "predicted": predicted}))))
    return show(Source.of(read_sample(name), sample=name), **settings)


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens pieces of HTML from disk, without a network; fails where something is blocked, asked for or in error."""
    context, problems = browser.new_context(viewport=WIDE, offline=True, color_scheme="no-preference"), []

    def open_html(*pieces: str) -> Page:
        file = tmp_path / "page.html"
        file.write_text(f"<!doctype html><meta charset=utf-8><body>{''.join(pieces)}", encoding="utf-8")
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("request", lambda asked: None if asked.url.startswith("file:") else problems.append(asked.url))
        page.goto(file.as_uri())
        return page

    yield open_html
    assert problems == []
    context.close()


def inside(page: Page, nth: int = 0) -> FrameLocator:
    return page.frame_locator("iframe").nth(nth)


def line(page: Page, nth: int = 0) -> Locator:
    """The view whose line stands at its threshold."""
    return inside(page, nth).locator(".threshold-view")


def frame_of(page: Page) -> Frame:
    expect(inside(page).locator("#view :is(svg, canvas)").first).to_be_visible()
    return page.frames[1]


def drag(page: Page, nth: int, right: float) -> None:
    box = inside(page, nth).locator(".knob").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for part in range(1, 5):
        page.mouse.move(x + right * part / 4, y)
        page.evaluate(TWO_FRAMES)
    page.mouse.up()


def test_every_stop_of_a_frame_shows_the_digits_of_python(opened: Callable[..., Page]) -> None:
    page = opened(view_of("breast_cancer")._repr_html_())
    expect(inside(page).locator(".grip")).to_be_visible()
    scores = Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression")
    by_text = {scores.text(t): t for t in scores.table.thresholds.tolist()}
    seen = frame_of(page).evaluate(WALK.replace('"live"', '"view"'), 60)
    assert len({shown[0] for shown in seen}) == 60
    for text, *shown in seen:
        counts = scores.counts_at(by_text[text])
        cells = [count_text(float(getattr(counts, cell))) for cell in ("tp", "fp", "fn", "tn")]
        rates = [value_text(METRICS[key], float(METRICS[key](counts))) for key in SHOWN]
        assert shown == [*cells, *(rate for rate in rates if rate != "undefined")]


def test_the_line_is_dragged_and_typed_on_the_ground_of_the_notebook(opened: Callable[..., Page]) -> None:
    page = opened(view_of("breast_cancer")._repr_html_())
    expect(line(page)).to_have_attribute("data-threshold", "0.5")
    expect(inside(page).locator(".still")).to_have_count(0)
    drag(page, 0, 60)
    dragged = line(page).get_attribute("data-threshold")
    assert float(dragged) > 0.52
    page.keyboard.press("Enter")
    field = inside(page).locator(".field input")
    field.fill("0.4")
    field.press("Enter")
    expect(line(page)).to_have_attribute("data-threshold", "0.3967")
    for light, ground in (("false", "rgb(15, 19, 24)"), ("true", "rgb(255, 255, 255)")):
        page.evaluate("light => { document.body.dataset.jpThemeLight = light }", light)
        expect(inside(page).locator("body")).to_have_css("background-color", ground)
    expect(line(page)).to_have_attribute("data-threshold", "0.3967")


def test_a_view_shakes_where_it_was_asked_to(opened: Callable[..., Page]) -> None:
    page = opened(*(view_of("roc_20", shake=shakes)._repr_html_() for shakes in (False, True)))
    still, shaking = (line(page, nth) for nth in (0, 1))
    expect(still.locator(".camera:visible")).to_have_count(1)
    shaking.locator(".shake").click()
    expect(shaking).to_contain_text(re.compile(r"Sample \d+ of 30|In 30 samples"))
    shaking.locator(".shake").click()
    expect(shaking).to_contain_text("At this threshold")


@pytest.mark.parametrize("name", KINDS)
def test_a_frame_is_as_high_as_its_view(opened: Callable[..., Page], name: str) -> None:
    page = opened(view_of(name)._repr_html_())
    frame = frame_of(page)
    for width in (1200, 850, 680, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(TWO_FRAMES)
        frame.evaluate(TWO_FRAMES)
        high, wide, room = frame.evaluate("""() => {
          const { scrollHeight, scrollWidth } = document.documentElement
          return [document.body.getBoundingClientRect().height, scrollWidth - innerWidth, innerHeight - scrollHeight]
        }""")
        assert wide == 0, width
        assert room == 0, f"it scrolls at {width}"
        assert frame.evaluate("innerHeight") - high < 110, width


def test_the_matrix_tells_of_a_cell_and_outlines_the_one_that_is_picked(opened: Callable[..., Page]) -> None:
    page = opened(view_of("digits")._repr_html_())
    scroller = inside(page).locator(".scroller")
    expect(scroller).to_have_attribute("data-size", "64")
    left, top, size = (float(scroller.get_attribute(f"data-{name}")) for name in ("left", "top", "size"))
    cell = {"x": left + 9.5 * size, "y": top + 5.5 * size}
    scroller.hover(position=cell)
    expect(inside(page).locator(".tip")).to_contain_text("actual 5")
    expect(inside(page).locator(".tip")).to_contain_text("5 images")
    scroller.click(position=cell)
    scroller.press("ArrowLeft")
    expect(inside(page).locator("#active-cell")).to_contain_text("predicted 8")


def test_queries_are_sorted_found_and_selected_beside_their_curves(opened: Callable[..., Page]) -> None:
    page = opened(view_of("image_retrieval")._repr_html_())
    rows = inside(page).locator(".room .row")
    expect(inside(page).locator(".room .row[aria-selected=true]")).to_contain_text("q003")
    inside(page).get_by_role("button", name="AP").click()
    expect(rows.first).not_to_contain_text("q003")
    rows.first.click()
    selected = rows.first.get_attribute("data-place")
    expect(inside(page).locator("path.selected")).to_have_attribute("data-place", selected)
    inside(page).get_by_label("Find a query").fill("q003")
    expect(rows).to_have_count(1)
    inside(page).get_by_role("button", name="Show the ranks of each query").click()
    expect(rows.locator("canvas")).to_have_count(1)
    rows.hover()
    expect(inside(page).locator("path.sawtooth")).to_have_count(1)


def test_a_point_tells_its_row(opened: Callable[..., Page]) -> None:
    page = opened(view_of("diabetes")._repr_html_())
    picture, tip = inside(page).locator(".cloud svg"), inside(page).locator(".cloud .tip")
    picture.focus()
    picture.press("End")
    truths = read_sample("diabetes").frame["truth"]
    estimates = read_sample("diabetes").frame["linear_regression"]
    last = int(estimates.argmax())
    expect(tip).to_contain_text(f"truth {truths[last]:.0f}")
    expect(tip).to_contain_text(f"estimate {estimates[last]:.0f}")


@pytest.fixture
def together(opened: Callable[..., Page]) -> Page:
    """Two frames of a view, with the end of it in the notebook between them."""
    shown = view_of("breast_cancer")
    frame = shown.document.frame("v1")
    state = {"view": "v1", "stop": -1, "now": shown._row, "frame": frame}
    program = WIDGET.read_text(encoding="utf-8").replace("export default", "const widget =")
    script = f"{MODEL.replace('STATE', json.dumps(state))}\n{program}\nwidget.initialize({{ model }})"
    place = "<div id=own></div>"
    script = f"{script}\nwidget.render({{ model, el: own }})".replace("</", "<\\/")
    page = opened(frame, place, f"<script>{script}</script>")
    expect(line(page, 1)).to_have_attribute("data-threshold", "0.5")
    return page


def test_both_frames_and_python_follow_the_hand(together: Page) -> None:
    drag(together, 0, 60)
    together.wait_for_function("model.saved.length > 0")
    moved = line(together).get_attribute("data-threshold")
    assert float(moved) > 0.52
    expect(line(together, 1)).to_have_attribute("data-threshold", moved)
    stop = together.evaluate("model.get('stop')")
    thresholds = sorted(read_sample("breast_cancer").scored("logistic_regression").thresholds())
    scores = Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression")
    assert scores.text(thresholds[stop]) == moved


def test_python_moves_the_line_also_of_a_frame_that_comes_later(together: Page) -> None:
    shown = view_of("breast_cancer", threshold=0.7)
    together.evaluate("now => { model.set('stop', -1); model.set('now', now) }", shown._row)
    for nth in (0, 1):
        expect(line(together, nth)).to_have_attribute("data-threshold", "0.7")
    assert together.evaluate("model.saved") == []
    # Back to where Python had put it, which its widget says by the stop alone.
    drag(together, 0, -60)
    together.wait_for_function("model.saved.length > 0")
    together.evaluate("model.set('stop', -1)")
    for nth in (0, 1):
        expect(line(together, nth)).to_have_attribute("data-threshold", "0.7")
    # A notebook takes frames out of sight away and sets them up again.
    together.evaluate("{ const frame = document.querySelector('iframe'); frame.replaceWith(frame.cloneNode()) }")
    expect(line(together)).to_have_attribute("data-threshold", "0.7")


def test_keys_reach_nothing_that_a_screen_reader_does_not(opened: Callable[..., Page]) -> None:
    page = opened(view_of("breast_cancer")._repr_html_())
    expect(line(page)).to_be_visible()
    assert line(page).locator("[tabindex='0']").count() > 4
    assert line(page).locator("[aria-hidden=true] [tabindex]").count() == 0
