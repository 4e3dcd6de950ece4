"""Ranking in a browser: a click on a row of the table of queries, until its curve is highlighted and its list stands.

QUERIES sets how many queries the run has (5,000 by default), each with a list of 100 documents.
"""

import os
from time import perf_counter

import numpy as np
from playwright.sync_api import Page

from benchmarks.browser import WINDOW, browsing
from benchmarks.clock import percentile_lines, time_line
from evalcore.readers import DataSet
from evalcore.readers.trec.trec import ranked_dataset
from evalcore.retrieval import Judgments, Run
from tests.browser.screen import visit

QUERIES, DEPTH, JUDGED = int(os.environ.get("QUERIES", 5000)), 100, 60
CLICKS = 40

# Milliseconds from the click until the curve of the row has been painted, and until the list beside it has been.
_CLICK = """nth => new Promise(done => {
  const root = document.querySelector(".st-key-rankings [data-testid=stBidiComponentIsolated]").shadowRoot
  const row = root.querySelectorAll(".room .row")[nth]
  const name = row.querySelector(".name").textContent
  const drawer = () => document.querySelector(".st-key-drawer")
  const host = () => drawer()?.querySelector("[data-testid=stBidiComponentIsolated]")
  const list = () => host()?.shadowRoot?.querySelector(".room .row")
  const sum = () => drawer()?.querySelector(".st-key-list-notes")?.textContent ?? ""
  const before = sum()
  const old = root.querySelector("path.selected")
  let lit = null
  const start = performance.now()
  row.click()
  const look = () => {
    const now = performance.now() - start
    const line = root.querySelector("path.selected")
    if (lit === null && line && line !== old) lit = now
    const said = drawer()?.querySelector("p").textContent.includes(`Query ${name}`) && list() && sum() !== before
    // A frame later it has been painted.
    if (lit !== null && said) requestAnimationFrame(() => done([lit, performance.now() - start]))
    else if (now > 20000) done([lit, null])
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})"""


def data(queries: int) -> DataSet:
    """Lists of distinct scores, each with forty judged documents in it and twenty that it lacks."""
    random = np.random.default_rng(21)
    names = [f"q{place:05d}" for place in range(queries)]
    documents = random.integers(0, 8_000_000 // DEPTH, (queries, DEPTH)) * DEPTH + np.arange(DEPTH)
    found = random.permuted(documents, axis=1)[:, : JUDGED * 2 // 3]
    judged = np.hstack([found, np.broadcast_to(8_000_000 + np.arange(JUDGED // 3), (queries, JUDGED // 3))])
    grades = random.integers(0, 4, judged.shape)
    lists = [f"doc{name:07d}" for name in documents.ravel().tolist()]
    run = Run.from_arrays(np.repeat(names, DEPTH), lists, random.random(documents.size))
    known = [f"doc{name:07d}" for name in judged.ravel().tolist()]
    return ranked_dataset(
        Judgments.from_arrays(np.repeat(names, JUDGED), known, grades.ravel()), {"mine": run}, f"{queries} queries"
    )


def measure(page: Page, address: str) -> None:
    start = perf_counter()
    visit(page, address)
    opened = perf_counter() - start
    page.wait_for_timeout(1000)
    rows = page.locator(".rankings .room .row").count()
    times = []
    for click in range(CLICKS + 1):
        # Every click is on another row than the one before, and after some time on one that was never opened.
        page.locator(".rankings .scroller").evaluate("(box, top) => { box.scrollTop = top }", click // 8 * 2800)
        page.wait_for_timeout(150)
        times.append(page.evaluate(_CLICK, 4 + click % 8 if rows > 12 else click % rows))
        assert None not in times[-1], "the list did not come"
        page.wait_for_timeout(250)
    time_line(f"{QUERIES:,} queries: first picture", opened)
    for part, what in enumerate(("curve lit", "the list of the query stands")):
        percentile_lines(f"a click until {what}", [each[part] / 1000 for each in times[1:]], 0.2)


def main() -> None:
    with browsing() as (browser, server, workspace):
        measure(browser.new_page(viewport=WINDOW), f"{server}/ranking?data={workspace.save(data(QUERIES))}")


if __name__ == "__main__":
    main()
