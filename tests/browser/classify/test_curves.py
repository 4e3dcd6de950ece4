"""The curves in a browser: a click cuts, everywhere; a zoom stays; the ring stands where the counts say."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE
from tests.browser.screen import (
    SCROLLED,
    TOUCH,
    TWO_FRAMES,
    act,
    arrive,
    follow,
    main,
    reload,
    resting_box,
    runs,
    settle,
    swipe,
    visit,
)

PAGE = "curves?data=breast_cancer"
_TO_PIXELS = """([key, x, y]) => {
  const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`)
  const { xaxis, yaxis } = plot._fullLayout
  const box = plot.getBoundingClientRect()
  return [box.x + xaxis._offset + xaxis.l2p(x), box.y + yaxis._offset + yaxis.l2p(y)]
}"""
_POINT = """([key, name, index]) => {
  const plot = document.querySelector(`.st-key-${key} .js-plotly-plot`)
  const curve = plot.calcdata.find((points) => points[0].trace.meta?.name === name)
  return [curve.at(index).x, curve.at(index).y]
}"""


def open_curves(page: Page, address: str, go: Callable[[Page, str], None] = visit) -> None:
    go(page, address)
    for key in ("roc", "pr"):
        expect(page.locator(f".st-key-{key} .operating-point")).to_be_attached()


def ring(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key} .operating-point circle")


def threshold(page: Page) -> float:
    return float(parse_qs(urlparse(page.url).query)["t"][0])


def click_at(page: Page, key: str, x: float, y: float) -> None:
    there = None
    while there != (here := page.evaluate(_TO_PIXELS, [key, x, y])):  # what still loads above it may move the picture
        there = here
        page.mouse.move(*here)
        expect(page.locator(f".st-key-{key} .hoverlayer .hovertext")).to_be_visible()
    act(page, lambda: page.mouse.click(*here))


def expect_ring_at(page: Page, key: str, x: float, y: float) -> None:
    page.wait_for_function(
        f"""([key, x, y]) => {{
          const [across, down] = ({_TO_PIXELS})([key, x, y])
          const box = document.querySelector(`.st-key-${{key}} .operating-point circle`).getBoundingClientRect()
          return Math.hypot(box.x + box.width / 2 - across, box.y + box.height / 2 - down) < 1
        }}""",
        arg=[key, x, y],
    )


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def test_a_click_on_a_curve_sets_the_threshold_everywhere(page: Page, server: str) -> None:
    open_curves(page, f"{server}/curves?data=roc_20", arrive)
    # Labels find room in the margins; where Plotly has to make it, everything is drawn twice.
    for key in ("roc", "pr"):
        sides = "({_size: made, margin: given}) => ['l', 'r', 't', 'b'].every(side => made[side] === given[side])"
        assert page.locator(f".st-key-{key} .js-plotly-plot").evaluate(f"plot => ({sides})(plot._fullLayout)")
    # Recall 0.5 is reached at 0.54, with one false alarm of ten: a corner of both curves.
    click_at(page, "roc", 0.1, 0.5)
    assert threshold(page) == 0.54
    expect(main(page)).to_contain_text("5 found, 5 missed, 9 dismissed")
    expect_ring_at(page, "roc", 0.1, 0.5)
    expect_ring_at(page, "pr", 0.5, 5 / 6)
    click_at(page, "roc", 0.5, 0.8)
    assert threshold(page) == 0.38
    # A second click on the same point counts too, on either curve.
    click_at(page, "pr", 0.5, 5 / 6)
    assert threshold(page) == 0.54
    follow(page, "Confusion matrix")
    assert threshold(page) == 0.54
    expect(main(page)).to_contain_text("score ≥ 0.54")


def test_a_finger_scrolls_over_a_curve_takes_its_ring_and_zooms_once_it_has_rested(
    visitor: Callable[..., Page], server: str
) -> None:
    page = visitor(**TOUCH)
    open_curves(page, f"{server}/{PAGE}&t=0.5")
    shown = "() => document.querySelector('.st-key-roc .js-plotly-plot')._fullLayout.xaxis.range"
    whole = page.evaluate(shown)
    plot = resting_box(page.locator(".st-key-roc .nsewdrag"))
    swipe(page, plot["x"] + 150, plot["y"] + 150, 0, -100)
    assert page.evaluate(SCROLLED) > 50
    assert (page.evaluate(shown), threshold(page)) == (whole, 0.5)
    box = resting_box(ring(page, "roc"))
    act(page, lambda: swipe(page, box["x"] + 8, box["y"] + 8, 30, -30))
    assert threshold(page) < 0.5
    assert page.evaluate(shown) == whole
    plot = resting_box(page.locator(".st-key-roc .nsewdrag"))
    swipe(page, plot["x"] + 80, plot["y"] + 80, 90, 90, held=600)
    page.wait_for_function(f"whole => String(({shown})()) !== String(whole)", arg=whole)


def test_ranges_are_dragged_along_the_axes_and_a_zoom_stays_when_the_threshold_moves(page: Page, server: str) -> None:
    open_curves(page, f"{server}/{PAGE}&whole=true")
    x, y = page.evaluate(_POINT, ["roc", "nearest_neighbours", 4])
    click_at(page, "roc", x, y)
    assert parse_qs(urlparse(page.url).query)["system"] == ["nearest_neighbours"]
    expect_ring_at(page, "roc", x, y)

    def at(across: float, up: float) -> tuple[float, float]:
        return tuple(page.evaluate(_TO_PIXELS, ["roc", across, up]))

    act(page, lambda: drag(page, at(0.1, 0), at(0.3, 0)))
    # The other end is dragged by its handle, and the first stays. Recall has its own axis, beside the picture.
    act(page, lambda: drag(page, at(0.3, 0), at(0.5, 0)))
    strip = resting_box(page.locator(".st-key-roc .y-range .strip"))
    beside = strip["x"] + strip["width"] / 2
    act(page, lambda: drag(page, (beside, at(0, 0.9)[1]), (beside, at(0, 0.6)[1])))
    chosen = {key: float(value[0]) for key, value in parse_qs(urlparse(page.url).query).items() if "pr_" in key}
    for key, wanted in {"fpr_from": 0.1, "fpr_to": 0.5, "tpr_from": 0.6, "tpr_to": 0.9}.items():
        assert abs(chosen[key] - wanted) < 0.01
    expect(main(page)).to_contain_text("pAUC: over false positive rates from 0.1")
    expect(main(page)).to_contain_text("pAUC(TPR): over recall from 0.")

    left, top = at(0, 1)
    drag(page, (left + 2, top), at(0.4, 0.6))
    range_of = "() => document.querySelector('.st-key-roc .js-plotly-plot')._fullLayout.xaxis.range[1]"
    page.wait_for_function(f"() => ({range_of})() < 0.5")
    zoomed = page.evaluate(range_of)
    field = page.get_by_label("Exactly")
    for typed, seen in (("0.3", True), ("1", False)):
        field.fill(typed)
        act(page, lambda: field.press("Enter"))
        expect(page.locator(".st-key-roc .operating-point text")).to_have_text(f"threshold {typed}")
        assert page.evaluate(range_of) == zoomed
        # Only where few are found does the ring lie outside of what is shown.
        expect(ring(page, "roc")).to_be_visible(visible=seen)


def test_a_tab_is_a_link_a_ticked_row_cuts_and_the_numbers_can_be_taken_away(page: Page, server: str) -> None:
    visit(page, f"{server}/curves?data=roc_20&curve=Gain")
    expect(page.locator(".st-key-gain .operating-point")).to_be_attached()
    expect(page.locator(".stPlotlyChart")).to_have_count(1)
    # Six rows hold five of the ten positives: the threshold 0.54.
    click_at(page, "gain", 6 / 20, 0.5)
    assert threshold(page) == 0.54
    expect_ring_at(page, "gain", 0.3, 0.5)
    act(page, page.get_by_text("The ROC table").click)
    act(page, page.locator(".st-key-steps").get_by_role("row", name="0.9 positive 1 0").click)
    assert threshold(page) == 0.9
    act(page, page.get_by_role("button", name="Share").click)
    with page.expect_download() as download:
        page.get_by_role("button", name="Numbers as CSV").click()
    assert download.value.suggested_filename.endswith(" curves.csv")
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("threshold,class,TP,FP,FN,TN,TPR,FPR,precision")
    assert lines[6].startswith("0.55,positive,4.0,1.0,6.0,9.0,0.4,0.1,0.8")
    act(page, page.get_by_text("Step by step: the ROC curve row by row").click)
    steps = page.locator(".st-key-step-by-step")
    for words in ("Score 0.8: a row that is positive, so the curve goes up", "Score 0.7: a row that is negative"):
        act(page, steps.get_by_role("button", name="Next").click)
        expect(steps).to_contain_text(words)
    assert "gone=3" in page.url
    # The link keeps the step while it is folded. From a projector, the keys of a clicker go on from there.
    act(page, page.get_by_text("Step by step: the ROC curve row by row").click)
    assert "gone=3" in page.url
    visit(page, f"{page.url}&present=1")
    for key, gone in (("PageDown", 4), ("ArrowRight", 5), ("ArrowLeft", 4)):
        act(page, lambda key=key: page.keyboard.press(key))
        assert f"gone={gone}" in page.url


def axis_end(page: Page, key: str) -> float:
    return page.evaluate(f"() => document.querySelector('.st-key-{key} .js-plotly-plot')._fullLayout.xaxis.range[1]")


def test_near_perfect_curves_open_at_their_corner_and_a_key_shows_the_whole_axes(page: Page, server: str) -> None:
    open_curves(page, f"{server}/{PAGE}")
    corner = page.locator(".st-key-roc .corner")
    expect(corner).to_have_accessible_name("Show the whole axes")
    assert axis_end(page, "roc") < 0.21
    box = corner.bounding_box()
    assert min(box["width"], box["height"]) >= 40
    # A range that is dragged out of what is shown goes on to the end of the whole axis.
    (left, bottom), (right, _) = (page.evaluate(_TO_PIXELS, ["roc", x, 0.8]) for x in (0.05, 0.2))
    act(page, lambda: drag(page, (left, bottom), (right + 30, bottom)))
    assert abs(float(parse_qs(urlparse(page.url).query)["fpr_from"][0]) - 0.05) < 0.002
    assert "fpr_to" not in page.url
    # Over its whole width a handle moves its own end, also where that lies outside of what is shown, and where both do.
    for ends, wanted in (("", {"fpr_to": 0.05}), ("&fpr_from=0.3&fpr_to=0.5", {"fpr_from": 0.05, "fpr_to": 0.5})):
        open_curves(page, f"{server}/{PAGE}{ends}")
        handle = resting_box(page.locator(".st-key-roc .x-range rect").last)
        for edge in (0.5, handle["width"] - 0.5):
            open_curves(page, f"{server}/{PAGE}{ends}")
            start = handle["x"] + edge, handle["y"] + handle["height"] / 2
            act(page, lambda start=start: drag(page, start, (left, start[1])))
            chosen = {key: float(value[0]) for key, value in parse_qs(urlparse(page.url).query).items() if "pr_" in key}
            assert {key: round(end, 2) for key, end in chosen.items()} == wanted
    open_curves(page, f"{server}/{PAGE}")
    corner.focus()
    act(page, lambda: page.keyboard.press("Escape"))
    assert "whole=true" in page.url
    expect(corner).to_have_accessible_name("Zoom to the corner")
    assert axis_end(page, "roc") > 1
    expect(corner).to_be_focused()
    act(page, lambda: page.keyboard.press("Enter"))
    assert "whole" not in page.url
    # The second double click, after one that takes back a zoom by hand; here there is none.
    act(page, lambda: page.locator(".st-key-pr .nsewdrag").dblclick())
    assert "whole=true" in page.url
    act(page, corner.click)
    # The threshold in use is always seen.
    field = page.get_by_label("Exactly")
    field.fill("1")
    act(page, lambda: field.press("Enter"))
    expect(ring(page, "roc")).to_be_visible()
    expect(corner).to_be_hidden()
    assert axis_end(page, "roc") > 1


_PASSES = """() => {
  window.passed = []
  const record = () => {
    const ring = document.querySelector(".flight > svg > circle")
    if (ring) window.passed.push([Number(ring.getAttribute("cx")), Number(ring.getAttribute("cy"))])
    if (ring) window.old = document.querySelectorAll(".flight .main-svg").length
    requestAnimationFrame(record)
  }
  record()
}"""


def test_the_points_of_a_curve_fly_to_the_picture_of_the_next_tab(page: Page, server: str) -> None:
    page.emulate_media(reduced_motion="no-preference")
    open_curves(page, f"{server}/curves?data=roc_20&t=0.54", arrive)
    page.evaluate(_PASSES)
    tabs = page.get_by_role("tablist")
    act(page, tabs.get_by_role("tab", name="Gain", exact=True).click)
    expect(page.locator(".flight")).to_have_count(0)
    expect_ring_at(page, "gain", 0.3, 0.5)
    passed = page.evaluate("() => window.passed")
    assert len({tuple(place) for place in passed}) > 5
    assert page.evaluate("() => window.old") == 0  # no axes lie under the new ones
    # By keys too, and with less motion nothing flies.
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("() => { window.passed = [] }")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-key-lift .operating-point")).to_be_attached()
    assert page.evaluate("() => window.passed") == []


def test_the_points_go_by_hand_from_one_picture_to_the_other(page: Page, server: str) -> None:
    open_curves(page, f"{server}/curves?data=roc_20&t=0.54")
    way = page.get_by_role("slider", name="Move the points from ROC to precision–recall")
    way.focus()
    places = [box["x"] + box["width"] / 2 for box in (ring(page, key).bounding_box() for key in ("roc", "pr"))]
    for key, share in (("ArrowRight", 0.02), ("PageUp", 0.12)):
        page.keyboard.press(key)
        box = page.locator(".flight circle").bounding_box()
        assert abs(box["x"] + box["width"] / 2 - places[0] - share * (places[1] - places[0])) < 2
    # A link shows the same part of the way; one of its ends is none.
    page.wait_for_url("**roc_to_pr=12*")
    settle(page)
    reload(page)
    box = page.locator(".flight circle").bounding_box()
    assert abs(box["x"] + box["width"] / 2 - places[0] - 0.12 * (places[1] - places[0])) < 2
    way.focus()
    page.keyboard.press("Home")
    expect(page.locator(".flight")).to_have_count(0)
    page.wait_for_url(lambda url: "roc_to_pr" not in url)
    # Where the pointer is in one picture, a mark is at the same threshold in the other.
    x, y = page.evaluate(_TO_PIXELS, ["roc", 0.1, 0.5])
    page.mouse.move(x, y)
    mark = page.locator(".st-key-pr .elsewhere")
    expect(mark).to_be_visible()
    x, y = page.evaluate(_TO_PIXELS, ["pr", 0.5, 5 / 6])
    box = mark.bounding_box()
    assert abs(box["x"] + box["width"] / 2 - x) + abs(box["y"] + box["height"] / 2 - y) < 2
    # A hand that rests on it asks for nothing before it lets go, here without the pause for many keys. Both its ends
    # stay as they are left, and so they do when another tab was open.
    act(page, lambda: way.fill("60"))
    box, before = resting_box(way), runs(page)
    page.evaluate("() => { window.timeout = setTimeout; window.setTimeout = call => timeout(call) }")
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in (0.3, 0.8, 1.1):
        page.mouse.move(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
        page.evaluate(TWO_FRAMES)
        settle(page)
    assert runs(page) == before
    act(page, page.mouse.up)
    page.evaluate("() => { window.setTimeout = window.timeout }")
    for place in ("100", "60"):
        expect(way).to_have_value(place)
        for tab in ("Gain", "ROC and precision–recall"):
            act(page, page.get_by_role("tab", name=tab, exact=True).click)
        expect(way).to_have_value(place)
        if place == "100":
            act(page, lambda: way.fill("60"))
    # On a phone too the slider names its ends and strikes no word of the title beside it.
    page.set_viewport_size(PHONE)
    page.wait_for_function("() => document.querySelector('.st-key-pr').getBoundingClientRect().left < 50")
    expect(page.get_by_text("PR", exact=True)).to_be_visible()
    for width in (PHONE["width"], 360, 700):
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        page.wait_for_function(
            """() => {
              const range = document.createRange()
              range.selectNodeContents(document.querySelector(".stElementContainer:has(+ * .st-key-roc) p"))
              const { left, right, top, bottom } = document.querySelector("div:has(> .way)").getBoundingClientRect()
              const picture = document.querySelector(".st-key-roc").getBoundingClientRect()
              const strikes = box => box.left < right && left < box.right && box.top < bottom && top < box.bottom
              return Math.abs(right - picture.right) < 2 && ![...range.getClientRects()].some(strikes)
            }"""
        )


def test_the_threshold_is_written_where_no_curve_runs(page: Page, server: str) -> None:
    struck = """key => {
      const words = document.querySelector(`.st-key-${key} .operating-point text`).getBoundingClientRect()
      const inside = ({ x, y }) => words.left < x && x < words.right && words.top < y && y < words.bottom
      const lines = [...document.querySelectorAll(`.st-key-${key} .scatterlayer .js-line`)]
      return lines.flatMap(line => Array.from({ length: 500 }, (_, i) =>
         line.getPointAtLength((line.getTotalLength() * i) / 499).matrixTransform(line.getScreenCTM())
      )).filter(inside).length
    }"""
    for at in ("0.5", "0.8"):
        open_curves(page, f"{server}/{PAGE}&t={at}", arrive)
        for key in ("roc", "pr"):
            words = page.locator(f".st-key-{key} .operating-point text")
            expect(words).to_have_text(f"threshold {at}")
            page.wait_for_function(f"key => ({struck})(key) === 0", arg=key)


@pytest.mark.parametrize(("curve", "count"), [("KS", 1), ("Cost", 3)])
def test_no_line_strikes_the_words_in_a_picture(page: Page, server: str, curve: str, count: int) -> None:
    visit(page, f"{server}/curves?data=breast_cancer&t=0.5&curve={curve}")
    lies_below = """line => [...line.closest(".js-plotly-plot").querySelectorAll(".annotation")].map(words =>
      Boolean(line.compareDocumentPosition(words) & Node.DOCUMENT_POSITION_FOLLOWING) &&
      getComputedStyle(words.querySelector("rect.bg")).fillOpacity === "1")"""
    assert page.locator(".operating-point > line").evaluate(lies_below) == [True] * count
