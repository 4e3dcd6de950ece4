"""Tables that are not loaded: what this server may open, and opening the one behind a data set again."""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from evalcore import engines
from evalcore.analyses import Source
from evalcore.readers import ReadProblem, Unloaded, named, open_folders, upload_of
from pages.widgets.session import address
from pages.widgets.session.current_dataset import store
from pages.widgets.session.internals import page_files
from pages.widgets.session.page_exit import run_scripts
from pages.widgets.session.server import is_shared
from pages.widgets.session.visitor import has_key, workspace


class TableConnection(st.connections.BaseConnection[engines.Connection]):
    """Tables of DuckDB, PostgreSQL or Spark; Streamlit sets it up once, and anew when its secrets change."""

    def _connect(self, **_: Any) -> engines.Connection:
        return engines.connected(self._secrets.to_dict(), self._connection_name)

    def tables(self) -> engines.DuckDBTables | engines.PostgresTables | engines.SparkTables:
        """The tables for one visitor, whose queries can be stopped without those of others."""
        return self._instance.tables()


def connection_names() -> list[str]:
    """The names that the secrets give to connections of a type that can be read."""
    return [name for name, section in _sections().items() if _type_of(section) in engines.CONNECTION_TYPES]


def tables_of(name: str) -> engines.DuckDBTables | engines.PostgresTables | engines.SparkTables:
    """The tables behind a connection. Raises ReadProblem where there is none of this name, or it cannot be set up."""
    if name not in connection_names():
        raise ReadProblem(
            f"There is no connection {named(name)} here. Add it to secrets.toml, or ask the server's administrator."
        )
    return st.connection(name, type=TableConnection).tables()


def _sections() -> dict[str, Any]:
    sections = st.secrets.get("connections", {}) if st.secrets.load_if_toml_exists() else {}
    return dict(sections) if isinstance(sections, Mapping) else {}


def _type_of(section: Any) -> str:
    return str(section.get("type", "sql")) if isinstance(section, Mapping) else ""


def has_path_door() -> bool:
    """Whether files can be opened by their path on this server, at least with its key."""
    return bool(open_folders(os.environ.get("EVALCORE_PATHS", ""), is_shared()))


def path_folders() -> list[str]:
    """Folders whose files this visitor may open by their path: ``EVALCORE_PATHS`` names them, as `open_folders` says.

    Raises ReadProblem where the visitor needs the key and does not have it.
    """
    return open_folders(os.environ.get("EVALCORE_PATHS", ""), is_shared(), has_key())


def reach(data: str, unloaded: Unloaded) -> Callable[[], engines.StoredTable]:
    """What opens the table behind a data set, from any thread. Raises ReadProblem where it may not be opened.

    So does what it returns, where the table cannot be opened.
    """
    if unloaded.way == "connection":
        return partial(tables_of(unloaded.address).open, unloaded.table or "")
    if unloaded.way == "path":
        return partial(engines.reopened, unloaded, path_folders())
    return partial(engines.reopened, unloaded, [], upload_of(workspace().path(data)))


def reach_runs(place: Unloaded) -> Callable[[], engines.RunTables]:
    """What opens a table of runs and the judgments that it names, from any thread; raises as `reach` does."""
    judged = Unloaded(place.way, place.judged["address"], place.judged.get("table"))
    if place.way == "connection":
        tables = tables_of(place.address)  # of one engine, which joins them
        return lambda: engines.RunTables(tables.open(place.table or ""), tables.open(judged.table or ""))
    folders = path_folders()
    return lambda: engines.RunTables(engines.reopened(place, folders), engines.reopened(judged, folders))


def known_labels(current: Source) -> tuple[str, ...] | None:
    """The labels of all rows of the column of true labels; empty after a search without result, None before one."""
    return st.session_state.get(_labels_of(current))


def put_labels(current: Source, labels: tuple[str, ...]) -> None:
    """Remember them in this session."""
    st.session_state[_labels_of(current)] = labels


def _labels_of(current: Source) -> str:
    return f"labels of {current.id} in {current.roles.get('actual')}"


def store_upload(name: str, content: bytes) -> None:
    """Open the first rows of an uploaded file that is too large to be loaded, and keep the file beside them.

    Raises ReadProblem where the engine cannot read it, or there is no room for it.
    """
    endings = "".join(Path(name).suffixes[-2:]) if name.lower().endswith((".gz", ".zst")) else Path(name).suffix
    folder = workspace().folder
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        spool = Path(tempfile.mkdtemp(prefix=".upload-", dir=folder)) / f"table{endings.lower()}"
    except OSError as error:
        raise ReadProblem("The file could not be stored. Is the workspace folder full or read-only?") from error
    try:
        spool.write_bytes(content)
        stored = engines.open_stored(spool)
        store(replace(engines.first_rows(stored, Unloaded("upload", name)), name=name))
        workspace().keep_upload(str(address.text("data")), spool)
    except OSError as error:
        raise ReadProblem("The file could not be stored. Is the workspace folder full or read-only?") from error
    finally:
        shutil.rmtree(spool.parent, ignore_errors=True)


PARTS = ("PlotlyChart", "StreamlitSyntaxHighlighter")
"""Parts of Streamlit's own page that it loads at their first use: the large ones that nearly all our pages use."""

WORKER = ThreadPoolExecutor(1, "ahead")
"""The thread that sorts. A page that needs the same state meanwhile waits for it; see `DataSet.scored`."""


def load_charts() -> None:
    """Have the browser run what draws charts, and fetch what draws code, as soon as it has nothing else to do."""
    files = [path.name for part in PARTS for path in page_files(f"static/js/{part}.*.js")]
    run_scripts("marks", parts=" ".join(files))
