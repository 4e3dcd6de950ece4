"""What the server adds around the application, once per process: admission, warm start, headers, a word on a defect.

Streamlit offers these only through ``st.App``. Its start hook also settles the menu: a folder called ``pages`` beside
the script makes Streamlit look for pages by itself until ``st.navigation`` has run once, so that on a fresh server the
first link to a page other than the first would greet its reader with "page not found".
"""

import asyncio
import importlib
import logging
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse

from .admission import refusal
from .housekeeping import keep_house, rest
from .inline_scripts import script_hashes
from .internals import answer, ask_nobody, bound_uploads, settle_menu
from .visitor import UNLOCK, address_with, identity
from .workspace import workspace

# What a page imports comes with the widgets; these are loaded by what the widgets call, at the first use.
LATE = ("pyarrow.parquet", "plotly.graph_objects", "scipy.special")
FOLDER = Path(__file__).parents[1]
WIDGETS = tuple(
    ".".join(("pages.widgets", *path.relative_to(FOLDER).with_suffix("").parts))
    for path in sorted(FOLDER.rglob("[!_]*.py"))
)

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


@asynccontextmanager
async def warm(app: st.App) -> AsyncIterator[None]:
    """Load what every page needs before the first visitor comes, and keep it out of the garbage collector's way."""
    settle_menu()
    ask_nobody()
    bound_uploads()
    for name in ("uvicorn.access", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)  # not a line for each file of each visit
    for name in (*LATE, *WIDGETS):
        try:
            importlib.import_module(name)
        except Exception:  # what is broken is told on the pages that use it; the others go on
            logging.getLogger("evalcore").exception("%s could not be loaded", name)
    rest()
    try:
        key, note = workspace().key(), _YOURS
    except OSError as error:
        key, note = "", f"  Uploads cannot be stored, and no files opened by their path: {error}"
    print(f"\n  Open Evalcore: {address_with(key)}\n\n{note}\n", file=sys.stderr)
    keeper = asyncio.create_task(keep_house())
    yield
    keeper.cancel()


class Guarded:
    """Middleware that answers only requests that are admitted, and adds `HEADERS` to every response."""

    def __init__(self, app) -> None:
        self.app = app

    async def __call__(self, scope, receive, send) -> None:
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
                await answer(self.app, scope, receive, with_headers)
        elif scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
            await PlainTextResponse(f"{reason}\n", 403)(scope, receive, with_headers)
        else:
            await send({"type": "websocket.close"})


def show_defect(defect: Exception) -> bool:
    """Tell the reader in a sentence with the number that the log has it under; True keeps it off the screen."""
    reference = secrets.token_hex(4)
    logging.getLogger("evalcore").error("Defect %s", reference, exc_info=defect)
    st.error(
        "This page met a defect and could not be drawn; your data is untouched. "
        f"The server's log says what it was, under the reference {reference}."
    )
    return True


AROUND = {"lifespan": warm, "routes": [UNLOCK], "middleware": [Middleware(Guarded)], "on_script_error": show_defect}
