"""Tables that are not loaded: what this server may open, opening one again, and what its engine is asked meanwhile."""

import math
import os
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
from evalcore.engines import COUNTINGS, Counting
from evalcore.readers import ReadProblem, Unloaded, named, open_folders, upload_of
from evalcore.wording import plain
from pages.widgets.session import address
from pages.widgets.session.current_dataset import store
from pages.widgets.session.internals import page_files, visit
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
    sections = st.secrets.get("connections", {}) if st.secrets.load_if_toml_exists() else {}
    types = {
        str(name): str(section.get("type", "sql")) if isinstance(section, Mapping) else ""
        for name, section in (sections.items() if isinstance(sections, Mapping) else ())
    }
    return [name for name, of in types.items() if of in engines.CONNECTION_TYPES]


def tables_of(name: str) -> engines.DuckDBTables | engines.PostgresTables | engines.SparkTables:
    """The tables behind a connection. Raises ReadProblem where there is none of this name, or it cannot be set up."""
    if name not in connection_names():
        raise ReadProblem(
            f"There is no connection {named(name)} here. Add it to secrets.toml, or ask the server's administrator."
        )
    return st.connection(name, type=TableConnection).tables()


def has_path_door() -> bool:
    """Whether files can be opened by their path on this server, at least with its key."""
    return bool(open_folders(os.environ.get("EVALCORE_PATHS", ""), is_shared()))


def path_folders() -> list[str]:
    """Folders in which this visitor may open files by path (see `open_folders`); ReadProblem without the key."""
    return open_folders(os.environ.get("EVALCORE_PATHS", ""), is_shared(), has_key())


def reach(data: str, unloaded: Unloaded) -> Callable[[], engines.StoredTable]:
    """What opens the table behind a data set, from any thread; both raise ReadProblem where it cannot be opened."""
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
    """Open the first rows of an upload too large to be loaded, and keep its file. ReadProblem where that fails."""
    endings = "".join(Path(name).suffixes[-2:]) if name.lower().endswith((".gz", ".zst")) else Path(name).suffix
    folder = workspace().folder
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".upload-", dir=folder, ignore_cleanup_errors=True) as place:
            spool = Path(place) / f"table{endings.lower()}"
            spool.write_bytes(content)
            store(replace(engines.first_rows(engines.open_stored(spool), Unloaded("upload", name)), name=name))
            workspace().keep_upload(str(address.text("data")), spool)
    except OSError as error:
        raise ReadProblem("The file could not be stored. Is the workspace folder full or read-only?") from error


PATIENCE = 60  # seconds that opening a table may take, or asking for the names in it
_PROBLEM, _ANSWERS = "why counting failed", "names in tables"
_AT_ONCE = 0.3  # seconds in which most tables open: so long a run waits, rather than to draw the page twice


def start_counting(
    key: str, reach: Callable[[], Callable[[], Any]], count: Callable[[Any], Any], patience: float = math.inf
) -> None:
    """Have a table opened and counted, and run anew; one with patience ends what the visitor had opened so before."""
    try:
        begun = Counting(reach(), count, patience)
    except ReadProblem as problem:
        st.session_state[f"{_PROBLEM} {key}"] = str(problem)
    else:
        for other, counting in list(COUNTINGS.items()):
            if begun.is_quick and counting.is_quick and counting.wanted_by == {visit()}:
                counting.stop()
                COUNTINGS.pop(other, None)
        begun.wanted_by.add(visit())
        COUNTINGS[key] = begun
        begun.wait(_AT_ONCE)
    st.rerun()


def names_in(key: str, reach: Callable[[], Callable[[], Any]], read: Callable[[Any], Any]) -> Any:
    """Names of tables or columns, asked for once in a visit; None while waiting, ReadProblem if that failed."""
    if (problem := st.session_state.get(f"{_PROBLEM} {key}")) is not None:
        raise ReadProblem(problem)
    answers = st.session_state.setdefault(_ANSWERS, {})
    if key in COUNTINGS:
        show_counting(key, partial(answers.__setitem__, key))
    elif key not in answers:
        start_counting(key, reach, read, PATIENCE)
    return answers.get(key)


def offer_again(key: str) -> None:
    """A button that asks for all names again."""
    st.button("Try again", key=key, on_click=_ask_again)


def _ask_again() -> None:
    st.session_state.pop(_ANSWERS, None)
    for name in [str(name) for name in st.session_state if str(name).startswith(_PROBLEM)]:
        del st.session_state[name]


def show_count_problem(key: str) -> None:
    """Say once why the last counting of this key failed."""
    if (problem := st.session_state.pop(f"{_PROBLEM} {key}", None)) is not None:
        st.error(plain(problem, limit=600), icon=":material/error:")


def is_counting(key: str, take: Callable[[Any], None]) -> bool:
    """Say once why the last counting of this key failed; whether one has begun, which then shows how far it is."""
    show_count_problem(key)
    if key in COUNTINGS:
        show_counting(key, take)
    return key in COUNTINGS


@st.fragment(run_every=0.5)
def show_counting(key: str, take: Callable[[Any], None]) -> None:
    """How far a counting is; when it is done, `take` gets what was made and the page runs anew."""
    if (counting := COUNTINGS.get(key)) is None:
        st.rerun()
    if not counting.is_done:
        counting.wanted_by.add(visit())
        if counting.progress is None:
            st.markdown(f":material/hourglass_top: {plain(counting.status)}")
        else:
            st.progress(counting.progress, plain(counting.status))
        st.button("Stop", key=f"stop counting {key}", on_click=counting.stop)
        return
    COUNTINGS.pop(key, None)
    try:
        take(counting.result())
    except ReadProblem as problem:
        st.session_state[f"{_PROBLEM} {key}"] = str(problem)
    st.rerun()


PARTS = ("PlotlyChart", "StreamlitSyntaxHighlighter")
"""Parts of Streamlit's own page that it loads at their first use: the large ones that nearly all our pages use."""

WORKER = ThreadPoolExecutor(1, "ahead")
"""The thread that sorts. A page that needs the same state meanwhile waits for it; see `DataSet.scored`."""


def load_charts() -> None:
    """Have the browser run what draws charts, and fetch what draws code, as soon as it has nothing else to do."""
    files = [path.name for part in PARTS for path in page_files(f"static/js/{part}.*.js")]
    run_scripts("marks", parts=" ".join(files))
