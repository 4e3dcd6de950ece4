"""Files of a stored data set: the data, the original file, and remains of deleted ones."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import IO

__all__ = ["upload_of"]

FILE = ".file"
_UPLOAD = ".upload"
MARK = b"EVC1"
"""A stored file is Parquet, this mark, and the checksum of the Parquet."""
MOST_KEPT = 100_000_000
"""Bytes of a file up to which it is stored."""

# Hardly anybody reads a usual file again with another header.
_MOST_USUAL = 5_000_000
UNDO_SECONDS = 600
"""How long a deletion can be undone."""
# A file older than this was left unfinished by a process that crashed.
_STALE_SECONDS = 3600
_DELETED, _UNFINISHED = ".deleted", ".unfinished"


def keep_file(path: Path, data: bytes, is_usual: bool) -> None:
    """Store a file beside a data set, unless it is large or the disk is full."""
    if 0 < len(data) <= (min(MOST_KEPT, _MOST_USUAL) if is_usual else MOST_KEPT):
        with suppress(OSError):
            write_whole(path.with_suffix(FILE), data)


def write_whole(path: Path, data: bytes) -> None:
    """Write a file that only its user can read, which appears whole or not at all. Raises OSError."""
    unfinished = path.parent / f".{secrets.token_urlsafe(16)}{_UNFINISHED}"
    try:
        with open(unfinished, "xb", opener=private) as file:
            file.write(data)
        os.replace(unfinished, path)
    finally:
        with suppress(OSError):
            unfinished.unlink()


def keep_upload(path: Path, upload: Path) -> None:
    """Keep an uploaded file, moved here or shared with another one, beside a data set that was not loaded.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     upload = Path(folder) / "log.csv"
    ...     _ = upload.write_text("actual,score")
    ...     keep_upload(Path(folder) / "id.parquet", upload)
    ...     upload_of(Path(folder) / "id.parquet").name
    'id.upload.csv'
    """
    name = f"{path.stem}{_UPLOAD}{''.join(upload.suffixes[-2:])}".replace(_UPLOAD * 2, _UPLOAD)
    (os.link if upload.parent == path.parent else os.replace)(upload, path.with_name(name))


def upload_of(path: Path) -> Path | None:
    """Return the path of the uploaded file of a data set; None without one."""
    return next(iter(sorted(path.parent.glob(f"{path.stem}{_UPLOAD}.*"))), None)


def size_of(path: Path, status: os.stat_result) -> int:
    """Bytes of a stored data set, with the file that it was read from; a share of an upload that several have."""
    with suppress(OSError):
        if (upload := upload_of(path)) is not None:
            of_upload = upload.stat()
            return status.st_size + of_upload.st_size // max(of_upload.st_nlink, 1)
        return status.st_size + path.with_suffix(FILE).stat().st_size
    return status.st_size


def remove(path: Path) -> None:
    """Delete a stored data set and the files beside it."""
    for beside in (path, *path.parent.glob(f"{path.stem}.*")):
        beside.unlink(missing_ok=True)


def set_aside(path: Path) -> None:
    """Delete a stored data set so that it can be brought back for a while."""
    for beside in path.parent.glob(f"{path.stem}.*"):
        beside.touch()  # from now on its time counts
        beside.replace(path.parent / f".{beside.name}{_DELETED}")


def bring_back(path: Path) -> None:
    """Undo `set_aside`; the data set then counts as just saved."""
    for aside in path.parent.glob(f".{path.stem}.*{_DELETED}"):
        aside.replace(path.parent / aside.name[1:].removesuffix(_DELETED))


def remove_stale(folder: Path) -> None:
    """Remove what was deleted too long ago to be brought back, and what was never finished."""
    for ending, seconds in ((_DELETED, UNDO_SECONDS), (_UNFINISHED, _STALE_SECONDS)):
        for path in folder.glob(f".*{ending}"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > seconds:
                    path.unlink()


def footer_of(path: Path) -> IO[bytes]:
    """The end of a Parquet file, which describes it."""
    with open(path, "rb") as file:
        file.seek(-16, os.SEEK_END)
        tail = file.read()
        tail, behind = (tail[:8], 8) if tail[8:12] == MARK else (tail[8:], 0)
        size = int.from_bytes(tail[:4], "little")
        file.seek(-size - 8 - behind, os.SEEK_END)
        return BytesIO(b"PAR1" + file.read(size) + tail)


def private(path: str, flags: int) -> int:
    """Open a file that only its user can read."""
    return os.open(path, flags, 0o600)
