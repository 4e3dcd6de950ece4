"""The comparison in a browser: a link and a reload show the same screen, the rows come out as a file, a phone reads."""

from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page, expect

from tests.browser.screen import act, choose, main, reload, visit


def test_two_systems_from_the_verdict_to_the_rows(page: Page, server: str) -> None:
    visit(page, f"{server}/compare?data=breast_cancer&by=Recall")
    verdict = page.locator(".st-key-finding")
    expect(verdict).to_contain_text("B minus A +3.3")
    act(page, page.get_by_role("button", name="⇄").first.click)
    expect(verdict.get_by_role("heading")).to_contain_text("nearest_neighbours is better by recall: +3.3")
    expect(verdict).to_contain_text("B minus A −3.3")
    choose(page, "Better by", "Specificity")
    expect(verdict.get_by_role("heading")).to_contain_text("could be chance")
    # What is compared is asked in its popover, which stays open, and whose button says what was chosen.
    page.get_by_role("button", name="What is compared").click()
    choose(page, "Thresholds", "Each flagging as many as A")
    expect(page.get_by_label("Threshold of A", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(main(page).get_by_role("button", name="Each flagging as many as A")).to_be_visible()
    only_b = page.locator(".disagreements td.only b").nth(1).inner_text()
    act(page, page.locator(".disagreements td.only a.rows").nth(1).click)
    expect(main(page)).to_contain_text(f"{only_b} of 569 rows: B right, A wrong")
    shown = main(page).inner_text()
    reload(page)
    expect(main(page)).to_have_text(shown, use_inner_text=True)
    assert parse_qs(urlparse(page.url).query)["by"] == ["Specificity"]
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("line,nearest_neighbours,logistic_regression,actual")
    assert len(lines) == 1 + int(only_b)
    # On a phone nothing scrolls sideways.
    page.set_viewport_size({"width": 390, "height": 844})
    assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0
