"""Several labels in a browser: the threshold of one is dragged in the threshold view and stepped on its own page."""

import re
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page, expect

from evalcore.readers import read_sample
from evalcore.wording import count_text
from tests.browser.conftest import PHONE
from tests.browser.screen import act, arrive, follow, main, reload, visit
from tests.browser.threshold_view import drag


def thresholds(page: Page) -> dict[str, float]:
    """The labels with a threshold of their own, as the address has them."""
    pairs = parse_qs(urlparse(page.url).query).get("thresholds", [""])[0].split("!")
    return {label: float(threshold) for label, _, threshold in (pair.partition("~") for pair in pairs) if threshold}


def expect_cells(page: Page, threshold: float) -> None:
    counts = read_sample("digits_labels").label_scores().at(threshold).one_vs_rest()[2]
    names = {"tp": "true positives", "fn": "false negatives", "fp": "false positives", "tn": "true negatives"}
    for cell, name in names.items():
        expect(page.get_by_role("textbox", name=name)).to_have_value(count_text(float(getattr(counts, cell))))


def test_the_threshold_of_one_label_is_dragged_and_stepped_and_stays(page: Page, server: str) -> None:
    arrive(page, f"{server}/threshold?data=digits_labels&system=prime")
    assert thresholds(page) == {}
    drag(page, page.locator(".threshold-view .knob"), -120)
    act(page, page.mouse.up)
    dragged = thresholds(page)
    assert dragged.keys() == {"prime"}
    assert 0 < dragged["prime"] < 0.5
    follow(page, "Classes")
    expect(main(page)).to_contain_text("prime against the rest")
    assert thresholds(page) == dragged
    expect_cells(page, dragged["prime"])
    verdict = main(page).get_by_text("Micro F1").first.inner_text()
    slider = page.locator("[data-testid=stSlider] input[type=range]")
    act(page, lambda: slider.press("ArrowRight"))
    stepped = thresholds(page)
    assert stepped["prime"] > dragged["prime"]
    expect_cells(page, stepped["prime"])
    shown = main(page).inner_text()
    reload(page)
    assert thresholds(page) == stepped
    expect(main(page)).to_have_text(shown, use_inner_text=True)
    act(page, page.get_by_role("button", name=re.compile("^Reset")).click)
    assert thresholds(page) == {}
    assert main(page).get_by_text("Micro F1").first.inner_text() != verdict
    # On a phone nothing scrolls sideways.
    page.set_viewport_size(PHONE)
    assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0


def test_the_address_of_the_page_that_labels_had_leads_to_classes_which_the_menu_names_once(
    page: Page, server: str
) -> None:
    visit(page, f"{server}/multilabel?data=digits_labels&thresholds=F1&system=loop")
    expect(main(page)).to_contain_text("loop against the rest")
    expect(main(page)).to_contain_text("chosen on these rows")
    expect(page.get_by_test_id("stSidebar").get_by_role("link", name="Classes", exact=True)).to_have_count(1)
