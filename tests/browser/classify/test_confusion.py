"""The 2×2 table in a browser: it is typed into, turned, looked at, and sent as a link."""

import itertools
import re
from collections.abc import Callable
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from evalcore import METRICS
from tests.browser.conftest import PHONE
from tests.browser.screen import FOCUSED, TWO_FRAMES, act, arrive, go, main, reload, saved_picture, settle, visit

# The widest thing on a page must not be wider than its window.
OVERFLOW = """() => {
  const boxes = [document.scrollingElement, document.querySelector("[data-testid=stMain]")];
  return boxes.map(box => box.scrollWidth - box.clientWidth);
}"""


def cell(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-frame .cell.{name} input")


def ratio(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-frame .ratio[data-measure={key}]")


def value(page: Page, key: str) -> Locator:
    return ratio(page, key).locator("b")


def formula(page: Page) -> Locator:
    return page.locator(".st-key-frame .formula")


def type_into(page: Page, name: str, text: str) -> None:
    cell(page, name).fill(text)
    act(page, lambda: cell(page, name).press("Enter"))


def go_back_to_the_data(page: Page) -> None:
    act(page, page.get_by_role("button", name="Back to the data").click)
    expect(value(page, "recall")).to_have_text("66.7\u202f%")
    expect(cell(page, "fn")).to_have_value("10")
    assert "cells" not in page.url


def test_a_typed_cell_changes_the_rest_travels_with_the_link_and_has_to_be_a_count(
    page: Page, visitor: Callable[..., Page], server: str
) -> None:
    visit(page, f"{server}/confusion?data=cancer_test")
    expect(value(page, "recall")).to_have_text("66.7\u202f%")
    type_into(page, "fn", "30")
    expect(value(page, "recall")).to_have_text("40.0\u202f%")
    expect(main(page)).to_contain_text("What if")
    assert "cells=20%2C180%2C30%2C1820" in page.url
    stranger = visitor()
    visit(stranger, page.url)
    expect(value(stranger, "recall")).to_have_text("40.0\u202f%")
    expect(cell(stranger, "fn")).to_have_value("30")
    reload(page)
    expect(value(page, "recall")).to_have_text("40.0\u202f%")
    expect(main(page)).to_contain_text("What if")
    go_back_to_the_data(page)
    for refused in ("-5", "abc", "", "Infinity", "1e16", "<b>7</b>", "1e-300"):
        cell(page, "fn").fill(refused)
        cell(page, "fn").press("Enter")
        expect(cell(page, "fn")).to_have_value("10")
        expect(value(page, "recall")).to_have_text("66.7\u202f%")
        assert "cells" not in page.url
    cell(page, "fn").fill("999")
    cell(page, "fn").press("Escape")
    expect(cell(page, "fn")).to_have_value("10")
    assert "cells" not in page.url
    type_into(page, "tn", "1\u202f821")
    expect(cell(page, "tn")).to_have_value("1\u202f821")
    assert page.url.endswith("cells=20%2C180%2C10%2C1821")
    type_into(page, "tn", "12,345.5")
    assert page.url.endswith("cells=20%2C180%2C10%2C12345.5")
    # A typed margin keeps what its side says, and a second cell keeps the first.
    go_back_to_the_data(page)
    positives = page.locator(".st-key-frame .class .sum input").first
    positives.fill("60")
    act(page, lambda: positives.press("Enter"))
    expect(cell(page, "tp")).to_have_value("40")
    expect(value(page, "recall")).to_have_text("66.7\u202f%")
    expect(value(page, "precision")).to_have_text("18.2\u202f%")
    type_into(page, "fn", "60")
    type_into(page, "fp", "0")
    expect(value(page, "precision")).to_have_text("100.0\u202f%")
    expect(value(page, "recall")).to_have_text("40.0\u202f%")


def test_four_counts_are_typed_one_after_the_other_without_taking_the_hands_off_the_keys(
    visitor: Callable[..., Page], server: str
) -> None:
    page = visitor()  # of its own, as answers may come after its end
    arrive(page, f"{server}/confusion?cells=0%2C0%2C0%2C0")
    cell(page, "tp").focus()
    for name, text in {"tp": "90", "fp": "10", "fn": "20", "tn": "880"}.items():
        expect(cell(page, name)).to_be_focused()
        page.keyboard.type(text)
        act(page, lambda: page.keyboard.press("Tab"))
    assert page.url.endswith("cells=90%2C10%2C20%2C880")
    cell(page, "fp").focus()
    page.keyboard.type("30")
    act(page, lambda: page.keyboard.press("Enter"))
    expect(cell(page, "fp")).to_be_focused()
    # What is typed while an answer comes stays.
    page.keyboard.press("Tab")
    page.keyboard.type("40")
    page.keyboard.press("Tab")
    page.keyboard.type("8")
    expect(value(page, "recall")).to_have_text("69.2\u202f%")
    page.evaluate(TWO_FRAMES)
    expect(cell(page, "tn")).to_have_value("8")
    page.keyboard.press("Enter")  # which has nothing to send where the field was drawn anew and has sent it
    expect(page).to_have_url(re.compile("cells=90%2C30%2C40%2C8$"))
    page.keyboard.press("Escape")
    expect(cell(page, "tn")).to_be_focused()
    settle(page)


def places(page: Page) -> list[str]:
    """The four cells from left to right and from above."""
    cells = page.locator(".st-key-frame .cell")
    expect(cells).to_have_count(4)  # the frame draws itself after the page is complete
    return cells.evaluate_all("cells => cells.map(cell => cell.dataset.cell)")


def test_turning_the_frame_changes_its_rows_and_survives_a_reload(page: Page, server: str) -> None:
    visit(page, f"{server}/confusion?data=cancer_test")
    assert places(page) == ["tp", "fp", "fn", "tn"]
    act(page, main(page).get_by_role("radio", name="rows", exact=True).click)
    expect(page.locator(".st-key-frame .side").first).to_contain_text("actual ill")
    assert places(page) == ["tp", "fn", "fp", "tn"]
    expect(value(page, "recall")).to_have_text("66.7\u202f%")
    reload(page)
    expect(page.locator(".st-key-frame .side").first).to_contain_text("actual ill")
    assert places(page) == ["tp", "fn", "fp", "tn"]


LIT = {
    "precision": ({"tp"}, {"tp", "fp"}),
    "recall": ({"tp"}, {"tp", "fn"}),
    "fall_out": ({"fp"}, {"fp", "tn"}),
    "accuracy": ({"tp", "tn"}, {"tp", "fp", "fn", "tn"}),
}


def lit(page: Page, kind: str) -> set[str]:
    return set(page.locator(f".st-key-frame .cell.{kind}").evaluate_all("cells => cells.map(c => c.dataset.cell)"))


NAME = f"""() => {{
  const at = {FOCUSED};
  return at.ariaLabel || at.closest("[data-measure]")?.dataset.measure || "";
}}"""


def test_looking_at_a_ratio_lights_its_cells_and_the_keyboard_reaches_all_of_them(page: Page, server: str) -> None:
    visit(page, f"{server}/confusion?data=cancer_test")
    assert has_no_words_too_pale_to_read(page, is_dark=False)
    for way, (key, (above, below)) in itertools.product(("hover", "focus"), LIT.items()):
        getattr(ratio(page, key).get_by_role("link"), way)()
        expect(page.locator(".st-key-frame .cell.denominator")).to_have_count(len(below))
        assert (lit(page, "numerator"), lit(page, "denominator")) == (above, below)
        expect(formula(page)).to_contain_text(f"{METRICS[key].name.lower()} = ")
    expect(formula(page)).to_contain_text("(20 + 1\u202f820) / (20 + 180 + 10 + 1\u202f820) = 90.6\u202f%")
    expect(formula(page)).to_have_attribute("aria-live", "polite")
    value(page, "recall").click()
    ratio(page, "specificity").hover()
    expect(formula(page)).to_contain_text("specificity = ")
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.shadowRoot?.activeElement?.blur() ?? document.activeElement?.blur()")
    expect(formula(page)).to_contain_text("recall = TP / (TP + FN) = 20 / (20 + 10) = 66.7\u202f%")
    assert lit(page, "numerator") == set()
    expect(page.get_by_role("textbox", name=re.compile("^false negatives"))).to_have_value("10")
    cell(page, "tp").focus()
    reached = [page.evaluate(NAME)]
    for _ in range(24):
        page.keyboard.press("Tab")
        reached.append(page.evaluate(NAME))
    cells = {"true positives", "false positives", "false negatives", "true negatives"}
    assert cells | {"precision", "negative_predictive_value", "recall", "fall_out", "error_rate"} <= set(reached)
    cell(page, "fn").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("30")
    act(page, lambda: page.keyboard.press("Enter"))
    expect(value(page, "recall")).to_have_text("40.0\u202f%")


def test_on_a_phone_nothing_sticks_out(page: Page, server: str) -> None:
    page.set_viewport_size(PHONE)
    lead = visit
    for scheme, query in (
        ("light", "data=cancer_test"),
        ("light", "data=woman_man_child&actual=rows"),
        ("dark", "data=breast_cancer&cells=1e15,1e15,1e15,1e15"),
    ):
        page.emulate_media(color_scheme=scheme)
        lead(page, f"{server}/confusion?{query}")
        lead = go
        expect(value(page, "recall")).to_be_visible()
        assert page.evaluate(OVERFLOW) == [0, 0]
        right = page.locator(".st-key-frame .table > *").evaluate_all(
            "parts => Math.max(...parts.map(part => part.getBoundingClientRect().right))"
        )
        assert right <= PHONE["width"]


def has_no_words_too_pale_to_read(page: Page, is_dark: bool) -> bool:
    grey, paper = page.locator(".st-key-frame .ratio a").first.evaluate(
        """label => {
          const draw = document.createElement("canvas").getContext("2d");
          const rgb = colour => {
            draw.fillStyle = colour;
            draw.fillRect(0, 0, 1, 1);
            return [...draw.getImageData(0, 0, 1, 1).data];
          };
          const app = document.querySelector("[data-testid=stApp]");
          return [rgb(getComputedStyle(label).color), rgb(getComputedStyle(app).backgroundColor)];
        }"""
    )
    assert contrast(grey, paper) >= 4.5
    assert (_luminance(paper) < 0.5) == is_dark
    return True


def contrast(a: list[int], b: list[int]) -> float:
    """How far two colours are apart, as WCAG 2 counts it."""
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: list[int]) -> float:
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in colour[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_formula_of_several_lines_keeps_fractions_apart_and_a_cell_opens_its_rows(page: Page, server: str) -> None:
    page.set_viewport_size(PHONE)
    visit(page, f"{server}/confusion?data=breast_cancer")
    act(page, page.get_by_text("Formulas with these numbers").click)
    kappa = page.locator(".st-key-formulas p", has_text="Cohen's kappa")
    expect(kappa.locator(".katex-html > .base").first).to_be_visible()
    overlaps = kappa.evaluate(
        """formula => {
          const parts = [...formula.querySelectorAll(".katex-html > .base")].map(base => {
            const boxes = [...base.querySelectorAll(".mord")].map(sign => sign.getBoundingClientRect())
            const [top, bottom] = [boxes.map(box => box.top), boxes.map(box => box.bottom)]
            return { line: base.offsetTop + base.offsetHeight / 2, top: Math.min(...top), bottom: Math.max(...bottom) }
          })
          const next = (one, two) => two.line - one.line > 20 && two.top < one.bottom
          return parts.slice(1).filter((part, place) => next(parts[place], part)).length
        }"""
    )
    assert overlaps == 0
    act(page, page.get_by_role("button", name="FN", exact=True).click)
    expect(page.locator(".st-key-drawer")).to_contain_text("missed (FN)")
    assert "selected=cell~fn" in page.url
    act(page, lambda: page.get_by_role("button", name="FN", exact=True).press("Enter"))
    expect(page.locator(".st-key-drawer")).to_have_count(0)


def test_the_table_is_saved_as_it_stands_as_svg_and_as_png_on_the_ground_of_the_page(page: Page, server: str) -> None:
    page.emulate_media(color_scheme="dark")
    visit(page, f"{server}/confusion?data=cancer_test")
    assert has_no_words_too_pale_to_read(page, is_dark=True)
    camera = page.locator(".frame .camera")
    name, content = saved_picture(page, camera)
    assert name == "Cancer test confusion matrix.svg"
    words = [text.text for text in ElementTree.fromstring(content).iter("{http://www.w3.org/2000/svg}text")]
    assert {
        "Confusion matrix: ill and healthy",
        "actually",
        "20",
        "TP",
        "1\u202f820",
        "recall · sensitivity",
        "66.7\u202f%",
    } <= set(words)
    act(page, page.get_by_role("button", name="Share", exact=True).click)
    act(page, page.get_by_role("radio", name="PNG").click)
    act(page, lambda: page.keyboard.press("Escape"))
    name, content = saved_picture(page, camera)
    assert name == "Cancer test confusion matrix.png"
    picture = Image.open(BytesIO(content)).convert("RGBA")
    assert picture.getpixel((2, 2)) == (0x0F, 0x13, 0x18, 255)
    assert picture.width > 2 * camera.locator("..").bounding_box()["width"]


def test_the_open_cell_has_an_outline(page: Page, server: str) -> None:
    visit(page, f"{server}/confusion?data=breast_cancer&selected=cell~fn")
    expect(page.locator(".cell.fn")).to_have_css("outline-width", "3px")
    expect(page.locator(".cell.tp")).to_have_css("outline-width", "2px")  # of no colour
