"""A visitor without a browser, who sends the server what Streamlit's frontend sends over its websocket."""

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.typing import Origin, Subprotocol

PATIENCE = 120.0
_COMPLETE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class Visitor:
    """One visit: the parts that stand on the screen, and what the server remembers of it.

    Attributes
    ----------
    http : httpx.AsyncClient
        Asks the server with the cookies of the visit.
    session : str
        The id that Streamlit gave the visit.
    query : str
        The address after the question mark, as the server has last written it.
    parts : dict of Delta
        What stands on the screen, by its place.
    """

    def __init__(self, http: httpx.AsyncClient, socket: websockets.ClientConnection) -> None:
        self.http, self._socket = http, socket
        self.session, self.query, self.parts = "", "", {}
        self._page, self._cached = ClientState(), {}

    async def open(self, page: str = "", query: str = "") -> None:
        """Go to a page by its path, and wait until it is complete."""
        self._page = ClientState(page_name=page)
        self._page.context_info.url = str(self.http.base_url.join(page))
        self.query = query
        await self._run()

    async def click(self, key: str) -> None:
        """Press a button."""
        await self._run(WidgetState(id=self.widget(key)[0], trigger_value=True))

    async def tell(self, key: str, event: str) -> None:
        """Send an event of a component, as JSON, and wait until its fragment is drawn again."""
        id, fragment = self.widget(key)
        id = f"$$STREAMLIT_INTERNAL_KEY_{id}__events"
        await self._run(WidgetState(id=id, json_trigger_value=event), fragment)

    async def upload(self, key: str, files: Mapping[str, bytes]) -> None:
        """Choose files in the field whose key begins so, and wait until the page has taken them."""
        state = WidgetState(id=self.widget(key)[0])
        for name, data in files.items():
            urls = await self.file_urls(name)
            assert await self.put(urls.upload_url, data, name) == 204
            file = state.file_uploader_state_value.uploaded_file_info.add(name=name, size=len(data))
            file.file_id = urls.file_id
            file.file_urls.CopyFrom(urls)
        await self._run(state)

    async def file_urls(self, name: str) -> FileURLs:
        """Ask where a file may be sent."""
        ask = BackMsg()
        ask.file_urls_request.request_id = secrets.token_hex(4)
        ask.file_urls_request.file_names.append(name)
        await self._socket.send(ask.SerializeToString())
        while (message := await self._receive()).WhichOneof("type") != "file_urls_response":
            pass
        return message.file_urls_response.file_urls[0]

    async def put(self, place: str, data: bytes, name: str = "file") -> int:
        """Send the bytes of a file; the status of the answer."""
        token = {"X-Xsrftoken": self.http.cookies["_streamlit_xsrf"]}
        return (await self.http.put(place, files={name: (name, data)}, headers=token)).status_code

    def widget(self, key: str) -> tuple[str, str]:
        """The id of the widget whose key begins with these words, and that of its fragment if it has one."""
        for part in self.parts.values():
            kind = part.new_element.WhichOneof("type")
            id = getattr(getattr(part.new_element, kind), "id", "") if kind else ""
            if id.startswith("$$ID-") and f"{id.split('-', 2)[2]} ".startswith(f"{key} "):
                return id, part.fragment_id
        raise LookupError(f"no widget {key!r} on the screen")

    def shows(self, text: str) -> bool:
        """Whether a text stands anywhere on the screen."""
        return any(text.encode() in part.SerializeToString() for part in self.parts.values())

    async def _run(self, widget: WidgetState | None = None, fragment: str = "") -> None:
        run = ClientState(query_string=self.query, fragment_id=fragment, cached_message_hashes=list(self._cached))
        run.MergeFrom(self._page)
        if widget is not None:
            run.widget_states.widgets.append(widget)
        await self._socket.send(BackMsg(rerun_script=run).SerializeToString())
        while True:
            message = await self._receive()
            match message.WhichOneof("type"):
                case "new_session":
                    self.session = message.new_session.initialize.session_id
                    if not fragment:
                        self.parts = {}
                case "navigation":
                    self._page.page_script_hash, self._page.page_name = message.navigation.page_script_hash, ""
                case "page_info_changed":
                    self.query = message.page_info_changed.query_string
                case "delta":
                    self.parts[tuple(message.metadata.delta_path)] = message.delta
                case "script_finished" if message.script_finished in _COMPLETE:
                    return

    async def _receive(self) -> ForwardMsg:
        async with asyncio.timeout(PATIENCE):
            message = ForwardMsg.FromString(await self._socket.recv(decode=False))
        if message.metadata.cacheable:
            self._cached[message.hash] = message
        return self._cached[message.ref_hash] if message.WhichOneof("type") == "ref_hash" else message


@asynccontextmanager
async def visiting(
    server: str, cookies: httpx.Cookies | None = None, trusted: ssl.SSLContext | None = None
) -> AsyncIterator[Visitor]:
    """A visitor of a server, who leaves after the block; with the cookies of an earlier visit, the same browser.

    Behind ``https``, whose certificate is trusted must be said.
    """
    async with httpx.AsyncClient(base_url=server, cookies=cookies, timeout=PATIENCE, verify=trusted or False) as http:
        for path, accept in (("/_stcore/health", "*/*"), ("/", "text/html")):
            await http.get(path, headers={"Accept": accept})
        cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
        async with websockets.connect(
            f"ws{server.removeprefix('http')}/_stcore/stream",
            origin=Origin(server),
            subprotocols=[Subprotocol("streamlit")],
            additional_headers={"Cookie": cookie},
            max_size=None,
            ssl=trusted,
        ) as socket:
            yield Visitor(http, socket)


def run(coroutine: Coroutine[None, None, None]) -> None:
    """Run a coroutine to its end on a thread of its own: browser tests leave a loop running on the main one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, coroutine).result()
