"""Pictures of every page, wide and narrow, light and dark, into ``shots/``: ``make shots``, then look at them."""

import sys
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import sync_playwright

from evalcore.registry import PAGES
from pages.widgets.start.home.home import QUESTIONS
from tests.browser import chromium
from tests.browser.films import film
from tests.browser.screen import visit
from tests.browser.server import ROOT, serving

SIZES = {"wide": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}
SCHEMES = ("light", "dark")
UNHINTED = ("--font-render-hinting=none",)
"""Letters as far apart as on a screen of twice the density, which the pictures have."""
FOLDER = ROOT / "shots"
SAMPLE = "breast_cancer"  # for the pages that no question leads to


def addresses() -> list[tuple[str, str]]:
    """Each page that exists with the address of it on a sample that suits it; home and data with nothing open too."""
    suits = {page: data for _, _, page, data in reversed(QUESTIONS)}  # the first question of a page
    shown = [(name.replace("/", "-"), f"/{page.path}?data={suits.get(name, SAMPLE)}") for name, page in PAGES.items()]
    labels = [("classify-labels", "/classes?data=digits_labels")]
    return [("start-home-empty", "/"), ("start-data-empty", "/data"), *shown, *labels]


def shoot(wanted: list[str], films: bool) -> None:
    """Take the pictures of the pages whose name holds one of the wanted words, or of all; or those films instead."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=[*chromium.FLAGS, *UNHINTED])
        if films:
            film(browser, server, wanted)
            return
        for (size, viewport), scheme in product(SIZES.items(), SCHEMES):
            page = browser.new_context(viewport=viewport, color_scheme=scheme, device_scale_factor=2).new_page()
            for name, address in addresses():
                if not wanted or any(word in name for word in wanted):
                    page.set_viewport_size(viewport)
                    visit(page, server + address)
                    page.wait_for_load_state("networkidle")
                    _stretch(page, viewport)
                    page.screenshot(path=FOLDER / f"{name}-{size}-{scheme}.png")
        browser.close()
    print(f"{len(list(FOLDER.glob('*.png')))} pictures in {FOLDER}")


def _stretch(page, viewport: dict[str, int]) -> None:
    # Streamlit scrolls inside the window, so the window grows to the page for a picture of all of it.
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size(viewport | {"height": min(max(height, viewport["height"]), 8_000)})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


if __name__ == "__main__":
    shoot([word for word in sys.argv[1:] if word != "--films"], films="--films" in sys.argv)
