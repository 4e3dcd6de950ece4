"""The threshold view in a browser: frames per second while it is dragged, messages, and release to all numbers.

Rows are 20 and 1 million, and 10 million of Parquet that are counted and not loaded; ``ROWS=10000000 python -m
benchmarks threshold_view`` adds as many in memory as are asked for.
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import pandas as pd
from playwright.sync_api import Page

from benchmarks.browser import WINDOW, browsing, counted
from benchmarks.clock import line, percentile_lines, time_line
from benchmarks.engines import write
from evalcore.engines import open_stored, summary_dataset
from evalcore.readers import DataSet, Unloaded, roles_of
from tests.browser.screen import visit

RELEASES = 30
NOT_LOADED = 10_000_000
HOST = ".st-key-threshold_view [data-testid=stBidiComponentIsolated]"

_RELEASE = """run => new Promise(done => {
  const mark = document.querySelector("[data-run]");
  let start = null;
  window.addEventListener("pointerup", () => { start = performance.now(); }, { once: true, capture: true });
  // The mark is the last thing that the server sends; what follows the frame after it has been painted.
  const seen = new MutationObserver(() => {
    if (!start || Number(mark.dataset.run) <= run) return;
    seen.disconnect();
    const painted = new MessageChannel();
    painted.port1.onmessage = () => done(performance.now() - start);
    requestAnimationFrame(() => painted.port2.postMessage(null));
  });
  seen.observe(mark, { attributes: true });
})"""


def data(rows: int) -> DataSet:
    """Scores of two normal classes, all but a few of them distinct."""
    rng = np.random.default_rng(8)
    actual = rng.random(rows) < 0.3
    scores = 1 / (1 + np.exp(-rng.normal(np.where(actual, 1.0, -1.0), 1.2)))
    return DataSet.of(pd.DataFrame({"actual": actual.astype(int), "score": scores}), f"{rows} rows.csv")


def data_not_loaded(rows: int) -> DataSet:
    """Scores of a Parquet file, all but a few of them distinct, counted in bins."""
    with TemporaryDirectory() as folder:
        write(rows, path := Path(folder) / "log.parquet")
        roles = roles_of(actual="actual", score=("score",), positive=1)
        return summary_dataset(open_stored(path).frame, roles, name=path.name, unloaded=Unloaded("path", str(path)))


def drag(page: Page, sent: list, host: str = HOST) -> tuple[float, int]:
    """Drag the line over the whole axis and back with the pointer held down; frames a second and messages sent."""
    box = page.locator(f"{host} [role=slider] .knob").bounding_box()
    plot = page.locator(f"{host} rect.plot").first.bounding_box()
    y = plot["y"] + 60
    page.mouse.move(box["x"] + 11, box["y"] + 11)
    page.mouse.down()
    before = len(sent)
    page.mouse.move(plot["x"], y)
    with counted(page, host, ".moving", "transform") as rate:
        for part in [*range(0, 181), *range(180, -1, -1)]:
            page.mouse.move(plot["x"] + plot["width"] * part / 180, y)
    during = len(sent) - before
    page.mouse.up()
    return rate[0], during


def release(page: Page, place: float) -> float:
    """Seconds from letting the line go until every number of the page is there."""
    plot = page.locator(".st-key-threshold_view rect.plot").first.bounding_box()
    run = int(page.locator("[data-run]").get_attribute("data-run"))
    page.mouse.move(plot["x"] + plot["width"] * place, plot["y"] + 100)
    page.mouse.down()
    page.mouse.move(plot["x"] + plot["width"] * place + 4, plot["y"] + 100)
    page.evaluate(f"run => {{ window.ended = ({_RELEASE})(run) }}", run)
    page.mouse.up()
    return page.evaluate("() => window.ended") / 1000


def measure(page: Page, address: str, name: str) -> None:
    sent: list = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    start = perf_counter()
    visit(page, address)
    opened = perf_counter() - start
    rate, during = drag(page, sent)
    page.wait_for_timeout(1500)
    before = len(sent)
    times = [release(page, 0.1 + 0.8 * k / RELEASES) for k in range(RELEASES)]
    page.wait_for_timeout(500)
    time_line(f"{name}: first picture", opened)
    line(f"{name}: frames a second while dragging", f"{rate:.1f}", "≥ 55", rate >= 55)
    line(f"{name}: messages during the drag", str(during), "0", during == 0)
    each = (len(sent) - before) / RELEASES
    line(f"{name}: messages on release", f"{each:g}", "1", each == 1)
    percentile_lines(f"{name}: release to all numbers", times, 0.12)


def main() -> None:
    rows = dict.fromkeys((20, 1_000_000, *(int(n) for n in os.environ.get("ROWS", "").split())))
    with browsing() as (browser, server, workspace):
        made = {f"{count:,} rows": data(count) for count in rows}
        made[f"{NOT_LOADED:,} rows not loaded"] = data_not_loaded(NOT_LOADED)
        for name, each in made.items():
            page = browser.new_page(viewport=WINDOW)
            measure(page, f"{server}/threshold?data={workspace.save(each)}", name)
            page.close()


if __name__ == "__main__":
    main()
