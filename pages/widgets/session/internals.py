"""The parts of Streamlit and Plotly we use that they do not promise to keep; a test of each says what broke.

In the browser there are two more: the axes of a drawn figure (`operating_point.js`) and the history (`history.js`).
"""

import logging
import re
from collections.abc import Collection, Iterable
from pathlib import Path

import streamlit as st
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import net_util
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session, exists, get_instance
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.typing import UploadedFile

LOST = "application/x-lost"
"""The type of an upload that the server could not receive."""


def settle_menu() -> None:
    """Never look for pages in the folder called ``pages``: ``st.navigation`` names them all."""
    PagesManager.uses_pages_directory = False


def ask_nobody() -> None:
    """Don't ask an outside address for this machine's own, which Streamlit does to judge a foreign Origin."""
    net_util.get_external_ip = lambda: None


def keep_theme() -> None:
    """Read the theme from the configuration once, not at every run of a script: it takes a quarter of one."""
    read, themes = app_session._populate_theme_msg, {}

    def put_theme(theme: CustomThemeConfig, section: str = "theme") -> None:
        if section not in themes:
            themes[section] = CustomThemeConfig()
            read(themes[section], section)
        if themes[section].ByteSize():
            theme.MergeFrom(themes[section])

    app_session._populate_theme_msg = put_theme


def through_history() -> bool:
    """Whether the browser's back or forward button asked for this run."""
    return getattr(get_script_run_ctx(), "is_history_navigation", False)


def fragment_alone() -> bool:
    """Whether a fragment is drawn again without the rest of the page."""
    return bool(getattr(get_script_run_ctx(), "fragment_ids_this_run", None))


def visit() -> str:
    """The id of this visit."""
    return getattr(get_script_run_ctx(), "session_id", "")


def is_here(visit: str) -> bool:
    """Whether the browser of a visit is connected to this server."""
    return exists() and get_instance().is_active_session(visit)


def page_files(pattern: str) -> list[Path]:
    """The files of Streamlit's own page with a path of this pattern."""
    return sorted((Path(st.__file__).parent / "static").glob(pattern))


def address_values(*keys: str) -> tuple[str | None, ...]:
    """What stands last under each key of the address, or None; ``st.query_params`` takes twice as long."""
    if (context := get_script_run_ctx()) is None:
        return (None,) * len(keys)
    with context.session_state.query_params() as parameters:
        return tuple((parameters.get_all(key) or (None,))[-1] for key in keys)


def seed_from_address() -> None:
    """Have bound widgets start from what the address says now, not from what it said when the page was loaded."""
    if (context := get_script_run_ctx()) is not None:
        with context.session_state.query_params() as parameters:
            parameters.set_initial_query_params_from_current()


def remove_from_address(keys: Collection[str]) -> None:
    """Take keys out that are bound to no widget, with one message: Streamlit would send the whole address for each."""
    if (context := get_script_run_ctx()) is not None:
        with context.session_state.query_params() as parameters:
            stay = {key: parameters.get_all(key) for key in parameters if key not in keys or parameters.is_bound(key)}
            if len(stay) < len(parameters):
                parameters.clear_with_no_forward_msg(preserve_embed=True)
                for key, values in stay.items():
                    parameters.set_with_no_forward_msg(key, values)
                parameters.update()  # nothing more, but it sends the message


def page_scripts() -> list[str]:
    """The scripts in line in Streamlit's own page."""
    return re.findall(r"<script>(.*?)</script>", page_files("index.html")[0].read_text("utf-8"), re.DOTALL)


def most_uploaded() -> int:
    """Bytes that one session may have on the server before a page has taken them."""
    return st.get_option("server.maxUploadSize") * 2**20


def bound_uploads() -> None:
    """Refuse files beyond `most_uploaded`, and those of a visitor who has left: Streamlit would keep them for good."""
    keep = MemoryUploadedFileManager.add_file

    def add_file(self: MemoryUploadedFileManager, session_id: str, file: UploadedFileRec) -> None:
        if not get_instance().is_active_session(session_id):
            raise HTTPException(400, "This visit has ended.")
        waiting = [*self.file_storage.get(session_id, {}).values(), file]
        if sum(max(len(each.data), 10_000) for each in waiting) > most_uploaded():  # empty ones are bounded too
            raise HTTPException(413, "Too many files wait on the server. Load the page again.")
        keep(self, session_id, file)

    MemoryUploadedFileManager.add_file = add_file


async def answer(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request; an upload that the disk cannot take becomes an empty file of type `LOST`, for a page to say so.

    Streamlit would tell the visitor "AxiosError: Request failed with status code 500".
    """
    try:
        await app(scope, receive, send)
    except OSError:
        place = re.search(r"/_stcore/upload_file/([^/]+)/([^/]+)$", scope.get("path", ""))
        if place is None:
            raise
        logging.getLogger("evalcore").exception("An upload could not be received")
        get_instance().uploaded_file_mgr.add_file(place[1], UploadedFileRec(place[2], "", LOST, b""))
        await Response(status_code=204)(scope, receive, send)


def end_sessions() -> None:
    """Let go of visits that can't be resumed any more: Streamlit looks for them only when another one ends."""
    if exists():
        len(get_instance()._session_mgr._session_storage._cache)


def remove_uploads(files: Iterable[UploadedFile]) -> None:
    """Remove uploaded files from the server, and their bytes: Streamlit would keep them until the session ends."""
    context = get_script_run_ctx()
    assert context is not None
    assert isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager)
    for file in files:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)
        file.close()
