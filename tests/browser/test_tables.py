"""Tables in a browser: sorted by a heading, walked and picked with the keys, with a foot that stays, however long."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.screen import act, arrive, upload, visit

WRONG = b"actual,predicted\na,a\nb,a\nc,c\na,c\nd,c\nd,c\nc,d\n"
"""Nothing is called b, so its precision is undefined; that of d is 0 and its MCC negative."""
LONG = 100_000
MOST_ELEMENTS = """async grid => {
  let most = 0
  for (let step = 1; step <= 40; step++) {
    grid.scrollTop = (grid.scrollHeight * step) / 40
    await new Promise(requestAnimationFrame)
    most = Math.max(most, grid.querySelectorAll("[role=row]").length)
  }
  return most
}"""


def table(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key}").get_by_role("grid")


def column(grid: Locator, number: int) -> list[str]:
    """The texts of a column in the order of the rows on the screen, those of the foot last."""
    rows = grid.locator(".room .row, .foot .row")
    return [row.locator("> *").nth(number).inner_text() for row in sorted(rows.all(), key=_top)]


def _top(row: Locator) -> float:
    return row.bounding_box()["y"]


def test_a_heading_sorts_by_the_numbers_with_undefined_last_over_a_foot_that_stays(page: Page, server: str) -> None:
    arrive(page, f"{server}/classes")
    upload(page, {"name": "wrong.csv", "mimeType": "text/csv", "buffer": WRONG})
    grid = table(page, "class-table")
    expect(grid.get_by_role("rowheader", name="d", exact=True)).to_be_visible()
    grid.get_by_role("button", name="+").click()
    names = [head.inner_text().strip() for head in grid.get_by_role("columnheader").all()]
    at, mcc = (next(at for at, name in enumerate(names) if name.startswith(head)) for head in ("precision", "MCC"))
    foot = ["micro average", "macro average", "weighted average"]
    assert column(grid, 0) == ["a", "b", "c", "d", *foot]
    head = grid.get_by_role("columnheader", name="precision")
    head.get_by_role("button").click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert column(grid, 0) == ["d", "c", "a", "b", *foot]
    assert column(grid, at)[:4] == ["0.0\u202f%", "25.0\u202f%", "50.0\u202f%", "undefined"]
    head.get_by_role("button").press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert column(grid, 0) == ["a", "c", "d", "b", *foot]
    assert any(text.startswith("−0.") for text in column(grid, mcc))
    head.get_by_role("button").press("Enter")
    expect(head).not_to_have_attribute("aria-sort", "descending")
    assert column(grid, 0) == ["a", "b", "c", "d", *foot]


def test_a_row_is_chosen_by_a_key_and_a_measure_opens_its_definition(page: Page, server: str) -> None:
    visit(page, f"{server}/classes?data=digits_labels")
    grid = table(page, "label-table")
    grid.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(grid.locator("#active")).to_contain_text("prime")
    act(page, lambda: page.keyboard.press("Enter"))
    assert "system=prime" in page.url
    act(page, lambda: grid.get_by_role("rowheader", name="loop", exact=True).click())
    assert "system=loop" in page.url
    chosen = grid.get_by_role("row", selected=True)
    expect(chosen).to_have_count(1)
    expect(chosen).to_contain_text("loop")
    card = page.locator(".definition")
    grid.get_by_role("link", name="Definition: recall").click()
    expect(card).to_contain_text("Share of actual positives")
    page.keyboard.press("Escape")
    more = grid.get_by_role("button", name="+")
    before = grid.get_by_role("columnheader").count()
    more.click()
    expect(grid.get_by_role("columnheader", name="prevalence")).to_be_attached()
    assert grid.get_by_role("columnheader").count() > before + 20


def test_a_hundred_thousand_rows_scroll_with_few_of_them_on_the_page(page: Page, server: str) -> None:
    run = "".join(f"q Q0 d{rank} {rank} {LONG - rank} x\n" for rank in range(1, LONG + 1))
    files = {"one.run": run, "qrels.txt": "q 0 d5 1\nq 0 d70000 1\n"}
    arrive(page, f"{server}/ranking")
    upload(page, [{"name": name, "mimeType": "text/plain", "buffer": text.encode()} for name, text in files.items()])
    grid = table(page, "list-of-the-drawer")  # open by itself, as the only list
    expect(grid).to_have_attribute("aria-rowcount", str(LONG + 1))
    assert grid.evaluate(MOST_ELEMENTS) < 40
    expect(grid.get_by_role("rowheader", name="100\u202f000")).to_be_visible()
    grid.get_by_role("columnheader", name="document").get_by_role("button").click()
    grid.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(grid.locator("#active")).to_contain_text("d2")
