"""Server with an empty workspace, browser and counter of frames for the benchmarks of pages."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from evalcore.readers import Workspace
from tests.browser import chromium
from tests.browser.server import serving

WINDOW = {"width": 1280, "height": 900}

# Counts the frames, and those in which one line of the picture changed.
_WATCH = """([host, path, name]) => {
  const root = document.querySelector(host).shadowRoot;
  const line = root.querySelector(path);
  const watched = (window.watched = { frames: 0, moved: 0, last: null, start: null, on: true });
  const tick = now => {
    watched.start ??= now;
    watched.end = now;
    watched.frames += 1;
    const at = line.getAttribute(name);
    if (at !== watched.last) { watched.moved += 1; watched.last = at; }
    if (watched.on) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}"""
_SEEN = "() => { watched.on = false; return [watched.frames, watched.moved, watched.end - watched.start]; }"


@contextmanager
def browsing() -> Iterator[tuple[Browser, str, Workspace]]:
    """A browser, the address of a server and its workspace; without Chromium the program ends and says so."""
    path = chromium.find()
    if path is None:
        print("  No Chromium: put one on the PATH or name it in $CHROMIUM.", file=sys.stderr)
        sys.exit()
    with TemporaryDirectory() as name, serving(Path(name)) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        yield browser, server, Workspace(Path(name) / "workspace", 10**10)
        browser.close()


@contextmanager
def counted(page: Page, host: str, path: str, name: str) -> Iterator[list[float]]:
    """Count frames while something moves; the list holds frames a second after the block."""
    rate: list[float] = []
    page.evaluate(_WATCH, [host, path, name])
    yield rate
    frames, moved, milliseconds = page.evaluate(_SEEN)
    assert moved > 20, "nothing in the picture followed"
    rate.append(1000 * (frames - 1) / milliseconds)
