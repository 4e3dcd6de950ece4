"""The moving pictures of README and docs, made of Chromium's frames: ``make shots SHOTS="--films threshold pins"``."""

from collections.abc import Callable, Collection, Iterable, Iterator
from io import BytesIO

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.screen import act, choose, drop, settle, visit
from tests.browser.server import ROOT

VIEW: ViewportSize = {"width": 1200, "height": 860}
WIDTH = 1200
CLIPBOARD = ["clipboard-read", "clipboard-write"]
PACE = 90  # milliseconds a frame; the last one stays a second


def drag_threshold(page: Page, pace: int = 17) -> Iterator[None]:
    """The threshold goes through the scores, right and back; where it is let go, the finding follows."""
    yield from _drag(page, _knob(page), [*range(0, 340, pace), *range(340, -60, -pace)])
    yield


def _knob(page: Page) -> tuple[float, float]:
    """The middle of the handle of the threshold."""
    knob = page.locator(".threshold-view .knob").bounding_box()
    return knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2


def _drag(page: Page, start: tuple[float, float], steps: Iterable[int]) -> Iterator[None]:
    """Press at a place, move to the side by each of the steps, and let go."""
    x, y = start
    page.mouse.move(x, y)
    page.mouse.down()
    for step in steps:
        page.mouse.move(x + step, y)
        yield
    act(page, page.mouse.up)


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
    act(page, page.locator(".rankings .head button", has_text="−").click)
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


def shake_threshold(page: Page) -> Iterator[None]:
    """Samples like the rows go by, and leave their ticks and what was seen."""
    yield from 3 * [None]
    page.evaluate("() => { window.filmed = performance.now(); performance.now = () => window.filmed }")
    later = "async ms => { window.filmed += ms; for (const _ of [1, 2]) await new Promise(requestAnimationFrame) }"
    act(page, page.locator(".threshold-view .shake").click)
    for _ in range(9):
        for part in (100, 100, 85, 90):
            page.evaluate(later, part)
            yield
    while not page.locator(".threshold-view .samples").text_content():
        page.evaluate(later, 400)
    yield from 8 * [None]


def turn_costs(page: Page) -> Iterator[None]:
    """The knob of costs turns; then a miss costs the amount of its own row, and a false alarm is turned."""

    def turn(name: str, steps: Iterator[int] | range) -> Iterator[None]:
        box = page.get_by_role("spinbutton", name=name).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for step in steps:
            page.mouse.move(x + step, y)
            page.wait_for_timeout(40)
            yield
        act(page, page.mouse.up)

    page.get_by_role("button", name="What does a miss cost?").click()
    yield from 4 * [None]
    yield from turn("Cost of a miss", range(6, 162, 13))
    yield from 8 * [None]
    act(page, lambda: page.get_by_role("combobox", name="A miss costs").select_option("amount"))
    yield from 8 * [None]
    yield from turn("Cost of a false alarm", range(6, 90, 12))
    yield from 8 * [None]


def read_report(page: Page) -> Iterator[None]:
    """The saved file of the report is scrolled through; the view beside the steps shows what each speaks of."""
    yield from 6 * [None]
    page.clock.install()
    page.set_content(page.locator("iframe[title=Report]").get_attribute("srcdoc") or "")
    for step in ("numbers", "goal", "certain", "costs"):
        top = page.locator(f"#{step}").evaluate("one => one.getBoundingClientRect().top") - 24
        for _ in range(4):
            page.evaluate("rest => scrollBy(0, rest)", top / 4)
            page.clock.run_for(PACE)
            yield
        for _ in range(9):
            page.clock.run_for(PACE)
            yield


_HELD = """() => {
  const run = window.requestAnimationFrame.bind(window)
  let [held, now] = [[], 0]
  window.requestAnimationFrame = draw => (document.querySelector(".flight > svg") ? held.push(draw) : run(draw))
  window.advance = () => {
    const due = held
    held = []
    for (const draw of due) draw((now += 34))
    return due.length > 0
  }
}"""
"""In a film, the frames of what flies wait for `advance`: a picture of one takes longer than it is shown."""
_FLIES = """() => (
  window.advance ? [1, 2, 3, 4].every(window.advance) : Boolean(document.querySelector(".flight > svg"))
)"""


