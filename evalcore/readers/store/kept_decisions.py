"""Records of decisions beside a stored data set: a small file each, so that several servers can write at once."""

from __future__ import annotations

import re
import secrets
from contextlib import suppress

from evalcore.readers.base.problems import ReadProblem
from evalcore.readers.store.kept_files import write_whole
from evalcore.readers.store.workspace import Workspace

__all__ = ["delete_decision", "keep_decision", "kept_decisions"]

_KEY = re.compile(r"[0-9]{19}-[A-Za-z0-9_-]{8}")
_SUFFIX, _MOST, _LARGEST = ".decision", 200, 200_000


def keep_decision(workspace: Workspace, id: str, text: str, when: int, owner: str | None = None) -> str:
    """Store the text of a record with a data set, and return its key; `when` orders them, in nanoseconds since 1970.

    Raises
    ------
    ReadProblem
        If the data set belongs to another owner, has too many records, or the folder cannot be written.
    """
    _check_owner(workspace, id, owner)
    if len(kept_decisions(workspace, id)) >= _MOST:
        raise ReadProblem(f"A data set keeps at most {_MOST} records. Delete one that is no longer needed.")
    key = f"{when:019d}-{secrets.token_urlsafe(6)}"
    try:
        write_whole(_path(workspace, id, key), text.encode())
    except OSError as error:
        raise ReadProblem("The record could not be stored. Is the workspace folder full or read-only?") from error
    return key


def kept_decisions(workspace: Workspace, id: str) -> dict[str, str]:
    """The texts of the records of a data set by their keys, the newest first; empty where it is not stored."""
    texts = {}
    if workspace.holds(id):
        for path in sorted(workspace.folder.glob(f"{id}.*{_SUFFIX}"), reverse=True):
            with suppress(OSError, ValueError):
                key = path.name.removeprefix(f"{id}.").removesuffix(_SUFFIX)
                if _KEY.fullmatch(key) and path.stat().st_size <= _LARGEST:
                    texts[key] = path.read_text(encoding="utf-8")
    return texts


def delete_decision(workspace: Workspace, id: str, key: str, owner: str | None = None) -> None:
    """Delete a record, if it is still there.

    Raises
    ------
    ReadProblem
        If the data set belongs to another owner, or the folder cannot be written.
    """
    _check_owner(workspace, id, owner)
    try:
        _path(workspace, id, key).unlink(missing_ok=True)
    except OSError as error:
        raise ReadProblem("The record could not be deleted. Is the workspace folder read-only?") from error


def _path(workspace: Workspace, id: str, key: str):
    if not _KEY.fullmatch(key):
        raise ReadProblem("There is no such record.")
    return workspace.path(id).with_name(f"{id}.{key}{_SUFFIX}")


def _check_owner(workspace: Workspace, id: str, owner: str | None) -> None:
    if not workspace.may_change(id, owner):
        raise ReadProblem("Only who uploaded this data set can change its records.")
