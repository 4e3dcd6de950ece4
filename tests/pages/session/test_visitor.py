"""Who asks for the list of stored data: only the key of the folder opens it, whatever a request says of its origin."""

import hashlib
import hmac
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from evalcore.readers import Workspace, read_table
from tests.browser.server import serving

NAME, OWN = "ward nine.csv", "a" * 22
LOCAL = "127.0.0.1"
PATHS = "open_by=On+this+machine"
REQUESTS = {
    "this machine": {},
    "a proxy": {"X-Forwarded-For": "203.0.113.9", "X-Real-IP": "203.0.113.9", "Via": "1.1 p"},
    "a proxy that lies": {"X-Forwarded-For": LOCAL, "X-Real-IP": LOCAL, "X-Forwarded-Host": "localhost"},
    "a tunnel": {"CF-Connecting-IP": LOCAL, "Forwarded": f"for={LOCAL}", "True-Client-IP": LOCAL},
    "a name of one's choice": {"X-Forwarded-User": "root", "Authorization": "Basic cm9vdDo="},
    "another browser": {"Cookie": f"evalcore_visitor={'b' * 22}"},
    "the id of the browser without its signature": {"Cookie": f"evalcore_visitor={OWN}"},
    "a signature made up": {"Cookie": f"evalcore_visitor={OWN}.{'0' * 32}"},
    "a digest for a cookie": {"Cookie": f"evalcore_visitor={hashlib.sha256(OWN.encode()).hexdigest()}"},
    "no key": {"Cookie": "evalcore_visitor="},
    "a path for a key": {"Cookie": "evalcore_visitor=key"},
}  # fmt: skip


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("visitor") / "workspace", 10**9)


@pytest.fixture(scope="module", params=["127.0.0.1", "0.0.0.0"])
def port(workspace: Workspace, request: pytest.FixtureRequest) -> Iterator[int]:
    owner = hashlib.sha256(OWN.encode()).hexdigest()
    workspace.save(read_table(b"actual,score\nill,0.9\nwell,0.2\n", NAME), owner)
    with serving(workspace.folder.parent, "app.py", f"--server.address={request.param}") as address:
        yield int(address.rsplit(":", 1)[1])


def data_page(port: int, headers: dict[str, str], query: str = "") -> str:
    """All that the server sends for the data page."""
    place, sent = f"localhost:{port}", b""
    address, options = f"ws://{place}/_stcore/stream", {"subprotocols": ["streamlit"], "max_size": None}
    with connect(address, origin=f"http://{place}", additional_headers=headers, proxy=None, **options) as socket:
        ask = BackMsg()
        ask.rerun_script.page_name, ask.rerun_script.query_string = "data", query
        socket.send(ask.SerializeToString())
        message = ForwardMsg()
        while message.WhichOneof("type") != "script_finished":
            sent += (part := socket.recv(timeout=60))
            message.ParseFromString(part)
    return sent.decode("utf-8", "replace")


@pytest.mark.parametrize("headers", REQUESTS.values(), ids=REQUESTS)
def test_nobody_without_the_key_sees_what_others_stored(port: int, headers: dict[str, str]) -> None:
    page = data_page(port, headers)
    assert "Stored" in page
    assert "No stored uploads" in page
    assert Path(NAME).stem not in page


@pytest.mark.parametrize("headers", REQUESTS.values(), ids=REQUESTS)
def test_nobody_without_the_key_opens_files_by_their_path(
    port: int, headers: dict[str, str], request: pytest.FixtureRequest
) -> None:
    page = data_page(port, headers, PATHS)
    assert "path to open" not in page
    is_shared = request.node.callspec.params["port"] == "0.0.0.0"
    assert ("the key of this server" in page) != is_shared


def test_the_key_opens_files_by_their_path_unless_the_server_is_shared(
    port: int, workspace: Workspace, request: pytest.FixtureRequest
) -> None:
    page = data_page(port, {"Cookie": f"evalcore_visitor={workspace.key()}"}, PATHS)
    assert ("path to open" in page) == (request.node.callspec.params["port"] == "127.0.0.1")


def test_an_id_from_before_signatures_is_signed_where_uploads_are_stored_under_it(
    port: int, workspace: Workspace
) -> None:
    own = cookie_for(port, OWN)
    assert own == cookie_for(port, f"{OWN}.{'0' * 32}") == cookie_for(port, own) == f"{OWN}.{signature(workspace)}"
    assert not cookie_for(port, "b" * 22).startswith("b" * 22)


def test_the_name_of_a_person_who_signed_in_is_never_signed_as_an_id(port: int, workspace: Workspace) -> None:
    person = "https://idp ada"  # who issued the sign-in, and the subject
    id = workspace.save(
        read_table(b"actual,score\nill,0.9\nwell,0.2\n", "ada"), hashlib.sha256(person.encode()).hexdigest()
    )
    assert not cookie_for(port, person).strip('"').startswith(person)
    workspace.delete(id)


def cookie_for(port: int, cookie: str) -> str:
    """The cookie that a page sets for a browser that comes with this one."""
    headers = {"Accept": "text/html", "Cookie": f"evalcore_visitor={cookie}"}
    return httpx.get(f"http://localhost:{port}/", headers=headers, trust_env=False).cookies["evalcore_visitor"]


def signature(workspace: Workspace) -> str:
    """What the server signs the id of the browser that uploaded with."""
    return hmac.new(workspace.key().encode(), OWN.encode(), "sha256").hexdigest()[:32]


def test_the_browser_that_uploaded_and_the_key_see_it(port: int, workspace: Workspace) -> None:
    for cookie in (f"{OWN}.{signature(workspace)}", workspace.key()):
        page = data_page(port, {"Cookie": f"evalcore_visitor={cookie}", "X-Forwarded-For": "203.0.113.9"})
        assert Path(NAME).stem in page
        assert "delete " in page
