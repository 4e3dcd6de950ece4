"""The moving pictures of README and docs, made of Chromium's frames: ``make shots SHOTS="--films threshold pins"``."""

from collections.abc import Callable, Collection, Iterator
from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.screen import act, choose, visit
from tests.browser.server import ROOT

VIEW: ViewportSize = {"width": 1200, "height": 860}
WIDTH = 1200
PACE = 90  # milliseconds a frame; the last one stays a second


def drag_threshold(page: Page) -> Iterator[None]:
    """The threshold goes through the scores, right and back; where it is let go, the finding follows."""
    knob = page.locator(".threshold-view .knob").bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in [*range(0, 340, 17), *range(340, -60, -17)]:
        page.mouse.move(x + step, y)
        yield
    act(page, page.mouse.up)
    yield


def change_matrix(page: Page) -> Iterator[None]:
    """What the cells show, the order that puts confused classes together, and the errors alone."""
    for option in ("share of row", "share of column", "count"):
        choose(page, "Cells show", option)
        yield from 12 * [None]
    page.get_by_role("button", name="Picture", exact=True).click()
    act(page, page.get_by_text("Errors only", exact=True).click)
    yield from 16 * [None]


def brush_rows(page: Page) -> Iterator[None]:
    """Bars are brushed and their rows stand beside the picture; then a cell, whose rows follow the threshold."""
    yield from 4 * [None]
    plot = page.locator(".threshold-view .plot").first.bounding_box()
    x, y = plot["x"] + 0.38 * plot["width"], plot["y"] + 70
    page.keyboard.down("Shift")
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(0, 150, 15):
        page.mouse.move(x + step, y)
        yield
    act(page, page.mouse.up)
    page.keyboard.up("Shift")
    yield from 10 * [None]
    act(page, page.get_by_role("spinbutton", name="FN").click)
    yield from 8 * [None]
    knob = page.locator(".threshold-view .knob").bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(0, 60, 6):
        page.mouse.move(x + step, y)
        yield
    act(page, page.mouse.up)
    yield from 10 * [None]


FILMS: dict[str, tuple[str, Callable[[Page], Iterator[None]]]] = {
    ".github/threshold.webp": ("/threshold?data=breast_cancer&t=0.3", drag_threshold),
    "docs/films/drawer.webp": ("/threshold?data=breast_cancer&t=0.3", brush_rows),
    ".github/classes.webp": ("/classes?data=digits", change_matrix),
}
"""Each film's file with the address and the moves that it shows."""


def film(browser: Browser, server: str, wanted: Collection[str]) -> None:
    """Write the films whose file holds one of the wanted words, or all, as animated WebP."""
    for file, (address, moves) in FILMS.items():
        if wanted and not any(word in file for word in wanted):
            continue
        page = browser.new_context(viewport=VIEW, color_scheme="light", device_scale_factor=2).new_page()
        visit(page, server + address)
        page.add_style_tag(content="[data-testid=stSidebar], [data-testid=stHeader] { display: none }")
        page.wait_for_load_state("networkidle")
        frames = [_frame(page), *(_frame(page) for _ in moves(page))]
        frames[0].save(
            ROOT / file, save_all=True, append_images=frames[1:], loop=0, quality=45, method=6,
            duration=[PACE] * (len(frames) - 1) + [1000],
        )  # fmt: skip


def _frame(page: Page) -> Image.Image:
    frame = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return frame.resize((WIDTH, frame.height * WIDTH // frame.width), Image.Resampling.LANCZOS)
