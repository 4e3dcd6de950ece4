"""The drawer of rows: opened by a click, a brush, keys and a link; sorted, saved, made the filter; on a phone."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from evalcore.analyses import best_threshold
from evalcore.classification import youden_goal
from evalcore.figures.threshold_view import Drawing, make_threshold_view, view_alone
from evalcore.inference import IntervalChoice
from tests.analyses.small_scores import scores_of
from tests.browser.conftest import PHONE
from tests.browser.screen import FOCUSED, act, arrive, reload, resting_box, upload, visit
from tests.browser.threshold_view import handle, stand

BREAST = "/threshold?data=breast_cancer&t=0.3"
IS_FOCUSED = f"wanted => {FOCUSED}.getAttribute('aria-label') === wanted"


def drawer(page: Page) -> Locator:
    return page.locator(".st-key-drawer")


def head(page: Page) -> Locator:
    return page.locator(".st-key-drawer-head p").first


def cell(page: Page, name: str) -> Locator:
    return page.get_by_role("spinbutton", name=name)


def test_a_cell_opens_beside_the_picture_by_click_or_key_and_escape_gives_the_focus_back(
    page: Page, server: str
) -> None:
    visit(page, server + BREAST)
    act(page, cell(page, "FN").click)
    expect(head(page)).to_have_text("6 missed (FN)")
    assert "selected=cell~fn" in page.url
    view = page.locator(".threshold-view").bounding_box()
    assert view["x"] + view["width"] <= drawer(page).bounding_box()["x"]
    assert cell(page, "FN").bounding_box()["y"] < 400  # the picture is where it was
    page.wait_for_function(IS_FOCUSED, arg="Rows")
    page.keyboard.press("ArrowDown")
    expect(drawer(page).locator("#active")).to_contain_text("malignant")
    act(page, lambda: page.keyboard.press("Escape"))
    expect(drawer(page)).to_have_count(0)
    page.wait_for_function(IS_FOCUSED, arg="FN 6")
    act(page, lambda: page.keyboard.press("Enter"))
    expect(head(page)).to_have_text("6 missed (FN)")
    # The rows follow the threshold.
    act(page, lambda: handle(page).press("End"))
    expect(head(page)).to_have_text("212 missed (FN)")


def test_brushed_scores_are_a_link_and_a_filter_of_every_page(page: Page, server: str) -> None:
    visit(page, server + BREAST)

    def brush() -> None:
        plot = resting_box(page.locator(".threshold-view .plot").first)
        y = plot["y"] + 60
        page.mouse.move(plot["x"] + 0.35 * plot["width"], y)
        page.mouse.down()
        page.mouse.move(plot["x"] + 0.57 * plot["width"], y, steps=4)
        page.mouse.up()

    page.keyboard.down("Shift")
    act(page, brush)
    page.keyboard.up("Shift")
    expect(head(page)).to_contain_text("38 rows")
    assert "t=0.3" in page.url
    reload(page)
    expect(head(page)).to_contain_text("38 rows")
    expect(page.locator(".threshold-view .brushed").first).to_be_visible()
    expect(page.locator(".threshold-view .piece").first).to_have_attribute("d", re.compile("^M"))
    act(page, lambda: handle(page).press("Shift+ArrowRight"))
    expect(head(page)).to_contain_text("0.3")
    brush_tool = page.get_by_role("button", name="Select rows by score")
    brush_tool.press("Enter")
    expect(handle(page)).to_be_focused()
    brush_tool.press("Enter")
    brush_tool.click()
    act(page, brush)
    expect(head(page)).to_contain_text("rows")
    count = int(head(page).inner_text().split()[-2])
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert len(download.value.path().read_text("utf-8-sig").splitlines()) == 1 + count
    act(page, page.get_by_role("button", name="Use as filter").click)
    expect(page.locator(".st-key-read-as")).to_contain_text(re.compile(rf"\b{count} tumours,.* filtered from 569 rows"))
    expect(drawer(page)).to_have_count(0)
    act(page, page.locator(".st-key-read-as button").first.click)
    act(page, page.get_by_role("button", name="Back to all rows").click)
    assert "shape" not in page.url


def test_of_many_rows_the_server_sorts_all_and_texts_take_several_lines(
    visitor: Callable[..., Page], server: str
) -> None:
    page = visitor()
    text = "a text that is long enough to need more than one line of the drawer"
    lines = (f"{'yes' if i % 3 else 'no'},{i / 3000},{text} {i},=1+{i}" for i in range(3000))
    table = "\n".join(["label,score,note,sum", *lines])
    arrive(page, f"{server}/threshold")
    upload(page, {"name": "many.csv", "mimeType": "text/csv", "buffer": table.encode()})
    act(page, cell(page, "TP").click)
    expect(head(page)).to_have_text("1\u202f000 found (TP)")
    arrive(page, page.url.replace("cell~tp", "scores~0.1~0.9"))
    expect(drawer(page)).to_contain_text("The first 1\u202f000 rows; the file has all.")
    grid = drawer(page).get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "1001")
    act(page, grid.get_by_role("columnheader", name="score").get_by_role("button").click)
    act(page, grid.get_by_role("columnheader", name="score").get_by_role("button").click)
    expect(grid.get_by_role("row").nth(1)).to_contain_text("0.9")
    assert "down" in page.url
    assert grid.get_by_role("row").nth(1).bounding_box()["height"] > 60
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    saved = download.value.path().read_text("utf-8-sig").splitlines()
    assert len(saved) == 2402
    assert "'=1+2700" in saved[1]


def test_on_a_phone_a_resting_finger_brushes_and_the_sheet_is_pulled_down(
    visitor: Callable[..., Page], server: str
) -> None:
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    visit(page, server + BREAST)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, x: float = 0, y: float = 0) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    plot = resting_box(page.locator(".threshold-view .plot").first)
    x, y = plot["x"] + 200, plot["y"] + 80
    touch("touchStart", x, y)
    expect(page.locator(".threshold-view .brushed").first).to_be_visible()
    touch("touchMove", x + 30, y)
    touch("touchMove", x + 70, y)
    act(page, lambda: touch("touchEnd"))
    expect(head(page)).to_contain_text("48 rows")
    assert "t=0.3" in page.url
    sheet = resting_box(drawer(page))
    assert (sheet["x"], round(sheet["y"]), sheet["width"]) == (0, 422, 390)
    touch("touchStart", 100, sheet["y"] + 12)
    touch("touchMove", 100, sheet["y"] + 60)
    touch("touchMove", 100, sheet["y"] + 120)
    act(page, lambda: touch("touchEnd"))
    expect(drawer(page)).to_have_count(0)


def test_a_range_of_keys_outlives_an_earlier_answer_but_not_its_rows(page: Page) -> None:
    scores = scores_of("roc_20")
    view = make_threshold_view(scores, Drawing(), IntervalChoice())
    stand(page, view_alone(scores, 0.5, view, best_threshold(scores, youden_goal())))
    handle(page).press("ArrowRight")
    page.wait_for_function("messages.length === 1")
    handle(page).press("Shift+ArrowRight")
    page.evaluate("answer({ heard: 1 })")
    page.wait_for_function("messages.length === 2")
    opened = page.evaluate("messages[1].rows")
    assert len(opened) == 2
    # The same places are other scores in another table.
    handle(page).press("Shift+ArrowRight")
    page.evaluate("answer({ of: 'others', heard: 2 })")
    expect(page.locator(".threshold-view .brushed").first).to_be_hidden()
    handle(page).press("ArrowRight")
    page.wait_for_function("messages.length === 3")
    assert page.evaluate("'rows' in messages[2]") is False
