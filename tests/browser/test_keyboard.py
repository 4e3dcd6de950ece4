"""The whole way of a file by keys alone: upload, roles, threshold, take away; the focus is never lost."""

import re

from playwright.sync_api import Page, expect

from tests.browser.screen import FOCUSED, act, arrive
from tests.browser.start.test_start import CSV, heading

WORDS = rf"""() => {{
  const node = {FOCUSED}
  if (!node || node === document.body) return ""
  const words = [node.getAttribute("aria-label"), ...(node.innerText ?? "").split(/\s*\n\s*/), node.role]
  return words.filter(Boolean).join(" | ") || node.tagName
}}"""
MOST = 150


def focused(page: Page) -> str:
    """What has the focus, by its label, its text and its role; empty where nothing has."""
    return page.evaluate(WORDS)


def walk_to(page: Page, words: str, by: str = "Tab") -> None:
    """Press a key until what has the focus goes by some words."""
    passed = []
    for _ in range(MOST):
        passed.append(focused(page))
        if re.match(words, passed[-1]):
            return
        page.keyboard.press(by)
    raise AssertionError(f"no key leads to {words}: {[text[:30] for text in passed]}")


def press(page: Page, key: str) -> str:
    """Press a key that runs the page again, and see that something has the focus afterwards: its words."""
    act(page, lambda: page.keyboard.press(key))
    page.wait_for_function(f"() => ({WORDS})() !== ''")
    return focused(page)


def test_a_file_is_opened_read_judged_and_taken_away_by_keys_alone(page: Page, server: str) -> None:
    page.on("filechooser", lambda _: None)  # so that the browser asks the test from the start
    arrive(page, server)
    walk_to(page, "upload . Upload")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    file = {"name": "clinic.csv", "mimeType": "text/csv", "buffer": CSV.encode()}
    act(page, lambda: chooser.value.set_files(file))
    expect(heading(page)).to_contain_text("positive = ill")
    expect(page).to_have_url(re.compile(r"/\?data="))
    walk_to(page, "Data$")
    assert press(page, "Enter") == "Data"
    walk_to(page, "well . radio")
    assert press(page, "Space") == "well | radio"
    expect(heading(page)).to_contain_text("positive = well")
    walk_to(page, "Threshold$", by="Shift+Tab")
    assert press(page, "Enter") == "Threshold"
    walk_to(page, "Threshold . slider")
    assert press(page, "ArrowRight") == "Threshold | slider"
    expect(page).to_have_url(re.compile(r"[?&]t="))
    walk_to(page, ".*Share", by="Shift+Tab")
    act(page, lambda: page.keyboard.press("Enter"))
    walk_to(page, ".*Text as a file")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith(".txt")
    assert focused(page).endswith("Text as a file")
