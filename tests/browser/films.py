"""The moving pictures of README and docs, made of Chromium's frames: ``make shots SHOTS="--films threshold pins"``."""

from collections.abc import Callable, Collection, Iterator
from io import BytesIO

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.screen import act, choose, settle, visit
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
"""While something flies, its frames wait for `advance`: a picture of one takes longer than it is shown."""


def fly_between_curves(page: Page) -> Iterator[None]:
    """The points go by hand from ROC to precision–recall, then fly to gain and DET and back, and out of the corner."""
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(_HELD)
    way = page.locator(".way")
    for share in (*range(0, 100, 18), 100, 0):
        way.fill(str(share))
        yield
    tab = lambda name: page.get_by_role("tab", name=name, exact=True)  # noqa: E731
    for press in (tab("Gain"), tab("DET"), tab("ROC and precision–recall"), page.locator(".st-key-roc .corner")):
        press.click()
        page.locator(".flight > svg").first.wait_for(state="attached")
        while page.evaluate("() => [1, 2, 3, 4].every(window.advance)"):
            yield
        settle(page)
        yield from 5 * [None]


FILMS: dict[str, tuple[str, Callable[[Page], Iterator[None]], int]] = {
    ".github/threshold.webp": ("/threshold?data=breast_cancer&t=0.3", drag_threshold, WIDTH),
    ".github/classes.webp": ("/classes?data=digits", change_matrix, WIDTH),
    "docs/films/curves.webp": ("/curves?data=breast_cancer", fly_between_curves, 900),
}
"""Each film's file with the address, the moves that it shows, and its width and that of the window."""


def film(browser: Browser, server: str, wanted: Collection[str]) -> None:
    """Write the films whose file holds one of the wanted words, or all, as animated WebP."""
    for file, (address, moves, width) in FILMS.items():
        if wanted and not any(word in file for word in wanted):
            continue
        view = VIEW | {"width": width}
        page = browser.new_context(viewport=view, color_scheme="light", device_scale_factor=2).new_page()
        visit(page, server + address)
        page.add_style_tag(content="[data-testid=stSidebar], [data-testid=stHeader] { display: none }")
        page.wait_for_load_state("networkidle")
        frames = [_frame(page, width), *(_frame(page, width) for _ in moves(page))]
        frames[0].save(
            ROOT / file, save_all=True, append_images=frames[1:], loop=0, quality=45, method=6,
            duration=[PACE] * (len(frames) - 1) + [1000],
        )  # fmt: skip


def _frame(page: Page, width: int) -> Image.Image:
    frame = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return frame.resize((width, frame.height * width // frame.width), Image.Resampling.LANCZOS)