def fly_between_curves(page: Page) -> Iterator[None]:
    """The points go by hand from ROC to precision–recall, then fly to gain and DET and back, and out of the corner."""
    page.emulate_media(reduced_motion="no-preference")
    way = page.locator(".way")
    for share in (*range(0, 100, 18), 100, 0):
        way.fill(str(share))
        yield
    tab = lambda name: page.get_by_role("tab", name=name, exact=True)  # noqa: E731
    for press in (tab("Gain"), tab("DET"), tab("ROC and precision–recall"), page.locator(".st-key-roc .corner")):
        press.click()
        page.locator(".flight > svg").first.wait_for(state="attached")
        while page.evaluate(_FLIES):
            yield
        settle(page)
        yield from 5 * [None]


def pin_threshold(page: Page) -> Iterator[None]:
    """A threshold is pinned, the line leaves it and every number says by how much, and undo goes back."""
    yield from 4 * [None]
    act(page, page.get_by_role("button", name="Pin this threshold").click)
    yield from 5 * [None]
    yield from _drag(page, _knob(page), range(0, 192, 12))
    yield from 10 * [None]
    act(page, lambda: page.keyboard.press("Control+z"))
    yield from 8 * [None]


def brush_rows(page: Page) -> Iterator[None]:
    """Bars are brushed and their rows stand beside the picture; then a cell, whose rows follow the threshold."""
    yield from 4 * [None]
    plot = page.locator(".threshold-view .plot").first.bounding_box()
    page.keyboard.down("Shift")
    yield from _drag(page, (plot["x"] + 0.38 * plot["width"], plot["y"] + 70), range(0, 150, 15))
    page.keyboard.up("Shift")
    yield from 10 * [None]
    act(page, page.get_by_role("spinbutton", name="FN").click)
    yield from 8 * [None]
    yield from _drag(page, _knob(page), range(0, 60, 6))
    yield from 10 * [None]


FILMS: dict[str, tuple[str, Callable[[Page], Iterator[None]], int]] = {
    ".github/threshold.webp": ("/threshold?data=breast_cancer&t=0.3", drag_threshold, WIDTH),
    ".github/classes.webp": ("/classes?data=digits", change_matrix, WIDTH),
    "docs/films/home.webp": ("/", drop_on_home, WIDTH),
    "docs/films/shake.webp": ("/threshold?data=roc_20&t=0.5", shake_threshold, 900),
    "docs/films/costs.webp": ("/threshold?data=payments&t=0.5", turn_costs, WIDTH),
    "docs/films/pins.webp": ("/threshold?data=breast_cancer&t=0.3648", pin_threshold, WIDTH),
    "docs/films/drawer.webp": ("/threshold?data=breast_cancer&t=0.3", brush_rows, WIDTH),
    "docs/films/curves.webp": ("/curves?data=breast_cancer", fly_between_curves, 900),
    "docs/films/gallery.webp": ("/ranking?data=image_retrieval_graded", walk_gallery, WIDTH),
    "docs/films/card.webp": ("/threshold?data=breast_cancer&t=0.3648", copy_card, WIDTH),
    "docs/films/report.webp": ("/report?data=breast_cancer", read_report, WIDTH),
}
"""Each film's file with the address, the moves that it shows, and its width and that of the window."""


def opened(
    browser: Browser, server: str, wanted: Collection[str], scale: int
) -> Iterator[tuple[str, Page, Callable[[Page], Iterator[None]], int]]:
    """Each film whose file holds one of the wanted words, or all: its file, its page opened, its moves, its width."""
    for file, (address, moves, width) in FILMS.items():
        if wanted and not any(word in file for word in wanted):
            continue
        context = browser.new_context(
            viewport=VIEW | {"width": width}, color_scheme="light", device_scale_factor=scale, permissions=CLIPBOARD
        )
        page = context.new_page()
        visit(page, server + address)
        page.add_style_tag(content="[data-testid=stSidebar], [data-testid=stHeader] { display: none }")
        page.wait_for_load_state("networkidle")
        yield file, page, moves, width
        context.close()


def film(browser: Browser, server: str, wanted: Collection[str]) -> None:
    """Write the wanted films as animated WebP."""
    for file, page, moves, width in opened(browser, server, wanted, 2):
        page.evaluate(_HELD)
        frames = [_frame(page, width), *(_frame(page, width) for _ in moves(page))]
        frames[0].save(
            ROOT / file, save_all=True, append_images=frames[1:], loop=0, quality=45, method=6,
            duration=[PACE] * (len(frames) - 1) + [1000],
        )  # fmt: skip


def _frame(page: Page, width: int) -> Image.Image:
    frame = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return frame.resize((width, frame.height * width // frame.width), Image.Resampling.LANCZOS)
