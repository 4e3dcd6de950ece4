"""Memory over half an hour of visits that come and go: ``python -m benchmarks.soak [minutes] [visitors]``.

Each visitor opens samples and pages, uploads a file of 20,000 rows, drags the threshold, comes back with a new visit,
deletes the upload, and leaves without a word. Every minute a line, here and in ``soak.csv``: memory, visits begun,
stored uploads, and megabytes of uploads that still wait in memory. It levels off when the last third grows by less than
a tenth.
"""

import asyncio
import csv
import random
import re
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs

import httpx

from benchmarks.clock import line
from benchmarks.load import megabytes, release, scores
from evalcore.readers import Workspace
from tests.browser.server import serving
from tests.client import visiting

PAGES = ("confusion", "threshold", "curves", "probabilities", "data", "threshold")
SAMPLES = ("breast_cancer", "roc_20", "cancer_test")
PAUSE = 2.0
TABLE = Path(__file__).with_suffix(".csv")
COLUMNS = ("minute", "server_mb", "visits", "stored_uploads", "waiting_mb")


async def visit(server: str, chance: random.Random, begun: list[int]) -> None:
    """One person: a look at a sample, an upload in a first visit, its pages in a second one, and its deletion."""
    async with visiting(server) as visitor:
        begun[0] += 1
        for page in chance.sample(PAGES, 2):
            await visitor.open(page, f"data={chance.choice(SAMPLES)}")
            await asyncio.sleep(PAUSE * chance.random())
        await visitor.open("data")
        await visitor.upload("upload data", {"mine.csv": scores(20_000, chance.randrange(10**6))})
        cookies, query = visitor.http.cookies, visitor.query
    async with visiting(server, cookies) as visitor:  # a reload is a new visit
        begun[0] += 1
        for page in chance.sample(PAGES, 3):
            await visitor.open(page, query)
            if page == "threshold":
                await release(visitor, chance.randrange(500))
            await asyncio.sleep(PAUSE * chance.random())
        if chance.random() < 0.8:
            await visitor.open("data", query)
            await visitor.click(f"delete {parse_qs(query)['data'][0]}")


async def stay(server: str, seed: int, begun: list[int]) -> None:
    """One visit after another."""
    chance = random.Random(seed)
    while True:
        await visit(server, chance, begun)


async def soak(server: str, workspace: Workspace, minutes: int, visitors: int) -> None:
    begun, rows = [0], [COLUMNS]
    people = [asyncio.create_task(stay(server, seed, begun)) for seed in range(visitors)]
    async with httpx.AsyncClient(base_url=server, timeout=60) as http:
        for minute in range(1, minutes + 1):
            await asyncio.sleep(60)
            metrics = (await http.get("/_stcore/metrics?families=cache_memory_bytes")).text
            waiting = sum(map(int, re.findall(r'"UploadedFileManager".* (\d+)', metrics))) / 1e6
            rows.append((minute, round(megabytes()), begun[0], len(workspace.list()), round(waiting, 1)))
            line(f"minute {minute}", "{1} MB, {2} visits, {3} stored, {4} MB waiting".format(*rows[-1]))
            with TABLE.open("w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)
            for person in people:
                if person.done():
                    person.result()
    for person in people:
        person.cancel()
        with suppress(asyncio.CancelledError):
            await person
    memory = [row[1] for row in rows[1:]]
    growth = memory[-1] / memory[len(memory) * 2 // 3] - 1
    line("growth over the last third", f"{growth:+.1%}", "≤ +10 %", growth <= 0.1)


def main(arguments: list[str]) -> None:
    minutes, visitors = (*map(int, arguments), *(30, 3)[len(arguments) :])
    with TemporaryDirectory() as name, serving(Path(name), fresh=True, EVALCORE_WORKSPACE_MB="20") as server:
        asyncio.run(soak(server, Workspace(Path(name) / "workspace", 10**10), minutes, visitors))


if __name__ == "__main__":
    main(sys.argv[1:])
