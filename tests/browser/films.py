"""The moving pictures of README and docs, made of Chromium's frames: ``make shots SHOTS="--films threshold pins"``."""

from collections.abc import Callable, Collection, Iterator
from io import BytesIO

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.screen import act, choose, drop, visit
from tests.browser.server import ROOT

VIEW: ViewportSize = {"width": 1200, "height": 860}
WIDTH = 1200
CLIPBOARD = ["clipboard-read", "clipboard-write"]
PACE = 90  # milliseconds a frame; the last one stays a second


def drag_threshold(page: Page, pace: int = 17) -> Iterator[None]:
    """The threshold goes through the scores, right and back; where it is let go, the finding follows."""
    knob = page.locator(".threshold-view .knob").bounding_box()
    x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in [*range(0, 340, pace), *range(340, -60, -pace)]:
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


def walk_gallery(page: Page) -> Iterator[None]:
    """The ranks of each query, the sawtooth of each one pointed at, and the queries where two systems differ most."""
    act(page, page.get_by_role("button", name="Show the ranks of each query").click)
    yield from 6 * [None]
    yield from _point_at_strips(page)
    act(page, lambda: page.get_by_label("Second system").select_option("cosine"))
    act(page, page.locator(".rankings .head button", has_text="difference").click)
    page.locator(".rankings .scroller").evaluate("box => { box.scrollTop = 0 }")
    yield from 6 * [None]
    yield from _point_at_strips(page)


def _point_at_strips(page: Page) -> Iterator[None]:
    strip = page.locator(".rankings canvas").first.bounding_box()
    for step in range(16):
        page.mouse.move(strip["x"] + 8 + 10 * step, strip["y"] + 14 + 28 * (step // 2))
        yield


def drop_on_home(page: Page) -> Iterator[None]:
    """A file is dropped on the picture of a sample and takes it over; its threshold is dragged."""
    random = np.random.default_rng(5)
    spam = random.random(3000) < 0.35
    scores = 1 / (1 + np.exp(-random.normal(np.where(spam, 1.6, -1.4), 1.3)))
    rows = zip(np.where(spam, "spam", "ham"), scores.round(4), strict=True)
    held = "truth,my_model\n" + "".join(f"{truth},{score}\n" for truth, score in rows)
    yield from 8 * [None]
    drop(page, "mails.csv", held, "dragover")
    yield from 8 * [None]
    act(page, lambda: drop(page, "mails.csv", held, "drop"))
    yield from 10 * [None]
    yield from drag_threshold(page, 40)


def copy_card(page: Page) -> Iterator[None]:
    """Under Share the finding is a card, which is copied; then the card itself."""
    yield from 6 * [None]
    act(page, page.get_by_role("button", name="Share").click)
    yield from 10 * [None]
    page.get_by_role("button", name="Copy as card").click()
    page.get_by_text("Copied", exact=True).wait_for()
    yield from 12 * [None]
    source = page.locator(".card img").get_attribute("src")
    page.set_content(f'<body style="margin: 115px 0; background: #888"><img src="{source}" alt="">')
    page.locator("img").wait_for()
    yield from 20 * [None]


FILMS: dict[str, tuple[str, Callable[[Page], Iterator[None]]]] = {
    ".github/threshold.webp": ("/threshold?data=breast_cancer&t=0.3", drag_threshold),
    ".github/classes.webp": ("/classes?data=digits", change_matrix),
    "docs/films/gallery.webp": ("/ranking?data=image_retrieval_graded", walk_gallery),
    "docs/films/home.webp": ("/", drop_on_home),
    "docs/films/card.webp": ("/threshold?data=breast_cancer&t=0.3648", copy_card),
}
"""Each film's file with the address and the moves that it shows."""


def film(browser: Browser, server: str, wanted: Collection[str]) -> None:
    """Write the films whose file holds one of the wanted words, or all, as animated WebP."""
    for file, (address, moves) in FILMS.items():
        if wanted and not any(word in file for word in wanted):
            continue
        page = browser.new_context(
            viewport=VIEW, color_scheme="light", device_scale_factor=2, permissions=CLIPBOARD
        ).new_page()
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
