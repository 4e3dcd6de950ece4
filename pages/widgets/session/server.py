"""What the server adds around the application, once per process: admission, warm start, headers, a word on a defect.

Streamlit offers these only through ``st.App``. Its start hook also settles the menu: a folder called ``pages`` beside
the script makes Streamlit look for pages by itself until ``st.navigation`` has run once, so that on a fresh server the
first link to a page other than the first would greet its reader with "page not found".
"""

import asyncio
import gc
import importlib
import logging
import os
import re
import secrets
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, MutableMapping
from contextlib import asynccontextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp

from evalcore.engines import end_unwanted
from pages.widgets.session import internals
from pages.widgets.session.current_dataset import forget_deleted
from pages.widgets.session.page_exit import script_hashes
from pages.widgets.session.visitor import UNLOCK, address_with, identity, workspace

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_EVERY_ADDRESS = {"0.0.0.0", "::", "", None}

_HOST = (
    "Evalcore does not answer to this host name and port. On the machine itself, open http://localhost:{port}. "
    "To serve it under another name, add the name to server.allowedHosts (see docs/serving.md)."
)

_METRICS = "Server metrics are available only on the server's own machine, at localhost and without a proxy."

_PASSED_ON = re.compile(rb"forwarded|via|x-forwarded-.*|.*-(client|connecting|real)-ip")
"""Headers by which proxies and tunnels say for whom they ask."""

_ORIGIN = (
    "This request comes from a page of another site or port, and Evalcore only answers its own pages. "
    "Behind a proxy, pass on the Host header of the browser (see docs/serving.md)."
)


def is_shared() -> bool:
    """Whether the server is there for others than this machine: it has another name, or names of its own."""
    return bool(st.get_option("server.allowedHosts")) or st.get_option("server.address") not in THIS_MACHINE


def others_can_open() -> bool:
    """Whether the address of this visit leads others here: a shared server, under a name that is not this machine's."""
    return is_shared() and urlsplit(st.context.url or "").hostname not in THIS_MACHINE


def refusal(scope: MutableMapping[str, Any]) -> str | None:
    """Why the request of this ASGI scope gets no answer, as a sentence; None if it may pass."""
    hosts = [value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"host"]
    origins = {value.decode("latin-1").lower() for name, value in scope["headers"] if name == b"origin"}
    port = scope["server"][1]
    if len(hosts) != 1 or not _ours(hosts[0], port, {"https": 443, "wss": 443}.get(scope["scheme"], 80)):
        return _HOST.format(port=port)
    own = {f"http://{hosts[0]}", f"https://{hosts[0]}"}
    if not origins <= own.union(map(str.lower, st.get_option("server.corsAllowedOrigins"))):
        return _ORIGIN
    if not scope["path"].rstrip("/").endswith("/_stcore/metrics"):
        return None
    # No address alone says that this machine asks: a proxy or a tunnel on it has that address too.
    is_local = (scope["client"] or [""])[0] in THIS_MACHINE
    is_local &= hosts[0] in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}")
    return _METRICS if not is_local or any(_PASSED_ON.fullmatch(name) for name, _ in scope["headers"]) else None


def _ours(host: str, served: int, usual: int) -> bool:
    """Whether the server has this name: as ``server.allowedHosts`` says, else as it is started, with its port."""
    try:
        parts = urlsplit(f"//{host}")
        name, port = (parts.hostname or "").rstrip("."), parts.port or usual
    except ValueError:
        return False
    if parts.netloc != host or "@" in host or not name:
        return False
    if allowed := st.get_option("server.allowedHosts"):
        return any(fnmatchcase(name, pattern.strip().lower()) for pattern in allowed)
    started = {st.get_option("server.address"), st.get_option("browser.serverAddress")} - _EVERY_ADDRESS
    return port == served and name in {*THIS_MACHINE, *(each.lower() for each in started)}


SECONDS, RESTS, BUSY = 5, (6, 26), 120
"""Between two looks; the quiet looks in a row after which it rests (the second when visits have ended); busy ones.

A rest takes half a second: after one quiet look alone, a reader who only thinks for a moment would wait for it.
"""

_STIR = 3  # Young collections between two looks up to which nobody is here: a health check makes some objects too


async def keep_house() -> None:
    """Rest whenever the server has been quiet for a while, and once in ten minutes where it never is."""
    quiet = busy = before = 0
    while True:
        await asyncio.sleep(SECONDS)
        end_unwanted(internals.is_here)
        collections = gc.get_stats()[0]["collections"]
        quiet, before = (0 if collections > before + _STIR else quiet + 1), collections
        busy = 0 if quiet in RESTS else busy + bool(not quiet)
        if quiet in RESTS or busy >= BUSY:
            rest()
            busy = 0


