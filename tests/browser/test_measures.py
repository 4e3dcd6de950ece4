"""The page of measures in a browser: opened from a table of another page, searched by a synonym, asked by its map."""

from playwright.sync_api import Page, expect

from tests.browser.screen import act, arrive, main, reload


def test_a_name_in_a_table_opens_its_entry_which_leads_to_others(page: Page, server: str) -> None:
    arrive(page, f"{server}/confusion?data=cancer_test")
    name = page.get_by_role("link", name="Precision", exact=True)
    name.focus()
    with page.context.expect_page() as opening:
        page.keyboard.press("Enter")
    entry = opening.value
    reload(entry)
    expect(main(entry)).to_contain_text("10.0\u202f% on Cancer test")
    assert "data=cancer_test" in entry.url
    assert "measure=precision" in entry.url
    search = entry.get_by_label("Search by any name or symbol")
    search.fill("sensitivity")
    act(entry, lambda: search.press("Enter"))
    expect(entry.locator(".st-key-entry")).to_contain_text("Recall (TPR)")
    expect(entry.locator(".st-key-entry")).to_contain_text("Ignores FP, TN.")
    entry.set_viewport_size({"width": 1280, "height": 1000})
    chart = entry.locator(".stPlotlyChart .nsewdrag").bounding_box()
    assert chart is not None
    # the second measure of the last of six rows, a quarter of the width each
    x, y = chart["x"] + chart["width"] * 3 / 8, chart["y"] + chart["height"] * 11 / 12
    act(entry, lambda: entry.mouse.click(x, y))
    expect(entry.locator(".st-key-entry")).to_contain_text("Predicted prevalence")
    entry.set_viewport_size({"width": 390, "height": 844})
    assert main(entry).evaluate("box => box.scrollWidth - box.clientWidth") == 0
    entry.close()
