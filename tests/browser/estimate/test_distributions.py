"""The page of distributions in a browser: typed bins, the ∞ that smoothing takes away, the link, a phone."""

from playwright.sync_api import Page, expect

from tests.browser.screen import act, choose, fold, main, reload, runs, visit


def test_groups_measure_and_smoothing_stay_in_the_link(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, f"{server}/distributions?data=breast_cancer")
    finding = page.locator(".st-key-finding")
    expect(finding).to_contain_text("0.589 nats")
    choose(page, "Measure", "Kullback–Leibler divergence of P from Q")
    expect(finding).to_contain_text("∞")
    act(page, fold(page, "Smoothing").click)
    slider = page.locator(".st-key-smoothing input[type=range]")
    values, before = page.locator(".st-key-smoothing .values"), runs(page)
    expect(values).to_contain_text("KL(P‖Q) ∞")
    slider.evaluate("slider => { slider.value = 9; slider.dispatchEvent(new Event('input')) }")
    expect(values).not_to_contain_text("∞")
    assert runs(page) == before  # nothing is sent while it is dragged
    slider.evaluate("slider => { slider.value = 0 }")
    slider.focus()
    for _ in range(3):
        act(page, lambda: page.keyboard.press("ArrowRight"))
    expect(finding).not_to_contain_text("∞")
    assert "smoothing=" in page.url
    reload(page)
    expect(page.locator(".st-key-by-smoothing .main-svg").first).to_be_visible()
    expect(finding).not_to_contain_text("∞")
    assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0
