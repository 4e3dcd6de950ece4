"""What is stored beside a data set: the file that it was read from, where it may be read in another way."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

FILE = ".file"
MOST_KEPT = 100_000_000
"""Bytes of a file up to which it is stored."""


def keep_file(path: Path, data: bytes) -> None:
    """Store a file beside a data set, unless it is large or the disk is full: then there is no choice."""
    if 0 < len(data) <= MOST_KEPT:
        with suppress(OSError), open(path.with_suffix(FILE), "xb", opener=private) as file:
            file.write(data)


def size_of(path: Path, status: os.stat_result) -> int:
    """Bytes of a stored data set, with the file that it was read from."""
    with suppress(OSError):
        return status.st_size + path.with_suffix(FILE).stat().st_size
    return status.st_size


def remove(path: Path) -> None:
    """Delete a stored data set and what is stored beside it."""
    for beside in (path, *path.parent.glob(f"{path.stem}.*")):
        beside.unlink(missing_ok=True)


def private(path: str, flags: int) -> int:
    """Open a file that only its user can read."""
    return os.open(path, flags, 0o600)
