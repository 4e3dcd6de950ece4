"""The comparison in a browser: a link and a reload show the same screen, the rows come out as a file, a phone reads."""

from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page, expect

from tests.browser.screen import act, choose, main, reload, visit


def test_two_systems_from_the_verdict_to_the_rows(page: Page, server: str) -> None:
    visit(page, f"{server}/compare?data=breast_cancer&by=Recall")
    verdict = page.locator(".st-key-verdict")
    expect(verdict).to_contain_text("nearest_neighbours is better than logistic_regression by recall")
    act(page, page.get_by_role("button", name="⇄").first.click)
    expect(verdict).to_contain_text("−3.3")
    choose(page, "Better by", "Specificity")
    expect(verdict).to_contain_text("could be due to chance")
    act(page, page.get_by_role("tab", name="Rows they disagree on").click)
    only_b = page.locator(".disagreements td.only b").nth(1).inner_text()
    expect(main(page)).to_contain_text(f"{only_b} of 569 rows: B right, A wrong")
    shown = main(page).inner_text()
    reload(page)
    expect(main(page)).to_have_text(shown, use_inner_text=True)
    assert parse_qs(urlparse(page.url).query)["by"] == ["Specificity"]
    with page.expect_download() as download:
        page.get_by_role("button", name="These rows as CSV").click()
    lines = download.value.path().read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("row,actual,logistic_regression,nearest_neighbours")
    assert len(lines) == 1 + int(only_b)
    # On a phone nothing scrolls sideways.
    page.set_viewport_size({"width": 390, "height": 844})
    assert main(page).evaluate("box => box.scrollWidth - box.clientWidth") == 0
