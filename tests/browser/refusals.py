"""Pictures of every refusal, wide and phone, into ``shots/``: ``python -m tests.browser.refusals [words of names]``."""

import gzip
import io
import os
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
from playwright.sync_api import Page, sync_playwright
from pyarrow import parquet

from tests.browser import chromium
from tests.browser.screen import act, arrive
from tests.browser.server import ROOT, serving
from tests.browser.shots import SIZES
from tests.readers.trec.test_limits import END, WORKBOOKS, many, ods, packed, sheet

FOLDER = ROOT / "shots"
SCHEMES = {"wide": "light", "phone": "dark"}
TABLE = b"actual,score\n" + b"".join(b"%s,0.%d\n" % (b"ill" if row % 3 else b"well", row) for row in range(10, 99))


def parquet_of(table: pa.Table) -> bytes:
    content = io.BytesIO()
    parquet.write_table(table, content)
    return content.getvalue()


HALF = np.arange(5_000) / 5_000
NOTHING = pa.nulls(30_000_000)
CELL = '<table:table-cell office:value-type="string"><text:p>a</text:p><office:annotation><text:p>'
FILES: dict[str, tuple[str, bytes]] = {
    "picture": ("scan.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40),
    "empty": ("empty.csv", b""),
    "header only": ("header.csv", b"actual,score\n"),
    "ragged": ("ragged.csv", TABLE + b"ill,0.3,extra,cells\n"),
    "web page": ("results.csv", b"<html><body>Please sign in</body></html>"),
    "line without end": ("long.csv", b"actual,score\n" + b"1," * 2_100_000),
    "far cell": ("far.xlsx", WORKBOOKS["a far cell, its address after a blank"]),
    "workbook cut off": ("cut.xlsx", WORKBOOKS["39 million cells"][:900]),
    "workbook of 201 sheets": ("sheets.ods", ods(sheet(many(2), 5) * 201 + END)),
    "workbook that never ends": ("endless.ods", ods(f'<table:table table:name="x"><table:table-row>{CELL}')),
    "parquet cut off": ("cut.parquet", parquet_of(pa.table({"actual": HALF > 0.5, "score": HALF}))[:-400]),
    "parquet that expands": ("expands.parquet", parquet_of(pa.table({"actual": NOTHING, "score": NOTHING}))),
    "gzip cut off": ("cut.csv.gz", gzip.compress(TABLE * 50)[:-60]),
    "zip of two tables": ("two.zip", packed(**{"a.csv": TABLE, "b.csv": TABLE})),
    "zip of nothing": ("nothing.zip", packed()),
    "json of no table": ("settings.json", b'{"name": "x", "values": 3}'),
    "spss cut off": ("cut.sav", b"$FL2@(#) SPSS DATA FILE" + bytes(200)),
    "one class": ("one.csv", TABLE.replace(b"well", b"ill")),
    "weights of nothing": ("weights.csv", b"actual,score,weight\n" + b"ill,0.9,0\nwell,0.1,0\n" * 20),
    "qrels alone": ("qrels.txt", b"1 0 d1 1\n1 0 d2 0\n"),
    "run with a bad line": ("mine.run", b"1 Q0 d1 1 9.5 a\n1 Q0 d2 2 much a\n"),
}  # fmt: skip


def upload(page: Page, name: str, data: bytes) -> None:
    file = {"name": name, "mimeType": "", "buffer": data}
    act(page, lambda: page.locator("input[type=file]").first.set_input_files(file))


def shoot(page: Page, name: str, size: str) -> None:
    """A picture of the window, with what was refused in its middle where there is a word of it."""
    page.evaluate("document.querySelector('[data-testid=stAlert]')?.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(300)
    page.screenshot(path=FOLDER / f"refusal-{name.replace(' ', '-')}-{size}.png")


def faults(page: Page, server: str, folder: Path, size: str, wanted: Callable[[str], bool]) -> None:
    """What is wrong with a link, a stored file, the disk or the name of the server."""
    for name, link in (("stale link", "0" * 22), ("nonsense in a link", "../../etc/passwd")):
        if wanted(name):
            arrive(page, f"{server}/threshold?data={link}")
            shoot(page, name, size)
    if wanted("damaged"):
        arrive(page, f"{server}/data")
        upload(page, "clinic.csv", TABLE)
        stored = next((folder / "workspace").glob("*.parquet"))
        damaged = stored.with_stem(stored.stem[::-1])  # not one that the server remembers
        damaged.write_bytes(stored.read_bytes()[:-200])
        for path in ("curves", "data"):
            arrive(page, f"{server}/{path}?data={damaged.stem}")
            shoot(page, f"damaged stored file {path}", size)
    if wanted("full disk"):
        arrive(page, f"{server}/data?data=breast_cancer")
        process = _process_of(server)
        before = resource.prlimit(process, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        upload(page, "full.csv", TABLE + b"ill,1\n")
        shoot(page, "full disk", size)
        resource.prlimit(process, resource.RLIMIT_FSIZE, before)
    if wanted("foreign host"):
        page.goto(server.replace("127.0.0.1", "evil.localhost"))
        shoot(page, "foreign host", size)


def _process_of(server: str) -> int:
    """The process of a server that this program has started."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    port = f"--server.port={server.rpartition(':')[2]}".encode()
    return next(int(child) for child in children if port in Path(f"/proc/{child}/cmdline").read_bytes())


def main(words: list[str]) -> None:
    def wanted(name: str) -> bool:
        return not words or any(word in name for word in words)

    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=list(chromium.FLAGS))
        for size, viewport in SIZES.items():
            folder = Path(name) / size
            folder.mkdir()
            page = browser.new_context(viewport=viewport, color_scheme=SCHEMES[size]).new_page()
            with serving(folder, fresh=True) as server:
                arrive(page, f"{server}/data?data=breast_cancer")
                for what, (file, data) in FILES.items():
                    if wanted(what):
                        upload(page, file, data)
                        shoot(page, what, size)
                faults(page, server, folder, size, wanted)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
