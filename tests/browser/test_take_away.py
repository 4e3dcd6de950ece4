"""What leaves the page: its link, and tables on the clipboard."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.screen import arrive

CLIPBOARD = """async () => {
  const [item] = await navigator.clipboard.read()
  const parts = item.types.map(async type => [type, await (await item.getType(type)).text()])
  return Object.fromEntries(await Promise.all(parts))
}"""
WITHOUT = "() => Object.defineProperty(navigator, 'clipboard', { value: undefined })"


def test_a_table_is_copied_for_documents_and_as_markdown(visitor: Callable[..., Page], server: str) -> None:
    page = visitor(permissions=["clipboard-read", "clipboard-write"])
    arrive(page, f"{server}/confusion?data=cancer_test")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Only this machine can open this link.")).to_be_visible()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator(".copy-link")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == page.url
    page.keyboard.press("Escape")
    menu = page.locator(".copy-table").last
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(menu.get_by_text("Copied")).to_be_focused()
    parts = page.evaluate(CLIPBOARD)
    assert set(parts) == {"text/html", "text/plain"}
    assert '<td align="left">Precision PPV' in parts["text/html"].replace("text-align: left;", "")
    assert "66.7%\t48.8" in parts["text/plain"]
    # A plain http address of a shared server has no such clipboard.
    page.evaluate(WITHOUT)
    first = page.locator(".copy-table").first
    first.locator("summary").click()
    first.get_by_role("button", name="as Markdown").click()
    expect(first).to_contain_text("Copied")
    page.keyboard.press("Escape")
    page.locator("input[placeholder^=Search]").focus()
    page.keyboard.press("Control+v")
    expect(page.locator("input[placeholder^=Search]")).to_have_value(re.compile(r"\| predicted ill \| 20 \| 180 \|"))
