"""A server of its own for a test: a free port, a workspace that goes away with it, and its log."""

import atexit
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 60


@contextmanager
def serving(
    folder: Path, script: str = "app.py", *more: str, port: int | None = None, fresh: bool = False, **variables: str
) -> Iterator[str]:
    """Start the application, or another script, with its workspace in a folder; its address is good for the block.

    More options of Streamlit and variables of the environment may be given. A fresh server loads everything itself, as
    outside of tests, and has the limits of this process; the others fork from one that has loaded it (`loaded`).
    """
    port = port or free_port()
    options = (f"--server.port={port}", "--server.headless=true", "--server.address=127.0.0.1")
    command = ["run", script, *options, "--server.fileWatcherType=none", *more]
    environment = os.environ | {"EVALCORE_WORKSPACE": str(folder / "workspace")} | variables
    log = folder / "server.log"
    start = _fresh if fresh or sys.platform != "linux" else _forked
    with start(command, environment, log) as has_ended:
        _wait_for(port, has_ended, log)
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _fresh(command: list[str], environment: dict[str, str], log: Path) -> Iterator[Callable[[], bool]]:
    """A server as anyone starts it; whether it has ended."""
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", *command],
            cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        yield lambda: process.poll() is not None
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


@contextmanager
def _forked(command: list[str], environment: dict[str, str], log: Path) -> Iterator[Callable[[], bool]]:
    """A server that has everything loaded; whether it has ended."""
    child = _ask("start", command, environment, str(log))
    try:
        yield lambda: _ask("has_ended", child)
    finally:
        _ask("stop", child)


def _ask(*request: object):
    """The answer of the process that all servers of this one fork from."""
    print(json.dumps(request), file=_loaded().stdin, flush=True)
    return json.loads(_loaded().stdout.readline())


@cache
def _loaded() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.browser.loaded"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.communicate)  # its input ends, and so does it
    return process


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(port: int, has_ended: Callable[[], bool], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not has_ended():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"The server did not start:\n{log.read_text()[-4000:]}")
