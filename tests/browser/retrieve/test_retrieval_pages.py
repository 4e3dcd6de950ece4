"""Sets and graded lists in a browser: a clicked row opens its query, a zoom stays, a phone reads."""

from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import act, arrive, follow, main, reload, resting_box, visit

_TALL = """key => {
  const box = document.querySelector(`.st-key-${key} .js-plotly-plot .main-svg`).getBoundingClientRect()
  return box.width / box.height
}"""
_RANGE = "() => document.querySelector('.st-key-over-k .js-plotly-plot')._fullLayout.xaxis.range[1]"


def pick(page: Page, query: str) -> None:
    """Click a row of the table of queries."""
    row = page.locator(".st-key-table-of-queries").get_by_role("row").filter(has_text=query)
    act(page, row.click)
    expect(row).to_have_attribute("aria-selected", "true")


def picked(page: Page) -> list[str]:
    return parse_qs(urlparse(page.url).query).get("picked", [])


def test_a_ticked_row_is_the_query_of_all_pages_and_a_zoom_stays(page: Page, server: str) -> None:
    arrive(page, f"{server}/sets?data=image_retrieval")
    pick(page, "q002")
    assert picked(page) == ["q002"]
    expect(page.get_by_role("combobox", name="Query").first).to_have_value("q002")
    reload(page)
    expect(main(page)).to_contain_text("19 found")

    follow(page, "Graded relevance")
    expect(main(page)).to_contain_text("query q002 has")
    plot = page.locator(".st-key-over-k .nsewdrag").first
    box = resting_box(plot)
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] - 5, steps=5)
    page.mouse.up()
    page.wait_for_function(f"() => ({_RANGE})() < 60")
    zoomed = page.evaluate(_RANGE)
    field = page.get_by_label("k", exact=True)
    field.fill("20")
    act(page, lambda: field.press("Enter"))
    expect(main(page)).to_contain_text("nDCG@20 is ")
    pick(page, "q003")
    expect(main(page)).to_contain_text("query q003")
    assert page.evaluate(_RANGE) == zoomed


def test_a_phone_reads_without_going_sideways(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    for address in ("sets?data=two_methods", "graded?data=graded_10&gain=1:2;2:5;3:9"):
        visit(page, f"{server}/{address}")
        assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
        if address.startswith("sets"):
            assert page.evaluate(_TALL, "sets-0") == pytest.approx(1.72, abs=0.1)
