"""The threshold in a browser: stepped, typed, sent to where a goal wants it, and sent as a link."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.screen import act, choose, main, reload, visit

PHONE = {"width": 390, "height": 844}
OVERFLOW = """() => {
  const boxes = [document.scrollingElement, document.querySelector("[data-testid=stMain]")];
  return boxes.map(box => box.scrollWidth - box.clientWidth);
}"""


def slider(page: Page) -> Locator:
    return page.locator("[data-testid=stSlider] [role=slider], [data-testid=stSlider] input[type=range]").first


def outcome(page: Page, cell: str) -> Locator:
    return page.locator(f"table.outcomes td.{cell} b")


def picture(page: Page) -> Locator:
    return page.locator(".st-key-sweep")


def test_an_arrow_key_steps_to_the_next_distinct_score_and_writes_it_into_the_address(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.54")
    expect(outcome(page, "tp")).to_have_text("5")
    slider(page).focus()
    act(page, lambda: slider(page).press("ArrowRight"))
    expect(page).to_have_url(re.compile(r"[?&]t=0\.55(&|$)"))
    expect(outcome(page, "tp")).to_have_text("4")
    act(page, lambda: slider(page).press("ArrowLeft"))
    act(page, lambda: slider(page).press("ArrowLeft"))
    expect(page).to_have_url(re.compile(r"[?&]t=0\.53(&|$)"))
    expect(outcome(page, "fp")).to_have_text("2")


def test_the_ends_of_the_slider_are_all_and_nothing(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.54")
    slider(page).focus()
    act(page, lambda: slider(page).press("End"))
    expect(page).to_have_url(re.compile(r"[?&]t=inf(&|$)"))
    expect(outcome(page, "fn")).to_have_text("10")
    slider(page).focus()
    act(page, lambda: slider(page).press("Home"))
    expect(page).to_have_url(re.compile(r"[?&]t=0\.1(&|$)"))
    expect(outcome(page, "fp")).to_have_text("10")


def test_the_field_takes_the_threshold_exactly(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20")
    field = page.get_by_label("Exactly")
    field.fill("0.535")
    act(page, lambda: field.press("Enter"))
    expect(page).to_have_url(re.compile(r"[?&]t=0\.535(&|$)"))
    expect(outcome(page, "tp")).to_have_text("5")
    reload(page)
    expect(page.get_by_label("Exactly")).to_have_value("0.535")
    expect(outcome(page, "tp")).to_have_text("5")


def test_a_goal_is_gone_to_and_its_link_shows_a_stranger_the_same(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    visit(page, f"{server}/threshold?data=roc_20")
    choose(page, "Goal", "Closest to the perfect corner of the ROC curve")
    expect(main(page)).to_contain_text("0.51 serves it best")
    act(page, page.get_by_role("button", name="Go to 0.51").click)
    expect(page).to_have_url(re.compile(r"[?&]t=0\.51(&|$)"))
    expect(main(page)).to_contain_text("That is where the threshold stands.")
    expect(page.get_by_role("button", name="Go to 0.51")).to_be_disabled()
    expect(outcome(page, "tp")).to_have_text("6")
    stranger = visitor()
    visit(stranger, page.url)
    expect(outcome(stranger, "tp")).to_have_text("6")
    expect(main(stranger)).to_contain_text("0.51 serves it best: distance 0.500 to the corner")


def legend(page: Page) -> Locator:
    return picture(page).locator(".legendtext")


def test_the_measures_of_the_address_are_drawn_at_the_first_visit(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&lines=accuracy&lines=recall")
    expect(legend(page)).to_have_text(["accuracy", "recall"])


def test_the_picture_has_a_name_that_says_the_counts(page: Page, server: str) -> None:
    visit(page, f"{server}/threshold?data=roc_20&t=0.54")
    expect(page.get_by_role("figure", name=re.compile("cut at 0.54: 5 TP, 1 FP, 5 FN, 9 TN"))).to_be_visible()


def test_names_of_classes_in_the_picture_make_no_link(page: Page, server: str) -> None:
    visit(page, f"{server}/data")
    rows = "truth,score\n" + "".join(f"<a href='http://e.com'>x</a>,0.{k}\n<b>y</b>,0.{k + 3}\n" for k in range(1, 6))
    file = {"name": "names.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    act(page, lambda: page.locator("input[type=file]").first.set_input_files(file))
    act(page, page.locator(".st-key-menu").get_by_role("link", name="Threshold", exact=True).click)
    expect(picture(page).locator("svg.main-svg").first).to_be_visible()
    assert main(page).locator("a[href*='e.com']").count() == 0
    assert "<b>y</b>" in main(page).inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("query", ["data=breast_cancer", "data=roc_20&goal=Best+of+a+measure+within+limits&t=inf"])
def test_on_a_phone_nothing_sticks_out(visitor: Callable[..., Page], server: str, scheme: str, query: str) -> None:
    page = visitor(viewport=PHONE, color_scheme=scheme)
    visit(page, f"{server}/threshold?{query}")
    expect(outcome(page, "tp")).to_be_visible()
    expect(picture(page).locator("svg.main-svg").first).to_be_visible()
    assert page.evaluate(OVERFLOW) == [0, 0]
