"""Tables that are not loaded: what this server may open, and opening the one behind a data set again."""

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from evalcore.analyses import Source
from evalcore.engines import RunTables, StoredTable, first_rows, open_stored, reopened
from evalcore.readers import ReadProblem, Unloaded, open_folders, upload_of

from . import address
from .admission import is_shared
from .connections import tables_of
from .current_dataset import store
from .visitor import has_key
from .workspace import workspace


def has_path_door() -> bool:
    """Whether files can be opened by their path on this server, at least with its key."""
    return bool(open_folders(os.environ.get("EVALCORE_PATHS", ""), is_shared()))


def path_folders() -> list[str]:
    """Folders whose files this visitor may open by their path: ``EVALCORE_PATHS`` names them, as `open_folders` says.

    Raises ReadProblem where the visitor needs the key and does not have it.
    """
    return open_folders(os.environ.get("EVALCORE_PATHS", ""), is_shared(), has_key())


def reach(data: str, unloaded: Unloaded) -> Callable[[], StoredTable]:
    """What opens the table behind a data set, from any thread. Raises ReadProblem where it may not be opened.

    So does what it returns, where the table cannot be opened.
    """
    if unloaded.way == "connection":
        return partial(tables_of(unloaded.address).open, unloaded.table or "")
    if unloaded.way == "path":
        return partial(reopened, unloaded, path_folders())
    return partial(reopened, unloaded, [], upload_of(workspace().path(data)))


def reach_runs(place: Unloaded) -> Callable[[], RunTables]:
    """What opens a table of runs and the judgments that it names, from any thread; raises as `reach` does."""
    judged = Unloaded(place.way, place.judged["address"], place.judged.get("table"))
    if place.way == "connection":
        tables = tables_of(place.address)  # of one engine, which joins them
        return lambda: RunTables(tables.open(place.table or ""), tables.open(judged.table or ""))
    folders = path_folders()
    return lambda: RunTables(reopened(place, folders), reopened(judged, folders))


def known_labels(current: Source) -> tuple[str, ...] | None:
    """The labels of all rows of the column of true labels; empty after a search without result, None before one."""
    return st.session_state.get(_labels_of(current))


def put_labels(current: Source, labels: tuple[str, ...]) -> None:
    """Remember them in this session."""
    st.session_state[_labels_of(current)] = labels


def _labels_of(current: Source) -> str:
    return f"labels of {current.id} in {current.roles.get('actual')}"


def store_upload(name: str, content: memoryview) -> None:
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
        stored = open_stored(spool)
        store(replace(first_rows(stored, Unloaded("upload", name)), name=name))
        workspace().keep_upload(str(address.text("data")), spool)
    except OSError as error:
        raise ReadProblem("The file could not be stored. Is the workspace folder full or read-only?") from error
    finally:
        shutil.rmtree(spool.parent, ignore_errors=True)
