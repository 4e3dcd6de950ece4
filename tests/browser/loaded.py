"""A process that has loaded what a server imports; the servers of tests are its forks, which start in a moment.

It reads a request a line, as JSON, and answers each with a line. The servers end with it.
"""

import json
import os
import signal
import sys
import time
from functools import cache
from importlib import import_module

from streamlit.components.v2 import manifest_scanner
from streamlit.web import cli

PATIENCE = 10
MODULES = (
    *("streamlit.web.bootstrap", "starlette.middleware.sessions", "anyio._backends._asyncio"),
    *("uvicorn.protocols.http.h11_impl", "uvicorn.protocols.websockets.websockets_sansio_impl"),
    *(
        "plotly.graph_objects",
        "pyarrow.parquet",
        "scipy.special",
        "evalcore.analyses",
        "evalcore.figures.threshold_view",
    ),
)
"""All but the pages, which register with a server that runs."""

running: set[int] = set()


def start(command: list[str], environment: dict[str, str], log: str) -> int:
    """Run Streamlit's command in a new process; its number."""
    if child := os.fork():
        running.add(child)
        return child
    for stream, path, mode in ((0, os.devnull, os.O_RDONLY), (1, log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)):
        os.dup2(os.open(path, mode, 0o600), stream)
    os.dup2(1, 2)
    os.environ.clear()
    os.environ.update(environment)
    cli.main(command, prog_name="streamlit")
    raise SystemExit  # not reached: the command ends the process


def has_ended(child: int) -> bool:
    """Whether a server is gone."""
    if child in running and os.waitpid(child, os.WNOHANG)[0]:
        running.remove(child)
    return child not in running


def stop(child: int) -> None:
    """Ask a server to end, and kill it where it does not."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        end = time.monotonic() + PATIENCE
        while not has_ended(child) and time.monotonic() < end:
            if number:
                os.kill(child, number)
                number = 0
            time.sleep(0.02)


def main() -> None:
    for name in MODULES:
        import_module(name)
    # A server looks for components in every installed package, which takes longer than starting; none brings any.
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    manifest_scanner.scan_component_manifests()
    verbs = {verb.__name__: verb for verb in (start, has_ended, stop)}
    for line in sys.stdin:
        verb, *arguments = json.loads(line)
        print(json.dumps(verbs[verb](*arguments)), flush=True)
    for child in sorted(running):
        stop(child)


if __name__ == "__main__":
    main()
