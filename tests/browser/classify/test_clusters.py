"""Rows that belong together, in one visit: chosen by the button of a finding, named in the heading, kept by a link."""

import re

import numpy as np
from playwright.sync_api import Page, expect

from tests.browser.screen import act, arrive, follow, main, reload, upload
from tests.pages.classify.test_clusters_on_pages import visits


def width_of_auc(page: Page) -> float:
    """The width of the interval in the heading of the ROC curve."""
    text = main(page).inner_text()
    low, high = re.search(r"ROC · AUC \d\.\d+\s+\((\d\.\d+)–(\d\.\d+)\)", text).groups()
    return float(high) - float(low)


def test_rows_belong_to_patients_by_a_button_and_intervals_widen(page: Page, server: str) -> None:
    frame = visits()[["patient_id", "y", "model_a"]].assign(site=np.arange(600) % 3)
    arrive(page, f"{server}/data")
    upload(page, {"name": "visits.csv", "mimeType": "text/csv", "buffer": frame.to_csv(index=False).encode()})
    finding = main(page).get_by_text(re.compile("The 95\\s% interval of the AUC becomes 1\\.\\d times as wide"))
    expect(finding).to_be_visible()
    follow(page, "Curves")
    narrow = width_of_auc(page)
    follow(page, "Data")
    act(page, main(page).get_by_role("button", name=re.compile("Rows belong to")).click)
    expect(main(page)).to_contain_text("600 rows of 60 patients")
    follow(page, "Curves")
    expect(main(page)).to_contain_text("600 rows of 60 patients")
    wide = width_of_auc(page)
    assert wide > 1.1 * narrow
    reload(page)
    expect(main(page)).to_contain_text("600 rows of 60 patients")
    assert width_of_auc(page) == wide
