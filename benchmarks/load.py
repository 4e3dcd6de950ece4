"""People at once: 1 to 50 visits that move the threshold, and 30 who open one link.

Visitors are websocket clients that send what a browser sends; they think for half a second between two moves. They run
on the same machine as the server, so that the figures hold for one that serves and is visited.
``python -m benchmarks.load 100000`` takes an upload of so many rows.
"""

import asyncio
import json
import os
import random
import re
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.parse import urlencode

import numpy as np

from benchmarks.clock import line, memory_of, percentile_lines, time_line
from evalcore.registry import PAGES
from tests.browser.server import serving
from tests.client import Visitor, visiting

ROWS, MOVES, THOUGHT = 1_000_000, 20, 0.5
PEOPLE = (1, 4, 16, 20, 50)
SAMPLES, GRADED = ("breast_cancer", "roc_20"), "graded_10"
MOST, MOST_OF_MANY, LAST_PICTURE, TOGETHER = 0.1, 0.3, 1.5, 30
_OF = re.compile(rb'"of": ?"([0-9a-f]+)"')


def scores(rows: int, seed: int) -> bytes:
    """A CSV of two classes and their scores."""
    random_numbers = np.random.default_rng(seed)
    actual = random_numbers.random(rows) < 0.3
    values = random_numbers.normal(np.where(actual, 1, -1), 1.5)
    return b"actual,score\n" + "\n".join(f"{a:d},{s:.6f}" for a, s in zip(actual, values, strict=True)).encode()


async def release(visitor: Visitor, stop: int) -> None:
    """Let the threshold go at a stop, as the threshold view does."""
    place = next(
        part for part in visitor.parts.values() if part.new_element.bidi_component.id.endswith("-threshold_view")
    )
    of = _OF.search(place.SerializeToString())[1].decode()
    await visitor.tell("threshold_view", json.dumps([{"event": "go", "value": {"stop": stop, "of": of, "n": 1}}]))


async def move(server: str, query: str, seed: int, taken: list[float]) -> None:
    """Open the threshold page and move the threshold, with half a second of thought."""
    chance = random.Random(seed)
    async with visiting(server) as visitor:
        await visitor.open("threshold", query)
        for _ in range(MOVES):
            await asyncio.sleep(THOUGHT * (0.5 + chance.random()))
            start = perf_counter()
            await release(visitor, chance.randrange(300))
            taken.append(perf_counter() - start)


async def moves(server: str, people: int, queries: list[str], what: str) -> None:
    """So many people move the threshold at once."""
    taken: list[float] = []
    before, start = megabytes(), cpu_seconds()
    visits = (move(server, queries[seed % len(queries)], seed, taken) for seed in range(people))
    errors = [error for error in await asyncio.gather(*visits, return_exceptions=True) if error is not None]
    percentile_lines(f"{people} × {what}, a move", taken or [0.0, 0.0], MOST if people <= 20 else MOST_OF_MANY)
    time_line("  processor time of the server per move", (cpu_seconds() - start) / max(len(taken), 1))
    line("  memory per visit", f"{(megabytes() - before) / people:.1f} MB")
    line("  errors", str(len(errors)), "0", not errors)
    for error in errors[:3]:
        print("   ", repr(error)[:200])


async def open_together(server: str, page: str, query: str, people: int = TOGETHER) -> None:
    """So many people open one link at the same moment."""
    taken: list[float] = []
    ready = asyncio.Barrier(people)

    async def arrive() -> None:
        async with visiting(server) as visitor:
            await ready.wait()
            start = perf_counter()
            await visitor.open(page, query)
            taken.append(perf_counter() - start)

    start = cpu_seconds()
    await asyncio.gather(*(arrive() for _ in range(people)))
    time_line(f"{people} open {page}?{query[:20]} at once, first complete", min(taken))
    time_line("  half of them", median(taken))
    time_line("  the last", max(taken), LAST_PICTURE)
    time_line("  processor time of the server per visit", (cpu_seconds() - start) / people)


async def upload(server: str, rows: int) -> str:
    """Upload a file of so many rows; the query that opens it."""
    async with visiting(server) as visitor:
        await visitor.open("data")
        data = scores(rows, seed=0)
        start = perf_counter()
        await visitor.upload("upload data", {"large.csv": data})
        time_line(f"upload of {rows:,} rows ({len(data) / 1e6:.0f} MB), read and shown", perf_counter() - start)
        return visitor.query


def megabytes() -> float:
    """Memory of the server, which is this program's only child."""
    return memory_of("VmRSS", _server()) / 1024e3


def cpu_seconds() -> float:
    """Processor seconds that the server has used."""
    fields = Path(f"/proc/{_server()}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _server() -> str:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[0]


async def everything(server: str, rows: int) -> None:
    samples = [f"data={sample}" for sample in SAMPLES]
    await open_together(server, "threshold", samples[0])
    await open_together(server, "graded", f"data={GRADED}")
    for people in PEOPLE:
        await moves(server, people, samples, "samples")
    page = PAGES["classify/threshold"]
    for part in page.folds:
        await moves(server, 1, [f"{samples[0]}&{urlencode(page.address_of(part))}"], f"samples, {part} open")
    large = await upload(server, rows)
    await open_together(server, "threshold", large)
    for people in PEOPLE:
        await moves(server, people, [large], f"{rows:,} rows")


def main(arguments: list[str]) -> None:
    print(f"  load of the machine beforehand: {os.getloadavg()[0]:.1f}")
    with TemporaryDirectory() as name, serving(Path(name), fresh=True) as server:
        asyncio.run(everything(server, int(arguments[0]) if arguments else ROWS))


if __name__ == "__main__":
    main(sys.argv[1:])
