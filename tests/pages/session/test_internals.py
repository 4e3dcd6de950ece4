"""What we use of Streamlit and Plotly without their promise: each test says which part a new version has moved."""

import ast
import inspect
import re
import socket
import weakref
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from streamlit import config, net_util
from streamlit.config import get_option
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import Runtime, app_session
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.runtime.state.query_params import QueryParams
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_server

from pages.widgets.session import internals, server
from pages.widgets.session.unloaded_tables import PARTS

ROOT = Path(__file__).parents[3]
PUBLIC = {
    "streamlit",
    "streamlit.components.v2.types",
    "streamlit.delta_generator",
    "streamlit.errors",
    "streamlit.typing",
    "streamlit.components.v2",
}


def test_the_menu_is_settled_by_a_flag_of_the_class() -> None:
    assert "uses_pages_directory" in inspect.getsource(PagesManager.__init__)
    internals.settle_menu()
    assert PagesManager.uses_pages_directory is False


def test_streamlit_judges_an_origin_without_asking_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_util, "get_external_ip", net_util.get_external_ip)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda *_, **__: pytest.fail("asked an outside address"))
    internals.ask_nobody()
    assert not server_util.is_url_from_allowed_origins("http://evil.example")


def test_streamlits_page_keeps_what_a_run_under_way_was_told_that_it_has() -> None:
    assert "max_cached_message_age" in inspect.getsource(app_session)
    assert get_option("global.maxCachedMessageAge") >= 30


def test_a_theme_is_read_once_and_is_the_one_that_streamlit_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    sections, read = ("theme", "theme.dark", "theme.light.sidebar"), app_session._populate_theme_msg
    monkeypatch.setattr(app_session, "_populate_theme_msg", read)
    assert "_populate_theme_msg(msg.new_session.custom_theme)" in inspect.getsource(app_session)
    expected = {section: CustomThemeConfig() for section in sections}
    for section in sections:
        read(expected[section], section)
    internals.keep_theme()
    for section in sections * 2:
        app_session._populate_theme_msg(theme := CustomThemeConfig(), section)
        assert theme == expected[section]
    monkeypatch.setattr(config, "get_options_for_section", lambda _: pytest.fail("read again"))
    app_session._populate_theme_msg(CustomThemeConfig())


def test_no_message_to_a_visitor_waits_for_the_one_before_it() -> None:
    assert "socket.socket(family=family)" in inspect.getsource(starlette_server)  # else asyncio would see to it
    gone = weakref.proxy(nullcontext())
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server.send_at_once()
        assert type(gone) is weakref.ProxyType
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_visit_has_an_id_by_which_the_server_knows_whether_its_browser_is_here() -> None:
    assert "session_id" in inspect.signature(ScriptRunContext).parameters
    assert "return self._session_mgr.is_active_session(session_id)" in inspect.getsource(Runtime.is_active_session)
    assert (internals.visit(), internals.is_here("a")) == ("", False)


def test_visits_that_have_ended_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "self._session_mgr" in inspect.getsource(Runtime.__init__)
    assert "self._session_storage" in inspect.getsource(WebsocketSessionManager.__init__)
    storage, visit = MemorySessionStorage(ttl_seconds=0), SimpleNamespace(id="a", alive=ModuleType("alive"))
    storage.save(SimpleNamespace(session=visit))
    gone = weakref.ref(visit.alive)
    del visit
    monkeypatch.setattr(internals, "exists", lambda: True)
    manager = SimpleNamespace(_session_storage=storage)
    monkeypatch.setattr(internals, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))
    assert gone() is not None
    internals.end_sessions()
    assert gone() is None


def test_a_run_knows_whether_it_is_a_fragment_or_came_from_the_history() -> None:
    fields = ScriptRunContext.__dataclass_fields__
    assert "fragment_ids_this_run" in fields
    assert "is_history_navigation" in fields
    assert not internals.through_history()
    assert not internals.fragment_alone()


def test_keys_leave_the_address_with_one_message_and_those_of_widgets_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    parameters, messages = QueryParams(), []
    monkeypatch.setattr(parameters, "_send_query_param_msg", lambda: messages.append(parameters.to_dict()))
    for key, values in {"data": ["a"], "embed": ["true"], "x": ["1", "2"], "y": ["3"], "z": ["4", "5"]}.items():
        parameters.set_with_no_forward_msg(key, values)
    parameters.bind_widget("y", "id of y", "string_value", "")
    state = SimpleNamespace(query_params=lambda: nullcontext(parameters))
    monkeypatch.setattr(internals, "get_script_run_ctx", lambda: SimpleNamespace(session_state=state))
    internals.remove_from_address(["data", "x", "y", "unknown", "embed"])
    internals.remove_from_address(["data"])
    assert messages == [{"y": "3", "z": "5"}]
    assert (parameters.get_all("z"), parameters._query_params["embed"]) == (["4", "5"], ["true"])


def test_the_page_has_the_parts_that_are_loaded_ahead_and_one_script_in_line() -> None:
    for part in PARTS:
        assert len(internals.page_files(f"static/js/{part}.*.js")) == 1, "Streamlit has renamed it"
    assert len(internals.page_scripts()) == 1


def test_a_drawn_figure_has_its_axes_where_the_operating_point_reads_them() -> None:
    script = internals.page_files("static/js/PlotlyChart.*.js")[0].read_text("utf-8")
    for part in ("_fullLayout", "js-plotly-plot", "_offset", "_length", "p2l", "l2p"):
        assert part in script, f"Plotly has renamed {part}"


def test_what_our_styles_and_scripts_look_for_is_called_so_in_streamlits_page() -> None:
    sources = [path for path in (ROOT / "pages").rglob("*.*") if path.suffix in (".py", ".js", ".css")]
    named = re.compile(r"""data-testid=["'\\]*(st[A-Za-z]+)|\.(st[A-Z][A-Za-z]+)""")
    names = {"".join(pair) for path in sources for pair in named.findall(path.read_text("utf-8"))}
    scripts = "".join(path.read_text("utf-8") for path in internals.page_files("static/js/*.js"))
    assert len(names) > 15
    assert {name for name in names if name not in scripts} == set(), "Streamlit has renamed these"


def test_styles_ask_any_element_for_its_children_alone() -> None:
    """`> :has([data-testid=…])` made Chromium match all ancestors again at every change: half a second of a page."""
    for path in (ROOT / "pages").rglob("*.css"):
        assert re.findall(r"[\s>+~(]:has\((?!>).*", path.read_text("utf-8")) == [], path.name


def test_internals_are_used_in_one_file_only() -> None:
    for path in (*(ROOT / "pages").rglob("*.py"), ROOT / "app.py"):
        if path.name == "internals.py":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("streamlit"):
                assert node.module in PUBLIC, f"{path.name} imports {node.module}: move it to session/internals.py"
            assert not (isinstance(node, ast.Attribute) and node.attr in ("_data", "_layout")), path.name