def rest() -> None:
    """Let go of what was deleted or has ended, collect all garbage, and keep the rest out of the collector's way."""
    forget_deleted()
    internals.end_sessions()
    gc.unfreeze()
    gc.collect()
    gc.freeze()


# What a page imports comes with the widgets; these are loaded by what the widgets call, at the first use.
LATE = ("pyarrow.parquet", "plotly.graph_objects", "scipy.special")
FOLDER = Path(__file__).parents[1]
_FILES = (path.relative_to(FOLDER).with_suffix("").parts for path in sorted(FOLDER.rglob("[!_]*.py")))
WIDGETS = tuple(".".join(("pages.widgets", *parts)) for parts in _FILES)

_YOURS = (
    "  Keep this address to yourself: its key lists all stored uploads and opens files by their path. Your browser\n"
    "  keeps the key. Other people open the address without /unlock/ and the key."
)

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # Streamlit writes styles in line and loads components from memory. All else comes from here only, so that a name
    # that did turn into a script, an image or a frame would run and load nothing.
    "Content-Security-Policy": (
        f"default-src 'none'; script-src 'self' blob: {script_hashes()}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; "
        "manifest-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'"
    ),
}


def send_at_once() -> None:
    """Let no message wait until the browser has acknowledged the one before it, which takes it some 40 ms.

    asyncio sees to that for sockets that name their protocol. The one on which Streamlit listens names none, and those
    of its visitors have their options from it.
    """
    internet = (socket.AF_INET, socket.AF_INET6)
    for one in gc.get_objects():
        # isinstance would ask weak proxies too, which may stand for nothing any more.
        if issubclass(type(one), socket.socket) and one.family in internet and one.fileno() >= 0:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@asynccontextmanager
async def warm(app: st.App) -> AsyncIterator[None]:
    """Load what every page needs before the first visitor comes, and keep it out of the garbage collector's way."""
    internals.settle_menu()
    internals.ask_nobody()
    internals.bound_uploads()
    internals.keep_theme()
    send_at_once()
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)  # not a line for each file of each visit
    for name in (*LATE, *WIDGETS):
        try:
            importlib.import_module(name)
        except Exception:  # what is broken is told on the pages that use it; the others go on
            logging.getLogger("evalcore").exception("%s could not be loaded", name)
    gc.freeze()
    gc.enable()
    try:
        key, note = workspace().key(), _YOURS
    except OSError as error:
        key, note = "", f"  Uploads cannot be stored, and no files opened by their path: {error}"
    opens = os.environ.get("EVALCORE_OPEN", "")
    address = f"{address_with(key)}{'?' * bool(opens)}{opens}"
    print(f"\n  Open Evalcore: {address}\n\n{note}\n", file=sys.stderr)
    if not st.get_option("server.headless"):
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, address)
    keeper = asyncio.create_task(keep_house())
    yield
    keeper.cancel()


def guarded(app: ASGIApp) -> ASGIApp:
    """Middleware that answers only requests that are admitted, and adds `HEADERS` to every response."""

    async def answered(scope, receive, send) -> None:
        async def with_headers(message) -> None:
            if message["type"].endswith("http.response.start"):
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if cookie is not None:
                    headers.append("Set-Cookie", cookie)
            await send(message)

        cookie = None
        if scope["type"] == "lifespan" or (reason := refusal(scope)) is None:
            cookie = await run_in_threadpool(identity, scope) if scope["type"] == "http" else None
            with suppress(ClientDisconnect):  # gone in the middle of an upload: there is nobody to answer
                await internals.answer(app, scope, receive, with_headers)
        elif scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await PlainTextResponse(f"{reason}\n", 403)(scope, receive, with_headers)
        else:
            await send({"type": "websocket.close"})

    return answered


def show_defect(defect: Exception) -> bool:
    """Tell the reader in a sentence with the number that the log has it under; True keeps it off the screen."""
    reference = secrets.token_hex(4)
    logging.getLogger("evalcore").error("Defect %s", reference, exc_info=defect)
    st.error(f"Something went wrong here. Your data is safe. Details are in the server log (ref. {reference}).")
    return True


AROUND = {"lifespan": warm, "routes": [UNLOCK], "middleware": [Middleware(guarded)], "on_script_error": show_defect}
