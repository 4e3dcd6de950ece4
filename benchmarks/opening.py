"""From a click in the menu to a page that is drawn whole, in a browser: 1 million rows of three systems, just uploaded.

Every page is opened of data that nobody has looked at yet, from the data page, where the reader stays no longer than
its own drawing takes. ``python -m benchmarks.opening 20000`` takes so many rows instead.
"""

import sys
from statistics import median
from time import perf_counter

import numpy as np
import pandas as pd
from playwright.sync_api import Browser

from benchmarks.browser import browsing
from benchmarks.clock import duration, time_line
from evalcore.readers import DataSet
from tests.browser.screen import act, visit

ROWS, REPEATS, LIMIT = 1_000_000, 3, 2.0
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


def main(arguments: list[str]) -> None:
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
