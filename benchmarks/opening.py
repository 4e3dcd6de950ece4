"""From a click in the menu to a page that is drawn whole, in a browser: 1 million rows of three systems, just uploaded.

Every page is opened of data that nobody has looked at yet, from the data page, where the reader stays no longer than
its own drawing takes. ``python -m benchmarks.opening 20000`` takes so many rows instead.
"""

import asyncio
import math
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import pandas as pd
from playwright.sync_api import Browser

from benchmarks.browser import browsing
from benchmarks.clock import duration, time_line
from benchmarks.load import cpu_seconds
from evalcore.readers import DataSet, Workspace
from evalcore.registry import PAGES as EVERY_PAGE
from tests.browser.screen import act, visit
from tests.browser.server import serving
from tests.client import visiting

ROWS, REPEATS, LIMIT = 1_000_000, 3, 1.2
GROWN = (10_000, 100_000, 1_000_000, 10_000_000)
STRENGTHS = (0.8, 1.0, 1.2)
PAGES = ("Curves", "Compare systems", "Probabilities", "Threshold")


def data(rows: int, seed: int) -> DataSet:
    """Probabilities by three systems of two classes, all of them distinct."""
    random = np.random.default_rng(seed)
    actual = random.random(rows) < 0.3
    columns = {"actual": actual.astype(int)}
    for place, strength in enumerate(STRENGTHS):
        columns[f"score_{place}"] = 1 / (1 + np.exp(-random.normal(np.where(actual, strength, -strength), 1.2)))
    return DataSet.of(pd.DataFrame(columns), f"{rows} rows, {seed}.csv")


def opened(browser: Browser, server: str, identity: str, title: str) -> float:
    """Seconds from the click to the last picture, in a browser that has never been here."""
    context = browser.new_context()
    page = context.new_page()
    visit(page, f"{server}/data?data={identity}")
    link = page.locator(".st-key-menu").get_by_role("link", name=title, exact=True)
    start = perf_counter()
    act(page, link.click)
    seconds = perf_counter() - start
    context.close()
    return seconds


async def grow(server: str, workspace: Workspace) -> None:
    """Open each page of new data with ten times as many rows each time."""
    for page in (page for page in EVERY_PAGE.values() if "scores" in page.kinds):
        seconds = []
        for rows in GROWN:
            identity = workspace.save(data(rows, seed=rows))
            async with visiting(server) as visitor:
                await visitor.open("data", f"data={identity}")
                before = cpu_seconds()
                await visitor.open(page.path, f"data={identity}")
                seconds.append(cpu_seconds() - before)
            workspace.delete(identity)
        exponent = math.log10(max(seconds[-1], 0.01) / max(seconds[-2], 0.01))
        print(f"  {page.title:20}{''.join(f'{one:8.2f}' for one in seconds)}   exponent {exponent:.2f}", flush=True)


def main(arguments: list[str]) -> None:
    if arguments == ["growth"]:
        print(f"  {'rows × 3 systems':20}{''.join(f'{rows:8.0e}' for rows in GROWN)}")
        with TemporaryDirectory() as folder, serving(Path(folder), fresh=True) as server:
            asyncio.run(grow(server, Workspace.of_settings(Path(folder) / "workspace", "40000")))
        return
    rows = int(arguments[0]) if arguments else ROWS
    taken: dict[str, list[float]] = {title: [] for title in PAGES}
    with browsing() as (browser, server, workspace):
        for turn in range(REPEATS):
            for place, title in enumerate(PAGES):
                identity = workspace.save(data(rows, seed=turn * len(PAGES) + place))
                taken[title].append(opened(browser, server, identity, title))
    for title, seconds in taken.items():
        every = ", ".join(map(duration, seconds))
        time_line(f"{title}, {rows:,} rows × {len(STRENGTHS)} systems ({every})", median(seconds), LIMIT)


if __name__ == "__main__":
    main(sys.argv[1:])
