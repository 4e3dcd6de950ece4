"""Forty files as analysts have them, each uploaded in a browser: clicks to the right picture, and what was said.

``python -m tests.browser.tour_files`` prints a Markdown table and takes a picture of each into ``shots/``; a word or
more choose files by their titles.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser import chromium
from tests.browser.screen import act, arrive, main, upload
from tests.browser.server import ROOT, serving
from tests.readers.forty import FORTY

FOLDER = ROOT / "shots" / "files"
MOST_CLICKS = 3
LEVELS = ("error", "warning", "info")
USUAL = ("is the positive class", "share their score", "Were some cases entered twice", "have a value and")
# What is clicked on the data page besides the page, by the number of the file: a button, or a choice of "Positive is".
ON_DATA = {
    "6": ("Divide by 100",), "8": ("0",), "25 coded": ("1",), "28": ("Convert log-odds",),
    "33": ("Merge them", "Count as missing"), "34": ("One row per case",),
}  # fmt: skip
# The page of the right picture, by kind or by the number of the file; none where the sentence is all.
_MATRIX, _PAIRS = "Confusion matrix", "Compare systems"
PAGES = {
    "labels": _MATRIX, "scores": "Threshold", "class probabilities": "Probabilities", "counts": _MATRIX,
    "label sets": "Classes", "label scores": "Classes", "run + judgments": "Ranking",
}  # fmt: skip
OTHER_PAGES = {
    "6": "Probabilities", "14": "Only four counts? Type them into the matrix", "28": "Probabilities",
    "27": _PAIRS, "30": "Classes", "34": _PAIRS, "35": _PAIRS, "36": _PAIRS,
}  # fmt: skip


def tour(wanted: list[str]) -> list[str]:
    """The rows of the table, of the files whose titles hold one of the wanted words, or of all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        for title, make in FORTY.items():
            if not wanted or any(title.startswith(word) for word in wanted):
                context = browser.new_context(viewport={"width": 1280, "height": 860})
                rows.append(_row(context.new_page(), server, title, make()))
                context.close()
                print(rows[-1], flush=True)
        browser.close()
    return rows


def _row(page: Page, server: str, title: str, files: dict[str, bytes]) -> str:
    arrive(page, f"{server}/data")
    payload = [{"name": name, "mimeType": "text/csv", "buffer": data} for name, data in files.items()]
    upload(page, payload)
    page.wait_for_selector(".st-key-roles-kind, [data-testid=stAlert]")
    lines = [" ".join(text.split()) for text in main(page).locator("p").all_inner_texts()]
    said = [
        text.split(" ", 1)[1].removeprefix(level + " ")
        for level in LEVELS
        for text in lines
        if text.startswith(f"{level} ")
    ]
    said += [" ".join(text.split()[1:]) for text in main(page).locator("[data-testid=stAlert]").all_inner_texts()]
    said += [" ".join(text.split()[1:-2]) for text in main(page).locator("[class*=st-key-step-]").all_inner_texts()]
    heading = page.locator(".st-key-heading").inner_text().split("\n\n")[2:3]
    kind = _kind(page)
    clicks = []
    for name in _of(ON_DATA, title) or ():
        button = main(page).get_by_role("button", name=name, exact=True)
        radio = main(page).get_by_role("radio", name=name, exact=True)
        while (button.count() or radio.count()) and len(clicks) <= MOST_CLICKS:
            act(page, (button if button.count() else radio).first.click)
            clicks.append(name)
            if not button.count():
                break
    target = _of(OTHER_PAGES, title) or PAGES.get(kind)
    if target is not None:
        in_menu = page.locator(".st-key-menu").get_by_role("link", name=target, exact=True)
        act(page, (in_menu if in_menu.count() else main(page).get_by_role("link", name=target)).click)
        clicks.append(target)
    drawn = main(page).locator(".stPlotlyChart, [data-testid=stBidiComponentIsolated]")
    page.screenshot(path=FOLDER / f"{title.replace('/', ' ')}.png")
    shown = "" if target is None or drawn.count() else " (nothing drawn)"
    many = f"{len(clicks)}: {', '.join(clicks)}{shown}" if clicks else "0"
    words = " ".join(one for one in said if not any(usual in one for usual in USUAL))
    return f"| {title} | {kind or 'refused'} | {many} | {' '.join(heading)} | {words[:420].replace('|', '¦')} |"


def _kind(page: Page) -> str:
    """The kind that the data page shows as chosen; empty where nothing is open."""
    chosen = page.locator(".st-key-roles-kind").get_by_role("radio", checked=True)
    return chosen.first.inner_text() if chosen.count() else ""


def _of(plan: dict, title: str):
    number = title.split()[0]
    return next((plan[key] for key in plan if key == number or (" " in key and title.startswith(key))), None)


if __name__ == "__main__":
    table = tour(sys.argv[1:])
    sys.exit(any(row.count("(nothing drawn)") for row in table))
