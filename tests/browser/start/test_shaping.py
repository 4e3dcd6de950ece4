"""A messy file is put right by clicks on the data page; a click on a slice keeps its rows: headers name the filter."""

import re

from playwright.sync_api import Page, expect

from tests.browser.screen import act, arrive, choose, follow, main, reload
from tests.browser.start.test_start import heading, upload_text

WORST = "/threshold?data=digits_labels&part=Slices&slices_by=error_rate"
MESSY = "truth,score,age\n" + "".join(
    f"{('Yes', 'yes', 'NO', 'no')[row % 4]},{row * 37 % 100 / 100 if row % 20 else -99},{20 + row}\n"
    for row in range(60)
)


def test_labels_are_merged_and_codes_excluded_by_a_click_each_and_a_filter_follows(page: Page, server: str) -> None:
    arrive(page, f"{server}/data")
    upload_text(page, MESSY, "messy.csv")
    act(page, main(page).get_by_role("button", name="Merge them").click)
    expect(heading(page)).to_contain_text("60 rows, 30 positive (yes)")
    act(page, main(page).get_by_role("button", name="Count as missing", exact=True).first.click)
    expect(main(page)).to_contain_text('"-99" counts as missing in "score" · 3 cells')
    reload(page)
    expect(main(page)).to_contain_text('"-99" counts as missing in "score" · 3 cells')
    main(page).get_by_text("Change the table").click()
    choose(page, "Column", "age")
    field = page.get_by_label("From", exact=True)
    field.fill("50")
    act(page, lambda: field.press("Enter"))
    act(page, main(page).get_by_role("button", name="Keep this range").click)
    follow(page, "Threshold")
    expect(heading(page)).to_contain_text("filtered from 60 rows: age ≥ 50")
    expect(page).to_have_url(re.compile("shape="))
    follow(page, "Data")
    act(page, main(page).get_by_role("button", name="Remove", exact=False).nth(-2).click)
    expect(heading(page)).not_to_contain_text("filtered")


def test_a_slice_becomes_the_filter_by_a_click_and_all_rows_come_back(page: Page, server: str) -> None:
    arrive(page, server + WORST)
    expect(main(page)).to_contain_text("The error rate is higher in 1 slice")
    act(page, main(page).get_by_role("button", name="Rows", exact=True).click)
    act(page, page.get_by_role("button", name="Use as filter").click)
    expect(heading(page)).to_contain_text("rows: digit 1")
    # The threshold stays where the slice was worse, and the link shows the same screen.
    expect(page).to_have_url(re.compile("shape=only~digit~1"))
    expect(page).to_have_url(re.compile("thresholds="))
    reload(page)
    expect(heading(page)).to_contain_text("rows: digit 1")
    act(page, page.locator(".st-key-read-as button").first.click)
    act(page, page.get_by_role("button", name="Back to all rows").click)
    expect(heading(page)).not_to_contain_text("filtered")
    expect(page.get_by_role("button", name="Back to all rows")).to_have_count(0)
