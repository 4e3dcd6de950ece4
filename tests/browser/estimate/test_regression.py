"""The page of regression in a browser: a click and a rectangle show rows, the link, a reload, and the way on."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.screen import SCROLLED, TOUCH, act, fold, main, reload, resting_box, swipe, visit


def test_points_and_rectangles_show_rows_and_a_decision_opens_the_threshold_view(page: Page, server: str) -> None:
    visit(page, f"{server}/regression?data=diabetes")
    expect(main(page)).to_contain_text("44.1 on average")
    act(page, page.get_by_role("radio", name="click a point").click)
    point = resting_box(page.locator(".st-key-cloud-truth .point").nth(7))
    act(page, lambda: page.mouse.click(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2))
    expect(page.locator(".st-key-drawer-head p").first).to_contain_text("of the sum of squared errors")
    assert "selected=brush" in page.url

    act(page, page.get_by_role("radio", name="drag a rectangle").click)
    plot = resting_box(page.locator(".st-key-cloud-error .nsewdrag"))

    def drag() -> None:
        page.mouse.move(plot["x"] + 0.3 * plot["width"], plot["y"] + 0.05 * plot["height"])
        page.mouse.down()
        page.mouse.move(plot["x"] + 0.9 * plot["width"], plot["y"] + 0.3 * plot["height"], steps=4)
        page.mouse.up()

    act(page, drag)
    page.wait_for_url("**~error**")
    brushed = page.locator(".st-key-drawer-head p").first.inner_text()
    assert "mean error +" in brushed
    reload(page)
    expect(page.locator(".st-key-drawer-head p").first).to_have_text(brushed.replace("\n", ""))

    act(page, fold(page, "Decision").click)
    expect(main(page)).to_contain_text("within ±40")
    act(page, page.get_by_role("link", name="Set a threshold for truth").click)
    expect(page.get_by_role("heading", name="Threshold", exact=True)).to_be_visible()
    expect(main(page)).to_contain_text("positive = ≥ 140.5")


def test_the_worst_rows_are_ringed_and_their_estimates_in_sight(page: Page, server: str) -> None:
    visit(page, f"{server}/regression?data=diabetes&selected=worst")
    for cloud in ("truth", "error"):
        expect(page.locator(f".st-key-cloud-{cloud} .trace").last.locator(".point")).to_have_count(20)
    estimate = page.locator(".st-key-drawer").get_by_role("columnheader", name="estimate", exact=True)
    expect(estimate).to_be_in_viewport(ratio=1)


def test_a_finger_scrolls_over_the_points_and_draws_a_rectangle_once_it_has_rested(
    visitor: Callable[..., Page], server: str
) -> None:
    page = visitor(**TOUCH)
    visit(page, f"{server}/regression?data=diabetes")
    plot = resting_box(page.locator(".st-key-cloud-truth .nsewdrag"))
    before = page.evaluate(SCROLLED)
    swipe(page, plot["x"] + 150, plot["y"] + 150, 0, -100)
    assert page.evaluate(SCROLLED) > before + 50
    assert "selected" not in page.url
    plot = resting_box(page.locator(".st-key-cloud-truth .nsewdrag"))
    act(page, lambda: swipe(page, plot["x"] + 100, plot["y"] + 100, 80, 80, held=600))
    assert "selected=brush" in page.url


def test_a_tap_picks_a_point_whatever_a_drag_does(visitor: Callable[..., Page], server: str) -> None:
    page = visitor(**TOUCH)
    visit(page, f"{server}/regression?data=diabetes")
    points = page.locator(".st-key-cloud-truth .point")
    point = resting_box(points.nth(7))
    act(page, lambda: page.touchscreen.tap(point["x"] + point["width"] / 2, point["y"] + point["height"] / 2))
    assert "selected=brush" in page.url
    assert resting_box(points.nth(7))["y"] < page.locator(".st-key-drawer").bounding_box()["y"], "under the sheet"


def test_a_phone_reads_every_part_without_scrolling_sideways(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    visit(page, f"{server}/regression?data=diabetes&row_order=file")
    for part in ("Distribution", "Bland–Altman", "Prediction intervals", "Decision", "Compare systems"):
        act(page, fold(page, part).click)
        assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0, part
    act(page, fold(page, "Formulas with these numbers").click)
    resting_box(main(page).locator(".katex").last)
    assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0, "a long formula"
