"""The page of measures in a browser: opened from other pages, searched by a synonym, asked by its map."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from evalcore.registry import METRICS, measure_named
from tests.browser.screen import act, go, main, reload, resting_box, visit

WORDS = """svg => [...svg.querySelectorAll("text, tspan")].map(node => [
  node.textContent, new URLSearchParams(node.closest("a")?.getAttribute("href").split("?")[1]).get("measure")
])"""
"""The words of a picture, each with the measure whose entry it opens."""


def test_names_of_measures_in_the_view_and_under_sorted_tables_are_links(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=breast_cancer")
    surface = page.locator(".threshold-view svg.surface:not(.under)")
    # an axis says in which direction its measure grows; the bare names are those of readings
    named = {word: key for word, key in surface.evaluate(WORDS) if measure_named(word) and word != "∞"}
    assert named == {
        word: measure_named(word).key for word in ("recall", "precision", "specificity", "NPV", "accuracy", "F1")
    }
    page.locator(".threshold-view .grip").focus()
    act(page, lambda: page.keyboard.press("Home"))
    link = surface.locator("a", has_text="NPV").first
    link.focus()
    link.hover()
    asked = parse_qs(urlsplit(link.get_attribute("href")).query)
    assert asked["measure"] == ["negative_predictive_value"]
    assert asked["t"] == parse_qs(urlsplit(page.url).query)["t"]  # where the line stands now
    go(page, f"{server}/ranking?data=image_retrieval")
    for key, name in {"average_precision_at": "MAP", "ndcg": "nDCG@10", "r_precision": "R-precision"}.items():
        link = main(page).locator(f"a[href*='measure={key}']").filter(has_text=name.split("@")[0]).first
        expect(link).to_be_visible()
        assert "data=image_retrieval" in link.get_attribute("href"), METRICS[key].name


def test_a_name_opens_its_definition_in_place_which_leads_to_its_entry(page: Page, server: str) -> None:
    visit(page, f"{server}/confusion?data=cancer_test")
    name, card = main(page).get_by_role("link", name="precision", exact=True).first, page.locator(".definition")
    name.click()
    expect(card).to_contain_text("TP / (TP + FP)")
    expect(card).to_contain_text("0 to 1")
    page.keyboard.press("Escape")
    expect(card).not_to_be_attached()
    expect(name).to_be_focused()
    with page.context.expect_page() as aside:
        name.click(button="middle")
    aside.value.close()
    assert "/confusion?" in page.url
    name.press("Enter")
    with page.context.expect_page() as opening:
        page.keyboard.press("Enter")  # "More" has the focus
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
    chart = resting_box(entry.locator(".stPlotlyChart .nsewdrag"))
    # the second measure of the last of six rows, a quarter of the width each
    x, y = chart["x"] + chart["width"] * 3 / 8, chart["y"] + chart["height"] * 11 / 12
    act(entry, lambda: entry.mouse.click(x, y))
    expect(entry.locator(".st-key-entry")).to_contain_text("Predicted prevalence")
    entry.set_viewport_size({"width": 390, "height": 844})
    assert main(entry).evaluate("box => box.scrollWidth - box.clientWidth") == 0
    entry.close()
