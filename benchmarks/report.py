"""The report of ten million scores: how long its threshold chapter takes, how large the file is, and how it moves."""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from playwright.sync_api import sync_playwright

from benchmarks.browser import WINDOW
from benchmarks.clock import line, time_line
from benchmarks.threshold_view import drag
from evalcore.analyses import Scores, Source
from evalcore.classification import ScoredLabels
from evalcore.readers import read_sample
from evalcore.reports import ReportSettings
from evalcore.reports.of_scores import threshold_view_chapter
from evalcore.reports.parts import document
from tests.browser import chromium

MOST_BYTES = 2_000_000


def main(rows: int = 10_000_000) -> None:
    """Print seconds, bytes and frames a second beside their bars."""
    rng = np.random.default_rng(16)
    scores = np.sort(rng.random(rows))[::-1]
    positive = rng.random(rows) < scores**2
    state = ScoredLabels.from_counts(scores, positive * 1.0, ~positive * 1.0)
    named = Scores(Source.of(read_sample("roc_20")), "score", state, "ill", "well", 0)
    start = time.perf_counter()
    text = document("Report", "today", [threshold_view_chapter(named, ReportSettings())])
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
        rate, _ = drag(page, [], "#live")
        line("frames a second while its threshold is dragged", f"{rate:.1f}", "≥ 55", rate >= 55)
        browser.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
