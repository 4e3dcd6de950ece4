"""Opening the table behind a data set again, where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evalcore.engines.stored import StoredTable, open_stored
from evalcore.readers import ReadProblem, Unloaded, allowed_path

__all__ = ["reopened"]


def reopened(unloaded: Unloaded, folders: Sequence[str | Path], upload: Path | None = None) -> StoredTable:
    """The table in a file, a folder or a database that a data set was made of.

    Parameters
    ----------
    unloaded : Unloaded
    folders : sequence of str or Path
        Those whose files may be opened.
    upload : Path, optional
        The stored file, where it was uploaded.

    Raises
    ------
    ReadProblem
        If it may not be opened, is not there any more, or cannot be read.

    Examples
    --------
    >>> reopened(Unloaded("path", "/absent.parquet"), ["/"])
    Traceback (most recent call last):
    evalcore.readers.problems.ReadProblem: There is no file or folder "/absent.parquet". Check the path.
    """
    if unloaded.way == "path":
        return open_stored(allowed_path(unloaded.address, folders), unloaded.table, folders=folders)
    if upload is None:
        raise ReadProblem("The file of this data set is no longer stored. Open it again.")
    return open_stored(upload)
