"""Comparing rankings in a browser: a click opens a query, the slider hides judgments, and a reload shows the same."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import act, fold, go, main, reload, resting_box, visit

ADDRESS = "compare-rankings?data=image_retrieval&other=projection"


def test_a_click_opens_a_query_and_a_reload_shows_the_same(page: Page, server: str) -> None:
    visit(page, f"{server}/{ADDRESS}&rankings_part=Query+by+query")
    heading = page.locator(".st-key-finding").get_by_role("heading")
    expect(heading).to_contain_text("projection ranks best (AP 0.661), better than pixels beyond chance")
    head = page.locator(".st-key-drawer-head p").first
    expect(head).to_have_count(0)
    bars = page.locator(".st-key-query-differences .bars .point")
    expect(bars).to_have_count(300)
    full = "path:not([style*='fill-opacity: 0.2'])"
    lit = bars.locator(full)
    expect(lit).to_have_count(300)

    def click_last() -> None:
        """Click the bar of the query that the first system wins by most."""
        box = resting_box(bars.last)
        act(page, lambda: page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))

    click_last()
    expect(lit).to_have_count(1)
    expect(bars.last.locator(full)).to_have_count(1)
    expect(head).to_contain_text("A is pixels, B is projection")
    expect(main(page)).to_contain_text("B − A −0.3")
    opened = head.inner_text()
    assert f"picked={opened.split()[1]}" in page.url
    reload(page)
    expect(head).to_have_text(opened)
    # The order is that of the table, the largest difference first; a second click closes the lists.
    act(page, lambda: page.keyboard.press("j"))
    expect(head).not_to_have_text(opened)
    chosen = page.locator(".st-key-queries-of-the-comparison").get_by_role("row", selected=True)
    expect(chosen).to_contain_text(head.inner_text().split()[1])
    # The bar of the open list is lit, not the one that was clicked; without a list none is.
    expect(lit).to_have_count(1)
    expect(bars.last.locator(full)).to_have_count(0)
    act(page, chosen.click)
    expect(head).to_have_count(0)
    expect(lit).to_have_count(300)
    expect(chosen).to_have_count(0)
    # The keys go on from the row whose list was closed.
    expect(page.locator(".st-key-queries-of-the-comparison .row.active")).to_have_count(1, timeout=10_000)
    # Whatever was open in between, a click opens the lists of its bar, and another one closes them.
    click_last()
    expect(head).to_have_text(opened)
    act(page, lambda: page.keyboard.press("j"))
    expect(head).not_to_have_text(opened)
    click_last()
    expect(head).to_have_text(opened)
    click_last()
    expect(head).to_have_count(0)

    act(page, fold(page, "Judgments").click)
    expect(main(page)).to_contain_text("With 50\u202f745 of 50\u202f745 judgments")
    slider = page.locator("[data-testid=stSlider]").last
    slider.get_by_role("slider").focus()
    act(page, lambda: page.keyboard.press("ArrowRight"))
    page.wait_for_url("**hidden_random=0.1**")
    expect(main(page)).to_contain_text("of 50\u202f745 judgments")
    left = main(page).get_by_text("of 50\u202f745 judgments").inner_text()
    assert left != "With 50\u202f745 of 50\u202f745 judgments"
    reload(page)
    expect(main(page).get_by_text("of 50\u202f745 judgments")).to_have_text(left)
    act(page, page.get_by_role("button", name="⇄").click)
    expect(main(page)).to_contain_text("pixels (B) minus projection (A): −0.155")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_a_phone_reads_it_without_scrolling_sideways(page: Page, server: str, colours: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme=colours)
    for part in ("Query by query", "Judgments", "Variance and power", "All comparisons"):
        lead = visit if part == "Query by query" else go
        lead(page, f"{server}/{ADDRESS}&rankings_part={part.replace(' ', '+')}")
        beyond = page.locator("[data-testid=stMain]").evaluate("box => box.scrollWidth - box.clientWidth")
        assert beyond == 0
