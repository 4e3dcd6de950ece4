"""The threshold view in a browser: dragged, stepped, typed into, touched, saved, and sent as a link."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from evalcore import METRICS
from evalcore.analyses import best_threshold
from evalcore.classification import ScoredLabels, youden_goal
from evalcore.figures.threshold_view import Drawing, make_threshold_view, view_alone
from evalcore.inference import IntervalChoice
from evalcore.readers import read_sample
from evalcore.wording.numbers import count_text, share_text, threshold_text
from tests.analyses.small_scores import small_scores
from tests.browser.conftest import PHONE, WIDE, Rooms
from tests.browser.screen import TWO_FRAMES, act, arrive, choose, follow, main, reload, saved_picture, upload, visit
from tests.browser.threshold_view import drag, handle, press_at_once, said, stand, typed

OVERFLOW = """() => {
  const boxes = [document.scrollingElement, document.querySelector("[data-testid=stMain]")];
  return boxes.map(box => box.scrollWidth - box.clientWidth);
}"""

# Which words of a picture of SVG lie over others; a few pixels of their boxes are air.
OVERLAPS = """text => {
  const frame = document.body.appendChild(document.createElement("iframe"));
  const page = frame.contentDocument;
  page.body.append(page.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true));
  const shown = [...page.querySelectorAll("text:not([visibility=hidden])")].filter(one => one.textContent);
  const boxes = shown.map(one => [one.textContent, one.getBoundingClientRect()]);
  const isOver = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.x, b.x) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.y, b.y) > 5;
  const over = boxes.flatMap(([one, a], at) =>
    boxes.slice(at + 1).filter(([, b]) => isOver(a, b)).map(([other]) => `${one} | ${other}`));
  frame.remove();
  return over;
}"""


@pytest.fixture(scope="module")
def view(rooms: Rooms, server: str) -> Iterator[Page]:
    """One visit that the tests of the wide screen share; `sent` collects what goes to the server."""
    with rooms.room() as context:
        page = context.new_page()
        page.set_viewport_size(WIDE)
        page.sent, errors = [], []
        page.on("websocket", lambda socket: socket.on("framesent", lambda frame: page.sent.append(frame)))
        page.on("pageerror", lambda error: errors.append(str(error)))
        visit(page, f"{server}/threshold?data=roc_20&t=0.5")
        yield page
    assert errors == []


def words_at(scored: ScoredLabels, threshold: float) -> str:
    counts = scored.counts_at(threshold)
    cells = {cell: count_text(float(getattr(counts, cell))) for cell in ("tp", "fn", "fp", "tn")}
    alarms = "false alarm" if cells["fp"] == "1" else "false alarms"
    return (
        f"{threshold_text(threshold)}: {cells['tp']} found, {cells['fn']} missed, {cells['fp']} {alarms}, "
        f"{cells['tn']} dismissed"
    )


def roc_20() -> ScoredLabels:
    rows = read_sample("roc_20").scored_arrays(None)
    return ScoredLabels.from_arrays(rows.labels, rows.scores)


def test_the_line_is_dragged_in_the_browser_and_the_server_hears_of_it_once(view: Page) -> None:
    typed(view, "0.54")
    before = len(view.sent)
    heard = drag(view, view.locator(".threshold-view .knob"), 150)
    assert len(set(heard)) == 3
    assert len(view.sent) == before
    expect(view).to_have_url(re.compile(r"[?&]t=0\.54(&|$)"))
    act(view, view.mouse.up)
    assert len(view.sent) == before + 1
    threshold = re.match(r"[\d.]+", heard[-1])[0]
    expect(view).to_have_url(re.compile(rf"[?&]t={re.escape(threshold)}(&|$)"))
    assert said(view) == heard[-1] == words_at(roc_20(), float(threshold))
    # The finding follows, though it stands outside of what is drawn again.
    counts = roc_20().counts_at(float(threshold))
    expect(view.locator(".st-key-finding")).to_contain_text(share_text(float(METRICS["recall"](counts))))
    assert view.locator(".threshold-view .hint").evaluate("node => getComputedStyle(node).visibility") == "hidden"


def test_the_rings_on_both_curves_and_the_lines_below_can_be_dragged(view: Page) -> None:
    for ring, right, down in ((0, 60, -40), (1, -60, 20)):
        heard = drag(view, view.locator(".threshold-view .handle").nth(ring), right, down)
        assert len(set(heard)) > 1
        act(view, view.mouse.up)
        assert said(view) == heard[-1]
    heard = drag(view, view.locator(".threshold-view rect.plot").nth(1), 120)
    assert len(set(heard)) > 2
    act(view, view.mouse.up)
    expect(view).to_have_url(re.compile(rf"[?&]t={re.escape(heard[-1].split(':')[0])}(&|$)"))


def test_every_step_says_what_the_server_counts(view: Page) -> None:
    scored = roc_20()
    distinct = sorted({*scored.positive_scores.tolist(), *scored.negative_scores.tolist()})
    handle(view).focus()
    view.keyboard.press("Home")
    for threshold in [*distinct, float("inf")]:
        view.evaluate(TWO_FRAMES)
        assert said(view) == words_at(scored, threshold)
        recall = share_text(float(METRICS["recall"](scored.counts_at(threshold))))
        assert view.locator(".threshold-view text.rate").all_text_contents().count(recall) >= 1
        view.keyboard.press("ArrowRight")


def test_keys_send_one_message_when_they_rest(view: Page) -> None:
    handle(view).focus()
    act(view, lambda: view.keyboard.press("Home"))
    before = len(view.sent)
    act(view, lambda: press_at_once(view, ["ArrowRight", "ArrowRight", "PageUp", "ArrowLeft"]))
    assert len(view.sent) == before + 1
    scores = roc_20()
    distinct = sorted({*scores.positive_scores.tolist(), *scores.negative_scores.tolist()})
    expect(view).to_have_url(re.compile(rf"[?&]t={re.escape(threshold_text(distinct[2]))}(&|$)"))


def test_enter_opens_a_field_for_a_threshold_or_a_target(view: Page) -> None:
    typed(view, "0.535")
    expect(view).to_have_url(re.compile(r"[?&]t=0\.535(&|$)"))
    expect(view.locator(".threshold-view .field")).to_be_hidden()
    assert said(view).startswith("0.535: 5 found")
    expect(handle(view)).to_be_focused()
    view.keyboard.press("ArrowRight")
    expect(handle(view)).to_have_attribute("aria-valuetext", re.compile(r"^0\.54:"))
    typed(view, "recall = 0.9")
    expect(handle(view)).to_have_attribute("aria-valuetext", words_at(roc_20(), 0.34))
    typed(view, "beauty = 3")
    expect(view.locator(".threshold-view .field p")).to_contain_text("No measure is called “beauty”")
    view.keyboard.press("Escape")
    expect(view.locator(".threshold-view .field")).to_be_hidden()
    expect(handle(view)).to_be_focused()


def test_a_cell_is_dragged_or_stepped_and_the_line_follows_to_the_threshold_that_has_it(view: Page) -> None:
    typed(view, "0.54")
    cells = view.locator(".threshold-view .cell")
    expect(cells.and_(view.locator(".tp"))).to_have_attribute("aria-label", "TP 5")
    drag(view, cells.and_(view.locator(".tp")), 0, -32)  # a fifth of the way over the ten positives
    act(view, view.mouse.up)
    expect(handle(view)).to_have_attribute("aria-valuetext", words_at(roc_20(), 0.4))
    false_alarms = cells.and_(view.locator(".fp"))
    expect(false_alarms).to_have_attribute("aria-label", "FP 4")
    false_alarms.press("ArrowUp")
    expect(view).to_have_url(re.compile(r"[?&]t=0\.39(&|$)"))
    expect(false_alarms).to_have_attribute("aria-label", "FP 5")
    expect(false_alarms).to_be_focused()


def test_names_of_classes_make_no_link(page: Page, server: str) -> None:
    arrive(page, f"{server}/data")
    rows = "truth,score\n" + "".join(f"<a href='http://e.com'>x</a>,0.{k}\n<b>y</b>,0.{k + 3}\n" for k in range(1, 6))
    upload(page, {"name": "names.csv", "mimeType": "text/csv", "buffer": rows.encode()})
    follow(page, "Threshold")
    expect(page.locator(".threshold-view")).to_contain_text("<b>y</b>")
    expect(page.locator(".threshold-view a:not(.entry)")).to_have_count(0)
    expect(main(page).locator("a[href*='e.com']")).to_have_count(0)


def test_a_field_left_as_it_is_keeps_the_exact_threshold(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.123456789")
    handle(page).focus()
    page.keyboard.press("Enter")
    field = page.locator(".threshold-view .field input")
    expect(field).to_have_value("0.123457")
    field.press("Enter")
    expect(page.locator(".threshold-view .field")).to_be_hidden()
    expect(handle(page)).to_be_focused()
    act(page, lambda: page.get_by_role("button", name="+ limit").click())
    expect(page).to_have_url(re.compile(r"[?&]t=0\.123456789(&|$)"))


def test_escape_calls_a_drag_back(view: Page) -> None:
    before, sent = said(view), len(view.sent)
    # The page is shared: the line may stand at the end where nothing is positive.
    away = -90 if before.startswith("∞") else 90
    finding = view.locator(".st-key-finding h2")
    expect(finding).to_have_css("opacity", "1")
    assert drag(view, view.locator(".threshold-view .knob"), away)[-1] != before
    expect(finding).to_have_css("opacity", "0.3")  # it is of the threshold before
    view.keyboard.press("Escape")
    expect(finding).to_have_css("opacity", "1")
    expect(handle(view)).to_have_attribute("aria-valuetext", before)
    view.mouse.up()
    expect(view.locator(".threshold-view.dragging")).to_have_count(0)
    assert said(view) == before
    # What Streamlit itself may say meanwhile is no threshold.
    assert [frame for frame in view.sent[sent:] if b'"stop"' in frame] == []


def test_the_picture_is_saved_as_one_file(view: Page) -> None:
    name, content = saved_picture(view, view.get_by_role("button", name="Save this picture"))
    text = content.decode()
    assert name.endswith(" threshold.svg")
    assert text.startswith("<svg")
    assert "var(--" not in text
    assert text.count("textLength=") > 20  # words keep their width where another font is wider
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "actual positive" in text
    # Elsewhere another font may be wider: even then no word covers another one.
    wider = text.replace("font-family:", "font-family: DejaVu Sans Mono, monospace; --unused:")
    assert view.evaluate(OVERLAPS, wider) == []
    assert view.evaluate(OVERLAPS, wider.replace("textLength", "data-length")) != []


def test_a_goal_is_gone_to_and_its_link_shows_a_stranger_the_same(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    visit(page, f"{server}/threshold?data=roc_20")
    choose(page, "Goal", "Closest to the perfect corner of the ROC curve")
    expect(main(page)).to_contain_text("Best: 0.51")
    act(page, page.get_by_role("button", name="Go to 0.51").click)
    expect(page.get_by_role("button", name="Go to 0.51")).to_be_focused()
    expect(page).to_have_url(re.compile(r"[?&]t=0\.51(&|$)"))
    assert said(page).startswith("0.51: 6 found")
    reload(page)
    assert said(page).startswith("0.51: 6 found")
    stranger = visitor()
    visit(stranger, page.url)
    assert said(stranger).startswith("0.51: 6 found")
    expect(main(stranger)).to_contain_text("Best: 0.51 (4 missed, 3 false alarms).")


def test_on_a_phone_a_finger_drags_and_nothing_sticks_out(visitor: Callable[..., Page], server: str) -> None:
    page = visitor(viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True)
    visit(page, f"{server}/threshold?data=breast_cancer")
    assert page.evaluate(OVERFLOW) == [0, 0]
    surface = page.locator(".threshold-view svg.surface:not(.under)").bounding_box()
    assert surface["x"] >= 0
    assert surface["x"] + surface["width"] <= PHONE["width"]
    assert (
        page.locator(".threshold-view").evaluate("node => getComputedStyle(node).getPropertyValue('--paper')")
        == "#0F1318"
    )
    before = said(page)
    knob = page.locator(".threshold-view .knob").bounding_box()
    touch = page.context.new_cdp_session(page)
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 6):
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 12 * part, "y": y}]})
    act(page, lambda: touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}))
    assert said(page) != before
    threshold = said(page).split(":")[0]
    assert abs(float(re.search(r"[?&]t=([\d.]+)", page.url)[1]) - float(threshold)) < 1e-5


def test_the_lines_of_the_measures_are_told_apart_without_colour(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=breast_cancer&actual=rows")
    drawn = page.locator(".threshold-view .under path.measure")
    expect(drawn).to_have_count(4)
    assert len({drawn.nth(index).evaluate("line => line.style.strokeDasharray") for index in range(4)}) == 4
    named = page.locator(".threshold-view .under text.halo").all_text_contents()
    assert {"recall", "F1"} <= set(named)
    # The matrix beside them lies as chosen.
    expect(page.locator(".threshold-view text", has_text="says malignant")).to_have_count(1)


# Words that the line, the handle or other words strike, or that stand on the wrong side, while the line is dragged from
# end to end in the browser alone; a few pixels of the boxes of words are air.
STRUCK = """async root => {
  const area = root.querySelector("rect.plot");
  area.setPointerCapture = () => {};
  const plot = area.getBoundingClientRect();
  const fire = (type, share) => area.dispatchEvent(new PointerEvent(type, {
    clientX: plot.x + plot.width * share, clientY: plot.y + plot.height / 2, button: 0, pointerId: 7, bubbles: true,
  }));
  const lies = (a, b, across, down) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > across &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > down;
  const [moving, cut] = [".moving", ".cut"].map(part => root.querySelector(part));
  const top = root.querySelector("svg.surface:not(.under)").getBoundingClientRect().y;
  const places = new Set(), struck = new Set();
  fire("pointerdown", 0);
  for (let step = 0; step < 200; step++) {
    fire("pointermove", step / 199);
    await new Promise(requestAnimationFrame);
    places.add(root.dataset.threshold);
    const knob = root.querySelector(".knob").getBoundingClientRect();
    const x = (knob.left + knob.right) / 2;
    const line = [...cut.getAttribute("d").matchAll(/M0 ([\\d.]+)V([\\d.]+)/g)].map(([, from, to]) =>
      ({ left: x - 1, right: x + 1, top: top + Number(from), bottom: top + Number(to) }));
    const handle = [knob, root.querySelector(".plate").getBoundingClientRect()];
    const words = [...root.querySelectorAll("svg.surface text")].filter(text =>
      text.textContent && getComputedStyle(text).visibility === "visible" && !text.matches(".value"));
    const boxes = words.map(text => [text.textContent, text.getBoundingClientRect(), text.classList]);
    for (const [at, [text, box, looks]] of boxes.entries()) {
      const isLeft = looks.contains("fn-word") || looks.contains("tn-word");
      const say = what => struck.add(`${what}: ${text} at ${root.dataset.threshold}`);
      if (line.some(part => lies(box, part, 0, 4))) say("line");
      if (handle.some(part => lies(box, part, 1, 3))) say("handle");
      if (looks.contains("outcome") && (isLeft ? box.right > x : box.left < x)) say("wrong side");
      for (const [other, beside] of boxes.slice(at + 1)) if (lies(box, beside, 2, 5)) say(`over ${other}`);
    }
  }
  fire("pointercancel", 1);
  return [places.size, [...struck]];
}"""


DRAWN = "roc_20", "breast_cancer", "rare_digit", "digits_probabilities", "glucose_10"


@pytest.mark.parametrize("sample", [*DRAWN, "payments&goal=Lowest+cost&miss_cost=5"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_word_is_struck_wherever_the_line_stands(page: Page, server: str, sample: str, size: dict) -> None:
    page.set_viewport_size(size)
    visit(page, f"{server}/threshold?data={sample}")
    places, struck = page.locator(".threshold-view").evaluate(STRUCK)
    assert places > 10
    assert struck == []


_PAINTED = """() => {
  const root = document.querySelector(".threshold-view") ?? [...document.querySelectorAll("*")]
    .map(node => node.shadowRoot?.querySelector(".threshold-view")).find(Boolean)
  return ["tp", "fp", "fn", "tn"].filter(cell => {
    const clip = root.querySelector(`#threshold-view-cut-${cell} rect`)
    const [from, wide] = ["x", "width"].map(name => Number(clip.getAttribute(name)))
    const path = root.querySelector(`.area.${cell}[clip-path]`).getAttribute("d") ?? ""
    const bars = path.matchAll(/M([\\d.]+) [\\d.]+V[\\d.]+H([\\d.]+)/g)
    return [...bars].some(([, left, right]) => Math.min(right, from + wide) - Math.max(left, from) > 0.3)
  })
}"""
"""Outcomes of which a piece of a bar is to be seen."""


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("threshold", [0.3, 0.41, 0.45, 0.5])
def test_no_bar_has_the_colour_of_an_outcome_that_no_row_has(page: Page, higher: bool, threshold: float) -> None:
    few = [0.1, 0.3, 0.4, 0.4876] if higher else [0.42, 0.46, 0.6, 0.9]
    scores = small_scores([1, 1, 0, 1], few, higher_is_positive=higher)
    view = make_threshold_view(scores, Drawing(density="histogram"), IntervalChoice())
    stand(page, view_alone(scores, threshold, view, best_threshold(scores, youden_goal())))
    counts = scores.counts_at(threshold)
    assert page.evaluate(_PAINTED) == [cell for cell in ("tp", "fp", "fn", "tn") if getattr(counts, cell)]
