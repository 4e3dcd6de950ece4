"""Whose an upload is: a browser is known by a cookie, a person who signed in by the sign-in.

The cookie is an id with the signature of this server, so that nobody can choose the id of another browser beforehand.
What a request says of its address proves nothing: behind a proxy or a tunnel, everybody comes from this machine, where
other accounts may be too. So the list of everything stored, and files by their path, need the key of the workspace
folder. The address that the server prints when it starts has it, and the browser keeps it as its cookie.
"""

import hashlib
import json
import os
import re
import secrets
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route

from evalcore.readers import Workspace
from evalcore.registry import PAGES, page_at
from evalcore.wording import read_json

FOLDER = Path(__file__).parents[3] / ".workspace"
MEGABYTE = 1_000_000


@st.cache_resource
def workspace() -> Workspace:
    """The workspace of this server: ``EVALCORE_WORKSPACE`` names its folder, ``EVALCORE_WORKSPACE_MB`` its limit."""
    folder = os.environ.get("EVALCORE_WORKSPACE") or FOLDER
    return Workspace.of_settings(folder, os.environ.get("EVALCORE_WORKSPACE_MB", ""))


_COOKIE = "evalcore_visitor"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")
_UNLOCK = "/".join(("", *filter(None, st.get_option("server.baseUrlPath").split("/")), "unlock", ""))


def _unlocked(request: Request) -> RedirectResponse:
    """To the page that the query names, with the rest of it; else to the first page."""
    query = dict(request.query_params)
    page = PAGES.get(page_at(query.pop("page", "")))
    return RedirectResponse(f"../{page.path if page else ''}{'?' * bool(query)}{urlencode(query)}", 303)


UNLOCK = Route(_UNLOCK + "{key}", _unlocked)


def on_phone() -> bool:
    """Whether the browser says that it is that of a phone."""
    return "Mobi" in st.context.headers.get("User-Agent", "")


def owner() -> str:
    """A digest of who is here, stored with an upload: the person who signed in, else the browser, else the session."""
    if st.user.get("is_logged_in"):
        return _digest(f"{st.user.get('iss')} {st.user.get('sub')}")
    return _digest(_cookie() or st.session_state.setdefault("visitor", secrets.token_urlsafe(16)))


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def has_key() -> bool:
    """Whether the visitor has the key of the workspace, and may list and delete everything and open files by path."""
    return _is_key(_cookie())


def address_with(key: str) -> str:
    """The address of the application that gives a browser the key of the workspace, a file in its folder."""
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    host = f"{st.get_option('browser.serverAddress')}:{st.get_option('browser.serverPort')}"
    return f"{scheme}://{host}{f'{_UNLOCK}{key}' if key else _UNLOCK.removesuffix('unlock/')}"


def identity(scope: MutableMapping[str, Any]) -> str | None:
    """The cookie to set with the answer to a request: None for what a page loads, the visitor's for a page."""
    request = Request(scope)
    if "text/html" not in request.headers.get("accept", ""):
        return None
    value = request.cookies.get(_COOKIE, "")
    if _is_key(scope["path"].removeprefix(_UNLOCK)):
        value = workspace().key()
    elif not (_is_key(value) or workspace().token_of(value)):
        # of before ids were signed, if uploads are stored under it; the name of a person who signed in is none
        token = value.partition(".")[0]
        is_known = _TOKEN.fullmatch(token) and _digest(token) in {one.owner for one in workspace().list()}
        value = workspace().signed(token if is_known else secrets.token_urlsafe(16))
    secure = "; Secure" if scope["scheme"] == "https" else ""
    return f"{_COOKIE}={value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}"


def _cookie() -> str:
    value = str(st.context.cookies.get(_COOKIE))  # without a cookie this is "None", which is no token
    return value if _is_key(value) else workspace().token_of(value)


def _is_key(value: str) -> bool:
    try:
        return bool(_TOKEN.fullmatch(value)) and secrets.compare_digest(value, workspace().key())
    except OSError:  # a folder that cannot be written has no key
        return False


_SCRIPT = Path(__file__).with_name("tab_memory.js").read_text(encoding="utf-8")
_COMPONENT = st.components.v2.component("tab_memory", html="<span></span>\n", js=_SCRIPT)
_KEY, _MEMORY, _TOLD = "tab memory", "remembered by the tab", "tab has told"


def remembered(name: str) -> dict[str, Any]:
    """Plain values under a name; what is put into it survives a reload where the page ends with `keep_memory`."""
    return st.session_state.setdefault(_MEMORY, {}).setdefault(name, {})


def restore_field(key: str, options: range | None = None, answered: object = None) -> None:
    """Fill a field of text or a choice, before it is drawn, with what was left in it when the page was loaded anew.

    Where the page was left for another, it comes back with what was answered.
    """
    answered = None if key in st.session_state else answered
    typed = remembered("typed").pop(f"st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)}", answered)
    if isinstance(typed, str) if options is None else typed in options:
        st.session_state[key] = typed


def keep_memory() -> None:
    """Exchange what is remembered with the tab: a new session hears it, a later run writes it down."""
    known = {name: values for name, values in st.session_state.get(_MEMORY, {}).items() if values}
    fresh = not known and _TOLD not in st.session_state
    with st.container(key="tab-memory"):
        _COMPONENT(key=_KEY, data={"known": json.dumps(known) if known else "", "fresh": fresh}, on_told_change=_hear)


def _hear() -> None:
    """Take over what a browser told, which may be anything; what this session knows by now is newer."""
    st.session_state[_TOLD] = True
    told = st.session_state[_KEY].get("told")
    with suppress(ValueError, RecursionError):
        memory = read_json(told) if isinstance(told, str) and len(told) <= 200_000 else None
        for name, values in memory.items() if isinstance(memory, dict) else ():
            if isinstance(values, dict):
                st.session_state.setdefault(_MEMORY, {})[name] = values | remembered(name)
