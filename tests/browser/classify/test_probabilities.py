"""The page of probabilities in a browser: folds, a row on the curve, the link, a phone."""

from playwright.sync_api import Page, expect

from tests.browser.screen import act, fold, main, reload, resting_box, visit


def test_folds_settings_and_rows_stay_in_the_link(page: Page, server: str) -> None:
    visit(page, f"{server}/probabilities?data=breast_cancer")
    picture = page.locator(".st-key-reliability .js-plotly-plot")
    before = picture.element_handle()
    # The picture holds the dot still, and a click opens its rows again.
    for _ in range(2):
        dot = resting_box(picture.locator(".scatterlayer .point").nth(3))
        act(page, lambda at=dot: page.mouse.click(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2))
        expect(page.locator(".st-key-drawer-head p").first).to_have_text("Probability 0.3–0.4: 21 rows")
        act(page, lambda: page.keyboard.press("Escape"))
        expect(page.locator(".st-key-drawer")).to_have_count(0)
    act(page, fold(page, "Brier score in parts").click)
    assert "probabilities_part=Brier" in page.url
    expect(main(page)).to_contain_text("Uncertainty 0.234")
    # The picture that did not change is the same one, with its zoom.
    assert before.evaluate("plot => plot.isConnected")
    act(page, fold(page, "Recalibrate").click)
    expect(main(page)).to_contain_text("On held-out rows")
    act(page, page.get_by_role("radio", name="equal count").click)
    assert "binning=equal" in page.url
    reload(page)
    expect(page.get_by_role("radio", name="equal count")).to_have_attribute("aria-checked", "true")
    expect(main(page)).to_contain_text("On held-out rows")


def test_a_link_with_a_row_reads_on_a_phone(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/probabilities?data=digits_probabilities&worst=792")
    expect(page.locator(".st-key-loss .annotation-text")).to_contain_text("line 794: −ln 0.0006 = 7.42")
    expect(page.locator(".stPlotlyChart .modebar-container").first).to_be_hidden()  # it would cover a number
    for part in ("Brier score in parts", "Each class", "Recalibrate"):
        act(page, fold(page, part).click)
        assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0
