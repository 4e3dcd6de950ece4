"""Names from a file on the real screen: they are shown as they are, and nothing else happens."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from evalcore.wording.escaping import one_line
from tests.browser.screen import arrive
from tests.browser.server import serving
from tests.pages.nasty_names import NASTY

LABELS = (
    *("stMetricLabel", "stCaptionContainer", "stMarkdown", "stAlert", "stButton", "stCheckbox", "stRadio"),
    *("stButtonGroup", "stExpander", "stTab", "stTable"),
)


@pytest.fixture(scope="module")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the page of labels."""
    with serving(tmp_path_factory.mktemp("labels"), "tests/browser/labels.py") as address:
        yield address


def test_labels_show_the_names_and_make_nothing_of_them(labels: str, visitor: Callable[..., Page]) -> None:
    page = visitor()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    arrive(page, labels)
    expect(page.locator(f".st-key-name-{len(NASTY) - 1} [data-testid=stTable]")).to_be_visible()
    wrong = []
    for place, name in enumerate(NASTY):
        box = page.locator(f".st-key-name-{place}")
        for label in LABELS:
            text = box.locator(f"[data-testid={label}]").first.inner_text().replace("\u2060", "")
            if one_line(name) not in text:
                wrong.append((name, label, text))
        made = box.locator("[data-testid=stMarkdownContainer] :is(a, img, code, strong, em, h1, li, .katex, .material)")
        if made.count():
            wrong.append((name, made.first.evaluate("element => element.outerHTML")))
    assert wrong == []
    table = page.locator(".st-key-names").get_by_role("grid")
    heads = [head.text_content() for head in table.get_by_role("columnheader").all()]
    assert heads == [one_line(name, 200) for name in NASTY]
    cells = table.get_by_role("row").nth(1).locator("> *").all()
    assert [cell.text_content() for cell in cells] == [*NASTY]
    assert table.locator("a, img, script, b, em").count() == 0
    # So do the options of a selectbox.
    page.get_by_role("combobox", name="plain options").locator("..").get_by_role("button", name="Open").click()
    for name in NASTY[:6]:
        expect(page.get_by_role("option", name=one_line(name), exact=True)).to_be_visible()
    assert [url for url in asked if not url.startswith((labels, "data:", "blob:"))] == []
