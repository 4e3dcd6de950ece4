"""What leaves the page: its link, tables on the clipboard, and pictures."""

import re
from base64 import b64decode
from collections.abc import Callable
from xml.etree import ElementTree

from playwright.sync_api import Page, expect

from tests.browser.screen import act, arrive, fold, follow, saved_picture, upload

CLIPBOARD = """async () => {
  const [item] = await navigator.clipboard.read()
  const parts = item.types.map(async type => [type, await (await item.getType(type)).text()])
  return Object.fromEntries(await Promise.all(parts))
}"""
SVG = "{http://www.w3.org/2000/svg}"
WITHOUT = "() => Object.defineProperty(navigator, 'clipboard', { value: undefined })"


def test_a_table_is_copied_for_documents_and_as_markdown(visitor: Callable[..., Page], server: str) -> None:
    page = visitor(permissions=["clipboard-read", "clipboard-write"])
    arrive(page, f"{server}/confusion?data=cancer_test")
    act(page, page.get_by_role("button", name="Share").click)
    expect(page.get_by_text("Only this machine can open this link.")).to_be_visible()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator(".copy-link")).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == page.url
    act(page, lambda: page.keyboard.press("Escape"))  # closing it runs the page again
    act(page, fold(page, "All 28 measures").click)
    menu = page.locator(".copy-table").last
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(menu.get_by_text("Copied")).to_be_focused()
    parts = page.evaluate(CLIPBOARD)
    assert set(parts) == {"text/html", "text/plain"}
    assert '<td align="left">Precision PPV' in parts["text/html"].replace("text-align: left;", "")
    assert "66.7%\t48.8–80.8" in parts["text/plain"]
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


def test_the_finding_is_copied_and_saved_as_a_card(visitor: Callable[..., Page], server: str) -> None:
    page = visitor(permissions=["clipboard-read", "clipboard-write"], color_scheme="dark")
    arrive(page, f"{server}/threshold?data=breast_cancer&t=0.3648")
    act(page, page.get_by_role("button", name="Share").click)
    copy, save = (page.get_by_role("button", name=name) for name in ("Copy as card", "Save the card"))
    copy.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-card=copy]")).to_have_text("Copied")
    assert page.evaluate(PICTURE) == ["image/png", 1200, 630]
    drawing = b64decode(page.locator(".card img").get_attribute("src").partition(",")[2])
    words = " ".join(node.text for node in ElementTree.fromstring(drawing).findall(f"{SVG}text"))
    assert "with 10 false alarms" in words
    assert "569 tumours" in words
    name, content = saved_picture(page, save)
    assert (name, content[:8]) == ("Breast cancer two models card.png", b"\x89PNG\r\n\x1a\n")
    # A plain http address of a shared server has no such clipboard: the picture is a file then.
    page.evaluate(WITHOUT)
    with page.expect_download() as download:
        page.locator("[data-card=copy]").click()
    assert download.value.suggested_filename == "Breast cancer two models card.png"


PICTURE = """async () => {
  const [item] = await navigator.clipboard.read()
  const { width, height } = await createImageBitmap(await item.getType("image/png"))
  return [...item.types, width, height]
}"""


def test_saved_pictures_say_what_they_show_of_which_data(visitor: Callable[..., Page], server: str) -> None:
    page = visitor()
    arrive(page, f"{server}/threshold")
    rows = "".join(f"{row % 2},{row / 40}\n" for row in range(40))
    upload(page, {"name": "a <b>&lt; x.csv", "mimeType": "text/csv", "buffer": f"actual,score\n{rows}".encode()})
    follow(page, "Threshold")
    _, content = saved_picture(page, page.get_by_role("button", name="Save this picture"))
    words = [node.text for node in ElementTree.fromstring(content).iter(f"{SVG}text")]
    assert words[0] == "Scores of both classes and measures at threshold 0.5"
    assert words[1] == "a <b>&lt; x.csv · 1 when score ≥ 0.5"
    follow(page, "Curves")
    page.locator(".stPlotlyChart").first.hover()
    _, content = saved_picture(page, page.locator(".modebar-btn[data-title^='Download plot']").first)
    title = next(node for node in ElementTree.fromstring(content).iter() if node.get("class") == "gtitle")
    assert re.match("ROC curve.*a <b>&lt; x.csv · 1 when score ≥ 0.5", "".join(title.itertext()))
    layout = "() => document.querySelector('.js-plotly-plot').layout.title ?? null"
    assert page.evaluate(layout) is None  # it is in the file alone
