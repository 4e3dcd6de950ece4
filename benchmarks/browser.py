"""What every benchmark of a page needs: a server with an empty workspace, and a browser to look at it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from evalcore.readers import Workspace
from tests.browser import chromium
from tests.browser.server import serving

WINDOW = {"width": 1280, "height": 900}


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
