"""A story in a browser: a mark by pointer and keys, a hint for a known slip, the solution, the next step, a reload."""

import re

from playwright.sync_api import Page, expect

from tests.browser.screen import SCROLLED, act, main, reload, resting_box, visit

LEFT = f"() => {{ history.pushState({{}}, '', 'curves'); const at = {SCROLLED}; history.back(); return at }}"
"""How far down a page is that opens while the page before still stands."""


def test_a_story_goes_from_the_question_over_a_slip_to_the_solution(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/examples?story=four-methods-roc&step=1")
    ground = page.locator(".plane .area > rect")
    box = resting_box(ground)

    def click(x: float, y: float) -> None:
        page.mouse.click(box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"])

    act(page, lambda: click(0.95, 0.3))
    field = page.get_by_label("false positive rate", exact=True).last
    expect(field).to_have_value(re.compile(r"0\.9[456]"))
    check = page.get_by_role("button", name="Check")
    act(page, check.click)
    expect(main(page)).to_contain_text("You have swapped the axes")
    expect(main(page)).not_to_contain_text("What it teaches")
    box = resting_box(ground)
    act(page, lambda: click(0.3, 0.85))
    page.locator(".plane .area").focus()
    page.keyboard.press("Shift+ArrowUp")
    act(page, lambda: None)
    expect(page.get_by_label("true positive rate", exact=True).last).to_have_value(re.compile(r"0\.9[456]"))
    act(page, check.click)
    expect(main(page)).to_contain_text("Right: false positive rate")
    expect(main(page)).to_contain_text("What it teaches")
    expect(page.locator(".stPlotlyChart .main-svg").first).to_be_visible()
    act(page, page.get_by_role("link", name="Next: Rule in").click)
    assert "step=2" in page.url
    expect(page.get_by_role("heading", name="Rule in")).to_be_in_viewport()
    reload(page)
    expect(page.get_by_role("heading", name="Rule in")).to_be_visible()
    act(page, page.get_by_role("button", name="Show the solution").click)
    act(page, page.get_by_role("link", name="Open this on its page").click)
    assert "/curves?" in page.url
    assert "data=four_methods" in page.url
    assert "system=D" in page.url


def test_a_list_of_fourteen_is_whole_and_the_next_step_starts_at_its_top_on_an_empty_plane(
    page: Page, server: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 500})
    visit(page, f"{server}/examples?story=pr-table-14&step=1")
    act(page, page.get_by_role("button", name="Show the solution").click)
    assert page.locator(".ranked-list").evaluate("list => list.scrollWidth - list.clientWidth") == 0
    link = page.get_by_role("link", name="Next: A point of the curve")
    link.scroll_into_view_if_needed()
    assert page.evaluate(SCROLLED) > 100
    act(page, link.click)
    assert page.evaluate(SCROLLED) == 0
    assert page.locator(".plane line").count() == 12  # a grid without the diagonal of ROC curves
    page.locator(".stMain").evaluate("box => box.scrollTo(0, 100)")
    assert page.evaluate(LEFT) == 0
