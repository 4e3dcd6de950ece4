"""Ten million scores in a report, one million in a notebook: how long they take, how large they are, how they move."""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.browser import WINDOW
from benchmarks.clock import frames_line, line, time_line
from benchmarks.threshold_view import data, drag
from evalcore.analyses import Scores, Source
from evalcore.classification import ScoredLabels
from evalcore.notebook import show
from evalcore.readers import read_sample
from evalcore.reports import ReportSettings
from evalcore.reports.front import Front
from evalcore.reports.of_scores import threshold_view_chapter
from evalcore.reports.report import document
from tests.browser import chromium

MOST_BYTES, MOST_OF_A_VIEW = 2_000_000, 400_000

# From the moment that a notebook has the HTML of a cell to the first picture in its frame.
_FIRST = """html => new Promise(done => {
  const start = performance.now()
  addEventListener("message", () => requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))))
  document.body.innerHTML = html
})"""


def main(rows: int = 10_000_000) -> None:
    """Print seconds, bytes and frames a second beside their bars."""
    rng = np.random.default_rng(16)
    scores = np.sort(rng.random(rows))[::-1]
    positive = rng.random(rows) < scores**2
    state = ScoredLabels.from_counts(scores, positive * 1.0, ~positive * 1.0)
    named = Scores(Source.of(read_sample("roc_20")), "score", state, "ill", "well", 0)
    start = time.perf_counter()
    chapter = threshold_view_chapter(named, ReportSettings())
    text = document("Report", "today", Front("Report", view=chapter.parts[:1]), [chapter])
    time_line(f"threshold chapter of {rows:,} rows", time.perf_counter() - start)
    size = len(text.encode())
    line("its file", f"{size / 1e6:.2f} MB", "≤ 2 MB", size <= MOST_BYTES)
    path = chromium.find()
    if path is None:
        return
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        file.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        page = browser.new_page(viewport=WINDOW)
        page.goto(file.as_uri())
        frames_line("its threshold is dragged", drag(page, [], "#live")[0])
        notebook_view(page, Path(folder) / "view.html")
        browser.close()


def notebook_view(page: Page, file: Path) -> None:
    """Print how a view of one million rows comes up in a notebook and moves there."""
    source = Source.of(data(1_000_000))
    source.dataset.scored("score")
    start = time.perf_counter()
    view = show(source)
    text = view._repr_html_()
    time_line("a notebook's view of 1,000,000 rows, made", time.perf_counter() - start)
    size = len(text.encode())
    line("its HTML", f"{size / 1e3:.0f} kB", "≤ 400 kB", size <= MOST_OF_A_VIEW)
    page.goto("about:blank")
    first = page.evaluate(_FIRST, text)
    line("from the HTML to its first picture", f"{first:.0f} ms", "< 300 ms", first < 300)
    page.goto(view.save(file).as_uri())
    frames_line("its threshold is dragged", drag(page, [], "#view")[0])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
