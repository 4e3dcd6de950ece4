"""The matrix of classes in a browser: clicked, walked with the keys, put into order, scrolled, and sent as a link."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE
from tests.browser.screen import act, arrive, choose, follow, main, reload, resting_box, saved_picture, upload, visit

OVERFLOW = """() => {
  const boxes = [document.scrollingElement, document.querySelector("[data-testid=stMain]")];
  return boxes.map(box => box.scrollWidth - box.clientWidth);
}"""


def scroller(page: Page) -> Locator:
    return page.locator(".st-key-cells .scroller")


def active(page: Page) -> Locator:
    """What is told of the cell that the keys have come to."""
    return page.locator(".st-key-cells [role=gridcell]")


def open_classes(page: Page, address: str) -> None:
    visit(page, address)
    expect(scroller(page)).to_have_attribute("data-size", re.compile(r"\d"))


def middle(page: Page, row: int | None, column: int | None) -> tuple[float, float]:
    """Where a cell is on the screen; None for a row or a column is its label."""
    box = resting_box(scroller(page))
    left, top, size = (float(scroller(page).get_attribute(f"data-{name}")) for name in ("left", "top", "size"))
    x = left / 2 if column is None else left + (column + 0.5) * size
    y = top / 2 if row is None else top + (row + 0.5) * size
    return box["x"] + x, box["y"] + y


def click(page: Page, row: int | None, column: int | None) -> None:
    x, y = middle(page, row, column)
    act(page, lambda: page.mouse.click(x, y))


def order_on_screen(page: Page, k: int) -> list[str]:
    """The classes down the rows, as the keys find them."""
    scroller(page).focus()
    page.keyboard.press("Control+Home")
    found = []
    for _ in range(k):
        found.append(re.match(r"actual (.*?), predicted", active(page).text_content())[1])
        page.keyboard.press("ArrowDown")
    return found


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A file of 500 classes; class 499 is called class 3 in every second row."""
    rows = [(f"c{i:03d}", f"c{i:03d}") for i in range(500) for _ in range(3)] + [("c499", "c003")] * 3
    file = tmp_path / "many.csv"
    file.write_text("actual,predicted\n" + "\n".join(map(",".join, rows)))
    return file


def test_five_hundred_classes_are_drawn_scrolled_and_picked(page: Page, server: str, many: Path) -> None:
    arrive(page, f"{server}/data")
    upload(page, many)
    follow(page, "Classes")
    expect(scroller(page)).to_have_attribute("aria-rowcount", "500")
    page.mouse.move(0, 0)  # a cell that scrolls under the pointer is told in place of the active one
    scroller(page).focus()
    page.keyboard.press("Control+End")
    expect(active(page)).to_contain_text("actual c499, predicted c499; 3 rows")
    assert scroller(page).evaluate("box => box.scrollTop > 1000 && box.scrollLeft > 1000")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(active(page)).to_contain_text("actual c499, predicted c003; 3 rows; 50.0\u202f% of the actual class")
    act(page, lambda: page.keyboard.press("Enter"))
    expect(main(page)).to_contain_text("3 rows of class c499 predicted as c003.")
    page.get_by_role("button", name="The whole table at once").click()
    assert scroller(page).evaluate("box => box.scrollWidth <= box.clientWidth + 1")


def test_a_cell_is_told_under_the_pointer_and_a_click_opens_its_rows_with_a_file(page: Page, server: str) -> None:
    open_classes(page, f"{server}/classes?data=digits")
    page.mouse.move(*middle(page, 8, 1))
    tip = page.locator(".st-key-cells .tip")
    expect(tip).to_be_visible()
    expect(tip).to_contain_text("actual 8")
    expect(tip).to_contain_text("5 images")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    click(page, 8, 1)
    expect(main(page)).to_contain_text("5 rows of class 8 predicted as 1.")
    assert "selected=cell~8~1" in page.url
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    with Path(download.value.path()).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5
    assert {(row["actual"], row["logistic_regression"]) for row in rows} == {("8", "1")}


def test_turned_a_click_means_the_same_cell(page: Page, server: str) -> None:
    open_classes(page, f"{server}/classes?data=cat_fish_hen&side=predicted")
    click(page, 0, 1)
    assert "selected=cell~Fish~Cat" in page.url
    expect(main(page)).to_contain_text("6 rows of class Fish predicted as Cat.")


