"""Requests that are refused before Streamlit sees them, tried on a real server over raw sockets."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit
import streamlit as st
from streamlit import config
from streamlit.testing.v1 import AppTest

from pages.widgets.session.server import refusal
from tests.browser.server import serving

FOREIGN = "evil.example"


@pytest.fixture(scope="module")
def outside() -> Iterator[tuple[str, list[bytes]]]:
    """An address that stands for the network outside, and what was sent to it."""
    calls: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def hear() -> None:
            while True:
                try:
                    call, _ = listener.accept()
                except OSError:
                    return
                with call:
                    calls.append(call.recv(200))

        threading.Thread(target=hear, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", calls
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("admission")


@pytest.fixture(scope="module")
def port(folder: Path, outside: tuple[str, list[bytes]]) -> Iterator[int]:
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), outside[0])
    with serving(folder, **proxies, no_proxy="", NO_PROXY="") as address:
        yield int(address.rsplit(":", 1)[1])


def answer(port: int, *headers: str, path: str = "/", method: str = "GET") -> str:
    """What the server says to a request with these header lines."""
    request = "\r\n".join((f"{method} {path} HTTP/1.1", *headers, "Connection: close", "", ""))
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request.encode("latin-1"))
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    return b"".join(parts).decode("utf-8", "replace")


def handshake(port: int, *headers: str) -> str:
    """The first bytes of the answer to an attempt to open the websocket."""
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    upgrade = ("Upgrade: websocket", "Connection: Upgrade", key, "Sec-WebSocket-Version: 13")
    request = "\r\n".join(("GET /_stcore/stream HTTP/1.1", *headers, *upgrade, "", ""))
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request.encode("latin-1"))
        return connection.recv(65536).decode("utf-8", "replace")


HOSTS = (
    "Host: evil.example:{port}",
    "Host: evil.example",
    "Host: localhost.evil.example:{port}",
    "Host: localhost",
    "Host: localhost:1",
    "Host: 127.0.0.2:{port}",
    "Host: 0.0.0.0:{port}",
    "Host: localhost:{port}@evil.example",
    "Host: evil.example@localhost:{port}",
    "Host: localhost:{port}/evil",
    "Host: localhost:port",
    "Host: [::1",
    "Host: ",
)
ORIGINS = (
    "http://evil.example",
    "http://evil.example:{port}",
    "http://localhost:1",
    "http://localhost",
    "http://127.0.0.1:{port}",  # the same server, by the other of its names
    "http://localhost:{port}.evil.example",
    "file://localhost:{port}",
    "null",
    "",
)


@pytest.mark.parametrize("host", HOSTS)
def test_a_name_that_is_not_the_servers_is_refused(port: int, host: str) -> None:
    host = host.format(port=port)
    origin = host.replace("Host: ", "Origin: http://")
    for reply in (answer(port, host), handshake(port, host, origin), answer(port, host, path="/_stcore/health")):
        assert reply.startswith("HTTP/1.1 403")
        assert f"http://localhost:{port}" in reply


def test_a_request_with_no_name_or_two_is_not_answered(port: int) -> None:
    own = f"Host: localhost:{port}"
    for headers in ((), (own, f"Host: {FOREIGN}"), (f"Host: {FOREIGN}", own)):
        assert re.match(r"HTTP/1.1 40[03]", answer(port, *headers))
        assert re.match(r"HTTP/1.1 40[03]", handshake(port, *headers))


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
def test_a_page_of_another_site_or_port_is_refused(port: int, origin: str, method: str) -> None:
    headers = (f"Host: localhost:{port}", f"Origin: {origin.format(port=port)}")
    reply = handshake(port, *headers) if method == "GET" else answer(port, *headers, method=method)
    assert reply.startswith("HTTP/1.1 403")
    assert "another site or port" in reply


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LocalHost", "localhost."])
def test_the_servers_own_pages_are_answered(port: int, name: str) -> None:
    host = f"Host: {name}:{port}"
    assert answer(port, host).startswith("HTTP/1.1 200")
    assert handshake(port, host, f"Origin: http://{name}:{port}").startswith("HTTP/1.1 101")
    assert handshake(port, host, f"Origin: https://{name}:{port}").startswith("HTTP/1.1 101")


def test_refusals_carry_the_headers_of_every_response(port: int) -> None:
    for reply in (answer(port, "Host: x"), handshake(port, "Host: x")):
        assert "content-security-policy" in reply.lower()
        assert "text/plain" in reply


@pytest.mark.parametrize(
    ("query", "place"),
    [("?page=threshold&data=roc_20", "../threshold?data=roc_20"), ("?page=//evil.example", "../"), ("", "../")],
)
def test_the_address_with_the_key_leads_on_to_a_page_of_ours_only(port: int, query: str, place: str) -> None:
    reply = answer(port, f"Host: localhost:{port}", path=f"/unlock/x{query}")
    assert re.search(r"^location: (.*)\r$", reply, re.MULTILINE | re.IGNORECASE)[1] == place


def cookie(port: int, path: str, *headers: str) -> str | None:
    """The cookie that a page sets."""
    reply = answer(port, f"Host: localhost:{port}", "Accept: text/html,*/*", *headers, path=path)
    line = re.search(r"^set-cookie: evalcore_visitor=(.*)\r$", reply, re.MULTILINE | re.IGNORECASE)
    if line is None:
        return None
    value, attributes = line[1].split("; ", 1)
    assert attributes == "Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax"
    return value


def test_a_browser_keeps_its_cookie_and_none_is_made_up_for_it(port: int) -> None:
    first, second = cookie(port, "/"), cookie(port, "/data")
    assert first != second
    assert cookie(port, "/", f"Cookie: evalcore_visitor={first}") == first
    altered = (first[:22], first[:-1], f"{first}0", f"b{first[1:]}")
    for forged in ("", "x", "a" * 22, "a" * 22 + f".{'0' * 32}", "a" * 21 + "\xe9", *altered):
        made = cookie(port, "/", f"Cookie: evalcore_visitor={forged}") or ""
        assert re.fullmatch(r"[A-Za-z0-9_-]{22}\.[0-9a-f]{32}", made)
        assert made[:22] not in (forged[:22], first[:22])
    assert "set-cookie: evalcore" not in answer(port, f"Host: localhost:{port}", "Accept: image/*").lower()


def test_only_the_link_that_the_server_prints_gives_the_key(port: int, folder: Path) -> None:
    key = (folder / "workspace" / "key").read_text()
    printed = (folder / "server.log").read_text()
    assert f"Open Evalcore: http://localhost:{port}/unlock/{key}\n" in printed
    assert printed.count("http") == 1  # no other address beside it
    reply = answer(port, f"Host: localhost:{port}", path=f"/unlock/{key}").lower()
    assert reply.startswith("http/1.1 303")
    assert "\nlocation: ../\r" in reply
    assert cookie(port, f"/unlock/{key}") == key
    for wrong in ("", "a" * 22, key[:-1], f"{key}x", "%C3%A9"):
        assert cookie(port, f"/unlock/{wrong}") != key
    assert cookie(port, f"/{key}") != key


def test_no_request_leaves_the_server(port: int, outside: tuple[str, list[bytes]]) -> None:
    for origin in ORIGINS:
        handshake(port, f"Host: localhost:{port}", f"Origin: {origin.format(port=port)}")
        start = time.monotonic()
        answer(port, f"Host: localhost:{port}", path="/_stcore/health")
        assert time.monotonic() - start < 5
    assert outside[1] == []


def test_no_part_of_streamlit_that_asks_the_network_is_new() -> None:
    """A file that is not listed here asks somebody: find out when, and switch it off in session/internals.py."""
    folder = Path(streamlit.__file__).parent
    asks = re.compile(
        r"\brequests\.(get|post|request)\(|import (requests|httpx|aiohttp|http\.client|urllib\.request)\b"
    )
    assert {
        path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if asks.search(path.read_text("utf-8"))
    } == {
        "config_util.py",  # a theme at an address, if the configuration names one
        "net_util.py",  # the outside address: `ask_nobody`
        "runtime/credentials.py",  # an e-mail address typed at the first start: server.showEmailPrompt is off
        "web/cli.py",  # a script at an address, if the command line names one
    }  # fmt: skip


def test_nothing_is_sent_by_default() -> None:
    assert not config.get_option("browser.gatherUsageStats")
    assert not config.get_option("server.showEmailPrompt")
    assert not config.get_option("server.enableAgentApi")
    assert config.is_manually_set("browser.serverAddress")  # or the start asks for the outside address


@pytest.fixture
def setting() -> Iterator[Callable[[str, object], None]]:
    before = {}

    def change(name: str, value: object) -> None:
        before.setdefault(name, config.get_option(name))
        config.set_option(name, value)

    yield change
    for name, value in before.items():
        config.set_option(name, value)


METRICS = "/_stcore/metrics"


@pytest.mark.parametrize(
    "header",
    [
        "X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1", "Via: 1.1 p",
        "X-Real-IP: ::1", "CF-Connecting-IP: 127.0.0.1", "True-Client-IP: 127.0.0.1", "X-Forwarded-Host: localhost",
    ],
)  # fmt: skip
def test_the_figures_of_the_server_are_given_on_its_machine_and_through_no_proxy(port: int, header: str) -> None:
    own = f"Host: localhost:{port}"
    assert answer(port, own, path=METRICS).startswith("HTTP/1.1 200")
    assert "only on the server" in answer(port, own, header, path=METRICS)
    assert "only on the server" in answer(port, own, header, path=METRICS, method="OPTIONS")
    assert answer(port, own, header, path="/_stcore/health").startswith("HTTP/1.1 200")


@pytest.mark.parametrize(
    ("client", "host", "answered"),
    [
        (("127.0.0.1", 5), "localhost:8501", True),
        (("::1", 5), "[::1]:8501", True),
        (("203.0.113.9", 5), "localhost:8501", False),
        (("127.0.0.1", 5), "lab.example.org", False),  # a proxy that says nothing of whom it asks for
        (("127.0.0.1", 5), "localhost", False),
        (("a socket", 0), "localhost:8501", False),
        (None, "localhost:8501", False),
    ],
)
def test_an_address_of_this_machine_alone_gives_no_figures(
    client: tuple[str, int] | None, host: str, answered: bool, setting: Callable[[str, object], None]
) -> None:
    setting("server.allowedHosts", ["lab.example.org", "localhost", "::1"])
    scope = {"headers": [(b"host", host.encode())], "server": ("127.0.0.1", 8501), "scheme": "http", "client": client}
    for path in (METRICS, f"/evalcore{METRICS}", f"{METRICS}/"):
        assert (refusal(scope | {"path": path}) is None) == answered
    assert refusal(scope | {"path": "/"}) is None


def allowed(host: str, origin: str | None = None, port: int = 8501, scheme: str = "http") -> bool:
    headers = [(b"host", host.encode())] + ([] if origin is None else [(b"origin", origin.encode())])
    return refusal({"headers": headers, "server": ("127.0.0.1", port), "scheme": scheme, "path": "/"}) is None


def test_allowed_hosts_replace_the_default(setting: Callable[[str, object], None]) -> None:
    setting("server.allowedHosts", ["evalcore.example.org", "*.lab"])
    assert allowed("evalcore.example.org", "https://evalcore.example.org")
    assert allowed("Evalcore.Example.org:8501")
    assert allowed("a.lab")
    assert not allowed("lab")
    assert not allowed("localhost:8501")
    assert not allowed("evalcore.example.org.evil.example")
    assert not allowed("a.lab", "https://b.lab")


SHARE = """
from evalcore.analyses import Source
from evalcore.readers import read_sample
from pages.widgets.export.downloads import show_share
show_share(Source.of(read_sample("cancer_test"), sample="cancer_test"))
"""


@pytest.mark.parametrize(
    ("hosts", "url", "words"),
    [
        ([], "http://localhost:8501/curves", "Only this machine"),
        (["a.lab", "localhost"], "http://localhost:8501/", "Only this machine"),
        (["a.lab", "localhost"], "https://a.lab/curves", "<b>Who can reach"),
    ],
)
def test_the_share_button_says_who_can_open_the_link(
    hosts: list[str], url: str, words: str, setting: Callable[[str, object], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    setting("server.allowedHosts", hosts)
    monkeypatch.setattr(type(st.context), "url", url)
    test = AppTest.from_string(SHARE).run()
    assert words in test.get("html")[0].proto.body


def test_an_address_the_server_is_started_with_is_one_of_its_names(setting: Callable[[str, object], None]) -> None:
    setting("server.address", "192.168.1.5")
    assert allowed("192.168.1.5:8501")
    assert not allowed("192.168.1.6:8501")
    setting("server.address", "0.0.0.0")
    assert allowed("localhost:8501")
    assert not allowed("0.0.0.0:8501")
    assert not allowed("192.168.1.5:8501")


def test_the_port_of_the_scheme_may_be_left_out() -> None:
    assert allowed("localhost", "http://localhost", port=80)
    assert allowed("localhost", "https://localhost", port=443, scheme="wss")
    assert not allowed("localhost", "https://localhost", port=443)


def test_pages_of_a_trusted_origin_may_ask(setting: Callable[[str, object], None]) -> None:
    setting("server.corsAllowedOrigins", ["https://Portal.example.org"])
    assert allowed("localhost:8501", "https://portal.example.org")
    assert not allowed("localhost:8501", "https://portal.example.com")
