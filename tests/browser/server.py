"""A server of its own for a test: a free port, a workspace that goes away with it, and its log."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 60


@contextmanager
def serving(
    folder: Path, script: str = "app.py", *more: str, port: int | None = None, **variables: str
) -> Iterator[str]:
    """Start the application, or another script, with its workspace in a folder; its address is good for the block.

    More options of Streamlit and variables of the environment may be given.
    """
    port = port or free_port()
    command = [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}", "--server.headless=true"]
    options = ["--server.address=127.0.0.1", "--server.fileWatcherType=none"]
    variables = {"EVALCORE_WORKSPACE": str(folder / "workspace")} | variables
    log = folder / "server.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, *options, *more], cwd=ROOT, env=os.environ | variables, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _wait_for(port, process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(port: int, process: subprocess.Popen, log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"The server did not start:\n{log.read_text()[-4000:]}")