def test_the_picture_is_saved_keys_walk_the_cells_and_a_cell_opens_its_class(page: Page, server: str) -> None:
    open_classes(page, f"{server}/classes?data=cat_fish_hen")
    name, content = saved_picture(page, page.locator(".cells .camera"))
    assert name.endswith(" classes.svg")
    picture = ElementTree.fromstring(content)
    words = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert words[0] == "Confusion matrix, counts"
    assert {"actual", "predicted", "Cat", "Fish", "Hen", "right 0"} <= set(words)
    page.mouse.move(0, 0)
    scroller(page).focus()
    expect(active(page)).to_contain_text("actual Cat, predicted Cat; 4 animals; 66.7\u202f% of the actual class")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    expect(active(page)).to_contain_text("actual Fish, predicted Cat; 6 animals")
    expect(page.locator(".st-key-cells [aria-live=polite]")).to_contain_text("actual Fish, predicted Cat")
    act(page, lambda: page.keyboard.press("Enter"))
    assert "selected=cell~Fish~Cat" in page.url
    frames = page.locator(".frame")
    expect(frames).to_have_count(1)
    expect(frames.nth(0).locator(".cell.tp input")).to_have_value("2")
    scroller(page).focus()  # the keys were in the drawer, which has opened
    page.keyboard.press("End")
    expect(active(page)).to_contain_text("actual Fish, predicted Hen; 2 animals")
    # A label opens its class alone.
    click(page, 2, None)
    expect(frames.nth(0).locator(".cell.tp input")).to_have_value("6")
    assert "selected=" not in page.url


def test_merged_classes_are_one_row_and_clustered_lays_confused_ones_beside_each_other(page: Page, server: str) -> None:
    open_classes(page, f"{server}/classes?data=digits&system=naive_bayes&groups=round~8~9")
    assert order_on_screen(page, 9) == [*"01234567", "round"]
    page.get_by_role("button", name="Merge classes").click()
    act(page, page.get_by_role("button", name="Split", exact=True).click)
    page.keyboard.press("Escape")
    assert order_on_screen(page, 10) == list("0123456789")
    choose(page, "Order", "clustered")
    assert "order=clustered" in page.url
    order = order_on_screen(page, 10)
    assert sorted(order) == list("0123456789")
    # The two largest confusions of this model: 2 called 8, and 4 called 7.
    assert abs(order.index("2") - order.index("8")) == 1
    assert abs(order.index("4") - order.index("7")) == 1


def test_a_link_shows_a_stranger_the_same_matrix(page: Page, visitor: Callable[..., Page], server: str) -> None:
    open_classes(page, f"{server}/classes?data=digits")
    choose(page, "Order", "clustered")
    choose(page, "Cells show", "share of row")
    page.get_by_role("button", name="Picture", exact=True).click()
    act(page, page.get_by_text("Errors only").click)
    page.keyboard.press("Escape")
    choose(page, "Compare with", "naive_bayes")
    click(page, 3, 4)
    act(page, page.get_by_text("Two classes side by side").click)
    choose(page, "Second class", "0")
    expect(page.locator(".frame")).to_have_count(3)
    stranger = visitor()
    open_classes(stranger, page.url)
    reload(page)
    for again in (stranger, page):
        expect(again.locator(".frame")).to_have_count(3)
        expect(main(again)).to_contain_text("What differs by more than chance")
    assert stranger.url == page.url
    expect(main(stranger)).to_have_text(main(page).inner_text(), use_inner_text=True)
    assert order_on_screen(stranger, 10) == order_on_screen(page, 10)


def test_the_confusion_page_leads_to_all_classes_with_the_same_class(page: Page, server: str) -> None:
    visit(page, f"{server}/confusion?data=digits&class=7")
    act(page, page.get_by_role("link", name="All classes").click)
    expect(page.locator("[data-testid=stMain] h1")).to_have_text("Classes")
    expect(page.locator(".frame .side").first).to_contain_text("7")


def test_on_a_phone_nothing_is_wider_than_the_screen(page: Page, server: str) -> None:
    page.set_viewport_size(PHONE)
    open_classes(page, f"{server}/classes?data=digits&cell=8~1&class=8&beside=1&other=naive_bayes")
    assert np.array(page.evaluate(OVERFLOW)).max() <= 0
