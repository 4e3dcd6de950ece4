"""The playground in a browser: frames a second while hills are shaped, bars drawn and the threshold swept."""

from playwright.sync_api import Page

from benchmarks.browser import WINDOW, browsing, counted
from benchmarks.clock import frames_line
from tests.browser.screen import resting_box, visit

HOST = ".st-key-playground [data-testid=stBidiComponentIsolated]"
TURNS = [*range(0, 121), *range(120, -121, -1), *range(-120, 1)]
"""Where the pointer goes, in pixels from where it went down."""


def shape(page: Page, knob: str) -> float:
    """Frames a second while a knob is dragged to and fro; both curves and both hills are drawn anew in each."""
    box = resting_box(page.get_by_label(knob).and_(page.locator(".knob-of")))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    with counted(page, HOST, "path.curve.faint", "d") as rate:
        for turn in TURNS:
            page.mouse.move(x + turn, y)
    page.mouse.up()
    return rate[0]


def draw(page: Page) -> float:
    """Frames a second while bars are drawn over the whole picture."""
    page.get_by_role("button", name="Draw bars by hand").click()
    box = resting_box(page.locator(".playground .paper"))
    page.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2)
    page.mouse.down()
    with counted(page, HOST, "path.curve.faint", "d") as rate:
        for part in range(361):
            height = 0.3 + 0.4 * (part % 90) / 90
            page.mouse.move(box["x"] + box["width"] * part / 361, box["y"] + box["height"] * height)
    page.mouse.up()
    return rate[0]


def sweep(page: Page) -> float:
    """Frames a second while the threshold sweeps by itself."""
    page.wait_for_timeout(1000)
    grip = page.locator(".playground").get_by_role("slider", name="Threshold")
    grip.focus()
    with counted(page, HOST, ".moving", "transform") as rate:
        page.keyboard.press("Space")
        page.wait_for_timeout(3000)
        page.keyboard.press("Space")
    return rate[0]


def main() -> None:
    with browsing() as (browser, server, _):
        page = browser.new_page(viewport=WINDOW)
        visit(page, f"{server}/playground")
        page.wait_for_timeout(2000)
        rates = {
            "the mean of a hill is dragged": shape(page, "Mean of the positives"),
            "its spread is dragged": shape(page, "Spread of the positives"),
            "the threshold sweeps": sweep(page),
        }
        page.wait_for_timeout(1000)
        rates["bars are drawn"] = draw(page)
        for name, rate in rates.items():
            frames_line(name, rate)


if __name__ == "__main__":
    main()
