"""A CSV of 1 million rows and 3 columns from the file to all pictures of the threshold page, beside a page by hand.

The page by hand (``plain_page.py``) reads the same file with pandas and draws with scikit-learn and Plotly, without a
cache. Each server is a fresh one, which has shown a small file first, so that its libraries are loaded. The memory of
the browser is what it takes more than before its first page. ``python -m benchmarks.uploading 20000`` takes so many
rows instead.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from playwright.sync_api import Page, sync_playwright

from benchmarks.browser import WINDOW
from benchmarks.clock import line, memory_of, ratio_line, seconds_or_nan, time_line
from sample_data.big import write_big_sample
from tests.browser import chromium
from tests.browser.screen import PATIENCE, arrive, follow, upload
from tests.browser.server import free_port, serving

ROWS = 1_000_000
PLAIN = "benchmarks/plain_page.py"
_DRAWN = """() => document.querySelector(".done") && [...document.querySelectorAll(".stPlotlyChart")].length == 4
  && [...document.querySelectorAll(".stPlotlyChart")].every(chart => chart.querySelector(".main-svg"))"""


def with_descendants(number: int) -> set[int]:
    """The numbers of a process and of all that it has started."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    family = {number}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return family


def started_with(words: str) -> int:
    """The first process started by this one whose command line has these words."""
    for number in sorted(with_descendants(os.getpid())):
        if words in Path(f"/proc/{number}/cmdline").read_text().replace("\0", " "):
            return number
    raise LookupError(words)


def shared_memory(number: int) -> int:
    """Bytes that a process and all that it has started take now, what they share counted once."""
    total = 0
    for member in with_descendants(number):
        with suppress(OSError):
            total += int(re.search(r"\nPss:\s+(\d+)", Path(f"/proc/{member}/smaps_rollup").read_text())[1]) * 1024
    return total


@contextmanager
def visiting(script: str) -> Iterator[tuple[Page, str, int, float]]:
    """A browser of its own at a fresh server: the page, the address, the server's process, and when it was started."""
    path = chromium.find() or sys.exit("No Chromium: put one on the PATH or name it in $CHROMIUM.")
    port = free_port()
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        # Not the flags of the tests: they trade memory and lasting speed for a quick start.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        page = browser.new_page(viewport=WINDOW)
        start = perf_counter()
        with serving(Path(folder), script, port=port, fresh=True) as server:
            yield page, server, started_with(f"--server.port={port}"), start
            browser.close()


def main(arguments: list[str]) -> None:
    rows = int(arguments[0]) if arguments else ROWS
    with TemporaryDirectory() as folder:
        file, small = Path(folder) / "scores.csv", Path(folder) / "small.csv"
        write_big_sample(file, rows)
        write_big_sample(small, 1000)
        size = file.stat().st_size
        with visiting("app.py") as (page, server, process, start):
            empty = shared_memory(started_with("--headless"))
            arrive(page, f"{server}/data")
            time_line("a cold server, from its start to the first page", perf_counter() - start, 3.0)
            upload(page, small)
            follow(page, "Threshold")
            arrive(page, f"{server}/data")
            before = memory_of("VmHWM", process)
            read = seconds_or_nan(lambda: upload(page, file))
            drawn = seconds_or_nan(lambda: follow(page, "Threshold"))
            time_line(f"{rows:,} rows: from choosing the file to the data page", read)
            time_line("from there to all pictures of the threshold page", drawn)
            time_line("both", read + drawn, 2.0)
            more = (memory_of("VmHWM", process) - before) / size
            line("memory of the server, in sizes of the file", f"{more:.1f} ×", "< 5 ×", more < 5)
            taken = (shared_memory(started_with("--headless")) - empty) / 1e6
            line("memory of the browser", f"{taken:.0f} MB", "< 280 MB", taken < 280)
        with visiting(PLAIN) as (page, server, process, _):
            empty = shared_memory(started_with("--headless"))

            def show(path: Path) -> None:
                page.goto(server)
                page.locator("input[type=file]").set_input_files(path)
                page.wait_for_function(_DRAWN, timeout=PATIENCE, polling=50)

            show(small)
            before = memory_of("VmHWM", process)
            by_hand = seconds_or_nan(lambda: show(file))
            time_line(f"a page written by hand, waited for {PATIENCE // 1000} s at most", by_hand)
            ratio_line(by_hand / (read + drawn))
            line(
                "  memory of its server, in sizes of the file", f"{(memory_of('VmHWM', process) - before) / size:.1f} ×"
            )
            line("  memory of its browser", f"{(shared_memory(started_with('--headless')) - empty) / 1e6:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
