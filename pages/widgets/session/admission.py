"""Which requests the server answers: those for a name of its own, from a page of its own.

A foreign page has two ways to reach a server on this machine. Its name is made to point here (DNS rebinding), so that
Host and Origin agree on a name that is not ours; or it asks from its own address, so that they differ. Streamlit lets
the first in, lets in every page on another port of this machine, and asks an outside address for its own IP to judge
the rest. So each request is judged here, before Streamlit sees it.
"""

import re
from collections.abc import MutableMapping
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
_EVERY_ADDRESS = {"0.0.0.0", "::", "", None}
_HOST = (
    "Evalcore does not answer to this host name and port. On the machine itself, open http://localhost:{port}. "
    "To serve it under another name, add the name to server.allowedHosts (see docs/serving.md)."
)
_METRICS = "The server's own figures are for its machine only: ask there, without a proxy, under the name localhost."
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
    is_here = (scope["client"] or [""])[0] in THIS_MACHINE
    is_here &= hosts[0] in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}")
    return _METRICS if not is_here or any(_PASSED_ON.fullmatch(name) for name, _ in scope["headers"]) else None


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
