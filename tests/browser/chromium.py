"""The Chromium the browser tests drive: one that is here already, else one that is installed now.

Run as a program (``python -m tests.browser.chromium``) it installs one if none is found.
"""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium without its windows: the same pages for a fifth less of the processor."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 120
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # The rest saves time: pages share what is compiled, nothing pulses while it waits, and no page lives long enough
    # to gain from the last optimisation or from collecting garbage early.
    "--process-per-site",
    "--force-prefers-reduced-motion",
    "--js-flags=--no-opt --min-semi-space-size=32",
)


def find() -> str | None:
    """Path of a Chromium: ``$CHROMIUM``, one on the PATH, or the one Playwright has downloaded."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    on_path = next(filter(None, map(shutil.which, NAMES)), None)
    return on_path or _downloaded()


def install() -> None:
    """Get one from the distribution where that is allowed, else from Playwright."""
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = partial(
            subprocess.run, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, check=False, timeout=PATIENCE
        )
        with suppress(subprocess.TimeoutExpired):
            quiet(["apt-get", "update", "-qq"])
            for name in (SHELL, "chromium"):
                quiet(["apt-get", "install", "-y", "-qq", "--no-install-recommends", name])
                if find():
                    break
    if find() is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def _downloaded() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


if __name__ == "__main__":
    # Where somebody works, a Chromium that is there will do.
    if find() is None or (os.environ.get("CI") == "true" and not shutil.which(os.environ.get("CHROMIUM", SHELL))):
        install()
    if find() is None:
        print("No Chromium: put one on the PATH or name it in $CHROMIUM; the browser tests need it.", file=sys.stderr)
        # Only CI insists here; elsewhere the tests themselves say that they were skipped.
        sys.exit(os.environ.get("CI") == "true")
